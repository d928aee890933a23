"""A bigram model whose sums are easily added up."""

from pathlib import Path

import pytest

# log10: <s> a .1, <s> c .05, a b .2, a c .9, b a .15, b c .3, c </s> .1, everything else 1 (no back-off weights).
ARPA = r"""
\data\
ngram 1=6
ngram 2=7

\1-grams:
-3	<unk>	0
-99	<s>	0
-1	</s>	0
-1	a	0
-1	b	0
-1	c	0

\2-grams:
-0.1	<s> a
-0.05	<s> c
-0.2	a b
-0.9	a c
-0.15	b a
-0.3	b c
-0.1	c </s>

\end\
"""


@pytest.fixture
def arpa(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.arpa"
    file.write_text(ARPA.lstrip(), encoding="utf-8")
    return file


@pytest.fixture
def sentences(tmp_path: Path) -> Path:
    file = tmp_path / "three.txt"
    file.write_text("A b c .\n\nc b a\nb a !\n", encoding="utf-8")
    return file
