"""Results of realization: derivations, with a bound on the scores of all others."""

from dataclasses import dataclass

from widl import _core
from widl._core import Derivation, Lattice
from widl.decoder.features import FeatureLayout, FeatureVector
from widl.decoder.results import PhraseRecord, Result, ResultCandidate
from widl.decoder.search_record import SearchRecord


@dataclass(frozen=True, repr=False)
class RealizedString(ResultCandidate[tuple[int, tuple[str, ...]]]):
    """A derivation: its string, score and features, and its phrases.

    A phrase is a maximal sub-expression of words, · and × only: the position of its first word in the written
    expression, in words from 0 (in tiles, its first source position), and its words, which may be separated by other
    words. Phrases are ordered by their first words, and their number is counted by `phrase_count`.
    """

    def phrase_record(self, phrase: tuple[int, tuple[str, ...]]) -> PhraseRecord:
        """A phrase in JSON."""
        position, words = phrase
        return {"words": list(words), "position": position}


@dataclass(frozen=True, kw_only=True, repr=False)
class RealizationResult(Result[RealizedString]):
    """The k-best derivations of an expression, with a bound on the scores of all others.

    If the search found none (see `outcome`), the text and `nbest` are empty.
    """

    bound: float
    optimal: bool
    memory: int
    """Bytes of states and tables."""
    record: SearchRecord | None = None
    """The search record, if requested."""
    lattice: Lattice | None = None
    """Lattice of the explored derivations, if requested."""
    lattice_complete: bool = True
    """Whether the lattice is complete: no budget truncated it."""

    @property
    def score(self) -> float:
        """Σ λ h of the best derivation; IndexError if the search found none."""
        return self.best.score


def realization_result(realization: _core.Realization, layout: FeatureLayout) -> RealizationResult:
    """The result of a search of the core."""
    nbest = tuple(_string(derivation, layout) for derivation in realization.nbest)
    return RealizationResult(
        text=nbest[0].text if nbest else "",
        nbest=nbest,
        outcome=realization.outcome,
        failure=realization.failure,
        bound=realization.bound,
        optimal=realization.optimal,
        stopped=realization.stopped,
        nbest_complete=realization.nbest_complete,
        states=realization.statistics.states,
        edges=realization.statistics.edges,
        memory=realization.statistics.memory,
        seconds=realization.statistics.seconds,
        record=SearchRecord.of(realization),
        lattice=realization.lattice,
        lattice_complete=realization.lattice_complete,
    )


def _string(derivation: Derivation, layout: FeatureLayout) -> RealizedString:
    phrases: list[tuple[int, tuple[str, ...]]] = []
    words = derivation.words  # a new list each time
    at = 0
    for number, realized in zip(derivation.phrase_numbers, derivation.phrases, strict=True):
        phrase = tuple(words[at : at + realized.word_count])
        at += realized.word_count
        if number == len(phrases):
            phrases.append((realized.begin, phrase))
        else:
            first, others = phrases[number]
            phrases[number] = first, others + phrase
    return RealizedString(" ".join(words), derivation.score, FeatureVector(layout, derivation.features), tuple(phrases))
