"""Text processing: normalization, tokenization, truecasing, language identification, cleaning, detokenization."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.text.cleaning import Cleaning, content_faults
    from widl.text.detokenization import Detokenizer
    from widl.text.language_identification import LanguageIdentifier
    from widl.text.normalization import normalize_chinese, normalize_european
    from widl.text.segmentation import Tokenizer, make_tokenizer, tokenize
    from widl.text.source_and_target import SourceText, TargetText, TextSettings
    from widl.text.truecasing import Truecaser

__all__ = [
    "Cleaning",
    "Detokenizer",
    "LanguageIdentifier",
    "SourceText",
    "TargetText",
    "TextSettings",
    "Tokenizer",
    "Truecaser",
    "content_faults",
    "make_tokenizer",
    "normalize_chinese",
    "normalize_european",
    "tokenize",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
