"""Constructors and pictures."""

import pickle
import threading
from xml.etree import ElementTree

import pytest
from rich.console import Console

from widl.common.errors import InputError
from widl.decoder import (
    Expression,
    Tiles,
    Vocabulary,
    bag,
    choice,
    enumerate_strings,
    interleave,
    lock,
    parse_expression,
    seq,
    tiles,
    word,
)


def test_strings_are_words() -> None:
    assert seq("a b", word("c")) == parse_expression("(a b) c")
    assert choice({"a": 0.5, lock("b c"): 0.5}) == parse_expression("∨{0.5, 0.5}(a, ×(b c))")
    assert bag(["a", "b"]) == bag("a b") == interleave("a", "b")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: word(""), "a word can't be empty"),
        (lambda: word("in iraq"), "a word can't contain white space"),
        (lambda: word("\ud800"), "UTF-8 cannot encode"),
        (lambda: lock(seq()), "×: an argument may be empty"),
        (lambda: interleave("a", choice("b", seq())), "∥: an argument may be empty"),
        (lambda: seq(" "), "a word can't be empty"),
        (lambda: bag(""), "∥ needs at least one argument"),
        (lambda: choice(), "∨ needs at least one argument"),
        (lambda: choice("a", ("b", 0.5)), "'a' has no probability"),
        (lambda: choice({"a": 0.5}), "the probabilities sum to 0.5, not to 1"),
        (lambda: choice({"a": float("nan")}), "nan is not a probability"),
        (lambda: interleave("a", "b", order={(0, 1): 1}), "must number the arguments from 1"),
        (lambda: interleave("a", "b", expmove=0.5, shuffles=1), "expmove stands alone"),
        (lambda: interleave("a", "b", expmove=1.5), "expmove is 1.5; a number between 0 and 1"),
        (lambda: tiles(2, {(0, -1): "a"}, expmove=0.5), "positions are whole numbers, from 0"),
        (lambda: tiles(2, {}, expmove=0.5), "tiles needs at least one argument"),
    ],
)
def test_faults(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()


def test_pictures() -> None:
    arguments = [lock("a"), choice({"b": 0.25, "[bold]": 0.75}), tiles(1, {(0, 1): "d"}, expmove=0.5)]
    expression = interleave(*arguments, order={(2, 1, 3): 0.2}, perms=0.8)
    console = Console(width=80, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(expression)
    assert [line.rstrip() for line in capture.get().splitlines()] == [
        "∥ 2 1 3: 0.2, perms: 0.8",
        "├── ×",
        "│   └── a",
        "├── ∨",
        "│   ├── 0.25  b",
        "│   └── 0.75  [bold]",
        "└── tiles of 1 positions, expmove 0.5",
        "    └── 0-1  d",
    ]


def test_shown_in_a_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    expression = interleave(lock("a"), choice({"b": 0.25, "<i>": 0.75}), order={(2, 1): 0.2}, perms=0.8)
    monkeypatch.setattr("shutil.which", lambda program: None)
    page = expression._repr_html_()
    root = ElementTree.fromstring(f"<body>{page}</body>")  # well-formed
    items = ["".join(item.itertext()) for item in root.iter("li")]
    assert items[0].startswith("∥ 2 1: 0.2, perms: 0.8")
    assert items[-2:] == ["0.25  b", "0.75  <i>"]
    assert len(root.findall(".//ul/li/ul/li/ul/li")) == 3
    assert "6 nodes, 4 derivations" in page
    monkeypatch.setattr("shutil.which", lambda program: "/dot")
    monkeypatch.setattr("graphviz.Digraph.pipe", lambda picture, **_: f"<!DOCTYPE svg><svg>{picture.source}</svg>")
    assert expression._repr_html_().startswith("<svg>")
    assert "perms" in expression._repr_html_()
    assert capsys.readouterr().out == ""  # nothing is printed on the side, in Jupyter neither
    deep = word("a")
    for _ in range(1000):
        deep = seq(deep, deep)
    assert "too many to count" not in deep._repr_html_()
    assert len(deep._repr_html_()) < 50_000


def test_pickled() -> None:
    expression = choice((interleave("a b", "c", order={(2, 1): 0.5}, shuffles=0.5), 0.5), ("d", 0.5))
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression
    assert again is not expression


def test_unknown_shuffle_count() -> None:
    with pytest.raises(InputError, match="unknown shuffle_count 'papers'; expected 'normalised' or 'paper'"):
        enumerate_strings(word("a"), shuffle_count="papers")  # type: ignore[arg-type]


def test_released_in_threads() -> None:
    """Deep, partly shared expressions, their last owners in several threads."""
    deep = word("a")
    for _ in range(50_000):
        deep = lock(deep)
    tops = [seq(deep, "b") for _ in range(8)]
    del deep

    def drop() -> None:
        tops.pop()

    threads = [threading.Thread(target=drop) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not tops


def test_tiles_compile_walks_shared_and_deep_parts() -> None:
    phrase = lock("a b")
    deep: Expression = choice((phrase, 0.5), (word("c"), 0.5))
    for _ in range(100_000):
        deep = lock(deep)
    compiled = Tiles.compile(tiles(2, {(0, 1): deep, (1, 2): deep}, expmove=0.5), Vocabulary(["a", "b", "c"]))
    assert [(b, e, words) for b, e, words, _ in compiled.alternatives] == [
        (0, 1, ["a", "b"]), (0, 1, ["c"]), (1, 2, ["a", "b"]), (1, 2, ["c"]),
    ]
    for _ in range(100):
        phrase = seq(phrase, phrase)
    with pytest.raises(InputError, match="an alternative of more than 10000 words"):
        Tiles.compile(tiles(1, {(0, 1): phrase}, expmove=0.5), Vocabulary([]))
    # What has no chance is not written out; a single probability counts in every component.
    spans = {(0, 1): choice((phrase, 0.0), ("a", 1.0)), (1, 2): choice(("b", [0.5, 0.25]), ("c", [0.5, 0.75]))}
    compiled = Tiles.compile(tiles(2, spans, expmove=0.5), Vocabulary([]))
    assert compiled.alternatives[0][3] == [0.0, 0.0]
    assert len(compiled.alternatives) == 3
