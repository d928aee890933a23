"""Stops programs with a signal at a known point: a command at a message, a function at a write."""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

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
    """Runs `widl` and makes it signal itself as soon as it prints `at` to stderr."""
    return [sys.executable, "-c", _PROGRAM.format(at=at, number=int(number))]


def killed_at_writes(function: str, *arguments: object) -> int:
    """Calls ``module:function(*arguments)`` repeatedly and kills each call one write later than the previous call;
    returns the number of calls.

    The first call is killed just before the first file would be moved into place, the second one before the second, and
    so on, until a call finishes. The function receives the number of the call before its other arguments. Call number 0
    comes first and is never killed; it loads data that the later calls share.
    """
    code = "import sys; from tests.pipeline.stopping import _call_until_done; _call_until_done(*sys.argv[1:])"
    command = [sys.executable, "-c", code, function, *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": "."}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.split()[-1])


def _call_until_done(function: str, *arguments: str) -> None:
    module, _, name = function.partition(":")
    called = getattr(importlib.import_module(module), name)
    called(0, *arguments)
    for number in range(1, 200):
        process = os.fork()
        if process == 0:
            _kill_before(number)
            called(number, *arguments)
            sys.stdout.flush()
            os._exit(0)
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) == 0:
            print(number)
            return
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, f"call {number} failed"
    raise AssertionError("never done")


def _kill_before(number: int) -> None:
    """Kills this process before it moves the file with this number into place, or removes a directory."""
    count = 0

    def counting(put: Callable[..., None]) -> Callable[..., None]:
        def wrapped(*arguments: object, **options: object) -> None:
            nonlocal count
            count += 1
            if count == number:
                os.kill(os.getpid(), signal.SIGKILL)
            put(*arguments, **options)

        return wrapped

    for name in ("replace", "rename", "link", "rmdir"):
        setattr(os, name, counting(getattr(os, name)))
