"""Text processing: normalisation, tokenisation, truecasing, language identification, cleaning, detokenisation."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.text.cleaning import Cleaning, content_faults
    from widl.text.detokenization import Detokenizer
    from widl.text.language_identification import LanguageIdentifier
    from widl.text.normalization import normalize_chinese, normalize_european
    from widl.text.segmentation import Tokenizer, make_tokenizer, tokenize
    from widl.text.sides import SourceText, TargetText, TextSettings
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

_PLACES = {
    "Cleaning": "widl.text.cleaning",
    "Detokenizer": "widl.text.detokenization",
    "LanguageIdentifier": "widl.text.language_identification",
    "SourceText": "widl.text.sides",
    "TargetText": "widl.text.sides",
    "TextSettings": "widl.text.sides",
    "Tokenizer": "widl.text.segmentation",
    "Truecaser": "widl.text.truecasing",
    "content_faults": "widl.text.cleaning",
    "make_tokenizer": "widl.text.segmentation",
    "normalize_chinese": "widl.text.normalization",
    "normalize_european": "widl.text.normalization",
    "tokenize": "widl.text.segmentation",
}

__getattr__, __dir__ = lazy_names(__name__, _PLACES)
