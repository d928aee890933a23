"""Recorded searches, and the spaces that they search: the strings of an expression, or a line's translations."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, ConfigDict, Field

from widl import _core
from widl.common.arguments import text_of
from widl.common.errors import InputError
from widl.decoder import (
    Constraint,
    CoreSearchOptions,
    Derivation,
    FeatureLayout,
    LanguageModel,
    Outcome,
    Realization,
    Realizer,
    SearchOptions,
    SearchRecord,
    Tiles,
    Vocabulary,
    exactly,
)
from widl.decoder.search_options import BOUNDS, BoundName, LengthUnitName, OrderName, Search
from widl.expressions import Expression
from widl.translation import TranslationOptions, Translator
from widl.web.search_replay import DerivationProgress, Replay

MAX_STATES = 60_000
"""Maximum number of states of a search in the workbench."""
_MAX_EVENTS = 2_000_000
_MAX_SECONDS = 20.0
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class SearchChoice(BaseModel):
    """A search and its settings, as entered in the page's form."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    search: Search = "astar"
    k: Annotated[int, Field(ge=0, le=1000)] = 1
    k_unit: LengthUnitName = "words"
    order: OrderName = "bound"
    beam: Annotated[float, Field(gt=0, le=1)] = 0.1
    size: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    pop_limit: Annotated[int, Field(ge=0, le=1_000_000)] = 10
    bound: BoundName = "loose"

    @property
    def title(self) -> str:
        """Its name in the papers' notation.

        >>> SearchChoice(search="astar-k", k=12).title
        'A*₁₂'
        """
        names = {"bfs": "BFS", "astar": "A*", "beam": "Beam", "stack": "Stacks", "cube": "Cube pruning"}
        if self.search == "astar-k":
            return f"A*{str(self.k).translate(_SUBSCRIPTS)}"
        return names[self.search]

    @property
    def about(self) -> str:
        """Describes the search in one sentence."""
        limits = f"at least {self.beam:g} of the best one's probability"
        limits += f", and at most {self.size}" * (self.size > 0)
        beam = f"keeps of each length only states with {limits}"
        pops = f"the {self.pop_limit} most promising" if self.pop_limit else "all"
        unit = {"words": "words", "positions": "source words"}[self.k_unit]
        lag = f"{self.k} {unit[:-1] if self.k == 1 else unit}"
        return {
            "bfs": "Expands every state: exact, and the most work.",
            "astar": "Always takes the state that promises most, and ends when nothing promises more than what it has: "
            "exact.",
            "astar-k": f"As A*, but puts a state aside for good when it is more than {lag} shorter than the longest "
            "one taken: fast, not exact.",
            "beam": f"Layer by layer of words, it {beam}.",
            "stack": f"Layer by layer of covered source words, it {beam}.",
            "cube": f"Layer by layer of covered source words, it creates {pops} successor states.",
        }[self.search]

    @property
    def by_bound(self) -> bool:
        """Whether the bound, not the estimate, orders states."""
        return self.search == "astar" or (self.search == "astar-k" and self.order == "bound")

    def in_space(self, space: _core.SpaceOptions, *, record: int = 0) -> CoreSearchOptions:
        """The core's form of it."""
        layers = {"beam": self.beam, "stack_size": self.size}
        settings: dict[str, dict[str, Any]] = {
            "astar-k": {"k": self.k, "k_unit": self.k_unit, "order": self.order},
            "beam": layers,
            "stack": layers,
            "cube": {"pop_limit": self.pop_limit},
        }
        options = SearchOptions(
            search=self.search, max_states=MAX_STATES, max_seconds=_MAX_SECONDS, **settings.get(self.search, {})
        )
        return options.in_space(space, record=record)


class SearchSpace(Protocol):
    """A space of strings whose best string searches look for."""

    derivations: dict[str, Derivation | Outcome]
    """Derivations of requested strings: the best one, or how the search ended without one."""

    def realize(self, options: SearchChoice, *, record: int = 0, constraint: Constraint | None = None) -> Realization:
        """The result of a search."""

    def words(self, text: str) -> list[str]:
        """The words of a string typed by the user."""

    @property
    def source(self) -> tuple[str, ...]:
        """The source words of a translation; empty for an expression."""


class ExpressionSpace:
    """The strings of an expression under language models."""

    source: tuple[str, ...] = ()

    def __init__(
        self, expression: Expression, models: Sequence[LanguageModel], weights: Mapping[str, float] | None = None
    ) -> None:
        all_weights = Realizer(models, weights).weights_of(expression)
        names = [name for name in all_weights if name.startswith("widl")]
        self.derivations: dict[str, Derivation | Outcome] = {}
        self._expression = expression
        self._vector = FeatureLayout.of(names, len(models)).weight_vector(all_weights)
        self._realizer = _core.Realizer(Vocabulary([]), list(models))

    def realize(self, options: SearchChoice, *, record: int = 0, constraint: Constraint | None = None) -> Realization:
        """The result of a search."""
        search = options.in_space(_core.SpaceOptions(bound=BOUNDS[options.bound]), record=record)
        return self._realizer.realize_expressions([self._expression], self._vector, search, constraint=constraint)[0]

    def words(self, text: str) -> list[str]:
        """The words of a string typed by the user."""
        return text.split()


class LineSpace:
    """The translations of a line; of a long one, of its first piece."""

    def __init__(self, translator: Translator, line: str) -> None:
        self._options = TranslationOptions()
        pieces = translator.tiles(line, self._options)
        if not pieces:
            raise InputError("the line has no words to translate")
        self.tiles: Tiles = pieces[0]
        self.source = translator.tokens(line, self._options)[: len(self.tiles)]
        self._translator = translator
        self.derivations: dict[str, Derivation | Outcome] = {}

    def realize(self, options: SearchChoice, *, record: int = 0, constraint: Constraint | None = None) -> Realization:
        """The result of a search."""
        space = _core.SpaceOptions(
            distortion_limit=self._options.distortion_limit,
            table_limit=self._options.table_limit,
            # The stack decoder of `widl translate` leaves movement out.
            estimate_movement=options.search != "stack",
        )
        search = options.in_space(space, record=record)
        return self._translator.realize(self.tiles, search, constraint=constraint)

    def words(self, text: str) -> list[str]:
        """The words of a string typed by the user."""
        return self._translator.target.tokens(text_of(text, "text"))


class NoResult(Exception):
    """A search without a result to show; the message gives the reason."""


@dataclass(frozen=True)
class RecordedSearch:
    """A search of a space that was recorded."""

    choice: SearchChoice
    result: Realization
    replay: Replay
    _followed: dict[tuple[int, ...], DerivationProgress] = field(default_factory=dict)

    @classmethod
    def run(cls, space: SearchSpace, choice: SearchChoice) -> "RecordedSearch":
        """Search and record."""
        result = space.realize(choice, record=_MAX_EVENTS)
        if not result.nbest:
            raise NoResult(result.failure)
        record = SearchRecord.of(result)
        assert record is not None
        return cls(choice, result, Replay(record, by_bound=choice.by_bound))

    @property
    def text(self) -> str:
        """The string found."""
        return " ".join(self.result.words)

    def follow(self, derivation: Derivation) -> DerivationProgress:
        """Follows a derivation in the search."""
        numbers = tuple(phrase.number for phrase in derivation.phrases)
        if numbers not in self._followed:
            self._followed[numbers] = self.replay.follow(numbers)
        return self._followed[numbers]

    @cached_property
    def gap(self) -> float:
        """Upper bound on the score difference to the best other derivation."""
        return max(0.0, self.result.bound - self.result.score)


def derivation_of(space: SearchSpace, words: Sequence[str]) -> Derivation | Outcome:
    """The best derivation of a string, by a single exact search; if there is none, how the search ended."""
    text = " ".join(words)
    if not words:
        return Outcome.proved_empty
    if text not in space.derivations:
        result = space.realize(SearchChoice(search="astar"), constraint=exactly(words))
        if result.nbest and math.isinf(result.score):  # of probability 0
            return Outcome.proved_empty
        space.derivations[text] = result.nbest[0] if result.nbest else result.outcome
    return space.derivations[text]
