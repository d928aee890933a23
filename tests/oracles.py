"""Other programs whose numbers are the expected ones."""

from types import ModuleType

import pytest


def oracle(module: str) -> ModuleType:
    """The module; skips the test where it is not installed, because there is no wheel of it and it did not build."""
    return pytest.importorskip(module, reason=f"needs {module.partition('.')[0]}, which does not build on this Python")
