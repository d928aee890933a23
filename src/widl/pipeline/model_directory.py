"""Model directories as they are made: whole, or not there at all."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from widl.errors import InputError
from widl.manifests import MANIFEST


def file_sizes(directory: Path) -> dict[str, int]:
    """Sizes of all files in a directory, for a manifest."""
    return {path.name: path.stat().st_size for path in sorted(directory.iterdir()) if path.name != MANIFEST}


def check_output_directory(path: Path, *, overwrite: bool) -> None:
    """Raise InputError unless a model can be written at `path`; tried before the work, not after it."""
    if path.exists() and not path.is_dir():
        raise InputError(f"{path}: is a file; name a directory for the model")
    if path.is_dir() and any(path.iterdir()):
        if not (path / MANIFEST).exists():
            raise InputError(f"{path}: exists and is no model; name a new or an empty directory")
        if not overwrite:
            raise InputError(f"{path}: holds a model already; add --overwrite to replace it")
    parent = path.absolute().parent
    if not parent.is_dir():
        raise InputError(f"{parent}: no such directory; make it first, or name another place for the model")
    if not os.access(parent, os.W_OK):
        raise InputError(f"{parent}: not writable; name another place for the model")


@contextmanager
def new_model_directory(path: Path) -> Iterator[Path]:
    """A directory to fill, which becomes `path` in one step at the end, or vanishes after an error."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.mkdir()
    try:
        yield temporary
        for file in temporary.iterdir():
            with file.open("rb") as handle:
                os.fsync(handle.fileno())
        if path.exists():
            old = path.with_name(f".{path.name}.{os.getpid()}.old")
            path.rename(old)
            temporary.rename(path)
            shutil.rmtree(old)
        else:
            temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise
