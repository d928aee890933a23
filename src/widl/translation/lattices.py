"""Lattices of a line's explored derivations: joined from pieces, and written as JSON."""

from collections.abc import Mapping, Sequence

import numpy as np

from widl.common.json_values import json_text
from widl.decoder import FeatureLayout, Lattice


def line_lattice(lattices: Sequence[Lattice], lengths: Sequence[int]) -> Lattice:
    """The lattice of a line whose pieces have these lattices and numbers of tokens."""
    if len(lattices) == 1:
        return lattices[0]
    return Lattice.joined(lattices, [0, *np.cumsum(lengths[:-1]).tolist()])


def passed_through_lattice(tokens: Sequence[str], layout: FeatureLayout) -> Lattice:
    """The only derivation of a line that is passed through untranslated; all features are 0."""
    arcs = [(i, i + 1, i, i + 1, 0, [token]) for i, token in enumerate(tokens)] or [(0, 1, 0, 0, 0, [])]
    return Lattice(arcs, np.zeros((len(arcs), len(layout))))


def lattice_json(
    number: int, lattice: Lattice, source: Sequence[str], layout: FeatureLayout, weights: Mapping[str, float]
) -> str:
    """One JSON object: line number from 0, source tokens, names of features, and nodes and arcs of the lattice.

    An arc has its nodes, the source positions [begin, end) and target words of its phrase, λ · h and h.
    """
    features = lattice.features
    scores = features @ np.array(layout.vector(weights))
    arcs = [
        {
            "from": start,
            "to": end,
            "source": [first, last],
            "words": words,
            "score": _short(score),
            "features": [_short(value) for value in row],
        }
        for (start, end, first, last, _, words), score, row in zip(
            lattice.arcs, scores.tolist(), features.tolist(), strict=True
        )
    ]
    record = {
        "line": number,
        "source": list(source),
        "feature_names": list(layout.names),
        "nodes": lattice.nodes,
        "arcs": arcs,
    }
    return json_text(record)


def _short(value: float) -> float:
    return float(f"{value:.9g}")
