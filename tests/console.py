"""The console blocks of a page: what a reader types behind ``$``, and what comes out."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.warm import warm_folder

# A block is not run if the line before it is <!-- not run: why -->; a block behind <!-- file: NAME --> is that file.
_BLOCK = re.compile(r"(?:^<!-- (not run|file): ([^\n]+) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Where stderr is no terminal, progress is a line a finished stage.
_PROGRESS = re.compile(r"^[^\n]*: done \(\d+\)\n", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """The text between a block's fences, where it begins in the page, and what is said of it."""

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
    for found in _BLOCK.finditer(page):
        kind, said, language, text = found.groups()
        marks = {"not_run": said if kind == "not run" else "", "file": said if kind == "file" else ""}
        yield Block(found.start(4), text, language, **marks)


def executed(block: Block, folder: Path) -> str:
    """The block with the outputs that its commands have in a folder; what is shown by ``cat`` is made first."""
    text = ""
    for command, shown in block.commands:
        words = shlex.split(command, comments=True)
        if words[0] == "cat" and not any(folder.joinpath(name).exists() for name in words[1:]):
            _write(folder, words[1:], shown)
        text += f"$ {command}\n{_output(command, folder)}"
    return text


def _write(folder: Path, names: list[str], shown: str) -> None:
    """Files of equally many lines."""
    lines = shown.splitlines(keepends=True)
    each = len(lines) // len(names)
    for i, name in enumerate(names):
        (folder / name).write_text("".join(lines[each * i : each * (i + 1)]), encoding="utf-8")


def _output(command: str, folder: Path) -> str:
    """Of both streams, as a terminal shows them."""
    environment = os.environ | {
        "PATH": os.pathsep.join([warm_folder(), str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "COLUMNS": "120",
    }
    found = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=100, check=False,
    )  # fmt: skip
    return _PROGRESS.sub("", found.stdout)
