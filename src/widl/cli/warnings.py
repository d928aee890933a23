"""The library's warnings on stderr, one line each."""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class _StderrHandler(logging.Handler):
    """Writes to what `sys.stderr` is at the time of the message."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, whatever the message holds."""
        text = " ".join(record.getMessage().splitlines())
        sys.stderr.write(f"{record.levelname.lower()}: {text}\n")


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Within the ``with`` block, write the warnings and errors of the logger ``widl`` to stderr."""
    log, handler = logging.getLogger("widl"), _StderrHandler(logging.WARNING)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
