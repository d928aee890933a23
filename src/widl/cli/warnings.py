"""The library's warnings on stderr, one line each."""

import logging
import sys


class _StderrHandler(logging.Handler):
    """Writes to what `sys.stderr` is at the time of the message."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, whatever the message holds."""
        text = " ".join(record.getMessage().splitlines())
        sys.stderr.write(f"{record.levelname.lower()}: {text}\n")


def show_warnings() -> None:
    """Let the logger ``widl`` write warnings and errors to stderr; calling it again changes nothing."""
    log = logging.getLogger("widl")
    if not any(isinstance(handler, _StderrHandler) for handler in log.handlers):
        log.addHandler(_StderrHandler(logging.WARNING))
