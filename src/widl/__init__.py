"""WIDL-expressions and their realization under n-gram language models."""

__version__ = "0.1.0"
