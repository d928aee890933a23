"""What other packages keep to themselves and we use all the same: named here, with the versions that have it."""

import ast
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacremoses import MosesTokenizer

import widl

PACKAGE = Path(widl.__file__).parent

# sacrebleu scores texts, and tuning needs the statistics of each candidate and its tokens; there is no public way to
# either. sacremoses' rules are attributes of its tokenizer, which `widl.text.segmentation` applies stretch by stretch.
RANGES = {"sacrebleu": "sacrebleu>=2.4,<3", "sacremoses": "sacremoses>=0.1.1,<0.3"}
PRIVATE = {"_preprocess_segment", "_ref_cache", "_compute_segment_statistics"}
RULES = [
    *("COMMA_SEPARATE_1", "COMMA_SEPARATE_2", "COMMA_SEPARATE_3", "NON_SPECIFIC_APOSTROPHE"),
    *("ENGLISH_SPECIFIC_APOSTROPHE", "FR_IT_SPECIFIC_APOSTROPHE"),
    *("NONBREAKING_PREFIXES", "NUMERIC_ONLY_PREFIXES", "IsLower", "IsAlpha", "lang"),
]


def explain(package: str) -> str:
    """What whoever upgrades a package should do."""
    return (
        f"{package} {version(package)} has changed inside: see who uses the name in src/widl, mend it, or narrow "
        f"{RANGES[package]!r} in pyproject.toml and here"
    )


def test_the_ranges_are_those_that_are_installed() -> None:
    try:
        project = tomllib.loads((PACKAGE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    except FileNotFoundError:
        pytest.skip("needs pyproject.toml")
    for package, wanted in RANGES.items():
        found = [line for line in project["project"]["dependencies"] if line.startswith(package)]
        assert found == [wanted], f"another range of {package}: try its private names with all of it, and say so here"


@pytest.mark.parametrize("metric", [BLEU(), TER(references=[["a b"]]), CHRF(references=[["a b"]])])
def test_sacrebleu_prepares_segments_by_itself(metric: BLEU | TER | CHRF) -> None:
    prepare = getattr(metric, "_preprocess_segment", None)
    assert prepare is not None, explain("sacrebleu")
    assert prepare("a b") == "a b", explain("sacrebleu")


def test_sacrebleu_keeps_references_and_statistics() -> None:
    ter, chrf = TER(references=[["a b"]]), CHRF(references=[["a b"]])
    cache = getattr(ter, "_ref_cache", None)
    assert cache, explain("sacrebleu")
    assert [list(words) for words in cache[0]["ref_words"]] == [["a", "b"]], explain("sacrebleu")
    count = getattr(chrf, "_compute_segment_statistics", None)
    assert count is not None, explain("sacrebleu")
    assert getattr(chrf, "_ref_cache", None), explain("sacrebleu")
    assert count("a b", chrf._ref_cache[0])[:3] == [2, 2, 2], explain("sacrebleu")


def test_sacremoses_has_its_rules() -> None:
    moses = MosesTokenizer("en")
    assert [name for name in RULES if not hasattr(moses, name)] == [], explain("sacremoses")


def test_no_other_private_names_are_used() -> None:
    """A private name that nothing in the package defines belongs to another package."""
    used: dict[str, str] = {}
    defined: set[str] = {"_exit"}  # of os: documented
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                defined.add(node.name)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                defined.add(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                defined.add(node.attr)
            elif isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.endswith("__"):
                used.setdefault(node.attr, str(path))
    assert {name: path for name, path in used.items() if name not in defined | PRIVATE | {"_core"}} == {}
