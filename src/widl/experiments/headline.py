"""The headline experiment of Soricut & Marcu (2006), Section 4 and Table 1, on anyone's documents.

The weights of a model are tuned on dev, and its headlines of the test set are compared with the headlines of the
paper's systems. Rows are systems; columns are the paper's figures: matched unigrams and bigrams, length, ROUGE.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any, Unpack

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.json_values import digest
from widl.common.workers import LocalEngine
from widl.experiments.baselines import KEYWORDS
from widl.experiments.config import config_of
from widl.experiments.headline_config import HeadlineExperimentConfig, HeadlineSystem
from widl.experiments.replications import Replications, TunedWeights, kept_start, tuning_cells, tuning_columns
from widl.experiments.results import MetricScorer, Results, TestSet, mean
from widl.experiments.runner import ExperimentRun, RunOptions, System, model_files, open_experiment
from widl.headline import Headline, Headliner
from widl.headline.documents import Document, reference_streams
from widl.headline.options import SystemName
from widl.headline.parsing import ParsedDocument
from widl.headline.punctuation import in_letters
from widl.headline.references import read_with_references
from widl.headline.words import has_letters
from widl.metrics.rouge import ROOT_OF_RECALLS, first_words, rouge_scorer, rouge_tokenizer
from widl.pages.tables import Cell, Column, Figure, Row, Table
from widl.pipeline.tuning import HeadlineTask
from widl.text.test_sets import warn_of_same_texts

FACTS = (
    *(mean(name) for name in ("unigrams", "bigrams", "of unigrams", "of bigrams")),
    mean("length", digits=1, better=None),
    mean("optimal", scale=100, digits=1),
    mean("seconds", digits=3, better="lower"),
)
"""Figures that are not tested: matched n-grams, words, whether search proved optimality, its time without the parse."""

_ROUGE = {
    ROOT_OF_RECALLS: Column(name="√(R1·R2)", better="higher", help="of recalls of all documents: the paper's Rouge₂"),
    "rouge1_recall": Column(name="ROUGE-1", better="higher", help="recall, mean of documents"),
    "rouge2_recall": Column(name="ROUGE-2", better="higher", help="bigram recall, mean of documents"),
    "rouge1": Column(name="ROUGE-1 F", better="higher"),
    "rouge2": Column(name="ROUGE-2 F", better="higher"),
    "rougeL_recall": Column(name="ROUGE-L", better="higher", help="recall of the longest common subsequence"),
}
"""Columns by metric."""

PAPER = {
    "lead": (458, 114, 9.9, 20.8, 11.1),
    "hedge-trimmer": (399, 104, 7.4, 18.1, 9.9),
    "topiary": (576, 115, 9.9, 26.2, 12.5),
    "keywords": (585, 22, 9.9, 26.6, 5.5),
    "webcl": (311, 76, 7.3, 14.1, 7.5),
    "widl-paper": (562, 126, 10.0, 25.5, 12.9),
}
"""Table 1 by system: matched unigrams and bigrams, length, Rouge₁, Rouge₂."""
PAPER_DOCUMENTS = 273
PAPER_UNIGRAMS = 2202
"""Number of unigrams in the references. The paper does not say; with 2200 to 2202, and no other number, every Rouge₁ is
#(uni) by it."""
PAPER_BIGRAMS = PAPER_UNIGRAMS - PAPER_DOCUMENTS
"""Number of bigrams in the references: each reference, of one line, has one bigram less than words."""


@checked
def run_headline_experiment(
    config: HeadlineExperimentConfig | PathLike, directory: PathLike, **options: Unpack[RunOptions]
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    Steps work on `threads` threads; with an `engine`, tuning and the realization of headlines work there.
    """
    config = config_of(config, HeadlineExperimentConfig)
    test = read_with_references(config.test, config.test_references, most=config.references)
    dev = read_with_references(config.dev, config.dev_references, most=config.references) if config.dev else []
    overlap = warn_of_same_texts("dev", [one.text for one in dev], "test", [one.text for one in test])
    with open_experiment(config, directory, "headline", **options) as run:
        return _Experiment(config, run, dev, test).measure([overlap] if overlap else [])


@dataclass
class _Experiment:
    config: HeadlineExperimentConfig
    run: ExperimentRun
    dev: Sequence[Document]
    test: Sequence[Document]
    tuned: dict[str, list[TunedWeights]] = field(default_factory=dict)
    """Weights of all replications by system."""

    def measure(self, notes: Sequence[str]) -> Results:
        """All systems on the test documents. The report has the notes."""
        scorer = MetricScorer(
            tuple(_ROUGE), reference_streams(self.test), self.config.metrics, threads=self.run.threads
        )
        weights = {system.name: self.weights(system) for system in self.config.system if system.is_searched}
        systems = [self.system(system, weights.get(system.name)) for system in self.config.system]
        texts = [document.text for document in self.test]
        test = self.run.test_set("test", self.test, systems, scorer, shown=texts, facts=FACTS)
        settings = {system.name: system.described() for system in self.config.system}
        kinds = {system.name: system.paper_system for system in self.config.system}
        tables = [table(test, kinds, weights, with_paper=self.config.preset is not None, sharing=self.sharing())]
        return self.run.finish("Headlines", tables, [test], settings=settings, weights=weights, notes=notes)

    def sharing(self) -> dict[str, str]:
        """The systems with another one's tuned weights, and that one."""
        firsts = {system.name: self.tuned_as(system).name for system in self.config.system if self.dev}
        return {name: first for name, first in firsts.items() if name != first}

    def tuned_as(self, system: HeadlineSystem) -> HeadlineSystem:
        """The first system that differs from this one in search alone: its tuned weights are of both."""
        return next(other for other in self.config.system if other.tuned_settings == system.tuned_settings)

    @cached_property
    def opened(self) -> Callable[[SystemName], Headliner]:
        """The model with a system's weights, opened once."""
        return cache(lambda kind: Headliner(self.config.model, system=kind))

    def headliner(self, system: HeadlineSystem) -> Headliner:
        """The model with the weights of a system; of those without weights, with the model's."""
        return self.opened("widl-paper" if system.system == "widl-paper" else "widl")

    @cached_property
    def parses(self) -> list[ParsedDocument]:
        """Parses of the test documents."""
        return self.parsed(self.test)

    def weights(self, system: HeadlineSystem) -> list[TunedWeights]:
        """Weights of each replication; without dev, the weights before tuning.

        Systems that differ in search alone share the weights of the first.
        """
        headliner = self.headliner(system)
        if not self.dev:
            return [TunedWeights(headliner.weights | system.fixed)]
        first = self.tuned_as(system)
        if first is not system:
            return self.tuned[first.name]
        self.tuned[system.name] = self.run.tuned(
            system.name,
            lambda: HeadlineTask(
                headliner,
                self.dev,
                reference_streams(self.dev),
                system.options,
                restrict=system.restrict,
                parse=lambda: self.parsed(self.dev),
            ),
            self.config.tuning,
            metrics=self.config.metrics,
            files=model_files(self.config.model),
            settings={"metrics": self.config.metrics, "system": system.tuned_settings, "dev": digest(self.dev)},
        )
        return self.tuned[system.name]

    def system(self, system: HeadlineSystem, replications: Sequence[TunedWeights] | None) -> System:
        """The way of a system from test documents to headlines."""

        def make(weights: Mapping[str, float], left: Sequence[Document]) -> Iterator[dict[str, Any]]:
            headliner = self.headliner(system)
            headliner = headliner.reweighted(weights) if weights else headliner
            parses = self.parses[len(self.test) - len(left) :]
            for headline, document in zip(self.made(headliner, system, parses), left, strict=True):
                counted = first_words(headline.text, self.config.metrics.first_words)
                yield matches(counted, document.headlines) | {
                    "text": headline.text,
                    "length": sum(map(has_letters, headline.text.split())),  # Webcl has slashes
                    "optimal": float(bool(headline.search_optimal)) if system.is_searched else None,
                    "seconds": headline.seconds if system.is_searched else None,
                }

        files, settings = model_files(self.config.model), {"system": system, "counted": self.config.metrics.first_words}
        return System(system.name, make, replications or (TunedWeights(),), files, settings)

    def made(
        self, headliner: Headliner, system: HeadlineSystem, parses: Sequence[ParsedDocument]
    ) -> Iterator[Headline]:
        """A system's headlines of parsed documents."""
        if system.baseline is None:
            remote = None if isinstance(self.run.engine, LocalEngine) else self.run.engine
            yield from headliner.generate(parses, system.options, engine=remote)
            return
        for parsed in parses:
            keywords = [(keyword.text, keyword.weight) for keyword in headliner.keywords(parsed, KEYWORDS)]
            start = time.perf_counter()
            text = " ".join(in_letters(system.baseline(parsed, keywords, system.options).split(" "), "sentence"))
            yield Headline(identifier=parsed.document.identifier, text=text, seconds=time.perf_counter() - start)

    def parsed(self, documents: Sequence[Document]) -> list[ParsedDocument]:
        """Parses of documents, as ``widl headline generate`` has them."""
        parses = []
        for parsed in self.opened("widl").parse(documents, threads=self.run.threads):
            parses.append(parsed)
            self.run.progress("parsing", len(parses), len(documents))
        return parses


def paper_recalls(system: str) -> tuple[float, float, float]:
    """Unigram and bigram recall from the paper's counts, and the root of their product, which it prints as Rouge₂.

    >>> "%.1f %.1f %.1f" % paper_recalls("lead")
    '20.8 5.9 11.1'
    """
    unigrams, bigrams, *_ = PAPER[system]
    recalls = 100 * unigrams / PAPER_UNIGRAMS, 100 * bigrams / PAPER_BIGRAMS
    return *recalls, math.sqrt(recalls[0] * recalls[1])


def _paper_cells(system: str) -> dict[str, Cell]:
    """The paper's figures under the columns of `table`; none of a system that it does not have."""
    if system not in PAPER:
        return {}
    unigrams, bigrams, length, rouge1, rouge2 = PAPER[system]
    recall = round(paper_recalls(system)[1], 1)
    counts: dict[str, Cell] = {"#(uni)": unigrams, "#(bi)": bigrams, "Len.": length}
    return counts | {"R1": rouge1, "R2": recall, "√(R1·R2)": rouge2}


@cache
def _rouge_score() -> Any:
    return rouge_scorer(["rouge1", "rouge2"])


def matches(text: str, references: Sequence[str]) -> dict[str, int]:
    """Matched unigrams and bigrams of a headline by rouge-score, and the n-grams of the reference that matches best.

    >>> matches("Rain stops play", ["RAIN STOPS THE PLAY"])
    {'unigrams': 3, 'bigrams': 1, 'of unigrams': 4, 'of bigrams': 3}
    """
    counts = []
    for reference in references:
        scores = _rouge_score().score(reference, text)
        of_unigrams = len(_tokens(reference))
        of_bigrams = max(0, of_unigrams - 1)
        matches = (round(scores["rouge1"].recall * of_unigrams), round(scores["rouge2"].recall * of_bigrams))
        counts.append((*matches, of_unigrams, of_bigrams))
    best = max(counts, default=(0, 0, 0, 0), key=lambda count: (count[1], count[0]))
    return dict(zip(("unigrams", "bigrams", "of unigrams", "of bigrams"), best, strict=True))


_tokens = rouge_tokenizer()


def _corpus_recall(test: TestSet, system: str, ngrams: str) -> Figure:
    """Matched n-grams divided by the n-grams of the references, over all documents, in %."""
    matched, totals = (test.scores(system, name) for name in (ngrams, f"of {ngrams}"))
    return test.figure_of(system, [100 * count / max(of, 1e-9) for count, of in zip(matched, totals, strict=True)])


def table(
    test: TestSet,
    kinds: Mapping[str, str],
    searched: Replications,
    *,
    with_paper: bool,
    sharing: Mapping[str, str] = MappingProxyType({}),
) -> Table:
    """Table 1, and for systems that search the share of proofs and the time.

    `kinds` maps each row's name to the kind of its system. The paper's figures, of its own documents, are beside those
    of its systems if asked for. `searched` are the weights of systems that search, `sharing` those that have another's.
    """
    rows = []
    is_tuned = any(one.is_tuned for one in chain(*searched.values()))
    for name, kind in kinds.items():
        unigrams, bigrams = (round(len(test.inputs) * test.figure(name, n).value) for n in ("unigrams", "bigrams"))
        cells: dict[str, Cell] = {"#(uni)": unigrams, "#(bi)": bigrams, "Len.": test.figure(name, "length")}
        cells |= {"R1": _corpus_recall(test, name, "unigrams"), "R2": _corpus_recall(test, name, "bigrams")}
        cells |= {column.name: test.figure(name, metric) for metric, column in _ROUGE.items()}
        if name in searched:
            cells |= tuning_cells(searched, name, sharing.get(name)) if is_tuned else {}
            cells |= {"proved %": test.figure(name, "optimal"), "seconds": test.figure(name, "seconds")}
        rows.append(Row(label=name, cells=cells, paper=_paper_cells(kind) if with_paper else {}))
    return Table(
        name="headlines",
        title=f"Headlines of {len(test.inputs)} documents",
        paper="Soricut & Marcu (2006), Table 1, DUC 2003" if with_paper else "",
        columns=[
            *(tuning_columns(searched) if is_tuned else []),
            Column(name="#(uni)", digits=0, help="matched unigrams, of all documents"),
            Column(name="#(bi)", digits=0, help="matched bigrams, of all documents"),
            Column(name="Len.", help="mean number of words"),
            Column(name="R1", better="higher", help="matched unigrams by those of the references: the paper's Rouge₁"),
            Column(name="R2", better="higher", help="the same of bigrams"),
            *_ROUGE.values(),
            Column(name="proved %", better="higher", help="best headlines, proved"),
            Column(name="seconds", digits=3, better="lower", help="a document: phrases and search, without the parse"),
        ],
        rows=rows,
        notes=[
            "Matched n-grams are sums over all documents, of means over runs where there are several.",
            "R1, R2 and √(R1·R2), the paper's Rouge₂, are of all documents together"
            + ("; the paper's R2 is from its #(bi)." if with_paper else "."),
            "ROUGE-1, ROUGE-2 and ROUGE-L are recalls, means of documents.",
            *kept_start(searched),
        ],
    )
