"""Sizes of WIDL-expressions and of equivalent lattices and grammars (Soricut & Marcu 2005, §1 and §2.3; 2006, §1).

The papers argue that neither word lattices nor non-recursive context-free grammars can represent "all of these, in any
order" compactly. This module computes the sizes: for bags of words, by formulas that tests compare with explicit
constructions, and for the inputs of a translation model; also the run times of exact search by the size of its search
space.
"""

import math
from collections.abc import Iterable, Sequence
from statistics import fmean

from widl.common.argument_types import checked
from widl.common.errors import InputError
from widl.decoder import Tiles
from widl.experiments.results import Results
from widl.experiments.run_times import run_time_table
from widl.experiments.runner import provenance
from widl.expressions import Expression, choice, count_derivations, lock, seq, written_size
from widl.expressions import tiles as tile_expression
from widl.pages.tables import Cell, Column, Row, Table
from widl.translation import TranslationOptions, Translator

_S = 10
SpanPhrase = tuple[int, int, Sequence[str]]
"""Source positions [begin, end) and the words of their translation."""


@checked
def measure_sizes(
    bags: Iterable[int] = range(2, 13),
    *,
    translator: Translator | None = None,
    lines: Iterable[str] = (),
) -> Results:
    """Sizes for bags with the given numbers of different words, for a model's inputs, and run times of exact search
    (Theorem 2).

    `lines` are inputs of the `translator`, with at most ten translations for each span, the paper's s.
    """
    tables = [_bag_table(bags), run_time_table()]
    if translator is not None:
        options = TranslationOptions(table_limit=_S)
        tables.append(_input_table([tiles for line in lines for tiles in translator.tiles(line, options)]))
    settings = {"model": str(translator.directory) if translator else None}
    title = "Sizes of expressions, lattices and grammars"
    return Results(kind="sizes", title=title, tables=tables, provenance=provenance(settings))


@checked
def bag_sizes(multiplicities: Sequence[int]) -> dict[str, int]:
    """Sizes for a bag, from the number of occurrences of each of its different words.

    They are of the expression ∥(w1, …, wn), its WIDL-graph, the minimal acceptor, and a grammar. A state of a
    deterministic acceptor determines the words that are left, and any sub-bag is left after some prefix. The minimum is
    therefore Π(mᵢ+1) states; the edges out of a state are the different words left.

    >>> bag_sizes([1] * 12)["word lattice, edges"]  # 12 · 2^11
    24576
    """
    if not multiplicities or min(multiplicities) < 1:
        raise InputError(f"expected how often each word occurs, found {multiplicities!r}")
    words = sum(multiplicities)
    states = math.prod(m + 1 for m in multiplicities)
    edges = sum(states // (m + 1) * m for m in multiplicities)
    return {
        "strings": math.factorial(words) // math.prod(map(math.factorial, multiplicities)),
        "expression, nodes": words + 1,
        "WIDL-graph, vertices": 2 * words + 2,
        "WIDL-graph, edges": 3 * words,
        "word lattice, states": states,
        "word lattice, edges": edges,
        "grammar, rules": edges if max(multiplicities) > 1 else min(edges, halving_rules(words)),
    }


def halving_rules(words: int) -> int:
    """Rules of the grammar that splits a set of words into halves: A_S → A_T A_(S∖T), |T| = ⌊|S|/2⌋.

    Up to some twenty words it has fewer rules than the right-linear grammar, A_S → w A_(S∖w), which
    has one for every edge of the acceptor. Any grammar needs exponentially many.

    >>> halving_rules(4)  # 6 ways to halve the four, 2 to order each of the 6 pairs, 4 words
    22
    """
    sizes, larger = {words}, {words}
    while larger:
        larger = {half for size in larger if size > 1 for half in (size // 2, size - size // 2)} - sizes
        sizes |= larger
    return sum(math.comb(words, size) * (math.comb(size, size // 2) if size > 1 else 1) for size in sizes)


def _bag_table(bags: Iterable[int]) -> Table:
    rows = [Row(label=f"{n:,}", cells={**bag_sizes([1] * n)}) for n in bags]
    return Table(
        name="bags",
        title="Bags of different words",
        of="words",
        columns=[Column(name=name, digits=0, short=True) for name in bag_sizes([1])],
        rows=rows,
        notes=[
            "The lattice is the minimal deterministic one. The grammar is the smaller of the right-linear one, with a "
            "rule for each edge of the lattice, and the one that halves sets of words."
        ],
    )


# --- inputs of a translation model ---


def _input_table(inputs: Iterable[Tiles]) -> Table:
    """A row for each input, and one of the means."""
    sizes = [
        tile_sizes(len(tiles), [(begin, end, words) for begin, end, words, _ in tiles.alternatives]) for tiles in inputs
    ]
    rows = [Row(label="input", cells={**cells}) for cells in sizes]
    if len(sizes) > 1:
        columns = {name: [cells[name] for cells in sizes] for name in sizes[0]}
        rows.append(Row(label="mean", cells={name: _mean(name, values) for name, values in columns.items()}))
    return Table(
        name="inputs",
        title="Translation inputs",
        of="",
        columns=[Column(name=name, digits=0, short=True) for name in sizes[0]] if sizes else [],
        rows=rows,
        notes=[
            "Candidates are derivations: segmentations into tiles, times orders of the tiles, times alternatives of "
            "each; their mean is geometric."
        ],
    )


def _mean(name: str, numbers: Sequence[int]) -> Cell:
    if name != "candidates":
        return fmean(numbers)
    mean = fmean(map(math.log10, numbers))  # numbers beyond all floats
    thousandths: int = int(10 ** (mean % 1) * 1000) * 10 ** int(mean)
    return thousandths // 1000


@checked
def tile_sizes(positions: int, alternatives: Sequence[SpanPhrase]) -> dict[str, int]:
    """Sizes of one translation input: its `tiles` expression, and the derivations that the expression represents.

    >>> tile_sizes(2, [(0, 1, ["a"]), (0, 1, ["b", "c"]), (1, 2, ["d"]), (0, 2, ["e"])])["candidates"]
    5
    """
    by_span: dict[tuple[int, int], list[Expression]] = {}
    for begin, end, words in alternatives:
        translation = seq(*words)
        by_span.setdefault((begin, end), []).append(lock(translation) if len(words) > 1 else translation)
    spans = {
        span: choice(*((translation, 1.0) for translation in put), scores=True) if len(put) > 1 else put[0]
        for span, put in by_span.items()
    }
    expression = tile_expression(positions, spans, expmove=0.5)
    return {
        "words": positions,
        "tiles": len(spans),
        "alternatives": len(alternatives),
        "candidates": count_derivations(expression),
        "expression, nodes": written_size(expression),
    }
