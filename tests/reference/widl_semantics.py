"""Reference, slow and simple: the derivations of a WIDL-expression, straight from the definitions.

A derivation is a string over the words and ◇, which marks the places that are open to interleaving
(Nederhof & Satta 2004): precedence joins with ◇ between, × erases ◇, ∥ interleaves at ◇ only.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise, permutations, product

from widl.decoder import LanguageModel
from widl.expressions import Expression

OPEN = "◇"
ONE = Fraction(1)
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


@dataclass(frozen=True)
class Derivation:
    """A string of words and ◇ with the features that a realizer must report."""

    text: Text
    choices: Numbers  # probabilities of the choices and orders, without movement
    movement: Fraction = ONE  # the product of base^distance
    phrases: int = 1
    first: bool = True
    """Search lists only the first of the derivations that differ by swapping equal arguments of a uniform ∥: the one
    where these begin in order."""

    @property
    def p(self) -> Numbers:
        return tuple(x * self.movement for x in self.choices)

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token for token in self.text if token != OPEN)

    @property
    def string(self) -> str:
        return " ".join(self.words)


def derivations(node: Node, components: int, *, paper: bool = False) -> list[Derivation]:
    """All derivations that have non-zero probability in every component."""
    return _derivations(node, components, paper)


@lru_cache(maxsize=1000)  # nodes are compared by identity
def _derivations(node: Node, components: int, paper: bool) -> list[Derivation]:
    return [d for d in _derive(node, components, paper) if all(d.p)]


def strings(node: Node, components: int, *, paper: bool = False) -> dict[str, Numbers]:
    """The probability of every string: the sum over its derivations."""
    sums: dict[str, Numbers] = {}
    for d in derivations(node, components, paper=paper):
        sums[d.string] = tuple(map(sum, zip(sums.get(d.string, (Fraction(0),) * components), d.p, strict=True)))
    return sums


def features(derivation: Derivation, models: Sequence[LanguageModel]) -> list[float]:
    """h: components, language models, words, phrases, movement, words passed through."""
    values = [math.log(p) for p in derivation.choices]
    values += [sum(model.score_words(derivation.words)) for model in models]
    return [*values, float(len(derivation.words)), float(derivation.phrases), math.log(derivation.movement), 0.0]


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


def is_pure(node: Node) -> bool:
    """Whether a node has a single string, without choices and orders."""
    return node.kind in ("word", "seq", "lock") and all(map(is_pure, node.arguments))


def signature(node: Node) -> object:
    """Equal for nodes that are equal expressions: a sequence of one part equals this part, and zero mass equals no
    mass.
    """
    if node.kind == "seq" and len(node.arguments) == 1:
        return signature(node.arguments[0])
    perms, shuffles = (mass if any(mass) else () for mass in (node.perms, node.shuffles))
    own = (node.kind, node.text, node.rows, node.scored, node.order, perms, shuffles, node.base, node.length)
    return (*own, node.spans, tuple(map(signature, node.arguments)))


def _derive(node: Node, components: int, paper: bool) -> Iterator[Derivation]:
    arguments = [_derivations(argument, components, paper) for argument in node.arguments]
    if node.kind == "word":
        yield Derivation((node.text,), (ONE,) * components)
    elif node.kind == "lock":
        for d in arguments[0]:
            yield Derivation(d.words, d.choices, d.movement, int(bool(d.text)) if is_pure(node) else d.phrases, d.first)
    elif node.kind == "or":
        for row, argument in zip(node.rows, arguments, strict=True):
            for d in argument:
                yield Derivation(d.text, times(d.choices, wide(row, components)), d.movement, d.phrases, d.first)
    elif node.kind == "seq":
        # Adjacent words and locks form one phrase.
        parts = flat([node])
        joined = sum(is_pure(a) and is_pure(b) for a, b in pairwise(parts))
        for chosen in product(*(_derivations(part, components, paper) for part in parts)):
            yield _in_a_row(chosen, (ONE,) * components, phrases=-joined)
    elif node.kind == "tiles":
        for segmentation in segmentations(0, node):
            spans = [node.spans[k] for k in segmentation]
            yield from _permuted([arguments[k] for k in segmentation], spans, node.base, components)
    elif node.base is not None:
        yield from _permuted(arguments, [(k, k + 1) for k in range(len(arguments))], node.base, components)
    else:
        yield from _interleaved(node, arguments, components, paper)


def flat(parts: Sequence[Node]) -> list[Node]:
    """Replaces precedences by their parts."""
    return [item for part in parts for item in (flat(part.arguments) if part.kind == "seq" else [part])]


def _interleaved(
    node: Node, arguments: Sequence[Sequence[Derivation]], components: int, paper: bool
) -> Iterator[Derivation]:
    n = len(arguments)
    listed = {order: wide(p, components) for order, p in node.order}
    unlisted = math.factorial(n) - len(listed)
    perms = wide(node.perms or (Fraction(0),), components)
    shuffles = wide(node.shuffles or (Fraction(0),), components)
    signatures = list(map(signature, node.arguments))
    equal = [(a, b) for a in range(n) for b in range(a + 1, n) if signatures[a] == signatures[b]]
    cases = []
    for chosen in product(*arguments):
        pieces = [units(d.text) for d in chosen]
        runs = {order: chain.from_iterable([k] * len(pieces[k]) for k in order) for order in permutations(range(n))}
        kinds = {tuple(turns): order for order, turns in runs.items()}
        all_orders = [tuple(order) for order in comb(pieces)]
        cases.append((chosen, pieces, kinds, all_orders))
    shuffles_of_all = sum(len(all_orders) - len(kinds) for _, _, kinds, all_orders in cases)
    for chosen, pieces, kinds, all_orders in cases:
        shuffle_count = len(all_orders) - len(kinds)
        for turns in all_orders:
            first = True
            if node.uniform:
                share = (Fraction(1, len(all_orders)),) * components
                first = all(turns.index(a) < turns.index(b) for a, b in equal)
            elif turns not in kinds:
                share = tuple(x / (shuffles_of_all if paper else shuffle_count) for x in shuffles)
            else:
                order = kinds[turns]
                share = listed[order] if order in listed else tuple(x / unlisted for x in perms)
                if shuffle_count == 0 and not paper:  # conditional on there being no shuffle
                    mass = [sum(column) for column in zip(perms, *listed.values(), strict=True)]
                    share = tuple(x / m if x and y else x for x, y, m in zip(share, shuffles, mass, strict=True))
            taken = [iter(own) for own in pieces]
            whole = _in_a_row(chosen, share)
            text = in_a_row([next(taken[k]) for k in turns])
            yield Derivation(text, whole.choices, whole.movement, whole.phrases, first and whole.first)


def _permuted(
    arguments: Sequence[Sequence[Derivation]],
    spans: Sequence[tuple[int, int]],
    base: Fraction | None,
    components: int,
) -> Iterator[Derivation]:
    assert base is not None
    for order in permutations(range(len(arguments))):
        distance, last_end = 0, 0
        for k in order:
            distance += abs(spans[k][0] - last_end)
            last_end = spans[k][1]
        for chosen in product(*(arguments[k] for k in order)):
            yield _in_a_row(chosen, (ONE,) * components, base**distance)


def segmentations(position: int, node: Node) -> Iterator[tuple[int, ...]]:
    """Segmentations of tiles from a position to the end, as numbers of spans."""
    if position == node.length:
        yield ()
    for k, (begin, end) in enumerate(node.spans):
        if begin == position:
            yield from ((k, *rest) for rest in segmentations(end, node))


def _in_a_row(parts: Sequence[Derivation], p: Numbers, movement: Fraction = ONE, phrases: int = 0) -> Derivation:
    """The parts joined; the last arguments are multiplied with, and added to, theirs."""
    return Derivation(
        in_a_row([part.text for part in parts]),
        times(p, *(part.choices for part in parts)),
        math.prod((part.movement for part in parts), start=movement),
        phrases + sum(part.phrases for part in parts),
        all(part.first for part in parts),
    )


def in_a_row(texts: Sequence[Text]) -> Text:
    """Concatenates texts; empty texts leave no ◇ behind."""
    result: Text = ()
    for text in filter(None, texts):
        result = (*result, OPEN, *text) if result else text
    return result


def times(*factors: Numbers) -> Numbers:
    """Component-wise products."""
    return tuple(math.prod(column) for column in zip(*factors, strict=True))


def wide(numbers: Numbers, components: int) -> Numbers:
    """Repeats one number for every component."""
    return numbers * components if len(numbers) == 1 else numbers
