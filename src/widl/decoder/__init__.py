"""The realizer: searches, language models, weights, lattices, rescoring, certificates."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl._core import (
        Bound,
        Certificate,
        Derivation,
        EstimationOptions,
        Lattice,
        NGramModel,
        Outcome,
        Realization,
        Tiles,
        TrainingText,
        Vocabulary,
        WeightVector,
    )
    from widl._core import Realizer as CoreRealizer
    from widl._core import SearchOptions as CoreSearchOptions
    from widl.decoder.constraint import Constraint, at_least, at_most, avoiding, containing, exactly
    from widl.decoder.features import (
        DISTORTION,
        ORIGIN_FEATURES,
        TRANSLATION_FEATURES,
        UNKNOWN,
        FeatureLayout,
        FeatureVector,
        check_names,
    )
    from widl.decoder.json_schema import JsonObjects, expression_of_json_schema
    from widl.decoder.language_model import LanguageModel, ScoredLine, convert_language_model, score_lines
    from widl.decoder.lattice_audit import Audit, audit_lattice
    from widl.decoder.lattice_files import lattice_of_fst, read_lattices
    from widl.decoder.lm_estimation import EstimationReport, estimate_language_model
    from widl.decoder.log_linear import InterpolatedString, interpolate_strings
    from widl.decoder.realization_options import RealizationOptions
    from widl.decoder.realization_results import RealizationResult, RealizedString
    from widl.decoder.realization_weights import default_realization_weights, read_realization_weights
    from widl.decoder.realizer import Realizer, realize
    from widl.decoder.rescoring import Scorer, Scoring, rescore
    from widl.decoder.results import CandidateRecord, PhraseRecord, Result, ResultCandidate, ResultRecord
    from widl.decoder.search_drawing import draw_search
    from widl.decoder.search_options import SearchOptions
    from widl.decoder.search_record import SearchRecord
    from widl.decoder.token_constraint import TokenConstraint
    from widl.decoder.weights import default_translation_weights, format_weights, read_weights, with_origins
    from widl.decoder.word_order import greedy_order, inverse_lexicographic_order, order

__all__ = [
    "DISTORTION",
    "ORIGIN_FEATURES",
    "TRANSLATION_FEATURES",
    "UNKNOWN",
    "Audit",
    "Bound",
    "CandidateRecord",
    "Certificate",
    "Constraint",
    "CoreRealizer",
    "CoreSearchOptions",
    "Derivation",
    "EstimationOptions",
    "EstimationReport",
    "FeatureLayout",
    "FeatureVector",
    "InterpolatedString",
    "JsonObjects",
    "LanguageModel",
    "Lattice",
    "NGramModel",
    "Outcome",
    "PhraseRecord",
    "Realization",
    "RealizationOptions",
    "RealizationResult",
    "RealizedString",
    "Realizer",
    "Result",
    "ResultCandidate",
    "ResultRecord",
    "ScoredLine",
    "Scorer",
    "Scoring",
    "SearchOptions",
    "SearchRecord",
    "Tiles",
    "TokenConstraint",
    "TrainingText",
    "Vocabulary",
    "WeightVector",
    "at_least",
    "at_most",
    "audit_lattice",
    "avoiding",
    "check_names",
    "containing",
    "convert_language_model",
    "default_realization_weights",
    "default_translation_weights",
    "draw_search",
    "estimate_language_model",
    "exactly",
    "expression_of_json_schema",
    "format_weights",
    "greedy_order",
    "interpolate_strings",
    "inverse_lexicographic_order",
    "lattice_of_fst",
    "order",
    "read_lattices",
    "read_realization_weights",
    "read_weights",
    "realize",
    "rescore",
    "score_lines",
    "with_origins",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
