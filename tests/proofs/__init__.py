"""Compares every search with enumeration on random spaces of strings: its results and its claims of proof."""
