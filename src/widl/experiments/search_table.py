"""The comparison of searches as text."""

from collections.abc import Iterator

from widl.experiments.search import SearchComparison
from widl.experiments.text_table import aligned


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
