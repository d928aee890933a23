"""Reference, slow and simple: the derivations of a WIDL-expression, straight from the definitions.

A derivation is a string over the words and ◇, which marks the places that are open to interleaving
(Nederhof & Satta 2004): precedence joins with ◇ between, × erases ◇, ∥ interleaves at ◇ only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, permutations, product
from math import prod

from widl.expressions import Expression

OPEN = "◇"
Text = tuple[str, ...]
Numbers = tuple[Fraction, ...]


@dataclass(frozen=True, eq=False)
class Node:
    """An expression as plain data; an `eq=False` node may be shared."""

    kind: str  # word seq or interleave lock tiles
    arguments: tuple["Node", ...] = ()
    text: str = ""
    rows: tuple[Numbers, ...] = ()  # of "or"
    scored: bool = False
    order: tuple[tuple[tuple[int, ...], Numbers], ...] = ()  # of "interleave"; permutations from 0
    perms: Numbers = ()
    shuffles: Numbers = ()
    base: Fraction | None = None  # of tiles, and of an interleave with a movement penalty
    length: int = 0
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def uniform(self) -> bool:
        return not self.order and not any(self.perms) and not any(self.shuffles) and self.base is None


def node_of(expression: Expression) -> Node:
    """An expression as plain data, with 0.1 as 1/10."""
    result: list[Node] = []
    for item, numbers in zip(*expression.nodes(), strict=True):
        arguments = tuple(result[number] for number in numbers)
        kinds, moves = Expression.Kind, Expression.Form.movement
        if item.kind == kinds.word:
            node = Node("word", text=item.text)
        elif item.kind == kinds.disjunction:
            node = Node("or", arguments, rows=tuple(map(_exact, item.probabilities)), scored=item.scored)
        elif item.kind == kinds.tiles:
            base = Fraction(repr(item.movement_base))
            node = Node("tiles", arguments, base=base, length=item.length, spans=tuple(item.spans))
        elif item.kind == kinds.interleave:
            order = tuple((tuple(listed), _exact(p)) for listed, p in item.listed)
            node = Node(
                "interleave",
                arguments,
                order=order,
                perms=_exact(item.other_permutations),
                shuffles=_exact(item.shuffles),
                base=Fraction(repr(item.movement_base)) if item.form == moves else None,
            )
        else:
            node = Node("seq" if item.kind == kinds.precedence else "lock", arguments)
        result.append(node)
    return result[-1]


def strings_of(expression: Expression, *, paper: bool = False) -> dict[str, Numbers]:
    """`strings` of an expression."""
    return strings(node_of(expression), max(1, expression.components), paper=paper)


def _exact(numbers: Sequence[float]) -> Numbers:
    return tuple(Fraction(repr(number)) for number in numbers)


@lru_cache(maxsize=1000)  # nodes are compared by identity
def derivations(node: Node, components: int, *, paper: bool = False) -> list[tuple[Text, Numbers]]:
    """All derivations that have non-zero probability in every component, with these probabilities."""
    result = list(_derive(node, [derivations(a, components, paper=paper) for a in node.arguments], components, paper))
    return [(text, p) for text, p in result if all(p)]


def strings(node: Node, components: int, *, paper: bool = False) -> dict[str, Numbers]:
    """The probability of every string: the sum over its derivations."""
    sums: dict[str, Numbers] = {}
    for text, p in derivations(node, components, paper=paper):
        string = joined(text)
        sums[string] = tuple(map(sum, zip(sums.get(string, (Fraction(0),) * components), p, strict=True)))
    return sums


def joined(text: Text) -> str:
    """The words of a derivation."""
    return " ".join(token for token in text if token != OPEN)


def units(text: Text) -> list[Text]:
    """The pieces between ◇."""
    pieces: list[list[str]] = [[]]
    for token in text:
        if token == OPEN:
            pieces.append([])
        else:
            pieces[-1].append(token)
    return [tuple(piece) for piece in pieces]


def comb(rest: Sequence[Sequence[Text]]) -> Iterator[list[int]]:
    """Every interleaving of the arguments until all units are used: the argument numbers in order."""
    if not any(rest):
        yield []
    for k, own in enumerate(rest):
        if own:
            for tail in comb([other[1:] if i == k else other for i, other in enumerate(rest)]):
                yield [k, *tail]


def _derive(
    node: Node, arguments: Sequence[Sequence[tuple[Text, Numbers]]], components: int, paper: bool
) -> Iterator[tuple[Text, Numbers]]:
    if node.kind == "word":
        yield (node.text,), (Fraction(1),) * components
    elif node.kind == "lock":
        for text, p in arguments[0]:
            yield tuple(token for token in text if token != OPEN), p
    elif node.kind == "or":
        for row, argument in zip(node.rows, arguments, strict=True):
            for text, p in argument:
                yield text, times(p, wide(row, components))
    elif node.kind == "seq":
        for chosen in product(*arguments):
            yield in_a_row([text for text, _ in chosen]), times((Fraction(1),) * components, *(p for _, p in chosen))
    elif node.kind == "tiles":
        for segmentation in segmentations(0, node):
            spans = [node.spans[k] for k in segmentation]
            yield from _permuted([arguments[k] for k in segmentation], spans, node.base, components)
    elif node.base is not None:
        yield from _permuted(arguments, [(k, k + 1) for k in range(len(arguments))], node.base, components)
    else:
        yield from _interleaved(node, arguments, components, paper)


def _interleaved(
    node: Node, arguments: Sequence[Sequence[tuple[Text, Numbers]]], components: int, paper: bool
) -> Iterator[tuple[Text, Numbers]]:
    n = len(arguments)
    listed = {order: wide(p, components) for order, p in node.order}
    unlisted = [order for order in permutations(range(n)) if order not in listed]
    perms = wide(node.perms or (Fraction(0),), components)
    shuffles = wide(node.shuffles or (Fraction(0),), components)
    cases = []
    for chosen in product(*arguments):
        pieces = [units(text) for text, _ in chosen]
        runs = {order: chain.from_iterable([k] * len(pieces[k]) for k in order) for order in permutations(range(n))}
        kinds = {tuple(turns): order for order, turns in runs.items()}
        all_orders = [tuple(order) for order in comb(pieces)]
        cases.append((pieces, times(*(p for _, p in chosen)), kinds, all_orders))
    shuffles_of_all = sum(len(all_orders) - len(kinds) for _, _, kinds, all_orders in cases)
    for pieces, p, kinds, all_orders in cases:
        shuffle_count = len(all_orders) - len(kinds)
        for turns in all_orders:
            if node.uniform:
                share = (Fraction(1, len(all_orders)),) * components
            elif turns not in kinds:
                share = tuple(x / (shuffles_of_all if paper else shuffle_count) for x in shuffles)
            else:
                order = kinds[turns]
                share = listed[order] if order in listed else tuple(x / len(unlisted) for x in perms)
                if shuffle_count == 0 and not paper:  # conditional on there being no shuffle
                    mass = [sum(column) for column in zip(perms, *listed.values(), strict=True)]
                    share = tuple(x / m if x and y else x for x, y, m in zip(share, shuffles, mass, strict=True))
            taken = [iter(own) for own in pieces]
            yield in_a_row([next(taken[k]) for k in turns]), times(p, share)


def _permuted(
    arguments: Sequence[Sequence[tuple[Text, Numbers]]],
    spans: Sequence[tuple[int, int]],
    base: Fraction | None,
    components: int,
) -> Iterator[tuple[Text, Numbers]]:
    assert base is not None
    for order in permutations(range(len(arguments))):
        distance, last_end = 0, 0
        for k in order:
            distance += abs(spans[k][0] - last_end)
            last_end = spans[k][1]
        for chosen in product(*(arguments[k] for k in order)):
            yield in_a_row([text for text, _ in chosen]), times(*(p for _, p in chosen), (base**distance,) * components)


def segmentations(position: int, node: Node) -> Iterator[tuple[int, ...]]:
    """Segmentations of tiles from a position to the end, as numbers of spans."""
    if position == node.length:
        yield ()
    for k, (begin, end) in enumerate(node.spans):
        if begin == position:
            yield from ((k, *rest) for rest in segmentations(end, node))


def in_a_row(texts: Sequence[Text]) -> Text:
    """Concatenates texts; empty texts leave no ◇ behind."""
    result: Text = ()
    for text in filter(None, texts):
        result = (*result, OPEN, *text) if result else text
    return result


def times(*factors: Numbers) -> Numbers:
    """Component-wise products."""
    return tuple(prod(column) for column in zip(*factors, strict=True))


def wide(numbers: Numbers, components: int) -> Numbers:
    """Repeats one number for every component."""
    return numbers * components if len(numbers) == 1 else numbers
