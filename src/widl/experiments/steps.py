"""Named steps that are not run again while what they were made from is the same.

    steps = Steps(directory)
    steps.run("parse", lambda: parse_all(documents, steps.path("parsed.jsonl.gz")),
              files=[documents], settings={"parser": "chart"}, outputs=["parsed.jsonl.gz"], version=2)
    weights = steps.value("systems/widl/weights", lambda: tune(...),
                          files={"dev": dev, "parsed": steps.path("parsed.jsonl.gz")}, settings=config.tuning)

A step is known by its name. It is made from

- `settings`: anything JSON can say, and pydantic models, dataclasses, paths;
- `files`: files and directories, by the SHA-256 of their content (outputs of earlier steps among them: where a step
  made anew gives the same bytes, what comes after it stays);
- `version`: of the code that makes it; raise it when the code's results change.

It leaves `outputs`, files or directories in the experiment's directory (a step's function writes them whole, by
`widl.files.write_text` and the like), or, with `value`, anything that JSON can say, in ``NAME.json``. A step is skipped
when it was finished with the same things and its outputs are as it left them. Outputs that are gone or were changed
since are made again, and so is what depends on them if they come out different.

What is finished is in ``steps.json``, written whole after each step: a run killed at any moment goes on with the step
it was in. Steps that can go on by themselves (tuning jobs) keep their files in a folder named by `digest`, which is the
same as long as the step's inputs are.
"""

import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from widl.errors import InputError
from widl.files import write_text

STATE = "steps.json"
Tell = Callable[[str], None]
Files = Mapping[str, Path] | Sequence[Path]
"""What a step reads, by number and name or by names of its own; where they are makes no difference."""
T = TypeVar("T")

_SETTLED = 2_000_000_000  # nanoseconds: a file changed this lately may change again within its time stamp


class Steps:
    """The steps of one results directory."""

    def __init__(self, directory: Path, *, tell: Tell = lambda _: None) -> None:
        """`tell` hears of every step that is made, why, and how long it took."""
        self.directory = directory
        self._tell = tell
        self._file = directory / STATE
        state = _read_state(self._file)
        self._steps: dict[str, Any] = state["steps"]
        self._hashes = Hashes(state["hashes"])
        self.used: list[str] = []
        """Names of the steps asked for, in order."""

    def path(self, output: str) -> Path:
        """Where an output is."""
        return self.directory / output

    def run(
        self,
        name: str,
        make: Callable[[], object],
        *,
        outputs: Sequence[str],
        files: Files = (),
        settings: object = None,
        version: int = 1,
    ) -> bool:
        """Run a step unless it is finished; whether it was run. What `make` returns is not kept."""
        if name in self.used:
            raise ValueError(f"two steps are called {name!r}")
        self.used.append(name)
        made_from = self._made_from(files, settings, version)
        reason = self._reason(name, made_from, outputs)
        if reason is None:
            return False
        self._tell(f"{name}: {reason}")
        self._steps.pop(name, None)
        for output in outputs:
            self.path(output).parent.mkdir(parents=True, exist_ok=True)
        begun, clock = time.time(), time.monotonic()
        make()
        seconds = time.monotonic() - clock
        self._steps[name] = {
            "made_from": made_from,
            "outputs": {output: self._hashes.of(self.path(output)) for output in outputs},
            "finished": timestamp(),
            "begun": timestamp(begun),
            "seconds": round(seconds, 3),
        }
        self._save()
        self._tell(f"{name}: finished in {seconds:.1f} s")
        return True

    def value(
        self, name: str, make: Callable[[], T], *, files: Files = (), settings: object = None, version: int = 1
    ) -> T:
        """What `make` returns, of JSON's types, from ``NAME.json`` if the step is finished."""
        output = f"{name}.json"
        path = self.path(output)
        self.run(
            name, lambda: write_json(path, make()), outputs=[output], files=files, settings=settings, version=version
        )
        found: T = self.read(output)
        return found

    def read(self, output: str) -> Any:
        """The JSON in a finished step's output."""
        return json.loads(self.path(output).read_text(encoding="utf-8"))

    def digest(self, *, files: Files = (), settings: object = None, version: int = 1) -> str:
        """SHA-256 of what a step would be made from."""
        return digest(self._made_from(files, settings, version))

    def hash(self, path: Path) -> str:
        """SHA-256 of a file's or a directory's content; read only once while the file is as it was."""
        return self._hashes.of(path)

    def timings(self) -> list[dict[str, Any]]:
        """Of the steps of this run: name, when it was finished, and how many seconds it took."""
        names = (name for name in self.used if name in self._steps)
        return [{"step": name, **{k: self._steps[name][k] for k in ("finished", "seconds")}} for name in names]

    def _made_from(self, files: Files, settings: object, version: int) -> dict[str, Any]:
        # Not by their paths: files may be moved, and results directories too.
        named = files if isinstance(files, Mapping) else {f"{i} {path.name}": path for i, path in enumerate(files, 1)}
        hashes = {name: self.hash(path) for name, path in named.items()}
        return {"settings": as_json(settings), "files": hashes, "version": version}

    def _reason(self, name: str, made_from: Mapping[str, Any], outputs: Sequence[str]) -> str | None:
        """Why a step must be made; None if it is finished."""
        known = self._steps.get(name)
        if known is None:
            return "started"
        if known["made_from"] != made_from:
            return "started again: " + _difference(known["made_from"], made_from)
        for output in outputs:
            path = self.path(output)
            if not path.exists():
                return f"started again: {output} is gone"
            if known["outputs"].get(output) != self._hashes.of(path):
                return f"started again: {output} was changed"
        return None

    def _save(self) -> None:
        write_json(self._file, {"steps": self._steps, "hashes": self._hashes.known})


class Hashes:
    """SHA-256 of files and directories, remembered with the files' sizes and times."""

    def __init__(self, known: dict[str, list[Any]] | None = None) -> None:
        self.known = known if known is not None else {}

    def of(self, path: Path) -> str:
        """Of a file's bytes; of a directory, of the names and contents of all its files but hidden ones."""
        if not path.exists():
            raise FileNotFoundError(f"{path}: no such file or directory")
        if not path.is_dir():
            return self._of_file(path.absolute())
        inside = (file.relative_to(path) for file in sorted(path.rglob("*")) if file.is_file())
        names = [name for name in inside if not any(part.startswith(".") for part in name.parts)]
        return digest([[str(name), self._of_file((path / name).absolute())] for name in names])

    def _of_file(self, path: Path) -> str:
        status = path.stat()
        mark = [status.st_size, status.st_mtime_ns]
        known = self.known.get(str(path))
        if known is not None and known[:2] == mark:
            return str(known[2])
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if time.time_ns() - status.st_mtime_ns > _SETTLED:
            self.known[str(path)] = [*mark, found]
        return found


def as_json(value: object) -> Any:
    """A value as JSON gives it back; models, dataclasses, paths, tuples and sets as what they hold.

    >>> as_json({"paths": (Path("a"), Path("b")), 1: {2.5}})
    {'paths': ['a', 'b'], '1': [2.5]}
    """
    if isinstance(value, BaseModel):
        return json.loads(value.model_dump_json())  # where infinity is null
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return as_json(dataclasses.asdict(value))
    if isinstance(value, Mapping):
        return {str(name): as_json(one) for name, one in value.items()}
    if isinstance(value, (set, frozenset)):
        return sorted(as_json(one) for one in value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [as_json(one) for one in value]
    if isinstance(value, Path):
        return str(value)
    return value


def digest(value: object) -> str:
    """SHA-256 of a value as JSON."""
    text = json.dumps(as_json(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def write_json(path: Path, value: object) -> None:
    """A file of JSON, whole, its folder made if need be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_text(path) as file:
        json.dump(as_json(value), file, ensure_ascii=False, indent=1)
        file.write("\n")


def timestamp(seconds: float | None = None) -> str:
    """A moment (now) in UTC.

    >>> timestamp(0)
    '1970-01-01T00:00:00Z'
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _read_state(file: Path) -> dict[str, Any]:
    if not file.exists():
        return {"steps": {}, "hashes": {}}
    try:
        state = json.loads(file.read_text(encoding="utf-8"))
        if not all(isinstance(state[part], dict) for part in ("steps", "hashes")):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{file}: damaged; delete it, and all steps are made again") from None
    return {"steps": state["steps"], "hashes": state["hashes"]}


def _difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> str:
    """What changed, in a few words."""
    if old.get("version") != new["version"]:
        return "the program's step is a newer one"
    files = {name for name in {*old["files"], *new["files"]} if old["files"].get(name) != new["files"].get(name)}
    if files:
        return f"{', '.join(sorted(files)[:3])} changed"
    if isinstance(old["settings"], dict) and isinstance(new["settings"], dict):
        keys = {*old["settings"], *new["settings"]}
        changed = sorted(key for key in keys if old["settings"].get(key) != new["settings"].get(key))
        return f"{', '.join(changed)} changed"
    return "settings changed"
