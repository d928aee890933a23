"""The word-ordering experiment: a step for each row of the table and each file of test sentences."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from pydantic import Field, field_validator, model_validator

from widl.arguments import PathLike, path_of
from widl.decoder import LanguageModel, estimate_language_model, load_language_model
from widl.errors import InputError
from widl.experiments.config import ExperimentConfig, InputPath, check_distinct
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.results import Results as AllResults
from widl.experiments.results import System
from widl.experiments.word_order import (
    Bags,
    Budget,
    Ordered,
    Results,
    Row,
    default_rows,
    log_prob,
    name_of,
    order,
    order_on,
    read_bags,
    training_lines,
    write_all,
)
from widl.experiments.word_order_table import outputs_set, pictures, tables
from widl.files import read_lines, temporary_beside, write_text
from widl.jobs import Tell
from widl.workers import Engine, Progress, no_progress

_WARM_UP = 50  # bags


class WordOrderConfig(ExperimentConfig):
    """The configuration of the word-ordering experiment."""

    bags: list[InputPath] = Field(min_length=1, description="Files of sentences, one a line.")
    lm: InputPath | None = Field(default=None, description="A language model.")
    texts: list[InputPath] = Field(
        default=[],
        description="Instead of `lm`: files to estimate a trigram model from; tokenised already with .tok in the name.",
    )
    rows: list[str] | None = Field(
        default=None, min_length=1, description="Names such as astar-2 or beam-0.2; by default the paper's."
    )
    limit: int = Field(default=0, ge=0, description="Number of bags of a file; 0: all.")
    budget: Budget = Field(default=Budget(), description="Budget of a bag.")

    @field_validator("rows")
    @classmethod
    def _known_rows(cls, rows: list[str] | None) -> list[str] | None:
        check_distinct("rows", [Row.parse(name).name for name in rows or ()])
        return rows

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.lm is None) != bool(self.texts):
            raise ValueError("give either 'lm', a language model, or 'texts' to estimate one from")
        check_distinct("files of bags", [name_of(file) for file in self.bags])
        return self


def run_word_order_experiment(
    config: WordOrderConfig,
    directory: PathLike,
    *,
    threads: int = 1,
    engine: Engine | None = None,
    progress: Progress = no_progress,
    tell: Tell = lambda _: None,
) -> AllResults:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    `threads` bags are ordered at a time; times are most accurate with 1. With an `engine`, its processes order them.
    """
    directory = path_of(directory, "directory")
    sets = [read_bags(file, limit=config.limit, seed=config.seed) for file in config.bags]
    inputs = {str(path): path for path in (*config.bags, *config.texts, *((config.lm,) if config.lm else ()))}
    with open_experiment(
        config, directory, kind="word-order", inputs=inputs, threads=threads, progress=progress, tell=tell
    ) as run:
        experiment = _Experiment(config, run, engine)
        results = [experiment.results(bags, file) for bags, file in zip(sets, config.bags, strict=True)]
        for result in results:
            with write_text(directory / f"{result.bags.name}.tsv") as out:
                out.writelines("\t".join(cells) + "\n" for cells in write_all(result))
        rows = list(dict.fromkeys(name for result in results for name in result.rows))
        return run.finish(
            title="Word order",
            tables=[table for result in results for table in tables(result)],
            sets=[outputs_set(result) for result in results],
            systems=[System(name=Row.parse(name).label, settings={"row": name}) for name in rows],
            pictures=[picture for result in results for picture in pictures(result)],
        )


@dataclass
class _Experiment:
    config: WordOrderConfig
    of: ExperimentRun
    engine: Engine | None

    def results(self, bags: Bags, file: Path) -> Results:
        """All rows on one file's bags."""
        results = Results(bags, [log_prob(self.model, sentence) for sentence in bags.sentences])
        for name in self.config.rows or default_rows(bags):
            results.rows[name] = self.row(bags, file, Row.parse(name))
        return results

    def row(self, bags: Bags, file: Path, row: Row) -> list[Ordered]:
        """A row's results, in the order of the bags; an interrupted row is resumed with the next bag."""
        output = f"{bags.name}/{row.name.replace(':', '-')}.jsonl"
        files = {"bags": file, "lm": self.model_file}
        settings = {"row": row, "budget": self.config.budget, "limit": self.config.limit, "seed": self.config.seed}
        path = self.of.job.path(output)
        partial = path.with_name(f"{path.stem}.{self.of.job.digest(files=files, settings=settings)[:8]}.partial")

        def make() -> None:
            done = _complete_lines(partial)
            if row.search is not None:
                self._warm_up(bags)
            left, budget = bags.shuffled[done:], self.config.budget
            if self.engine:
                new = order_on(self.engine, left, self.model_file, row, budget)
            else:
                new = order(left, self.model, row, budget, threads=self.of.threads)
            with partial.open("a", encoding="utf-8", newline="\n") as out:
                for number, ordered in enumerate(new, done):
                    out.write(_entry(bags, number, ordered))
                    out.flush()
                    self.of.progress(f"{bags.name} {row.label}", number + 1, len(bags.shuffled))
            partial.replace(path)

        self.of.job.run(f"{bags.name} {row.name}", make, outputs=[output], files=files, settings=settings)
        return list(_ordered(path))

    @cached_property
    def model_file(self) -> Path:
        """The configured model, or a trigram model of the texts."""
        if self.config.lm is not None:
            return self.config.lm
        path = self.of.job.path("lm.binary")

        def make() -> None:
            with temporary_beside(path.with_suffix(".txt")) as prepared:
                with prepared.open("w", encoding="utf-8", newline="\n") as out:
                    out.writelines(f"{line}\n" for line in _prepared(self.config.texts, self.of.progress))
                if not prepared.stat().st_size:
                    raise InputError(f"{self.config.texts[0]}: no words to estimate a language model from")
                estimate_language_model(prepared, path, order=3)

        self.of.job.run("language model", make, outputs=["lm.binary"], files=self.config.texts)
        return path

    @cached_property
    def model(self) -> LanguageModel:
        """The language model, opened."""
        return load_language_model(self.model_file)

    def _warm_up(self, bags: Bags) -> None:
        """Load the model's pages into memory before times are measured."""
        list(order(bags.shuffled[:_WARM_UP], self.model, Row.parse("beam-0.5"), self.config.budget))


def _prepared(texts: Sequence[Path], progress: Progress) -> Iterator[str]:
    for done, file in enumerate(texts):
        progress("reading text", done, len(texts))
        yield from training_lines(file)
    progress("reading text", len(texts), len(texts))


def _entry(bags: Bags, number: int, ordered: Ordered) -> str:
    entry = {"sentence": " ".join(bags.sentences[number]), "bag": " ".join(bags.shuffled[number])}
    entry |= asdict(ordered) | {"words": " ".join(ordered.words)}
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _complete_lines(partial: Path) -> int:
    """How many bags an interrupted row has done; a last line that was cut short is removed."""
    if not partial.exists():
        return 0
    with partial.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
    return content.count(b"\n")


def _ordered(file: Path) -> Iterable[Ordered]:
    names = Ordered.__dataclass_fields__
    for line in read_lines(file):
        entry = {name: value for name, value in json.loads(line).items() if name in names}
        yield Ordered(**entry | {"words": entry["words"].split()})
