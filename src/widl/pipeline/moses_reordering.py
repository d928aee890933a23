"""The LexicalReordering of Moses' configuration: which model it is, its table, and its weights by features of widl."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from widl.phrase_table.reordering import reordering_features
from widl.pipeline.moses_ini import Feature, MosesIni

_ORIENTATIONS = ("msd", "mslr", "monotonicity")
_DIRECTIONS = {"backward": "backward", "unidirectional": "backward", "forward": "forward",
               "bidirectional": "bidirectional"}


@dataclass(frozen=True)
class MosesReordering:
    """A reordering table that widl reads, with the name of its model and the weights of its features."""

    table: Path
    model: str
    weights: dict[str, float]


def read_reordering(ini: MosesIni, feature: Feature) -> MosesReordering | str:
    """The reordering model of a feature, or why widl can't have it; InputError for what does not fit together."""
    for factor in ("input-factor", "output-factor"):
        if feature.attributes.get(factor, "0") != "0":
            return "a reordering model of factors"
    if "property-index" in feature.attributes:
        return "a reordering model in the phrase table's properties"
    name = feature.attributes.get("type", "")
    parsed = _parsed(name)
    if parsed is None:
        return f"a reordering model of the type {name or 'that it does not name'}"
    model, collapsed = parsed
    weights = _weights(ini, feature, model, collapsed=collapsed)
    path = feature.attributes.get("path")
    if not path:
        ini.fail(feature.line, f"{feature.name} has no path=")
    return MosesReordering(ini.file(feature.line, path), model, weights)


def _parsed(name: str) -> tuple[str, bool] | None:
    """The model of Moses' type, and whether one weight is of all orientations; None for what widl does not have.

    >>> _parsed("wbe-msd-bidirectional-fe-allff")
    ('msd-bidirectional-fe', False)
    >>> _parsed("mslr-f-collapseff")
    ('mslr-backward-f', True)
    >>> _parsed("hier-mslr-bidirectional-fe-allff")
    ('hier-mslr-bidirectional-fe', False)
    """
    neighbours = ""
    orientations = direction = condition = None
    collapsed = False
    for part in name.split("-"):
        if part in _ORIENTATIONS:
            orientations = part
        elif part in _DIRECTIONS:
            direction = _DIRECTIONS[part]
        elif part in ("f", "fe"):
            condition = part
        elif part in ("allff", "collapseff"):
            collapsed = part == "collapseff"
        elif part in ("phrase", "hier"):
            neighbours = f"{part}-"
        elif part != "wbe":
            return None
    if orientations is None:
        return None
    return f"{neighbours}{orientations}-{direction or 'backward'}-{condition or 'fe'}", collapsed


def _weights(ini: MosesIni, feature: Feature, model: str, *, collapsed: bool) -> dict[str, float]:
    names = reordering_features(model)
    # Collapsed, each direction's features have one weight.
    directions = list(dict.fromkeys(name.rpartition("_")[2] for name in names))
    expected = len(directions) if collapsed else len(names)
    weights: Sequence[float] = feature.weights or ()
    if len(weights) != expected:
        has = "no weights" if feature.weights is None else f"{len(weights)} weights"
        ini.fail(feature.line, f"{feature.name} has {has}, but {feature.attributes['type']} needs {expected}")
    announced = feature.attributes.get("num-features", str(expected))
    if announced != str(expected):
        ini.fail(feature.line, f"{feature.name}: num-features={announced}, but its type has {expected}")
    if collapsed:
        return {name: weights[directions.index(name.rpartition("_")[2])] for name in names}
    return dict(zip(names, weights, strict=True))
