"""Lattices of a line's explored derivations: joined from pieces, and written for other programs."""

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

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
    return json.dumps(record, ensure_ascii=False)


def lattice_slf(
    number: int, lattice: Lattice, layout: FeatureLayout, weights: Mapping[str, float]
) -> Iterator[str]:
    """Lines of HTK's Standard Lattice Format: words on links, natural logs, as the default base says.

    ``l`` is what language models give, weighted, and ``a`` all else; of a phrase of several words the first link has
    both. Blanks are what SLF separates fields by: in words they become ``_``.
    """
    models_alone = dict.fromkeys(layout.names, 0.0) | {name: weights[name] for name in layout.language_models}
    of_models = np.array(layout.vector(models_alone))
    of_others = np.array(layout.vector(weights)) - of_models
    models, others = (lattice.features @ part for part in (of_models, of_others))
    links: list[str] = []
    nodes = lattice.nodes
    for (start, end, _, _, _, words), model, other in zip(lattice.arcs, models.tolist(), others.tolist(), strict=True):
        at = start
        for i, word in enumerate(words or ["!NULL"]):
            last = i + 1 >= len(words)
            to = end if last else nodes
            nodes += not last
            scores = f"a={other:.9g} l={model:.9g}" if i == 0 else "a=0 l=0"
            links.append(f"J={len(links)} S={at} E={to} W={_slf_word(word)} {scores}")
            at = to
    yield "VERSION=1.0"
    yield f"UTTERANCE={number}"
    yield "lmscale=1.0 wdpenalty=0.0"
    yield f"# a: all features but {', '.join(layout.language_models)}, weighted"
    yield f"start=0 end={lattice.nodes - 1}"
    yield f"N={nodes} L={len(links)}"
    yield from (f"I={node}" for node in range(nodes))
    yield from links


def _slf_word(word: str) -> str:
    """Quotes and backslashes are escaped, as HTK reads them; a word in quotes may hold anything else."""
    word = "_".join(word.split())
    if word[:1] in {'"', "'"} or "\\" in word or "=" in word:
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return word


def _short(value: float) -> float:
    return float(f"{value:.9g}")
