"""p(x|y) of phrase pairs from their joint counts, straight from the papers' formulas."""

from collections import Counter
from collections.abc import Mapping
from math import sqrt

import numpy as np

Pair = tuple[object, object]
FALLBACK = (0.5, 1.0, 1.5)


def smoothed(joint: Mapping[Pair, int], method: str) -> dict[Pair, float]:
    """p(x|y) for each (x, y) of `joint`."""
    totals: Counter[object] = Counter()
    for (_, y), count in joint.items():
        totals[y] += count
    if method == "none":
        return {(x, y): count / totals[y] for (x, y), count in joint.items()}
    if method == "good-turing":
        adjusted = good_turing(Counter(joint.values()))
        return {(x, y): adjusted[count] / totals[y] for (x, y), count in joint.items()}
    return {(x, y): kneser_ney(joint, x, y) for x, y in joint}


def good_turing(pairs: Mapping[int, int]) -> dict[int, float]:
    """r* for each r (Gale & Sampson 1995), at most r."""
    counts = sorted(pairs)
    if len(counts) < 2:
        return {r: float(r) for r in counts}
    below = [0, *counts[:-1]]
    above = [*counts[1:], 2 * counts[-1] - below[-1]]
    z = [2 * pairs[r] / (t - q) for q, r, t in zip(below, counts, above, strict=True)]
    slope, _ = np.polyfit(np.log(counts), np.log(z), 1)
    switched = False
    result = {}
    for r in range(1, counts[-1] + 1):
        line = r * (1 + 1 / r) ** (slope + 1)
        here, after = pairs.get(r, 0), pairs.get(r + 1, 0)
        if here == 0 or after == 0:
            switched = True
        if not switched:
            turing = (r + 1) * after / here
            if abs(turing - line) <= 1.65 * sqrt((r + 1) ** 2 * after / here**2 * (1 + after / here)):
                switched = True
        result[r] = min(r, line if switched else turing)
    return {r: result[r] for r in counts}


def discounts(pairs: Mapping[int, int]) -> tuple[float, float, float]:
    """Of counts 1, 2, and 3 or more (Chen & Goodman 1998, Eq. 26)."""
    n1, n2, n3, n4 = (pairs.get(r, 0) for r in (1, 2, 3, 4))
    if 0 in (n1, n2, n3, n4):
        return FALLBACK
    y = n1 / (n1 + 2 * n2)
    found = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    return found if all(0 <= d <= r for r, d in enumerate(found, 1)) else FALLBACK


def kneser_ney(joint: Mapping[Pair, int], x: object, y: object) -> float:
    """p(x|y), also of pairs that are not in `joint` (Foster, Kuhn & Johnson 2006)."""
    d = discounts(Counter(joint.values()))

    def taken(count: int) -> float:
        return d[min(count, 3) - 1] if count else 0.0

    total = sum(count for (_, other), count in joint.items() if other == y)
    free = sum(taken(count) for (_, other), count in joint.items() if other == y)
    partners = sum(1 for other, _ in joint if other == x)
    count = joint.get((x, y), 0)
    return (count - taken(count)) / total + free / total * partners / len(joint)
