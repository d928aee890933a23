"""Combines several outputs for one input, from several systems or sampled from one system, into a better output."""

from widl.combination.combiner import Combiner, combine
from widl.combination.options import CombinationOptions
from widl.combination.results import Combination, CombinedWord

__all__ = ["Combination", "CombinationOptions", "CombinedWord", "Combiner", "combine"]
