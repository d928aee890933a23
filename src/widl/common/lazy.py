"""Packages that load their names on first use, so that importing the package takes no time."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path


def lazy_names(package: str, file: str) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package; its names are imported for type checkers in its `file`."""

    def load(name: str) -> object:
        if name.startswith("_") or name not in places_of(file):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, other = places_of(file)[name]
        value: object = getattr(import_module(module), other)
        if module == "widl._core" and isinstance(value, type):
            from widl.common.argument_types import checked

            checked(value)
        vars(sys.modules[package])[name] = value
        return value

    def names() -> list[str]:
        own = (name for name in vars(sys.modules[package]) if name.startswith("__"))
        return sorted({*own, *places_of(file)})

    return load, names


@cache
def places_of(file: str) -> dict[str, tuple[str, str]]:
    """For each name that a file imports in an ``if`` block, its module and its name there."""
    import ast  # importing ast takes as long as the parsing

    blocks = (node.body for node in ast.parse(Path(file).read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for block in blocks
        for node in block
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
