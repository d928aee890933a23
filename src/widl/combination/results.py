"""Results of combination: the string of each line, and the outputs that each word comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from widl.decoder import Result, ResultCandidate


@dataclass(frozen=True)
class CombinedWord:
    """A word of a result, and the numbers, from 1, of the outputs that have it in its position."""

    text: str
    outputs: tuple[int, ...]


@dataclass(frozen=True, repr=False)
class CombinedCandidate(ResultCandidate[Any]):
    """A string, its score and its features; it has no phrases."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Combination(Result[CombinedCandidate]):
    """The result of a line. No other complete string has a derivation that scores more than `bound`.

    A string is complete if it repeats no word too often, is no shorter than the shortest output, and has as many
    negations as the median output.

    skeleton: the number, from 1, of the output whose order the result has; 0 without a search. note: in one line, why
    the result may deny or affirm against half of the outputs or more; else empty.
    """

    words: tuple[CombinedWord, ...] = ()
    skeleton: int = 0
    note: str = ""

    def as_dict(self) -> Mapping[str, Any]:
        """The result in JSON, with the skeleton and the outputs of each word."""
        words = [{"text": word.text, "outputs": list(word.outputs)} for word in self.words]
        note = {"note": self.note} if self.note else {}
        return {**self._record(), "skeleton": self.skeleton, "words": words, **note}
