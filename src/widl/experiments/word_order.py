"""Word ordering (Soricut & Marcu 2005, §4, Tables 2 and 3): sentences from bags of their words.

A step for each row of the table and each file of test sentences orders all its bags.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Self, Unpack

from pydantic import Field, field_validator, model_validator

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.presets import PresetOf2005
from widl.common.workers import opened_once
from widl.decoder import LanguageModel, estimate_language_model
from widl.experiments.bags import BagLimits, Bags, BagSearch, log_prob, name_of, order, read_bags
from widl.experiments.config import ExperimentConfig, InputPath, check_distinct, config_of
from widl.experiments.results import Results, Scorer, SystemRun, TestSet, mean
from widl.experiments.runner import ExperimentRun, RunOptions, available_memory, open_experiment
from widl.mert import MetricOptions
from widl.pages.tables import Cell, Column, Row, Table
from widl.text.penn import training_lines

SHORT_ROWS = ("L", "G", "bfs", "astar", "astar-1", "astar-2", "beam-0.2", "beam-0.1")
LONG_ROWS = tuple(name for name in SHORT_ROWS if name != "bfs")  # which needs too much memory
TIGHTER_ROWS = ("astar:lagrangian", "astar-2:lagrangian", "beam-0.1:lagrangian")
"""The same searches with a tighter bound, which the paper did not have."""
LOG10_ROWS = ("beam-0.0246", "beam-0.005")
"""The paper's beams if ln 0.2 and ln 0.1 had been compared with log₁₀ scores: 0.2 and 0.1 to the power of ln 10."""
LONGEST_FOR_BFS = 9

_WARM_UP = 50  # bags
# Scores are sums of single-precision logs: strings that differ by less are equally probable.
_TOLERANCE = 1e-4
_COLUMNS = [
    Column(name="ID %", better="higher", help="sentences recreated exactly"),
    Column(name="BLEU", better="higher", help="sacrebleu's, on the tokens as they are"),
    Column(name="search errors %", better="lower", help="where the best string is proved"),
    Column(name="estimated %", better="lower", help="less probable than the sentence itself"),
    Column(name="unfolded %", better="lower", help="edges, of those that BFS follows"),
    Column(name="seconds/bag", digits=5, paper_digits=3, better="lower", help="of the search alone"),
    Column(name="proved %", better="higher", help="by the search's own certificate"),
]
_ORDER = 3  # of the paper's language model

PAPER_SHORT: dict[str, tuple[float | None, ...]] = {
    "L": (2.5, 9.5, 97.2, 95.8, None, 0.000, None),
    "G": (30.9, 51.0, 67.5, 57.6, None, 0.000, None),
    "bfs": (67.1, 79.2, 0.0, 0.0, 100.0, 0.072, None),
    "astar": (67.1, 79.2, 0.0, 0.0, 12.0, 0.010, None),
    "astar-1": (60.5, 74.8, 21.1, 11.9, 3.2, 0.004, None),
    "astar-2": (64.3, 77.2, 8.5, 4.0, 5.3, 0.005, None),
    "beam-0.2": (65.0, 78.0, 9.2, 5.0, 7.2, 0.006, None),
    "beam-0.1": (66.6, 78.8, 3.2, 1.7, 13.2, 0.011, None),
}
PAPER_SHORT |= dict(zip(LOG10_ROWS, (PAPER_SHORT["beam-0.2"], PAPER_SHORT["beam-0.1"]), strict=True))
"""Soricut & Marcu (2005), Table 2, under `_COLUMNS`: 2000 bags of 3 to 7 words, trigrams of 170 million words."""

PAPER_LONG: dict[str, tuple[float | None, ...]] = {
    "L": (0.0, 1.4, None, 99.9, None, 0.0, None),
    "G": (1.2, 31.6, None, 83.6, None, 0.0, None),
    "astar-1": (5.8, 47.7, None, 34.0, None, 0.7, None),
    "astar-2": (7.4, 51.2, None, 21.4, None, 9.5, None),
    "beam-0.2": (9.0, 52.1, None, 23.3, None, 7.1, None),
    "beam-0.1": (12.2, 52.6, None, 19.9, None, 36.7, None),
}
PAPER_LONG |= dict(zip(LOG10_ROWS, (PAPER_LONG["beam-0.2"], PAPER_LONG["beam-0.1"]), strict=True))
"""Their Table 3: 2000 bags of 10 to 25 words."""


class WordOrderConfig(ExperimentConfig):
    """The configuration of the word-ordering experiment."""

    preset: PresetOf2005 | None = Field(default=None, description="All rows as in a paper.")
    bags: list[InputPath] = Field(min_length=1, description="Files of sentences, one a line.")
    lm: InputPath | None = Field(default=None, description="A language model.")
    texts: list[InputPath] = Field(default=[], description="Instead of `lm`: files to estimate a trigram model from.")
    rows: list[str] | None = Field(
        default=None, min_length=1, description="Names such as astar-2 or beam-0.2; by default the paper's."
    )
    limit: int = Field(default=0, ge=0, description="Number of bags of a file; 0: all.")
    budget: BagLimits = Field(default=BagLimits(), description="Budget of a bag.")

    @field_validator("rows")
    @classmethod
    def _known_rows(cls, rows: list[str] | None) -> list[str] | None:
        check_distinct("rows", [BagSearch.parse(name).name for name in rows or ()])
        return rows

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.lm is None) != bool(self.texts):
            raise ValueError("give either 'lm', a language model, or 'texts' to estimate one from")
        if self.preset is not None and self.rows is not None:
            raise ValueError(f"rows: the preset {self.preset} has its own; remove one")
        check_distinct("files of bags", [name_of(file) for file in self.bags])
        return self


def default_rows(bags: Bags, preset: str | None = None) -> tuple[str, ...]:
    """The paper's rows that are feasible for bags of these sizes, and some with the tightest bound.

    A preset's rows are the paper's, and its beams with ln b compared to log₁₀ scores; long bags add exact search with a
    tighter bound, to reveal search errors.
    """
    short = bags.sizes[1] <= LONGEST_FOR_BFS
    rows = SHORT_ROWS if short else LONG_ROWS
    if preset is None:
        return (*rows, *TIGHTER_ROWS)
    if not short:
        return (*(row for row in rows if row != "astar"), *LOG10_ROWS, TIGHTER_ROWS[0])
    return (*rows, *LOG10_ROWS)


def run_word_order_experiment(
    config: WordOrderConfig | PathLike, directory: PathLike, **options: Unpack[RunOptions]
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    `threads` bags are ordered at a time; times are most accurate with 1.
    """
    config = config_of(config, WordOrderConfig)
    if config.preset is not None and (free := available_memory()) < config.budget.memory:
        raise InputError(
            f"a bag's search may take {config.budget.memory / 1e9:.1f} GB, as in the paper (§4), and "
            f"{free / 1e9:.1f} GB are free; end other programs, or set budget.memory to fewer bytes"
        )
    all_bags = [read_bags(file, limit=config.limit, seed=config.seed) for file in config.bags]
    inputs = [*config.bags, *config.texts, *([config.lm] if config.lm else [])]
    with open_experiment(config, directory, "word-order", inputs, **options) as run:
        lm = config.lm or _estimated(run, config.texts)
        tables, sets = [], []
        settings: dict[str, dict[str, object]] = {}
        for bags, file in zip(all_bags, config.bags, strict=True):
            scorer = Scorer(["bleu"], [[" ".join(words) for words in bags.sentences]], MetricOptions(tokenize="none"))
            rows = [BagSearch.parse(name) for name in config.rows or default_rows(bags, config.preset)]
            settings |= {row.label: {"row": row.name} for row in rows}
            runs = {row.label: _ordered(config, run, bags, file, row, lm, scorer) for row in rows}
            sets.append(outputs_of(bags, scorer, runs))
            tables.append(row_table(bags, rows, sets[-1]))
        return run.finish("Word order", tables, sets, settings=settings)


def _estimated(run: ExperimentRun, texts: Iterable[Path]) -> Path:
    """A trigram model of texts: a step for the lines of each text, ``text/NAME.txt``, and one that estimates."""
    prepared: dict[str, Path] = {}
    for text in texts:
        name = name_of(text) if f"text/{name_of(text)}.txt" not in prepared else f"{len(prepared)}-{name_of(text)}"
        output = f"text/{name}.txt"
        prepared[output] = run.job.path(output)
        write = partial(_write_training_lines, text, prepared[output])
        run.job.run(f"text {name}", write, outputs=[output], files=[text])
    files = list(prepared.values())
    if not any(file.stat().st_size for file in files):
        raise InputError(f"{next(iter(texts))}: no words to estimate a language model from")
    binary = "models/all-texts.binary"
    model = run.job.path(binary)
    estimate = partial(estimate_language_model, files, model, order=_ORDER)
    run.job.run("model all-texts", estimate, outputs=[binary], files=files, settings={"order": _ORDER})
    return model


def _write_training_lines(text: Path, output: Path) -> None:
    with output.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in training_lines(text))


def _ordered(
    config: WordOrderConfig,
    run: ExperimentRun,
    bags: Bags,
    file: Path,
    row: BagSearch,
    lm: Path,
    scorer: Scorer,
) -> SystemRun:
    """A row's strings, in the order of the bags; facts compare them with the sentences."""

    def make(left: Sequence[list[str]]) -> Iterator[dict[str, Any]]:
        model = LanguageModel.load(lm)
        if row.settings:  # the model's pages are in memory before times are measured
            list(order(bags.shuffled[:_WARM_UP], model, BagSearch.parse("beam-0.2"), config.budget))
        sentences = bags.sentences[len(bags.sentences) - len(left) :]
        records = run.engine.map(partial(order_all, lm.absolute(), row, config.budget, config.preset), left)
        for sentence, record in zip(sentences, records, strict=True):
            estimated = is_worse(record["log p"], log_prob(model, sentence))
            yield record | {"identical": record["text"] == " ".join(sentence), "estimated": estimated}

    return run.outputs(
        f"{bags.name}/{row.name.replace(':', '-')}",
        bags.shuffled,
        make,
        scorer=scorer,
        files={"bags": file, "lm": lm},
        settings={
            "row": row,
            "preset": config.preset,
            "budget": config.budget,
            "limit": config.limit,
            "seed": config.seed,
        },
    )


def order_all(
    lm: Path,
    row: BagSearch,
    budget: BagLimits,
    preset: PresetOf2005 | None,
    shuffled: Iterable[list[str]],
    threads: int,
) -> Iterator[dict[str, Any]]:
    """Order bags as the row says, under the language model of a file, which a process opens once."""
    model = opened_once(LanguageModel, lambda: LanguageModel.load(lm), [lm])
    return order(list(shuffled), model, row, budget, preset=preset, threads=threads)


def outputs_of(bags: Bags, scorer: Scorer, runs: Mapping[str, SystemRun]) -> TestSet:
    """The bags with all strings."""
    return TestSet(
        name=bags.name,
        # Sorted, so that the digest does not depend on the shuffling.
        inputs=[" ".join(sorted(words)) for words in bags.shuffled],
        references=scorer.references,
        metrics=[
            mean("identical", scale=100, digits=1, tested=True),
            *scorer.metrics,
            mean("log p", digits=3, tested=True),
        ],
        systems={label: [run] for label, run in runs.items()},
    )


def paper_figures(sizes: tuple[int, int]) -> dict[str, tuple[float | None, ...]]:
    """The paper's table for bags of these sizes; empty if the paper has none."""
    fewest, most = sizes
    if fewest >= 3 and most <= 7:
        return PAPER_SHORT
    return PAPER_LONG if fewest >= 10 and most <= 25 else {}


def is_worse(log_probability: float, other: float) -> bool:
    """Whether a string is less probable than another by more than rounding."""
    return log_probability < other - _TOLERANCE


def best_known(test: TestSet) -> list[float | None]:
    """For each bag the log-probability of its best string, where some row proved it.

    A certificate covers scores that agree up to 1e-6 of themselves. A string better than a proved
    optimum would be a bug of the search.
    """
    scores = [test.facts(label, "log p") for label in test.systems]
    proofs = [run.facts.get("proved", [0.0] * len(test.inputs)) for (run,) in test.systems.values()]
    best: list[float | None] = []
    for of_bag, proved in zip(zip(*scores, strict=True), zip(*proofs, strict=True), strict=True):
        optimum = max((score for score, is_proved in zip(of_bag, proved, strict=True) if is_proved), default=None)
        if optimum is not None:
            assert max(of_bag) <= optimum + _TOLERANCE, f"{max(of_bag)} is better than the proved optimum {optimum}"
        best.append(optimum)
    return best


def row_table(bags: Bags, rows: Sequence[BagSearch], test: TestSet) -> Table:
    """The paper's table of these bags."""
    paper, best = paper_figures(bags.sizes), best_known(test)
    names = [column.name for column in _COLUMNS]
    table_rows = []
    for row in rows:
        scores = zip(test.facts(row.label, "log p"), best, strict=True)
        errors = [is_worse(score, optimum) for score, optimum in scores if optimum is not None]
        proved = test.facts(row.label, "proved") if row.settings else ()
        cells: dict[str, Cell] = {
            "ID %": test.scores(row.label, "identical")[0],
            "BLEU": test.scores(row.label, "bleu")[0],
            "search errors %": 100 * fmean(errors) if errors else None,
            "estimated %": 100 * fmean(test.facts(row.label, "estimated")),
            "seconds/bag": fmean(test.facts(row.label, "seconds")),
            "proved %": 100 * fmean(proved) if proved else None,
        }
        if row.settings and "BFS" in test.systems and not any(test.facts("BFS", "stopped")):
            cells["unfolded %"] = 100 * sum(test.facts(row.label, "edges")) / sum(test.facts("BFS", "edges"))
        theirs = dict(zip(names, paper.get(row.name, ()), strict=False))
        table_rows.append(Row(label=row.label, cells=cells, paper={**theirs}))
    known_bags = sum(optimum is not None for optimum in best)
    return Table(
        name=bags.name,
        title=f"{bags.name}: {len(bags.sentences)} bags of {bags.sizes[0]} to {bags.sizes[1]} words",
        columns=_COLUMNS,
        rows=table_rows,
        paper="Soricut & Marcu (2005)" if paper else "",
        notes=[f"Search errors: of the {known_bags} bags whose best string is proved."],
    )
