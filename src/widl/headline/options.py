"""Options of headline systems."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from widl import _core
from widl.common.errors import InputError
from widl.common.options import Conditions, HelpGroups, option, option_set
from widl.common.presets import PRESET_HELP, PresetOf2006
from widl.decoder.search_options import BOUNDS, LayerDefaults, SearchOptions, SecondsOption
from widl.headline.budget import Budget
from widl.headline.words import keys_of
from widl.headline.written_headline import Letters

SystemName = Literal["widl", "widl-paper", "lead"]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
"""Clauses, the system of Soricut & Marcu (2006), and the beginning of the text."""
SEARCHED: tuple[SystemName, ...] = ("widl", "widl-paper")
"""Systems with weights and a search."""
_OF_SEARCHES: Conditions = {"system": SEARCHED}
_LAYERS = LayerDefaults(beam=0.1, stack_size=100)
_OF_CLAUSES: dict[str, Any] = {"only_with": {"system": ("widl",)}}


@option_set
class HeadlineOptions(SearchOptions):
    """Which system, how long its headlines may be, and where clauses and phrases come from and how they are searched.

    Candidates of a document are distinct.
    """

    help_groups: ClassVar[HelpGroups] = SearchOptions.help_groups
    conditions: ClassVar[Mapping[str, Conditions]] = dict.fromkeys(
        ("search", "max_seconds", "max_states", "max_memory", "nbest", "lattice"), _OF_SEARCHES
    )
    layer_defaults: ClassVar[Mapping[str, LayerDefaults]] = {
        "beam": _LAYERS,
        "stack": _LAYERS,
        "cube": LayerDefaults(pop_limit=1000),
    }

    max_seconds: SecondsOption = 2.0
    system: Annotated[SystemName, option("widl, widl-paper or lead.", metavar="NAME")] = "widl"
    preset: Annotated[PresetOf2006 | None, option(PRESET_HELP)] = None
    budget: Budget = Budget()
    sentences: Annotated[int, option("Number of first sentences to use.", ge=1, le=4, **_OF_CLAUSES)] = 3
    must: Annotated[
        Sequence[str], option("A word or name that headlines must contain. Repeatable.", metavar="TERM", **_OF_CLAUSES)
    ] = ()
    without: Annotated[
        Sequence[str],
        option("Words that headlines must not contain, in a row. Repeatable.", metavar="TERM", **_OF_CLAUSES),
    ] = ()
    explain: Annotated[
        bool,
        option(
            "List the parts that each headline leaves out, with probabilities, and the guards that held.",
            **_OF_CLAUSES,
        ),
    ] = False
    only_sure: Annotated[
        float,
        option(
            "Print an empty line where the confidence in a headline is below P.",
            metavar="P",
            ge=0,
            le=1,
            **_OF_CLAUSES,
        ),
    ] = 0.0
    letters: Annotated[Letters, option("Case of headlines: sentence, title or capitals.")] = "sentence"

    def __post_init__(self) -> None:
        if not self.budget.words and not self.budget.bytes:
            raise InputError("a headline needs a budget of words or of bytes")
        for term in (*self.must, *self.without):
            if not keys_of(term):
                raise InputError(f"the term {term!r} has no letters or digits")

    def core_options(self, written: _core.WrittenLength | None = None) -> _core.SearchOptions:
        """The core's form; `written`: what counts as bytes.

        An expression of clauses is small: a tighter bound takes longer than search does.
        """
        bound = BOUNDS["static" if self.system == "widl" else "lagrangian"]
        space = _core.SpaceOptions(
            bound=bound, max_words=self.budget.words, max_bytes=self.budget.bytes, written=written
        )
        return self.in_space(space, distinct=self.nbest > 1)
