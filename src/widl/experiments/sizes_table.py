"""Tables of sizes and run times, for bags and for the inputs of a translation model."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Annotated

from widl.decoder import Expression, Tiles, choice, count_derivations, lock
from widl.decoder import tiles as tile_expression
from widl.experiments.run_times import RunTimes, SearchTime
from widl.experiments.sizes import Alternative, BagSizes, TileSizes, bag_sizes, limited_tile_sizes, tile_sizes
from widl.experiments.text_table import aligned
from widl.options import option, option_set
from widl.translation import TranslationOptions


@option_set
class SizesOptions:
    """Size of the translation inputs, and how far their lattices are counted."""

    limit: Annotated[int, option("Number of inputs.", ge=1)] = 20
    table_limit: Annotated[int, option("Number of translations of a span, the paper's s.", ge=1)] = 10
    distortion_limit: Annotated[
        int, option("Also count lattices without longer jumps.", ge=0)
    ] = TranslationOptions.distortion_limit or 0
    max_states: Annotated[int, option("How far these are counted.", ge=1)] = 1_000_000
    max_edges: Annotated[
        int, option("Measure run times where a search follows up to about so many edges; 0: nowhere.", ge=0)
    ] = 2_000_000


@dataclass(frozen=True)
class InputSizes:
    """Sizes of one translation input: without limit on movement, and with one (None: more states than counted)."""

    candidates: int
    """Derivations without limit on movement: segmentations, orders of tiles and alternatives of each."""
    unlimited: TileSizes
    limited: TileSizes | None


def input_sizes(tiles: Tiles, options: SizesOptions) -> InputSizes:
    """The sizes of a sentence's tiles, each with its `table_limit` best alternatives."""
    by_span: dict[tuple[int, int], list[tuple[float, Alternative]]] = {}
    for begin, end, words, scores in tiles.alternatives:
        by_span.setdefault((begin, end), []).append((-sum(scores), (begin, end, words)))
    best = chain.from_iterable(sorted(ranked)[: options.table_limit] for ranked in by_span.values())
    alternatives = [alternative for _, alternative in best]
    return InputSizes(
        candidates=candidates(len(tiles), alternatives),
        unlimited=tile_sizes(len(tiles), alternatives),
        limited=limited_tile_sizes(
            len(tiles), alternatives, distortion_limit=options.distortion_limit, max_states=options.max_states
        ),
    )


def candidates(positions: int, alternatives: Sequence[Alternative]) -> int:
    """The exact number of derivations of a `tiles` expression with these alternatives.

    >>> candidates(2, [(0, 1, ["a"]), (0, 1, ["b", "c"]), (1, 2, ["d"]), (0, 2, ["e"])])  # 2! · 2 · 1 + 1! · 1
    5
    """
    by_span: dict[tuple[int, int], list[Expression]] = {}
    for begin, end, words in alternatives:
        by_span.setdefault((begin, end), []).append(lock(" ".join(words)))
    spans = {span: choice(*((one, 1.0) for one in put), scores=True) for span, put in by_span.items()}
    return count_derivations(tile_expression(positions, spans, expmove=0.5))


def bag_table(sizes: Iterable[int]) -> list[BagSizes]:
    """Sizes of bags of n different words, for each n of `sizes`."""
    return [bag_sizes([1] * n) for n in sizes]


def format_bags(rows: Sequence[BagSizes]) -> str:
    """A line for each size of bag."""
    lines = [["words", "strings", "expression", "WIDL-graph", "", "word lattice", "", "CFG"]]
    lines.append(["", "", "nodes", "vertices", "edges", "states", "edges", "rules"])
    for row in rows:
        numbers = [row.expression_nodes, row.graph_vertices, row.graph_edges]
        numbers += [row.lattice_states, row.lattice_edges, row.grammar_rules]
        lines.append([f"{row.words:,}", short(row.strings), *(f"{n:,}" for n in numbers)])
    note = (
        "The lattice is the minimal deterministic one. The grammar is the smaller of the right-linear one, "
        "with a rule for\neach edge of the lattice, and the one that halves sets of words."
    )
    return "\n".join(["Bags of different words", *aligned(lines), note, ""])


def format_inputs(rows: Sequence[InputSizes], options: SizesOptions) -> str:
    """A line for each input, and their means (geometric for what is exponential)."""
    jumps = f"jumps <= {options.distortion_limit}:"
    lines = [["input", "tiles", "alter-", "candi-", "expression", "lattice", "", "CFG", jumps, ""]]
    lines.append(["words", "", "natives", "dates", "nodes", "states", "edges", "rules", "states", "edges"])
    for row in rows:
        full, limited = row.unlimited, row.limited
        cells = [f"{n:,}" for n in (full.positions, full.tiles, full.alternatives)]
        cells += [short(row.candidates), f"{full.expression_nodes:,}"]
        cells += [short(n) for n in (full.lattice_states, full.lattice_edges, full.grammar_rules)]
        if limited is None:
            cells += [f"> {short(options.max_states)}", ""]
        else:
            cells += [short(limited.lattice_states), short(limited.lattice_edges)]
        lines.append(cells)
    if len(rows) > 1:
        lines.append(_means(rows))
    note = (
        "Candidates are derivations: segmentations into tiles, times orders of the tiles, times alternatives of each.\n"
        "Of the lattice and the grammar that keep the weights: their states know what is covered and where the last "
        "tile ended.\nConstructed, not minimized. Means: arithmetic, of candidates, lattice and grammar geometric."
    )
    return "\n".join(["Translation inputs", *aligned(lines), note, ""])


def format_run_times(rows: Sequence[RunTimes]) -> str:
    """A line for each expression: its acceptor, and what breadth-first search and A* make of it, in what time."""
    lines = [["expression", "words", "vertices", "acceptor", "BFS", "", "", "µs per", "A*", "", "", "µs per"]]
    lines.append(["", "", "a state", "states", "states", "edges", "ms", "edge", "states", "edges", "ms", "edge"])
    for row in rows:
        cells = [row.family, f"{row.words:,}", f"{row.vertices:,}", short(row.states)]
        for search in (row.bfs, row.astar):
            cells += ["-"] * 4 if search is None else _time_cells(search)
        lines.append(cells)
    note = (
        "BFS makes all states of the weighted acceptor: the acceptor's, split by the contexts of a trigram model. By "
        "Theorem 2\nof 2005 its time is linear in these, and A*'s in these times their logarithm. ms: of "
        "processor time,\nfor small searches mostly set-up; -: not searched, too many edges. The model is of random "
        "orders of the same words."
    )
    return "\n".join(["Run time", *aligned(lines), note, ""])


def _time_cells(search: SearchTime) -> list[str]:
    per_edge = 1e6 * search.seconds / search.edges
    return [f"{search.states:,}", f"{search.edges:,}", f"{1000 * search.seconds:,.2f}", f"{per_edge:.2f}"]


def short(number: int) -> str:
    """An exact number up to a million, beyond as 1.2e34.

    >>> short(24576), short(3 * 10**400)
    ('24,576', '3.0e400')
    """
    if number < 10**6:
        return f"{number:,}"
    digits = str(number)
    exponent = len(digits) - 1
    mantissa = round(int(digits[:3]) / 100, 1)
    return f"{mantissa:.1f}e{exponent}" if mantissa < 10 else f"1.0e{exponent + 1}"


def _means(rows: Sequence[InputSizes]) -> list[str]:
    sizes = [row.unlimited for row in rows]
    counts = zip(*((r.positions, r.tiles, r.alternatives, r.expression_nodes) for r in sizes), strict=True)
    *plain, nodes = (f"{fmean(values):.1f}" for values in counts)
    large = zip(*((r.lattice_states, r.lattice_edges, r.grammar_rules) for r in sizes), strict=True)
    return [*plain, _geometric(row.candidates for row in rows), nodes, *map(_geometric, large), "", ""]


def _geometric(numbers: Iterable[int]) -> str:
    mean = fmean(map(math.log10, numbers))
    return short(int(10 ** (mean % 1) * 1000) * 10 ** int(mean) // 1000)
