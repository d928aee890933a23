"""Runs commands of `widl` in forks of a process that has everything loaded, with `intercept.c` preloaded.

A request is a line of JSON on stdin, the answer one on stdout: the exit status (negative: the signal that ended it),
how many calls were counted (of a process that ended by itself), and its CPU seconds.
"""

import contextlib
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import sys
from typing import Any

from tests.faults.light import lighten


def load_everything() -> None:
    """Import what any command may need, so that a fork need not."""
    import widl

    for module in pkgutil.walk_packages(widl.__path__, "widl."):
        if not module.name.endswith(("_core", "spacy_component", "cluster_worker")):
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


def _become(request: dict[str, Any], counts: int) -> None:
    """In the fork: do as the command line does, and end as it ends."""
    os.environ.update(request.get("environment", {}))
    os.chdir(request["folder"])
    for handle, name in ((0, os.devnull), (1, request["out"]), (2, request["err"])):
        opened = os.open(name, os.O_RDONLY if handle == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(opened, handle)
        os.close(opened)
    sys.argv = ["widl", *request["arguments"]]
    faults = ctypes.CDLL(None)
    faults.faults_count.restype = ctypes.c_long
    log = request.get("log")
    faults.faults_arm(
        request["root"].encode(),
        ctypes.c_long(request.get("at", 0)),
        request.get("how", 0),
        request.get("error", 0),
        log.encode() if log else None,
    )
    from widl.cli import main

    try:
        main()
    finally:
        os.write(counts, str(faults.faults_count()).encode())


def serve() -> None:
    """Answer requests until stdin ends."""
    load_everything()
    if "--whole" not in sys.argv:
        lighten()
    gc.freeze()
    # Programs that a command starts are not disturbed.
    for name in ("LD_PRELOAD",):
        os.environ.pop(name, None)
    print(json.dumps({"ready": True}), flush=True)
    for line in iter(sys.stdin.readline, ""):
        request = json.loads(line)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            _become(request, writing)
            sys.exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as counts:
            counted = counts.read()
        _, status, used = os.wait4(child, 0)
        answer = {
            "status": os.waitstatus_to_exitcode(status), "count": int(counted or 0),
            "seconds": used.ru_utime + used.ru_stime,
        }
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    serve()
