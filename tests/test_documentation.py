"""The examples of the documentation and of docstrings run and give what they say."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = ("counting", "enumeration", "expressions", "json_form", "parsing")


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_pages(page: str) -> None:
    failed, _ = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, encoding="utf-8")
    assert failed == 0


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module: str) -> None:
    failed, attempted = doctest.testmod(importlib.import_module(f"widl.decoder.{module}"))
    assert (failed, attempted > 0) == (0, True)
