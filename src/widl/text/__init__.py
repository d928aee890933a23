"""Between raw text and tokens: normalisation, segmentation, case, checks of languages, and back to text."""

from widl.text.cleaning import Cleaning
from widl.text.detokenization import Detokenizer
from widl.text.segmentation import make_tokenizer
from widl.text.sides import SourceText, TargetText, TextSettings
from widl.text.truecasing import Truecaser

__all__ = ["Cleaning", "Detokenizer", "SourceText", "TargetText", "TextSettings", "Truecaser", "make_tokenizer"]
