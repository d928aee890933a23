"""The written form of tokens."""

import pytest

from tests.headline.parses import sentence
from widl.headline.written_words import written_words


@pytest.mark.parametrize(
    ("text", "kept", "words"),
    [
        ("Iran/PROPN/nmod:poss>2+ 's/PART/case>0 oil/NOUN/root>2", None, ["Iran's", "oil"]),
        ("Iran/PROPN/nmod:poss>2+ 's/PART/case>0 oil/NOUN/root>2", [2], ["oil"]),
        ("end/NOUN/compound>2+ -/PUNCT/punct>2+ May/PROPN/root>2", None, ["end-May"]),
        ("end/NOUN/compound>2+ -/PUNCT/punct>2+ May/PROPN/root>2", [1, 2], ["May"]),
        ("$/SYM/nmod>1+ 5/NUM/root>1", None, ["$5"]),
        ("A/X/root>0 -/PUNCT/punct>2+ 5/NUM/dep>0", None, ["A", "-5"]),
        ("A/X/root>0 end/X/dep>0+ -/PUNCT/punct>0 C/X/dep>0", None, ["A", "end", "C"]),
        ('Rain/NOUN/root>0 "/PUNCT/punct>2+ fell/VERB/dep>0+ "/PUNCT/punct>2', None, ["Rain", '"fell"']),
        ('Rain/NOUN/root>0 "/PUNCT/punct>2+ fell/VERB/dep>0+ "/PUNCT/punct>2', [0, 1, 2], ["Rain", "fell"]),
        ("A/X/root>0 (/PUNCT/punct>2+ B/X/dep>0+ )/PUNCT/punct>2 C/X/dep>0", [0, 1, 2, 4], ["A", "B", "C"]),
        ("A/X/root>0 </PUNCT/punct>2+ B/X/dep>0+ >/PUNCT/punct>2", None, ["A", "B"]),
        ("A/X/root>0 --/PUNCT/punct>0 B/X/dep>0+ ./PUNCT/punct>0", None, ["A", "B"]),
        ("A/X/root>0 b/X/dep>0+ ,/PUNCT/punct>0 C/X/dep>0", [0, 2, 3], ["A,", "C"]),
    ],
)
def test_written_words(text: str, kept: list[int] | None, words: list[str]) -> None:
    assert written_words(sentence(text), kept) == words
