"""The function that a worker of a Dask cluster runs for a chunk."""

import pickle
from collections.abc import Sequence
from typing import Any

from widl import __version__
from widl.errors import InputError


def run_chunk(work: bytes, version: str, items: Sequence[Any]) -> list[Any]:
    """The results of pickled work (see `widl.workers.Engine`) on the items, on this thread.

    Unpickling opens the work's large files, once in a process. Errors that the user can mend are InputErrors with the
    worker's address.
    """
    if version != __version__:
        raise InputError(
            f"worker {_here()} has widl {__version__}, but this work is of {version}; install the same version on all"
        )
    try:
        return list(pickle.loads(work)(items, 1))
    except InputError as error:
        raise InputError(f"worker {_here()}: {error}") from None
    except OSError as error:
        text = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
        raise InputError(f"worker {_here()}: {text}") from None


def _here() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().address)
    except ValueError:
        return "here"  # not in a worker
