"""Weights of realization: of an expression's probabilities, language models, words, phrases and movement."""

import re
from collections.abc import Mapping

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.decoder.features import DISTORTION, UNKNOWN, FeatureLayout
from widl.decoder.weights import checked_changes, checked_weights, read_entries, weight_names

_OPTIONAL = (DISTORTION, UNKNOWN)

COMPONENT = re.compile("widl(?:[1-9][0-9]{0,2})?")
"""Names of weights of an expression's probabilities."""


@checked
def default_realization_weights(components: int, language_models: int) -> dict[str, float]:
    """Weights that make a derivation's score its log-probability, including the movement of δ."""
    layout = FeatureLayout.of(weight_names(components), language_models)
    counted = {*layout.widl, *layout.language_models, DISTORTION}
    return {name: float(name in counted) for name in layout.names}


@checked
def read_realization_weights(path: PathLike, language_models: int) -> dict[str, float]:
    """Weights of a TOML file with ``widl`` (or ``widl1``, ``widl2`` …), ``lm0`` …, and the other features.

    ``distortion`` and ``unknown``, which few expressions have, may be missing: `Realizer` has defaults.
    """
    entries = read_entries(path)
    components = 1
    while f"widl{components + 1}" in entries:
        components += 1
    names = FeatureLayout.of(weight_names(components), language_models).names
    return checked_weights(path, entries, [name for name in names if name in entries or name not in _OPTIONAL])


def checked_realization_weights(weights: Mapping[str, float] | None, language_models: int) -> dict[str, float]:
    """The weights of a call; a weight of a probability that an expression lacks has no effect."""
    if weights is None:
        return {}
    known = list(default_realization_weights(1, language_models))
    components = list(filter(COMPONENT.fullmatch, weights)) if isinstance(weights, Mapping) else []
    found = checked_changes(weights, [*known, *components])
    if "widl" in components and len(components) > 1:
        raise InputError(f"weights: widl is the weight of a single probability; give widl1 beside {components[-1]}")
    return found
