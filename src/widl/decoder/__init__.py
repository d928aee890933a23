"""Expressions, language models and the realizer: the typed face of the core."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl._core import (
        Bound,
        Certificate,
        Derivation,
        EstimationOptions,
        Expression,
        Lattice,
        NGramModel,
        Outcome,
        Realization,
        Tiles,
        TrainingText,
        Vocabulary,
        WeightVector,
    )
    from widl._core import Realizer as CoreRealizer  # of tiles, expressions and lattices; `Realizer` uses it
    from widl._core import SearchOptions as CoreSearchOptions
    from widl.decoder.acceptor import Acceptor, AcceptorArc, make_acceptor
    from widl.decoder.batch import ScoredLine, order, realize, score_lines
    from widl.decoder.constraint import Constraint, at_least, at_most, avoiding, containing, exactly
    from widl.decoder.counting import count_derivations, movement_normalizer, written_size
    from widl.decoder.drawing import draw_acceptor, draw_expression, draw_graph, draw_search, write_picture
    from widl.decoder.enumeration import WeightedString, enumerate_strings
    from widl.decoder.expressions import bag, choice, interleave, lock, seq, tiles, word
    from widl.decoder.features import (
        DISTORTION,
        ORIGIN_FEATURES,
        TRANSLATION_FEATURES,
        UNKNOWN,
        FeatureLayout,
        FeatureVector,
        check_names,
    )
    from widl.decoder.json_form import from_json, to_json
    from widl.decoder.language_model import LanguageModel, convert_language_model
    from widl.decoder.lattice_audit import Audit, audit_lattice
    from widl.decoder.lattice_files import lattice_of_fst, read_lattices
    from widl.decoder.lm_estimation import (
        EstimationReport,
        estimate_language_model,
    )
    from widl.decoder.lm_interpolation import HeldOutReport, InterpolationReport, interpolate_language_models
    from widl.decoder.log_linear import InterpolatedString, interpolate_strings
    from widl.decoder.parsing import parse_expression, read_expressions
    from widl.decoder.realization import (
        RealizationOptions,
        Realized,
        RealizedString,
        Realizer,
        default_realization_weights,
        read_realization_weights,
    )
    from widl.decoder.rescoring import Scorer, Scoring, rescore
    from widl.decoder.results import CandidateRecord, PhraseRecord, Result, ResultCandidate, ResultRecord
    from widl.decoder.search_options import SearchOptions
    from widl.decoder.search_record import SearchRecord
    from widl.decoder.weights import default_translation_weights, format_weights, read_weights, with_origins
    from widl.decoder.word_order import greedy_order, inverse_lexicographic_order

__all__ = [
    "DISTORTION",
    "ORIGIN_FEATURES",
    "TRANSLATION_FEATURES",
    "UNKNOWN",
    "Acceptor",
    "AcceptorArc",
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
    "Expression",
    "FeatureLayout",
    "FeatureVector",
    "HeldOutReport",
    "InterpolatedString",
    "InterpolationReport",
    "LanguageModel",
    "Lattice",
    "NGramModel",
    "Outcome",
    "PhraseRecord",
    "Realization",
    "RealizationOptions",
    "Realized",
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
    "TrainingText",
    "Vocabulary",
    "WeightVector",
    "WeightedString",
    "at_least",
    "at_most",
    "audit_lattice",
    "avoiding",
    "bag",
    "check_names",
    "choice",
    "containing",
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
    "exactly",
    "format_weights",
    "from_json",
    "greedy_order",
    "interleave",
    "interpolate_language_models",
    "interpolate_strings",
    "inverse_lexicographic_order",
    "lattice_of_fst",
    "lock",
    "make_acceptor",
    "movement_normalizer",
    "order",
    "parse_expression",
    "read_expressions",
    "read_lattices",
    "read_realization_weights",
    "read_weights",
    "realize",
    "rescore",
    "score_lines",
    "seq",
    "tiles",
    "to_json",
    "with_origins",
    "word",
    "write_picture",
    "written_size",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
