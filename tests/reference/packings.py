"""All derivations of a packing, listed: every family of phrases with disjoint items, in every order."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

Phrase = tuple[frozenset[int], tuple[str, ...], tuple[float, ...]]
"""Items served, words, ln of the scores."""


def derivations(phrases: Sequence[Phrase]) -> Iterator[tuple[int, ...]]:
    """Numbers of phrases, in the order realized."""
    for size in range(1, len(phrases) + 1):
        for family in combinations(range(len(phrases)), size):
            if sum(len(phrases[p][0]) for p in family) == len(frozenset().union(*(phrases[p][0] for p in family))):
                yield from permutations(family)
