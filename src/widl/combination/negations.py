"""Whether outputs deny: how many words that reverse a statement a combination may have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from statistics import median_high, median_low

from widl.combination.tokens import folded

_NEGATIONS = frozenset(
    (
        *("no", "not", "no-one", "never", "neither", "nor", "none", "nobody", "nothing", "nowhere", "without"),
        *("cannot", "hardly", "scarcely", "n't"),
    )
)
"""English words whose loss or addition reverses a statement, besides those that end in *n't*; a closed class.

The headlines' list also has words that weaken a statement (*few*, *seldom*); an output with *few* does not deny."""


def is_negation(word: str) -> bool:
    """Whether a word reverses a statement.

    >>> [word for word in ["Not", "isn't", "won’t", "cannot", "note", "tent", "few"] if is_negation(word)]
    ['Not', "isn't", 'won’t', 'cannot']
    """
    plain = _plain(word)
    return plain in _NEGATIONS or plain.endswith("n't")


def _plain(word: str) -> str:
    return folded(word).replace("’", "'")


_ONLY = frozenset(("only", "just", "merely", "simply"))
"""Words before which *not* and *n't* deny nothing: *not only cheap but good*."""

Count = tuple[int, bool]
"""The negations in the first words of a string, and whether the last of these words ends in *not* or *n't*."""
NO_NEGATIONS: Count = (0, False)


def counted(count: Count, word: str) -> Count:
    """The count after one more word; the empty word changes nothing."""
    if not word:
        return count
    number, after_not = count
    if is_negation(word):
        return number + 1, _plain(word).endswith(("not", "n't"))
    return number - (after_not and folded(word) in _ONLY), False


def negations_in(words: Iterable[str]) -> int:
    """The number of negations, without those of *not only* and the like.

    >>> [negations_in(text.split()) for text in ["it isn’t only cheap", "no one isn't", "without just cause"]]
    [0, 2, 1]
    """
    return reduce(counted, words, NO_NEGATIONS)[0]


@dataclass(frozen=True)
class NegationLimits:
    """The least and the most negations of a result.

    least: at least 1 if most outputs deny. most: 0 if most don't. tie: the outputs that deny, if these are half of the
    outputs; the limits then follow one output.
    """

    least: int
    most: int
    tie: int = 0

    @staticmethod
    def of(outputs: Sequence[Sequence[str]], lead: int, placed: int) -> "NegationLimits":
        """The limits that follow from the outputs with words: the median number of their negations.

        lead: the output that decides if half of the outputs deny. placed: the number of positions where most outputs
        have a negation; each of these stays.
        """
        counts = [negations_in(words) for words in outputs if words]
        denying = [count for count in counts if count]
        low, high = median_low(counts), median_high(counts)
        if low:
            return NegationLimits(low, max(high, placed))
        if not high:
            return NegationLimits(0, 0)
        if negations_in(outputs[lead]):
            return NegationLimits(min(denying), high, tie=len(denying))
        return NegationLimits(0, 0, tie=len(denying))
