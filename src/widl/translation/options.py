"""Options of reading, tiling and searching a sentence."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from widl import _core
from widl.common.errors import InputError
from widl.common.option_values import LARGEST, Limit
from widl.common.options import HelpGroups, option, option_set
from widl.common.presets import PRESET_HELP, PresetOf2006
from widl.decoder.search_options import DistinctOption, LayerDefaults, LengthUnitOption, SearchOptions
from widl.translation.sentence import EntityMode, MarkupMode

Decoder = Literal["widl", "stack"]
UnknownWords = Literal["pinyin", "copy", "drop", "mark"]
UNKNOWN_MARK = "UNK"
"""The prefix of a marked unknown word, as in Moses."""

SEARCHES: dict[str, tuple[str, ...]] = {
    "widl": ("cube", "astar", "astar-k", "beam", "bfs"),
    "stack": ("stack", "cube"),
}
"""The searches of each decoder; the first is its default."""


@option_set
class TranslationOptions(SearchOptions):
    """Options of tiling and search.

    The decoder ``stack`` is Pharaoh's (Koehn 2004), whose future cost leaves out movement. Both decoders share tiles,
    features, models and weights. Searches of ``widl``:

    - ``cube``: layers of states with equally many source words covered, the best of each generated lazily;
    - ``astar``: exact, within the budget;
    - ``astar-k``: only states at most `k` shorter than the longest, in `k_unit`, by `order` (Soricut & Marcu 2006, §5);
    - ``beam``: layers of states with equally many target words, the best of each;
    - ``bfs``: all states.

    `mbr` chooses another derivation than the best one found: that with the largest expected linear BLEU against all
    derivations of the lattice (Tromble et al. 2008). Candidates are then in the order of that gain, and no certificate
    is claimed.

    Searches of ``stack``: ``stack``, and ``cube``, cube pruning (Huang & Chiang 2007). A search of None is the first of
    the decoder.
    """

    help_groups: ClassVar[HelpGroups] = {
        "Search": (
            *("preset", "decoder", *SearchOptions.help_groups["Search"], "table_threshold", "table_limit"),
            *("distortion_limit", "reordering"),
        ),
        "Budgets": (*SearchOptions.help_groups["Budgets"], "gap"),
        "Candidates and lattices": ("nbest", "distinct", "lattice_arcs", "lattice_beam"),
        "Consensus": ("mbr", "mbr_scale"),
        "Text": ("tokenized",),
        "Terms, names and unknown words": (
            *("glossary", "glossary_mode", "entities", "names", "segmentations", "rare_words", "unknown"),
        ),
    }

    layer_defaults: ClassVar[Mapping[str, LayerDefaults]] = {
        "beam": LayerDefaults(beam=1e-5, stack_size=100),
        "stack": LayerDefaults(beam=1e-5, stack_size=100),
        "cube": LayerDefaults(pop_limit=1500),
    }

    decoder: Annotated[Decoder, option("widl, or stack: the baseline, as Pharaoh decodes.")] = "widl"
    k_unit: LengthUnitOption = "positions"
    table_threshold: Annotated[
        float, option("Prune translation options below this fraction of their span's best p(e|f).", ge=0, le=1)
    ] = 0.01
    table_limit: Annotated[
        int, option("Maximum number of translation options of a span; 0: all.", ge=0, le=LARGEST)
    ] = 20
    distortion_limit: Annotated[
        Limit, option("Largest jump in source words; 0 keeps the order; 'none': as far as 64 words ahead.")
    ] = 6
    reordering: Annotated[
        bool, option("Score the order of phrases by the model's reordering model, if it has one.")
    ] = True
    gap: Annotated[
        float,
        option("Lower the bound after the search until it is within N nats of the score; inf: leave it.", ge=0),
    ] = math.inf
    distinct: DistinctOption = True
    mbr: Annotated[bool, option("Choose by expected BLEU among all derivations explored, instead of by score.")] = False
    mbr_scale: Annotated[
        float,
        option("mbr: p(derivation) ∝ exp(scale · score / sum of the LMs' weights).", gt=0, only_with={"mbr": ()}),
    ] = 0.75
    markup: Annotated[
        MarkupMode,
        option(
            "Translations in the input's markup: exclusive, inclusive, constraint; none: there is no markup.",
            hidden=True,
        ),
    ] = "none"
    glossary: Annotated[Path | None, option("File of terms: source<TAB>translation[<TAB>translation…].")] = None
    glossary_mode: Annotated[
        Literal["exclusive", "inclusive"],
        option(
            "Terms of the glossary: exclusive, or inclusive: they compete with the table's translations.",
            only_with={"glossary": ()},
        ),
    ] = "exclusive"
    entities: Annotated[
        EntityMode | None,
        option(
            "Dates and numbers by rule: none, or constraint (zh to en: the default): phrases of the table say the "
            "numbers of their source words, and no others."
        ),
    ] = None
    names: Annotated[bool, option("Names of people and places that the table lacks by rule (zh to en).")] = True
    segmentations: Annotated[
        Literal["all", "one"],
        option("Of Chinese: all: those of unknown and rare words compete; one: the segmenter's.", metavar="CHOICE"),
    ] = "all"
    rare_words: Annotated[
        int,
        option("Words seen at most N times in training compete with their parts and the dictionary's entries.", ge=0),
    ] = 2
    preset: Annotated[PresetOf2006 | None, option(PRESET_HELP)] = None
    tokenized: Annotated[
        bool, option("Input and output are tokens between blanks, in the model's spelling and casing.")
    ] = False
    unknown: Annotated[
        UnknownWords,
        option("Output for words without a translation: pinyin (of Chinese), copy, drop, or mark with UNK."),
    ] = "pinyin"

    def __post_init__(self) -> None:
        searches = SEARCHES[self.decoder]
        if self.search is not None and self.search not in searches:
            raise InputError(
                f"unknown search {self.search!r} of the {self.decoder} decoder; it is one of {', '.join(searches)}"
            )

    @property
    def effective_search(self) -> str:
        """The search, or the decoder's default."""
        return self.search or SEARCHES[self.decoder][0]

    @property
    def effective_nbest(self) -> int:
        """The number of candidates that search shall find: 1 where `mbr` chooses them."""
        return 1 if self.mbr else self.nbest

    @property
    def romanizes(self) -> bool:
        """Whether Chinese words may be written in pinyin."""
        return self.unknown == "pinyin"

    @property
    def effective_lattice(self) -> bool:
        """Whether the explored derivations are needed, and not only the best ones."""
        return self.lattice or self.mbr

    def layers(self) -> LayerDefaults:
        """What is kept of a layer and made for it."""
        layers = super().layers()
        if self.pop_limit is None and (self.decoder, self.effective_search) == ("stack", "cube"):
            # The baseline's limit is that of its comparison: moses2's speed and score in docs/results.md are at it.
            return LayerDefaults(layers.beam, layers.stack_size, pop_limit=400)
        return layers

    def __getstate__(self) -> dict[str, object]:
        """With an absolute path of the glossary: other processes may have another working directory."""
        return vars(self) | {"glossary": self.glossary and self.glossary.absolute()}

    def of_a_piece(self, pieces: int) -> "TranslationOptions":
        """With a piece's share of the budgets of a line that is cut into so many: a state at least."""
        states = max(1, self.max_states // pieces) if self.max_states else 0
        return replace(self, max_seconds=self.max_seconds / pieces, max_states=states)

    def core_options(self) -> _core.SearchOptions:
        """The core's form of the options."""
        return self.in_space(self.space(), gap=self.gap, distinct=self.distinct)

    def space(self) -> _core.SpaceOptions:
        """The core's form of what is searched."""
        return _core.SpaceOptions(
            distortion_limit=self.distortion_limit,
            alternatives_per_span=self.table_limit,
            estimate_movement=self.decoder == "widl",
            own_contexts=self.effective_search == "astar-k" and self.order == "bound",
        )
