"""Word ordering (Soricut & Marcu 2005, §4, Tables 2 and 3): sentences from bags of their words.

A step for each row of the table and each file of test sentences orders all its bags.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any, Self, Unpack

from pydantic import Field, model_validator

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.presets import PresetOf2005, check_order
from widl.common.workers import opened_once
from widl.decoder import LanguageModel, RealizationOptions, estimate_language_model
from widl.experiments.bags import Bags, OrderSystem, default_systems, log_prob, name_of, order, read_bags
from widl.experiments.config import ExperimentConfig, InputPath, check_distinct, config_of
from widl.experiments.results import MetricScorer, Results, TestSet, mean
from widl.experiments.runner import ExperimentRun, RunOptions, System, available_memory, open_experiment
from widl.metrics import MetricOptions
from widl.pages.tables import Cell, Column, Row, Table
from widl.text.penn import training_lines

FACTS = (
    mean("identical", scale=100, digits=1, tested=True),
    mean("log p", digits=3, tested=True),
)
_WARM_UP = 50  # bags
# Scores are sums of single-precision logs: strings that differ by less are equally probable.
_TOLERANCE = 1e-4
_COLUMNS = [
    Column(name="ID %", better="higher", help="sentences recreated exactly"),
    Column(name="BLEU", better="higher", help="sacrebleu's, on the tokens as they are"),
    Column(name="search errors %", better="lower", help="where the best string is proved"),
    Column(name="estimated %", better="lower", help="less probable than the sentence itself"),
    Column(name="unfolded %", better="lower", help="edges of all bags, of those that BFS follows"),
    Column(name="seconds/bag", digits=5, paper_digits=3, better="lower", help="of the search alone"),
    Column(name="proved %", better="higher", help="by the search's own certificate"),
    Column(name="unfolded, mean %", better="lower", help="the mean of the bags' shares"),
]
_ORDER = 3  # of the paper's language model

PAPER_SHORT: dict[str, tuple[float | None, ...]] = {
    "L": (2.5, 9.5, 97.2, 95.8, None, 0.000, None),
    "G": (30.9, 51.0, 67.5, 57.6, None, 0.000, None),
    "BFS": (67.1, 79.2, 0.0, 0.0, 100.0, 0.072, None),
    "A*": (67.1, 79.2, 0.0, 0.0, 12.0, 0.010, None),
    "A*_1": (60.5, 74.8, 21.1, 11.9, 3.2, 0.004, None),
    "A*_2": (64.3, 77.2, 8.5, 4.0, 5.3, 0.005, None),
    "B_0.2": (65.0, 78.0, 9.2, 5.0, 7.2, 0.006, None),
    "B_0.1": (66.6, 78.8, 3.2, 1.7, 13.2, 0.011, None),
}
PAPER_SHORT |= {"B_0.0246": PAPER_SHORT["B_0.2"], "B_0.005": PAPER_SHORT["B_0.1"]}
"""Soricut & Marcu (2005), Table 2, under `_COLUMNS`: 2000 bags of 3 to 7 words, trigrams of 170 million words."""

PAPER_LONG: dict[str, tuple[float | None, ...]] = {
    "L": (0.0, 1.4, None, 99.9, None, 0.0, None),
    "G": (1.2, 31.6, None, 83.6, None, 0.0, None),
    "A*_1": (5.8, 47.7, None, 34.0, None, 0.7, None),
    "A*_2": (7.4, 51.2, None, 21.4, None, 9.5, None),
    "B_0.2": (9.0, 52.1, None, 23.3, None, 7.1, None),
    "B_0.1": (12.2, 52.6, None, 19.9, None, 36.7, None),
}
PAPER_LONG |= {"B_0.0246": PAPER_LONG["B_0.2"], "B_0.005": PAPER_LONG["B_0.1"]}
"""Their Table 3: 2000 bags of 10 to 25 words."""


class WordOrderConfig(ExperimentConfig):
    """The configuration of the word-ordering experiment."""

    preset: PresetOf2005 | None = Field(default=None, description="All systems as in a paper.")
    bags: list[InputPath] = Field(min_length=1, description="Files of sentences, one a line.")
    lm: InputPath | None = Field(default=None, description="A language model.")
    texts: list[InputPath] = Field(default=[], description="Instead of `lm`: files to estimate a trigram model from.")
    limit: int = Field(default=0, ge=0, description="Number of bags of a file; 0: all.")
    system: list[OrderSystem] = Field(
        description="Rows of the tables; by default those of the paper, and tighter ones."
    )

    @model_validator(mode="before")
    @classmethod
    def _with_systems(cls, values: dict[str, Any]) -> dict[str, Any]:
        if values.get("preset") is not None and values.get("system"):
            raise ValueError(f"system: the preset {values['preset']} has its own; remove one")
        return cls.with_systems(values, OrderSystem, default_systems(values.get("preset")))

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.lm is None) != bool(self.texts):
            raise ValueError("give either 'lm', a language model, or 'texts' to estimate one from")
        check_distinct("systems", [system.name for system in self.system])
        check_distinct("files of bags", [name_of(file) for file in self.bags])
        return self


@checked
def run_word_order_experiment(
    config: WordOrderConfig | PathLike, directory: PathLike, **options: Unpack[RunOptions]
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    `threads` bags are ordered at a time; times are most accurate with 1.
    """
    config = config_of(config, WordOrderConfig)
    if config.preset is not None and config.lm is not None:
        check_order(config.preset, LanguageModel.load(config.lm).order, str(config.lm))
    needed = max(system.options.max_memory for system in config.system)
    if config.preset is not None and (free := available_memory()) < needed:
        raise InputError(
            f"a bag's search may take {needed / 1e9:.1f} GB, as in the paper (§4), and {free / 1e9:.1f} GB are free; "
            "end other programs, or set max_memory to less, like 500M"
        )
    all_bags = [read_bags(file, limit=config.limit, seed=config.seed) for file in config.bags]
    with open_experiment(config, directory, "word-order", **options) as run:
        lm = config.lm or _estimated(run, config.texts)
        tables, sets = [], []
        for bags in all_bags:
            systems = [one for one in config.system if not one.longest or bags.sizes[1] <= one.longest]
            sets.append(_ordered(run, bags, systems, lm))
            tables.append(table_of(bags, systems, sets[-1], with_paper=config.preset is not None))
        settings = {system.name: system.described() for system in config.system}
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


def _ordered(run: ExperimentRun, bags: Bags, systems: Sequence[OrderSystem], lm: Path) -> TestSet:
    """All systems' strings, in the order of the bags; facts compare them with the sentences."""

    def make(system: OrderSystem, _: object, left: Sequence[list[str]]) -> Iterator[dict[str, Any]]:
        model = LanguageModel.load(lm)
        if system.baseline is None:  # the model's pages are in memory before times are measured
            beam = OrderSystem(name="warm-up", options=RealizationOptions(search="beam", bound="context"))
            list(order(bags.shuffled[:_WARM_UP], model, beam))
        sentences = bags.sentences[len(bags.sentences) - len(left) :]
        for sentence, record in zip(
            sentences, run.engine.map(partial(order_all, lm.absolute(), system), left), strict=True
        ):
            estimated = is_worse(record["log p"], log_prob(model, sentence))
            yield record | {"identical": record["text"] == " ".join(sentence), "estimated": estimated}

    scorer = MetricScorer(["bleu"], [[" ".join(words) for words in bags.sentences]], MetricOptions(tokenize="none"))
    rows = [
        System(
            system.name,
            partial(make, system),
            files={"lm": lm},
            settings={"system": system, "references": scorer.digest},
        )
        for system in systems
    ]
    # Sorted, so that the digest does not depend on the shuffling.
    shown = [" ".join(sorted(words)) for words in bags.shuffled]
    return run.test_set(bags.name, bags.shuffled, rows, scorer, shown=shown, facts=FACTS)


def order_all(lm: Path, system: OrderSystem, shuffled: Iterable[list[str]], threads: int) -> Iterator[dict[str, Any]]:
    """Order bags with a system, under the language model of a file, which a process opens once."""
    model = opened_once(LanguageModel, lambda: LanguageModel.load(lm), [lm])
    return order(list(shuffled), model, system, threads=threads)


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


def table_of(bags: Bags, systems: Sequence[OrderSystem], test: TestSet, *, with_paper: bool) -> Table:
    """The paper's table of these bags; its figures, of its own bags and model, are beside them if asked for."""
    paper, best = paper_figures(bags.sizes) if with_paper else {}, best_known(test)
    names = [column.name for column in _COLUMNS]
    rows = []
    for system in systems:
        name = system.name
        scores = zip(test.facts(name, "log p"), best, strict=True)
        errors = [is_worse(score, optimum) for score, optimum in scores if optimum is not None]
        proved = test.facts(name, "proved") if system.baseline is None else ()
        cells: dict[str, Cell] = {
            "ID %": test.scores(name, "identical")[0],
            "BLEU": test.scores(name, "bleu")[0],
            "search errors %": 100 * fmean(errors) if errors else None,
            "estimated %": 100 * fmean(test.facts(name, "estimated")),
            "seconds/bag": fmean(test.facts(name, "seconds")),
            "proved %": 100 * fmean(proved) if proved else None,
        }
        if system.baseline is None and "BFS" in test.systems and not any(test.facts("BFS", "stopped")):
            edges, all_edges = test.facts(name, "edges"), test.facts("BFS", "edges")
            cells["unfolded %"] = 100 * sum(edges) / sum(all_edges)
            cells["unfolded, mean %"] = 100 * fmean(own / every for own, every in zip(edges, all_edges, strict=True))
        theirs = dict(zip(names, paper.get(name, ()), strict=False))
        rows.append(Row(label=name, cells=cells, paper={**theirs}))
    known_bags = sum(optimum is not None for optimum in best)
    return Table(
        name=bags.name,
        title=f"{bags.name}: {len(bags.sentences)} bags of {bags.sizes[0]} to {bags.sizes[1]} words",
        columns=_COLUMNS,
        rows=rows,
        paper="Soricut & Marcu (2005), bags of the WSJ, a trigram model of it, computers of 2005" if paper else "",
        notes=[f"Search errors: of the {known_bags} bags whose best string is proved."],
    )
