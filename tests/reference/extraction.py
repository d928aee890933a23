"""Phrase extraction and scoring by their definitions (Koehn et al. 2003)."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from math import prod

from tests.reference.phrase_smoothing import kneser_ney

Links = set[tuple[int, int]]
Phrase = tuple[str, ...]
Lexicon = dict[tuple[str | None, str | None], float]


def consistent(links: Links, source: range, target: range) -> bool:
    """Consistency: at least one link inside, and none from inside to outside."""
    inside = [(i, j) for i, j in links if i in source or j in target]
    return bool(inside) and all(i in source and j in target for i, j in inside)


def phrase_spans(
    source_length: int, target_length: int, links: Links, max_length: int
) -> set[tuple[int, int, int, int]]:
    def spans(length: int) -> list[range]:
        return [
            range(begin, end)
            for begin in range(length)
            for end in range(begin + 1, min(length, begin + max_length) + 1)
        ]

    return {
        (source[0], source[-1], target[0], target[-1])
        for source in spans(source_length)
        for target in spans(target_length)
        if consistent(links, source, target)
    }


@dataclass
class Bitext:
    sources: list[list[str]]
    targets: list[list[str]]
    links: list[Links]


def lexicons(bitext: Bitext, in_domain: int = 0) -> tuple[Lexicon, Lexicon]:
    """w(f|e) and w(e|f), keyed by (f, e), with None for NULL. The first `in_domain` pairs have separate counts, in
    which those from all pairs add five occurrences.
    """
    if in_domain:
        part = Bitext(bitext.sources[:in_domain], bitext.targets[:in_domain], bitext.links[:in_domain])
        joint = links_of(part)
        result: list[Lexicon] = []
        for side, whole in zip((1, 0), lexicons(bitext), strict=True):  # w(f|e) is given e
            counts: Counter[str | None] = Counter()
            for pair, count in joint.items():
                counts[pair[side]] += count
            result.append({pair: (joint[pair] + 5 * w) / (counts[pair[side]] + 5) for pair, w in whole.items()})
        return result[0], result[1]
    joint = links_of(bitext)
    f_counts: Counter[str | None] = Counter()
    e_counts: Counter[str | None] = Counter()
    for (f, e), count in joint.items():
        f_counts[f] += count
        e_counts[e] += count
    return (
        {(f, e): count / e_counts[e] for (f, e), count in joint.items()},
        {(f, e): count / f_counts[f] for (f, e), count in joint.items()},
    )


def links_of(bitext: Bitext) -> Counter[tuple[str | None, str | None]]:
    """Counts of linked and unlinked words."""
    joint: Counter[tuple[str | None, str | None]] = Counter()
    for source, target, links in zip(bitext.sources, bitext.targets, bitext.links, strict=True):
        joint.update((source[i], target[j]) for i, j in links)
        joint.update((f, None) for i, f in enumerate(source) if all(i != s for s, _ in links))
        joint.update((None, e) for j, e in enumerate(target) if all(j != t for _, t in links))
    return joint


def lexical_weight(f: Phrase, e: Phrase, links: Links, w: Lexicon, missing: float | None = None) -> float:
    """lex(e|f, links) if `w` has w(e|f); a pair missing from it counts as `missing`."""

    def factor(j: int) -> float:
        partners = [f[s] for s, t in links if t == j] or [None]
        values = [w[g, e[j]] if missing is None else w.get((g, e[j]), missing) for g in partners]
        return sum(values) / len(values)

    return prod(factor(j) for j in range(len(e)))


def best_alignment(alignments: Counter[frozenset[tuple[int, int]]], target_length: int) -> Links:
    """The most frequent alignment; ties go to the largest sets of source words of the target words."""

    def sets(links: frozenset[tuple[int, int]]) -> list[list[int]]:
        return [sorted(i for i, j in links if j == target) for target in range(target_length)]

    return set(max(alignments, key=lambda links: (alignments[links], sets(links))))


@dataclass
class ScoredPair:
    scores: tuple[float, ...]  # p(f|e), p(e|f), lex(f|e), lex(e|f); the last two of in-domain text
    counts: tuple[int, int, int]  # of e, of f, of both
    alignment: Links


def score(
    bitext: Bitext,
    max_length: int,
    *,
    smoothed: bool = True,
    in_domain: int = 0,
) -> dict[tuple[Phrase, Phrase], ScoredPair]:
    result: defaultdict[tuple[Phrase, Phrase], Counter[frozenset[tuple[int, int]]]] = defaultdict(Counter)
    for source, target, links in zip(bitext.sources, bitext.targets, bitext.links, strict=True):
        for i1, i2, j1, j2 in phrase_spans(len(source), len(target), links, max_length):
            inside = frozenset((i - i1, j - j1) for i, j in links if i1 <= i <= i2)
            result[tuple(source[i1 : i2 + 1]), tuple(target[j1 : j2 + 1])][inside] += 1
    joint = {pair: alignments.total() for pair, alignments in result.items()}
    f_counts: Counter[Phrase] = Counter()
    e_counts: Counter[Phrase] = Counter()
    for (f, e), count in joint.items():
        f_counts[f] += count
        e_counts[e] += count
    turned = {(e, f): count for (f, e), count in joint.items()}
    lexical = [lexicons(bitext), *([lexicons(bitext, in_domain)] if in_domain else [])]
    scored = {}
    for (f, e), alignments in result.items():
        best = best_alignment(alignments, len(e))
        scored[f, e] = ScoredPair(
            scores=(
                kneser_ney(joint, f, e) if smoothed else joint[f, e] / e_counts[e],
                kneser_ney(turned, e, f) if smoothed else joint[f, e] / f_counts[f],
                *(
                    weight
                    for w_f, w_e in lexical
                    for weight in (
                        lexical_weight(e, f, {(j, i) for i, j in best}, {(e, f): w for (f, e), w in w_f.items()}),
                        lexical_weight(f, e, best, w_e),
                    )
                ),
            ),
            counts=(e_counts[e], f_counts[f], joint[f, e]),
            alignment=best,
        )
    return scored
