"""Writes numbers, dates and times from their values: every notation of Chinese news, with all right English forms.

The writers know nothing of the rules that read numbers. Forms are lower case, as `plain` makes printed text.
"""

import random

from tests.reference.chinese_numbers import amounts, codes, dates, shares, times
from tests.reference.chinese_numbers.chinese import numerals
from tests.reference.chinese_numbers.written import Writer, Written, plain, says

__all__ = ["WRITERS", "Written", "numerals", "plain", "says", "written"]

WRITERS: tuple[Writer, ...] = tuple(
    writer for subject in (amounts, dates, shares, times, codes) for writer in subject.WRITERS
)
"""All kinds; those with more notations occur more often."""


def written(draw: random.Random) -> Written:
    """A random value of a random kind in a random notation."""
    return draw.choice(WRITERS)(draw)
