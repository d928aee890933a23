"""Private names of other packages that this package uses, with the versions that have them."""

from importlib.metadata import version

from sacremoses import MosesTokenizer

# sacremoses' rules are attributes of its tokenizer; `widl.text.segmentation` applies them piece by piece.
RANGES = {"sacremoses": "sacremoses>=0.1.1,<0.3"}
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


def test_sacremoses_has_its_rules() -> None:
    moses = MosesTokenizer("en")
    assert [name for name in RULES if not hasattr(moses, name)] == [], explain("sacremoses")
