"""Sizes of expressions, lattices and grammars, and run times of search, as a page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from widl.arguments import PathLike, path_of
from widl.experiments.result_pictures import line_picture
from widl.experiments.results import Picture
from widl.experiments.run_times import RunTimes
from widl.experiments.sizes import BagSizes
from widl.experiments.sizes_table import InputSizes, SizesOptions, short
from widl.files import write_text
from widl.pages import Row, Section, figure, page, paragraph, table
from widl.pictures import inlined

PAGE = "report.html"
_MOST = 10**100  # beyond that a line of a picture ends


@dataclass(frozen=True)
class Sizes:
    """What `widl experiment sizes` finds."""

    bags: Sequence[BagSizes]
    run_times: Sequence[RunTimes] = ()
    inputs: Sequence[InputSizes] = ()


def write_sizes_page(sizes: Sizes, options: SizesOptions, directory: PathLike) -> Path:
    """Write ``report.html`` into a directory, which is made; returns its path."""
    path = path_of(directory, "directory") / PAGE
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_text(path) as file:
        file.write(sizes_page(sizes, options))
    return path


def sizes_page(sizes: Sizes, options: SizesOptions) -> str:
    """The page: HTML."""
    sections = [
        Section("bags", "Bags of different words", [_drawn(_bag_picture(sizes.bags)), _bags(sizes.bags)]),
        Section("times", "Run time", _times(sizes.run_times) if sizes.run_times else []),
        Section("inputs", "Translation inputs", _inputs(sizes.inputs, options) if sizes.inputs else []),
    ]
    return page("Sizes of expressions, lattices and grammars", "", sections)


def _drawn(picture: Picture) -> Markup:
    drawn = inlined(picture.svg, picture.name, picture.title, picture.description)
    return figure(picture.title, picture.description, drawn)


_BAG_COLUMNS: dict[str, Callable[[BagSizes], int]] = {
    "expression, nodes": lambda row: row.expression_nodes,
    "WIDL-graph, vertices": lambda row: row.graph_vertices,
    "WIDL-graph, edges": lambda row: row.graph_edges,
    "word lattice, states": lambda row: row.lattice_states,
    "word lattice, edges": lambda row: row.lattice_edges,
    "grammar, rules": lambda row: row.grammar_rules,
}
_BAG_LINES = ("expression, nodes", "word lattice, states", "grammar, rules")


def _bag_picture(rows: Sequence[BagSizes]) -> Picture:
    series = {
        name: [[(float(row.words), float(size)) for row in rows if (size := _BAG_COLUMNS[name](row)) <= _MOST]]
        for name in _BAG_LINES
    }
    return line_picture(
        "bag-sizes",
        "Size by number of words",
        "An expression of a bag of words grows by a node a word; a lattice or grammar of the same strings doubles.",
        series,
        x="words",
        y="size",
        log_y=True,
    )


def _bags(rows: Sequence[BagSizes]) -> Markup:
    found: list[Row] = [
        (f"{row.words:,}", [short(row.strings), *(short(size(row)) for size in _BAG_COLUMNS.values())]) for row in rows
    ]
    return table(["words", "strings", *_BAG_COLUMNS], found, "bags")


def _times(rows: Sequence[RunTimes]) -> list[Markup]:
    # A line for each family of expressions.
    lines: dict[str, dict[str, list[tuple[float, float]]]] = {"BFS": {}, "A*": {}}
    found: list[Row] = []
    for row in rows:
        cells = [f"{row.words:,}", f"{row.vertices:,}", short(row.states)]
        for name, search in (("BFS", row.bfs), ("A*", row.astar)):
            if search is None:
                cells += ["–"] * 3
                continue
            cells += [f"{search.states:,}", f"{search.edges:,}", f"{1000 * search.seconds:,.2f}"]
            place = (float(search.edges), max(1000 * search.seconds, 1e-3))
            lines[name].setdefault(row.family, []).append(place)
        found.append((row.family, cells))
    heads = ["expression", "words", "vertices a state", "acceptor's states", "BFS: states", "edges", "ms"]
    picture = line_picture(
        "run-times",
        "Milliseconds by edges of the weighted acceptor",
        "Breadth-first search and A* take time about linear in the edges that they follow (Theorem 2 of 2005); a line "
        "for each kind of expression.",
        {name: list(by_family.values()) for name, by_family in lines.items()},
        x="edges",
        y="ms",
        log_x=True,
        log_y=True,
    )
    return [_drawn(picture), table([*heads, "A*: states", "edges", "ms"], found, "run times")]


def _inputs(rows: Sequence[InputSizes], options: SizesOptions) -> list[Markup]:
    jumps = f"jumps up to {options.distortion_limit}:"
    heads = ["words", "tiles", "alternatives", "candidates", "expression, nodes", "lattice, states", "lattice, edges"]
    found: list[Row] = []
    for row in rows:
        full, limited = row.unlimited, row.limited
        cells = [f"{full.tiles:,}", f"{full.alternatives:,}", short(row.candidates), f"{full.expression_nodes:,}"]
        cells += [short(n) for n in (full.lattice_states, full.lattice_edges, full.grammar_rules)]
        if limited is None:
            cells += [f"> {short(options.max_states)}", ""]
        else:
            cells += [short(limited.lattice_states), short(limited.lattice_edges)]
        found.append((f"{full.positions:,}", cells))
    note = "Candidates are derivations: segmentations into tiles × orders of the tiles × alternatives of each."
    columns = [*heads, "grammar, rules", f"{jumps} states", "edges"]
    return [table(columns, found, "translation inputs"), paragraph(note)]
