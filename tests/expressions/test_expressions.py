"""Constructors and pictures."""

import pickle
import threading

import pytest

from widl.common.errors import InputError
from widl.decoder import Tiles, Vocabulary
from widl.expressions import Expression, bag, choice, interleave, lock, parse_expression, seq, tiles, word


def test_strings_are_words() -> None:
    assert seq("a b", word("c")) == parse_expression("(a b) c")
    assert choice({"a": 0.5, lock("b c"): 0.5}) == parse_expression("∨{0.5, 0.5}(a, ×(b c))")
    assert bag(["a", "b"]) == bag("a b") == interleave("a", "b")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: word(""), "a word can't be empty"),
        (lambda: interleave("a", choice("b", seq()), expmove=0.5), "∥: an argument may be empty, which expmove does"),
        (
            lambda: interleave("a b", choice("b", seq()), perms=0.5, shuffles=0.5),
            "be empty, which shuffles does not take",
        ),
        (lambda: interleave("a", *11 * [choice("b", seq())]), "∥: 11 arguments may be empty; at most 10 are supported"),
        (lambda: tiles(1, {(0, 1): choice("b", seq())}, expmove=0.5), "tiles: an argument may be empty"),
        (lambda: choice({"a": 0.5}), "the probabilities sum to 0.5, not to 1"),
        (lambda: tiles(2, {}, expmove=0.5), "tiles needs at least one argument"),
    ],
)
def test_faults(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=message):
        make()


def test_pickled() -> None:
    expression = choice((interleave("a b", "c", order={(2, 1): 0.5}, shuffles=0.5), 0.5), ("d", 0.5))
    again = pickle.loads(pickle.dumps(expression))
    assert again == expression
    assert again is not expression


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
        (0, 1, ["a", "b"]),
        (0, 1, ["c"]),
        (1, 2, ["a", "b"]),
        (1, 2, ["c"]),
    ]
    for _ in range(100):
        phrase = seq(phrase, phrase)
    with pytest.raises(InputError, match="an alternative of more than 10000 words"):
        Tiles.compile(tiles(1, {(0, 1): phrase}, expmove=0.5), Vocabulary([]))
    # Impossible alternatives are not written out; a single probability counts in every component.
    spans = {(0, 1): choice((phrase, 0.0), ("a", 1.0)), (1, 2): choice(("b", [0.5, 0.25]), ("c", [0.5, 0.75]))}
    compiled = Tiles.compile(tiles(2, spans, expmove=0.5), Vocabulary([]))
    assert compiled.alternatives[0][3] == [0.0, 0.0]
    assert len(compiled.alternatives) == 3
