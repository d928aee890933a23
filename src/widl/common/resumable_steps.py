"""Jobs: named steps in a directory. A finished step is skipped as long as its inputs are unchanged.

    with open_job(directory, "training") as job:
        job.run("parses", lambda: parse_all(documents, job.path("parses.jsonl.gz")),
                files=[documents], settings={"parser": "chart"}, outputs=["parses.jsonl.gz"])
        weights = job.value("weights", lambda: fit(...), files={"parses": job.path("parses.jsonl.gz")})

Run the same command again to resume an interrupted job: finished steps are skipped. A step is identified by its name. A
step is skipped if it was finished with the same inputs and its outputs are unchanged. The inputs are:

- `files`: files and directories, by size and time of last change,
- `settings`: any JSON value, and pydantic models, dataclasses, paths,
- `after`: earlier steps, by their inputs,
- the version of this program.

``job.json`` records the finished steps. It is replaced completely after each step, so a killed process loses only its
current step. ``job.log`` records each action with its time, reason, and duration. It is also the lock: a single process
at a time works on a job.
"""

import contextlib
import fcntl
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from widl import __version__
from widl.common.errors import InputError, MissingFileError
from widl.common.json_values import as_json, digest, write_json

RECORD, LOG = "job.json", "job.log"
Notify = Callable[[str], None]
Files = Mapping[str, Path] | Sequence[Path]
"""The files that a step reads, by names, or as a list that is named by number and file name; paths don't matter."""
T = TypeVar("T")

_FORMAT = 2  # of the record
_HEX_DIGITS_OF_HASH = 64


@dataclass(frozen=True)
class JobInputs:
    """The inputs of a whole job: files by name, and settings that are JSON values.

    owner: the directory that the files belong to, such as a model's. Messages name it; a moved one is the same.
    """

    files: Mapping[str, Path] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    owner: Path | None = None


class Job:
    """An open job of this process; see `open_job`."""

    def __init__(self, directory: Path, state: dict[str, Any], log: Notify, notify: Notify) -> None:
        self.directory = directory
        self._state = state
        self._steps: dict[str, Any] = state["steps"]
        self._log = log
        self._notify = notify
        self._used: list[str] = []  # names of the requested steps, in order
        self.seconds: dict[str, float] = {}
        """Duration in seconds of each step that ran in this process."""

    def path(self, output: str) -> Path:
        """The path of an output."""
        return self.directory / output

    def notify(self, text: str) -> None:
        """Write a line to the log, and show it to the user."""
        self._log(text)
        self._notify(text)

    def run(
        self,
        name: str,
        make: Callable[[], object],
        *,
        outputs: Sequence[str],
        files: Files = (),
        settings: object = None,
        after: Sequence[str] = (),
    ) -> bool:
        """Run a step unless it is finished; returns whether it ran. The result of `make` is discarded."""
        if name in self._used:
            raise ValueError(f"two steps are called {name!r}")
        self._used.append(name)
        made_from = self._made_from(files, settings, after)
        reason = self._reason(name, made_from, outputs)
        if reason is None:
            return False
        self.notify(f"{name}: {reason}")
        self._steps.pop(name, None)
        for output in outputs:
            self.path(output).parent.mkdir(parents=True, exist_ok=True)
        clock = time.monotonic()
        make()
        self.seconds[name] = time.monotonic() - clock
        self._steps[name] = {
            "made_from": made_from,
            "outputs": {output: stamp_of(self.path(output)) for output in outputs},
            "key": digest(made_from),
            "finished": timestamp(),
            "seconds": round(self.seconds[name], 3),
        }
        self._save()
        self.notify(f"{name}: finished in {self.seconds[name]:.1f} s")
        return True

    def value(
        self,
        name: str,
        make: Callable[[], T],
        *,
        files: Files = (),
        settings: object = None,
        after: Sequence[str] = (),
    ) -> T:
        """The result of `make`, of JSON's types; read from ``NAME.json`` if the step is finished."""
        output = f"{name}.json"
        self.run(
            name,
            lambda: write_json(self.path(output), make()),
            outputs=[output],
            files=files,
            settings=settings,
            after=after,
        )
        value: T = self.read(output)
        return value

    def read(self, output: str) -> Any:
        """The JSON in a finished step's output."""
        return json.loads(self.path(output).read_text(encoding="utf-8"))

    def digest(self, *, files: Files = (), settings: object = None) -> str:
        """A name for the saved state of a step with these inputs, for steps that resume by themselves."""
        return digest(self._made_from(files, settings, ()))

    def timings(self) -> list[dict[str, Any]]:
        """Name, time of completion and seconds of each step that was run or skipped."""
        names = (name for name in self._used if name in self._steps)
        return [{"step": name, **{k: self._steps[name][k] for k in ("finished", "seconds")}} for name in names]

    @property
    def has_finished_steps(self) -> bool:
        """Whether there is anything to resume."""
        return bool(self._steps)

    def begin(self, command: JobInputs) -> None:
        """Record the job's inputs; InputError if the job has other inputs recorded."""
        made_from = {"settings": as_json(command.settings), "files": _stamps(command.files)}
        owner = None if command.owner is None else os.path.abspath(command.owner)
        recorded = self._state.get("command")
        if recorded is not None and any(recorded[part] != made_from[part] for part in made_from):
            changed = [name for name, stamp in made_from["files"].items() if recorded["files"].get(name) != stamp]
            difference = (
                _changed_file(changed[0], recorded.get("owner"), owner)
                if changed
                else _first_difference(recorded["settings"], made_from["settings"])
            )
            raise InputError(
                f"{self.directory / RECORD}: the job {difference}; "
                "run the original command to resume, or name another directory"
            )
        self._state["command"] = {**made_from, "owner": owner}
        self._save()

    def _made_from(self, files: Files, settings: object, after: Sequence[str]) -> dict[str, Any]:
        # Not identified by paths: files and job directories may be moved.
        named = files if isinstance(files, Mapping) else {f"{i} {path.name}": path for i, path in enumerate(files, 1)}
        return {
            "program": __version__,
            "settings": as_json(settings),
            "files": _stamps(named),
            "steps": {name: self._steps[name]["key"] for name in after},
        }

    def _reason(self, name: str, made_from: Mapping[str, Any], outputs: Sequence[str]) -> str | None:
        """Why a step must run; None if it is finished."""
        recorded = self._steps.get(name)
        if recorded is None:
            return "started"
        if recorded["made_from"] != made_from:
            return "started again: " + _change_description(recorded["made_from"], made_from)
        for output in outputs:
            path = self.path(output)
            if not path.exists():
                return f"started again: {output} is gone"
            if recorded["outputs"].get(output) != stamp_of(path):
                return f"started again: {output} was changed"
        return None

    def _save(self) -> None:
        write_json(self.directory / RECORD, self._state)


def stamp_of(path: Path) -> list[Any]:
    """Size and modification time (ns) of a file; for a directory, names and stamps of its visible files."""
    try:
        status = path.stat()
    except FileNotFoundError:
        raise MissingFileError(f"{path}: no such file or directory") from None
    if not path.is_dir():
        return [status.st_size, status.st_mtime_ns]
    inside = (file.relative_to(path) for file in sorted(path.rglob("*")) if file.is_file())
    names = [name for name in inside if not any(part.startswith(".") for part in name.parts)]
    return [[str(name), *stamp_of(path / name)] for name in names]


def _stamps(files: Mapping[str, Path]) -> dict[str, list[Any]]:
    return {name: stamp_of(path) for name, path in files.items()}


@contextlib.contextmanager
def open_job(
    directory: Path,
    kind: str,
    *,
    command: JobInputs | None = None,
    temporary: bool = False,
    shared: bool = False,
    notify: Notify = lambda _: None,
) -> Iterator[Job]:
    """Begin a job, or resume the one in the directory.

    Args:
        directory: New, empty, or of a job of the same kind; created if it does not exist.
        kind: The name of the job in messages.
        command: inputs of the whole job, so that a command with other inputs can't resume it. Without them, steps whose
            inputs changed run again.
        temporary: Whether the directory is removed when the job is finished, or fails in its first step.
        shared: Whether there may be other files in the directory.
        notify: Called with a message for every step that runs: why, and how long it took.

    Raises:
        InputError: The directory belongs to something else or was begun with another command, or another process
            works in it.
    """
    _check_directory(directory, kind, shared=shared)
    directory.mkdir(parents=True, exist_ok=True)
    with _open_log(directory) as log:
        job = Job(directory, _read_state(directory / RECORD, kind), log, notify)
        _remove_leftovers(directory, shared=shared)
        job.begin(command or JobInputs())
        log(f"widl {__version__}: {kind}")
        try:
            yield job
        except BaseException as error:
            interrupted = isinstance(error, (KeyboardInterrupt, SystemExit))
            log("interrupted" if interrupted else f"stopped: {type(error).__name__}: {error}")
            if temporary and not job.has_finished_steps:
                remove_job(directory)
            raise
        log("finished")
        if temporary:
            remove_job(directory)


@contextlib.contextmanager
def _open_log(directory: Path) -> Iterator[Notify]:
    """Writes a line to the log, which is locked until this process closes it or ends; a full disk is no error."""
    path = directory / LOG
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The process that held the lock may just have removed the directory.
            is_locked = path.exists() and os.path.samestat(os.fstat(handle), path.stat())
        except BlockingIOError:
            is_locked = False
        if not is_locked:
            raise InputError(f"{directory}: in use by another process; wait for it to end, or name another directory")

        def write(text: str) -> None:
            with contextlib.suppress(OSError):
                os.write(handle, f"{timestamp()} {' '.join(text.splitlines())}\n".encode("utf-8", "replace"))

        yield write
    finally:
        os.close(handle)


def timestamp() -> str:
    """Now, in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _check_directory(directory: Path, kind: str, *, shared: bool) -> None:
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory}: exists and is not a directory; name another one for the {kind}")
    if directory.is_dir() and not shared and not (directory / LOG).is_file() and any(directory.iterdir()):
        raise InputError(f"{directory}: exists and holds no {kind}; name a new or an empty directory")


def remove_job(directory: Path) -> None:
    """Remove a job's directory if it exists, and the remains of an interrupted removal."""
    removed = directory.with_name(f".{directory.name}.tmp")
    remove_tree(removed)
    if directory.exists():
        directory.rename(removed)  # atomic: a partly removed job could not be resumed
        remove_tree(removed)


def remove_tree(directory: Path) -> None:
    """Remove a directory if it exists, even if others still write into it: readers of a model that was replaced."""
    for _ in range(10):
        shutil.rmtree(directory, ignore_errors=True)
        if not directory.exists():
            return
    shutil.rmtree(directory)


def _remove_leftovers(directory: Path, *, shared: bool) -> None:
    """Remove incomplete files of a process that was killed; the lock is held."""
    left = directory.glob(f".{RECORD}.*.tmp") if shared else directory.rglob(".*.tmp")
    for path in list(left):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _read_state(file: Path, kind: str) -> dict[str, Any]:
    if not file.exists():
        return {"format": _FORMAT, "kind": kind, "steps": {}}
    try:
        state: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        if not (isinstance(state["kind"], str) and isinstance(state["steps"], dict)):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{file}: damaged; delete it to run all steps again") from None
    if state["kind"] != kind:
        raise InputError(f"{file.parent}: holds a {state['kind']}, not a {kind}; name another directory")
    if state.get("format") != _FORMAT:
        raise InputError(f"{file}: written by another version of widl; delete it to run all steps again")
    return state


def _changed_file(name: str, old_owner: str | None, owner: str | None) -> str:
    """The difference of a job's file, with its former and its present directory."""
    if old_owner is None or owner is None:
        return f"was started with different {name}"
    if old_owner == owner:
        return f"was started with {owner} as it was before its {name} changed"
    return f"was started with {old_owner}, not with {owner}"


def _first_difference(old: object, new: object, name: str = "") -> str | None:
    """The first difference between a job's settings and a command's; None if they are equal.

    >>> _first_difference({"nbest": 10}, {"nbest": 11})
    'has nbest = 10, not 11'
    """
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        inner = (
            _first_difference(old.get(key), new.get(key), f"{name}.{key}" if name else key)
            for key in dict.fromkeys([*new, *old])
        )
        return next((difference for difference in inner if difference is not None), None)
    if old == new:
        return None
    if any(isinstance(value, str) and len(value) == _HEX_DIGITS_OF_HASH for value in (old, new)):
        return f"was started with different {name}"
    return f"has {name} = {json.dumps(old, ensure_ascii=False)}, not {json.dumps(new, ensure_ascii=False)}"


def _change_description(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """Why a step's key has changed, in a few words."""
    if old.get("program") != new["program"]:
        return "the program is newer"
    for part in ("files", "steps"):
        recorded, current = old.get(part, {}), new[part]
        if names := {name for name in {*recorded, *current} if recorded.get(name) != current.get(name)}:
            return f"{', '.join(sorted(names)[:3])} changed"
    if isinstance(old["settings"], dict) and isinstance(new["settings"], dict):
        keys = {*old["settings"], *new["settings"]}
        changed = sorted(key for key in keys if old["settings"].get(key) != new["settings"].get(key))
        return f"{', '.join(changed)} changed"
    return "settings changed"
