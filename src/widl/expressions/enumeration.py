"""The strings of an expression with their probabilities, summed over the paths of its acceptor."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.common.option_values import Positive
from widl.common.options import option_set
from widl.expressions.counting import DerivationCounts
from widl.expressions.node_table import NodeTable
from widl.expressions.parsing import expression_of
from widl.expressions.unfolding import (
    ShuffleCount,
    UnfoldedExpression,
    check_unfoldable,
    log_sum,
    probability_of,
    unfold,
)

_MAX_WORDS = 100_000_000  # written in all
_MAX_PARTIAL = 100  # partial derivations, per derivation of the limit
_MAX_ARCS = 10_000_000
_ROUNDING = 1e-12  # relative
_TOO_LARGE = "the expression is too large to write out its strings"


@dataclass(frozen=True, slots=True)
class WeightedString:
    """A string of an expression, with the total probability of its derivations in every component."""

    string: str
    log_probabilities: tuple[float, ...]
    """Natural logs, also for sums that are smaller than any float."""

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The J probabilities (or scores, if the expression has scores), to 14 digits."""
        return tuple(map(probability_of, self.log_probabilities))

    @property
    def probability(self) -> float:
        """The first component's probability; most expressions have only this component."""
        return self.probabilities[0]


@option_set
class EnumerationOptions:
    """Options of enumeration; see `enumerate_strings`."""

    limit: Positive = 100000
    "Maximum number of derivations to enumerate, or of arcs of an acceptor."
    shuffle_count: ShuffleCount = "normalized"
    "Probability mass of shuffles: normalized, or as in the 2006 paper."


@checked
def enumerate_strings(
    expression: Expression | str,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> list[WeightedString]:
    """All strings of an expression, or of its text form, with their probabilities: most probable first, then in
    alphabetical order.

    The derivations are counted first; more than `limit` are refused. Under ``shuffle_count="paper"`` the mass
    of `shuffles` is divided as in Figure 1 of Soricut & Marcu (2006): by the number of shuffles over all
    derivations of the arguments, not of the derivation at hand, which gives their 0.1/12 where 0.1/6 sums to 1.
    Results for expmove, tiles and scores are scores, movement included: e^(h of ``widl`` + h of ``distortion``)
    of `RealizationResult.features`, summed over the derivations of a string.

    >>> from widl.expressions import interleave, seq
    >>> expression = interleave(seq("a", "b"), "c", order={(1, 2): 0.8}, perms=0.15, shuffles=0.05)
    >>> for result in enumerate_strings(expression):
    ...     print(result.probability, result.string)
    0.8 a b c
    0.15 c a b
    0.05 a c b
    """
    expression = expression_of(expression)
    EnumerationOptions(limit=limit, shuffle_count=shuffle_count)  # checks them
    check_unfoldable(expression, shuffle_count)
    table = NodeTable(expression)
    _require_few(table, DerivationCounts(table), limit)
    unfolded = unfold(expression, limit=_MAX_ARCS, shuffle_count=shuffle_count)
    if not unfolded.complete:
        raise InputError(_TOO_LARGE)
    columns = [_strings(unfolded, j) for j in range(unfolded.components)]
    equal = [_equalized(column.values()) for column in columns]
    results = [
        WeightedString(string[1:], tuple(same[column[string]] for same, column in zip(equal, columns, strict=True)))
        for string in sorted(columns[0])
    ]
    results.sort(key=lambda result: result.log_probabilities, reverse=True)
    return results


def _strings(unfolded: UnfoldedExpression, component: int) -> dict[str, float]:
    """The strings of all paths, with a space before each word, and ln of the total probability of each string's
    paths.
    """
    before: dict[int, dict[str, float]] = {0: {"": 0.0}}
    for state in reversed(unfolded.backwards()):
        strings = before.pop(state)
        if state == unfolded.final:
            return strings
        for target, word, logs in unfolded.arcs[state]:
            more, log = f" {word}" if word else "", logs[component]
            longer = before.setdefault(target, {})
            for string, so_far in strings.items():
                earlier = longer.get(string + more)
                longer[string + more] = so_far + log if earlier is None else log_sum((earlier, so_far + log))
    return {}


def _equalized(logs: Iterable[float]) -> dict[float, float]:
    """Replaces numbers that differ only by rounding with the largest of them."""
    same: dict[float, float] = {}
    last = largest = math.inf
    for log in sorted(set(logs), reverse=True):
        if last - log > _ROUNDING * max(1.0, abs(log)):
            largest = log
        last = log
        same[log] = largest
    return same


def _require_few(table: NodeTable, counts: DerivationCounts, limit: int) -> None:
    if counts.total > limit:
        shown = str(counts.total) if counts.total < 10**15 else f"about 10^{round(math.log10(counts.total))}"
        raise InputError(
            f"the expression has {shown} derivations, more than the limit of {limit}; "
            "count them, realize the best, or raise the limit"
        )

    def max_words(i: int, arguments: Sequence[int]) -> int:
        node = table.nodes[i]
        if node.kind == Expression.Kind.disjunction:
            return max(arguments)
        if node.kind == Expression.Kind.tiles:
            return min(sum(arguments), node.length * max(arguments))
        return sum(arguments) if arguments else 1

    words = table.fold(max_words) * counts.total
    if words > _MAX_WORDS or counts.work > len(table) + _MAX_PARTIAL * max(limit, 1000):
        raise InputError(_TOO_LARGE)
