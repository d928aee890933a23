"""The word-ordering experiment's tables, with the paper's figures beside its own, and its pictures."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from sacrebleu.metrics.bleu import BLEU

from widl.experiments.pictures import line_picture, point_picture
from widl.experiments.results import Column, Metric, Picture, Scorer, SystemRun, Table, TestSet, per_item
from widl.experiments.results import Row as TableRow
from widl.experiments.word_order import Bags, Ordered, Results, Row, best_known, is_worse
from widl.mert import MetricOptions


@dataclass(frozen=True)
class Figures:
    """A row of the table: percentages, except BLEU (0 to 100) and seconds. None: unknown, or not applicable.

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
    """The paper's table for bags of these sizes, empty if it has none."""
    fewest, most = sizes
    if fewest >= 3 and most <= 7:
        return PAPER_SHORT
    return PAPER_LONG if fewest >= 10 and most <= 25 else {}


def figures(results: Results) -> dict[str, Figures]:
    """The table, by row."""
    best = best_known(results)
    return {
        name: figures_of(
            results.bags.sentences,
            results.sentence_log_probs,
            ordered,
            best=best,
            unfolded=_unfolded(results, ordered),
            searched=Row.parse(name).search is not None,
        )
        for name, ordered in results.rows.items()
    }


def figures_of(
    sentences: Sequence[list[str]],
    sentence_log_probs: Sequence[float],
    ordered: Sequence[Ordered],
    *,
    best: Sequence[float | None] = (),
    unfolded: float | None = None,
    searched: bool = True,
) -> Figures:
    """A row's figures; `best` is the log-probability of each bag's best string, where it is known."""
    outputs = [result.words for result in ordered]
    known = [(result.log_prob, optimum) for result, optimum in zip(ordered, best, strict=False) if optimum is not None]
    originals = zip(ordered, sentence_log_probs, strict=True)
    bleu = BLEU(tokenize="none", force=True)
    return Figures(
        identical=100 * fmean(out == sentence for out, sentence in zip(outputs, sentences, strict=True)),
        bleu=bleu.corpus_score([" ".join(out) for out in outputs], [[" ".join(s) for s in sentences]]).score,
        search_errors=100 * fmean(is_worse(score, optimum) for score, optimum in known) if known else None,
        estimated_errors=100 * fmean(is_worse(result.log_prob, original) for result, original in originals),
        unfolded=unfolded if searched else None,
        seconds=fmean(result.seconds for result in ordered),
        proved=100 * fmean(result.proved for result in ordered) if searched else None,
    )


def _unfolded(results: Results, ordered: Sequence[Ordered]) -> float | None:
    """Percentage of the edges of breadth-first search, if that completed on every bag."""
    full = results.rows.get("bfs")
    if full is None or any(result.stopped for result in full):
        return None
    return 100 * sum(result.edges for result in ordered) / sum(result.edges for result in full)


def proved_by_size(results: Results) -> dict[int, dict[str, float]]:
    """For each size of bag, the percentage that each search proved optimal."""
    searches = [name for name in results.rows if Row.parse(name).search is not None]
    sizes = [len(words) for words in results.bags.sentences]
    return {
        size: {
            name: 100 * fmean(result.proved for result, n in zip(results.rows[name], sizes, strict=True) if n == size)
            for name in searches
        }
        for size in sorted(set(sizes))
    }


_COLUMNS = (
    ("identical", Column(name="ID %", better="higher", help="sentences recreated exactly")),
    ("bleu", Column(name="BLEU", better="higher", help="sacrebleu's, on the tokens as they are")),
    ("search_errors", Column(name="search errors %", better="lower", help="where the best string is proved")),
    ("estimated_errors", Column(name="estimated %", better="lower", help="less probable than the sentence itself")),
    ("unfolded", Column(name="unfolded %", better="lower", help="edges, of those that BFS follows")),
    ("seconds", Column(name="seconds/bag", digits=5, paper_digits=3, better="lower", help="of the search alone")),
    ("proved", Column(name="proved %", better="higher", help="by the search's own certificate")),
)


def tables(results: Results) -> list[Table]:
    """The paper's table of these bags, and the shares proved by size of bag."""
    measured_figures, paper = figures(results), paper_figures(results.bags.sizes)
    rows = []
    for name, row in measured_figures.items():
        paper_row = paper.get(name)
        rows.append(
            TableRow(
                label=Row.parse(name).label,
                cells=[getattr(row, attribute) for attribute, _ in _COLUMNS],
                paper=[getattr(paper_row, attribute) for attribute, _ in _COLUMNS] if paper_row else [],
            )
        )
    bags = results.bags
    fewest, most = bags.sizes
    known = sum(optimum is not None for optimum in best_known(results))
    main = Table(
        name=bags.name,
        title=f"{bags.name}: {len(bags.sentences)} bags of {fewest} to {most} words",
        columns=[column for _, column in _COLUMNS],
        rows=rows,
        paper="Soricut & Marcu (2005)" if paper else "",
        notes=[f"Search errors: of the {known} bags whose best string is proved."],
    )
    by_size = proved_by_size(results)
    names = list(next(iter(by_size.values())))
    counts = Counter(len(words) for words in bags.sentences)
    columns = [Column(name="bags", digits=0), *(Column(name=Row.parse(name).label, digits=0) for name in names)]
    proved = Table(
        name=f"{bags.name}-proved",
        title=f"{bags.name}: % of bags proved optimal",
        of="words",
        columns=columns,
        rows=[
            TableRow(label=str(size), cells=[counts[size], *(row[name] for name in names)])
            for size, row in by_size.items()
        ],
    )
    return [main, proved] if names else [main]


def outputs_set(results: Results) -> TestSet:
    """The bags with all rows' strings; log p is the language model's, in nats."""
    rows = {Row.parse(name).label: ordered for name, ordered in results.rows.items()}
    searches = {Row.parse(name).label for name in results.rows if Row.parse(name).search is not None}
    return outputs_of(results.bags.name, results.bags, rows, searches=searches, one_model=True)


def outputs_of(
    name: str, bags: Bags, systems: Mapping[str, Sequence[Ordered]], *, searches: Collection[str], one_model: bool
) -> TestSet:
    """The bags with all systems' strings; their log-probabilities compare only under one model."""
    sentences = [" ".join(words) for words in bags.sentences]
    scorer = Scorer(["bleu"], [sentences], MetricOptions(tokenize="none"))
    runs = {}
    for system, ordered in systems.items():
        texts = [" ".join(result.words) for result in ordered]
        statistics = {
            "identical": per_item([text == sentence for text, sentence in zip(texts, sentences, strict=True)]),
            "log p": per_item([result.log_prob for result in ordered]),
        }
        facts: dict[str, list[float | None]] = {"seconds": [result.seconds for result in ordered]}
        if system in searches:
            facts |= {"edges": [result.edges for result in ordered], "bytes": [result.memory for result in ordered]}
        run = SystemRun(outputs=texts, statistics=statistics | scorer.statistics(texts), facts=facts)
        runs[system] = [run]
    identical = Metric(name="identical", digits=1)
    log_p = Metric(name="log p", scale=1, digits=3, better="higher" if one_model else None, tested=one_model)
    return TestSet.of(
        name,
        # Sorted, so that the digest does not depend on the shuffling.
        inputs=[" ".join(sorted(words)) for words in bags.shuffled],
        references=[sentences],
        metrics=[identical, *scorer.metrics, log_p],
        systems=runs,
    )


_BY_SIZE = (
    ("edges", "Unfolding", "edges of the acceptor that a search follows", "edges a bag"),
    ("memory", "Memory", "bytes of a search's states and tables", "bytes a bag"),
    ("seconds", "Time", "seconds of a search", "seconds a bag"),
)


def pictures(results: Results) -> list[Picture]:
    """Unfolding, memory and time against the size of the bag, and probability against time."""
    bags, drawn = results.bags, []
    sizes = [len(words) for words in bags.sentences]
    searches = {name: rows for name, rows in results.rows.items() if Row.parse(name).search is not None}
    for attribute, title, what, axis in _BY_SIZE:
        series = {}
        for name, ordered in searches.items():
            of_size: dict[int, list[float]] = {}
            for size, result in zip(sizes, ordered, strict=True):
                of_size.setdefault(size, []).append(getattr(result, attribute))
            series[Row.parse(name).label] = [[(size, fmean(of_size[size])) for size in sorted(of_size)]]
        if series:
            drawn.append(
                line_picture(
                    f"{bags.name}-{attribute}",
                    f"{title} by size of bag, {bags.name}",
                    f"Mean {what}, for bags of so many words; a line for each search.",
                    series,
                    x="words of a bag",
                    y=axis,
                    log_y=True,
                )
            )
    points = {
        Row.parse(name).label: (
            max(fmean(result.seconds for result in ordered), 1e-7),
            fmean(result.log_prob for result in ordered),
        )
        for name, ordered in results.rows.items()
        if name != "L"  # far below all others
    }
    if points:
        drawn.append(
            point_picture(
                f"{bags.name}-score",
                f"Log-probability against time, {bags.name}",
                "Mean log-probability of what each search finds, against its seconds a bag; L is far below.",
                points,
                x="seconds a bag",
                y="mean ln p",
            )
        )
    return drawn
