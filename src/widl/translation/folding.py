"""Movement as a feature of its own, or folded into the WIDL features as in the 2006 paper."""

from collections.abc import Mapping, Sequence

from widl.errors import InputError

DISTORTION = "distortion"


def check_distortion(distortion: str) -> str:
    """Raise InputError unless it is one of the two ways."""
    if distortion not in ("own", "folded"):
        raise InputError(f"distortion is own or folded, not {distortion!r}")
    return distortion


def features_shown(features: Sequence[str], distortion: str) -> list[str]:
    """The names of the features, of all that the core counts.

    >>> features_shown(["p_fe", "lm0", "distortion"], "folded")
    ['p_fe', 'lm0']
    """
    return [name for name in features if distortion == "own" or name != DISTORTION]


def unfolded_weights(weights: Mapping[str, float], widl: Sequence[str], distortion: str) -> Mapping[str, float]:
    """The core's weights: movement that is part of every WIDL feature weighs what they weigh together.

    >>> unfolded_weights({"p_fe": 0.5, "p_ef": 0.25}, ["p_fe", "p_ef"], "folded")
    {'p_fe': 0.5, 'p_ef': 0.25, 'distortion': 0.75}
    """
    if distortion == "own":
        return weights
    return {**weights, DISTORTION: sum(weights[name] for name in widl)}


def fold_movement(features: tuple[float, ...], widl: int, distortion: str) -> tuple[float, ...]:
    """Feature values of the core as they are shown: `widl` features first, movement the last but one.

    >>> fold_movement((-1.0, -2.0, -7.0, 3.0, -5.0, 0.0), 2, "folded")
    (-6.0, -7.0, -7.0, 3.0, 0.0)
    """
    if distortion == "own":
        return features
    movement = features[-2]
    return (*(value + movement for value in features[:widl]), *features[widl:-2], features[-1])
