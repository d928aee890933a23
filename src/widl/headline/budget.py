"""How long a headline may be."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """At most so many words and so many bytes of UTF-8; 0 stands for no such limit.

    >>> Budget(words=3).cut(["Rain", "stops", "play", "again"])
    ['Rain', 'stops', 'play']
    >>> Budget(words=0, bytes=10).fits(["Rain", "stops"])
    True
    """

    words: int = 10
    bytes: int = 0

    def __post_init__(self) -> None:
        if self.words < 0 or self.bytes < 0:
            raise ValueError(f"a budget can't be negative, but is {self.words} words and {self.bytes} bytes")

    def fits(self, words: Sequence[str]) -> bool:
        """Whether these words, with one blank between, are within the budget."""
        if self.words and len(words) > self.words:
            return False
        return not self.bytes or len(" ".join(words).encode()) <= self.bytes

    def cut(self, words: Sequence[str]) -> list[str]:
        """The longest beginning that fits; no word is broken."""
        kept: list[str] = []
        size = -1
        for word in words:
            size += 1 + len(word.encode())
            if (self.words and len(kept) == self.words) or (self.bytes and size > self.bytes):
                break
            kept.append(word)
        return kept
