"""Waits for other processes and threads; every wait has a timeout."""

import contextlib
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any


def wait_until(condition: Callable[[], object], what: str, *, seconds: float = 60) -> None:
    """Waits until the condition holds; TimeoutError names the missing event."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"not within {seconds:g} seconds: {what}")
        time.sleep(0.01)


@contextlib.contextmanager
def running(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Runs a program; it is killed if it is still running at the end."""
    with subprocess.Popen(command, **options) as process:
        try:
            yield process
        finally:
            process.kill()
