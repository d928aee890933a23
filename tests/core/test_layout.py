"""A file of the core, its header and its tests have one name."""

from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "core"
APART = {"bindings", "examples", "fuzz", "testing"}  # the folders whose files are no part of the library
SOURCES = sorted(path for path in CORE.rglob("*.cpp") if path.relative_to(CORE).parts[0] not in APART)
OF_SEVERAL_HEADERS = {"search/worked_examples_test.cpp"}


def test_sources_are_found() -> None:
    assert len(SOURCES) > 50


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(CORE)))
def test_file_has_the_name_of_its_header(path: Path) -> None:
    header = path.with_name(f"{path.stem.removesuffix('_test')}.hpp")
    include = f'#include "{header.relative_to(CORE)}"'
    text = path.read_text(encoding="utf-8")
    if str(path.relative_to(CORE)) in OF_SEVERAL_HEADERS:
        return
    if path.stem.endswith("_test"):
        assert include in text.splitlines()
    else:
        assert text.startswith(include)
