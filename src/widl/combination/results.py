"""What a combination tells: the result of a line, and of which outputs its words are."""

from dataclasses import dataclass, field
from typing import Any

from widl.decoder import Expression
from widl.decoder.results import json_number


@dataclass(frozen=True)
class CombinedWord:
    """A word of a result, and the numbers of the outputs that have it in its place, from 1."""

    text: str
    outputs: tuple[int, ...]


@dataclass(frozen=True)
class CombinedCandidate:
    """A string, its score and its features."""

    text: str
    score: float
    features: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class Combination:
    """The result of a line. No other string that says nothing twice has a derivation that scores more than `bound`.

    skeleton: the number, from 1, of the output whose order the result has; 0 where nothing was searched.
    """

    text: str
    score: float
    bound: float
    optimal: bool
    stopped: str = ""
    features: dict[str, float] = field(default_factory=dict)
    words: tuple[CombinedWord, ...] = ()
    skeleton: int = 0
    nbest: tuple[CombinedCandidate, ...] = ()
    nbest_complete: bool = True
    states: int = 0
    edges: int = 0
    seconds: float = 0.0
    failure: str = ""
    """Why there is no result, or the empty string."""
    expression: Expression | None = None

    def as_dict(self) -> dict[str, Any]:
        """The result in JSON."""
        shown = {
            "text": self.text,
            "score": json_number(self.score),
            "bound": json_number(self.bound),
            "optimal": self.optimal,
            "stopped": self.stopped,
            "features": self.features,
            "skeleton": self.skeleton,
            "words": [{"text": word.text, "outputs": list(word.outputs)} for word in self.words],
            "states": self.states,
            "edges": self.edges,
            "seconds": self.seconds,
            "nbest_complete": self.nbest_complete,
        }
        if len(self.nbest) > 1:
            shown["nbest"] = [vars(candidate) for candidate in self.nbest]
        return shown | ({"failure": self.failure} if self.failure else {})
