"""The papers' systems as presets: one name sets all options that a paper specifies, and rejects other values.

A preset is data. It sets the options of an option set whose class has a field `preset` and the `validator`; other
packages read `Preset.features` and `Preset.metrics`. `widl presets` prints all.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal

from pydantic import model_validator
from pydantic_core import ArgsKwargs

from widl.common.errors import InputError

PresetOf2006 = Literal["paper-2006"]
PresetOf2005 = Literal["paper-2005"]


@dataclass(frozen=True)
class Setting:
    """A preset's rule for an option, which may be ``part.field``, a field of a nested set."""

    option: str
    default: Any
    place: str
    """Place in the paper, or a remark that the paper does not specify the value."""
    others: tuple[Any, ...] = ()
    """Further values that the paper uses."""
    open: bool = False
    """Whether any value is allowed, because the paper leaves the option open."""
    when: tuple[str, str] | None = None
    """Another option and its value with which the rule applies."""

    @property
    def values(self) -> str:
        """The values that the paper uses, in the notation of options."""
        return " or ".join(map(_written, (self.default, *self.others)))

    def check(self, preset: str, value: Any) -> None:
        """InputError if a value contradicts the preset."""
        if self.open or value in (self.default, *self.others):
            return
        name = self.option.rpartition(".")[2].replace("_", "-")
        raise InputError(
            f"{name} {_written(value)} contradicts the preset {preset}, which has {self.values} ({self.place}); "
            "drop one of them"
        )


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


@dataclass(frozen=True)
class Preset:
    """A paper's systems: settings by option set, names of weights and metrics by task."""

    paper: str
    settings: Mapping[str, tuple[Setting, ...]]
    """Settings by the name of the option set."""
    features: Mapping[str, tuple[str, ...]]
    """Features by task, translation or headline, with the names of weights files."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Metric for tuning, by task."""
    first_words: int = 0
    """Number of first words of a headline counted by ROUGE; 0: all."""


_ASTAR_K = ("search", "astar-k")
_BEAM = ("search", "beam")

PRESETS: Mapping[str, Preset] = {
    "paper-2006": Preset(
        "Soricut and Marcu (2006)",
        {
            "TranslationOptions": (
                Setting(
                    "search",
                    "astar-k",
                    "§5: WIDL-NGLM-A*_k; astar: Figure 3; cube: ours, to tune with",
                    ("astar", "bfs", "cube"),
                    when=("decoder", "widl"),
                ),
                Setting("search", "stack", "§5: Pharaoh, whose search is by stacks", when=("decoder", "stack")),
                Setting("k", 2, "§5: k = 2", when=_ASTAR_K),
                Setting("k_unit", "positions", "§5 does not say what a path's length is", open=True, when=_ASTAR_K),
                Setting("order", "bound", "Figure 3: the bound; estimate: not the paper's", open=True, when=_ASTAR_K),
                Setting("table_limit", 10, "§5: histogram beam s"),
                Setting("distributions", True, "§2.1, Figure 6: δ sums to 1; §5: s by probability"),
                Setting("table_threshold", 0.01, "§5: probabilistic beam b"),
                Setting("distortion_limit", 6, "§5 names none, with which A*_2 seldom ends", open=True),
                Setting("reordering", False, "§5: no reordering model"),
                Setting("glossary", None, "§5: translations of the table alone"),
                Setting("entities", "none", "§5 does not mention numbers and dates", open=True),
                Setting("names", False, "§5 does not mention names", open=True),
                Setting("rare_words", 0, "§5: translations of the table alone"),
                Setting("segmentations", "one", "§5: a string of words"),
                Setting("unknown", "copy", "the papers do not say; as in Pharaoh"),
            ),
            "OptimizerOptions": (Setting("algorithm", "mert", "§4 and §5: Och (2003)"),),
            "HeadlineOptions": (
                Setting("system", "widl-paper", "§4: ∥ of ∨ over keywords, Figure 4"),
                Setting("search", "astar", "Table 1: WIDL-A*"),
                Setting("budget.words", 0, "§4: learned by the word-count weight; 10: a hard limit, ours", (10,)),
                Setting("budget.bytes", 0, "§4: words"),
            ),
        },
        features={
            "translation": ("p_fe", "p_ef", "lex_fe", "lex_ef", "lm0", "word_count", "phrase_count", "unknown"),
            "headline": ("widl", "lm0", "lm1", "word_count", "phrase_count"),
        },
        metrics={"translation": "bleu", "headline": "rouge1x2_recall"},
        first_words=10,
    ),
    "paper-2005": Preset(
        "Soricut and Marcu (2005)",
        {
            "RealizationOptions": (
                Setting("search", "astar", "Figures 4 to 6", ("bfs", "astar-k", "beam")),
                Setting("bound", "eq2", "Equation 2"),
                Setting("whole_contexts", True, "§3.1: states are split by the last two words"),
                Setting("k", 2, "§4: A*_1 and A*_2", (1,), when=_ASTAR_K),
                Setting(
                    "beam",
                    0.2,
                    "§4: B_0.2 and B_0.1; 0.0246 and 0.005 are these to the power of ln 10",
                    (0.1, 0.0246, 0.005),
                    when=_BEAM,
                ),
                Setting("stack_size", 0, "Figure 6: a probabilistic beam alone", when=_BEAM),
            ),
        },
        features={"order": ("lm0",)},
    ),
}


def preset_of(name: str) -> Preset:
    """The preset of a name; InputError for no such preset."""
    if name not in PRESETS:
        raise InputError(f"unknown preset {name!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def _in_preset(options: type[Any], given: Any, validate: Callable[[Any], Any]) -> Any:
    """The option set with the preset's values for all options that are not given; InputError for a contradiction."""
    values = dict(given.kwargs or {}) if isinstance(given, ArgsKwargs) else given
    if not isinstance(values, dict) or values.get("preset") not in PRESETS:
        return validate(given)
    settings = PRESETS[values["preset"]].settings
    rules = next(settings[kind.__name__] for kind in options.__mro__ if kind.__name__ in settings)
    values = dict(values)
    for rule in rules:
        if rule.when is None or values.get(rule.when[0], getattr(options, rule.when[0])) == rule.when[1]:
            part, _, name = rule.option.rpartition(".")
            if not part:
                values.setdefault(name, rule.default)
            elif isinstance(values.setdefault(part, {}), dict):  # not a set that the caller made
                values[part] = {name: rule.default} | values[part]
    chosen = validate(values)
    for rule in rules:
        if rule.when is None or getattr(chosen, rule.when[0]) == rule.when[1]:
            rule.check(values["preset"], attrgetter(rule.option)(chosen))
    return chosen


validator: Any = model_validator(mode="wrap")(classmethod(_in_preset))  # type: ignore[arg-type]
"""Makes the values of a preset those of an option set, as a field of its class."""
