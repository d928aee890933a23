"""Movement as a separate feature, or folded into the WIDL features as in the 2006 paper."""

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.presets import preset_of
from widl.decoder import (
    DISTORTION,
    ORIGIN_FEATURES,
    FeatureLayout,
    FeatureVector,
    Lattice,
    WeightVector,
    check_names,
    read_weights,
    with_origins,
)
from widl.decoder.weights import changed_weights, read_finite_entries

FOLDED_BASE = 0.6
"""a of the paper's movement a^d over d source positions. Neither it nor Koehn (2004) says the value."""
_COST = -math.log(FOLDED_BASE)


class FeatureView:
    """The features that a model shows to users, computed from the core's.

    core: the core's layout. distortion: ``own``: movement is a separate feature; ``folded``: every WIDL feature that is
    a probability is multiplied by `FOLDED_BASE` to the power of the movement instead. only: the features shown, if not
    all; all others have weight 0. `layout`: the layout of the features shown.

    >>> shown = FeatureView(FeatureLayout.of(["p", "q"], language_models=1), "folded")
    >>> shown.layout.names
    ('p', 'q', 'lm0', 'word_count', 'phrase_count', 'unknown')
    >>> [round(value, 2) for value in shown.of([-1.0, -2.0, -7.0, 3.0, 1.0, -5.0, 0.0]).row]
    [-3.55, -4.55, -7.0, 3.0, 1.0, 0.0]
    """

    def __init__(self, core: FeatureLayout, distortion: str = "own", only: Sequence[str] | None = None) -> None:
        """InputError unless `distortion` is one of the two."""
        if distortion not in ("own", "folded"):
            raise InputError(f"distortion is own or folded, not {distortion!r}")
        self.core = core
        self.distortion = distortion
        self.only = only
        self.layout = core.without([DISTORTION]) if distortion == "folded" else core
        if only is not None:
            self.layout = core.without(set(core.names) - set(only))
        self._hidden = {name: 0.0 for name in core.names if only is not None and name not in only}
        self._movement = core.index(DISTORTION)
        self._probabilities = [name for name in core.widl if name not in ORIGIN_FEATURES and name in self.layout.names]
        self._kept = [(core.index(name), _COST * (name in self._probabilities)) for name in self.layout.names]

    def of(self, row: Sequence[float]) -> FeatureVector:
        """The features shown, from a row of the core's."""
        if self.layout is self.core:
            return FeatureVector(self.layout, row)
        movement = row[self._movement]
        return FeatureVector(self.layout, (row[place] + cost * movement for place, cost in self._kept))

    def of_lattice(self, lattice: Lattice) -> Lattice:
        """The same derivations with the features shown."""
        if self.layout is self.core:
            return lattice
        rows = lattice.features.copy()
        rows[:, self.core.columns(self._probabilities)] += _COST * rows[:, [self._movement]]
        shown = np.ascontiguousarray(rows[:, self.core.columns(self.layout.names)])
        return Lattice(lattice.arcs, shown)

    def weight_vector(self, weights: Mapping[str, float]) -> WeightVector:
        """The core's weights; the weight of folded movement is a share of the sum of the probabilities' weights."""
        return self.core.weight_vector(self.core_weights(weights))

    def core_weights(self, weights: Mapping[str, float]) -> dict[str, float]:
        """The weights of the core's features."""
        check_names(weights, self.layout.names, where="weights")
        if self.layout is self.core:
            return {**weights, **self._hidden}
        movement = _COST * sum(weights[name] for name in self._probabilities)
        return {**weights, **self._hidden, DISTORTION: movement}


def feature_view(core: FeatureLayout, distortion: str | None, preset: str | None) -> FeatureView:
    """Keeps only the features of a preset, with movement folded into them; InputError for another `distortion`."""
    if preset is None:
        return FeatureView(core, distortion or "own")
    if distortion not in (None, "folded"):
        raise InputError(f"distortion {distortion} contradicts the preset {preset}, which has folded (§5: h0 to h3)")
    return FeatureView(core, "folded", preset_of(preset).features["translation"])


def read_shown_weights(
    given: PathLike | Mapping[str, float] | None,
    default: Path,
    shown: FeatureView,
    names_of_model: Sequence[str] = (),
) -> dict[str, float]:
    """Weights of a file, else of the model's own file `default`, whose movement is not folded; or the model's, with
    those that a mapping names.

    names_of_model: all features of that file, if the core has fewer.
    """
    names = shown.layout.names
    if given is not None and not isinstance(given, str | os.PathLike):
        own = {name: weight for name, weight in read_finite_entries(default).items() if name in names}
        weights = changed_weights(with_origins(own, names), given, names)
        check_names(weights, names, where="weights")
    elif given is not None:
        weights = read_weights(Path(given), names)
    else:
        weights = read_weights(default, names_of_model or shown.core.names)
    return {name: weights[name] for name in names}
