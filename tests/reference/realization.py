"""Reference, slow and simple: every derivation of a WIDL-expression with the features that a realizer must report.

Equal arguments of a uniform interleave are interchangeable. Among derivations that differ only by swapping them, the
one where they begin in order is kept.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise, permutations, product

from tests.reference.widl_semantics import (
    OPEN,
    Node,
    Numbers,
    Text,
    comb,
    in_a_row,
    segmentations,
    times,
    units,
    wide,
)
from widl.decoder import LanguageModel

ONE = Fraction(1)


@dataclass(frozen=True)
class Derivation:
    """A string of words and ◇, its J probabilities without movement, Σ d ln a, and its phrases."""

    text: Text
    p: Numbers
    movement: float
    phrases: int

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token for token in self.text if token != OPEN)


def features(derivation: Derivation, models: Sequence[LanguageModel]) -> list[float]:
    """h: components, language models, words, phrases, movement, words passed through."""
    values = [math.log(p) for p in derivation.p]
    values += [sum(model.score_words(derivation.words)) for model in models]
    return [*values, float(len(derivation.words)), float(derivation.phrases), derivation.movement, 0.0]


def signature(node: Node) -> object:
    """Equal for nodes that are equal expressions: a sequence of one part equals this part, and zero mass equals no
    mass.
    """
    if node.kind == "seq" and len(node.arguments) == 1:
        return signature(node.arguments[0])
    perms, shuffles = (mass if any(mass) else () for mass in (node.perms, node.shuffles))
    return (
        node.kind,
        node.text,
        node.rows,
        node.scored,
        node.order,
        perms,
        shuffles,
        node.base,
        node.length,
        node.spans,
        tuple(signature(argument) for argument in node.arguments),
    )


def is_pure(node: Node) -> bool:
    return node.kind in ("word", "seq", "lock") and all(map(is_pure, node.arguments))


def flat(parts: Sequence[Node]) -> list[Node]:
    """Replaces precedences by their parts."""
    return [item for part in parts for item in (flat(part.arguments) if part.kind == "seq" else [part])]


@lru_cache(maxsize=1000)  # nodes are compared by identity
def derivations(node: Node, components: int) -> list[Derivation]:
    return [d for d in _derive(node, components) if all(d.p)]


def _derive(node: Node, j: int) -> Iterator[Derivation]:
    if is_pure(node):
        text = _pure_text(node)
        yield Derivation(text, (ONE,) * j, 0.0, int(bool(text)))
    elif node.kind == "lock":
        for d in derivations(node.arguments[0], j):
            yield Derivation(d.words, d.p, d.movement, d.phrases)
    elif node.kind == "or":
        for row, argument in zip(node.rows, node.arguments, strict=True):
            for d in derivations(argument, j):
                yield Derivation(d.text, times(d.p, wide(row, j)), d.movement, d.phrases)
    elif node.kind == "seq":
        parts = flat([node])
        # Adjacent words and locks form one phrase.
        joined = sum(1 for a, b in pairwise(parts) if is_pure(a) and is_pure(b))
        for chosen in product(*(derivations(part, j) for part in parts)):
            yield _joined(chosen, (ONE,) * j, 0.0, phrases=-joined)
    elif node.kind == "interleave":
        if node.base is not None:
            yield from _permuted(node.arguments, [(k, k + 1) for k in range(len(node.arguments))], node.base, j)
        else:
            yield from _interleaved(node, j)
    else:
        for segmentation in segmentations(0, node):
            yield from _permuted(
                [node.arguments[k] for k in segmentation], [node.spans[k] for k in segmentation], node.base, j
            )


def _pure_text(node: Node) -> Text:
    if node.kind == "word":
        return (node.text,)
    if node.kind == "lock":
        return tuple(token for token in _pure_text(node.arguments[0]) if token != OPEN)
    return in_a_row(list(map(_pure_text, node.arguments)))


def _interleaved(node: Node, j: int) -> Iterator[Derivation]:
    n = len(node.arguments)
    listed = {order: wide(p, j) for order, p in node.order}
    unlisted = math.factorial(n) - len(listed)
    perms, shuffles = wide(node.perms or (Fraction(0),), j), wide(node.shuffles or (Fraction(0),), j)
    signatures = [signature(argument) for argument in node.arguments]
    for chosen in product(*(derivations(argument, j) for argument in node.arguments)):
        pieces = [units(d.text) for d in chosen]
        orders = {}
        for order in permutations(range(n)):
            orders[tuple(chain.from_iterable([k] * len(pieces[k]) for k in order))] = order
        all_turns = [tuple(turns) for turns in comb(pieces)]
        shuffle_count = len(all_turns) - len(orders)
        for turns in all_turns:
            if node.uniform:
                if any(
                    turns.index(a) > turns.index(b)
                    for a in range(n)
                    for b in range(a + 1, n)
                    if signatures[a] == signatures[b]
                ):
                    continue
                share: Numbers = (Fraction(1, len(all_turns)),) * j
            elif turns not in orders:
                share = tuple(x / shuffle_count for x in shuffles)
            else:
                order = orders[turns]
                share = listed[order] if order in listed else tuple(x / unlisted for x in perms)
                if shuffle_count == 0:
                    share = tuple(x / (1 - y) if y != 1 else Fraction(0) for x, y in zip(share, shuffles, strict=True))
            taken = [iter(own) for own in pieces]
            text = next(taken[turns[0]])
            for k in turns[1:]:
                text = (*text, OPEN, *next(taken[k]))
            whole = _joined(chosen, share, 0.0)
            yield Derivation(text, whole.p, whole.movement, whole.phrases)


def _permuted(
    arguments: Sequence[Node], spans: Sequence[tuple[int, int]], base: Fraction | None, j: int
) -> Iterator[Derivation]:
    for order in permutations(range(len(arguments))):
        moved, last_end = 0, 0
        for k in order:
            moved += abs(spans[k][0] - last_end)
            last_end = spans[k][1]
        for chosen in product(*(derivations(arguments[k], j) for k in order)):
            yield _joined(chosen, (ONE,) * j, moved * math.log(base or 1))


def _joined(parts: Sequence[Derivation], p: Numbers, movement: float, phrases: int = 0) -> Derivation:
    text = in_a_row([part.text for part in parts])
    return Derivation(
        text,
        times(p, *(d.p for d in parts)),
        movement + sum(d.movement for d in parts),
        phrases + sum(d.phrases for d in parts),
    )
