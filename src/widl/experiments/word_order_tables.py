"""The word-ordering experiment's tables, with the paper's figures beside its own."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean

from sacrebleu.metrics.bleu import BLEU

from widl.decoder import load_language_model
from widl.experiments.results import Cell, Column, Metric, Row, Scorer, SystemRun, Table, TestSet, per_item
from widl.experiments.word_order import Bags, BagSearch, Ordered, Orderings, best_known, is_worse, log_prob
from widl.experiments.word_order_models import EXACT_ROW, MadeModel
from widl.mert import MetricOptions

_IDENTICAL = Column(name="ID %", better="higher", help="sentences recreated exactly")
_BLEU = Column(name="BLEU", better="higher", help="sacrebleu's, on the tokens as they are")
_ESTIMATED = Column(name="estimated %", better="lower", help="less probable than the sentence itself")
_PROVED = Column(name="proved %", better="higher", help="by the search's own certificate")
_COLUMNS = [
    _IDENTICAL,
    _BLEU,
    Column(name="search errors %", better="lower", help="where the best string is proved"),
    _ESTIMATED,
    Column(name="unfolded %", better="lower", help="edges, of those that BFS follows"),
    Column(name="seconds/bag", digits=5, paper_digits=3, better="lower", help="of the search alone"),
    _PROVED,
]

Figures = tuple[float | None, ...]
"""Under `_COLUMNS`: percentages, except BLEU (0 to 100) and seconds. None: unknown, or not applicable."""

PAPER_SHORT: dict[str, Figures] = {
    "L": (2.5, 9.5, 97.2, 95.8, None, 0.000, None),
    "G": (30.9, 51.0, 67.5, 57.6, None, 0.000, None),
    "bfs": (67.1, 79.2, 0.0, 0.0, 100.0, 0.072, None),
    "astar": (67.1, 79.2, 0.0, 0.0, 12.0, 0.010, None),
    "astar-1": (60.5, 74.8, 21.1, 11.9, 3.2, 0.004, None),
    "astar-2": (64.3, 77.2, 8.5, 4.0, 5.3, 0.005, None),
    "beam-0.2": (65.0, 78.0, 9.2, 5.0, 7.2, 0.006, None),
    "beam-0.1": (66.6, 78.8, 3.2, 1.7, 13.2, 0.011, None),
}
"""Soricut & Marcu (2005), Table 2: 2000 bags of 3 to 7 words, trigrams from 170 million words of the WSJ."""

PAPER_LONG: dict[str, Figures] = {
    "L": (0.0, 1.4, None, 99.9, None, 0.0, None),
    "G": (1.2, 31.6, None, 83.6, None, 0.0, None),
    "astar-1": (5.8, 47.7, None, 34.0, None, 0.7, None),
    "astar-2": (7.4, 51.2, None, 21.4, None, 9.5, None),
    "beam-0.2": (9.0, 52.1, None, 23.3, None, 7.1, None),
    "beam-0.1": (12.2, 52.6, None, 19.9, None, 36.7, None),
}
"""Their Table 3: 2000 bags of 10 to 25 words."""

PAPER_WORDS = 170_000_000
"""Of the Wall Street Journal, in the paper's language model."""
_PAPERS_BEST = {"astar": "the paper's A*", "beam-0.1": "the paper's B_0.1"}
"""The paper's best row for short bags, and for long ones."""


def paper_figures(sizes: tuple[int, int]) -> dict[str, Figures]:
    """The paper's table for bags of these sizes, empty if it has none."""
    fewest, most = sizes
    if fewest >= 3 and most <= 7:
        return PAPER_SHORT
    return PAPER_LONG if fewest >= 10 and most <= 25 else {}


def figures(results: Orderings) -> dict[str, Figures]:
    """The table, by row."""
    best = best_known(results)
    found: dict[str, Figures] = {}
    for name, ordered in results.rows.items():
        identical, bleu, estimated = quality(results.bags, results.sentence_log_probs, ordered)
        known = [(one.log_prob, optimum) for one, optimum in zip(ordered, best, strict=True) if optimum is not None]
        errors = 100 * fmean(is_worse(score, optimum) for score, optimum in known) if known else None
        searched = BagSearch.parse(name).search is not None
        unfolded = _unfolded(results, ordered) if searched else None
        seconds = fmean(one.seconds for one in ordered)
        found[name] = identical, bleu, errors, estimated, unfolded, seconds, _proved(ordered) if searched else None
    return found


def quality(bags: Bags, sentence_log_probs: Sequence[float], ordered: Sequence[Ordered]) -> tuple[float, float, float]:
    """Under ID %, BLEU and estimated %; log-probabilities of sentences and strings are of one model."""
    outputs = [one.words for one in ordered]
    texts, references = ([" ".join(words) for words in lines] for lines in (outputs, bags.sentences))
    worse = (is_worse(one.log_prob, score) for one, score in zip(ordered, sentence_log_probs, strict=True))
    return (
        100 * fmean(out == sentence for out, sentence in zip(outputs, bags.sentences, strict=True)),
        BLEU(tokenize="none", force=True).corpus_score(texts, [references]).score,
        100 * fmean(worse),
    )


def _proved(ordered: Sequence[Ordered]) -> float:
    return 100 * fmean(one.proved for one in ordered)


def _unfolded(results: Orderings, ordered: Sequence[Ordered]) -> float | None:
    """Percentage of the edges of breadth-first search, if that completed on every bag."""
    full = results.rows.get("bfs")
    if full is None or any(one.stopped for one in full):
        return None
    return 100 * sum(one.edges for one in ordered) / sum(one.edges for one in full)


def tables(results: Orderings) -> list[Table]:
    """The paper's table of these bags, and the shares proved by size of bag."""
    bags, paper = results.bags, paper_figures(results.bags.sizes)
    fewest, most = bags.sizes
    known = sum(optimum is not None for optimum in best_known(results))
    main = Table(
        name=bags.name,
        title=f"{bags.name}: {len(bags.sentences)} bags of {fewest} to {most} words",
        columns=_COLUMNS,
        rows=[
            Row(label=BagSearch.parse(name).label, cells=[*cells], paper=[*paper.get(name.removesuffix(":eq2"), ())])
            for name, cells in figures(results).items()
        ],
        paper="Soricut & Marcu (2005)" if paper else "",
        notes=[f"Search errors: of the {known} bags whose best string is proved."],
    )
    searches = _searches(results)
    return [main, _proved_by_size(bags, searches)] if searches else [main]


def _searches(results: Orderings) -> dict[str, list[Ordered]]:
    """The rows that search, by label."""
    rows = {BagSearch.parse(name): ordered for name, ordered in results.rows.items()}
    return {row.label: ordered for row, ordered in rows.items() if row.search is not None}


def _proved_by_size(bags: Bags, searches: Mapping[str, Sequence[Ordered]]) -> Table:
    sizes = [len(words) for words in bags.sentences]
    rows = []
    for size, count in sorted(Counter(sizes).items()):
        of_size = [[one for one, n in zip(ordered, sizes, strict=True) if n == size] for ordered in searches.values()]
        rows.append(Row(label=str(size), cells=[count, *map(_proved, of_size)]))
    return Table(
        name=f"{bags.name}-proved",
        title=f"{bags.name}: % of bags proved optimal",
        of="words",
        columns=[Column(name="bags", digits=0), *(Column(name=label, digits=0) for label in searches)],
        rows=rows,
    )


def outputs_set(results: Orderings) -> TestSet:
    """The bags with all rows' strings; log p is the language model's, in nats."""
    rows = {BagSearch.parse(name).label: ordered for name, ordered in results.rows.items()}
    return _outputs_of(results.bags.name, results.bags, rows, searches=_searches(results).keys(), one_model=True)


def _outputs_of(
    name: str, bags: Bags, systems: Mapping[str, Sequence[Ordered]], *, searches: Collection[str], one_model: bool
) -> TestSet:
    """The bags with all systems' strings; their log-probabilities compare only under one model."""
    sentences = [" ".join(words) for words in bags.sentences]
    scorer = Scorer(["bleu"], [sentences], MetricOptions(tokenize="none"))
    runs = {}
    for system, ordered in systems.items():
        texts = [" ".join(one.words) for one in ordered]
        statistics = {
            "identical": per_item([text == sentence for text, sentence in zip(texts, sentences, strict=True)]),
            "log p": per_item([one.log_prob for one in ordered]),
        }
        facts: dict[str, list[float | None]] = {"seconds": [one.seconds for one in ordered]}
        if system in searches:
            facts |= {"edges": [one.edges for one in ordered], "bytes": [one.memory for one in ordered]}
        runs[system] = [SystemRun(outputs=texts, statistics=statistics | scorer.statistics(texts), facts=facts)]
    log_p = Metric(name="log p", scale=1, digits=3, better="higher" if one_model else None, tested=one_model)
    return TestSet.of(
        name,
        # Sorted, so that the digest does not depend on the shuffling.
        inputs=[" ".join(sorted(words)) for words in bags.shuffled],
        references=[sentences],
        metrics=[Metric(name="identical", digits=1), *scorer.metrics, log_p],
        systems=runs,
    )


# --- language models of different texts ---


@dataclass
class ModelResults:
    """A set of bags, ordered by exact search under each of the models to compare."""

    bags: Bags
    ordered: dict[str, list[Ordered]] = field(default_factory=dict)
    """By the model's label."""
    models: dict[str, MadeModel] = field(default_factory=dict)

    def add(self, model: MadeModel, ordered: list[Ordered]) -> None:
        """What a model orders the bags to."""
        label = f"{model.words:,} words" if model.words and model.sampled else model.name
        self.ordered[label], self.models[label] = ordered, model

    def table(self) -> Table:
        """A row for each model, and the paper's best one below."""
        rows = [
            Row(label=label, cells=self._cells(model, self.ordered[label])) for label, model in self.models.items()
        ]
        paper = paper_figures(self.bags.sizes)
        for name, label in _PAPERS_BEST.items():
            if name in paper:
                identical, bleu, _, estimated, *_ = paper[name]
                rows.append(Row(label=label, paper=[PAPER_WORDS, None, None, identical, bleu, estimated, None]))
                break
        mixtures = [
            f"{label}: " + " + ".join(f"{weight:.3f} {part}" for part, weight in model.parts.items()) + "."
            for label, model in self.models.items()
            if model.parts
        ]
        return Table(
            name=f"{self.bags.name}-models",
            title=f"{self.bags.name}: {BagSearch.parse(EXACT_ROW).label} under language models of different texts",
            of="model",
            columns=[
                Column(name="words", digits=0, help="of the model's text"),
                Column(name="perplexity", digits=0, better="lower", help="of the sentences' known words"),
                Column(name="unknown %", better="lower", help="of the sentences' words"),
                _IDENTICAL,
                _BLEU,
                _ESTIMATED,
                _PROVED,
            ],
            rows=rows,
            paper="Soricut & Marcu (2005)" if paper else "",
            notes=mixtures,
        )

    def _cells(self, made: MadeModel, ordered: Sequence[Ordered]) -> list[Cell]:
        model, sentences = load_language_model(made.file), self.bags.sentences
        scored = [one for words in sentences for one in model.full_score_words(words)]
        known = [known for words in sentences for _, _, known in model.full_score_words(words, end=False)]
        return [
            made.words,
            math.exp(-fmean(score for score, _, is_known in scored if is_known)),
            100 * (1 - fmean(known)),
            *quality(self.bags, [log_prob(model, words) for words in sentences], ordered),
            _proved(ordered),
        ]

    def outputs(self) -> TestSet:
        """The bags with the strings that are best under each model."""
        name = f"{self.bags.name}-models"
        return _outputs_of(name, self.bags, self.ordered, searches=self.ordered.keys(), one_model=False)
