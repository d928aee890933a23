"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import LanguageModel, NGramModel, TrainingText
from widl.decoder.language_model import convert_language_model, load_language_model
from widl.decoder.lm_estimation import (
    EstimationReport,
    estimate_language_model,
    language_model_from_lines,
    read_training_text,
)

__all__ = [
    "EstimationReport",
    "LanguageModel",
    "NGramModel",
    "TrainingText",
    "convert_language_model",
    "estimate_language_model",
    "language_model_from_lines",
    "load_language_model",
    "read_training_text",
]
