"""Options of reading, tiling and searching a sentence."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from widl import _core
from widl.common.errors import InputError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, Limit, Share, Switch, shown_in_help
from widl.common.options import adjust, option_set
from widl.common.presets import ASTAR_K, PresetOf2006, Setting
from widl.decoder.search_options import LengthUnitName, SearchOptions
from widl.translation.sentence import EntityMode, MarkupMode

Decoder = Literal["widl", "stack"]
UnknownWords = Literal["pinyin", "copy", "drop", "mark"]
UNKNOWN_MARK = "UNK"
"""The prefix of a marked unknown word, as in Moses."""

SEARCHES_OF_DECODERS: dict[str, tuple[str, ...]] = {
    "widl": ("cube", "astar", "astar-k", "beam", "bfs"),
    "stack": ("stack", "cube"),
}
"""The searches of each decoder; the first is its default."""


PAPER_2006 = (
    Setting(
        "search",
        "astar-k",
        "§5: WIDL-NGLM-A*_k; astar: Figure 3; cube: ours, to tune with",
        ("astar", "bfs", "cube"),
        when=("decoder", "widl"),
    ),
    Setting("search", "stack", "§5: Pharaoh, whose search is by stacks", when=("decoder", "stack")),
    Setting("k", 2, "§5: k = 2", when=ASTAR_K),
    Setting("k_unit", "positions", "§5 does not say what a path's length is", open=True, when=ASTAR_K),
    Setting("order", "bound", "Figure 3: the bound, here of tiles; estimate: not the paper's", open=True, when=ASTAR_K),
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
)
"""The options of the paper's translation systems."""


@option_set
class TranslationOptions(SearchOptions):
    """Options of tiling and search. The decoder ``stack`` is Pharaoh's (Koehn 2004); its future cost ignores movement.
    Both decoders share tiles, features, models and weights. Searches of ``widl``:

    - ``cube``: layers of states with equally many source words covered, the best of each generated lazily;
    - ``astar``: exact, within the budget;
    - ``astar-k``: only states at most `k` shorter than the longest, in `k_unit`, by `order` (Soricut & Marcu 2006, §5);
    - ``beam``: layers of states with equally many target words, the best of each;
    - ``bfs``: all states.

    Searches of ``stack``: ``stack``, and ``cube``, cube pruning (Huang & Chiang 2007). A search of None is the first of
    the decoder.
    """

    PRESETS: ClassVar[Mapping[str, Sequence[Setting]]] = {"paper-2006": PAPER_2006}

    beam: Annotated[Share, shown_in_help(group="Search")] = 1e-5
    stack_size: Annotated[Count, shown_in_help(group="Search")] = 100
    decoder: Annotated[Decoder, shown_in_help(group="Search")] = "widl"
    "widl, or stack: a baseline that decodes like Pharaoh."
    k_unit: Annotated[LengthUnitName, NOT_ON_COMMAND_LINE] = "positions"
    "astar-k: unit of K: output words, or covered positions."
    table_threshold: Annotated[Share, shown_in_help(group="Search")] = 0.01
    "Prune translation options below this fraction of their span's best p(e|f)."
    table_limit: Annotated[Count, shown_in_help(group="Search")] = 20
    "Maximum number of translation options per span; 0: all."
    distributions: Annotated[Switch, NOT_ON_COMMAND_LINE] = False
    """Keep each span's options most probable by p(e|f), regardless of weights, with scores that sum to 1 (2006)."""
    distortion_limit: Annotated[Limit, shown_in_help(group="Search")] = 6
    "Largest jump in source words; 0: monotone; 'none': any, though searches try 64 words ahead."
    reordering: Annotated[Switch, shown_in_help(group="Search")] = True
    "Score phrase order with the model's reordering model, if it exists."
    gap: Annotated[float, Field(ge=0), shown_in_help(group="Budgets")] = math.inf
    "Lower the bound after the search until it is within N nats of the score; inf: do not lower it."
    distinct: Annotated[Switch, shown_in_help(group="Candidates and lattices")] = True
    "Keep only the best of the derivations with equal strings."
    markup: MarkupMode = "none"
    'Read <x translation="…">, <zone>, <wall/>: exclusive, inclusive (competes with the table), or constraint.'
    glossary: Annotated[Path | None, shown_in_help(group="Terms, names and unknown words")] = None
    "File of terms: source<TAB>translation[<TAB>translation…]."
    entities: Annotated[EntityMode | None, shown_in_help(group="Terms, names and unknown words")] = None
    "Rules for dates and numbers: none, or constraint (zh to en: default): the table's phrases must keep them."
    names: Annotated[Switch, shown_in_help(group="Terms, names and unknown words")] = True
    "Translate names of people and places by rule if the table lacks them (zh to en)."
    segmentations: Annotated[Literal["all", "one"], NOT_ON_COMMAND_LINE] = "all"
    """Chinese segmentations: the segmenter's one, or all: splits of rare words compete. Unknown words are split."""
    rare_words: Annotated[Count, shown_in_help(group="Terms, names and unknown words")] = 2
    "Words seen at most N times in training compete with their parts and the dictionary's entries."
    preset: Annotated[PresetOf2006 | None, shown_in_help(group="Search")] = None
    "Set all options as in a paper; 'widl presets' lists the values."
    tokenized: Annotated[bool, shown_in_help(group="Text")] = False
    "Input and output are space-separated tokens, in the model's spelling and casing."
    unknown: Annotated[UnknownWords, shown_in_help(group="Terms, names and unknown words")] = "pinyin"
    "Output for words without a translation: pinyin (of Chinese), copy, drop, or mark with UNK."

    def __post_init__(self) -> None:
        searches = SEARCHES_OF_DECODERS[self.decoder]
        if self.search is not None and self.search not in searches:
            raise InputError(
                f"unknown search {self.search!r} of the {self.decoder} decoder; choose one of {', '.join(searches)}"
            )

    @classmethod
    def defaults_of(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """The search, the first of the decoder."""
        decoder = values.get("decoder", cls.decoder)
        searches = SEARCHES_OF_DECODERS.get(decoder, ("cube",)) if isinstance(decoder, str) else ("cube",)
        return {"search": searches[0]}

    @property
    def romanizes(self) -> bool:
        """Whether Chinese words may be written in pinyin."""
        return self.unknown == "pinyin"

    def __getstate__(self) -> dict[str, object]:
        """Makes the glossary's path absolute: other processes may have another working directory."""
        return vars(self) | {"glossary": self.glossary and self.glossary.absolute()}

    def for_piece(self, pieces: int) -> "TranslationOptions":
        """The options for one of `pieces` pieces of a line, each with an equal share of the budgets, at least one
        state."""
        states = max(1, self.max_states // pieces) if self.max_states else 0
        return adjust(self, max_seconds=self.max_seconds / pieces, max_states=states)

    def core_options(self) -> _core.SearchOptions:
        """The core's form of the options."""
        return self.in_space(self.space(), gap=self.gap, distinct=self.distinct)

    def space(self) -> _core.SpaceOptions:
        """The core's description of the search space."""
        return _core.SpaceOptions(
            distortion_limit=self.distortion_limit,
            table_limit=0 if self.distributions else self.table_limit,
            estimate_movement=self.decoder == "widl",
        )
