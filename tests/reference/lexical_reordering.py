"""Orientations of phrase pairs and their smoothed probabilities, straight from Moses' rules (Koehn et al. 2005).

Of models of phrases and hierarchical ones (Galley & Manning 2008) by writing out all phrase pairs of a sentence.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from tests.reference.extraction import Bitext, Links, Phrase, phrase_spans

ORIENTATIONS = {
    "monotonicity": ("monotone", "other"),
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "right", "left"),
}
NEIGHBOURS = ("", "phrase-", "hier-")


def kinds_of(model: str) -> tuple[str, ...]:
    """The orientations that a model tells apart."""
    return ORIENTATIONS[model.split("-")[-3]]


def directions(model: str) -> tuple[str, ...]:
    direction = model.split("-")[-2]
    return ("backward", "forward") if direction == "bidirectional" else (direction,)


def feature_names(model: str) -> list[str]:
    return [f"{o}_{direction}" for direction in directions(model) for o in kinds_of(model)]


def orientation_in_text(
    model: str, direction: str, span: tuple[int, int, int, int], links: Links, source_length: int, target_length: int,
    pairs: Sequence[tuple[int, int, int, int]],
) -> str:  # fmt: skip
    """Of an occurrence with these first and last words; `pairs`: those that count as neighbours, of a model of such."""

    def linked(i: int, j: int) -> bool:
        return (i, j) in {*links, (-1, -1), (source_length, target_length)}

    first, last, target_first, target_last = span
    neighbour = target_first - 1 if direction == "backward" else target_last + 1
    ahead, astern = (first - 1, last + 1) if direction == "backward" else (last + 1, first - 1)
    monotone, swap = linked(ahead, neighbour), linked(astern, neighbour)
    kinds = kinds_of(model)
    if model.startswith(NEIGHBOURS[1:]):
        # First source words of pairs that begin, or last ones of those that end, with the neighbouring target word.
        backward = direction == "backward"
        touching = [pair for pair in pairs if pair[3 if backward else 2] == neighbour]
        left = {last_source for _, last_source, _, _ in touching if last_source < first}
        right = {first_source for first_source, _, _, _ in touching if first_source > last}
        ahead_of, astern_of = (left, right) if backward else (right, left)
        monotone, swap = (monotone and not swap) or ahead in ahead_of, (swap and not monotone) or astern in astern_of
        if monotone:
            return "monotone"
        if kinds == ("monotone", "other"):
            return "other"
        if swap:
            return "swap"
        if "discontinuous" in kinds:
            return "discontinuous"
        return "left" if astern_of and not ahead_of else "right"
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
        neighbours = phrase_spans(
            len(source), len(target), links, max(len(source), len(target)) if model.startswith("hier") else max_length
        )
        for span in phrase_spans(len(source), len(target), links, max_length):
            pair = tuple(source[span[0] : span[1] + 1]), tuple(target[span[2] : span[3] + 1])
            pairs.add(pair)
            for direction in directions(model):
                found = orientation_in_text(model, direction, span, links, len(source), len(target), neighbours)
                counts[pair[:1] if source_only else pair][direction, found] += 1
    scores = {}
    for pair in pairs:
        of_pair = counts[pair[:1] if source_only else pair]
        scores[pair] = []
        for direction in directions(model):
            smoothed = [of_pair[direction, kind] + 0.5 for kind in kinds_of(model)]
            scores[pair] += [count / sum(smoothed) for count in smoothed]
    return scores


def orientation_in_order(model: str, previous: tuple[int, int] | None, span: tuple[int, int]) -> str:
    """Of a phrase of source positions [begin, end) behind another, or as the first one, as Moses' decoder tells it."""
    kinds = kinds_of(model)
    if span[0] == (0 if previous is None else previous[1]):
        return "monotone"
    if kinds == ("monotone", "other"):
        return "other"
    if previous is not None and previous[0] == span[1]:
        return "swap"
    if "discontinuous" in kinds:
        return "discontinuous"
    return "right" if previous is None or span[0] >= previous[1] else "left"


def block_before(spans: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """What stands before the next phrase in a hierarchical model: as Moses' decoder, neighbours become one block."""
    blocks: list[tuple[int, int]] = []
    for span in spans:
        blocks.append(span)
        while len(blocks) > 1 and (blocks[-1][0] == blocks[-2][1] or blocks[-1][1] == blocks[-2][0]):
            one, other = blocks.pop(), blocks.pop()
            blocks.append((min(one[0], other[0]), max(one[1], other[1])))
    return blocks[-1] if blocks else None


def forward_in_blocks(model: str, spans: Sequence[tuple[int, int]], span: tuple[int, int]) -> str:
    """The orientation of a phrase to the last of `spans`, in its view: gaps beside it may become one block."""
    begin, end = spans[-1]
    taken = {position for one in [*spans, span] for position in range(*one)}
    if span[0] == end or (span[0] > end and end not in taken):
        return orientation_in_order(model, (begin, end), (end, end + 1))
    if span[1] == begin or (span[1] < begin and begin - 1 not in taken):
        return orientation_in_order(model, (begin, end), (begin - 1, begin))
    return orientation_in_order(model, (begin, end), span)


def reordering_features(
    model: str, spans: Sequence[tuple[int, int]], scores: Sequence[Sequence[float]]
) -> list[float]:
    """Sums over a derivation's phrases in order: each one's backward score, and each but the last one's forward score.

    `scores`: ln p of each phrase, by `feature_names`; empty where a phrase has none.
    """
    names = feature_names(model)
    sums = dict.fromkeys(names, 0.0)
    for i, span in enumerate(spans):
        found = following = orientation_in_order(model, spans[i - 1] if i else None, span)
        if model.startswith("hier"):
            found = orientation_in_order(model, block_before(spans[:i]), span)
            following = forward_in_blocks(model, spans[:i], span) if i else ""
        uses = [(f"{found}_backward", scores[i])] + ([(f"{following}_forward", scores[i - 1])] if i else [])
        for name, row in uses:
            if name in sums and row:
                sums[name] += row[names.index(name)]
    return [sums[name] for name in names]
