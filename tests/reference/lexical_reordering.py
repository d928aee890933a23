"""Orientations of phrase pairs and their smoothed probabilities, straight from Moses' rules (Koehn et al. 2005)."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.reference.extraction import Bitext, Links, Phrase, phrase_spans

ORIENTATIONS = ("monotone", "swap", "discontinuous")
DIRECTIONS = ("backward", "forward")
FEATURES = [f"{orientation}_{direction}" for direction in DIRECTIONS for orientation in ORIENTATIONS]


def orientation_in_text(
    direction: str, span: tuple[int, int, int, int], links: Links, source_length: int, target_length: int
) -> str:
    """Orientation of an occurrence with these first and last words."""

    def linked(i: int, j: int) -> bool:
        return (i, j) in {*links, (-1, -1), (source_length, target_length)}

    first, last, target_first, target_last = span
    neighbor = target_first - 1 if direction == "backward" else target_last + 1
    ahead, astern = (first - 1, last + 1) if direction == "backward" else (last + 1, first - 1)
    monotone, swap = linked(ahead, neighbor), linked(astern, neighbor)
    if monotone and not swap:
        return "monotone"
    return "swap" if swap and not monotone else "discontinuous"


def reordering_scores(bitext: Bitext, max_length: int) -> dict[tuple[Phrase, Phrase], list[float]]:
    """Maps each phrase pair to p(orientation) for each direction."""
    counts: defaultdict[tuple[Phrase, Phrase], Counter[tuple[str, str]]] = defaultdict(Counter)
    for source, target, links in zip(bitext.sources, bitext.targets, bitext.links, strict=True):
        for span in phrase_spans(len(source), len(target), links, max_length):
            pair = tuple(source[span[0] : span[1] + 1]), tuple(target[span[2] : span[3] + 1])
            for direction in DIRECTIONS:
                result = orientation_in_text(direction, span, links, len(source), len(target))
                counts[pair][direction, result] += 1
    scores = {}
    for pair, of_pair in counts.items():
        scores[pair] = []
        for direction in DIRECTIONS:
            smoothed = [of_pair[direction, orientation] + 0.5 for orientation in ORIENTATIONS]
            scores[pair] += [count / sum(smoothed) for count in smoothed]
    return scores


def orientation_in_order(previous: tuple[int, int] | None, span: tuple[int, int]) -> str:
    """Orientation of the source phrase [begin, end) after another phrase, or as the first phrase, as in Moses'
    decoder.
    """
    if span[0] == (0 if previous is None else previous[1]):
        return "monotone"
    return "swap" if previous is not None and previous[0] == span[1] else "discontinuous"


def reordering_features(spans: Sequence[tuple[int, int]], scores: Sequence[Sequence[float]]) -> list[float]:
    """Sums over a derivation's phrases in order: each phrase's backward score, and each phrase's forward score except
    the last.

    `scores`: ln p of each phrase, by `FEATURES`; empty for phrases without scores.
    """
    sums = dict.fromkeys(FEATURES, 0.0)
    for i, span in enumerate(spans):
        result = orientation_in_order(spans[i - 1] if i else None, span)
        uses = [(f"{result}_backward", scores[i])] + ([(f"{result}_forward", scores[i - 1])] if i else [])
        for name, row in uses:
            if row:
                sums[name] += row[FEATURES.index(name)]
    return list(sums.values())
