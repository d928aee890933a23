"""Grammars: their text form, and the recognizer against what grammars derive by definition."""

import gzip
import re
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder.random_grammars import random_rules
from tests.reference.cfg import Rule, SlowGrammar, text_of
from widl.common.errors import InputError
from widl.decoder import Recognizer, parse_grammar, read_grammar

WORDS = ("a", "b")
STRINGS = [string for length in range(6) for string in product(WORDS, repeat=length)]
STRINGS += [("x",), ("a", "x"), ("x", "b"), ("a", "x", "b")]


@pytest.mark.slow
@given(random_rules(WORDS))
def test_recognizer_against_the_definition(rules: list[Rule]) -> None:
    slow = SlowGrammar(rules)
    if slow.start not in slow.productive:
        with pytest.raises(InputError, match="derives no string: each of its derivations goes on for ever"):
            parse_grammar(text_of(rules))
        return
    grammar = parse_grammar(text_of(rules))
    recognizer = Recognizer(grammar)  # one for all strings: what prefixes share must be right for each
    for string in STRINGS:
        chart = recognizer.start
        for word in string:
            chart = recognizer.scan(chart, word)
        expected = slow.accepts(string)
        assert recognizer.accepts(chart) == expected, string
        assert (chart != 0) == slow.viable(string), string
        assert grammar.accepts(string) == expected


def accepted(text: str, *strings: str) -> list[bool]:
    grammar = parse_grammar(text)
    return [grammar.accepts(string.split()) for string in strings]


def test_by_hand() -> None:
    assert accepted('S -> "a" S "b" |', "", "a b", "a a b b", "a b b", "a") == [True, True, True, False, False]
    # Left recursion hidden behind an empty rule, a cycle, and a rule for any word.
    text = 'S -> E S "a" | T | *\nE -> ε\nT -> S'
    assert accepted(text, "x", "x a", "x a a", "x x", "") == [True, True, True, False, False]
    palindromes = 'S -> "a" S "a" | "b" S "b" | "a" | "b" |'
    assert accepted(palindromes, "a b b a", "a b a b a", "a b", "b a a") == [True, True, False, False]
    assert accepted("S -> ε", "", "a") == [True, False]


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ('S -> S "a" | "a"', 3),  # one future after any number of words, whichever side recurs
        ('S -> "a" S | "a"', 3),
        ("S -> * S | ", 2),
        ('S -> NP "left"\nNP -> "the" N | "a" N\nN -> A N | "dog" | "cat"\nA -> "old" | "big"', 5),
        ('S -> S S | "a"', 205),  # one S more to complete with every word
        ('S -> S S S | S S | A | S "a" S\nA -> S A S | "a" | A A | ', 5_000),
    ],
)
def test_prefixes_with_equal_futures_share_charts(text: str, most: int) -> None:
    recognizer = Recognizer(parse_grammar(text))
    charts = set()
    for word in ("a", "the", "dog", "cat", "old", "big"):
        chart = recognizer.start
        for other in ("a", "old", "big", "dog", "cat") * 20 if "NP" in text else (word,) * 100:
            charts.add(chart)
            chart = recognizer.scan(chart, other)
    assert len(charts) <= most
    assert len(recognizer) <= 4 * most


def test_equal_positions_in_a_noun_phrase_are_one_chart() -> None:
    recognizer = Recognizer(parse_grammar('S -> NP "left"\nNP -> D N\nD -> "the" | "a"\nN -> "old" N | "dog" | "cat"'))

    def chart(text: str) -> int:
        at = recognizer.start
        for word in text.split():
            at = recognizer.scan(at, word)
        return at

    assert chart("the") == chart("a") == chart("the old") == chart("a old old old")
    assert chart("the dog") == chart("a old cat") != chart("the")
    assert chart("the left") == chart("dog") == 0


def test_deep_nesting_is_refused_in_words() -> None:
    recognizer = Recognizer(parse_grammar('S -> "a" S "b" |'))
    chart = recognizer.start
    for _ in range(5_000):
        chart = recognizer.scan(chart, "a")
    with pytest.raises(InputError, match="the grammar nests more than 5000 constituents in one another"):
        recognizer.scan(chart, "a")
    assert parse_grammar('S -> "a" S |').accepts(["a"] * 100_000)
    assert parse_grammar('S -> "a" S "b" |').accepts(["a"] * 4_000 + ["b"] * 4_000)


@pytest.mark.slow
def test_large_grammars() -> None:
    lexicon = [f'N -> "noun{k}"\nC{k + 1} -> C{k} | "word{k}"' for k in range(5_000)]
    grammar = parse_grammar("\n".join(["S -> N C5000", 'C0 -> "end"', *lexicon]))
    assert len(grammar) == 15_002
    recognizer = Recognizer(grammar)
    chart = recognizer.scan(recognizer.start, "noun4999")
    assert recognizer.accepts(recognizer.scan(chart, "end"))
    assert recognizer.accepts(recognizer.scan(chart, "word7"))
    assert recognizer.scan(chart, "noun1") == 0
    chain = "\n".join(f'C{k} -> C{k + 1} "x" | "y"' for k in range(20_000))
    deep = parse_grammar(chain + '\nC20000 -> "z"')
    with pytest.raises(InputError, match="nests more than 5000"):
        deep.accepts(["z"])


def test_charts_have_numbers() -> None:
    recognizer = Recognizer(parse_grammar('S -> "a"'))
    with pytest.raises(IndexError, match="no chart has this number"):
        recognizer.scan(99, "a")
    with pytest.raises(IndexError, match="no chart has this number"):
        recognizer.accepts(99)
    assert recognizer.scan(0, "a") == 0


def test_text_form() -> None:
    text = r'''
    # a comment, then a rule that three lines share
    S  -> NP VP  # 'S' is the start symbol
       |  "said" "\"" S "\\"
       |  S "and" S
    NP → "she"|"#"|N'"|"
    N' -> * | X-1.β
    X-1.β ->
    VP -> "left" | ε | "->"
    '''
    grammar = parse_grammar(text)
    for string in ("she left", 'said " she left \\ and x |', "# ->", "|", "she"):
        assert grammar.accepts(string.split()), string
    assert not grammar.accepts(["left", "she"])
    assert len(grammar) == 12
    assert len(parse_grammar('S -> "a" | B | "b"\nB -> B "c"\nUnused -> "d"')) == 2


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "np.cfg.gz"
    path.write_bytes(gzip.compress('\ufeffS -> "猫"\r\n'.encode()))
    assert read_grammar(path).accepts(["猫"])
    with pytest.raises(FileNotFoundError, match="no such file"):
        read_grammar(tmp_path / "none.cfg")
    (tmp_path / "bad.cfg").write_text('S -> "a"\nS -> X\n')
    with pytest.raises(InputError, match=re.escape("bad.cfg:2: the nonterminal 'X' has no rule")):
        read_grammar(tmp_path / "bad.cfg")
    (tmp_path / "latin1.cfg").write_bytes(b'S -> "\xe9t\xe9"\n')
    with pytest.raises(InputError, match=re.escape("latin1.cfg:1: invalid UTF-8")):
        read_grammar(tmp_path / "latin1.cfg")


FAULTS = [
    ("", None, "no rules; expected lines like"),
    ("# nothing\n\n", None, "no rules; expected lines like"),
    ('S -> "a" B', 1, "the nonterminal 'B' has no rule; a word stands in double quotes: \"B\""),
    ('S -> A\n\nA -> "a" |\n  the', 4, "found the end of the line, expected '->' after 'the'"),
    ("S", 1, "found the end of the line, expected '->' after 'S'"),
    ('S "a"', 1, "found '\"a\"', expected '->' after 'S'"),
    ('S = "a"', 1, "found '=', expected '->' after 'S'"),
    ('"a" -> S', 1, "found '\"a\"', expected a nonterminal, the left side of a rule"),
    ('-> "a"', 1, "found '->', expected a nonterminal"),
    ('* -> "a"', 1, "found '*', expected a nonterminal"),
    ('ε -> "a"', 1, "found 'ε', expected a nonterminal"),
    ('| "a"', 1, "found '|', expected a rule before it"),
    ('S -> A -> "a"', 1, "found a second '->', expected one rule a line"),
    ('S -> "a', 1, "found a double quote that nothing closes"),
    ('S -> "a\\"', 1, "found a double quote that nothing closes"),
    ('S -> "\\n"', 1, r"found '\n', expected \" or \\"),
    ('S -> ""', 1, "an empty word; the empty string is written ε"),
    ('S -> "a b"', 1, "a word with white space in it; several words are quoted one by one"),
    ('S -> "a" ε', 1, "found 'ε', but ε stands alone in its alternative"),
    ('S -> ε "a"', 1, "found '\"a\"', but ε stands alone in its alternative"),
    ("S -> ε ε", 1, "found 'ε', but ε stands alone in its alternative"),
    ('S -> NP*\nNP -> "a"', 1, "found '*' beside other characters; alone it stands for any word"),
    ('S -> *NP\nNP -> "a"', 1, "found '*' beside other characters"),
    ('S -> "\ud800"', 1, "found a character that UTF-8 cannot encode"),
    ("S\ud800 -> S\ud800", 1, "found a character that UTF-8 cannot encode"),
    ("S -> S", None, "the start symbol 'S' derives no string: each of its derivations goes on for ever"),
    ('S -> "a" T\nT -> S', None, "the start symbol 'S' derives no string"),
]


@pytest.mark.parametrize(("text", "line", "message"), FAULTS)
def test_faults_are_named(text: str, line: int | None, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        parse_grammar(text, where="np.cfg")
    first, *shown = str(caught.value).split("\n")
    assert first.startswith("np.cfg: " if line is None else f"np.cfg:{line}: ")
    if line is not None:
        assert shown[-1].strip() == "^"


def test_faults_point_at_their_place() -> None:
    with pytest.raises(InputError) as caught:
        parse_grammar('S -> A "b" C\nA -> "a"')
    assert str(caught.value).split("\n")[1:] == ['S -> A "b" C', "           ^"]


@pytest.mark.slow
@given(st.text(st.sampled_from('SAB->→|ε*#"\\ab \t\n\r\x00猫\ud800'), max_size=40) | st.text(max_size=40))
def test_any_text_parses_or_is_an_error_that_names_it(text: str) -> None:
    try:
        grammar = parse_grammar(text, where="np.cfg")
    except InputError as error:
        assert str(error).startswith("np.cfg:")
    else:
        assert len(grammar) > 0
        grammar.accepts(["a", "b"])


@pytest.mark.slow
@given(data=st.binary(max_size=40))
def test_any_bytes_are_read_or_an_error_that_names_it(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.cfg"
    path.write_bytes(data)
    try:
        read_grammar(path)
    except InputError as error:
        assert str(error).startswith(f"{path}:")
