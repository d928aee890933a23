"""The versions that tokens depend on: machines that tokenise together need the same."""

import platform
import unicodedata
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from widl.common.errors import InputError

_PACKAGES = "rjieba", "sacremoses", "py3langid", "ftfy", "opencc"


def text_environment() -> dict[str, str]:
    """Versions by name, of this process."""
    major, minor, _ = platform.python_version_tuple()
    return {
        "Python": f"{major}.{minor}",
        "Unicode": unicodedata.unidata_version,
        **{package: _version(package) for package in _PACKAGES},
    }


def check_text_environment(expected: Mapping[str, str]) -> None:
    """InputError if this process has other versions than the one where the work began."""
    found = text_environment()
    for name, wanted in expected.items():
        if found.get(name) != wanted:
            raise InputError(
                f"{name} {found.get(name)} here, but {wanted} where the work began; "
                "tokens could differ, so install the same version on all machines"
            )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
