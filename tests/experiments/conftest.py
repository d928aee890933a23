"""A bigram model with sums that are easy to compute by hand."""

from pathlib import Path

import pytest

from tests.reference.arpa import arpa_text

# log10: <s> a .1, <s> c .05, a b .2, a c .9, b a .15, b c .3, c </s> .1, everything else 1 (no back-off weights).
ARPA = arpa_text(
    ["-3\t<unk>\t0", "-99\t<s>\t0", "-1\t</s>", "-1\ta\t0", "-1\tb\t0", "-1\tc\t0"],
    ["-0.1\t<s> a", "-0.05\t<s> c", "-0.2\ta b", "-0.9\ta c", "-0.15\tb a", "-0.3\tb c", "-0.1\tc </s>"],
)


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.arpa"
    file.write_text(ARPA, encoding="utf-8")
    return file


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    file = tmp_path / "three.txt"
    file.write_text("A b c .\n\nc b a\nb a !\n", encoding="utf-8")
    return file
