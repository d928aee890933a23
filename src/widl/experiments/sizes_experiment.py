"""Sizes of expressions, lattices and grammars, and run times of exact search, as the results of an experiment."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain, islice
from statistics import fmean

from widl.decoder import Expression, Tiles, choice, count_derivations, lock
from widl.decoder import tiles as tile_expression
from widl.experiments.config import SizesOptions
from widl.experiments.experiment import results_of
from widl.experiments.results import Cell, Column, Results, Row, Table
from widl.experiments.run_times import SIZES, RunTimes, run_times
from widl.experiments.sizes import BagSizes, SpanPhrase, bag_sizes, limited_tile_sizes, tile_sizes
from widl.translation import Translator


def measure_sizes(
    bags: Iterable[int],
    options: SizesOptions,
    *,
    translator: Translator | None = None,
    lines: Iterable[str] = (),
    run_time_sizes: Iterable[int] = SIZES,
) -> Results:
    """Sizes for bags of so many different words, for a model's inputs, and run times of exact search (Theorem 2).

    `lines` are translated by `translator`; those without words are left out, and `options.limit` of them count.
    """
    rows = [bag_sizes([1] * n) for n in bags]
    tables = [_bag_table(rows)]
    if options.max_edges:
        tables.append(_time_table(list(run_times(run_time_sizes, most_edges=options.max_edges))))
    if translator is not None:
        texts = islice((line for line in lines if line.strip()), options.limit)
        tables.append(_input_table([tiles for text in texts for tiles in translator.tiles(text)], options))
    settings = asdict(options) | {"model": str(translator.directory) if translator else None}
    return results_of("sizes", "Sizes of expressions, lattices and grammars", tables, settings=settings)


def _bag_table(rows: Sequence[BagSizes]) -> Table:
    columns = [
        *("strings", "expression, nodes", "WIDL-graph, vertices", "WIDL-graph, edges", "word lattice, states"),
        *("word lattice, edges", "grammar, rules"),
    ]
    return Table(
        name="bags",
        title="Bags of different words",
        of="words",
        columns=[Column(name=name, digits=0, short=True) for name in columns],
        rows=[Row(label=f"{row.words:,}", cells=list(asdict(row).values())[1:]) for row in rows],
        notes=[
            "The lattice is the minimal deterministic one. The grammar is the smaller of the right-linear one, with a "
            "rule for each edge of the lattice, and the one that halves sets of words."
        ],
    )


def _time_table(rows: Sequence[RunTimes]) -> Table:
    searches = [
        column
        for name in ("BFS", "A*")
        for column in (
            Column(name=f"{name} states", digits=0),
            Column(name="edges", digits=0),
            Column(name="ms", digits=2, help="of processor time; for small searches mostly set-up"),
            Column(name="µs per edge", digits=2),
        )
    ]
    found = []
    for row in rows:
        cells: list[Cell] = [row.words, row.vertices, row.states]
        for search in (row.bfs, row.astar):
            if search is None:
                cells += [None] * 4
            else:
                microseconds = 1e6 * search.seconds
                cells += [search.states, search.edges, microseconds / 1000, microseconds / search.edges]
        found.append(Row(label=row.family, cells=cells))
    return Table(
        name="run-times",
        title="Run time",
        of="expression",
        columns=[
            Column(name="words", digits=0),
            Column(name="vertices a state", digits=0),
            Column(name="acceptor's states", digits=0, short=True),
            *searches,
        ],
        rows=found,
        notes=[
            "BFS makes all states of the weighted acceptor: the acceptor's, split by the contexts of a trigram model. "
            "By Theorem 2 of 2005 its time is linear in these, and A*'s in these times their logarithm. The model is "
            "of random orders of the same words. -: not searched, too many edges.",
        ],
    )


def _input_table(inputs: Iterable[Tiles], options: SizesOptions) -> Table:
    """A row for each input, with its best alternatives of each tile, and one of the means."""
    found = [_input_cells(tiles, options) for tiles in inputs]
    rows = [Row(label="input", cells=[*cells]) for cells in found]
    if len(found) > 1:
        rows.append(Row(label="mean", cells=_means(found)))
    names = ["words", "tiles", "alternatives", "candidates", "expression, nodes"]
    names += ["lattice, states", "lattice, edges", "grammar, rules"]
    names += [f"jumps <= {options.distortion_limit}: states", "edges"]
    return Table(
        name="inputs",
        title="Translation inputs",
        of="",
        columns=[Column(name=name, digits=0, short=True) for name in names],
        rows=rows,
        notes=[
            "Candidates are derivations: segmentations into tiles, times orders of the tiles, times alternatives of "
            "each. Of the lattice and the grammar that keep the weights: their states know what is covered and where "
            "the last tile ended. Constructed, not minimized. Means: geometric of candidates, lattice and grammar, "
            "else arithmetic."
        ],
    )


def _input_cells(tiles: Tiles, options: SizesOptions) -> list[int | str | None]:
    by_span: dict[tuple[int, int], list[tuple[float, SpanPhrase]]] = {}
    for begin, end, words, scores in tiles.alternatives:
        by_span.setdefault((begin, end), []).append((-sum(scores), (begin, end, words)))
    ranked = chain.from_iterable(sorted(of_span)[: options.table_limit] for of_span in by_span.values())
    best = [alternative for _, alternative in ranked]
    full = tile_sizes(len(tiles), best)
    limited = limited_tile_sizes(
        len(tiles), best, distortion_limit=options.distortion_limit, max_states=options.max_states
    )
    cells: list[int | str | None] = [full.positions, full.tiles, full.alternatives, candidates(len(tiles), best)]
    cells += [full.expression_nodes, full.lattice_states, full.lattice_edges, full.grammar_rules]
    if limited is None:
        return [*cells, f"> {options.max_states:,}", None]
    return [*cells, limited.lattice_states, limited.lattice_edges]


def candidates(positions: int, alternatives: Sequence[SpanPhrase]) -> int:
    """The exact number of derivations of a `tiles` expression with these alternatives.

    >>> candidates(2, [(0, 1, ["a"]), (0, 1, ["b", "c"]), (1, 2, ["d"]), (0, 2, ["e"])])  # 2! · 2 · 1 + 1! · 1
    5
    """
    by_span: dict[tuple[int, int], list[Expression]] = {}
    for begin, end, words in alternatives:
        by_span.setdefault((begin, end), []).append(lock(" ".join(words)))
    spans = {span: choice(*((one, 1.0) for one in put), scores=True) for span, put in by_span.items()}
    return count_derivations(tile_expression(positions, spans, expmove=0.5))


def _means(found: Sequence[Sequence[int | str | None]]) -> list[Cell]:
    columns = [[int(cells[k] or 0) for cells in found] for k in range(8)]
    plain = [fmean(column) for column in columns]
    large = [_geometric(column) for column in columns]
    return [*plain[:3], large[3], plain[4], *large[5:], None, None]


def _geometric(numbers: Sequence[int]) -> int:
    mean = fmean(map(math.log10, numbers))
    thousandths: int = int(10 ** (mean % 1) * 1000) * 10 ** int(mean)
    return thousandths // 1000
