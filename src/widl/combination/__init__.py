"""Several outputs for one input, of several systems or samples of one, combined into a better one."""

from widl.combination.combiner import Combiner, combine
from widl.combination.options import CombinationOptions
from widl.combination.results import Combination, CombinedWord

__all__ = ["Combination", "CombinationOptions", "CombinedWord", "Combiner", "combine"]
