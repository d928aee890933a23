"""The checked-in type stubs match the native module."""

import subprocess
import sys
from pathlib import Path

import widl


def test_stubs_are_current(tmp_path: Path) -> None:
    result = tmp_path / "_core.pyi"
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "widl._core", "-o", str(result)]
    subprocess.run(command, check=True, timeout=60)
    checked_in = Path(widl.__file__).with_name("_core.pyi")
    assert result.read_text() == checked_in.read_text(), "run 'make stubs'"
