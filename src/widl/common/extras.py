"""Packages that only some uses of `widl` need: pyproject.toml has an extra for each use, such as ``widl[headline]``."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.metadata import PackageNotFoundError, requires

from widl.common.errors import MissingPackageError

TOOLS = frozenset({"test", "docs"})
"""Extras for the development of `widl`."""


@contextmanager
def optional_packages() -> Iterator[None]:
    """Around imports of packages that an extra installs; a missing one is an error of one line that names the extra.

    Raises:
        MissingPackageError: A package is missing, and an extra installs it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        names = [name for name, packages in extras().items() if package in packages and name not in TOOLS]
        if not names:
            raise
        ways = " or ".join(f"'widl[{name}]'" for name in names)
        raise MissingPackageError(f"this needs {package}; install it with: pip install {ways}", name=package) from None


@cache
def extras() -> dict[str, frozenset[str]]:
    """The packages that each extra installs, as an import spells them, by the metadata of the installed `widl`."""
    found: dict[str, set[str]] = {}
    for requirement in _requirements():
        package = re.match(r"[\w.-]+", requirement)
        extra = re.search(r"extra == ['\"]([\w-]+)", requirement)
        if package and extra and package[0] != "widl":  # the extra "all" names others
            found.setdefault(extra[1], set()).add(import_name(package[0]))
    return {name: frozenset(packages) for name, packages in found.items()}


def import_name(package: str) -> str:
    """The name that an import has for a package.

    >>> import_name("rouge-score"), import_name("OpenCC")
    ('rouge_score', 'opencc')
    """
    return re.sub(r"[-.]+", "_", package).lower()


def _requirements() -> list[str]:
    try:
        return requires("widl") or []
    except PackageNotFoundError:  # imported from a folder that is not installed
        return []
