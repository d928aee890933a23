"""The command line, stopped by a signal at a known point."""

import signal
import sys

_PROGRAM = """
import os, sys

class Stderr:
    def __init__(self, stream):
        self.stream = stream

    def __getattr__(self, name):
        return getattr(self.stream, name)

    def write(self, text):
        self.stream.write(text)
        if {at!r} in text:
            self.stream.flush()
            os.kill(os.getpid(), {number})

sys.stderr = Stderr(sys.stderr)
from widl.cli import main
main()
"""


def stopping(at: str, number: signal.Signals) -> list[str]:
    """The command `widl` that sends itself a signal as soon as it has said `at` on stderr."""
    return [sys.executable, "-c", _PROGRAM.format(at=at, number=int(number))]
