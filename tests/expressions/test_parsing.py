"""The text form: accepted syntax, error messages, and depth."""

import re
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.expressions import (
    bag,
    choice,
    count_derivations,
    enumerate_strings,
    from_json,
    interleave,
    lock,
    parse_expression,
    read_expressions,
    seq,
    tiles,
    to_json,
    word,
    written_size,
)


def test_ascii_and_signs_and_juxtaposition() -> None:
    expected = interleave(lock("turkish government"), choice({"a": 0.65, "b": 0.35}), "in iraq", order={(2, 1, 3): 1})
    for text in (
        "∥{2 1 3: 1}(×(turkish · government), ∨{0.65, 0.35}(a, b), in · iraq)",
        "interleave{2 1 3: 1}(lock(turkish government), or{0.65, 0.35}(a, b), in iraq)",
        " ∥ { 2 1 3 : 1.0 }\t( ×( turkish government ) ,∨{.65,35e-2}(a,b),(in·iraq) ) ",
    ):
        assert parse_expression(text) == expected


def test_operators_names_as_words() -> None:
    assert parse_expression("lock or interleave tiles") == seq("lock", "or", "interleave", "tiles")
    assert parse_expression("or (a b)") == seq("or", seq("a b"))
    assert parse_expression('"or"') == word("or")


def test_quoted_words() -> None:
    assert parse_expression(r'"," · "(" · "\"" · "\\" · .') == seq(*map(word, [",", "(", '"', "\\", "."]))
    assert str(word('a"b')) == r'"a\"b"'


def test_groups_keep_the_structure() -> None:
    nested = seq(seq("a", "b"), "c")
    assert str(nested) == "(a · b) · c"
    assert parse_expression("(a · b) · c") == nested != seq("a", "b", "c")
    assert parse_expression("((a))") == word("a")


def test_forms_of_their_own() -> None:
    assert parse_expression("∨{scores: 0.5 0.2, 0.3 0.1}(a, b)") == choice(
        ("a", [0.5, 0.2]), ("b", [0.3, 0.1]), scores=True
    )
    assert parse_expression("∥{expmove: 0.5}(a, b)") == interleave("a", "b", expmove=0.5)
    assert parse_expression("∥{2 1: 0.2 0.3, shuffles: 0.8 0.7}(a b, c)") == interleave(
        "a b", "c", order={(2, 1): [0.2, 0.3]}, shuffles=[0.8, 0.7]
    )
    assert parse_expression("tiles{5, expmove: 0.5}(0-2: ×(a · b), 2 - 5 : c)") == tiles(
        5, {(0, 2): lock("a b"), (2, 5): "c"}, expmove=0.5
    )
    assert parse_expression("∨(a, b, c)") == choice("a", "b", "c")


FAULTS = [
    ("", "found the end, expected a word, an operator or '('", 0),
    ("∥(a, b", "found the end, expected ')' to close the ∥ of column 1", 6),
    ("foo(a)", "found '(' directly after the word 'foo', expected white space", 3),
    ('a "b', "found a double quote that nothing closes", 2),
    ("∨{0.5, 0.6}(a, b)", "∨: the probabilities sum to 1.1, not to 1", 0),
    ("∥{1 1: 1}(a, b)", "∥: the order '1 1' is not a permutation of its 2 arguments", 0),
    ("∥{1 2: 0.8, shuffles: 0.2}(a, ×(b c))", "∥: shuffles has 0.2, but there are none: every argument is", 0),
    ("∥{0.5, 0.5}(a, b)", "∥: found '0.5', expected 'NAME: NUMBER'", 2),
    ("tiles{2, expmove: 0.5}(a, b)", "found 'a', expected a span like '0-2:'", 23),
    ("tiles{0, expmove: 0.5}(0-0: a)", "tiles: the length must be at least 1", 0),
]


@pytest.mark.parametrize(("text", "message", "column"), FAULTS)
def test_faults_show_the_line_and_a_caret(text: str, message: str, column: int) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        parse_expression(text, where="input.widl:7")
    first, line, caret = str(caught.value).split("\n")
    assert first.startswith("input.widl:7: ")
    assert line.rstrip() == re.sub("[\0\v]", " ", text).replace("\ud800", " ").rstrip()
    assert caret == " " * column + "^"


def test_caret_under_wide_and_combining_characters() -> None:
    with pytest.raises(InputError) as caught:
        parse_expression("猫 e\u0301 )")  # 猫 takes two columns, the combining accent none
    assert str(caught.value).split("\n")[2] == " " * 5 + "^"


def test_caret_in_long_lines_and_in_texts_of_several_lines() -> None:
    with pytest.raises(InputError) as caught:
        parse_expression("x " * 1000 + ") " + "y " * 1000)
    _, line, caret = str(caught.value).split("\n")
    assert len(line) < 130
    assert line[caret.index("^")] == ")"
    with pytest.raises(InputError) as caught:
        parse_expression("∥(a,\n  b))\n")
    assert str(caught.value).split("\n")[1:] == ["  b))", "    ^"]


def test_read_expressions() -> None:
    lines = ["# a comment", "", '"#" a', '  {"nodes": [{"word": "b"}]}', "c )"]
    read = read_expressions(lines, name="x.widl")
    assert next(read) == (3, seq(word("#"), "a"))
    assert next(read) == (4, word("b"))
    with pytest.raises(InputError, match=r"^x\.widl:5: found '\)'"):
        next(read)
    assert str(word("#")) == '"#"'


_WORDS = "interleave|or(|lock(|tiles{|0.5|perms: |shuffles: |expmove: |scores: |1 2: 0.5|0-1:|∥(|∨(|猫|\n".split("|")
SYNTAX = st.lists(st.sampled_from([*'∥∨×·(){},:"\\# 12ab-', *_WORDS]), max_size=30).map("".join)


@given(st.one_of(st.text(max_size=40), SYNTAX))
@example("∥{" + "9" * 5000 + ": 1}(a)")
@example("tiles{1, expmove: 0.5}(" + "9" * 5000 + "-1: a)")
def test_any_text_is_an_expression_or_a_fault(text: str) -> None:
    try:
        expression = parse_expression(text, where="t")
    except InputError as error:
        assert str(error).startswith("t: ")
        assert str(error).splitlines()[-1].strip() == "^"
    else:
        assert parse_expression(str(expression)) == expression


DEEP = 10_000
SMALL_STACK = 256 << 10  # bytes: about 25 per level of nesting, too few for a recursive function


def on_a_small_stack(test: Callable[..., None]) -> Callable[..., None]:
    """Runs the test in a separate thread with a small stack, where recursion per level would crash the process."""

    @wraps(test)
    def run(**arguments: object) -> None:
        before = threading.stack_size(SMALL_STACK)
        try:
            with ThreadPoolExecutor(1) as thread:
                thread.submit(test, **arguments).result()
        finally:
            threading.stack_size(before)

    return run


@pytest.mark.slow
@pytest.mark.parametrize("operator", ["×(", "∥(a, ", "∨(a, ", "a (", "tiles{1, expmove: 0.5}(0-1: "])
@on_a_small_stack
def test_nested_deep(operator: str) -> None:
    text = operator * DEEP + "b" + ")" * DEEP
    expression = parse_expression(text)
    assert parse_expression(str(expression)) == expression
    assert from_json(to_json(expression)) == expression
    assert expression.size >= DEEP
    assert repr(expression).endswith("…>")
    if operator in ("×(", "a ("):
        assert count_derivations(expression) == 1
        (only,) = enumerate_strings(expression)
        assert only.string.endswith("b")


@pytest.mark.slow
@on_a_small_stack
def test_shared_deep() -> None:
    expression = choice("a", "b")
    for _ in range(DEEP):
        expression = seq(expression, expression)
    assert expression.size == DEEP + 3
    assert written_size(expression).bit_length() > DEEP
    with pytest.raises(InputError, match="too many derivations to count"):
        count_derivations(expression)
    with pytest.raises(InputError, match="too many derivations to count"):
        enumerate_strings(expression)
    with pytest.raises(InputError, match="more than 100 MB of text; its JSON form"):
        str(expression)
    assert from_json(to_json(expression)) == expression
    locked = word("a")
    for _ in range(200):
        locked = lock(locked, locked)
    assert count_derivations(locked) == 1
    with pytest.raises(InputError, match="too large to write out"):
        enumerate_strings(locked)


def test_large_inputs() -> None:
    long_word = "x" * 1_000_000
    assert parse_expression(long_word) == word(long_word)
    assert len(repr(word(long_word))) < 400
    large_bag = parse_expression(str(bag(f"w{k}" for k in range(300))))
    with pytest.raises(InputError, match=r"about 10\^614 derivations, more than the limit of 100000; count them"):
        enumerate_strings(large_bag)
    with pytest.raises(InputError, match="2 derivations, more than the limit of 1;"):
        enumerate_strings(bag("a b"), limit=1)


JSON_FAULTS = [
    ("", "not JSON"),
    ('{"nodes": [{"wrd": "a"}]}', "nodes[0]: expected an object with one of the keys word, seq"),
    ('{"nodes": [{"word": "a"}, {"lock": 1}]}', "nodes[1]: argument 1 is not the number of an earlier node"),
    ('{"nodes": [{"word": "a"}, {"or": [0], "probabilities": [0.5]}]}', "nodes[1]: ∨: the probabilities sum to 0.5"),
    ('{"nodes": ' + "[" * 100_000 + "]" * 100_000 + "}", "JSON nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), JSON_FAULTS)
def test_json_faults(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        from_json(text, where="x.widl:3")
    assert str(caught.value).startswith("x.widl:3: ")
