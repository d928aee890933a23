"""Options of headline systems."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, get_args

from pydantic import Field

from widl import _core
from widl.common.errors import InputError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Count, NonNegative, Share, shown_in_help
from widl.common.options import Modes, adjust, fields_of, option_set
from widl.common.presets import PresetOf2006, Setting
from widl.decoder.search_options import BOUNDS, SearchOptions
from widl.headline.length_options import LengthLimit
from widl.headline.punctuation import Letters
from widl.headline.words import keys_of

Question = Literal["all", "true"]
SystemName = Literal["widl", "widl-paper", "lead"]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)
"""Clauses, the system of Soricut & Marcu (2006), and the beginning of the text."""
SEARCHED: tuple[SystemName, ...] = ("widl", "widl-paper")
"""Systems with weights and a search."""

SYSTEM_MODES = Modes(
    "system",
    reads={
        "widl": (
            *fields_of(SearchOptions),
            *("sentences", "ranked", "must", "without", "explain", "only_sure", "sure_of"),
        ),
        "widl-paper": (*fields_of(SearchOptions), "explain"),
        "lead": (),
    },
)

PAPER_2006 = (
    Setting("system", "widl-paper", "§4: ∥ of ∨ over keywords, Figure 4"),
    Setting("search", "astar", "Table 1: WIDL-A*"),
    Setting("words", 0, "§4: learned by the word-count weight; 10: a hard limit, ours", (10,)),
    Setting("bytes", 0, "§4: words"),
)
"""The options of the paper's headline system."""


@option_set
class HeadlineOptions(SearchOptions, LengthLimit):
    """Which system, how long its headlines may be, and where clauses and phrases come from and how they are searched.

    Candidates of a document are distinct.
    """

    MODES: ClassVar[tuple[Modes, ...]] = (SYSTEM_MODES,)
    PRESETS: ClassVar[Mapping[str, Sequence[Setting]]] = {"paper-2006": PAPER_2006}

    stack_size: Annotated[Count, shown_in_help(group="Search")] = 100
    max_seconds: Annotated[NonNegative, shown_in_help(group="Budgets")] = 2.0
    system: Annotated[SystemName, shown_in_help(metavar="NAME")] = "widl"
    "widl, widl-paper or lead."
    preset: PresetOf2006 | None = None
    "Set all options as in a paper; 'widl presets' lists the values."
    sentences: Annotated[int, Field(ge=1, le=4), NOT_ON_COMMAND_LINE] = 3
    "Use only the first N sentences."
    ranked: Annotated[Count, shown_in_help(metavar="N")] = 30
    "Choose the most probable of the N best headlines; 0: the search's best headline."
    must: Annotated[Sequence[str], shown_in_help(metavar="TERM")] = ()
    "A word or name that headlines must contain. Repeatable."
    without: Annotated[Sequence[str], shown_in_help(metavar="TERM")] = ()
    "Contiguous words that headlines must not contain. Repeatable."
    explain: bool = False
    "List each headline's deleted parts with probabilities, and the parts that guards kept."
    only_sure: Annotated[Share, shown_in_help(metavar="P")] = 0.0
    "Print an empty line if the confidence in a headline is below P."
    sure_of: Annotated[Question, shown_in_help(metavar="QUESTION")] = "all"
    "What --only-sure asks for: all (true, readable and news) or true."
    letters: Letters = "sentence"
    "Case of headlines: sentence, title or capitals."

    @classmethod
    def defaults_of(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Those of the limit and of the search."""
        return LengthLimit.defaults_of(values) | SearchOptions.defaults_of(values)

    def __post_init__(self) -> None:
        if not self.words and not self.bytes and self.preset is None:
            raise InputError("a headline needs a limit of words or of bytes")
        for term in (*self.must, *self.without):
            if not keys_of(term):
                raise InputError(f"the term {term!r} has no letters or digits")

    @property
    def has_terms(self) -> bool:
        """Whether terms are demanded or excluded. Names and percentages are then written in full."""
        return bool(self.must or self.without)

    def core_options(self, printed: _core.PrintedLength | None = None) -> _core.SearchOptions:
        """The core's form; `printed`: the rule that counts bytes.

        Expressions of clauses are small, so a tighter bound would take longer than the search.
        """
        bound = BOUNDS["loose" if self.system == "widl" else "lagrangian"]
        space = _core.SpaceOptions(bound=bound, max_words=self.words, max_bytes=self.bytes, printed=printed)
        nbest = max(self.nbest, self.ranked if self.system == "widl" else 0)
        return adjust(self, nbest=nbest).in_space(space, distinct=nbest > 1)
