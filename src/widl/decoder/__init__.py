"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import (
    Algorithm,
    Expression,
    LanguageModel,
    Realization,
    Realizer,
    SearchOptions,
    Tiles,
    Vocabulary,
    WeightVector,
)
from widl.decoder.weights import (
    TRANSLATION_FEATURES,
    default_translation_weights,
    feature_names,
    format_weights,
    read_weights,
    weight_vector,
)

__all__ = [
    "TRANSLATION_FEATURES",
    "Algorithm",
    "Expression",
    "LanguageModel",
    "Realization",
    "Realizer",
    "SearchOptions",
    "Tiles",
    "Vocabulary",
    "WeightVector",
    "default_translation_weights",
    "feature_names",
    "format_weights",
    "read_weights",
    "weight_vector",
]
