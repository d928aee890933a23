"""Regular sets of strings that the strings of results must belong to."""

from collections.abc import Iterable, Mapping, Sequence

from widl import _core

_Row = tuple[bool, Mapping[str, int | None], int | None]
_Search = tuple[frozenset[int], int, int]
"""Which terms were found, which one is being read (-1: none), and how many of its words."""


class Constraint(_core.Constraint):
    """A set of strings as a deterministic finite automaton over words.

    `rows` has of each state whether it accepts, the states after some words, and the state after any other word; None
    where a word may not follow. State 0 is the start. `containing` and `exactly` make such sets.
    """

    def __init__(self, rows: Sequence[_Row]) -> None:
        super().__init__([(accepts, list(after.items()), otherwise) for accepts, after, otherwise in rows])
        self._rows = tuple(rows)

    def __reduce__(self) -> tuple[type["Constraint"], tuple[tuple[_Row, ...]]]:
        return Constraint, (self._rows,)

    def __repr__(self) -> str:
        return f"<Constraint of {len(self._rows):,} states>"

    def accepts(self, words: Iterable[str]) -> bool:
        """Whether the string of these words belongs to the set."""
        state: int | None = 0
        for word in words:
            if state is None:
                return False
            _, after, otherwise = self._rows[state]
            state = after.get(word, otherwise)
        return state is not None and self._rows[state][0]


def exactly(words: Sequence[str]) -> Constraint:
    """The set of this string alone.

    >>> exactly(["a", "b"]).accepts(["a", "b"]), exactly(["a", "b"]).accepts(["a"])
    (True, False)
    """
    rows: list[_Row] = [(False, {word: at}, None) for at, word in enumerate(words, 1)]
    return Constraint([*rows, (True, {}, None)])


MOST_TERMS = 5
"""Terms of `containing`, at most: its automaton has a state for each set of them at least."""


def containing(terms: Sequence[Sequence[str]]) -> Constraint:
    """The strings that have all terms, each its words in a row, in any order and apart from each other.

    >>> constraint = containing([["lisbon"], ["daniel", "kiplagat"]])
    >>> constraint.accepts("daniel kiplagat wins lisbon marathon".split())
    True
    >>> constraint.accepts("kiplagat wins lisbon marathon".split())
    False
    """
    words = sorted({word for term in terms for word in term})

    def after(searches: Iterable[_Search], word: str | None) -> frozenset[_Search]:
        """What the searches may have found after one more word; None: one of no term."""
        following: set[_Search] = set()
        for found, reading, read in searches:
            if reading < 0:
                following.add((found, -1, 0))
            begun = [(reading, read)] if reading >= 0 else [(k, 0) for k in range(len(terms)) if k not in found]
            for k, count in begun:
                if terms[k][count] == word:
                    is_whole = count + 1 == len(terms[k])
                    following.add((found | {k}, -1, 0) if is_whole else (found, k, count + 1))
        # Whoever has found more can do without the others.
        return frozenset(
            one for one in following if not any(one[1:] == more[1:] and one[0] < more[0] for more in following)
        )

    start = frozenset({(frozenset(k for k, term in enumerate(terms) if not term), -1, 0)})
    states, numbers = [start], {start: 0}

    def number(searches: frozenset[_Search]) -> int:
        if searches not in numbers:
            numbers[searches] = len(states)
            states.append(searches)
        return numbers[searches]

    rows: list[_Row] = []
    for searches in states:  # grows
        accepts = any(len(found) == len(terms) for found, _, _ in searches)
        following = {word: number(after(searches, word)) for word in words}
        rows.append((accepts, following, number(after(searches, None))))
    return Constraint(rows)
