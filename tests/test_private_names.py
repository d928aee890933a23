"""Private names of other packages that this package uses, with the versions that have them."""

from importlib.metadata import version

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacremoses import MosesTokenizer

# sacrebleu scores texts, but tuning needs the statistics and tokens of each candidate; the public interface offers
# neither. sacremoses' rules are attributes of its tokenizer; `widl.text.segmentation` applies them piece by piece.
RANGES = {"sacrebleu": "sacrebleu>=2.4,<3", "sacremoses": "sacremoses>=0.1.1,<0.3"}
RULES = [
    *("COMMA_SEPARATE_1", "COMMA_SEPARATE_2", "COMMA_SEPARATE_3", "NON_SPECIFIC_APOSTROPHE"),
    *("ENGLISH_SPECIFIC_APOSTROPHE", "FR_IT_SPECIFIC_APOSTROPHE"),
    *("NONBREAKING_PREFIXES", "NUMERIC_ONLY_PREFIXES", "IsLower", "IsAlpha", "lang"),
]


def explain(package: str) -> str:
    """Instructions for upgrading the package."""
    return (
        f"{package} {version(package)} has changed inside: see who uses the name in src/widl, mend it, or narrow "
        f"{RANGES[package]!r} in pyproject.toml and here"
    )


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
