"""Calls the command line in this process and returns its exit status and output, like a program's."""

import io
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch


def _text(stream: io.BytesIO, name: str) -> io.TextIOWrapper:
    stream.name = f"<{name}>"  # type: ignore[attr-defined]
    errors = "backslashreplace" if name == "stderr" else "strict"  # like Python's default
    return io.TextIOWrapper(stream, "utf-8", errors, newline="\n", write_through=name != "stdin")


def widl(
    *arguments: str | Path, stdin: bytes = b"", together: bool = False, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Returns exit code, stdout and stderr; `together`: both streams in stdout, as in a terminal."""
    from widl.cli import main

    words, out = ["widl", *map(str, arguments)], io.BytesIO()
    err = out if together else io.BytesIO()
    streams = {"stdin": _text(io.BytesIO(stdin), "stdin"), "stdout": _text(out, "stdout")}
    streams["stderr"] = streams["stdout"] if together else _text(err, "stderr")
    code: object = 0
    with patch.multiple(sys, argv=words, **streams), patch.dict(os.environ, environment or {}):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    return subprocess.CompletedProcess(words, int(str(code or 0)), out.getvalue(), b"" if together else err.getvalue())


def widl_text(*arguments: object, text: str | bytes = "", path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """`widl` with text input and output; `path`: where to look for programs."""
    stdin, environment = text.encode() if isinstance(text, str) else text, {"PATH": str(path)} if path else None
    done = widl(*map(str, arguments), stdin=stdin, environment=environment)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def refused(result: subprocess.CompletedProcess[bytes] | tuple[int, str, str]) -> str:
    """The single line printed by a refusal, from the result of `widl` or the fixture `run`."""
    if isinstance(result, tuple):
        code, out, err = result
        assert out == ""
    else:
        code, err = result.returncode, result.stderr.decode()
    assert code == 2, err
    lines = err.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("error: ")
    return lines[0].removeprefix("error: ")


def toml(folder: Path, text: str) -> Path:
    """An options file."""
    path = folder / "options.toml"
    path.write_text(text, encoding="utf-8")
    return path
