"""Files that are refused after a change of their text."""

from collections.abc import Callable
from pathlib import Path

import pytest

from widl.common.errors import InputError

Change = tuple[str, str, str]
"""The text to replace, its replacement, and a part of the message, as a regular expression."""


def changes(*cases: Change) -> pytest.MarkDecorator:
    """Runs a test for each `change`."""
    return pytest.mark.parametrize("change", cases)


def assert_refused(file: Path, change: Change, read: Callable[[], object]) -> None:
    """Changes a file, and asserts that reading it is refused with the message."""
    old, new, message = change
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read()
