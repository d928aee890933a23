"""Console blocks of a page: the commands after ``$``, and their outputs."""

import contextlib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.command import widl

# A block is not run if it follows the line <!-- not run: why -->; a block after <!-- file: NAME --> is that file.
_BLOCK = re.compile(r"(?:^<!-- (not run|file): ([^\n]+) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# If stderr is not a terminal, progress is one line per finished stage, and more for long ones.
_PROGRESS = re.compile(r"^[^\n]*: (?:done \(\d+\)|[\d,]+ (?:of [\d,]+|so far))\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """The text between a block's fences, its position in the page, and its annotations."""

    begin: int
    text: str
    language: str
    not_run: str = ""
    file: str = ""

    @property
    def commands(self) -> list[tuple[str, str]]:
        """Commands with their outputs."""
        parts = re.split(r"^\$ ", self.text, flags=re.MULTILINE)
        assert not parts[0], f"output without a command: {parts[0]!r}"
        return [(command, output) for command, _, output in (part.partition("\n") for part in parts[1:])]


def blocks_of(page: str) -> Iterator[Block]:
    """All fenced blocks of a page."""
    for result in _BLOCK.finditer(page):
        kind, said, language, text = result.groups()
        marks = {"not_run": said if kind == "not run" else "", "file": said if kind == "file" else ""}
        yield Block(result.start(4), text, language, **marks)


def executed(block: Block, folder: Path) -> str:
    """Runs the block's commands in a folder and inserts their outputs; files shown by ``cat`` are created first."""
    text = ""
    for command, shown in block.commands:
        words = shlex.split(command, comments=True)
        if words[0] == "cat" and not any(folder.joinpath(name).exists() for name in words[1:]):
            _write(folder, words[1:], shown)
        text += f"$ {command}\n{_output(command, folder)}"
    return text


def _write(folder: Path, names: list[str], shown: str) -> None:
    """Writes files with equal numbers of lines."""
    lines = shown.splitlines(keepends=True)
    each = len(lines) // len(names)
    for i, name in enumerate(names):
        (folder / name).write_text("".join(lines[each * i : each * (i + 1)]), encoding="utf-8")


def _output(command: str, folder: Path) -> str:
    """Output of both streams, as in a terminal; pipes of plain commands call `widl` in this process."""
    environment = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONUTF8": "1",
        "COLUMNS": "120",
    }
    shell = {"cwd": folder, "env": os.environ | environment, "stderr": subprocess.STDOUT, "timeout": 100}
    parts = [part.strip() for part in re.split(r"\|(?=(?:[^'\"]*(?:'[^']*'|\"[^\"]*\"))*[^'\"]*$)", command)]
    if not all(re.fullmatch(r"widl [^<>;&$`]*|(?!widl )[^;]*", part) for part in parts):
        parts = [command]
    text, said = b"", b""
    for part in parts:
        if part.startswith("widl ") and part != command or re.fullmatch(r"widl [^<>;&$`|]*", part):
            with contextlib.chdir(folder):
                done = widl(*shlex.split(part, comments=True)[1:], stdin=text, together=part is parts[-1],
                            environment=environment)  # fmt: skip
            text, said = done.stdout, said + done.stderr
        else:
            text = subprocess.run(["bash", "-c", part], input=text, stdout=subprocess.PIPE, check=False, **shell).stdout
    return _PROGRESS.sub("", (said + text).decode("utf-8"))
