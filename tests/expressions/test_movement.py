"""Movement as a distribution over permutations, alone and with explicit orders and shuffles (2006 paper, §2.1)."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.widl_semantics import Node, derivations, strings
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer
from widl.expressions import (
    Expression,
    enumerate_strings,
    from_json,
    interleave,
    lock,
    movement_normalizer,
    parse_expression,
    tiles,
    to_json,
)

MODEL = LanguageModel.estimate(["a b c d", "d c a", "b a d c", "c c b a"], order=3)
WEIGHTS = {"widl": 1.3, "lm0": 0.6, "word_count": 0.1, "phrase_count": 0.0, "distortion": 1.3, "unknown": 0.0}


def distances(n: int) -> dict[tuple[int, ...], int]:
    """The total movement of every order of n arguments, argument k occupying position k."""
    result = {}
    for order in itertools.permutations(range(n)):
        at, total = 0, 0
        for k in order:
            total += abs(k - at)
            at = k + 1
        result[order] = total
    return result


def test_delta_of_section_2_1_by_hand() -> None:
    """0.2 on 2 1 3, 0.5 on the other five orders by movement, 0.3 on the shuffles of a b: of 4!/2! orders 6 are
    shuffles.
    """
    expression = parse_expression("∥{2 1 3: 0.2, perms: 0.5 expmove 0.5, shuffles: 0.3}(a b, c, d)")
    # d: 1 2 3 0; 1 3 2 1 + 2; 2 3 1 1 + 3; 3 1 2 2 + 3; 3 2 1 2 + 2 + 2
    scores = {"a b c d": 0, "a b d c": 3, "c d a b": 4, "d a b c": 5, "d c a b": 6}
    total = sum(0.5**d for d in scores.values())
    expected = {string: 0.5 * 0.5**d / total for string, d in scores.items()} | {"c a b d": 0.2}
    for string in ("a c b d", "a c d b", "a d b c", "a d c b", "c a d b", "d a c b"):
        expected[string] = 0.3 / 6
    result = {item.string: item.probability for item in enumerate_strings(expression)}
    assert result == pytest.approx(expected)
    assert math.fsum(result.values()) == pytest.approx(1)


@st.composite
def distributions(draw: st.DrawFn) -> tuple[Node, Expression, dict[tuple[int, ...], float]]:
    """An interleave with orders, movement and shuffles: by its definition, and in the three forms."""
    n = draw(st.integers(2, 4))
    words = [draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=2)) for _ in range(n)]
    base = draw(st.sampled_from([0.2, 0.5, 0.9]))
    orders = draw(st.lists(st.sampled_from([*distances(n)]), max_size=n - 1, unique=True))
    parts = len(orders) + 1
    mass_of_shuffles = 0.25 if any(len(item) > 1 for item in words) else 0.0
    listed = dict.fromkeys(orders, (1 - mass_of_shuffles) / parts)
    mass = (1 - mass_of_shuffles) / parts
    result = interleave(
        *(" ".join(item) for item in words),
        order={tuple(k + 1 for k in order): p for order, p in listed.items()},
        perms=mass,
        shuffles=mass_of_shuffles,
        expmove=base,
    )
    unlisted = {order: base**d for order, d in distances(n).items() if order not in listed}
    shares = listed | {order: mass * score / sum(unlisted.values()) for order, score in unlisted.items()}
    keys = [f"{' '.join(str(k + 1) for k in order)}: {p!r}" for order, p in listed.items()]
    keys.append(f"perms: {mass!r} expmove {base}")
    if mass_of_shuffles:
        keys.append(f"shuffles: {mass_of_shuffles!r}")
    arguments = ", ".join(" · ".join(item) for item in words)
    assert parse_expression(f"∥{{{', '.join(keys)}}}({arguments})") == result
    parts_of = [Node("seq", tuple(Node("word", text=w) for w in item)) if item[1:] else Node("word", text=item[0])
                for item in words]  # fmt: skip
    order = tuple((order, (Fraction(repr(p)),)) for order, p in shares.items())
    shuffles = (Fraction(repr(mass_of_shuffles)),) if mass_of_shuffles else ()
    return Node("interleave", tuple(parts_of), order=order, shuffles=shuffles), result, shares


@given(distributions())
def test_enumeration_and_search_agree_with_the_definition(
    case: tuple[Node, Expression, dict[tuple[int, ...], float]],
) -> None:
    node, expression, shares = case
    assert math.fsum(shares.values()) + float(sum(node.shuffles)) == pytest.approx(1)
    expected = {string: float(p) for string, (p,) in strings(node, 1).items()}
    assert {item.string: item.probability for item in enumerate_strings(expression)} == pytest.approx(expected)
    best = Realizer([MODEL], WEIGHTS | {"widl": 1.0, "distortion": 1.0}).realize_one(expression)
    scores = [
        math.log(d.p[0]) + 0.6 * sum(MODEL.score_words(d.words)) + 0.1 * len(d.words) for d in derivations(node, 1)
    ]
    assert best.optimal
    assert best.score == pytest.approx(max(scores), rel=1e-6)
    assert from_json(to_json(expression)) == expression


@given(st.integers(2, 5), st.sampled_from([0.1, 0.5, 0.95]), st.permutations("abcde"))
def test_normalized_movement_is_the_score_divided(n: int, base: float, words: list[str]) -> None:
    arguments = ", ".join(words[:n])
    plain, normalized = (parse_expression(f"∥{{expmove: {base}{more}}}({arguments})") for more in ("", ", normalized"))
    z = movement_normalizer(n, base)
    scores = {item.string: item.probability / z for item in enumerate_strings(plain)}
    result = {item.string: item.probability for item in enumerate_strings(normalized)}
    assert result == pytest.approx(scores)
    assert math.fsum(result.values()) == pytest.approx(1)
    assert normalized == interleave(*words[:n], expmove=base, normalized=True)
    best, alike = (Realizer([MODEL], WEIGHTS).realize_one(item) for item in (plain, normalized))
    assert (alike.text, alike.score) == (best.text, pytest.approx(best.score - 1.3 * math.log(z)))
    by_hand = {
        string: 1.3 * math.log(p) + 0.6 * sum(MODEL.score_words(string.split())) + 0.1 * n
        for string, p in result.items()
    }
    assert alike.score == pytest.approx(max(by_hand.values()), rel=1e-6)


def test_json_of_movement() -> None:
    nodes = '{"word": "a"}, {"word": "b"}, {"interleave": [0, 1], %s}'
    for keys, text in (
        ('"expmove": 0.5', "∥{expmove: 0.5}(a, b)"),
        ('"expmove": 0.5, "normalized": true', "∥{expmove: 0.5, normalized}(a, b)"),
        ('"expmove": 0.5, "perms": 1', "∥{perms: 1 expmove 0.5}(a, b)"),
        ('"normalized": false', "∥(a, b)"),
    ):
        assert from_json(f'{{"nodes": [{nodes % keys}]}}') == parse_expression(text)
    for keys, message in (
        ('"normalized": true', "∥: normalized is for expmove alone"),
        ('"expmove": 0.5, "perms": 1, "normalized": true', "∥: normalized is for expmove alone"),
        ('"expmove": 0.5, "normalized": 1', "'normalized' is true or false"),
        ('"expmove": 0.5, "shuffles": 1', "∥: expmove is given alone, or spreads the mass of perms"),
    ):
        with pytest.raises(InputError, match=message):
            from_json(f'{{"nodes": [{nodes % keys}]}}')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("∥{perms: 1 expmove 2}(a, b)", "∥: expmove is 2; a number between 0 and 1 was expected"),
        ("∥{1 2: 0.5, 2 1: 0.3, perms: 0.2 expmove 0.5}(a, b)", "perms has 0.2, but every permutation"),
        ("∥{perms: 1 expmove 0.5}(a, b, c, d, e, f, g, h)", "all orders of up to 7 arguments, found 8"),
    ],
)
def test_faults(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_expression(text)
    assert message in str(caught.value)


def test_normalized_tiles_are_a_distribution_for_each_segmentation() -> None:
    """Scores a^d of all orders by their definition, divided by their sum over the orders of the segmentation."""
    text = "tiles{4, expmove: 0.5, normalized}(0-1: a, 1-2: b, 0-2: ×(c · d), 2-4: e, 3-4: f, 2-3: g)"
    spans = {(0, 1): "a", (1, 2): "b", (0, 2): "c d", (2, 4): "e", (3, 4): "f", (2, 3): "g"}
    expected: Counter[str] = Counter()
    segmentations = [[*left, *right] for left in ([(0, 1), (1, 2)], [(0, 2)]) for right in ([(2, 4)], [(2, 3), (3, 4)])]
    for segmentation in segmentations:
        scores = {}
        for order in itertools.permutations(segmentation):
            before = [0, *(end for _, end in order)]
            movement = sum(abs(begin - end) for (begin, _), end in zip(order, before, strict=False))
            scores[" ".join(spans[span] for span in order)] = 0.5**movement
        for string, score in scores.items():
            expected[string] += score / sum(scores.values())
    expression = parse_expression(text)
    result = {item.string: item.probability for item in enumerate_strings(expression)}
    assert result == pytest.approx(expected)
    assert sum(result.values()) == pytest.approx(len(segmentations))
    assert parse_expression(str(expression)) == expression
    arguments = {span: lock(words) if " " in words else words for span, words in spans.items()}
    assert tiles(4, arguments, expmove=0.5, normalized=True) == expression
    node = '{"tiles": [0, 1], "length": 2, "spans": [[0, 1], [1, 2]], "expmove": 0.5, "normalized": true}'
    by_json = from_json(f'{{"nodes": [{{"word": "a"}}, {{"word": "b"}}, {node}]}}')
    assert by_json == parse_expression("tiles{2, expmove: 0.5, normalized}(0-1: a, 1-2: b)")
    with pytest.raises(InputError, match="tiles: normalized is for up to 10 positions, found 11"):
        parse_expression(f"tiles{{11, expmove: 0.5, normalized}}({', '.join(f'{i}-{i + 1}: a' for i in range(11))})")
