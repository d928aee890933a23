"""Random nested expressions with shared parts, small enough to write out, as plain data and as expressions."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import prod

from hypothesis import strategies as st

from tests.reference.widl_semantics import Node, Numbers, derivations, units
from widl.decoder import Expression

MAX_DERIVATIONS = 100
MAX_UNITS = 6  # of an interleave
MAX_WORDS = 30
WORDS = ("a", "b", "c", "or", "#", ",", '"', "\\", "猫", "∥", "0-1:", "x\u00a0y")


@dataclass(frozen=True)
class Random:
    """An expression twice."""

    node: Node
    expression: Expression
    components: int
    probabilistic: bool  # no scores inside
    nodes: int  # made on the way


def build(node: Node) -> Expression:
    """The expression that plain data stands for; a shared node becomes a shared expression."""
    made: dict[int, Expression] = {}

    def visit(node: Node) -> Expression:
        if id(node) not in made:
            made[id(node)] = _build(node, [visit(argument) for argument in node.arguments])
        return made[id(node)]

    return visit(node)


def _build(node: Node, arguments: list[Expression]) -> Expression:
    def floats(numbers: Numbers) -> list[float]:
        return [float(x) for x in numbers]

    if node.kind == "word":
        return Expression.word(node.text)
    if node.kind == "seq":
        return Expression.precedence(arguments)
    if node.kind == "lock":
        return Expression.lock(arguments[0])
    if node.kind == "or":
        make = Expression.scored_disjunction if node.scored else Expression.disjunction
        return make(arguments, [floats(row) for row in node.rows])
    if node.kind == "tiles":
        spans = [(begin, end, one) for (begin, end), one in zip(node.spans, arguments, strict=True)]
        return Expression.tiles(node.length, spans, movement_base=float(node.base or 0))
    if node.base is not None:
        return Expression.movement_interleave(arguments, float(node.base))
    if node.uniform:
        return Expression.uniform_interleave(arguments)
    return Expression.interleave(
        arguments,
        listed=[(list(order), floats(p)) for order, p in node.order],
        other_permutations=floats(node.perms),
        shuffles=floats(node.shuffles),
    )


@st.composite
def random_expressions(draw: st.DrawFn, *, with_tiles: bool = True) -> Random:
    components = draw(st.sampled_from([1, 1, 1, 2]))
    pool = [Node("word", text=draw(st.sampled_from(WORDS))) for _ in range(draw(st.integers(1, 3)))]
    for _ in range(draw(st.integers(0, 8))):
        node = draw(_operators(pool, components, with_tiles))
        small = len(derivations(node, components)) <= MAX_DERIVATIONS
        pool.append(node if small else Node("word", text=draw(st.sampled_from(WORDS))))
    root = pool[-1]
    seen: dict[int, Node] = {}
    rest = [root]
    while rest:
        node = rest.pop()
        if id(node) not in seen:
            seen[id(node)] = node
            rest += node.arguments
    probabilistic = not any(node.scored or node.base is not None for node in seen.values())
    has_choice = any(node.kind in ("or", "interleave") for node in seen.values())
    wide = any(len(numbers) > 1 for node in seen.values()
               for numbers in (*node.rows, *(p for _, p in node.order), node.perms, node.shuffles))
    return Random(root, build(root), components if has_choice and wide else 1, probabilistic, len(seen))


def _units(node: Node, components: int) -> list[int]:
    return [len(units(text)) for text, _ in derivations(node, components)]


def _words(nodes: tuple[Node, ...], components: int) -> int:
    return sum(max(len(text) for text, _ in derivations(node, components)) for node in nodes)


@st.composite
def _operators(draw: st.DrawFn, pool: list[Node], components: int, with_tiles: bool) -> Node:
    some = draw(st.lists(st.sampled_from(pool[-4:]), min_size=1, max_size=3).map(tuple))
    if prod(len(derivations(a, components)) for a in some) > MAX_DERIVATIONS or _words(some, components) > MAX_WORDS:
        some = (pool[0],)
    j = draw(st.sampled_from([1, components]))
    kinds = ["seq", "or", "or", "lock", "interleave", "interleave", "interleave", *["tiles"] * with_tiles]
    kind = draw(st.sampled_from(kinds))
    if kind == "lock":
        return Node("lock", some[:1])
    if kind == "seq":
        return Node("seq", some)
    if kind == "tiles":
        length = draw(st.integers(1, 3))
        spans = {(i, i + 1) for i in range(length)} | draw(st.sets(st.sampled_from([(0, length), (0, 1), (0, 2)])))
        inside = sorted(span for span in spans if span[1] <= length)
        arguments = tuple(draw(st.sampled_from([*some, pool[0]])) for _ in inside)
        if prod(len(derivations(a, components)) for a in arguments) > MAX_DERIVATIONS:
            arguments = (pool[0],) * len(inside)
        return Node("tiles", arguments, length=length, spans=tuple(inside), base=Fraction(1, 2))
    if kind == "or" and draw(st.integers(0, 3)) == 0:
        scores = st.tuples(*[st.integers(1, 20).map(lambda x: Fraction(x, 20))] * j)
        return Node("or", some, rows=tuple(draw(scores) for _ in some), scored=True)
    if kind == "or":
        # A zero in the only component makes a choice impossible; in one of two it might make all of them so.
        rows = draw(_masses(len(some), j, zeros=j == 1))
        return Node("or", some, rows=rows)
    return draw(_interleaves(some, components, j))


@st.composite
def _interleaves(draw: st.DrawFn, arguments: tuple[Node, ...], components: int, j: int) -> Node:
    if sum(max(_units(a, components)) for a in arguments) > MAX_UNITS:
        arguments = tuple(a if max(_units(a, components)) == 1 else Node("lock", (a,)) for a in arguments)
    n = len(arguments)
    form = draw(st.sampled_from(["uniform", "movement", "listed", "listed", "listed"]))
    if form == "uniform":
        return Node("interleave", arguments)
    if form == "movement":
        return Node("interleave", arguments, base=Fraction(draw(st.sampled_from([1, 2, 3])), 4))
    every = list(permutations(range(n)))
    order = draw(st.lists(st.sampled_from(every), unique=True, max_size=3))
    lengths = [_units(a, components) for a in arguments]
    can_shuffle = n > 1 and any(max(own) > 1 for own in lengths)
    always_shuffles = n > 1 and any(min(own) > 1 for own in lengths)
    masses = ["perms"] * (len(order) < len(every) and (draw(st.booleans()) or not order and not always_shuffles))
    if can_shuffle and (order or masses or always_shuffles) and (draw(st.booleans()) or not order and not masses):
        masses.append("shuffles")
    if not order and not masses:
        order = [every[0]]
    rows = draw(_masses(len(order) + len(masses), j, zeros=False))
    named = dict(zip(masses, rows[len(order) :], strict=True))
    listed = tuple(zip(order, rows, strict=False))
    return Node("interleave", arguments, order=listed, perms=named.get("perms", ()), shuffles=named.get("shuffles", ()))


@st.composite
def _masses(draw: st.DrawFn, count: int, j: int, *, zeros: bool) -> tuple[Numbers, ...]:
    """`count` vectors of twentieths that sum to 1 in each of the j components."""
    columns = []
    for _ in range(j):
        least = 0 if zeros else 1
        cuts = sorted(draw(st.lists(st.integers(0, 20 - least * count), min_size=count - 1, max_size=count - 1)))
        ends = [*cuts, 20 - least * count]
        columns.append([Fraction(b - a + least, 20) for a, b in zip([0, *cuts], ends, strict=True)])
    return tuple(zip(*columns, strict=True))
