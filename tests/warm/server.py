"""Runs command lines of `widl` in forks of a process that has everything loaded: `server.py SOCKET`; see `client.py`.

It ends when its stdin does, with the process that started it, and removes the socket's folder.
"""

import atexit
import contextlib
import gc
import importlib
import io
import json
import os
import pkgutil
import select
import shutil
import socket
import sys
import threading
import traceback
from typing import Any, NoReturn


def load_everything() -> None:
    """Import what any command may need, so that a fork need not."""
    import widl

    for module in pkgutil.walk_packages(widl.__path__, "widl."):
        if not module.name.endswith(("_core", "spacy_component")):
            with contextlib.suppress(ImportError):  # an extra that is not installed
                importlib.import_module(module.name)
    import multiprocessing.connection
    import multiprocessing.popen_spawn_posix  # noqa: F401
    import sqlite3  # noqa: F401

    import numpy  # noqa: F401
    import pypinyin  # noqa: F401
    import sacrebleu.metrics  # noqa: F401
    import sacremoses  # noqa: F401
    import spacy.lang.en  # noqa: F401

    from widl.text.cleaning import content_faults
    from widl.text.segmentation import make_tokenizer

    # What these load stays loaded.
    make_tokenizer("zh").tokenize("获得大奖的导演来自日本。")
    make_tokenizer("en").tokenize("The director comes from Japan.")
    content_faults([("获得大奖的导演来自日本。", "the director comes from Japan today")], "zh", "en")



def serve(address: str) -> None:
    """Answer clients, any number at a time."""
    load_everything()
    gc.collect()
    gc.freeze()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listener, 0], [], [])
            if 0 in ready:
                return
            connection, _ = listener.accept()
            with connection:
                if os.fork() == 0:
                    listener.close()
                    _answer(connection)
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(connection: socket.socket) -> NoReturn:
    """In the fork: do as the command line does, with streams as Python makes them, and end as it ends."""
    size, handles, _, _ = socket.recv_fds(connection, 8, 3)
    with connection.makefile("rb") as stream:
        request = json.loads(stream.read(int.from_bytes(size, "little")))
    for own, given in enumerate(handles):
        os.dup2(given, own)
        os.close(given)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "stdin"), _stream(1, "stdout"), _stream(2, "stderr")
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
    sys.argv = ["widl", *request["arguments"]]
    from widl.cli import main

    status = 0
    try:
        main()
    except SystemExit as stop:
        status = int(stop.code or 0)
    except BaseException:
        traceback.print_exc()
        status = 1
    status = _ended(status)
    connection.sendall(str(status).encode())
    os._exit(status)


def _ended(status: int) -> int:
    """What an interpreter does at its end, except freeing what the server has loaded; the status that it ends with."""
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            status = 120
    return status


def _stream(handle: int, name: str) -> io.TextIOWrapper:
    unbuffered = handle > 0 and bool(os.environ.get("PYTHONUNBUFFERED"))
    binary: Any = open(handle, "wb" if handle else "rb", 0 if unbuffered else -1, closefd=False)  # noqa: SIM115
    getattr(binary, "raw", binary).name = f"<{name}>"
    errors = "backslashreplace" if name == "stderr" else "strict"
    return io.TextIOWrapper(binary, "utf-8", errors, "\n", line_buffering=handle == 2, write_through=unbuffered)


if __name__ == "__main__":
    try:
        serve(sys.argv[1])
    finally:
        shutil.rmtree(os.path.dirname(sys.argv[1]))
