"""The lines of keys in a TOML file, for messages: tomllib reads values without their lines."""

import os
import tomllib
from collections.abc import Sequence
from typing import Any

from widl.common.arguments import PathLike
from widl.common.files import open_source

Keys = Sequence[str | int]
"""The way to a value: keys of tables, positions in lists."""


def toml_location(path: PathLike, *ways: Keys) -> str:
    """``FILE:LINE`` of the first of several ways that the file has; else of the longest part of the first way; else
    only ``FILE``.
    """
    with open_source(path) as stream:
        text = stream.read().decode("utf-8-sig")
    parts = [ways[0][:size] for size in range(len(ways[0]) - 1, 0, -1)] if ways else []
    line = next(filter(None, (line_of(text, keys) for keys in (*ways, *parts))), 0)
    return f"{os.fspath(path)}:{line}" if line else os.fspath(path)


def line_of(text: str, keys: Keys) -> int:
    """The line, from 1, of the statement that gives a value; 0 if there is none.

    The beginnings of a TOML file that are whole statements are TOML, too: the first with the value ends in it.

    >>> line_of("a = [\\n  1,\\n]\\n\\n[[b]]\\nc = 2\\n[[b]]\\nc = 3", ["b", 1, "c"])
    8
    """
    lines = text.splitlines(keepends=True)
    begin = 1
    for end in range(1, len(lines) + 1):
        try:
            values = tomllib.loads("".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        if _has(values, keys):
            return begin
        begin = end + 1
    return 0


def _has(value: Any, keys: Keys) -> bool:
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return False
    return bool(keys)
