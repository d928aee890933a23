"""Results of translation and their text forms."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from html import escape
from typing import NotRequired, cast

from widl.common.argument_types import checked
from widl.decoder import (
    Derivation,
    FeatureLayout,
    FeatureVector,
    Lattice,
    PhraseRecord,
    Result,
    ResultCandidate,
    ResultRecord,
    Tiles,
)
from widl.translation.phrase_drawing import draw_phrases

Links = Sequence[tuple[int, int]]


class TranslationRecord(ResultRecord):
    """A translation of a line."""

    source: list[str]
    """The line's tokens."""
    fault: NotRequired[str]
    """Error in the line's markup."""
    message: NotRequired[str]
    """Warning that the line is not in the model's source language."""
    traditional: NotRequired[bool]
    """True where the line was in traditional characters, which were read as simplified ones."""


@dataclass(frozen=True)
class TranslatedPhrase:
    """Source positions [begin, end) and their target words."""

    begin: int
    end: int
    words: tuple[str, ...]
    unknown: bool = False
    """Passed through untranslated."""


@dataclass(frozen=True, repr=False)
class Candidate(ResultCandidate[TranslatedPhrase]):
    """One derivation of a whole line: its text as people write it, Σ λ h, h, and its phrases."""

    def __getstate__(self) -> dict[str, object]:
        """Without `words`, which is computed from the phrases."""
        return {name: value for name, value in vars(self).items() if name != "words"}

    @cached_property
    def words(self) -> list[str]:
        """The target words as the model knows them."""
        return [word for phrase in self.phrases for word in phrase.words]

    def with_text(self, text: str) -> "Candidate":
        """The same derivation with its text; several times as fast as `dataclasses.replace`."""
        return Candidate(text, self.score, self.features, self.phrases)

    def alignment(self, links_of: Callable[[TranslatedPhrase], Links]) -> list[tuple[int, int]]:
        """Word alignment (source, target); `links_of` gives a phrase's, positions from the phrase's first words."""
        links = []
        start = 0
        for phrase in self.phrases:
            links += [(phrase.begin + i, start + j) for i, j in links_of(phrase)]
            start += len(phrase.words)
        return sorted(links)

    def trace(self) -> str:
        """Which phrase translated what, as Moses prints it: ``words |first-last| …``, source positions from 0.

        >>> phrase = TranslatedPhrase(0, 2, ("a", "house"))
        >>> Candidate("A house", 0.0, FeatureLayout(()).zeros(), (phrase,)).trace()
        'a house |0-1|'
        """
        return " ".join(f"{' '.join(phrase.words)} |{phrase.begin}-{phrase.end - 1}|" for phrase in self.phrases)

    def phrase_record(self, phrase: TranslatedPhrase) -> PhraseRecord:
        """A phrase in JSON."""
        return {"words": list(phrase.words), "source": [phrase.begin, phrase.end]}


@checked
@dataclass(frozen=True, kw_only=True, repr=False)
class Translation(Result[Candidate]):
    """The translation of a line and its k-best candidates, best first.

    Score, bound and features add up over the pieces of a long line. `failure` says why the search failed and the line
    was passed through untranslated; `fault` describes an error in the markup, whose invalid tags were ignored;
    `message` warns that the line is not in the model's source language.
    """

    source: tuple[str, ...]
    bound: float
    optimal: bool
    fault: str = ""
    message: str = ""
    traditional: bool = False
    """Whether the line was in traditional characters, which were read as simplified ones."""
    has_unknown_words: bool = False
    """Whether words are untranslated, passed through or in pinyin."""
    lattice: Lattice | None = None
    """Lattice of the explored derivations, if requested."""
    lattice_complete: bool = True
    """Whether no budget truncated the lattice."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Detokenized texts of the candidates."""
        return tuple(candidate.text for candidate in self.nbest)

    @property
    def phrases(self) -> tuple[TranslatedPhrase, ...]:
        """Phrases of the best candidate."""
        return self.best.phrases

    @property
    def score(self) -> float:
        """The best candidate's Σ λ h."""
        return self.best.score

    def as_dict(self) -> TranslationRecord:
        """The object printed by ``--json``."""
        record = {"fault": self.fault, "message": self.message}
        wrong: dict[str, object] = {name: text for name, text in record.items() if text}
        if self.traditional:
            wrong["traditional"] = True
        return cast("TranslationRecord", {**self._record(), "source": list(self.source), **wrong})

    def _repr_html_(self) -> str:
        """HTML for notebooks: source words, target phrases and the alignment between them."""
        certificate = f"score {self.score:.3f}, bound {self.bound:.3f}{' (optimal)' * self.optimal}"
        return (
            f'<div style="overflow-x: auto; font: 13px sans-serif"><p>{escape(self.text)}</p>'
            f"{draw_phrases(self.source, self.phrases)}<p><small>{certificate}</small></p></div>"
        )

    def nbest_lines(self, number: int) -> list[str]:
        """The candidates in Moses' n-best format: ``number ||| text ||| name= value … ||| score``."""
        lines = []
        for candidate in self.nbest:
            values = " ".join(f"{name}= {value:.9g}" for name, value in candidate.features.items())
            lines.append(f"{number} ||| {candidate.text} ||| {values} ||| {candidate.score:.9g}")
        return lines


def candidates_of(
    derivations: Iterable[Derivation],
    tiles: Tiles,
    start: int,
    feature_view: Callable[[Sequence[float]], FeatureVector],
) -> list[Candidate]:
    """Derivations of the piece of a line that begins at token `start`, without their texts.

    `feature_view` turns the core's feature row into the model's features.
    """
    # n-best derivations share phrases, and so do their candidates: pickled lists are smaller.
    phrases_by_alternative: dict[int, TranslatedPhrase] = {}
    result = []
    for derivation in derivations:
        words, at, phrases = derivation.words, 0, []
        for realized in derivation.phrases:
            end = at + realized.word_count
            if (phrase := phrases_by_alternative.get(realized.number)) is None:
                passed = tiles.is_unknown(realized.number)
                phrase = TranslatedPhrase(start + realized.begin, start + realized.end, tuple(words[at:end]), passed)
                phrases_by_alternative[realized.number] = phrase
            phrases.append(phrase)
            at = end
        result.append(Candidate("", derivation.score, feature_view(derivation.features), tuple(phrases)))
    return result


def join(pieces: Sequence[Sequence[Candidate]], n: int, layout: FeatureLayout) -> list[Candidate]:
    """The n best of all ways to choose a candidate for each piece of a line."""
    if len(pieces) == 1:
        return list(pieces[0])
    joined = [Candidate("", 0.0, layout.zeros(), ())]
    for piece in pieces:
        # The n best pairs (i, j) of two sorted lists have (i + 1)(j + 1) <= n.
        pairs = [(a, b) for i, a in enumerate(joined) for b in piece[: n // (i + 1)]]
        joined = [_concatenated(a, b) for a, b in nlargest(n, pairs, key=lambda pair: pair[0].score + pair[1].score)]
    return joined


def _concatenated(a: Candidate, b: Candidate) -> Candidate:
    return Candidate("", a.score + b.score, a.features + b.features, a.phrases + b.phrases)
