"""Expressions in which shuffles have the probability that Figure 1 of Soricut & Marcu (2006) gives them.

There the mass of shuffles is divided by their number over all choices of the arguments, so that σ does not sum to 1.
Where all choices leave equally many shuffles, that is a smaller mass of shuffles, and the sum that is left as a score.
"""

import math
from collections.abc import Sequence

from widl._core import Expression
from widl.common.errors import InputError
from widl.expressions.counting import DerivationCounts, may_shuffle
from widl.expressions.node_table import NodeTable, with_arguments


def with_paper_shuffles(expression: Expression) -> Expression:
    """The expression whose derivations have the paper's probabilities; all searches take it.

    InputError where the number of shuffles depends on what is chosen in the arguments.

    >>> from widl.expressions import enumerate_strings, parse_expression
    >>> expression = parse_expression("∥{1 2: 0.8, shuffles: 0.2}(∨(a, b), c d)")
    >>> for result in enumerate_strings(with_paper_shuffles(expression)):  # one shuffle each, two of both choices
    ...     print(f"{result.probability:g}", result.string)
    0.4 a c d
    0.4 b c d
    0.05 c a d
    0.05 c b d
    """
    table = NodeTable(expression, possible_only=False)
    counts = DerivationCounts(NodeTable(expression)).shuffles

    def combine(i: int, arguments: Sequence[Expression]) -> Expression:
        node = table.nodes[i]
        made = with_arguments(node, arguments) if arguments else node
        listed = node.kind == Expression.Kind.interleave and node.form == Expression.Form.listed
        if not listed or not may_shuffle(node) or i not in counts:  # the last where no derivation has it
            return made
        return _rescaled(node, arguments, counts[i])

    return table.fold(combine)


def _rescaled(node: Expression, arguments: Sequence[Expression], count: int) -> Expression:
    units = [argument.min_units for argument in node.arguments]
    if units != [argument.max_units for argument in node.arguments]:
        raise InputError("∥: the number of shuffles depends on choices; search has no such count, 'enumerate' has")
    own = math.factorial(sum(units)) // math.prod(map(math.factorial, units)) - math.factorial(len(units))
    shuffles = [p * (own / count) for p in node.shuffles]
    rows = [p for _, p in node.listed] + [list(node.other_permutations), shuffles]
    totals = [min(1.0, math.fsum(column)) for column in zip(*rows, strict=True)]

    def scaled(row: Sequence[float]) -> list[float]:
        return [p / total for p, total in zip(row, totals, strict=True)]

    made = Expression.interleave(
        arguments,
        listed=[(order, scaled(p)) for order, p in node.listed],
        other_permutations=scaled(node.other_permutations),
        shuffles=scaled(shuffles),
    )
    return Expression.scored_disjunction([made], [totals])
