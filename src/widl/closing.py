"""Objects that hold files open until they are closed."""

from types import TracebackType
from typing import Self


class Closing:
    """An object with a `close` method, which the end of a ``with`` block calls."""

    def close(self) -> None:
        """Close the files."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
