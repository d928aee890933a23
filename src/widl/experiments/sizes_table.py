"""Tables of sizes, for bags and for the inputs of a translation model."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean
from typing import Annotated

from widl.decoder import Tiles
from widl.experiments.sizes import Alternative, BagSizes, TileSizes, bag_sizes, limited_tile_sizes, tile_sizes
from widl.experiments.text_table import aligned
from widl.options import option, option_set
from widl.translation import TranslationOptions


@option_set
class SizesOptions:
    """Size of the translation inputs, and how far their lattices are counted."""

    limit: Annotated[int, option("Number of inputs.", ge=1)] = 20
    beam_size: Annotated[int, option("Number of translations of a span, the paper's s.", ge=1)] = 10
    distortion_limit: Annotated[
        int, option("Also count lattices without longer jumps.", ge=0)
    ] = TranslationOptions.distortion_limit or 0
    max_states: Annotated[int, option("How far these are counted.", ge=1)] = 1_000_000


@dataclass(frozen=True)
class InputSizes:
    """Sizes of one translation input: without limit on movement, and with one (None: more states than counted)."""

    unlimited: TileSizes
    limited: TileSizes | None


def input_sizes(tiles: Tiles, options: SizesOptions) -> InputSizes:
    """The sizes of a sentence's tiles, each with its `beam_size` best alternatives."""
    by_span: dict[tuple[int, int], list[tuple[float, Alternative]]] = {}
    for begin, end, words, scores in tiles.alternatives:
        by_span.setdefault((begin, end), []).append((-sum(scores), (begin, end, words)))
    best = chain.from_iterable(sorted(ranked)[: options.beam_size] for ranked in by_span.values())
    alternatives = [alternative for _, alternative in best]
    return InputSizes(
        unlimited=tile_sizes(len(tiles), alternatives),
        limited=limited_tile_sizes(
            len(tiles), alternatives, distortion_limit=options.distortion_limit, max_states=options.max_states
        ),
    )


def bag_table(sizes: Iterable[int]) -> list[BagSizes]:
    """Sizes of bags of n different words, for each n of `sizes`."""
    return [bag_sizes([1] * n) for n in sizes]


def format_bags(rows: Sequence[BagSizes]) -> str:
    """A line for each size of bag."""
    lines = [["words", "expression", "WIDL-graph", "", "word lattice", "", "CFG"]]
    lines.append(["", "nodes", "vertices", "edges", "states", "edges", "rules"])
    for row in rows:
        numbers = row.words, row.expression_nodes, row.graph_vertices, row.graph_edges
        lines.append([f"{n:,}" for n in (*numbers, row.lattice_states, row.lattice_edges, row.grammar_rules)])
    note = (
        "The lattice is the minimal deterministic one. The grammar is the smaller of the right-linear one, "
        "with a rule for\neach edge of the lattice, and the one that halves sets of words."
    )
    return "\n".join(["Bags of different words", *aligned(lines), note, ""])


def format_inputs(rows: Sequence[InputSizes], options: SizesOptions) -> str:
    """A line for each input, and their means (geometric for what is exponential)."""
    jumps = f"jumps <= {options.distortion_limit}:"
    lines = [["input", "tiles", "alter-", "expression", "lattice", "", "CFG", jumps, ""]]
    lines.append(["words", "", "natives", "nodes", "states", "edges", "rules", "states", "edges"])
    for row in rows:
        full, limited = row.unlimited, row.limited
        cells = [f"{n:,}" for n in (full.positions, full.tiles, full.alternatives, full.expression_nodes)]
        cells += [short(n) for n in (full.lattice_states, full.lattice_edges, full.grammar_rules)]
        if limited is None:
            cells += [f"> {short(options.max_states)}", ""]
        else:
            cells += [short(limited.lattice_states), short(limited.lattice_edges)]
        lines.append(cells)
    if len(rows) > 1:
        lines.append(_means([row.unlimited for row in rows]))
    note = (
        "Of the lattice and the grammar that keep the weights: their states know what is covered and where the last "
        "tile ended.\nConstructed, not minimized. Means: arithmetic, of lattice and grammar geometric."
    )
    return "\n".join(["Translation inputs", *aligned(lines), note, ""])


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


def _means(rows: Sequence[TileSizes]) -> list[str]:
    plain = [
        fmean(values)
        for values in zip(*((r.positions, r.tiles, r.alternatives, r.expression_nodes) for r in rows), strict=True)
    ]
    large = [
        fmean(math.log10(n) for n in values)
        for values in zip(*((r.lattice_states, r.lattice_edges, r.grammar_rules) for r in rows), strict=True)
    ]
    geometric = (int(10 ** (x % 1) * 1000) * 10 ** int(x) // 1000 for x in large)
    return [*(f"{x:.1f}" for x in plain), *map(short, geometric), "", ""]
