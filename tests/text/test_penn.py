"""Penn Treebank tokenization of English."""

import gzip
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widl.text.penn import directed_quotes, penn_tokens, tokens_of_whole, training_lines

STRETCHES = r"""
Cannot gonna plain 1990s more'n 'tis 'twas U.S. U.S (so) it's dogs' a, 1,000 3: ... -- $5 5% . )
no.) AT&T '80s 'n' “so far” "so far", `` '' (“x”) x:y end?! b.c. d'ye
""".split()


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("It isn't, he can't, they're.", "It is n't , he ca n't , they 're ."),
        ("It isn’t “fun”.", "It is n't `` fun '' ."),
        ('"Yes," said Ann\'s sister, "and no."', "`` Yes , '' said Ann 's sister , `` and no . ''"),
        # Space-separated tokens of another style.
        ("the city's \" big \" plan didn't work .", "the city 's `` big '' plan did n't work ."),
        ("`` It is n't fun , '' he said .", "`` It is n't fun , '' he said ."),
        ("AT&T sold 5% – for $3.2 million – in the '80s.", "AT&T sold 5 % -- for $ 3.2 million -- in the '80s ."),
        ("He went to the U.S. in May, and stayed in the U.S.", "He went to the U.S. in May , and stayed in the U.S. ."),
        ("It grew by 1.0.", "It grew by 1.0 ."),
        ("", ""),
    ],
)
def test_penn_tokens(line: str, tokens: str) -> None:
    assert " ".join(penn_tokens(line)) == tokens
    assert " ".join(penn_tokens(tokens)) == tokens


@given(st.text(alphabet="ab1 .,'\"`-&$%“”’–…?\t", max_size=30))
def test_penn_tokens_keep_all_letters_and_have_no_blanks(line: str) -> None:
    tokens = penn_tokens(line)
    assert all(token and not any(map(str.isspace, token)) for token in tokens)
    assert [c for token in tokens for c in token if c.isalnum()] == [c for c in line if c.isalnum()]


@given(st.lists(st.sampled_from(STRETCHES)))
def test_tokens_of_stretches_are_those_of_the_line(stretches: list[str]) -> None:
    assert penn_tokens(" ".join(stretches)) == tokens_of_whole(directed_quotes([*stretches]))


@example("b ''1 a")
@example("''1 ''1")
@example("''1")
@given(st.text(alphabet="ab1U .,'“”`-&$%()[]?!:;@#…", max_size=30))
def test_tokens_of_arbitrary_stretches_are_those_of_the_line(line: str) -> None:
    whole = directed_quotes(line.replace("…", " ... ").split())
    assert penn_tokens(line) == tokens_of_whole(whole)


def test_text_for_the_language_model(tmp_path: Path) -> None:
    tokenised, raw = tmp_path / "a.tok.txt.gz", tmp_path / "b.raw.txt"
    tokenised.write_bytes(gzip.compress(b"It 's `` fun , '' he said .\n.\n"))
    raw.write_text("It isn't fun, he said.\n", encoding="utf-8")
    assert list(training_lines(tokenised)) == ["it 's `` fun , '' he said"]
    assert list(training_lines(raw)) == ["it is n't fun , he said"]
