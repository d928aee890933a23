"""Regular sets of strings; every result's string must belong to the set."""

from collections.abc import Iterable, Mapping, Sequence

from widl import _core

_Row = tuple[bool, Mapping[str, int | None], int | None]


class Constraint(_core.Constraint):
    """A set of strings as a deterministic finite automaton over words, or as an intersection of such sets.

    `rows` lists for each state whether it accepts, the successor by word, and the successor for any other word. None:
    the word may not follow. State 0 is the start. `containing`, `avoiding`, `at_most`, `at_least` and `exactly` make
    such sets, and ``first & second`` is their intersection."""

    def __init__(self, rows: Sequence[_Row], *more: Sequence[_Row]) -> None:
        self._automata: tuple[tuple[_Row, ...], ...] = (tuple(rows), *map(tuple, more))
        super().__init__([list(map(_core_row, automaton)) for automaton in self._automata])

    def __reduce__(self) -> tuple[type["Constraint"], tuple[tuple[_Row, ...], ...]]:
        return Constraint, self._automata

    def __repr__(self) -> str:
        return f"<Constraint of {' x '.join(f'{len(automaton):,}' for automaton in self._automata)} states>"

    def __and__(self, other: "Constraint") -> "Constraint":
        return Constraint(*self._automata, *other._automata)

    def accepts(self, words: Iterable[str]) -> bool:
        """Whether the string formed by these words belongs to the set."""
        string = list(words)
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


def exactly(words: Sequence[str]) -> Constraint:
    """The set that contains this string only.

    >>> exactly(["a", "b"]).accepts(["a", "b"]), exactly(["a", "b"]).accepts(["a"])
    (True, False)
    """
    rows: list[_Row] = [(False, {word: at}, None) for at, word in enumerate(words, 1)]
    return Constraint([*rows, (True, {}, None)])


def containing(terms: Iterable[Sequence[str]]) -> Constraint:
    """The strings that contain all terms, each as a contiguous sequence of words. Terms may overlap or be nested.

    >>> constraint = containing([["lisbon"], ["daniel", "kiplagat"]])
    >>> constraint.accepts("daniel kiplagat wins lisbon marathon".split())
    True
    >>> constraint.accepts("kiplagat wins lisbon marathon".split())
    False
    >>> containing([["new", "york"], ["york", "times"]]).accepts(["new", "york", "times"])
    True
    """
    automata: list[Sequence[_Row]] = []
    for term in terms:
        rows: list[_Row] = [(False, after, 0) for after in _reading(term, {})]
        automata.append([*rows, (True, {}, len(term))])
    return Constraint(*automata or [_ALL])


def avoiding(terms: Iterable[Sequence[str]], forms: Mapping[str, Iterable[str]] | None = None) -> Constraint:
    """The strings that have none of the terms. forms: for a word of a term, other words that count as the same word.

    >>> constraint = avoiding([["new", "york"]], {"new": ["New"]})
    >>> constraint.accepts(["new", "york"]), constraint.accepts(["New", "york"]), constraint.accepts(["york", "new"])
    (False, False, True)
    """
    automata: list[Sequence[_Row]] = []
    for term in terms:
        whole = len(term)
        rows: list[_Row] = [
            (True, {word: None if to == whole else to for word, to in after.items()}, 0)
            for after in _reading(term, forms or {})
        ]
        automata.append(rows or [(False, {}, None)])  # every string contains an empty term
    return Constraint(*automata or [_ALL])


def at_most(word: str, count: int) -> Constraint:
    """Accepts strings with at most `n` occurrences of a word.

    >>> constraint = at_most("very", 1)
    >>> constraint.accepts(["very", "old"]), constraint.accepts(["very", "very", "old"])
    (True, False)
    """
    return Constraint([(True, {word: at + 1 if at < count else None}, at) for at in range(count + 1)])


def at_least(count: int) -> Constraint:
    """Accepts strings of at least `n` words.

    >>> at_least(2).accepts(["a"]), at_least(2).accepts(["a", "b", "c"])
    (False, True)
    """
    return Constraint([(at == count, {}, min(at + 1, count)) for at in range(count + 1)])


_ALL: Sequence[_Row] = [(True, {}, 0)]
"""The automaton of all strings."""


def _reading(term: Sequence[str], forms: Mapping[str, Iterable[str]]) -> list[dict[str, int | None]]:
    """For each proper prefix of a term and each next word, the longest prefix of the term that the text then ends
    with.

    The automaton of Knuth, Morris and Pratt (1977).
    """
    rows: list[dict[str, int | None]] = []
    for read in range(len(term)):
        after: dict[str, int | None] = {}
        for word in dict.fromkeys(term[: read + 1]):
            said = [*term[:read], word]
            longest = next((n for n in range(read + 1, 0, -1) if said[-n:] == list(term[:n])), 0)
            if longest:
                after |= dict.fromkeys((word, *forms.get(word, ())), longest)
        rows.append(after)
    return rows
