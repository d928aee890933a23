"""The tables of the word-ordering experiment, with the paper's figures beside its own."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from sacrebleu.metrics.bleu import BLEU

from widl.experiments.text_table import aligned
from widl.experiments.word_order import Ordered, Results, Row, best_known, is_worse


@dataclass(frozen=True)
class Figures:
    """A row of the table; percentages but for BLEU (0 to 100) and seconds. None: not known, or no such thing.

    identical: recreated exactly. search_errors: less probable than the best string, of the bags whose
    best string is proved. estimated_errors: less probable than the original sentence. unfolded: edges, of
    those of breadth-first search. proved: certified optimal by the row itself.
    """

    identical: float
    bleu: float
    search_errors: float | None
    estimated_errors: float
    unfolded: float | None
    seconds: float
    proved: float | None = None


PAPER_SHORT = {
    "L": Figures(2.5, 9.5, 97.2, 95.8, None, 0.000),
    "G": Figures(30.9, 51.0, 67.5, 57.6, None, 0.000),
    "bfs": Figures(67.1, 79.2, 0.0, 0.0, 100.0, 0.072),
    "astar": Figures(67.1, 79.2, 0.0, 0.0, 12.0, 0.010),
    "astar-1": Figures(60.5, 74.8, 21.1, 11.9, 3.2, 0.004),
    "astar-2": Figures(64.3, 77.2, 8.5, 4.0, 5.3, 0.005),
    "beam-0.2": Figures(65.0, 78.0, 9.2, 5.0, 7.2, 0.006),
    "beam-0.1": Figures(66.6, 78.8, 3.2, 1.7, 13.2, 0.011),
}
"""Soricut & Marcu (2005), Table 2: 2000 bags of 3 to 7 words, trigrams from 170 million words of the WSJ."""

PAPER_LONG = {
    "L": Figures(0.0, 1.4, None, 99.9, None, 0.0),
    "G": Figures(1.2, 31.6, None, 83.6, None, 0.0),
    "astar-1": Figures(5.8, 47.7, None, 34.0, None, 0.7),
    "astar-2": Figures(7.4, 51.2, None, 21.4, None, 9.5),
    "beam-0.2": Figures(9.0, 52.1, None, 23.3, None, 7.1),
    "beam-0.1": Figures(12.2, 52.6, None, 19.9, None, 36.7),
}
"""Their Table 3: 2000 bags of 10 to 25 words."""


def paper_figures(sizes: tuple[int, int]) -> dict[str, Figures]:
    """The paper's table for bags of such sizes, empty if it has none."""
    fewest, most = sizes
    if fewest >= 3 and most <= 7:
        return PAPER_SHORT
    return PAPER_LONG if fewest >= 10 and most <= 25 else {}


def figures(results: Results) -> dict[str, Figures]:
    """The table, by row."""
    best = best_known(results)
    return {name: _figures(results, Row.parse(name), ordered, best) for name, ordered in results.rows.items()}


def _figures(results: Results, row: Row, ordered: Sequence[Ordered], best: Sequence[float | None]) -> Figures:
    sentences = results.bags.sentences
    outputs = [one.words for one in ordered]
    known = [(one.log_prob, top) for one, top in zip(ordered, best, strict=True) if top is not None]
    originals = zip(ordered, results.sentence_log_probs, strict=True)
    bleu = BLEU(tokenize="none", force=True)
    searched = row.algorithm is not None
    return Figures(
        identical=100 * fmean(out == sentence for out, sentence in zip(outputs, sentences, strict=True)),
        bleu=bleu.corpus_score([" ".join(out) for out in outputs], [[" ".join(s) for s in sentences]]).score,
        search_errors=100 * fmean(is_worse(score, top) for score, top in known) if known else None,
        estimated_errors=100 * fmean(is_worse(one.log_prob, original) for one, original in originals),
        unfolded=_unfolded(results, ordered) if searched else None,
        seconds=fmean(one.seconds for one in ordered),
        proved=100 * fmean(one.proved for one in ordered) if searched else None,
    )


def _unfolded(results: Results, ordered: Sequence[Ordered]) -> float | None:
    """Edges of all bags, of those of breadth-first search, where that came to its end on every bag."""
    full = results.rows.get("bfs")
    if full is None or any(one.stopped for one in full):
        return None
    return 100 * sum(one.edges for one in ordered) / sum(one.edges for one in full)


def proved_by_size(results: Results) -> dict[int, dict[str, float]]:
    """For each size of bag, the percentage that each search proved optimal."""
    searches = [name for name in results.rows if Row.parse(name).algorithm is not None]
    sizes = [len(words) for words in results.bags.sentences]
    return {
        size: {
            name: 100 * fmean(one.proved for one, n in zip(results.rows[name], sizes, strict=True) if n == size)
            for name in searches
        }
        for size in sorted(set(sizes))
    }


_COLUMNS = (
    ("ID %", "identical", "{:.1f}"),
    ("BLEU", "bleu", "{:.1f}"),
    ("search errors %", "search_errors", "{:.1f}"),
    ("estimated %", "estimated_errors", "{:.1f}"),
    ("unfolded %", "unfolded", "{:.1f}"),
    ("seconds/bag", "seconds", "{:.5f}"),
)


def format_table(results: Results) -> str:
    """The table as text; in each column the figure here and, in parentheses, the paper's."""
    own, paper = figures(results), paper_figures(results.bags.sizes)
    header = ["", *(title for title, _, _ in _COLUMNS), "proved %"]
    lines = [header]
    for name, row in own.items():
        cells = [Row.parse(name).label]
        for _, attribute, form in _COLUMNS:
            here = _cell(getattr(row, attribute), form)
            there = ""
            if name in paper:
                there = _cell(getattr(paper[name], attribute), "{:.3f}" if attribute == "seconds" else form)
            cells.append(f"{here:>7} {f'({there})' if there.strip('-') else '':>7}")
        lines.append([*cells, _cell(row.proved, "{:.1f}")])
    fewest, most = results.bags.sizes
    known = sum(top is not None for top in best_known(results))
    title = f"{results.bags.name}: {len(results.bags.sentences)} bags of {fewest} to {most} words"
    notes = f"In parentheses: Soricut & Marcu (2005). Search errors: of the {known} bags whose best string is proved."
    if not paper:
        notes = f"Search errors: of the {known} bags whose best string is proved."
    return "\n".join([title, *aligned(lines), notes, ""])


def format_proved(results: Results) -> str:
    """The shares proved, by size of bag."""
    by_size = proved_by_size(results)
    names = list(next(iter(by_size.values())))
    counts = {size: sum(len(words) == size for words in results.bags.sentences) for size in by_size}
    lines = [["words", "bags", *(Row.parse(name).label for name in names)]]
    for size, row in by_size.items():
        lines.append([str(size), str(counts[size]), *(f"{row[name]:.0f}" for name in names)])
    return "\n".join([f"{results.bags.name}: % of bags proved optimal", *aligned(lines), ""])


def as_json(results: Results) -> dict[str, object]:
    """Both tables for a program; the settings are the caller's to add."""
    paper = paper_figures(results.bags.sizes)
    return {
        "bags": len(results.bags.sentences),
        "sizes": list(results.bags.sizes),
        "rows": {name: asdict(row) for name, row in figures(results).items()},
        "paper": {name: asdict(row) for name, row in paper.items() if name in results.rows},
        "proved_by_size": proved_by_size(results),
    }


def _cell(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)

