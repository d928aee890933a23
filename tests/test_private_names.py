"""Names that other packages do not document and this package uses, with the versions that have them."""

import importlib
import tomllib
from importlib.metadata import version
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest
from py3langid.langid import MODEL_FILE, LanguageIdentifier
from sacremoses import MosesTokenizer

ROOT = Path(__file__).resolve().parents[1]

# sacremoses' rules are attributes of its tokenizer, py3langid's automaton of its identifier: `widl.text.segmentation`
# and `widl.text.language_identification` apply them to many lines at once.
RANGES = {
    "sacremoses": "sacremoses>=0.1.1,<0.3",
    "py3langid": "py3langid>=0.4,<0.5",
    "uvicorn": "uvicorn>=0.30,<1",
}
RULES = [
    *("COMMA_SEPARATE_1", "COMMA_SEPARATE_2", "COMMA_SEPARATE_3", "NON_SPECIFIC_APOSTROPHE"),
    *("ENGLISH_SPECIFIC_APOSTROPHE", "FR_IT_SPECIFIC_APOSTROPHE"),
    *("NONBREAKING_PREFIXES", "NUMERIC_ONLY_PREFIXES", "IsLower", "IsAlpha", "lang", "PAD_NOT_ISALNUM"),
    *("replace_multidots", "restore_multidots"),
]
AUTOMATON = ["nb_classes", "nb_ptc", "nb_pc", "tk_nextmove", "tk_row", "tk_output"]

def explain(package: str) -> str:
    """Instructions for upgrading the package."""
    return (
        f"{package} {version(package)} has changed inside: see who uses the name in src/widl, mend it, or narrow "
        f"{RANGES[package]!r} in pyproject.toml and here"
    )

def required(extra: str) -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements: list[str] = project["optional-dependencies"][extra]
    return requirements

def test_sacremoses_has_its_rules() -> None:
    moses = MosesTokenizer("en")
    assert [name for name in RULES if not hasattr(moses, name)] == [], explain("sacremoses")

def test_py3langid_has_its_automaton() -> None:
    model = LanguageIdentifier.from_model_file(MODEL_FILE)
    assert [name for name in AUTOMATON if not hasattr(model, name)] == [], explain("py3langid")

def test_uvicorn_has_its_protocol() -> None:
    protocol = importlib.import_module("uvicorn.protocols.http.h11_impl")
    assert hasattr(protocol, "H11Protocol"), explain("uvicorn")

def test_processes_are_started_by_a_method_that_can_be_overridden() -> None:
    """`widl.common.workers` overrides it, so that workers do not import the caller's program."""
    assert callable(SpawnProcess._Popen), "Python has changed inside: see _Process in src/widl/common/workers.py"
    assert "_Popen" in BaseProcess.start.__code__.co_names


@pytest.mark.parametrize("package", RANGES)
def test_versions_are_those_of_the_project(package: str) -> None:
    assert any(RANGES[package] in required(extra) for extra in ("translation", "headline", "explore"))
