"""Kneser-Ney smoothing of phrase translation probabilities, which tables hold with 12 binary digits."""

from math import exp

import pytest

from tests.phrase_table.tables import table_of
from widl.phrase_table import extract_phrases


def p_e(pairs):
    """(f, e) -> p(e|f), of a bitext of one-word sentences, {(f, e): how often}."""
    both = [pair for pair, count in pairs.items() for _ in range(count)]
    table = table_of(extract_phrases([f for f, _ in both], [e for _, e in both], ["0-0"] * len(both)))
    return {(f[0], e[0]): exp(scores[1]) for (f, e), (scores, _, _) in table.items()}


# N_1 = 4, N_2 = 2, N_3 = 1, N_4 = 1.
PAIRS = {
    ("a", "x"): 1, ("a", "y"): 2, ("a", "z"): 4,
    ("b", "x"): 3, ("b", "v"): 1,
    ("c", "y"): 1, ("c", "w"): 2, ("d", "u"): 1,
}  # fmt: skip


def test_by_hand():
    # Y = 4 / (4 + 2 2) = 1/2; D1 = 1 - 2 1/2 2/4 = 1/2, D2 = 2 - 3 1/2 1/2 = 5/4, D3 = 3 - 4 1/2 1/1 = 1.
    # c(a) = 7 with counts 1, 2, 4: freed (1/2 + 5/4 + 1) / 7. x and y occur in two of the 8 pairs each, z in one.
    freed = 2.75 / 7
    result = p_e(PAIRS)
    assert result["a", "x"] == pytest.approx((1 - 0.5) / 7 + freed * 2 / 8, rel=1 / 4096)
    assert result["a", "y"] == pytest.approx((2 - 1.25) / 7 + freed * 2 / 8, rel=1 / 4096)
    assert result["a", "z"] == pytest.approx((4 - 1) / 7 + freed * 1 / 8, rel=1 / 4096)
    # Together with v, w and u, one pair each, the sum is 1.
    assert sum(result["a", e] for e in "xyz") + freed * 3 / 8 == pytest.approx(1, rel=1 / 4096)


def test_odd_counts():
    # N = 4, 2, 1, 8: D3 = 3 - 4 1/2 8/1 would be negative, so 1/2, 1 and 3/2.
    counts = {1: 4, 2: 2, 3: 1, 4: 8}
    pairs = {(f"f{r}", f"e{r}.{i}"): r for r, n in counts.items() for i in range(n)}
    # f4 occurs in 8 of 15 pairs: each gets 2.5 of 4, and all pairs share 1.5 of 4 equally.
    assert p_e(pairs)["f4", "e4.0"] == pytest.approx(2.5 / 32 + 8 * 1.5 / 32 / 15, rel=1 / 4096)
