"""What tells a file from a later one of the same name, and opening files that may be replaced meanwhile."""

import os
import stat
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TypeVar

from widl.errors import InputError

Opened = TypeVar("Opened")

_ATTEMPTS = 100  # to open files that others replace


def stamp_of(status: os.stat_result) -> list[int]:
    """Size, inode, and the times in nanoseconds of the last change of a file's content and of its state.

    The content's time can be set at will, and copies keep it; the state's time is the system's own.
    """
    return [status.st_size, status.st_ino, status.st_mtime_ns, status.st_ctime_ns]


def opened_whole(paths: Sequence[Path], open_files: Callable[[ExitStack], Opened]) -> Opened:
    """What `open_files` opens while none of the paths is replaced or changed, so that all of it belongs together.

    It is called again if that happened; what it puts on the stack is closed before.
    """
    for _ in range(_ATTEMPTS):
        with ExitStack() as to_close, ExitStack() as handles:
            before = [_held(path, links, handles) for path in paths for links in (True, False)]
            try:
                opened = open_files(to_close)
            except (InputError, OSError):
                if _are_same(before, paths):
                    raise
                continue
            if _are_same(before, paths):
                to_close.pop_all()
                return opened
    raise InputError(f"{paths[0]}: replaced again and again while it was opened; try again later")


def _held(path: Path, follow_links: bool, handles: ExitStack) -> os.stat_result | None:
    """What is at a path, held open: else the system could give the inode of a removed file to its successor."""
    if hasattr(os, "O_PATH"):  # any other way of opening would wait for a pipe's other end
        with suppress(OSError, ValueError):
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC | (0 if follow_links else os.O_NOFOLLOW))
            handles.callback(os.close, handle)
            return os.fstat(handle)
    return _found(path, follow_links)


def _found(path: Path, follow_links: bool) -> os.stat_result | None:
    try:
        return os.stat(path, follow_symlinks=follow_links)
    except (OSError, ValueError):
        return None


def _are_same(before: Sequence[os.stat_result | None], paths: Sequence[Path]) -> bool:
    now = [_found(path, links) for path in paths for links in (True, False)]
    return all(map(_is_same, before, now))


def _is_same(before: os.stat_result | None, now: os.stat_result | None) -> bool:
    """Whether it is the same file, link or directory, unchanged; in a directory entries may come and go."""
    if before is None or now is None:
        return before is now
    if (before.st_dev, before.st_ino) != (now.st_dev, now.st_ino):
        return False
    if stat.S_ISDIR(now.st_mode) and before.st_mtime_ns != now.st_mtime_ns:
        return True
    return stamp_of(before) == stamp_of(now)  # what was moved away and back has another time of its state
