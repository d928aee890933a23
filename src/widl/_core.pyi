"""
The native core of widl; use the Python packages, which export its names.
"""

from collections.abc import Callable, Sequence


class InputError(ValueError):
    pass

class InternalError(AssertionError):
    pass

class LanguageModel:
    """An n-gram language model (KenLM inside). Scores are natural logs."""

    @staticmethod
    def load(path: str) -> LanguageModel:
        """Open an ARPA file or a KenLM binary; InputError names file and line."""

    @staticmethod
    def convert(arpa: str, output: str, *, kind: str) -> None:
        """Write an ARPA file as KenLM binary of kind rest, probing or trie."""

    @property
    def order(self) -> int: ...

    @property
    def has_rest_costs(self) -> bool:
        """Whether the model knows bounds over unknown left contexts."""

    def __contains__(self, word: str) -> bool: ...

    def score_words(self, words: Sequence[str], *, begin: bool = True, end: bool = True) -> list[float]:
        """ln p of each word in its context and, last, of </s> when `end` is set."""

    def bound_words(self, words: Sequence[str]) -> list[float]:
        """
        The largest that ln p of each word can be, given the words before it in the list and whatever stands before those.
        """

class TrainingText:
    """
    Text to estimate a language model from, one sentence a line, given in pieces.
    """

    def __init__(self) -> None: ...

    def begin_source(self, name: str) -> None:
        """
        Name the source of the text that follows; messages count its lines from 1.
        """

    def add(self, piece: bytes) -> None:
        """
        The next bytes, which may end anywhere; InputError names source and line.
        """

    @property
    def words(self) -> int: ...

    @property
    def sentences(self) -> int: ...

class NGramModel:
    """An estimated n-gram model."""

    @staticmethod
    def estimate(text: TrainingText, *, order: int, interpolate_unigrams: bool = True) -> NGramModel:
        """
        Interpolated modified Kneser-Ney as lmplz computes it. Uses the text up.
        """

    @property
    def words(self) -> int: ...

    @property
    def sentences(self) -> int: ...

    @property
    def ngram_counts(self) -> list[int]:
        """Number of n-grams of each order, from order 1."""

    @property
    def discounts(self) -> list[tuple[float, float, float]]:
        """D1, D2, D3+ of each order, from order 1."""

    @property
    def fallback_orders(self) -> list[int]:
        """Orders whose discounts could not be estimated."""

    def write_arpa(self, sink: Callable[[bytes], object]) -> None:
        """Call `sink` with the model's ARPA text, piece by piece."""

class Vocabulary:
    """Words and their numbers, from 0, both ways."""

    def __init__(self, words: Sequence[str] = []) -> None: ...

    def intern(self, word: str) -> int:
        """The word's number, given to it now if it has none."""

    def find(self, word: str) -> int | None:
        """The word's number, or None."""

    def word(self, id: int) -> str: ...

    def __len__(self) -> int: ...
