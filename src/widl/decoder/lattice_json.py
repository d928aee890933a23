"""Lattices as JSON lines: ``widl translate --lattice`` writes them, ``widl realize --lattice`` reads them."""

import json
import math
from collections.abc import Mapping, Sequence

import numpy as np

from widl._core import Lattice
from widl.common.errors import InputError
from widl.common.json_values import json_text
from widl.decoder.features import FeatureLayout


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


def lattice_of_json(line: str, where: str) -> Lattice:
    """A lattice as `lattice_json` or `widl enumerate --acceptor --json` writes it; errors name the place `where`."""
    try:
        record = json.loads(line)
        if "final" in record:
            arcs = [(at, to, word, [math.log(p) for p in more]) for at, to, word, *more in record["arcs"]]
            return Lattice.from_arcs(arcs, {record["final"]: [0.0] * len(arcs[0][3])})
        edges = [(arc["from"], arc["to"], _joined(arc["words"]), float(arc["score"])) for arc in record["arcs"]]
        return Lattice.from_arcs(edges, {record["nodes"] - 1: 0.0})
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise InputError(
            f"{where}: not a lattice in JSON, as 'widl translate --lattice' writes ({type(error).__name__}: {error})"
        ) from None


def _joined(words: object) -> str:
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise TypeError("'words' must be a list of strings")
    return " ".join(words)
