"""Other programs that provide expected values."""

from types import ModuleType

import pytest


def oracle(module: str) -> ModuleType:
    """Imports the module; skips the test if it is not installed, because it has no wheel and failed to build."""
    return pytest.importorskip(module, reason=f"needs {module.partition('.')[0]}, which does not build on this Python")
