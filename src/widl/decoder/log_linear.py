"""Probabilities of an expression's strings under a log-linear model: Equation 1 of Soricut & Marcu (2006)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from widl._core import Expression, LanguageModel
from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.decoder.features import DISTORTION
from widl.decoder.realization_weights import default_realization_weights
from widl.decoder.realizer import LanguageModels, models_of
from widl.decoder.weights import weight_names
from widl.expressions.enumeration import EnumerationOptions, WeightedString, enumerate_strings
from widl.expressions.node_table import NodeTable
from widl.expressions.parsing import expression_of
from widl.expressions.unfolding import ShuffleCount


@dataclass(frozen=True, slots=True)
class InterpolatedString:
    """A string e of an expression with P(e); `score` is Σ λ h(e), natural logs, before it is divided by the sum."""

    string: str
    probability: float
    score: float


@checked
def interpolate_strings(
    expression: Expression | str,
    language_models: LanguageModels,
    weights: Mapping[str, float] | None = None,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> list[InterpolatedString]:
    """All strings with P(e) = exp Σ λ h(e) / Σ over all strings (Equation 1), most probable first.

    The feature h0 is ln σ(e), as in the paper: the sum over all derivations of a string, movement included. It is one
    feature for each component: ``widl``, or ``widl1``, ``widl2`` … The features ``lm0`` … are language models, and
    ``word_count`` counts words. Search maximizes over derivations and needs no normalizer, so it may prefer another
    string than this sum does.
    Strings of probability 0 are omitted.

    Raises:
        InputError: A weight belongs to a derivation, not to a string. ``unknown`` and ``phrase_count`` must be 0. If
            the expression penalizes movement, ``distortion`` must be the sum of the weights of h0.

    >>> from widl.expressions import interleave
    >>> from widl.decoder import LanguageModel
    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> for result in interpolate_strings(interleave("sat", "cat"), [model]):
    ...     print(f"{result.probability:.3f} {result.string}")
    0.963 cat sat
    0.037 sat cat
    """
    expression, models = expression_of(expression), models_of(language_models)
    components = max(1, expression.components)
    used = default_realization_weights(components, len(models))
    _check(dict(weights or {}), used.keys(), weight_names(components) if _has_movement(expression) else [])
    used |= dict(weights or {})
    strings = enumerate_strings(expression, limit=limit, shuffle_count=shuffle_count)
    scored = [(_score(string, models, used), string.string) for string in strings]
    best = max(score for score, _ in scored)
    total = math.fsum(math.exp(score - best) for score, _ in scored)
    scored.sort(key=lambda item: (-item[0], item[1]))
    return [InterpolatedString(string, math.exp(score - best) / total, score) for score, string in scored]


def _score(result: WeightedString, models: Sequence[LanguageModel], weights: Mapping[str, float]) -> float:
    words = result.string.split(" ") if result.string else []
    h = dict(zip(weight_names(len(result.log_probabilities)), result.log_probabilities, strict=True))
    h |= {f"lm{i}": math.fsum(model.score_words(words)) for i, model in enumerate(models)}
    h["word_count"] = len(words)
    return math.fsum(weights[name] * value for name, value in h.items())


def _check(weights: Mapping[str, float], features: Iterable[str], with_movement: Sequence[str]) -> None:
    if unknown := sorted(weights.keys() - set(features)):
        raise InputError(f"no feature {unknown[0]!r} here; there are {', '.join(features)}")
    for name in ("unknown", "phrase_count"):
        if weights.get(name):
            raise InputError(f"{name} is a feature of a derivation, not of a string; leave its weight at 0")
    if with_movement:
        expected = math.fsum(weights.get(name, 1.0) for name in with_movement)
        if not math.isclose(weights.get(DISTORTION, expected), expected):
            raise InputError(
                f"movement is part of {' and '.join(with_movement)} here; give {DISTORTION} the sum of their weights, "
                f"{expected:g}"
            )


def _has_movement(expression: Expression) -> bool:
    return any(
        node.kind == Expression.Kind.tiles
        or (node.kind == Expression.Kind.interleave and node.form == Expression.Form.movement)
        for node in NodeTable(expression).nodes
    )
