"""Programs that tests start by the hundred, without the second that each takes to load what it needs.

A server has everything loaded, and forks for each command line of `widl`; a small client gives it its folder,
environment and open files, and ends as the command ends. What is about starting, or about signals, starts the real one.
"""

import atexit
import functools
import os
import subprocess
import sys
import tempfile
from pathlib import Path

_HERE = Path(__file__).parent


@functools.cache
def warm_widl() -> list[str]:
    """The beginning of a command line of `widl`; its server is started once in a process, and ends with it."""
    address = f"{tempfile.mkdtemp(prefix='warm-')}/socket"
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.warm.server", address],
        cwd=_HERE.parents[1], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},  # or a fork would lack its threads
    )  # fmt: skip
    atexit.register(server.communicate, timeout=60)  # which closes its stdin
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return [sys.executable, "-I", "-S", str(_HERE / "client.py"), address]


@functools.cache
def warm_folder() -> str:
    """A folder for the path of shells, with `widl` as a program; it is beside the server's socket."""
    command = warm_widl()
    program = Path(command[-1]).with_name("widl")
    program.write_text(f'#!/bin/sh\nexec {" ".join(command)} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return str(program.parent)
