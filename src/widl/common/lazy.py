"""Packages whose names are loaded when they are first asked for, so that importing the package takes no time."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec

EXTRAS = {
    "distributed": "cluster",
    "jinja2": "experiments",
    "markupsafe": "experiments",
    "matplotlib": "experiments",
    "starlette": "explore",
    "uvicorn": "explore",
}
"""Packages that `widl` does not install by itself, and the extra that does."""


def is_installed(package: str) -> bool:
    """Whether a package can be imported."""
    return find_spec(package) is not None


def lazy_names(
    package: str, places: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names are defined in other modules.

    `places`: for each name its module, or ``module:name`` if it has another name in that module.
    """
    def load(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, _, other = places[name].partition(":")
        value: object = getattr(import_module(module), other or name)
        vars(sys.modules[package])[name] = value
        return value

    return load, lambda: sorted({*vars(sys.modules[package]), *places})
