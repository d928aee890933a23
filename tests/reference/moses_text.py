"""Moses' phrase-table text: parses lines into pairs and formats them, and prunes such pairs."""

from dataclasses import dataclass
from math import log

import numpy as np

Pair = tuple[str, str]


def stored(text: str) -> float:
    """A score as stored in a table: a nonzero float32."""
    return float(max(np.float32(text), np.finfo(np.float32).smallest_subnormal))


def told(text: bytes) -> dict[Pair, tuple[object, ...]]:
    """The content of a table's lines, independent of formatting: scores, links, and counts if present."""
    result = {}
    for line in text.decode().split("\n")[:-1]:
        source, target, scores, *rest = line.split("|||")
        links = rest[0].split() if rest else None
        counts = [int(float(count)) for count in rest[1].split()] if rest[1:] else None
        result[source.strip(" "), target.strip(" ")] = [stored(score) for score in scores.split()], links, counts
    return result


@dataclass
class Entry:
    scores: tuple[float, float, float, float]  # p(f|e), p(e|f), lex(f|e), lex(e|f)
    alignment: list[tuple[int, int]]
    counts: tuple[int, int, int]


def read(lines: list[str]) -> dict[Pair, Entry]:
    """Lines of five fields or more."""
    entries = {}
    for line in lines:
        source, target, scores, alignment, counts, *_ = line.split("|||")
        p_fe, lex_fe, p_ef, lex_ef = map(stored, scores.split())
        entries[source.strip(" "), target.strip(" ")] = Entry(
            (p_fe, p_ef, lex_fe, lex_ef),
            [tuple(map(int, point.split("-"))) for point in alignment.split()],
            tuple(int(float(count)) for count in counts.split()),
        )
    return entries


def prune(
    entries: dict[Pair, Entry],
    *,
    phrases: set[str] | None = None,
    min_probability: float = 0,
    min_count: int = 0,
    limit: int = 0,
    weights: tuple[float, float, float, float] | None = None,
) -> tuple[set[Pair], dict[str, int]]:
    """The remaining pairs, and the number removed by each criterion."""
    left, gone = dict(entries), {}

    def drop(name: str, bad: set[Pair]) -> None:
        gone[name] = len(bad)
        for pair in bad:
            del left[pair]

    drop("text", {pair for pair in left if phrases is not None and pair[0] not in phrases})
    drop("min-probability", {pair for pair, entry in left.items() if entry.scores[1] < np.float32(min_probability)})
    drop("min-count", {pair for pair, entry in left.items() if entry.counts[2] < min_count})

    def stored_rank(pair: Pair) -> tuple[float, float, bytes]:
        p_fe, p_ef, _, _ = left[pair].scores
        return -p_ef, -p_fe, f"{pair[1]} ||| ".encode()

    def rank(pair: Pair) -> tuple[float, ...]:
        return (-sum(w * log(s) for w, s in zip(weights, left[pair].scores, strict=True)),) if weights else ()

    best = set()
    for source in {source for source, _ in left}:
        ranked = sorted((pair for pair in left if pair[0] == source), key=lambda p: (*rank(p), *stored_rank(p)))
        best |= set(ranked[: limit or None])
    drop("limit", left.keys() - best)
    return set(left), {name: count for name, count in gone.items() if count}
