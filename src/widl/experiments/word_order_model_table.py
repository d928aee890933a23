"""Word ordering under several language models: their table, beside the paper's best row, and BLEU by words of text."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np

from widl.decoder import LanguageModel, load_language_model
from widl.experiments.pictures import line_picture
from widl.experiments.results import Column, Picture, System, Table, TestSet
from widl.experiments.results import Row as TableRow
from widl.experiments.word_order import Bags, Ordered, Row, log_prob
from widl.experiments.word_order_models import EXACT_ROW, MadeModel
from widl.experiments.word_order_table import Figures, figures_of, outputs_of, paper_figures

PAPER_WORDS = 170_000_000
"""Of the Wall Street Journal, in the paper's language model."""
_PAPERS_BEST = {"astar": "the paper's A*", "beam-0.1": "the paper's B_0.1"}
"""The paper's best row for short bags, and for long ones."""


@dataclass(frozen=True)
class UnderModel:
    """A set of bags ordered under a model: figures, and how well the model knows the sentences."""

    model: MadeModel
    ordered: list[Ordered]
    figures: Figures
    perplexity: float
    """Of the sentences' known words and their ends."""
    unknown: float
    """% of the sentences' words that the model lacks."""

    @classmethod
    def of(cls, made: MadeModel, bags: Bags, ordered: list[Ordered]) -> "UnderModel":
        """Measured on the bags' sentences."""
        model = load_language_model(made.file)
        log_probs = [log_prob(model, sentence) for sentence in bags.sentences]
        return cls(
            made,
            ordered,
            figures_of(bags.sentences, log_probs, ordered),
            _perplexity(model, bags.sentences),
            _unknown(model, bags.sentences),
        )

    @property
    def label(self) -> str:
        """The model's name in tables."""
        return f"{self.model.words:,} words" if self.model.words and self.model.sampled else self.model.name


@dataclass
class ModelResults:
    """A set of bags under all models to compare."""

    bags: Bags
    models: list[UnderModel] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Of the table and the test set."""
        return f"{self.bags.name}-models"

    def curve(self) -> list[tuple[int, float]]:
        """Words and BLEU of the models of samples of all texts, and of all of them."""
        return [(one.model.words, one.figures.bleu) for one in self.models if one.model.sampled and one.model.words]


def _perplexity(model: LanguageModel, sentences: Iterable[Sequence[str]]) -> float:
    scores = [log_prob for words in sentences for log_prob, _, known in model.full_score_words(words) if known]
    return math.exp(-fmean(scores))


def _unknown(model: LanguageModel, sentences: Iterable[Sequence[str]]) -> float:
    known = [known for words in sentences for _, _, known in model.full_score_words(words, end=False)]
    return 100 * (1 - fmean(known))


_COLUMNS = (
    Column(name="words", digits=0, help="of the model's text"),
    Column(name="perplexity", digits=0, better="lower", help="of the sentences' known words"),
    Column(name="unknown %", better="lower", help="of the sentences' words"),
    Column(name="ID %", better="higher", help="sentences recreated exactly"),
    Column(name="BLEU", better="higher", help="sacrebleu's, on the tokens as they are"),
    Column(name="estimated %", better="lower", help="less probable than the sentence itself"),
    Column(name="proved %", better="higher", help="by the search's own certificate"),
)


def model_table(results: ModelResults) -> Table:
    """A row for each model, and the paper's best one below."""
    rows = [
        TableRow(
            label=one.label,
            cells=[one.model.words, one.perplexity, one.unknown, *_searched(one.figures), one.figures.proved],
        )
        for one in results.models
    ]
    papers = _papers_row(results.bags)
    if papers is not None:
        label, found = papers
        rows.append(TableRow(label=label, paper=[PAPER_WORDS, None, None, *_searched(found), None]))
    mixtures = [
        f"{one.label}: " + " + ".join(f"{weight:.3f} {part}" for part, weight in one.model.parts.items()) + "."
        for one in results.models
        if one.model.parts
    ]
    label = Row.parse(EXACT_ROW).label
    return Table(
        name=results.name,
        title=f"{results.bags.name}: {label} under language models of different texts",
        of="model",
        columns=list(_COLUMNS),
        rows=rows,
        paper="Soricut & Marcu (2005)" if papers else "",
        notes=[*mixtures, *_slope(results)],
    )


def _searched(found: Figures) -> list[float]:
    return [found.identical, found.bleu, found.estimated_errors]


def _papers_row(bags: Bags) -> tuple[str, Figures] | None:
    paper = paper_figures(bags.sizes)
    return next(((label, paper[name]) for name, label in _PAPERS_BEST.items() if name in paper), None)


def _slope(results: ModelResults) -> list[str]:
    """What a doubling of the text adds: the least-squares line of BLEU by the logarithm of words."""
    curve = results.curve()
    if len(curve) < 3:
        return []
    slope = np.polyfit([math.log2(words) for words, _ in curve], [bleu for _, bleu in curve], 1)[0]
    (words, bleu), (more_words, more_bleu) = curve[-2:]
    last = (more_bleu - bleu) / math.log2(more_words / words)
    text = f"A doubling of the words adds {slope:.1f} BLEU (least squares), between the last two sizes {last:.1f}."
    papers = _papers_row(results.bags)
    if papers is None:
        return [text]
    doublings = math.log2(PAPER_WORDS / more_words)
    needed = (papers[1].bleu - more_bleu) / doublings
    return [
        f"{text} To the paper's {PAPER_WORDS // 10**6} million words it is {doublings:.1f} doublings more, "
        f"and to its BLEU {needed:.1f} each."
    ]


def model_picture(results: ModelResults) -> Picture:
    """BLEU by words of text."""
    series = {"all texts": [results.curve()]} if results.curve() else {}
    series |= {
        one.label: [[(one.model.words, one.figures.bleu)]]
        for one in results.models
        if one.model.words and not one.model.sampled
    }
    papers = _papers_row(results.bags)
    if papers is not None:
        series[papers[0]] = [[(PAPER_WORDS, papers[1].bleu)]]
    return line_picture(
        results.name,
        f"BLEU by words of text, {results.bags.name}",
        "BLEU of exact search under language models of texts of different sizes; a line for samples of all texts.",
        series,
        x="words of the language model's text",
        y="BLEU",
        log_x=True,
    )


def model_outputs(results: ModelResults) -> TestSet:
    """The bags with the strings that are best under each model."""
    systems = {one.label: one.ordered for one in results.models}
    return outputs_of(results.name, results.bags, systems, searches=systems.keys(), one_model=False)


def model_systems(compared: Iterable[ModelResults]) -> list[System]:
    """A system for each model."""
    made = {one.label: one.model for results in compared for one in results.models}
    return [
        System(
            name=label,
            settings={"row": EXACT_ROW, "model": model.name},
            weights={"learnt": dict(model.parts)} if model.parts else {},
        )
        for label, model in made.items()
    ]
