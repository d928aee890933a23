"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import (
    Algorithm,
    Bound,
    BoundedModel,
    BoundedText,
    Derivation,
    EstimationOptions,
    Expression,
    Lattice,
    NGramModel,
    Realization,
    Recognizer,
    SearchOptions,
    Tiles,
    TrainingText,
    Vocabulary,
    WeightVector,
)
from widl._core import Realizer as CoreRealizer  # of tiles, expressions and packings; `Realizer` is made of it
from widl.decoder.acceptor import Acceptor, AcceptorArc, make_acceptor
from widl.decoder.batch import ScoredLine, order, realize, score_lines
from widl.decoder.core_reprs import set_reprs
from widl.decoder.counting import count_derivations, movement_normalizer, written_size
from widl.decoder.drawing import draw_acceptor, draw_expression, draw_graph, draw_search, write_picture
from widl.decoder.enumeration import WeightedString, enumerate_strings
from widl.decoder.expressions import bag, choice, interleave, lock, seq, tiles, word
from widl.decoder.features import (
    DISTORTION,
    TRANSLATION_FEATURES,
    UNKNOWN,
    FeatureLayout,
    FeatureVector,
    check_names,
)
from widl.decoder.grammar import Grammar, parse_grammar, read_grammar
from widl.decoder.json_form import from_json, to_json
from widl.decoder.language_model import LanguageModel, convert_language_model, load_language_model
from widl.decoder.lm_estimation import (
    EstimationReport,
    estimate_language_model,
    fill_training_text,
    language_model_from_lines,
    read_training_text,
)
from widl.decoder.lm_interpolation import HeldOutReport, InterpolationReport, interpolate_language_models
from widl.decoder.parsing import parse_expression, read_expressions
from widl.decoder.realization import (
    RealizationOptions,
    Realized,
    RealizedString,
    Realizer,
    default_realization_weights,
    read_realization_weights,
)
from widl.decoder.results import CandidateRecord, PhraseRecord, Result, ResultCandidate, ResultRecord
from widl.decoder.trace import Trace, TraceEdge, TraceState
from widl.decoder.weights import default_translation_weights, format_weights, read_weights
from widl.decoder.word_order import greedy_order, inverse_lexicographic_order

set_reprs()

__all__ = [
    "DISTORTION",
    "TRANSLATION_FEATURES",
    "UNKNOWN",
    "Acceptor",
    "AcceptorArc",
    "Algorithm",
    "Bound",
    "BoundedModel",
    "BoundedText",
    "CandidateRecord",
    "CoreRealizer",
    "Derivation",
    "EstimationOptions",
    "EstimationReport",
    "Expression",
    "FeatureLayout",
    "FeatureVector",
    "Grammar",
    "HeldOutReport",
    "InterpolationReport",
    "LanguageModel",
    "Lattice",
    "NGramModel",
    "PhraseRecord",
    "Realization",
    "RealizationOptions",
    "Realized",
    "RealizedString",
    "Realizer",
    "Recognizer",
    "Result",
    "ResultCandidate",
    "ResultRecord",
    "ScoredLine",
    "SearchOptions",
    "Tiles",
    "Trace",
    "TraceEdge",
    "TraceState",
    "TrainingText",
    "Vocabulary",
    "WeightVector",
    "WeightedString",
    "bag",
    "check_names",
    "choice",
    "convert_language_model",
    "count_derivations",
    "default_realization_weights",
    "default_translation_weights",
    "draw_acceptor",
    "draw_expression",
    "draw_graph",
    "draw_search",
    "enumerate_strings",
    "estimate_language_model",
    "fill_training_text",
    "format_weights",
    "from_json",
    "greedy_order",
    "interleave",
    "interpolate_language_models",
    "inverse_lexicographic_order",
    "language_model_from_lines",
    "load_language_model",
    "lock",
    "make_acceptor",
    "movement_normalizer",
    "order",
    "parse_expression",
    "parse_grammar",
    "read_expressions",
    "read_grammar",
    "read_realization_weights",
    "read_training_text",
    "read_weights",
    "realize",
    "score_lines",
    "seq",
    "tiles",
    "to_json",
    "word",
    "write_picture",
    "written_size",
]
