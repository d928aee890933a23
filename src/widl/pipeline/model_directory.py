"""Writing model directories: a directory appears only when it is complete."""

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

from widl import __version__
from widl.common.errors import InputError
from widl.common.files import replacing, sync
from widl.common.json_values import digest
from widl.common.manifests import MANIFEST, Manifest
from widl.common.resumable_steps import Job, open_job, remove_job, remove_tree, stamp_of

_NEW_MODEL = "model"
_COMMAND = ".made-from"
"""The file of a model that holds the `command_digest` of the command that made it."""


def work_directory(model: Path) -> Path:
    """The directory of a training's finished steps until its model is complete."""
    return model.with_name(f"{model.name}.work")


def command_digest(kind: str, files: Sequence[Path], settings: object) -> str:
    """A digest of a command that makes a model: its settings, and its files' sizes and modification times."""
    stamps = [stamp_of(path) for path in files]
    return digest({"program": __version__, "kind": kind, "files": stamps, "settings": settings})


def is_made(path: Path, command: str) -> bool:
    """Whether this command made the model at `path`. Removes the leftovers if it was interrupted at the end."""
    try:
        is_complete = (path / _COMMAND).read_text(encoding="utf-8") == command and (path / MANIFEST).is_file()
    except (OSError, UnicodeDecodeError):
        return False
    if not is_complete or work_directory(path).exists():  # then the job finishes
        return False
    remove_job(work_directory(path))
    remove_tree(_old(path))
    return True


def check_output_directory(path: Path, *, overwrite: bool) -> None:
    """Raise InputError unless a model can be written at `path`; checked before the work is done."""
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; name a directory for the model")
    if path.is_dir() and any(path.iterdir()):
        if not (path / MANIFEST).exists():
            raise InputError(f"{path}: exists and is no model; name a new or an empty directory")
        if not (overwrite or _is_of_interrupted_job(path)):
            if not work_directory(path).exists():
                remove_job(work_directory(path))  # completes an interrupted removal
            raise InputError(f"{path}: holds a model already; add --overwrite (in Python overwrite=True) to replace it")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise InputError(f"{parent}: no such directory; make it first, or name another place for the model")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{parent}: not writable; name another place for the model")


def _is_of_interrupted_job(path: Path) -> bool:
    """Whether a training run wrote this model and was then interrupted; the same command completes the run."""
    copy = work_directory(path) / MANIFEST
    return copy.is_file() and copy.read_bytes() == (path / MANIFEST).read_bytes()


def open_training(model: Path, kind: str) -> AbstractContextManager[Job]:
    """The training job of a model, in an adjacent directory that is removed when the model is complete."""
    return open_job(work_directory(model), kind, temporary=True)


@contextmanager
def new_model_directory(path: Path, command: str = "", job: Job | None = None) -> Iterator[Path]:
    """A directory to write the model and its manifest to; it is renamed to `path` at the end, in a single step.

    command: the `command_digest` for `is_made`. job: a training, which keeps what it made if it is interrupted.
    """
    folder_or_job: AbstractContextManager[str | Path]
    if job is None:
        folder_or_job = tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.absolute().parent)
    else:
        folder_or_job = nullcontext(job.directory)
    with folder_or_job as folder:
        temporary = Path(folder) / _NEW_MODEL
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        yield temporary
        if command:
            (temporary / _COMMAND).write_text(command, encoding="utf-8")
        for file in temporary.iterdir():
            sync(file)
        sync(temporary)
        with replacing(Path(folder) / MANIFEST) as copy:  # tells whose model it is, if the end is interrupted
            shutil.copyfile(temporary / MANIFEST, copy)
        _put_in_place(temporary, path)


def write_manifest(directory: Path, manifest: Manifest) -> None:
    """Write the manifest of a model, its last file."""
    (directory / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")


def _put_in_place(new: Path, path: Path) -> None:
    """Rename a complete model to `path`; an existing model there is moved away first, and then removed."""
    old = _old(path)
    remove_tree(old)
    if path.exists():
        path.rename(old)
    new.rename(path)
    sync(path.parent)
    remove_tree(old)


def _old(path: Path) -> Path:
    """Temporary place of a replaced model, until it is removed."""
    return path.with_name(f".{path.name}.old")
