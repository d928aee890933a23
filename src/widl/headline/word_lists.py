"""The lists of words that patterns over trees are about; they are part of the guards' file."""

import tomllib
from functools import cache
from importlib.resources import files


@cache
def word_list(name: str) -> frozenset[str]:
    """A list of words of the guards' file."""
    lists: dict[str, list[str]] = tomllib.loads(guards_text())["words"]
    return frozenset(lists[name])


@cache
def guards_text() -> str:
    """The guards' file of the package, `guards.toml`."""
    return files("widl.headline").joinpath("guards.toml").read_text(encoding="utf-8")
