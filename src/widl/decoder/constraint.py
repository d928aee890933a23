"""Regular sets of strings; every result's string must belong to the set."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from widl import _core
from widl.common.argument_types import checked
from widl.common.arguments import kind_of, reject_text, whole, words_in
from widl.common.errors import InputError, WrongTypeError

_Row = tuple[bool, Mapping[str, int | None], int | None]


@checked
class Constraint(_core.Constraint):
    """A set of strings as a deterministic finite automaton over words, or as an intersection of such sets.

    `rows` lists for each state whether it accepts, the successor by word, and the successor for any other word. None:
    the word may not follow. State 0 is the start. `containing`, `avoiding`, `at_most`, `at_least` and `exactly` make
    such sets, and ``first & second`` is their intersection."""

    def __init__(self, rows: Sequence[_Row], *more: Sequence[_Row]) -> None:
        self._automata: tuple[tuple[_Row, ...], ...] = (tuple(rows), *map(tuple, more))
        if not all(self._automata):
            raise InputError("a constraint needs a state at least: rows=[(True, {}, 0)] has all strings")
        super().__init__([list(map(_core_row, automaton)) for automaton in self._automata])

    def __reduce__(self) -> tuple[type["Constraint"], tuple[tuple[_Row, ...], ...]]:
        return Constraint, self._automata

    def __repr__(self) -> str:
        return f"<Constraint of {' x '.join(f'{len(automaton):,}' for automaton in self._automata)} states>"

    def __and__(self, other: "Constraint") -> "Constraint":
        if not isinstance(other, Constraint):
            raise WrongTypeError(f"second: found {kind_of(other)}; write first & second for two constraints")
        return Constraint(*self._automata, *other._automata)

    def __bool__(self) -> bool:
        """WrongTypeError: ``first and second`` would keep the second only."""
        raise WrongTypeError("a set of strings is neither true nor false; write first & second, not 'and', for both")

    def accepts(self, words: str | Iterable[str]) -> bool:
        """Whether a string, as text or as its words, belongs to the set."""
        string = words_in(words, "words")
        return all(_accepts(rows, string) for rows in self._automata)


def _core_row(row: _Row) -> tuple[bool, Sequence[tuple[str, int | None]], int | None]:
    accepts, after, otherwise = row
    return accepts, list(after.items()), otherwise


def _accepts(rows: Sequence[_Row], words: Sequence[str]) -> bool:
    state: int | None = 0
    for word in words:
        if state is None:
            return False
        _, after, otherwise = rows[state]
        state = after.get(word, otherwise)
    return state is not None and rows[state][0]


@checked
def exactly(words: str | Sequence[str]) -> Constraint:
    """The set that contains this string only, given as text or as its words.

    >>> exactly("a b").accepts("a b"), exactly(["a", "b"]).accepts("a")
    (True, False)
    """
    string = words_in(words, "words")
    rows: list[_Row] = [(False, {word: at}, None) for at, word in enumerate(string, 1)]
    return Constraint([*rows, (True, {}, None)])


@checked
def containing(terms: Iterable[str | Sequence[str]]) -> Constraint:
    """The strings that contain all terms, each as a contiguous sequence of words. Terms may overlap or be nested.

    Args:
        terms: Each a text, or its words.

    >>> constraint = containing(["lisbon", "daniel kiplagat"])
    >>> constraint.accepts("daniel kiplagat wins lisbon marathon"), constraint.accepts("kiplagat wins lisbon marathon")
    (True, False)
    >>> containing([["new", "york"], ["york", "times"]]).accepts(["new", "york", "times"])
    True
    """
    automata: list[Sequence[_Row]] = []
    for term in _terms(terms):
        reading = _reading(term, {})
        rows: list[_Row] = [(False, dict(after), 0) for after in reading]
        automata.append([*rows, (True, {}, len(rows))])
    return Constraint(*automata or [_ALL])


@checked
def avoiding(
    terms: Iterable[str | Sequence[str]], forms: Mapping[str, str | Iterable[str]] | None = None
) -> Constraint:
    """The strings that have none of the terms.

    Args:
        terms: Each a text, or its words.
        forms: For a word of a term, other words that count as this word.

    Raises:
        InputError: A word of `forms` is in no term.

    >>> constraint = avoiding(["new york"], {"new": ["New"]})
    >>> constraint.accepts("new york"), constraint.accepts("New york"), constraint.accepts("york new")
    (False, False, True)
    """
    if forms is not None and not isinstance(forms, Mapping):
        raise WrongTypeError(f"forms: found {kind_of(forms)}; pass a mapping by word: {{'new': ['New']}}")
    others = {word: words_in(more, f"forms of {word!r}") for word, more in (forms or {}).items()}
    all_terms = _terms(terms)
    if unknown := [word for word in others if not any(word in term for term in all_terms)]:
        raise InputError(f"forms: no term has the word {unknown[0]!r}; leave it out, or correct it")
    automata: list[Sequence[_Row]] = []
    for term in all_terms:
        reading = _reading(term, others)
        whole = len(reading)
        rows: list[_Row] = [
            (True, {word: None if to == whole else to for word, to in after.items()}, 0) for after in reading
        ]
        automata.append(rows or [(False, {}, None)])  # every string contains an empty term
    return Constraint(*automata or [_ALL])


@checked
def at_most(word: str, count: int) -> Constraint:
    """Accepts strings with at most `count` occurrences of one word.

    >>> constraint = at_most("very", 1)
    >>> constraint.accepts("very old"), constraint.accepts("very very old")
    (True, False)
    """
    [counted_word] = words_in([word], "word")
    _check_count(count)
    return Constraint([(True, {counted_word: at + 1 if at < count else None}, at) for at in range(count + 1)])


@checked
def at_least(count: int) -> Constraint:
    """Accepts strings of at least `count` words, whichever these are.

    >>> at_least(2).accepts("a"), at_least(2).accepts("a b c")
    (False, True)
    """
    _check_count(count)
    return Constraint([(at == count, {}, min(at + 1, count)) for at in range(count + 1)])


_ALL: Sequence[_Row] = [(True, {}, 0)]
"""The automaton of all strings."""

_MAX_STATES = 10_000
"""Largest automaton of a term: n states for n words, but up to 2^n if its words are forms of each other."""


def _check_count(count: int) -> None:
    if whole(count, "count") < 0:
        raise InputError(f"a count of {count} words; it is at least 0")


def _terms(terms: Iterable[str | Sequence[str]]) -> list[list[str]]:
    expected = "a list of terms, each a string or a list of words: ['new york']"
    return [words_in(term, "a term") for term in reject_text(terms, "terms", expected)]


def _reading(term: Sequence[str], forms: Mapping[str, Iterable[str]]) -> list[dict[str, int]]:
    """The states of a search for a term before its end is read, with the successors by word; 0 for other words.

    A state is a set of prefixes of the term: those that end the text (Aho & Corasick 1975, for one term of sets of
    words). The number of states is the successor when the whole term has been read.
    """
    accepted = [{word, *forms.get(word, ())} for word in term]
    vocabulary = sorted(set().union(*accepted))
    prefixes: list[frozenset[int]] = [frozenset({0})] if term else []
    numbers = {prefixes[0]: 0} if term else {}
    moves: list[dict[str, frozenset[int]]] = []
    for lengths in prefixes:  # grows
        after = {word: _grown(lengths, accepted, word) for word in vocabulary}
        moves.append({word: longer for word, longer in after.items() if len(longer) > 1})
        for longer in moves[-1].values():
            if len(term) not in longer and longer not in numbers:
                numbers[longer] = len(prefixes)
                prefixes.append(longer)
        if len(prefixes) > _MAX_STATES:
            raise InputError(f"the term {' '.join(term)!r}: its words are forms of each other too often; shorten it")
    return [{word: numbers.get(longer, len(prefixes)) for word, longer in after.items()} for after in moves]


def _grown(lengths: Iterable[int], accepted: Sequence[Collection[str]], word: str) -> frozenset[int]:
    """The prefixes' lengths after one more word; the empty prefix is always among them."""
    return frozenset({0, *(length + 1 for length in lengths if word in accepted[length])})
