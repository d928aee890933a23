"""How long headlines are as printed, for searches within a budget of bytes.

Marks between two words depend on both, and quotation marks on all words between them
(`widl.headline.written_headline`), so the core reads lengths from an automaton over the words of an expression.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from widl._core import WrittenLength
from widl.headline.words import Word
from widl.headline.written_headline import (
    Letters,
    Said,
    all_inner_marks,
    closes_quotation,
    last_text,
    opens_quotation,
    text_of,
    word_in_letters,
)

_Step = tuple[int, int]
"""The bytes of a word, and the state behind it."""
_QUOTATION = 2  # bytes of its marks


def length_of_texts(texts: Sequence[str], letters: Letters) -> WrittenLength:
    """The length of strings whose words are printed as `texts`, given by place, whatever stands beside them."""
    usual = [(_bytes(text, letters), 1) for text in texts]
    return WrittenLength(usual, [(0, _first_steps(texts, usual, letters)), (0, [])])


def length_of_clauses(
    written: Sequence[Said], begins: Sequence[int], sentences: Sequence[Sequence[Word]], letters: Letters
) -> WrittenLength:
    """The length of strings that are one of some clauses with words left out, as `written_words_of` prints them.

    `written` has the words by place, `begins` the places where clauses begin. Behind a word the state is its place or,
    where the words of a quotation that has begun are all there so far, another one.
    """
    texts = [text_of(said, sentences[said.sentence]) for said in written]
    lasts = list(map(last_text, texts))
    unbroken = {place: len(written) + 1 + number for number, place in enumerate(_places_in_quotations(written, sentences))}
    usual: list[_Step] = []
    for place, said in enumerate(written):
        opens, closes = opens_quotation(said.word), closes_quotation(said.word)
        marks = _QUOTATION if opens and closes else 0
        usual.append((_bytes(lasts[place], letters) + marks, unbroken[place] if place in unbroken and opens else place + 1))
    rows: list[tuple[int, list[tuple[int, int, int]]]] = [(0, _first_steps(lasts, usual, letters))]
    following = _places_behind_marks(written, begins, sentences)
    for place, text in enumerate(texts):
        stop = len(text.encode()) - len(lasts[place].encode())
        after = [(to, usual[to][0] + stop + marks, usual[to][1]) for to, marks in following.get(place, {}).items()]
        rows.append((stop, after))
    ends = [*begins[1:], len(written)]
    for place in unbroken:
        stop, after = rows[place + 1]
        steps = {to: (size, state) for to, size, state in after}
        end = next(end for end in ends if place < end)
        for to in range(place + 1, end):
            if written[to].position != written[place].position + 1 or opens_quotation(written[to].word):
                continue
            size, state = steps.get(to, (usual[to][0] + stop, usual[to][1]))
            closes = closes_quotation(written[to].word)
            steps[to] = (size + _QUOTATION, state) if closes else (size, unbroken[to])
        rows.append((stop, [(to, *step) for to, step in steps.items()]))
    return WrittenLength(usual, rows)


def _bytes(text: str, letters: Letters, *, is_first: bool = False) -> int:
    """Of a word with the blank in front of it."""
    return 1 + len(word_in_letters(text, letters, is_first=is_first).encode())


def _first_steps(texts: Sequence[str], usual: Sequence[_Step], letters: Letters) -> list[tuple[int, int, int]]:
    """The steps of words whose length changes with a capital at the beginning."""
    changed = []
    for place, (text, (size, state)) in enumerate(zip(texts, usual, strict=True)):
        more = _bytes(text, letters, is_first=True) - _bytes(text, letters)
        if more:
            changed.append((place, size + more, state))
    return changed


def _places_behind_marks(
    written: Sequence[Said], begins: Sequence[int], sentences: Sequence[Sequence[Word]]
) -> dict[int, dict[int, int]]:
    """By place, the bytes of the marks between it and others that may be the next word."""
    marks: dict[int, list[tuple[int, int, str]]] = {}
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for begin, end in pairwise([*begins, len(written)]):
        number = written[begin].sentence
        if number not in marks:
            marks[number] = list(all_inner_marks(sentences[number]))
        places = defaultdict(list)
        for place in range(begin, end):
            places[written[place].position].append(place)
        for before, i, mark in marks[number]:
            for place in places.get(before, ()):
                found[place].update(dict.fromkeys(places.get(i, ()), len(mark.encode())))
    return found


def _places_in_quotations(written: Sequence[Said], sentences: Sequence[Sequence[Word]]) -> Iterator[int]:
    """The places of words behind which a quotation goes on."""
    within: dict[int, set[int]] = {}
    for place, said in enumerate(written):
        if said.sentence not in within:
            within[said.sentence] = set(_positions_in_quotations(sentences[said.sentence]))
        if said.position in within[said.sentence]:
            yield place


def _positions_in_quotations(sentence: Sequence[Word]) -> Iterator[int]:
    pending: list[int] | None = None
    for i, word in enumerate(sentence):
        if opens_quotation(word):
            pending = []
        if pending is None:
            continue
        if closes_quotation(word):
            yield from pending
            pending = None
        else:
            pending.append(i)
