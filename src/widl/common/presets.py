"""The papers' systems as presets: one name sets all options that a paper specifies, and rejects other values.

An option set with presets has them in ``PRESETS``, a `Setting` for each option that the paper specifies
(`widl.common.options`). `widl presets` prints all.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from widl.common.errors import InputError

PresetOf2006 = Literal["paper-2006"]
PresetOf2005 = Literal["paper-2005"]
ASTAR_K = ("search", "astar-k")
"""A setting of A*_k."""


@dataclass(frozen=True)
class Setting:
    """A preset's rule for an option."""

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
        name = self.option.replace("_", "-")
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
    """Features and tuning of a paper's systems, besides their options."""

    paper: str
    features: Mapping[str, tuple[str, ...]]
    """Features by task, translation or headline, with the names of weights files."""
    algorithm: Setting | None = None
    """Tuning algorithm."""
    metrics: Mapping[str, str] = field(default_factory=dict)
    """Metric for tuning, by task."""
    first_words: int = 0
    """Number of first words of a headline counted by ROUGE; 0: all."""
    order: int = 3
    """Order of its language models."""
    order_place: str = "§4"
    """The place in the paper that names the order."""


PRESETS: Mapping[str, Preset] = {
    "paper-2006": Preset(
        "Soricut and Marcu (2006)",
        features={
            "translation": ("p_fe", "p_ef", "lex_fe", "lex_ef", "lm0", "word_count", "phrase_count", "unknown"),
            "headline": ("widl", "lm0", "lm1", "word_count", "phrase_count"),
        },
        algorithm=Setting("algorithm", "mert", "§4 and §5: Och (2003)"),
        metrics={"translation": "bleu", "headline": "rouge1x2_recall"},
        first_words=10,
        order_place="§4 and §5",
    ),
    "paper-2005": Preset("Soricut and Marcu (2005)", features={"order": ("lm0",)}),
}


def preset_of(name: str) -> Preset:
    """The preset of a name; InputError for no such preset."""
    if name not in PRESETS:
        raise InputError(f"unknown preset {name!r}; choose one of {', '.join(PRESETS)}")
    return PRESETS[name]


def check_order(name: str | None, order: int, where: str) -> None:
    """InputError if a language model's order is not that of a preset's; `where` names the model."""
    if name is None or order == (preset := preset_of(name)).order:
        return
    raise InputError(
        f"{where}: order {order} contradicts the preset {name}, which has {preset.order} ({preset.order_place}: a "
        f"trigram model); make a model of order {preset.order}, or drop the preset"
    )
