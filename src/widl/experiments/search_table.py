"""The comparison of searches as text and as a picture of model score against speed."""

from collections.abc import Iterator

from widl.arguments import PathLike, path_of
from widl.experiments.search import SearchComparison
from widl.experiments.text_table import aligned
from widl.files import replacing


def search_table(comparison: SearchComparison) -> Iterator[str]:
    """Lines of text: a row for each search, then exact search by length."""
    size = f"{comparison.lines} lines, {comparison.words:,} source words"
    yield f"{size}, distortion limit {comparison.limit}, one thread"
    yield ""
    rows = [["search", "words/s", "model score", "gap to bound", "errors %", "of proved %", "states"]]
    for row in comparison.rows:
        proved = "" if row.proved_errors is None else f"{100 * row.proved_errors:.1f}"
        scores = [f"{row.score:.4f}", f"{row.gap:.1f}", f"{100 * row.errors:.1f}", proved]
        rows.append([row.name, f"{row.words_per_second:,.0f}", *scores, f"{row.states:,.0f}"])
    yield from aligned(rows)
    yield ""
    rows = [["exact", "words", "lines", "proved", "mean s", "max s"]]
    for exact in comparison.exact:
        words = "more" if exact.longest is None else f"<= {exact.longest}"
        times = [f"{exact.mean_seconds:.2f}", f"{exact.max_seconds:.2f}"]
        rows.append([f"limit {exact.limit}", words, str(exact.lines), str(exact.proved), *times])
    yield from aligned(rows)


def draw_frontier(comparison: SearchComparison, path: PathLike) -> None:
    """Mean model score against words a second, a line for each family of searches; SVG or PNG by the name."""
    from matplotlib.figure import Figure

    path = path_of(path, "path")
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    best = max(row.score for row in comparison.rows)
    for family in dict.fromkeys(row.family for row in comparison.rows):
        rows = sorted((row for row in comparison.rows if row.family == family), key=lambda row: row.words_per_second)
        axes.plot(
            [row.words_per_second for row in rows],
            [max(best - row.score, 1e-3) for row in rows],
            marker="o",
            markersize=4,
            label=family,
        )
        for row in rows:
            label = row.name.rsplit(" ", 1)[-1]
            place = (row.words_per_second, max(best - row.score, 1e-3))
            axes.annotate(label, place, fontsize=7, xytext=(3, 3), textcoords="offset points")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.invert_yaxis()
    axes.set_xlabel("source words a second (search alone, one thread)")
    axes.set_ylabel("model score below the best search's, nats a sentence")
    axes.grid(True, which="major", linewidth=0.4)
    axes.legend(fontsize=8)
    with replacing(path) as temporary:
        figure.savefig(temporary, format=path.suffix.lstrip("."), dpi=150)
