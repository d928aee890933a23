"""p(x|y) of phrase pairs from their joint counts, straight from the formulas of modified Kneser-Ney smoothing."""

from collections import Counter
from collections.abc import Mapping

Pair = tuple[object, object]
FALLBACK = (0.5, 1.0, 1.5)


def discounts(pairs: Mapping[int, int]) -> tuple[float, float, float]:
    """Discounts of counts 1, 2, and 3 or more (Chen & Goodman 1998, Eq. 26), from the numbers of pairs by count."""
    n1, n2, n3, n4 = (pairs.get(r, 0) for r in (1, 2, 3, 4))
    if 0 in (n1, n2, n3, n4):
        return FALLBACK
    y = n1 / (n1 + 2 * n2)
    result = (1 - 2 * y * n2 / n1, 2 - 3 * y * n3 / n2, 3 - 4 * y * n4 / n3)
    return result if all(0 <= d <= r for r, d in enumerate(result, 1)) else FALLBACK


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
