"""Comparison of the searches of a translation model: speed, model scores, search errors and proofs."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from widl.arguments import not_text
from widl.decoder.search_options import LengthUnitName, OrderName
from widl.errors import InputError
from widl.options import option, option_set
from widl.translation import Translation, TranslationOptions, Translator

_LENGTHS = (10, 20, 30, 40, 50)
_TOLERANCE = 1e-4  # of model scores: phrase-table scores are 32-bit floats


@option_set
class SearchComparisonOptions:
    """How searches are compared."""

    sentences: Annotated[int, option("Number of lines, evenly spread; 0: all.", ge=0)] = 100
    distortion_limit: Annotated[
        int, option("Largest jump in source words.", ge=0)
    ] = TranslationOptions.distortion_limit or 0
    exact_seconds: Annotated[float, option("Budget of a line's exact search.", ge=0)] = 30.0
    repeat: Annotated[int, option("Runs of a search; the median time counts.", ge=1)] = 1


_ORDERS: tuple[OrderName, ...] = ("bound", "estimate")
_LOOKBACKS: tuple[tuple[int, LengthUnitName], ...] = (
    (0, "positions"),
    (1, "positions"),
    (2, "positions"),
    (2, "words"),
    (2, "tiles"),
)


def search_rows(beginnings: Sequence[str] = ()) -> dict[str, TranslationOptions]:
    """The searches by name: A*_k by unit and order, beams, and cubes and stacks of rising sizes.

    ``A*_2 positions bound`` is the 2006 paper's. With `beginnings`, those whose name begins with one of them.
    """
    rows = _all_rows()
    for beginning in beginnings:
        if not any(name.startswith(beginning) for name in rows):
            raise InputError(f"no row begins with {beginning!r}; rows are {', '.join(rows)}")
    return {name: row for name, row in rows.items() if not beginnings or name.startswith(tuple(beginnings))}


def _all_rows() -> dict[str, TranslationOptions]:
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
    return rows


@dataclass(frozen=True)
class SearchRow:
    """The figures of a search, over all lines."""

    name: str
    family: str
    words_per_second: float
    """Source words, of the search alone, on one thread."""
    score: float
    """Mean model score of the lines."""
    gap: float
    """Mean difference of the search's bound and its score."""
    errors: float
    """Share of lines whose score is below the best known, under this limit of movement."""
    proved_errors: float | None
    """The same among lines whose best is proved; None where none is."""
    states: float


@dataclass(frozen=True)
class ExactRow:
    """The figures of exact search, over the lines of a range of lengths."""

    limit: int
    longest: int | None
    """Most words of the lines, which are longer than those of the row before; None: no limit."""
    lines: int
    proved: int
    mean_seconds: float
    max_seconds: float


@dataclass(frozen=True)
class SearchComparison:
    """All searches on the same lines with the same weights."""

    lines: int
    words: int
    limit: int
    rows: list[SearchRow]
    exact: list[ExactRow]


def compare_searches(
    translator: Translator,
    lines: Sequence[str],
    *,
    limit: int = SearchComparisonOptions.distortion_limit,
    exact_limits: Sequence[int] = (4, 6),
    exact_seconds: float = SearchComparisonOptions.exact_seconds,
    rows: dict[str, TranslationOptions] | None = None,
    repeat: int = SearchComparisonOptions.repeat,
    on_row: Callable[[str], None] = lambda _: None,
) -> SearchComparison:
    """Run every search of `rows` on one thread under the distortion `limit`, and exact search within its budget.

    Times are those of search alone; of `repeat` runs the median counts.
    """
    if not not_text(lines, "lines", "a list of lines: [line]"):
        raise InputError("no lines to compare searches on")
    rows = search_rows() if rows is None else rows
    exact: dict[int, list[Translation]] = {}
    for d in sorted({*exact_limits, limit}):
        on_row(f"astar, limit {d}")
        options = TranslationOptions(search="astar", distortion_limit=d, max_seconds=exact_seconds)
        exact[d] = list(translator.translate(lines, options))
    translations: dict[str, list[Translation]] = {}
    seconds: dict[str, float] = {}
    for name, options in rows.items():
        on_row(name)
        runs = [list(translator.translate(lines, replace(options, distortion_limit=limit))) for _ in range(repeat)]
        translations[name] = runs[0]
        seconds[name] = statistics.median(sum(t.seconds for t in run) for run in runs)
    words = sum(len(t.source) for t in exact[limit])
    best = [max(t.score for t in line) for line in zip(exact[limit], *translations.values(), strict=True)]
    proved = [t.optimal for t in exact[limit]]
    return SearchComparison(
        lines=len(lines),
        words=words,
        limit=limit,
        rows=[_row(name, translations[name], words / max(seconds[name], 1e-9), best, proved) for name in rows],
        exact=[row for d in exact_limits for row in _exact_rows(d, exact[d])],
    )


def _row(
    name: str, translations: Sequence[Translation], speed: float, best: Sequence[float], proved: Sequence[bool]
) -> SearchRow:
    wrong = [t.score < b - _TOLERANCE * max(1.0, abs(b)) for t, b in zip(translations, best, strict=True)]
    where_proved = [w for w, p in zip(wrong, proved, strict=True) if p]
    return SearchRow(
        name=name,
        family=_family(name),
        words_per_second=speed,
        score=statistics.fmean(t.score for t in translations),
        gap=statistics.fmean(t.bound - t.score for t in translations),
        errors=statistics.fmean(wrong),
        proved_errors=statistics.fmean(where_proved) if where_proved else None,
        states=statistics.fmean(t.states for t in translations),
    )


def _family(name: str) -> str:
    """The name of a search without its size or order."""
    return name.rsplit(" ", 1)[0]


def _exact_rows(limit: int, translations: Sequence[Translation]) -> list[ExactRow]:
    rows = []
    shortest = 0
    for longest in (*_LENGTHS, None):
        group = [t for t in translations if shortest < len(t.source) and (longest is None or len(t.source) <= longest)]
        if group:
            times = [t.seconds for t in group]
            rows.append(
                ExactRow(limit, longest, len(group), sum(t.optimal for t in group), statistics.fmean(times), max(times))
            )
        shortest = longest or 0
    return rows
