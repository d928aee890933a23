"""Running commands under `intercept.c`: in a folder in memory, from a known state, disturbed at a chosen call."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.commands import Command, write_inputs

NOTHING, KILL_BEFORE, KILL_HALFWAY, KILL_AFTER, FAIL_ONCE, FAIL_FROM_HERE = range(6)
"""What to do at the chosen call, as in `intercept.c`."""

Snapshot = dict[str, str]
"""By path, a hash of each file's content."""

_PROJECT = Path(__file__).parents[2]
# The log, which has a line for each run; what was hashed when, with inodes and times.
_UNSTABLE = {"job.log", ".checked.json"}
_HASHED = re.compile(rb'"hashes": \{[^}]*\}')


@dataclass(frozen=True)
class Outcome:
    """How a command ended: exit status or minus the signal; calls counted; what it wrote to stderr."""

    status: int
    count: int
    stderr: str


def compiled(folder: Path) -> Path:
    """`intercept.c` as a library."""
    library = folder / "intercept.so"
    source = Path(__file__).with_name("intercept.c")
    flags = ["-std=gnu11", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra"]
    subprocess.run([os.environ.get("CC", "cc"), *flags, source, "-o", library, "-ldl", "-lpthread"], check=True)
    return library


class Server:
    """The process that forks commands; see `server.py`. `whole`: they do all that they do for users; see `light.py`."""

    def __init__(self, base: Path, *, whole: bool = False) -> None:
        self.base, self.root = base, base / "root"
        self.seconds = 0.0  # of the processor, for all commands
        self.root.mkdir()
        one_thread = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        environment = os.environ | one_thread | {"LD_PRELOAD": str(compiled(base))}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.server", *(["--whole"] if whole else [])],
            cwd=_PROJECT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        assert self._answer() == {"ready": True}

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def run(
        self, arguments: Sequence[str], *, at: int = 0, how: int = NOTHING, error: int = 0, log: Path | None = None
    ) -> Outcome:
        """Run a command line of `widl` in the folder ``run`` of the root."""
        err = self.base / "stderr"
        temporary = self.root / "tmp"
        temporary.mkdir(exist_ok=True)
        request = {
            "arguments": list(arguments), "folder": str(self.root / "run"), "root": str(self.root),
            "out": str(self.base / "stdout"), "err": str(err), "at": at, "how": how, "error": error,
            "log": str(log) if log else None, "environment": {"TMPDIR": str(temporary)},
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        self.seconds += answer["seconds"]
        return Outcome(answer["status"], answer["count"], err.read_text(errors="replace"))

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


@contextmanager
def serving(*, whole: bool = False) -> Iterator[Server]:
    """A server in a folder in memory where there is one, which is removed at the end."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    base = Path(tempfile.mkdtemp(prefix="widl-faults.", dir=memory))
    try:
        server = Server(base, whole=whole)
        try:
            yield server
        finally:
            server.close()
    finally:
        shutil.rmtree(base)


class Prepared:
    """A command with its inputs made; the state before it is run, and what it makes undisturbed.

    `replaces`: whether an earlier version of its results is there.
    """

    def __init__(self, server: Server, command: Command, *, replaces: bool = False) -> None:
        self.server, self.command = server, command
        self.run_folder = server.root / "run"
        self._start = server.base / "start"
        for folder in (self.run_folder, self._start, server.root / "tmp"):
            shutil.rmtree(folder, ignore_errors=True)
        self.run_folder.mkdir()
        write_inputs(self.run_folder)
        earlier = [command.earlier] if replaces and command.earlier else []
        for line in (*command.needs, *earlier):
            outcome = server.run(line)
            assert outcome.status == 0, (line, outcome.stderr)
        self.run_folder.rename(self._start)
        self.old = snapshot(self._start)
        self.reset()
        self.log = server.base / "log"
        outcome = server.run(command.arguments, log=self.log)
        assert outcome.status == 0, (command.arguments, outcome.stderr)
        self.calls = outcome.count
        self.new = snapshot(self.run_folder)

    def reset(self) -> None:
        """The state before the command."""
        shutil.rmtree(self.run_folder, ignore_errors=True)
        shutil.rmtree(self.server.root / "tmp", ignore_errors=True)
        shutil.copytree(self._start, self.run_folder, symlinks=True)  # with the files' times

    def leftovers(self) -> list[str]:
        """Temporary files that are still there."""
        names = [path for path in self.server.root.rglob("*") if not path.is_dir()]
        here = [path for path in names if path.name.endswith(".tmp") or path.name.startswith((".widl", "widl."))]
        return [str(path.relative_to(self.server.root)) for path in here + list((self.server.root / "tmp").iterdir())]

    def half_written(self) -> list[str]:
        """Results under their own names that are neither the old version nor the new one."""
        job = self.command.job
        now = {name: found for name, found in snapshot(self.run_folder).items() if _is_result(name, job)}
        known = {name: {self.old.get(name), self.new.get(name)} for name in {*self.old, *self.new}}
        wrong = [name for name, found in now.items() if found not in known.get(name, {None})]
        for name in self.old:  # what was there stays there
            if name not in now and _is_result(name, job):
                wrong.append(f"{name} is gone")
        models = {name.rsplit("/", 1)[0] for name in now if name.endswith("manifest.json")}
        for model in models:
            names = {name for name in {*now, *self.old, *self.new} if name.startswith(f"{model}/")}
            versions = [{n: v.get(n) for n in names} for v in (self.old, self.new)]
            if {n: now.get(n) for n in names} not in versions:
                wrong.append(f"{model} mixes two versions")
        return wrong

    def missing(self) -> list[str]:
        """Results of an undisturbed run that are not there as it left them."""
        now = snapshot(self.run_folder)
        return [name for name, found in self.new.items() if _is_result(name, "") and now.get(name) != found]


def same_again(prepared: Prepared, where: str) -> Iterator[str]:
    """What is wrong after the same command was run to its end."""
    outcome = prepared.server.run(prepared.command.arguments)
    if outcome.status != 0:
        yield f"{where}: the next run ends with {outcome.status}: {outcome.stderr.strip()[-300:]}"
        return
    now = snapshot(prepared.run_folder)
    if differing := [name for name in sorted({*now, *prepared.new}) if now.get(name) != prepared.new.get(name)]:
        yield f"{where}: other bytes after the next run: {', '.join(differing[:4])}"
    if left := prepared.leftovers():
        yield f"{where}: left behind: {', '.join(left[:4])}"


def _is_result(name: str, job: str) -> bool:
    parts = name.split("/")
    return not any(part.startswith(".") or part.endswith(".work") for part in parts) and not (job and parts[0] == job)


def snapshot(folder: Path) -> Snapshot:
    """The content of all files in a folder."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name not in _UNSTABLE]
    return {str(path.relative_to(folder)): _content_hash(path) for path in files}


def _content_hash(path: Path) -> str:
    content = path.read_bytes()
    if path.name == "job.json":
        content = _HASHED.sub(b"", content)
    return hashlib.sha256(content).hexdigest()
