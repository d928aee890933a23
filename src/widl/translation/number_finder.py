"""The numbers of a Chinese text: each is read whole and with certainty, or not at all.

The rules obey a contract. A rule proposes: its translations compete with the table's phrases, and a phrase is refused
only if the number of its span was read with certainty and the phrase has another one. A word of the segmenter's
dictionary or of the table is a word before it is a numeral. A digit, a numeral or a sign of a number beside a reading
shows that the number was not read whole; then no rule translates it, and no phrase translates a part of it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from widl.translation import number_signs as signs
from widl.translation.chinese_numbers import NUMERAL
from widl.translation.english_numbers import numbers_in_word
from widl.translation.line_parts import GivenTranslations, NumberUse, Part
from widl.translation.number_kinds import KINDS, Kind, Reading
from widl.translation.number_kinds.amounts import POINTS_AND_OTHERS

_SHOWN_BY_CONTEXT = ("number_of_one", "in_a_day", "span_of_days")  # kinds that a word of a table is not


@dataclass(frozen=True)
class Word:
    """A word of the segmenter's dictionary, or of a table, at [begin, end).

    is_known: whether a table has it. is_measured: whether it is a numeral with a unit, such as 四届 or 四处, or several
    with any word, such as 三十左右; a number may end inside of it, since dictionaries have only some of these.
    """

    begin: int
    end: int
    is_known: bool
    is_measured: bool


@dataclass(frozen=True)
class NumberFinder:
    """Finds the numbers of a line.

    split: the words of a normalized text. is_word: whether the segmenter's dictionary has a word. are_known: whether
    the tables have some words.
    """

    split: Callable[[str], Sequence[str]]
    is_word: Callable[[str], bool]
    are_known: Callable[[Sequence[str]], Sequence[bool]]

    def find(self, text: str) -> Iterator[tuple[int, int, Part]]:
        """The numbers of a normalized text with translations by rule; a number that is not read has none."""
        if signs.START.search(text):
            for begin, end, given in _Scan(text, self._words(text)).numbers():
                yield begin, end, Part(text[begin:end], given)

    def _words(self, text: str) -> list[Word]:
        """The words that are no numbers as a whole.

        A table may know accidental ones, which the segmenter made up before a number: 有十 of 有十、十一月.
        """
        words: list[tuple[int, int, str]] = []
        at = 0
        for token in self.split(text):
            begin = text.find(token, at)
            if begin < 0:
                continue
            at = begin + len(token)
            if len(token) > 1 and not signs.PLAIN.fullmatch(token):
                words.append((begin, at, token))
        with_numerals = [token for _, _, token in words if signs.A_NUMERAL.search(token)]
        known = dict(zip(with_numerals, self.are_known(with_numerals), strict=True))
        return [
            Word(begin, end, known.get(token, False), signs.MAY_END_INSIDE.fullmatch(token) is not None)
            for begin, end, token in words
            if self.is_word(token) or (known.get(token) and not signs.A_NUMERAL.match(token[-1]))
        ]


class _Scan:
    """Reads the numbers of one text from left to right."""

    def __init__(self, text: str, words: Sequence[Word]) -> None:
        self._text, self._words = text, words

    def numbers(self) -> Iterator[tuple[int, int, GivenTranslations]]:
        """Begin, end and translations of each number."""
        at = 0
        while match := signs.START.search(self._text, at):
            begin = match.start()
            if end := self._end_of_letters(begin) or self._end_of_word_around(begin):
                at = end
                continue
            if spread := signs.SPREAD.match(self._text, begin):
                at = spread.end()
                if signs.GROUPS.fullmatch(spread[0]) and not signs.CONTINUATION.match(self._text, at):
                    yield begin, at, _groups(spread[0])
                continue
            found = self._longest(begin)
            end = self._unread_from(begin) if found is None or self._touches(found[1]) else found[1].end
            if found is not None and end == found[1].end:
                is_word = found[0].name not in _SHOWN_BY_CONTEXT and self._is_known_word(begin, end)
                yield begin, end, _of_word(*found, self._text[begin:end]) if is_word else _translations(*found)
            elif end > begin + 1 and not self._is_inside_word(begin, end):
                yield begin, end, _unread(self._text[begin:end])
            at = max(end, begin + 1)

    def _end_of_letters(self, begin: int) -> int | None:
        """The end of the word of letters and digits around a place, if any."""
        start = begin
        while start and signs.IN_LETTERS.match(self._text, start - 1):
            start -= 1
        match = signs.LETTERS.match(self._text, start)
        if match is None:
            return None
        end = match.end()
        if signs.SCALE.match(self._text, end):  # RMB500万: the digits are of the number
            end = start + len(match[0].rstrip("0123456789.,"))
        return end if end > begin else None

    def _end_of_word_around(self, begin: int) -> int | None:
        """The end of the word that begins before a place, if any."""
        return next((word.end for word in self._words if not word.is_measured and self._is_around(word, begin)), None)

    def _longest(self, begin: int) -> tuple[Kind, Reading] | None:
        """The longest reading of a notation that begins here, and neither begins nor ends within a word."""
        readings: list[tuple[Kind, Reading]] = []
        for kind in KINDS:
            reading = kind.reading_at(self._text, begin)
            if reading is not None and not self._cuts_word(begin, reading.end):
                readings.append((kind, reading))
        return max(readings, key=lambda found: found[1].end, default=None)

    def _touches(self, reading: Reading) -> bool:
        """Whether the following signs continue the number, so that it was not read whole."""
        end = reading.end
        if signs.HALF_OR_MORE.match(self._text, end) and reading.is_closed:
            return True
        if joint := signs.JOINT.match(self._text, end):
            other = self._longest(joint.end())
            return not reading.is_closed or (other is not None and not other[1].is_closed)
        is_complete = reading.is_closed and self._text[end - 1] not in signs.UNITS_WITH_SMALLER
        if is_complete or not signs.CONTINUATION.match(self._text, end):
            return False
        if POINTS_AND_OTHERS.match(self._text, end - 1):
            return False
        if any(word.begin == end and self._is_separate(word) for word in self._words):
            return False
        following = self._longest(end) if reading.is_closed else None
        return following is None or not following[1].is_closed

    def _is_separate(self, word: Word) -> bool:
        """Whether a word behind a unit is none of a smaller unit: 一次 of 8小时一次, but not 六两 of 三斤六两."""
        return not word.is_measured or self._text[word.end - 1] not in "分秒角毛厘毫两钱刻寸天月日"

    def _unread_from(self, begin: int) -> int:
        match = signs.UNREAD.match(self._text, begin)
        return match.end() if match else begin

    def _cuts_word(self, begin: int, end: int) -> bool:
        return any(
            self._is_around(word, begin) or (word.begin < end < word.end and not self._may_end_inside(word, begin, end))
            for word in self._words
            if not word.is_measured
        )

    def _is_around(self, word: Word, begin: int) -> bool:
        """Whether a place is within a word; dictionaries have accidental ones before a number: 约一亿, 排名第."""
        return word.begin < begin < word.end and not signs.BEFORE_NUMBER.fullmatch(self._text, begin, word.end)

    def _may_end_inside(self, word: Word, begin: int, end: int) -> bool:
        """Whether the word begins with the last sign of the number: 3月底, 5秒左右, or 亿股 of 12.6亿股."""
        if self._text[word.begin : end] in signs.CALENDAR or signs.ABOUT.fullmatch(self._text, end, word.end):
            return True
        return word.begin > begin and signs.A_NUMERAL.match(self._text[end - 1]) is not None

    def _is_inside_word(self, begin: int, end: int) -> bool:
        return any(word.begin <= begin and end <= word.end for word in self._words)

    def _is_known_word(self, begin: int, end: int) -> bool:
        """Whether the span is a word of a table with a single numeral, such as 四处 (everywhere)."""
        is_word = any((word.begin, word.end) == (begin, end) and word.is_known for word in self._words)
        return is_word and len(re.findall(NUMERAL, self._text[begin:end])) == 1


def _translations(kind: Kind, reading: Reading) -> GivenTranslations:
    english = list(dict.fromkeys(tuple(words) for words in reading.english))
    use: NumberUse = "required" if reading.is_certain and reading.accepted else "open"
    return GivenTranslations.evenly(
        english, exclusive=False, origin="rule", numbers=reading.accepted, number_use=use, rule=kind.name
    )


def _of_word(kind: Kind, reading: Reading, word: str) -> GivenTranslations:
    """The translations of a number that is a word of a table: 三分钟 may be three minutes, 四处 is *everywhere*."""
    given = _translations(kind, reading)
    is_numeral_alone = all(len(words) == 1 for words, _ in given.alternatives)
    alternatives = () if is_numeral_alone else given.alternatives
    return replace(
        given, alternatives=alternatives, numbers=(*reading.accepted, *numbers_in_word(word)), number_use="optional"
    )


def _groups(text: str) -> GivenTranslations:
    """Digits with blanks between them, such as the number of a card, in their order."""
    words = (tuple(text.split()), 1.0)
    return GivenTranslations((words,), exclusive=False, copied=True, origin="rule", number_use="open", rule="groups")


def _unread(text: str) -> GivenTranslations:
    """A number that was not read: only phrases that cover all of it translate it, else its digits are copied."""
    words = tuple(text.replace("，", " , ").split())
    copies = ((words, 1.0),) if re.search("[0-9]", text) else ()
    numbers = numbers_in_word(text)
    return GivenTranslations(copies, exclusive=False, copied=True, numbers=numbers, number_use="whole")
