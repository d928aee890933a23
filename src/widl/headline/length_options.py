"""The maximum length of a headline."""

from collections.abc import Mapping, Sequence
from typing import Any

from widl.common.option_values import Count
from widl.common.options import option_set


@option_set
class LengthLimit:
    """Maximum numbers of words and of UTF-8 bytes; 0 means no limit. If only bytes are given, the number of words is
    unlimited.

    >>> LengthLimit(words=3).truncate(["Rain", "stops", "play", "again"])
    ['Rain', 'stops', 'play']
    >>> LengthLimit(bytes=10).fits(["Rain", "stops"])
    True
    """

    words: Count = 12
    "Maximum number of words; 0, or --bytes alone: no limit."
    bytes: Count = 0
    "Maximum number of bytes, 75 in DUC; 0: no limit."

    @classmethod
    def defaults_of(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """No limit of words beside a limit of bytes."""
        return {"words": 0} if values.get("bytes") else {}

    def fits(self, words: Sequence[str]) -> bool:
        """Whether these words, joined by single spaces, are within the limit."""
        if self.words and len(words) > self.words:
            return False
        return not self.bytes or len(" ".join(words).encode()) <= self.bytes

    def truncate(self, words: Sequence[str]) -> list[str]:
        """The longest prefix of complete words that fits."""
        fitting: list[str] = []
        size = -1
        for word in words:
            size += 1 + len(word.encode())
            if (self.words and len(fitting) == self.words) or (self.bytes and size > self.bytes):
                break
            fitting.append(word)
        return fitting
