"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import (
    Algorithm,
    Expression,
    LanguageModel,
    NGramModel,
    Realization,
    Realizer,
    SearchOptions,
    Tiles,
    TrainingText,
    Vocabulary,
    WeightVector,
)
from widl.decoder.language_model import convert_language_model, load_language_model
from widl.decoder.lm_estimation import (
    EstimationReport,
    estimate_language_model,
    language_model_from_lines,
    read_training_text,
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
    "EstimationReport",
    "Expression",
    "LanguageModel",
    "NGramModel",
    "Realization",
    "Realizer",
    "SearchOptions",
    "Tiles",
    "TrainingText",
    "Vocabulary",
    "WeightVector",
    "convert_language_model",
    "default_translation_weights",
    "estimate_language_model",
    "feature_names",
    "format_weights",
    "language_model_from_lines",
    "load_language_model",
    "read_training_text",
    "read_weights",
    "weight_vector",
]
