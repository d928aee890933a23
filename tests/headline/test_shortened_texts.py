"""Words kept in a shortened text: compared with all ways to find its words in order."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from widl.headline.shortened_texts import kept_words

WORDS = st.lists(st.sampled_from("abc"), max_size=7)


def worth(text: list[str], shortened: list[str], places: tuple[int, ...], taken: tuple[int, ...]) -> int:
    neighbors = sum(
        a + 1 == b and c + 1 == d
        for (a, b), (c, d) in zip(itertools.pairwise(places), itertools.pairwise(taken), strict=True)
    )
    return 2 * len(shortened) * len(places) + neighbors


@given(WORDS, WORDS)
def test_most_words_and_of_these_most_neighbors(text: list[str], shortened: list[str]) -> None:
    remaining = tuple(i for i, keep in enumerate(kept_words(text, shortened)) if keep)
    best = result = 0
    for count in range(min(len(text), len(shortened)) + 1):
        for places in itertools.combinations(range(len(text)), count):
            for taken in itertools.combinations(range(len(shortened)), count):
                if all(text[a] == shortened[b] for a, b in zip(places, taken, strict=True)):
                    value = worth(text, shortened, places, taken)
                    best = max(best, value)
                    result = max(result, value) if places == remaining else result
    assert result == best


def test_the_occurrence_beside_others_counts() -> None:
    text = "the bank said the bank of japan will sell".split()
    assert kept_words(text, "the bank of japan will sell".split()) == [False] * 3 + [True] * 6
