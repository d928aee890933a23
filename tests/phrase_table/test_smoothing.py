from collections import Counter
from math import exp

import pytest
from hypothesis import given

from tests.phrase_table.bitexts import bitexts, lines
from tests.phrase_table.tables import table_of
from tests.reference import phrase_smoothing as slow
from widl.common.errors import InputError
from widl.phrase_table import extract_phrases
from widl.phrase_table.extraction import SMOOTHING_METHODS


def word_pairs(pairs):
    """A bitext of one-word sentences: {(f, e): how often}."""
    both = [pair for pair, count in pairs.items() for _ in range(count)]
    return [f for f, _ in both], [e for _, e in both], ["0-0"] * len(both)


def p_e(pairs, smoothing):
    """(f, e) -> p(e|f)."""
    table = table_of(extract_phrases(*word_pairs(pairs), smoothing=smoothing))
    return {(f[0], e[0]): exp(scores[1]) for (f, e), (scores, _, _) in table.items()}


# N_1 = 4, N_2 = 2, N_3 = 1, N_4 = 1.
PAIRS = {
    ("a", "x"): 1, ("a", "y"): 2, ("a", "z"): 4,
    ("b", "x"): 3, ("b", "v"): 1,
    ("c", "y"): 1, ("c", "w"): 2, ("d", "u"): 1,
}  # fmt: skip


def test_kneser_ney_by_hand():
    # Y = 4 / (4 + 2 2) = 1/2; D1 = 1 - 2 1/2 2/4 = 1/2, D2 = 2 - 3 1/2 1/2 = 5/4, D3 = 3 - 4 1/2 1/1 = 1.
    # c(a) = 7 with counts 1, 2, 4: freed (1/2 + 5/4 + 1) / 7. Of 8 pairs x and y are in two each, z in one.
    freed = 2.75 / 7
    found = p_e(PAIRS, "kneser-ney")
    assert found["a", "x"] == pytest.approx((1 - 0.5) / 7 + freed * 2 / 8)
    assert found["a", "y"] == pytest.approx((2 - 1.25) / 7 + freed * 2 / 8)
    assert found["a", "z"] == pytest.approx((4 - 1) / 7 + freed * 1 / 8)
    # With what it has for v, w and u, one pair each: 1.
    assert sum(found["a", e] for e in "xyz") + freed * 3 / 8 == pytest.approx(1)


def test_kneser_ney_without_enough_counts():
    # N_3 = 0: discounts 1/2, 1, 3/2.
    found = p_e({("a", "x"): 1, ("a", "y"): 2, ("b", "x"): 5}, "kneser-ney")
    assert found["a", "x"] == pytest.approx(0.5 / 3 + 1.5 / 3 * 2 / 3)
    assert found["a", "y"] == pytest.approx(1 / 3 + 1.5 / 3 * 1 / 3)
    assert found["b", "x"] == pytest.approx(3.5 / 5 + 1.5 / 5 * 2 / 3)


def test_kneser_ney_with_odd_counts():
    # N = 4, 2, 1, 8: D3 = 3 - 4 1/2 8/1 would be negative, so 1/2, 1 and 3/2.
    counts = {1: 4, 2: 2, 3: 1, 4: 8}
    pairs = {(f"f{r}", f"e{r}.{i}"): r for r, n in counts.items() for i in range(n)}
    # Of f4, 8 of 15 pairs: 2.5 of 4 each, and 1.5 of 4 are shared by all, one fifteenth for each.
    assert p_e(pairs, "kneser-ney")["f4", "e4.0"] == pytest.approx(2.5 / 32 + 8 * 1.5 / 32 / 15)


def test_good_turing_by_hand():
    # Counts 1 and 2 only, N_1 = 10, N_2 = 4: Z = 2 10 / (2 - 0) = 10 and 2 4 / (3 - 1) = 4, where 3 = 2 2 - 1. The
    # line through both has slope b = log2(4/10), and r* = r (1 + 1/r)^(b+1): 1* = 2 2^b = 0.8. Turing's 1* is
    # 2 4/10 = 0.8 too, so the line it is.
    pairs = {**{("a", f"x{i}"): 1 for i in range(10)}, **{("b", f"y{i}"): 2 for i in range(4)}}
    found = p_e(pairs, "good-turing")
    assert found["a", "x0"] == pytest.approx(0.8 / 10)
    twice = 2 * 1.5 ** (1 - 1.3219281)
    assert found["b", "y0"] == pytest.approx(twice / 8)
    # a loses 2 of its 10 occurrences to unseen pairs.
    assert sum(p for (f, _), p in found.items() if f == "a") == pytest.approx(0.8)


def test_good_turing_takes_turings_estimate_where_it_differs():
    # Many pairs of counts 1 and 2, and a line that goes elsewhere because of the few others.
    counts = {1: 3000, 2: 300, 3: 200, 5: 40, 8: 30}
    adjusted = slow.good_turing(counts)
    assert adjusted[1] == pytest.approx(2 * 300 / 3000)  # Turing's
    assert adjusted[2] == 2  # Turing's 3 200/300 = 2
    pairs = {(f"f{r}", f"e{r} {i}".replace(" ", "_")): r for r, n in counts.items() for i in range(n)}
    found = p_e(pairs, "good-turing")
    for r, n in counts.items():
        assert found[f"f{r}", f"e{r}_0"] == pytest.approx(adjusted[r] / (r * n), rel=1e-5)


def test_good_turing_without_anything_to_fit():
    assert p_e({("a", "x"): 2, ("a", "y"): 2}, "good-turing") == pytest.approx({("a", "x"): 0.5, ("a", "y"): 0.5})


@pytest.mark.slow
@given(bitexts())
def test_sums_over_pairs(bitext):
    tables = {name: table_of(extract_phrases(*lines(bitext), smoothing=name)) for name in SMOOTHING_METHODS}
    joint = {pair: counts[2] for pair, (_, counts, _) in tables["none"].items()}
    adjusted = slow.good_turing(Counter(joint.values()))
    turned = {(e, f): count for (f, e), count in joint.items()}
    phrases = {e for _, e in joint}
    for f in {f for f, _ in joint}:
        mine = [e for g, e in joint if g == f]
        total = sum(joint[f, e] for e in mine)
        sums = {name: sum(exp(table[f, e][0][1]) for e in mine) for name, table in tables.items()}
        assert sums["none"] == pytest.approx(1, rel=1e-5)
        # What is missing is what was taken.
        assert 1 - sums["good-turing"] == pytest.approx(
            sum(joint[f, e] - adjusted[joint[f, e]] for e in mine) / total, abs=1e-5
        )
        # The rest of it is that of the phrases that f was not seen with.
        unseen = sum(slow.kneser_ney(turned, e, f) for e in phrases if (f, e) not in joint)
        assert sums["kneser-ney"] + unseen == pytest.approx(1, rel=1e-5)


def test_unknown_names():
    for name, message in (("smoothing", "unknown smoothing 'x'; it is one of none, good-turing, kneser-ney"),
                          ("lexical", "unknown lexical 'x'; it is one of most-frequent, maximum")):  # fmt: skip
        with pytest.raises(InputError, match=f"^{message}$"):
            extract_phrases(["a"], ["b"], ["0-0"], **{name: "x"})
