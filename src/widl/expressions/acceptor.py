"""Probabilistic finite-state acceptors of expressions (Soricut & Marcu 2005, §2.3; 2006, §2.2)."""

from dataclasses import dataclass

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.expressions.enumeration import EnumerationOptions
from widl.expressions.parsing import expression_of
from widl.expressions.unfolding import ShuffleCount, UnfoldedExpression, log_sum, probability_of, unfold


@dataclass(frozen=True, slots=True)
class AcceptorArc:
    """An arc between two states, which are numbered from 0."""

    source: int
    target: int
    word: str
    log_probabilities: tuple[float, ...]
    """Natural logs, one per component."""

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The J probabilities."""
        return tuple(map(probability_of, self.log_probabilities))


@checked
@dataclass(frozen=True, slots=True, repr=False)
class Acceptor:
    """An acyclic acceptor, from state 0 to the state `final`; each path is a derivation.

    Only an arc of the empty string, ε, has an empty word. The probability of a derivation is the product of its path's
    arcs, and the probability of a string is the sum over its paths. The arcs out of a state sum to 1. If an expression
    has scores, the arcs out of state 0 sum to the total of all scores instead.
    """

    states: int
    final: int
    arcs: tuple[AcceptorArc, ...]
    """Arcs by source, in the order of the expression."""

    @property
    def components(self) -> int:
        """Number of probabilities of an arc."""
        return len(self.arcs[0].log_probabilities) if self.arcs else 1

    def to_text(self, *, component: int = 1) -> str:
        """Lines of AT&T's format, which OpenFst reads: ``source target word weight``, and the final state at the end.

        Weights are -ln p of a component, from 1.
        """
        if not 1 <= component <= self.components:
            raise InputError(f"component {component} of {self.components} probabilities")
        lines = [
            f"{arc.source}\t{arc.target}\t{arc.word or '<eps>'}\t{_weight(arc.log_probabilities[component - 1])}\n"
            for arc in self.arcs
        ]
        return "".join([*lines, f"{self.final}\n"])

    def __repr__(self) -> str:
        return f"<Acceptor of {self.states:,} states, {len(self.arcs):,} arcs>"


@checked
def make_acceptor(
    expression: Expression | str,
    *,
    limit: int = EnumerationOptions.limit,
    shuffle_count: ShuffleCount = EnumerationOptions.shuffle_count,
) -> Acceptor:
    """The acceptor of an expression: its WIDL-graph unfolded, up to `limit` arcs.

    A state is the information that decides the future: the vertices reached together, and the order of arguments if
    distributions depend on it. ε-edges of the graph are followed together with the word after them; ε-edges that leave
    a finished part are followed with the word before them.

    >>> from widl.expressions import bag
    >>> for arc in make_acceptor(bag("a b")).arcs:
    ...     print(arc.source, arc.target, arc.word, *arc.probabilities)
    0 1 a 0.5
    0 2 b 0.5
    1 3 b 1.0
    2 3 a 1.0
    """
    unfolded = unfold(expression_of(expression), limit=limit, shuffle_count=shuffle_count)
    if not unfolded.complete:
        raise InputError(
            f"the acceptor has more arcs than the limit of {limit}; "
            "realize the best of the expression's strings, or raise the limit"
        )
    if unfolded.final < 0:
        raise InputError("the expression has no derivation whose probability is not zero")
    return _pushed(unfolded)


def _weight(log: float) -> str:
    """-ln p; values that differ from 0 only by rounding become 0."""
    return f"{0.0 - round(log, 13):.10g}"


def _pushed(unfolded: UnfoldedExpression) -> Acceptor:
    """Computes the probability of each arc given its source: its factor times the mass of its target, divided by the
    mass of its source.

    States without a path to the end are removed.
    """
    ones = (0.0,) * unfolded.components
    masses = {unfolded.final: ones}
    for state in unfolded.backwards():
        behind = [
            [factor + mass for factor, mass in zip(logs, masses[target], strict=True)]
            for target, _, logs in unfolded.arcs[state]
            if target in masses
        ]
        if behind:
            masses[state] = tuple(map(log_sum, zip(*behind, strict=True)))
    renumbered = {state: number for number, state in enumerate(sorted(masses))}
    arcs = []
    for state, number in renumbered.items():
        total = masses[state] if state else ones  # the first arcs keep the total of all scores
        for target, word, logs in unfolded.arcs[state]:
            if target in renumbered:
                parts = zip(logs, masses[target], total, strict=True)
                pushed = tuple(factor + mass - whole for factor, mass, whole in parts)
                arcs.append(AcceptorArc(number, renumbered[target], word, pushed))
    return Acceptor(len(renumbered), renumbered[unfolded.final], tuple(arcs))
