"""Kinds of Chinese numbers, a module for each subject.

`KINDS` has them all. `widl.translation.number_finder` decides which reading counts.
"""

from widl.translation.number_kinds import amounts, codes, dates, ordinals, ranges, shares, times, years
from widl.translation.number_kinds.kind import Kind, Reading

__all__ = ["KINDS", "Kind", "Reading"]

KINDS: tuple[Kind, ...] = tuple(
    kind for subject in (dates, years, times, shares, ordinals, amounts, ranges, codes) for kind in subject.KINDS
)
"""The longest reading counts, and the first of equally long ones."""
