"""Comparison of the searches of a translation model: speed, model scores, search errors and proofs."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial

from widl.common.arguments import reject_text
from widl.common.errors import InputError
from widl.decoder import Outcome
from widl.decoder.search_options import LengthUnitName, OrderName
from widl.experiments.config import SearchComparisonOptions
from widl.experiments.experiment import provenance
from widl.experiments.results import Results
from widl.pages.tables import Cell, Column, Row, Table
from widl.translation import Translation, TranslationOptions, Translator
from widl.translation.search_errors import TABLE_TOLERANCE, is_error

_LENGTHS = (10, 20, 30, 40, 50)
_ORDERS: tuple[OrderName, ...] = ("bound", "estimate")
_LOOKBACKS: tuple[tuple[int, LengthUnitName], ...] = (
    (0, "positions"),
    (1, "positions"),
    (2, "positions"),
    (2, "words"),
)


_is_error = partial(is_error, tolerance=TABLE_TOLERANCE)
SEARCH_COLUMNS = (
    Column(name="words/s", digits=0, better="higher", help="source words a second, of the search alone"),
    Column(name="model score", digits=4, better="higher", help="mean of the lines"),
    Column(name="gap to bound", better="lower", help="mean distance to the search's own bound"),
    Column(name="errors vs best %", better="lower", help="lines where another row has a derivation of higher score"),
)
"""Searches of the same derivations under the same weights."""


def search_cells(
    scores: Sequence[float], bounds: Sequence[float], best: Sequence[float], speed: float
) -> dict[str, Cell]:
    """A search's figures under `SEARCH_COLUMNS`; `best`: the best score of each line that is known."""
    return {
        "words/s": speed,
        "model score": statistics.fmean(scores),
        "gap to bound": statistics.fmean(bound - score for bound, score in zip(bounds, scores, strict=True)),
        "errors vs best %": 100 * statistics.fmean(map(_is_error, scores, best)),
    }


def search_rows(beginnings: Sequence[str] = ()) -> dict[str, TranslationOptions]:
    """The searches by name: A*_k by unit and order, beams, and cubes and stacks of rising sizes.

    ``A*_2 positions bound`` is the 2006 paper's. If `beginnings` are given, only rows whose name begins with one of
    them.
    """
    rows = {
        f"A*_{k} {unit} {order}": TranslationOptions(search="astar-k", k=k, k_unit=unit, order=order)
        for k, unit in _LOOKBACKS
        for order in _ORDERS
    }
    for size in (10, 50, 200):
        rows[f"beam {size}"] = TranslationOptions(search="beam", stack_size=size, beam=0.0)
    for pops in (20, 50, 100, 200, 400, 1000, 2000, 5000):
        rows[f"cube {pops}"] = TranslationOptions(search="cube", pop_limit=pops)
    for size in (10, 20, 50, 100, 200, 1000):
        rows[f"stack {size}"] = TranslationOptions(decoder="stack", stack_size=size, beam=0.0)
    for pops in (100, 400, 1000, 5000):
        rows[f"stack cube {pops}"] = TranslationOptions(decoder="stack", search="cube", pop_limit=pops)
    for beginning in beginnings:
        if not any(name.startswith(beginning) for name in rows):
            raise InputError(f"no row begins with {beginning!r}; rows are {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not beginnings or name.startswith(tuple(beginnings))}


def compare_searches(
    translator: Translator,
    lines: Sequence[str],
    *,
    limit: int = SearchComparisonOptions.distortion_limit,
    exact_limits: Sequence[int] = (4, 6),
    exact_seconds: float = SearchComparisonOptions.exact_seconds,
    rows: Mapping[str, TranslationOptions] | None = None,
    on_row: Callable[[str], None] = lambda _: None,
) -> Results:
    """Run every search of `rows` on one thread under the distortion `limit`, and exact search within its budget.

    Times cover the search alone. The results have a table of the searches and one of exact search by length of the
    lines.
    """
    if not reject_text(lines, "lines", "a list of lines: [line]"):
        raise InputError("no lines to compare searches on")
    rows = search_rows() if rows is None else rows
    exact: dict[int, list[Translation]] = {}
    for d in sorted({*exact_limits, limit}):
        on_row(f"astar, limit {d}")
        options = TranslationOptions(search="astar", distortion_limit=d, max_seconds=exact_seconds)
        exact[d] = list(translator.translate(lines, options))
    translations: dict[str, list[Translation]] = {}
    for name, options in rows.items():
        on_row(name)
        translations[name] = list(translator.translate(lines, replace(options, distortion_limit=limit)))
    settings = {
        "model": str(translator.directory),
        "distortion limit": limit,
        "exact seconds": exact_seconds,
        "rows": {name: asdict(options) for name, options in rows.items()},
    }
    return Results(
        kind="search",
        title="Searches of a translation model",
        tables=[
            _searches_table(translations, exact[limit], limit),
            _exact_table({d: exact[d] for d in exact_limits}),
        ],
        provenance=provenance(settings),
    )


def _searches_table(
    searches: Mapping[str, Sequence[Translation]],
    exact: Sequence[Translation],
    limit: int,
) -> Table:
    lines = list(zip(exact, *searches.values(), strict=True))
    compared = [line for line in lines if all(t.outcome is Outcome.found for t in line)]
    if not compared:
        raise InputError("no line has a translation by every search; nothing to compare")
    exact, *in_turn = map(list, zip(*compared, strict=True))
    best = [max(t.score for t in line) for line in compared]
    words = sum(len(t.source) for t in exact)
    rows = []
    for name, translations in zip(searches, in_turn, strict=True):
        scores, bounds = [t.score for t in translations], [t.bound for t in translations]
        cells = search_cells(scores, bounds, best, words / max(sum(t.seconds for t in translations), 1e-9))
        where_proved = [_is_error(s, b) for s, b, t in zip(scores, best, exact, strict=True) if t.optimal]
        cells["of proved %"] = 100 * statistics.fmean(where_proved) if where_proved else None
        cells["states"] = statistics.fmean(t.states for t in translations)
        rows.append(Row(label=name, cells=cells))
    return Table(
        name="searches",
        title=f"{len(exact):,} lines, {words:,} source words, distortion limit {limit}, one thread",
        of="search",
        columns=[
            *SEARCH_COLUMNS,
            Column(name="of proved %", better="lower", help="the same, of the lines whose best derivation is proved"),
            Column(name="states", digits=0, better="lower", help="a line"),
        ],
        rows=rows,
        notes=[
            "All searches share tiles, models and weights, so that a difference is one of search.",
            *[f"{n} lines are omitted: a search found no translation." for n in [len(lines) - len(exact)] if n],
        ],
    )


def _exact_table(by_limit: Mapping[int, Sequence[Translation]]) -> Table:
    rows = []
    for limit, translations in by_limit.items():
        shortest = 0
        for longest in (*_LENGTHS, None):
            group = [t for t in translations if shortest < len(t.source) <= (longest or len(t.source))]
            if group:
                words = "more words" if longest is None else f"up to {longest} words"
                cells: dict[str, Cell] = {
                    "lines": len(group),
                    "proved": sum(t.optimal for t in group),
                    "mean seconds": statistics.fmean(t.seconds for t in group),
                    "most seconds": max(t.seconds for t in group),
                }
                rows.append(Row(label=f"limit {limit}, {words}", cells=cells))
            shortest = longest or 0
    return Table(
        name="exact",
        title="Exact search by length of the lines",
        of="distortion limit and length",
        columns=[
            Column(name="lines", digits=0),
            Column(name="proved", digits=0),
            Column(name="mean seconds", digits=2),
            Column(name="most seconds", digits=2),
        ],
        rows=rows,
    )
