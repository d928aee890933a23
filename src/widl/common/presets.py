"""The papers' systems as presets: one name sets all options that a paper specifies, and rejects other values.

A preset is data. An option set with a field `preset` takes its defaults from the preset (`fill`), and is checked
against it afterwards (`check`); other packages read `Preset.features` and `Preset.metrics`. `widl presets` prints all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import model_validator
from pydantic_core import ArgsKwargs

from widl.common.errors import InputError

PresetOf2006 = Literal["paper-2006"]
PresetOf2005 = Literal["paper-2005"]


@dataclass(frozen=True)
class Setting:
    """A preset's rule for an option: its default, and the other values allowed.

    option: the field of an option set; a field of a nested set is ``part.field``. default: None keeps the option's
    usual default. others: further values that the paper uses. open: the paper leaves the option open, so any value is
    allowed. when: values of another option under which this rule applies; a key with None represents its default.
    """

    option: str
    default: Any
    place: str
    """Place in the paper, or a remark that the paper does not specify the value."""
    others: tuple[Any, ...] = ()
    open: bool = False
    when: tuple[str, tuple[Any, ...]] | None = None

    def counts(self, value_of: Any) -> bool:
        """Whether the rule applies under these option values."""
        return self.when is None or value_of(self.when[0]) in self.when[1]


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


_WIDL, _STACK = ("decoder", ("widl",)), ("decoder", ("stack",))
_ASTAR_K = ("search", ("astar-k",))

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
                    when=_WIDL,
                ),
                Setting("search", "stack", "§5: Pharaoh, whose search is by stacks", when=_STACK),
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
                    when=("search", ("beam",)),
                ),
                Setting("stack_size", 0, "Figure 6: a probabilistic beam alone", when=("search", ("beam",))),
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


def filler() -> Any:
    """A validator for the body of an option set with a field `preset`: fills in the preset's values."""
    fill_preset: Any = classmethod(fill)
    return model_validator(mode="before")(fill_preset)


def fill(options: type[Any], given: Any) -> Any:
    """The given values of an option set, as pydantic passes them, with the preset's defaults for all others."""
    values = dict(given.kwargs or {}) if isinstance(given, ArgsKwargs) else given
    if not isinstance(values, dict) or values.get("preset") not in PRESETS:
        return given
    filled: dict[str, Any] = dict(values)

    def value_of(name: str) -> Any:
        return filled.get(name, getattr(options, name, None))

    for setting in PRESETS[filled["preset"]].settings.get(options.__name__, ()):
        if setting.counts(value_of):
            part, _, name = setting.option.rpartition(".")
            if not part:
                filled.setdefault(name, setting.default)
            elif isinstance(filled.setdefault(part, {}), dict):
                filled[part] = {name: setting.default} | filled[part]
    return filled


def check(options: Any) -> None:
    """InputError for the first option of an option set that contradicts its preset."""
    if options.preset is None:
        return
    for setting in PRESETS[options.preset].settings.get(type(options).__name__, ()):
        if not setting.open and setting.counts(lambda name: getattr(options, name)):
            value: Any = options
            for name in setting.option.split("."):
                value = getattr(value, name)
            check_value(options.preset, setting, value)


def check_value(preset: str, setting: Setting, value: Any) -> None:
    """InputError if a value of an option contradicts the preset."""
    if value not in (setting.default, *setting.others):
        name = setting.option.rpartition(".")[2].replace("_", "-")
        expected = " or ".join(map(written, (setting.default, *setting.others)))
        raise InputError(
            f"{name} {written(value)} contradicts the preset {preset}, which has {expected} ({setting.place}); "
            "drop one of them"
        )


def written(value: Any) -> str:
    """A value in the notation of options."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def described(setting: Setting) -> str:
    """An option with the values that a preset allows, and the related options of each."""
    values = " or ".join(map(written, (setting.default, *setting.others)))
    left = ", unless given" if setting.open else ""
    where = "" if setting.when is None else f" ({setting.when[0]} {setting.when[1][0]})"
    return f"{setting.option} = {values}{left}{where}"
