"""Expressions, language models and the realizer: the typed face of the core."""

from widl._core import LanguageModel

__all__ = ["LanguageModel"]
