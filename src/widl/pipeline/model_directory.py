"""Writing model directories: a directory appears only when it is complete."""

import ctypes
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from widl.errors import InputError
from widl.files import replacing, sync
from widl.hashing import Hashes
from widl.jobs import Job, open_job, remove_job
from widl.manifests import MANIFEST

_NEW_MODEL = "model"
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


def file_facts(directory: Path) -> dict[str, Any]:
    """Sizes and SHA-256 of all files in a directory, as a manifest's fields."""
    paths, hashes = [path for path in sorted(directory.iterdir()) if path.name != MANIFEST], Hashes()
    return {
        "files": {path.name: path.stat().st_size for path in paths},
        "sha256": {path.name: hashes.of(path) for path in paths},
    }


def work_directory(model: Path) -> Path:
    """The directory of a training's finished steps until its model is complete."""
    return model.with_name(f"{model.name}.work")


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
            raise InputError(f"{path}: holds a model already; add --overwrite to replace it")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise InputError(f"{parent}: no such directory; make it first, or name another place for the model")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{parent}: not writable; name another place for the model")


def _is_of_interrupted_job(path: Path) -> bool:
    """Whether a training wrote this model and was then interrupted; the same command finishes it."""
    copy = work_directory(path) / MANIFEST
    return copy.is_file() and copy.read_bytes() == (path / MANIFEST).read_bytes()


def open_training(model: Path, kind: str) -> AbstractContextManager[Job]:
    """The training job of a model, in a directory beside it that is removed when the model is complete."""
    return open_job(work_directory(model), kind, temporary=True)


@contextmanager
def new_model_directory(path: Path, job: Job) -> Iterator[Path]:
    """A directory to write the model and its manifest to; it is renamed to `path` at the end, in a single step."""
    temporary = job.path(_NEW_MODEL)
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    yield temporary
    _write_through(temporary)
    with replacing(job.path(MANIFEST)) as copy:
        shutil.copyfile(temporary / MANIFEST, copy)
    _put_in_place(temporary, path)  # an old model is removed with the job's directory


@contextmanager
def quick_model_directory(path: Path) -> Iterator[Path]:
    """The same for a model that is made in a single step; after an error nothing is left."""
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.absolute().parent) as folder:
        temporary = Path(folder) / _NEW_MODEL
        temporary.mkdir()
        yield temporary
        _write_through(temporary)
        _put_in_place(temporary, path)


def _write_through(directory: Path) -> None:
    for file in directory.iterdir():
        sync(file)
    sync(directory)


def _put_in_place(new: Path, path: Path) -> None:
    if path.exists():
        _exchange(new, path)
    else:
        new.rename(path)
    sync(path.parent)


def _exchange(first: Path, second: Path) -> None:
    """Exchange two directories atomically, or by two renamings where the system has no such call."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:  # a C library without it
        exchanged = False
    else:
        exchanged = rename(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _RENAME_EXCHANGE) == 0
    if not exchanged:
        third = first.with_name(f"{first.name}.old")
        second.rename(third)
        first.rename(second)
