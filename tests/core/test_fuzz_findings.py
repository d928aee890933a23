"""What the fuzzers start from, and what they found, is read without a crash: a result, or one line of error."""

from collections.abc import Callable
from pathlib import Path

import pytest

from widl.decoder import load_language_model
from widl.errors import InputError

FOLDER = Path(__file__).parents[1] / "data" / "fuzz"
READERS: dict[str, Callable[[Path], object]] = {
    "arpa": load_language_model,
    "lm_binary": load_language_model,
}


@pytest.mark.parametrize(
    ("reader", "path"), [(name, path) for name in READERS for path in sorted(FOLDER.glob(f"{name}/*"))]
)
def test_it_is_read_or_refused(reader: str, path: Path) -> None:
    try:
        READERS[reader](path)
    except InputError as error:
        assert "\n" not in str(error)
