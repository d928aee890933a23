"""Small random spaces of strings that can be listed: expressions, tiles, lattices."""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tests.expressions.random_expressions import Generator, build
from tests.phrase_table.tables import tiled, written
from tests.proofs.models import WORDS, Filter
from tests.proofs.terms import Demands
from tests.reference import tiles as tiles_reference
from tests.reference import widl_semantics as semantics
from tests.reference.lattices import paths
from tests.reference.lexical_reordering import FEATURES
from tests.reference.tiles import Option, Orders
from tests.reference.widl_semantics import Node
from widl._core import write_options
from widl.decoder import CoreRealizer, CoreSearchOptions, Lattice, Realization, Tiles, Vocabulary, WeightVector
from widl.expressions import Expression

MAX_DERIVATIONS = 150
MAX_FREE_DERIVATIONS = 600  # derivations of tiles without a distortion limit
BITS = 64  # of a coverage
WIDE = 66  # bits of a cut, positions of a sentence: more than there are in a machine word
VOCABULARY = Vocabulary(WORDS[:4])
FLOAT_COLUMNS = 4  # words, phrases, movement, unknown

Row = tuple[tuple[str, ...], list[float], list[float]]
"""A derivation: words, J components, and the features after the language-model features."""

LatticeArc = tuple[int, int, tuple[str, ...], tuple[float, ...]]
"""From, to, words, scores."""


@dataclass
class Space:
    """A space of derivations, for the core and as a list."""

    text: str
    thing: Expression | Tiles | Lattice
    components: int
    rows: Sequence[Row]
    distortion_limit: int = -1
    has_reordering: bool = False
    has_crossing: bool = False
    vocabulary: Vocabulary = VOCABULARY
    is_wide: bool = False
    """Whether no search unfolds all derivations: some move a phrase past more positions than a coverage has bits."""
    words: list[tuple[str, ...]] = field(init=False)
    first: np.ndarray = field(init=False)  # (derivations, components)
    last: np.ndarray = field(init=False)  # (derivations, 4, the reordering model's columns, the crossing column)
    numbers: dict[tuple[str, ...], list[int]] = field(init=False)  # derivations by string
    lengths: np.ndarray = field(init=False)
    bytes: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.words = [words for words, _, _ in self.rows]
        self.first = np.array([first for _, first, _ in self.rows]).reshape(len(self.rows), self.components)
        columns = FLOAT_COLUMNS + self.orientations + self.has_crossing
        self.last = np.array([last for _, _, last in self.rows]).reshape(len(self.rows), columns)
        self.numbers = {}
        for number, words in enumerate(self.words):
            self.numbers.setdefault(words, []).append(number)
        self.lengths = np.array([len(words) for words in self.words])
        self.bytes = np.array([len(" ".join(words).encode()) for words in self.words])

    @property
    def orientations(self) -> int:
        """Features of the reordering model."""
        return len(FEATURES) if self.has_reordering else 0

    @property
    def has_layers(self) -> bool:
        """Whether stacks and cubes can search it."""
        return isinstance(self.thing, Tiles) or self.is_expression_of_tiles

    @property
    def is_expression_of_tiles(self) -> bool:
        return isinstance(self.thing, Expression) and self.thing.kind == Expression.Kind.tiles

    def realize(
        self, realizer: CoreRealizer, weights: WeightVector, options: CoreSearchOptions, chosen: Filter | Demands | None
    ) -> Realization:
        constraint = chosen.core if chosen else None
        if isinstance(self.thing, Expression):
            return realizer.realize_expressions([self.thing], weights, options, constraint=constraint)[0]
        if isinstance(self.thing, Tiles):
            return realizer.realize([self.thing], weights, options, constraint=constraint)[0]
        return realizer.realize_lattices([self.thing], weights, options, constraint=constraint)[0]


def random_space(rng: random.Random) -> Space:
    """A space of a random kind; some kinds are more frequent."""
    kinds = [random_expression, random_expression, random_bag, random_tiles, random_tiles, random_lattice]
    space = rng.choice(kinds)(rng)
    own = random.Random(space.text)  # so that all other draws are unchanged free tiles existed
    return free_tiles(own) if space.has_layers and space.distortion_limit < 0 and own.random() < 0.25 else space


def random_expression(rng: random.Random) -> Space:
    """Nested operators with every distribution. `random_tiles` makes the spaces that consist of tiles only."""
    while True:
        result = Generator(rng, with_tiles=True, words=WORDS).expression(rng.randint(1, 5))
        if result.expression.kind == Expression.Kind.tiles:
            continue
        # One probability may apply to several components.
        components = rng.choice([1, 1, 2]) if result.components == 1 else result.components
        rows = _rows(result.node, components)
        if len(rows) <= MAX_DERIVATIONS:
            space = Space(str(result.expression), result.expression, components, rows)
            return widened(space) if len(rows) < 10 and rng.random() < 0.02 else space


def _rows(node: Node, components: int) -> list[Row]:
    rows = []
    for d in semantics.derivations(node, components):
        if d.first:
            values = semantics.features(d, [])
            rows.append((d.words, values[:components], values[components:]))
    return rows


def widened(space: Space) -> Space:
    """Adds many equal words in any order, for which search tries a single order: gives cuts of many bits."""
    assert isinstance(space.thing, Expression)
    bag = Expression.uniform_interleave([Expression.word("z")] * WIDE)
    share, rows = -math.lgamma(WIDE + 1), []
    for words, first, (word_count, phrases, movement, unknown) in space.rows:
        last = [word_count + WIDE, phrases + WIDE, movement, unknown]
        rows.append(((*words, *("z",) * WIDE), [log + share for log in first], last))
    expression = Expression.precedence([space.thing, bag])
    return Space(f"({space.text}) then {WIDE} z in any order", expression, space.components, rows)


def random_bag(rng: random.Random) -> Space:
    """Words, phrases and choices of them in any order; such bags have a special bound."""
    generator = Generator(rng, with_tiles=False, words=WORDS)
    while True:
        arguments = []
        for _ in range(rng.randint(2, 4)):
            kind = rng.choice(["word", "word", "lock", "or"])
            some = tuple(generator.word() for _ in range(rng.randint(1, 3)))
            if kind == "lock":
                arguments.append(Node("lock", (Node("seq", some),)))
            elif kind == "or":
                arguments.append(Node("or", some, rows=generator.masses(len(some), 1, zeros=True)))
            else:
                arguments.append(some[0])
        node = generator.interleave(arguments, 1) if rng.random() < 0.3 else Node("interleave", tuple(arguments))
        rows = _rows(node, 1)
        if 0 < len(rows) <= MAX_DERIVATIONS:
            expression = build(node)
            return Space(str(expression), expression, 1, rows)


def random_tiles(rng: random.Random) -> Space:
    """As tiles or, without zones and walls, as an equivalent expression."""
    while True:
        length, components, base = rng.randint(1, 4), rng.randint(1, 2), rng.choice([0.5, 0.9])
        of_table = rng.random() < 0.3
        if of_table:
            base = math.exp(-1)  # the tables' base
        limit = rng.choice([None, None, 0, 1, 2, 6])
        spans = [(i, i + 1) for i in range(length)]
        spans += [(i, k) for i in range(length) for k in range(i + 2, min(i + 3, length) + 1) if rng.random() < 0.5]
        options = [_random_option(rng, b, e, components) for b, e in spans for _ in range(rng.randint(1, 2))]
        if of_table:  # where phrases may be deleted
            options = [replace(option, words=()) if rng.random() < 0.3 else option for option in options]
        orders = _random_orders(rng, length) if rng.random() < 0.3 else Orders()
        result = [d for d in tiles_reference.derivations(length, options, limit) if orders.keep(d, length)]
        if 0 < len(result) <= MAX_DERIVATIONS:
            break
    # A separate generator keeps all other draws as they were before reordering models were added.
    of_model = random.Random(f"reordering of {options}")
    is_oriented = not of_table and of_model.random() < 0.5
    if limit is None and len(result) < 10 and not of_table and rng.random() < 0.03:
        # A long sentence in which only the beginning may be reordered.
        tail = [_random_option(rng, i, i + 1, components) for i in range(length, length + WIDE)]
        orders = Orders(orders.zones, (*orders.walls, *range(length, length + WIDE)))
        result, options, length = [(*d, *tail) for d in result], [*options, *tail], length + WIDE
    if is_oriented:
        oriented = [_with_orientation(of_model, option) for option in options]
        places = {id(option): new for option, new in zip(options, oriented, strict=True)}
        options, result = oriented, [tuple(places[id(option)] for option in derivation) for derivation in result]
    is_expression = not of_table and orders == Orders() and not is_oriented and rng.random() < 0.3
    marks = None if is_expression else _random_marks(length, options)
    rows: list[Row] = []
    for derivation in result:
        values = tiles_reference.features(derivation, [], math.log(base), components, is_oriented, marks)
        words = tuple(word for option in derivation for word in option.words)
        rows.append((words, values[:components], values[components:]))
    text = f"{length} positions, base {base}, {options}, {orders}, limit {limit}, reordering model: {is_oriented}"
    text += "" if marks is None else f", clause marks {marks}"
    limited = -1 if limit is None else limit
    if of_table:
        rows = [(words, [0.0, *first], last) for words, first, last in rows]
        tiles, vocabulary = _tiles_of_table(length, options, orders, marks or ())
        text = f"table of {text}"
        return Space(text, tiles, components + 1, rows, limited, has_crossing=marks is not None, vocabulary=vocabulary)
    expression = tiles_expression(length, options, base)
    if is_expression:
        if components == 1 and rng.random() < 0.5:  # one probability may apply to several components
            rows, components = [(words, first * 2, last) for words, first, last in rows], 2
        return Space(f"expression of {text}", expression, components, rows, limited)
    orientations = [o.orientation for some in _by_span(options).values() for o in some] if is_oriented else []
    tiles = Tiles.compile(
        expression, VOCABULARY, zones=orders.zones, walls=orders.walls, orientations=orientations,
        clause_marks=marks or (),
    )  # fmt: skip
    return Space(text, tiles, components, rows, limited, is_oriented, marks is not None)


def free_tiles(rng: random.Random) -> Space:
    """Longer sentences in any order; exact search lists their coverages in stages."""
    length, base = rng.choice([4, 5, 5]), rng.choice([0.3, 0.6, 0.9])
    while True:
        spans = [(i, i + 1) for i in range(length)]
        spans += [(i, i + 2) for i in range(length - 1) if rng.random() < 0.3]
        options = [_random_option(rng, b, e, 1) for b, e in spans for _ in range(rng.choice([1, 1, 1, 2]))]
        result = list(tiles_reference.derivations(length, options, None))
        if len(result) <= MAX_FREE_DERIVATIONS:
            break
    marks = _random_marks(length, options)
    rows: list[Row] = []
    for derivation in result:
        values = tiles_reference.features(derivation, [], math.log(base), 1, clause_marks=marks)
        rows.append((tuple(word for option in derivation for word in option.words), values[:1], values[1:]))
    tiles = Tiles.compile(tiles_expression(length, options, base), VOCABULARY, clause_marks=marks or ())
    text = f"{length} free positions, base {base}, {options}, clause marks {marks}"
    return Space(text, tiles, 1, rows, has_crossing=marks is not None)


def wide_tiles(rng: random.Random) -> Space:
    """A few tiles over many positions, in any order or within a large limit."""
    while True:
        width, count, base = rng.choice([20, 33, 64, 65]), rng.choice([2, 3, 4]), rng.choice([0.5, 0.9, 0.9999])
        limit = rng.choice([None, None, None, 64, 65, 90, 130])
        spans = [(i, i + 1) for i in range(count)]
        spans += [(i, i + 2) for i in range(count - 1) if rng.random() < 0.3]
        options = [_random_option(rng, b * width, e * width, 1) for b, e in spans for _ in range(rng.choice([1, 1, 2]))]
        result = list(tiles_reference.derivations(count * width, options, limit))
        if result:
            break
    rows: list[Row] = []
    for derivation in result:
        values = tiles_reference.features(derivation, [], math.log(base), 1)
        rows.append((tuple(word for option in derivation for word in option.words), values[:1], values[1:]))
    thing = tiles_expression(count * width, options, base)
    is_expression = limit is None and rng.random() < 0.5
    what = "expression" if is_expression else "tiles"
    text = f"{what} of {count * width} positions, limit {limit}, base {base}, {options}"
    tiles = thing if is_expression else Tiles.compile(thing, VOCABULARY)
    is_wide = count * width > BITS and (limit is None or limit > BITS)
    return Space(text, tiles, 1, rows, -1 if limit is None else limit, is_wide=is_wide)


def _random_marks(length: int, options: Sequence[Option]) -> list[int] | None:
    """Clause marks, None where the feature is absent; drawn separately, so that all else is as it was drawn before."""
    rng = random.Random(f"marks of {options}")
    return sorted(rng.sample(range(length), k=rng.randint(1, length))) if rng.random() < 0.5 else None


def _random_option(rng: random.Random, begin: int, end: int, components: int) -> Option:
    words = tuple(rng.choice(WORDS) for _ in range(rng.choice([1, 1, 2, 3, 5])))
    # Scores are stored as 32-bit floats: quarters are exact.
    return Option(begin, end, words, tuple(-rng.randint(0, 12) / 4 for _ in range(components)))


def _with_orientation(rng: random.Random, option: Option) -> Option:
    if rng.random() < 0.1:
        return replace(option)  # it has none
    return replace(option, orientation=tuple(-rng.randint(0, 12) / 4 for _ in FEATURES))


def _random_orders(rng: random.Random, length: int) -> Orders:
    begin = rng.randrange(length)
    zones = ((begin, rng.randint(begin + 1, length)),) if rng.random() < 0.6 else ()
    walls = (rng.randrange(length),) if rng.random() < 0.6 else ()
    own = random.Random(f"inner zone {zones} {walls}")
    for outer, end in zones:
        if end - outer > 1 and own.random() < 0.5:
            inner = own.randrange(outer, end)
            zones = (*zones, (inner, own.randint(inner + 1, end)))
    return Orders(zones, walls)


def _tiles_of_table(
    length: int, options: Sequence[Option], orders: Orders, clause_marks: Sequence[int]
) -> tuple[Tiles, Vocabulary]:
    """Tiles with phrases from a second table that has a separate vocabulary; the first table, with one score, has no
    phrases.

    Uses the vocabulary of the tiles.
    """
    source = [f"source{i}" for i in range(length)]
    values = {}
    for (begin, end), of_span in _by_span(options).items():
        values[" ".join(source[begin:end])] = write_options(
            [
                (
                    [WORDS.index(word) for word in option.words],
                    [math.exp(score) for score in option.scores] + [1.0] * (4 - len(option.scores)),
                    [0, 0, 0],
                    [],
                    [],
                )
                for option in of_span
            ]
        )
    first, second = written({}, [VOCABULARY.word(i) for i in range(len(VOCABULARY))]), written(values, WORDS)
    tiles = tiled(
        source,
        first,
        second,
        components=[1, len(options[0].scores)],
        zones=list(orders.zones),
        walls=list(orders.walls),
        clause_marks=list(clause_marks),
    )
    return tiles, first.target_vocabulary


def _by_span(options: Sequence[Option]) -> dict[tuple[int, int], list[Option]]:
    spans: dict[tuple[int, int], list[Option]] = {}
    for option in options:
        spans.setdefault((option.begin, option.end), []).append(option)
    return spans


def tiles_expression(length: int, options: Sequence[Option], base: float) -> Expression:
    """Tiles with these options."""
    contents = []
    for (begin, end), some in _by_span(options).items():
        phrases = [Expression.lock(Expression.precedence([Expression.word(w) for w in o.words])) for o in some]
        scores = [[math.exp(s) for s in o.scores] for o in some]
        contents.append((begin, end, Expression.scored_disjunction(phrases, scores)))
    return Expression.tiles(length, contents, movement_base=base)


def random_lattice(rng: random.Random) -> Space:
    """A random acyclic acceptor, with some states on no path, ε-arcs, and one or more final states."""
    while True:
        names = rng.sample(range(1000), k=rng.randint(1, 6))
        components = rng.randint(1, 2)
        arcs: list[LatticeArc] = []
        for _ in range(rng.randint(0, 3 * len(names))):
            at, to = sorted(rng.sample(range(len(names)), k=2)) if len(names) > 1 else (0, 0)
            if at == to:
                continue
            words = tuple(rng.choice(WORDS) for _ in range(rng.choice([0, 1, 1, 1, 2, 3, 5])))
            arcs.append((names[at], names[to], words, tuple(rng.randint(-12, 4) / 4 for _ in range(components))))
        ends = rng.sample(names, k=rng.randint(1, min(2, len(names)))) if rng.random() < 0.5 else names[-1:]
        finals = {end: tuple(rng.choice([0.0, 0.0, -0.5]) for _ in range(components)) for end in ends}
        rows = [_row_of(path, arcs, finals, names[0]) for path in paths(arcs, names[0], finals)]
        if 0 < len(rows) <= MAX_DERIVATIONS:
            break
    rng.shuffle(arcs)
    lattice = Lattice.from_arcs(
        [(at, to, " ".join(words), scores) for at, to, words, scores in arcs], finals, start=names[0]
    )
    return Space(f"acceptor from {names[0]} to {finals}: {arcs}", lattice, components, rows)


def _row_of(path: list[int], arcs: Sequence[LatticeArc], finals: dict[int, tuple[float, ...]], start: int) -> Row:
    """Ending counts as a phrase unless there is a single final state without arcs, other than the start, at no cost."""
    [first, *others] = finals
    ends_freely = not others and first != start and not any(finals[first]) and all(arc[0] != first for arc in arcs)
    words = tuple(word for arc in path for word in arcs[arc][2])
    end = arcs[path[-1]][1] if path else start
    scores = [sum(column) for column in zip(*(arcs[arc][3] for arc in path), finals[end], strict=True)]
    return words, scores, [float(len(words)), float(len(path) + (not ends_freely)), 0.0, 0.0]
