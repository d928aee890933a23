"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import (
    Algorithm,
    Bound,
    Derivation,
    Expression,
    Grammar,
    LanguageModel,
    NGramModel,
    Realization,
    Realizer,
    Recognizer,
    SearchOptions,
    Tiles,
    Trace,
    TrainingText,
    Vocabulary,
    WeightVector,
)
from widl.decoder.counting import count_derivations, movement_normalizer, written_size
from widl.decoder.drawing import draw_expression, draw_graph, draw_search, write_picture
from widl.decoder.enumeration import WeightedString, enumerate_strings
from widl.decoder.expressions import bag, choice, interleave, lock, seq, tiles, word
from widl.decoder.grammar import parse_grammar, read_grammar
from widl.decoder.json_form import from_json, to_json
from widl.decoder.language_model import convert_language_model, load_language_model
from widl.decoder.lm_estimation import (
    EstimationReport,
    estimate_language_model,
    language_model_from_lines,
    read_training_text,
)
from widl.decoder.parsing import parse_expression, read_expressions
from widl.decoder.realization import (
    ExpressionRealizer,
    RealizationOptions,
    Realized,
    RealizedString,
    default_realization_weights,
    read_realization_weights,
)
from widl.decoder.weights import (
    TRANSLATION_FEATURES,
    default_translation_weights,
    feature_names,
    format_weights,
    read_weights,
    weight_vector,
)
from widl.decoder.word_order import greedy_order, inverse_lexicographic_order

__all__ = [
    "TRANSLATION_FEATURES",
    "Algorithm",
    "Bound",
    "Derivation",
    "EstimationReport",
    "Expression",
    "ExpressionRealizer",
    "Grammar",
    "LanguageModel",
    "NGramModel",
    "Realization",
    "RealizationOptions",
    "Realized",
    "RealizedString",
    "Realizer",
    "Recognizer",
    "SearchOptions",
    "Tiles",
    "Trace",
    "TrainingText",
    "Vocabulary",
    "WeightVector",
    "WeightedString",
    "bag",
    "choice",
    "convert_language_model",
    "count_derivations",
    "default_realization_weights",
    "default_translation_weights",
    "draw_expression",
    "draw_graph",
    "draw_search",
    "enumerate_strings",
    "estimate_language_model",
    "feature_names",
    "format_weights",
    "from_json",
    "greedy_order",
    "interleave",
    "inverse_lexicographic_order",
    "language_model_from_lines",
    "load_language_model",
    "lock",
    "movement_normalizer",
    "parse_expression",
    "parse_grammar",
    "read_expressions",
    "read_grammar",
    "read_realization_weights",
    "read_training_text",
    "read_weights",
    "seq",
    "tiles",
    "to_json",
    "weight_vector",
    "word",
    "write_picture",
    "written_size",
]
