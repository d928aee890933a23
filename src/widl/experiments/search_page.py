"""The comparison of searches as a page: a table that can be sorted, and model score against speed."""

from pathlib import Path

from markupsafe import Markup

from widl.arguments import PathLike, path_of
from widl.experiments.result_pictures import line_picture
from widl.experiments.results import Picture
from widl.experiments.search import SearchComparison, SearchRow
from widl.files import write_text
from widl.pages import Cell, Head, Row, Section, figure, page, table
from widl.pictures import inlined

PAGE = "report.html"


def write_search_page(comparison: SearchComparison, directory: PathLike) -> Path:
    """Write ``report.html`` into a directory, and ``frontier.svg``, the picture alone; returns the page's path."""
    directory = path_of(directory, "directory")
    picture = frontier_picture(comparison)
    with write_text(directory / "frontier.svg") as file:
        file.write(picture.svg)
    with write_text(directory / PAGE) as file:
        file.write(search_page(comparison, picture))
    return directory / PAGE


def search_page(comparison: SearchComparison, picture: Picture) -> str:
    """The page of a comparison and the picture of it."""
    drawn = inlined(picture.svg, "frontier", picture.title, picture.description)
    sections = [
        Section("searches", "Searches", [_searches(comparison)]),
        Section("picture", "Score and speed", [figure(picture.title, picture.description, drawn)]),
        Section("exact", "Exact search", [_exact(comparison)] if comparison.exact else []),
    ]
    notes = [
        f"{comparison.lines:,} lines, {comparison.words:,} source words, distortion limit {comparison.limit}, one "
        "thread. All searches share tiles, models and weights, so that a difference is one of search.",
        "Errors: lines where another search found a better derivation; of proved: the same among lines whose best "
        "derivation exact search has proved. Gap: between a search's own bound and its score.",
    ]
    return page("Searches of a translation model", "", sections, notes=notes)


def frontier_picture(comparison: SearchComparison) -> Picture:
    """Model score below the best search's against words a second, a line for each family of searches."""
    best = max(row.score for row in comparison.rows)
    series = {}
    for family in dict.fromkeys(row.family for row in comparison.rows):
        rows = sorted((row for row in comparison.rows if row.family == family), key=lambda row: row.words_per_second)
        # On the logarithmic axis the best has a place, too.
        series[family] = [[(row.words_per_second, max(best - row.score, 1e-3)) for row in rows]]
    return line_picture(
        "frontier",
        "Model score and speed",
        "How far the mean model score of each search is below the best search's, and its speed; lower and to the right "
        "is better.",
        series,
        x="source words a second (search alone, one thread)",
        y="nats a line below the best search",
        log_x=True,
        log_y=True,
    )


def _searches(comparison: SearchComparison) -> Markup:
    heads = ["search", "words/s", "model score", "gap to bound", "errors %", "of proved %", "states"]
    helps = {"words/s": "of search alone", "states": "a line", "model score": "mean of the lines"}
    columns = [Head(name, helps.get(name, ""), sorts=i) for i, name in enumerate(heads)]
    best = max(row.score for row in comparison.rows)
    rows: list[Row] = [(row.name, _cells(row, best)) for row in comparison.rows]
    return table(columns, rows, "searches", kind="sortable")


def _cells(row: SearchRow, best: float) -> list[Cell]:
    proved = row.proved_errors
    return [
        Cell(f"{row.words_per_second:,.0f}", row.words_per_second),
        Cell(f"{row.score:.4f}", row.score, best=row.score == best),
        Cell(f"{row.gap:.1f}", row.gap),
        Cell(f"{100 * row.errors:.1f}", row.errors),
        Cell("") if proved is None else Cell(f"{100 * proved:.1f}", proved),
        Cell(f"{row.states:,.0f}", row.states),
    ]


def _exact(comparison: SearchComparison) -> Markup:
    rows: list[Row] = []
    for exact in comparison.exact:
        words = "more words" if exact.longest is None else f"up to {exact.longest} words"
        cells = [f"{exact.lines:,}", f"{exact.proved:,}", f"{exact.mean_seconds:.2f}", f"{exact.max_seconds:.2f}"]
        rows.append((f"limit {exact.limit}, {words}", cells))
    heads = ["distortion limit and length", "lines", "proved", "mean seconds", "most seconds"]
    return table(heads, rows, "exact search")
