"""The word-ordering experiment: a step for each row of the table and each file of test sentences."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, field_validator, model_validator

from widl.common.arguments import PathLike, path_of
from widl.common.files import put_in_place, read_lines, write_text
from widl.common.presets import PresetOf2005
from widl.common.steps import Tell
from widl.common.workers import Engine, Progress, no_progress
from widl.decoder import LanguageModel, load_language_model
from widl.experiments.config import ExperimentConfig, InputPath, check_distinct
from widl.experiments.experiment import ExperimentRun, open_experiment
from widl.experiments.results import Results, System
from widl.experiments.word_order import (
    BagLimits,
    Bags,
    BagSearch,
    Ordered,
    Orderings,
    check_row,
    default_rows,
    log_prob,
    name_of,
    order,
    order_on,
    read_bags,
    write_all,
)
from widl.experiments.word_order_models import (
    EXACT_ROW,
    POOLED,
    MadeModel,
    ModelConfig,
    ModelMaker,
    check_models,
)
from widl.experiments.word_order_tables import ModelResults, outputs_set, tables

_WARM_UP = 50  # bags


class WordOrderConfig(ExperimentConfig):
    """The configuration of the word-ordering experiment."""

    preset: PresetOf2005 | None = Field(default=None, description="All rows as in a paper.")
    bags: list[InputPath] = Field(min_length=1, description="Files of sentences, one a line.")
    lm: InputPath | None = Field(default=None, description="A language model.")
    texts: list[InputPath] = Field(default=[], description="Instead of `lm`: files to estimate a trigram model from.")
    sizes: list[Annotated[int, Field(ge=1)]] = Field(
        default=[], description="Also order under models of so many words, lines of `texts` drawn at random."
    )
    model: list[ModelConfig] = Field(default=[], description="Also order under these models.")
    held_out: InputPath | None = Field(default=None, description="Text from which weights of mixtures are learnt.")
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
        if self.preset is not None:
            for name in self.rows or ():
                check_row(name, self.preset)
            if others := [name for name in ("sizes", "model") if getattr(self, name)]:
                raise ValueError(f"{others[0]!r} orders by another bound than the preset {self.preset}; leave one out")
        if self.sizes and not self.texts:
            raise ValueError("'sizes' are of 'texts'; give these in place of 'lm'")
        check_distinct("sizes", [str(size) for size in self.sizes])
        check_models(self.model, held_out=self.held_out is not None)
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
) -> Results:
    """Run the experiment in `directory`, where it skips the steps that are complete, and write its results there.

    `threads` bags are ordered at a time; times are most accurate with 1. With an `engine`, its processes order them.
    """
    directory = path_of(directory, "directory")
    sets = [read_bags(file, limit=config.limit, seed=config.seed) for file in config.bags]
    texts = (*config.texts, *(text for model in config.model for text in model.texts))
    inputs = {str(path): path for path in (*config.bags, *texts, config.lm, config.held_out) if path is not None}
    with open_experiment(
        config, directory, kind="word-order", inputs=inputs, threads=threads, progress=progress, tell=tell
    ) as run:
        experiment = _Experiment(config, run, engine)
        results = [experiment.results(bags, file) for bags, file in zip(sets, config.bags, strict=True)]
        for result in results:
            with write_text(directory / f"{result.bags.name}.tsv") as out:
                out.writelines("\t".join(cells) + "\n" for cells in write_all(result))
        under_models = [experiment.under_models(bags, file) for bags, file in zip(sets, config.bags, strict=True)]
        compared = [of_bags for of_bags in under_models if of_bags.models]
        rows = list(dict.fromkeys(name for result in results for name in result.rows))
        systems = [System(name=BagSearch.parse(name).label, settings={"row": name}) for name in rows]
        models = {label: model for of_bags in compared for label, model in of_bags.models.items()}
        systems += [
            System(
                name=label,
                settings={"row": EXACT_ROW, "model": model.name},
                weights={"learnt": dict(model.parts)} if model.parts else {},
            )
            for label, model in models.items()
        ]
        return run.finish(
            title="Word order",
            tables=[table for result in results for table in tables(result)] + [one.table() for one in compared],
            sets=[*map(outputs_set, results), *(one.outputs() for one in compared)],
            systems=systems,
        )


@dataclass
class _Experiment:
    config: WordOrderConfig
    of: ExperimentRun
    engine: Engine | None

    def results(self, bags: Bags, file: Path) -> Orderings:
        """All rows on one file's bags."""
        model = load_language_model(self.main.file)
        results = Orderings(bags, [log_prob(model, sentence) for sentence in bags.sentences])
        for name in self.config.rows or default_rows(bags, self.config.preset):
            row = BagSearch.parse(name)
            results.rows[name] = self.row(bags, file, row, self.main, f"{bags.name}/{row.name.replace(':', '-')}.jsonl")
        return results

    def under_models(self, bags: Bags, file: Path) -> ModelResults:
        """One file's bags, ordered by exact search under each of the models to compare."""
        found = ModelResults(bags)
        for model in self.models:
            output = f"{bags.name}/models/{model.name}.jsonl"
            ordered = self.row(bags, file, BagSearch.parse(EXACT_ROW), model, output)
            found.add(model, ordered)
        return found

    def row(self, bags: Bags, file: Path, row: BagSearch, model: MadeModel, output: str) -> list[Ordered]:
        """A row's results, in the order of the bags; an interrupted row is resumed with the next bag."""
        step = output.removesuffix(".jsonl").replace("/", " ")
        files = {"bags": file, "lm": model.file}
        settings = {"row": row, "budget": self.config.budget, "limit": self.config.limit, "seed": self.config.seed}
        path = self.of.job.path(output)
        partial = path.with_name(f"{path.stem}.{self.of.job.digest(files=files, settings=settings)[:8]}.partial")

        def make() -> None:
            done = _complete_lines(partial)
            opened = load_language_model(model.file)
            if row.search is not None:
                self._warm_up(bags, opened)
            left, budget = bags.shuffled[done:], self.config.budget
            if self.engine:
                new = order_on(self.engine, left, model.file, row, budget)
            else:
                new = order(left, opened, row, budget, threads=self.of.threads)
            with partial.open("a", encoding="utf-8", newline="\n") as out:
                for number, ordered in enumerate(new, done):
                    out.write(_entry(bags, number, ordered))
                    out.flush()
                    self.of.progress(f"{bags.name} {row.label}", number + 1, len(bags.shuffled))
            put_in_place(partial, path)

        self.of.job.run(step, make, outputs=[output], files=files, settings=settings)
        return list(_ordered(path))

    @cached_property
    def maker(self) -> ModelMaker:
        """Makes language models."""
        return ModelMaker(self.of, self.config.held_out, self.config.seed)

    @cached_property
    def main(self) -> MadeModel:
        """The configured model, or a trigram model of the texts."""
        if self.config.lm is not None:
            return MadeModel(name_of(self.config.lm), self.config.lm)
        return self.maker.of_texts(POOLED, self.config.texts, sampled=True)

    @cached_property
    def models(self) -> list[MadeModel]:
        """The models to compare, with the main one among them; none if no other is configured."""
        if not (self.config.sizes or self.config.model):
            return []
        samples = [self.maker.of_sample(size, self.config.texts) for size in sorted(self.config.sizes)]
        return [*samples, self.main, *self.maker.configured(self.config.model)]

    def _warm_up(self, bags: Bags, model: LanguageModel) -> None:
        """Load the model's pages into memory before times are measured."""
        list(order(bags.shuffled[:_WARM_UP], model, BagSearch.parse("beam-0.5"), self.config.budget))


def _entry(bags: Bags, number: int, ordered: Ordered) -> str:
    entry = {"sentence": " ".join(bags.sentences[number]), "bag": " ".join(bags.shuffled[number])}
    entry |= asdict(ordered) | {"words": " ".join(ordered.words)}
    return json.dumps(entry, ensure_ascii=False) + "\n"


def _complete_lines(partial: Path) -> int:
    """How many bags an interrupted row has done; what comes after the last complete line is removed."""
    if not partial.exists():
        return 0
    done = size = 0
    with partial.open("r+b") as file:
        for line in file:
            if not (line.startswith(b"{") and line.endswith(b"}\n")):  # after a loss of power there may be anything
                break
            done, size = done + 1, size + len(line)
        file.truncate(size)
    return done


def _ordered(file: Path) -> Iterable[Ordered]:
    names = Ordered.__dataclass_fields__
    for line in read_lines(file):
        entry = {name: value for name, value in json.loads(line).items() if name in names}
        yield Ordered(**entry | {"words": entry["words"].split()})
