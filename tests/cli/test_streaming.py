"""A program that talks to a command over pipes gets each answer before its next request; every wait has a timeout."""

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.waiting import running

pytestmark = pytest.mark.slow

_LONGEST = 100.0  # seconds until an answer on a busy machine


class Talk:
    """A running command."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.input, self.output = process, process.stdin, process.stdout
        self._rest = b""

    def ask(self, text: str) -> str:
        """Writes some lines; returns the next output line."""
        self.input.write(text.encode())
        self.input.flush()
        return self.answer()

    def answer(self) -> str:
        """Returns the next output line."""
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.output], [], [], _LONGEST)
            assert ready, "no answer while the input is open"
            result = os.read(self.output.fileno(), 1 << 16)
            assert result, "the command has ended"
            self._rest += result
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def end(self) -> str:
        """Closes the input; returns the remaining output."""
        rest, _ = self.process.communicate(timeout=_LONGEST)
        assert self.process.returncode == 0
        return (self._rest + rest).decode()


def talk(*args: str | Path) -> Sequence[str | Path]:
    return [sys.executable, "-m", "widl", *args]


PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}


@pytest.mark.parametrize("threads", ["1", "2"])
def test_translate(trained: Path, threads: str) -> None:
    with running(talk("translate", trained, "--threads", threads), **PIPES) as process:
        command = Talk(process)
        first = command.ask("总统访问法国。\n")
        assert "president" in first
        assert command.ask("\n") == ""
        second = command.ask("政府批准了计划。\n总统访问法国。\n")
        assert "government" in second
        assert command.answer() == first
        command.input.write("政府批准了计划。".encode())  # without a line end
        assert command.end() == f"{second}\n"


def test_realize_and_order(trained: Path) -> None:
    model = trained / "lm0.binary"
    with running(talk("realize", "--lm", model), **PIPES) as process:
        command = Talk(process)
        assert command.ask("×(the president)\n# a comment\n\n") == "the president"
        assert command.ask("# another\n×(a b)\n") == "a b"
        assert command.end() == ""
    with running(talk("order", "-", "--lm", model), **PIPES) as process:
        command = Talk(process)
        assert command.ask("president the\n") == "the president"
        assert command.ask("\n") == ""
        assert command.end() == ""


def test_tokenize() -> None:
    with running(talk("tokenize"), **PIPES) as process:
        command = Talk(process)
        assert command.ask("总统访问法国。\n") == "总统 访问 法国 。"
        assert command.end() == ""


def test_headlines(demo: Path) -> None:
    with running(talk("headline", "generate", demo / "headlines", "--ids"), **PIPES) as process:
        command = Talk(process)
        story = json.dumps({"text": "Rain fell in Norway on Monday."})
        first = command.ask(f"\n{story}\n")
        assert first.startswith("stdin:2\tRain")
        assert command.ask(f"\n\n{story}\n").startswith("stdin:5\tRain")
        assert command.ask('{"text": "Rain fell in Norway on Monday.", "id": "x"}\n').startswith("x\tRain")
        assert command.end() == ""
