"""Builds a line's translation from the search results of its pieces."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from widl.decoder import Certificate, FeatureLayout, Lattice, Outcome, Realization, Tiles
from widl.text.normalization import HAN_CHARACTER
from widl.text.source_and_target import SourceText, TargetText
from widl.translation.movement_features import FeatureView
from widl.translation.options import UNKNOWN_MARK, TranslationOptions, UnknownWords
from widl.translation.results import Candidate, TranslatedPhrase, Translation, candidates_of, join
from widl.translation.sentence import Sentence

NOT_CHINESE = "no Chinese characters, but the model translates from Chinese"
_DECISIVE_FIRST = (Outcome.proved_empty, Outcome.out_of_budget, Outcome.undecided, Outcome.found)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class SearchedLine:
    """A line, the tiles of its pieces, and the result of the search of each piece."""

    sentence: Sentence
    pieces: list[Tiles]
    results: list[Realization] = field(default_factory=list)

    @property
    def is_realized(self) -> bool:
        """Whether there are words to translate, and search found a translation of each piece."""
        return bool(self.results) and self.outcome is Outcome.found

    @property
    def outcome(self) -> Outcome | None:
        """The combined outcome of the line's searches: a piece proved to have no translation decides, then a piece
        without one."""
        ends = {result.outcome for result in self.results}
        return next((outcome for outcome in _DECISIVE_FIRST if outcome in ends), None)


class TranslationBuilder:
    """Joins the pieces of lines, and writes their texts."""

    def __init__(self, source: SourceText, target: TargetText, shown: FeatureView) -> None:
        self._source, self._target, self._shown = source, target, shown

    def translation(self, line: SearchedLine, options: TranslationOptions) -> Translation:
        """The translation of a line."""
        translation = self._join(line, options)
        return replace(translation, lattice=self._lattice(line)) if options.lattice else translation

    def _join(self, line: SearchedLine, options: TranslationOptions) -> Translation:
        sentence, unknown, results = line.sentence, options.unknown, line.results
        failures = [result.failure for result in results if result.failure]
        failures += [sentence.refused] if sentence.refused else []
        if failures:
            nbest, unknown = [self._passed_through(sentence.tokens)], "copy"
        else:
            lists, start = [], 0
            for tiles, result in zip(line.pieces, results, strict=True):
                lists.append(candidates_of(result.nbest, tiles, start, self._shown.of))
                start += len(tiles)
            nbest = join(lists, options.nbest, self._shown.layout)
        if sentence.refused:
            nbest = [candidate.with_text(*sentence.tokens) for candidate in nbest]
        else:
            nbest = [candidate.with_text(self._text(candidate, unknown, options)) for candidate in nbest]
        score = nbest[0].score
        bound = -math.inf if line.outcome is Outcome.proved_empty else math.fsum(result.bound for result in results)
        return Translation(
            text=nbest[0].text,
            source=sentence.tokens,
            nbest=tuple(nbest),
            outcome=line.outcome,
            bound=bound,
            optimal=not failures and Certificate(score, bound).optimal,
            stopped=next((result.stopped for result in results if result.stopped), ""),
            nbest_complete=all(result.nbest_complete for result in results),
            lattice_complete=all(result.lattice_complete for result in results),
            states=sum(result.statistics.states for result in results),
            edges=sum(result.statistics.edges for result in results),
            seconds=sum(result.statistics.seconds for result in results),
            failure="; ".join(dict.fromkeys(failures)),
            fault=sentence.fault,
            traditional=sentence.traditional,
            has_unknown_words=self._has_unknown_words(nbest[0]),
            message="" if options.tokenized else self._foreign(sentence.tokens),
        )

    def _has_unknown_words(self, candidate: Candidate) -> bool:
        unknown = (phrase for phrase in candidate.phrases if phrase.unknown)
        in_pinyin = candidate.features.get("pinyin", 0.0) > 0
        return in_pinyin or any(self._source.is_translatable(" ".join(phrase.words)) for phrase in unknown)

    def _foreign(self, tokens: Sequence[str]) -> str:
        """A warning if the line is not in the source script, else empty."""
        if self._source.settings.source_language != "zh" or any(map(HAN_CHARACTER.search, tokens)):
            return ""
        return NOT_CHINESE if sum(map(bool, map(_WORD.fullmatch, tokens))) > 1 else ""

    def _lattice(self, line: SearchedLine) -> Lattice:
        lattices = [result.lattice for result in line.results if result.lattice is not None]
        if not line.is_realized:
            return _passed_through_lattice(line.sentence.tokens, self._shown.layout)
        return self._shown.of_lattice(_line_lattice(lattices, [len(tiles) for tiles in line.pieces]))

    def _text(self, candidate: Candidate, unknown: UnknownWords, options: TranslationOptions) -> str:
        words = self._words(candidate, unknown)
        return " ".join(words) if options.tokenized else self._target.text(words)

    def _words(self, candidate: Candidate, unknown: UnknownWords) -> list[str]:
        """The words of the text, with unknown words copied, dropped or marked."""
        if unknown in ("pinyin", "copy"):
            return candidate.words
        words: list[str] = []
        for phrase in candidate.phrases:
            if not phrase.unknown or not self._source.is_translatable(" ".join(phrase.words)):
                words += phrase.words
            elif unknown == "mark":
                words += [f"{UNKNOWN_MARK}{word}" for word in phrase.words]
        return words

    def _passed_through(self, tokens: Sequence[str]) -> Candidate:
        phrases = tuple(TranslatedPhrase(i, i + 1, (token,), unknown=True) for i, token in enumerate(tokens))
        return Candidate("", 0.0, self._shown.layout.zeros(), phrases)


def _line_lattice(lattices: Sequence[Lattice], lengths: Sequence[int]) -> Lattice:
    """The lattice of a line whose pieces have these lattices and numbers of tokens."""
    if len(lattices) == 1:
        return lattices[0]
    return Lattice.joined(lattices, [0, *np.cumsum(lengths[:-1]).tolist()])


def _passed_through_lattice(tokens: Sequence[str], layout: FeatureLayout) -> Lattice:
    """The only derivation of a line that is passed through untranslated; all features are 0."""
    arcs = [(i, i + 1, i, i + 1, 0, [token]) for i, token in enumerate(tokens)] or [(0, 1, 0, 0, 0, [])]
    return Lattice(arcs, np.zeros((len(arcs), len(layout))))
