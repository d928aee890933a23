"""Ctrl-C while worker processes start or work: they end at once, and print nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

# A terminal sends the signal to all processes of its group.
STARTING = """
import os, signal, threading
from widl.common import workers
threading.Thread(target=threading.Event().wait, daemon=True).start()  # it does not block the signal
start, started = workers._Process._Popen, []
def interrupted(process):
    popen = start(process)
    started.append(popen)
    if len(started) == {at}:
        os.killpg(0, signal.SIGINT)  # the process still imports
        for _ in range(10**6):
            pass  # the other thread hears it, so Python would raise KeyboardInterrupt here
    return popen
workers._Process._Popen = staticmethod(interrupted)
try:
    list(workers.map_in_order(made, range(8), threads=3))
finally:
    print([popen.wait(timeout=20) for popen in started])
"""
WORKING = """
import os, signal, threading
from pathlib import Path
from widl.common import workers
def send():
    while not Path("begun").exists():
        pass
    os.killpg(0, signal.SIGINT)
threading.Thread(target=send).start()
list(workers.map_in_order(endless, range(8), threads=3))
"""
MODULE = """
from pathlib import Path
def made():
    return abs
def endless():
    return loop
def loop(item):
    Path("begun").touch()
    while True:
        pass
"""


def program(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Runs a program in a process group of its own."""
    (folder / "work_of_workers.py").write_text(MODULE)
    text = f"import sys; sys.path.insert(0, ''); from work_of_workers import endless, made\n{text}"
    return subprocess.run(
        [sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, check=False, start_new_session=True
    )


@pytest.mark.parametrize("at", [1, 2, 3])
def test_while_they_start(at: int, tmp_path: Path) -> None:
    done = program(STARTING.replace("{at}", str(at)), tmp_path)
    assert done.returncode == -2
    assert done.stdout == f"{[-15] * at}\n"
    # The program's own traceback, which `widl` turns into a line, and none of a worker.
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert "spawn_main" not in done.stderr


def test_while_they_work(tmp_path: Path) -> None:
    """Items that never end do not keep the program."""
    done = program(WORKING, tmp_path)
    assert done.returncode == -2
    assert done.stderr.count("Traceback") == 1


def test_an_error_ends_other_workers(tmp_path: Path) -> None:
    text = "from widl.common import workers\nfor _ in workers.map_in_order(mixed, range(8), threads=3): break\n"
    (tmp_path / "more.py").write_text(
        "from work_of_workers import loop\ndef mixed(): return lambda i: loop(i) if i else i\n"
    )
    done = program(f"from more import mixed\n{text}print('ended')", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\n", "")
