"""Orientations of phrase pairs and their smoothed probabilities, straight from Moses' rules (Koehn et al. 2005)."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.reference.extraction import Bitext, Links, Phrase, phrase_spans

ORIENTATIONS = {
    "monotonicity": ("monotone", "other"),
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "right", "left"),
}


def directions(model: str) -> tuple[str, ...]:
    direction = model.split("-")[1]
    return ("backward", "forward") if direction == "bidirectional" else (direction,)


def feature_names(model: str) -> list[str]:
    return [f"{o}_{direction}" for direction in directions(model) for o in ORIENTATIONS[model.split("-")[0]]]


def orientation_in_text(
    model: str, direction: str, span: tuple[int, int, int, int], links: Links, source_length: int, target_length: int
) -> str:
    """Of an occurrence with these first and last words."""

    def linked(i: int, j: int) -> bool:
        return (i, j) in {*links, (-1, -1), (source_length, target_length)}

    first, last, target_first, target_last = span
    neighbour = target_first - 1 if direction == "backward" else target_last + 1
    ahead, astern = (first - 1, last + 1) if direction == "backward" else (last + 1, first - 1)
    monotone, swap = linked(ahead, neighbour), linked(astern, neighbour)
    kinds = ORIENTATIONS[model.split("-")[0]]
    if monotone and not swap:
        return "monotone"
    if kinds == ("monotone", "other"):
        return "other"
    if swap and not monotone:
        return "swap"
    if "discontinuous" in kinds:
        return "discontinuous"
    if monotone and swap:
        return "right"
    before = any(linked(i, neighbour) for i in range(first - 1))
    behind = any(linked(i, neighbour) for i in range(last + 2, source_length))
    on_monotone_side, on_swap_side = (before, behind) if direction == "backward" else (behind, before)
    return "left" if on_swap_side and not on_monotone_side else "right"


def reordering_scores(bitext: Bitext, model: str, max_length: int) -> dict[tuple[Phrase, Phrase], list[float]]:
    """By phrase pair, p(orientation) for each direction."""
    counts: defaultdict[tuple[Phrase, ...], Counter[tuple[str, str]]] = defaultdict(Counter)
    pairs: set[tuple[Phrase, Phrase]] = set()
    source_only = model.endswith("-f")
    for source, target, links in zip(bitext.sources, bitext.targets, bitext.links, strict=True):
        for span in phrase_spans(len(source), len(target), links, max_length):
            pair = tuple(source[span[0] : span[1] + 1]), tuple(target[span[2] : span[3] + 1])
            pairs.add(pair)
            for direction in directions(model):
                found = orientation_in_text(model, direction, span, links, len(source), len(target))
                counts[pair[:1] if source_only else pair][direction, found] += 1
    scores = {}
    for pair in pairs:
        of_pair = counts[pair[:1] if source_only else pair]
        scores[pair] = []
        for direction in directions(model):
            kinds = ORIENTATIONS[model.split("-")[0]]
            smoothed = [of_pair[direction, kind] + 0.5 for kind in kinds]
            scores[pair] += [count / sum(smoothed) for count in smoothed]
    return scores


def orientation_in_order(model: str, previous: tuple[int, int] | None, span: tuple[int, int]) -> str:
    """Of a phrase of source positions [begin, end) behind another, or as the first one, as Moses' decoder tells it."""
    kinds = ORIENTATIONS[model.split("-")[0]]
    if span[0] == (0 if previous is None else previous[1]):
        return "monotone"
    if kinds == ("monotone", "other"):
        return "other"
    if previous is not None and previous[0] == span[1]:
        return "swap"
    if "discontinuous" in kinds:
        return "discontinuous"
    return "right" if previous is None or span[0] >= previous[1] else "left"


def reordering_features(
    model: str, spans: Sequence[tuple[int, int]], scores: Sequence[Sequence[float]]
) -> list[float]:
    """Sums over a derivation's phrases in order: each one's backward score, and each but the last one's forward score.

    `scores`: ln p of each phrase, by `feature_names`; empty where a phrase has none.
    """
    names = feature_names(model)
    sums = dict.fromkeys(names, 0.0)
    for i, span in enumerate(spans):
        found = orientation_in_order(model, spans[i - 1] if i else None, span)
        uses = [(f"{found}_backward", scores[i])] + ([(f"{found}_forward", scores[i - 1])] if i else [])
        for name, row in uses:
            if name in sums and row:
                sums[name] += row[names.index(name)]
    return [sums[name] for name in names]
