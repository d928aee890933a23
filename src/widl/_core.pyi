"""
The native core of widl; use the Python packages, which export its names.
"""

from collections.abc import Sequence


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

class Vocabulary:
    """Words and their numbers, from 0, both ways."""

    def __init__(self, words: Sequence[str] = []) -> None: ...

    def intern(self, word: str) -> int:
        """The word's number, given to it now if it has none."""

    def find(self, word: str) -> int | None:
        """The word's number, or None."""

    def word(self, id: int) -> str: ...

    def __len__(self) -> int: ...
