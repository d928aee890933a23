"""Bitext, alignment, extraction, scoring and storage of phrase pairs."""
