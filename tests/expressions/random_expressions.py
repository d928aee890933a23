"""Random nested expressions with shared parts, small enough to list, as plain data and as expressions."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import prod

from tests.reference.widl_semantics import Node, Numbers, derivations, units
from widl.expressions import Expression

MAX_DERIVATIONS = 200
MAX_UNITS = 6  # of an interleave
MAX_WORDS = 30
WORDS = ("a", "b", "c", "or", "#", ",", '"', "\\", "猫", "∥", "0-1:", "x\u00a0y")


@dataclass(frozen=True)
class Random:
    """An expression in both forms."""

    node: Node
    expression: Expression
    components: int
    probabilistic: bool  # no scores inside
    nodes: int  # created so far


def build(node: Node) -> Expression:
    """Builds the expression described by plain data; shared nodes become shared expressions."""
    result: dict[int, Expression] = {}

    def visit(node: Node) -> Expression:
        if id(node) not in result:
            result[id(node)] = _build(node, [visit(argument) for argument in node.arguments])
        return result[id(node)]

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
        spans = [(begin, end, item) for (begin, end), item in zip(node.spans, arguments, strict=True)]
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


class Generator:
    """Makes expressions from a source of random numbers."""

    def __init__(self, rng: random.Random, with_tiles: bool, words: Sequence[str] = WORDS) -> None:
        self.rng = rng
        self.words = words
        self.kinds = ["seq", "seq", "or", "or", "optional", "optional", "lock"]
        self.kinds += ["interleave", "interleave", "interleave"]
        self.kinds += ["tiles"] * with_tiles
        self.components = rng.choice([1, 1, 2])

    def expression(self, operators: int) -> Random:
        pool = [self.word() for _ in range(3)]
        for _ in range(operators):
            node = self.operator(pool)
            pool.append(node if self.count(node) <= MAX_DERIVATIONS else self.word())
        root = pool[-1]
        seen: dict[int, Node] = {}
        rest = [root]
        while rest:
            node = rest.pop()
            if id(node) not in seen:
                seen[id(node)] = node
                rest += node.arguments
        used = list(seen.values())
        vectors = [p for node in used for p in (*node.rows, *(p for _, p in node.order), node.perms, node.shuffles)]
        wide = max(map(len, vectors), default=1)
        probabilistic = not any(node.scored or node.base is not None for node in used)
        return Random(root, build(root), max(1, wide), probabilistic, len(used))

    def word(self) -> Node:
        return Node("word", text=self.rng.choice(self.words))

    def count(self, node: Node) -> int:
        return len(derivations(node, self.components))

    def units(self, node: Node) -> list[int]:
        return [len(units(d.text)) for d in derivations(node, self.components)]

    def few(self, arguments: list[Node]) -> bool:
        words = sum(max(len(d.text) for d in derivations(a, self.components)) for a in arguments)
        return prod(map(self.count, arguments)) <= MAX_DERIVATIONS and words <= MAX_WORDS

    def operator(self, pool: list[Node]) -> Node:
        # The newest node is always used, so that operators get nested.
        some = [pool[-1], *self.rng.choices(pool[-4:], k=self.rng.choice([0, 1, 1, 2]))]
        self.rng.shuffle(some)
        if not self.few(some):
            some = [pool[-1]]
        kind = self.rng.choice(self.kinds)
        j = self.rng.choice([1, self.components])
        if kind == "lock":
            return Node("lock", (pool[-1],))
        if kind == "seq":
            return Node("seq", tuple(some))
        if kind == "optional":
            return self.optional(some, j)
        if kind == "tiles":
            return self.tiles(some)
        if kind == "interleave":
            return self.interleave(some, j)
        if self.rng.random() < 0.2:
            rows = tuple(tuple(Fraction(self.rng.randint(1, 20), 20) for _ in range(j)) for _ in some)
            return Node("or", tuple(some), rows=rows, scored=True)
        # A zero in the only component makes a choice impossible. With two components, zeros might make all choices
        # impossible.
        return Node("or", tuple(some), rows=self.masses(len(some), j, zeros=j == 1))

    def optional(self, some: list[Node], j: int) -> Node:
        """A sequence of nodes, all optional except one word; some are optional in two ways."""
        parts = []
        for node in some:
            for _ in range(self.rng.choice([1, 1, 2])):
                rows = self.masses(2, j, zeros=False)
                choices = (node, Node("seq")) if self.rng.random() < 0.8 else (Node("seq"), node)
                node = Node("or", choices, rows=rows)
            parts.append(node)
        parts.insert(self.rng.randrange(len(parts) + 1), self.word())
        return Node("seq", tuple(parts))

    def tiles(self, some: list[Node]) -> Node:
        length = self.rng.randint(1, 3)
        every = [(i, k) for i in range(length) for k in range(i + 1, length + 1)]
        spans = sorted({(i, i + 1) for i in range(length)} | set(self.rng.sample(every, k=1)))
        arguments = self.rng.choices(some, k=len(spans))
        if not self.few(arguments):
            arguments = [arguments[0], *(self.word() for _ in spans[1:])]
        return Node("tiles", tuple(arguments), length=length, spans=tuple(spans), base=Fraction(1, 2))

    def interleave(self, some: list[Node], j: int) -> Node:
        if sum(max(self.units(a)) for a in some) > MAX_UNITS:
            some = [a if max(self.units(a)) == 1 else Node("lock", (a,)) for a in some]
        form = self.rng.choice(["listed", "listed", "listed", "uniform", "movement"])
        if form == "uniform":
            return Node("interleave", tuple(some))
        if form == "movement":
            return Node("interleave", tuple(some), base=Fraction(self.rng.randint(1, 3), 4))
        n = len(some)
        every = list(permutations(range(n)))
        can_shuffle = n > 1 and any(max(self.units(a)) > 1 for a in some)
        always = n > 1 and any(min(self.units(a)) > 1 for a in some)
        order = self.rng.sample(every, k=self.rng.randint(0, min(2, len(every))))
        masses = []
        if len(order) < len(every) and self.rng.random() < 0.6:
            masses.append("perms")
        if can_shuffle and (order or masses or always) and self.rng.random() < 0.7:
            masses.append("shuffles")
        if not order and not masses:
            masses.append("perms")
        rows = self.masses(len(order) + len(masses), j, zeros=False)
        named = dict(zip(masses, rows[len(order) :], strict=True))
        return Node(
            "interleave",
            tuple(some),
            order=tuple(zip(order, rows, strict=False)),
            perms=named.get("perms", ()),
            shuffles=named.get("shuffles", ()),
        )

    def masses(self, count: int, j: int, *, zeros: bool) -> tuple[Numbers, ...]:
        """`count` vectors of twentieths that sum to 1 in each of the j components."""
        least = 0 if zeros else 1
        columns = []
        for _ in range(j):
            ends = sorted(self.rng.randint(0, 20 - least * count) for _ in range(count - 1))
            ends.append(20 - least * count)
            columns.append([Fraction(b - a + least, 20) for a, b in zip([0, *ends], ends, strict=False)])
        return tuple(zip(*columns, strict=True))
