"""Losses of power: what of a recorded command's files a disk may hold, put together and given to the next run.

Two disks, each the worst of its kind:

- *late data*: names are written in their order as soon as they change, content only by fsync. A file that was renamed
  without fsync is there and empty.
- *late names*: names, too, are written only by the next fsync of any file or directory, as journals do. A file that was
  renamed without fsync of its directory has its old content, or is not there.
"""

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.harness import Prepared, same_again
from tests.faults.recording import Call, read_record


@dataclass
class File:
    """A file's content as programs see it, and as it was written at its last fsync."""

    seen: bytearray = field(default_factory=bytearray)
    written: bytes = b""


@dataclass
class Disk:
    """Names and files under a folder; directories are names without a file."""

    names: dict[str, File | None]
    written_names: dict[str, File | None] = field(default_factory=dict)
    inodes: dict[int, File] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path) -> "Disk":
        """What is there, all of it written."""
        names: dict[str, File | None] = {}
        inodes: dict[int, File] = {}
        for path in sorted(folder.rglob("*")):
            if path.is_dir():
                names[str(path)] = None
            else:
                content = path.read_bytes()
                inode = path.stat().st_ino
                names[str(path)] = inodes.setdefault(inode, File(bytearray(content), content))
        return cls(names, dict(names), inodes)

    def apply(self, call: Call) -> None:
        """Do what a call did."""
        names = self.names
        match call.kind:
            case "create" | "unnamed":
                self.inodes[call.inode] = File()
                if call.kind == "create":
                    names[call.first] = self.inodes[call.inode]
            case "empty":
                self.inodes[call.inode].seen.clear()
            case "write":
                seen = self.inodes[call.inode].seen
                if len(seen) < call.offset:
                    seen.extend(bytes(call.offset - len(seen)))
                seen[call.offset : call.offset + len(call.content)] = call.content
            case "truncate":
                seen = self.inodes[call.inode].seen
                del seen[call.offset :]
                seen.extend(bytes(call.offset - len(seen)))
            case "sync":
                if file := self.inodes.get(call.inode):
                    file.written = bytes(file.seen)
                self.written_names = dict(names)
            case "link":
                names[call.second] = names[call.first]
            case "mkdir":
                names[call.first] = None
            case "unlink" | "rmdir":
                del names[call.first]
            case "rename":
                self._move(self._take(call.first), call.second)
            case "exchange":
                first, second = self._take(call.first), self._take(call.second)
                self._move(first, call.second)
                self._move(second, call.first)

    def _take(self, top: str) -> dict[str, File | None]:
        """Remove a file, or a directory with all that is in it; by name relative to it."""
        inside = [name for name in self.names if name == top or name.startswith(f"{top}/")]
        return {name.removeprefix(top): self.names.pop(name) for name in inside}

    def _move(self, taken: dict[str, File | None], top: str) -> None:
        self.names |= {top + name: file for name, file in taken.items()}

    def after_late_data(self) -> dict[str, bytes | None]:
        """The names as they are, with what was written of their files."""
        return {name: file and file.written for name, file in self.names.items()}

    def after_late_names(self) -> dict[str, bytes | None]:
        """The names as they were at the last fsync."""
        return {name: file and file.written for name, file in self.written_names.items()}

    def seen(self) -> dict[str, bytes | None]:
        """What programs see."""
        return {name: file and bytes(file.seen) for name, file in self.names.items()}


def _put(state: dict[str, bytes | None], folder: Path) -> None:
    """Make a folder hold a state."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in sorted(state.items()):
        path = Path(name)
        if not path.is_relative_to(folder):
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content)


def power_losses(prepared: Prepared, number: int, draw: random.Random) -> Iterator[list[str]]:
    """Lose power after `number` drawn calls of the recorded run, and after its last; the problems of each."""
    prepared.reset()
    disk = Disk.of(prepared.run_folder)
    outcome = prepared.server.run(prepared.command.arguments, log=prepared.log)
    assert outcome.status == 0
    calls = list(read_record(prepared.log))
    there = {str(path): path.read_bytes() for path in prepared.run_folder.rglob("*") if path.is_file()}
    drawn = set(draw.sample(range(len(calls)), min(number, len(calls))))
    states: list[tuple[str, dict[str, bytes | None]]] = []
    for i, call in enumerate(calls):
        disk.apply(call)
        if i in drawn or i == len(calls) - 1:
            at = f"power lost after call {call.number} ({call.kind})"
            states += [(f"{at}, late data", disk.after_late_data()), (f"{at}, late names", disk.after_late_names())]
    replayed = {name: content for name, content in disk.seen().items() if content is not None}
    inside = {name: content for name, content in replayed.items() if name.startswith(f"{prepared.run_folder}/")}
    if inside != there:
        differing = [name for name in {*inside, *there} if inside.get(name) != there.get(name)]
        yield [f"the record is not what was done: {', '.join(differing[:4])}"]
        return
    for number_of_state, (where, state) in enumerate(states):
        _put(state, prepared.run_folder)
        problems = [f"{where}: half a result: {name}" for name in prepared.half_written()]
        if number_of_state >= len(states) - 2:  # the command had said that it is done
            problems += [f"{where}: lost: {name}" for name in prepared.missing()]
        yield problems + list(same_again(prepared, where))

