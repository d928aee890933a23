"""Several segmentations of a Chinese sentence in one expression.

A word that the phrase table lacks, or has seldom seen, is cut into the fewest words that it or the dictionary has. The
sentence's positions are then the positions of the finest segmentation, and phrases of all segmentations are spans of
them: a sentence with one segmentation is unchanged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from widl.text.normalization import HAN_CHARACTER
from widl.text.word_pieces import Range, cheapest_split, known_pieces, segment_words
from widl.translation.names import (
    foreign_name,
    is_name,
    is_person,
    may_be_name,
    people_in,
    place,
    with_surname,
)
from widl.translation.options import TranslationOptions
from widl.translation.pinyin_of_unknown_words import in_pinyin
from widl.translation.sentence import GivenSpan, Sentence
from widl.translation.tables import TranslationTables

_TRANSLATIONS = 3  # of a place's name


def with_segmentations(sentence: Sentence, tables: TranslationTables, options: TranslationOptions) -> Sentence:
    """The sentence with unknown and rare words split into others, and with given translations of names."""
    if not tables.is_chinese or not sentence.tokens or sentence.refused:
        return sentence
    tokens = sentence.tokens
    counts = tables.occurrences(tokens)
    may_be_split = _translatable(sentence)
    unknown = [i for i in may_be_split if counts[i] is None]
    rare = [i for i in may_be_split if 0 < (counts[i] or 0) <= options.rare_words]
    pieces: dict[int, list[Range]] = {}  # of tokens that are split, or might be
    # Training splits rare words, so a word that the table lacks is split under any option.
    places = [*unknown, *(rare if options.segmentations == "all" else ())]
    for i, in_vocabulary in zip(places, known_pieces([tokens[i] for i in places], tables.explains), strict=True):
        if counts[i] is not None:
            segments = segment_words(tokens[i], in_vocabulary)
        elif options.names and (segments := _split_by_shape(tokens, i, in_vocabulary)):
            pieces[i] = segments
            continue
        else:
            segments = cheapest_split(tokens[i], in_vocabulary)
        if any(map(in_vocabulary.get, segments)):
            pieces[i] = segments
    titled = _titled(sentence, tables, options)
    if not unknown and not titled and all(len(ranges) == 1 for ranges in pieces.values()):
        return sentence
    finer = _SplitSentence(replace(sentence, given=(*sentence.given, *titled)), pieces)
    words = [(finer.at[i], finer.at[i + 1]) for i in unknown]
    return finer.sentence(_names(finer.tokens, words, tables, options))


def _titled(sentence: Sentence, tables: TranslationTables, options: TranslationOptions) -> list[GivenSpan]:
    """Surnames before titles, except in spans translated by users and rules."""
    if not options.names or "name" not in tables.origins:
        return []
    taken = {i for span in sentence.given for i in range(span.begin, span.end)}
    spans = [GivenSpan(begin, end, name) for begin, end, name in with_surname(sentence.tokens)]
    return [span for span in spans if taken.isdisjoint(range(span.begin, span.end))]


def _translatable(sentence: Sentence) -> list[int]:
    """The Chinese tokens except those with an exclusive given translation."""
    alone = {
        i for span in sentence.given if span.given.exclusive or span.given.copied for i in range(span.begin, span.end)
    }
    return [i for i, token in enumerate(sentence.tokens) if i not in alone and HAN_CHARACTER.search(token)]


def _split_by_shape(tokens: Sequence[str], at: int, in_vocabulary: Mapping[Range, bool]) -> list[Range]:
    """The pieces of an unknown word that is a name by its shape, or begins with one; none if it does not."""
    size = len(tokens[at])
    has_words = any(in_vocabulary[begin, end] for begin, end in in_vocabulary if end - begin > 1)
    if is_person(tokens, at, has_words=has_words):
        return [(0, size)]
    end = foreign_name(tokens[at])
    if end and not in_vocabulary[0, end] and in_vocabulary.get((end, size)):
        return [(0, end), (end, size)]
    return []


def _names(
    tokens: Sequence[str], words: Sequence[Range], tables: TranslationTables, options: TranslationOptions
) -> list[GivenSpan]:
    """Replacement translations for names and other words [begin, end) that the table lacks."""

    def translations(word: str) -> list[tuple[str, ...]]:
        return [option.words for option in tables.options([word], _TRANSLATIONS) if option.words]

    spans: list[GivenSpan] = []
    if options.names and "name" in tables.origins:
        for begin, end in words:
            if name := place("".join(tokens[begin:end]), translations):
                spans.append(GivenSpan(begin, end, name))
        places = {(span.begin, span.end) for span in spans}
        inside = {i for begin, end in words for i in range(begin, end)}
        unknown = [i in inside for i in range(len(tokens))]
        cut = {i for begin, end in words if end - begin > 1 for i in range(begin, end)}
        for begin, end, name in people_in(tokens, unknown, cut):
            if (begin, end) not in places:
                spans.append(GivenSpan(begin, end, name))
    if options.romanizes:
        named = {(span.begin, span.end) for span in spans}
        explained = tables.explains(tokens)
        for begin, end in words:
            word = "".join(tokens[begin:end])
            # Pinyin is for names: words whose parts have translations are translated by these.
            has_parts = end - begin > 1 and all(explained[begin:end]) and not is_name(word)
            if has_parts and end - begin == len(word):  # of characters, as names of any kind are
                has_parts = not may_be_name(word)
            if (begin, end) not in named and not has_parts and (written := in_pinyin(word)):
                spans.append(GivenSpan(begin, end, written))
    return spans


class _SplitSentence:
    """A sentence whose tokens are cut into pieces."""

    def __init__(self, sentence: Sentence, pieces: Mapping[int, Sequence[Range]]) -> None:
        self._old = sentence
        self.at = [0]  # by old position, its new one
        self.tokens: list[str] = []
        self._longer: list[Range] = []
        self._split_off: set[int] = set()
        for i, token in enumerate(sentence.tokens):
            ranges = pieces.get(i, ())
            if len(ranges) > 1:
                self._split(token, ranges)
            else:
                self.tokens.append(token)
                self.at.append(len(self.tokens))

    def _split(self, token: str, ranges: Sequence[Range]) -> None:
        start = len(self.tokens)
        places = sorted({place for piece in ranges for place in piece})
        number = {place: start + i for i, place in enumerate(places)}
        self.tokens += [token[begin:end] for begin, end in pairwise(places)]
        self.at.append(len(self.tokens))
        spans = {(number[begin], number[end]) for begin, end in [*ranges, (0, len(token))]}
        self._longer += sorted(span for span in spans if span[1] - span[0] > 1)
        if len(places) > 2:
            self._split_off |= {number[begin] for begin, end in ranges if end - begin == 1}

    def sentence(self, spans: Sequence[GivenSpan]) -> Sentence:
        """The sentence with its spans, walls and zones at the new positions, and given translations made for these."""
        old, at = self._old, self.at
        return replace(
            old,
            tokens=tuple(self.tokens),
            given=(*(GivenSpan(at[span.begin], at[span.end], span.given) for span in old.given), *spans),
            zones=tuple((at[begin], at[end]) for begin, end in old.zones),
            walls=tuple(at[wall] for wall in old.walls),
            longer=tuple(self._longer),
            split_off=frozenset(self._split_off),
        )
