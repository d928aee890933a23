"""
The native core of widl; use the Python packages, which export its names.
"""

from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


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

def symmetrize(forward: str, reverse: str, method: str) -> str:
    """One alignment, `0-0 1-2 …`, of the two directions."""

def read_options(value: bytes | memoryview, vocabulary_size: int = 4294967295) -> list[tuple[list[int], list[float], list[int], list[tuple[int, int]]]]:
    """
    The options of a table's value: word ids, ln of the four scores, counts, links.
    """

def write_options(options: Sequence[tuple[Sequence[int], Sequence[float], Sequence[int], Sequence[tuple[int, int]]]]) -> bytes:
    """
    A table's value of options: word ids, the four probabilities, counts, links.
    """

class Bitext:
    """Word-aligned sentence pairs."""

    def __init__(self) -> None: ...

    @overload
    def append(self, source: str, target: str, links: str) -> None:
        """Add a sentence pair: tokens, and links as `0-0 1-2 …`."""

    @overload
    def append(self, source: str, target: str, links: Annotated[NDArray[numpy.int64], dict(shape=(None, 2), order='C', device='cpu', writable=False)]) -> None:
        """Add a sentence pair, with links of shape (n, 2)."""

    def phrase_spans(self, sentence: int, *, max_length: int = 7) -> list[list[int]]:
        """
        First and last source word, first and last target word of the sentence's phrase pairs.
        """

    def lexicon(self) -> list[tuple[str | None, str | None, float, float]]:
        """
        Word translations (f, e, w(f|e), w(e|f)), None for NULL. Nothing can be added after.
        """

    def __len__(self) -> int: ...

class PhraseBatch:
    """Source phrases and their encoded options, as (key, value)."""

    @property
    def sorted(self) -> list[tuple[bytes, bytes]]:
        """In the order of their keys' bytes, from batch to batch."""

    @property
    def unsorted(self) -> list[tuple[bytes, bytes]]:
        """
        Those whose keys are longer than the limit or contain control characters.
        """

    @property
    def pairs(self) -> int:
        """Distinct phrase pairs in the batch."""

    @property
    def occurrences(self) -> int:
        """Occurrences that they were counted from."""

class PhraseScorer:
    """
    Extracts and scores all phrase pairs of a bitext on threads of its own.
    """

    def __init__(self, bitext: Bitext, *, max_length: int = 7, threads: int = 1, max_occurrences: int = 0) -> None: ...

    def next_batch(self, max_key: int) -> PhraseBatch | None:
        """The next batch, or None after the last."""

    @property
    def sentences(self) -> int: ...

    @property
    def max_length(self) -> int: ...

    @property
    def occurrences(self) -> int:
        """Of all phrase pairs, before counting equals as one."""

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""

class Vocabulary:
    """Words and their numbers, from 0, both ways."""

    def __init__(self, words: Sequence[str] = []) -> None: ...

    def intern(self, word: str) -> int:
        """The word's number, given to it now if it has none."""

    def find(self, word: str) -> int | None:
        """The word's number, or None."""

    def word(self, id: int) -> str: ...

    def __len__(self) -> int: ...
