"""Language models for the word-ordering experiment: of texts, of samples of them, and mixtures; steps of its job.

A step for each text prepares its lines, and one for each model makes ``models/NAME.binary``.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from widl.decoder import (
    bag,
    convert_language_model,
    estimate_language_model,
    interpolate_language_models,
    load_language_model,
)
from widl.errors import InputError
from widl.experiments.config import ConfigPart, InputPath, Name, check_distinct
from widl.experiments.experiment import ExperimentRun
from widl.experiments.word_order import Budget, OrderModel, Row, name_of, read_bags
from widl.experiments.word_order_text import sample_lines, training_lines
from widl.files import read_lines, temporary_beside
from widl.hashing import write_json
from widl.mert import Candidate, Decoder, MetricOptions, Objective, OptimizerOptions, TuningOptions, tune

EXACT_ROW = "astar:lagrangian"
"""How bags are ordered under models that are compared."""
ORDER = 3

_TUNING_BAGS = 200
_TUNING = TuningOptions(nbest=50, max_iterations=8)
POOLED = "all-texts"
_RESERVED = re.compile(rf"[0-9]+-words|{POOLED}")


class ModelConfig(ConfigPart):
    """A language model to compare: of texts, or a mixture of other ones, whose weights are learnt of `held_out`."""

    name: Name = Field(description="In tables and file names.")
    texts: list[InputPath] = Field(default=[], description="Text to estimate a trigram model from.")
    linear: list[str] = Field(
        default=[], description="Models to interpolate, with the weights that make held_out most probable."
    )
    log_linear: list[str] = Field(
        default=[], description="Models whose ln p are added, with the weights that order the bags of held_out best."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if sum(map(bool, (self.texts, self.linear, self.log_linear))) != 1:
            raise ValueError(f"model {self.name!r}: give one of 'texts', 'linear' and 'log_linear'")
        return self


def check_models(models: Sequence[ModelConfig], *, held_out: bool) -> None:
    """ValueError where a mixture is of models that do not stand above it, or has nothing to learn weights from."""
    check_distinct("models", [model.name for model in models])
    kinds: dict[str, str] = {}
    for model in models:
        if _RESERVED.fullmatch(model.name):
            raise ValueError(f"model {model.name!r}: a model of 'texts' or 'sizes' has this name; choose another")
        parts = model.linear or model.log_linear
        if parts and not held_out:
            raise ValueError(f"model {model.name!r}: a mixture needs 'held_out', a text to learn its weights from")
        for part in parts:
            if part not in kinds:
                raise ValueError(f"model {model.name!r}: no model {part!r} above it")
            if kinds[part] == "log_linear":
                raise ValueError(f"model {model.name!r}: {part!r} has no probabilities; mix the models that it is of")
        kinds[model.name] = "log_linear" if model.log_linear else "other"


@dataclass(frozen=True)
class MadeModel:
    """A language model that was made: its files with their weights in ln p, and what is known of it."""

    name: str
    files: tuple[Path, ...]
    weights: tuple[float, ...] = (1.0,)
    words: int | None = None
    """Of the text it was estimated from."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Of a mixture: the models' weights."""
    sampled: bool = False
    """Whether its text is a sample of all texts, or all of them."""

    def load(self) -> OrderModel:
        """Opened."""
        return OrderModel.load(self.files, self.weights)


@dataclass
class ModelMaker:
    """Makes language models as steps of a job; `budget` is for a bag while weights are tuned."""

    of: ExperimentRun
    held_out: Path | None
    seed: int
    budget: Budget
    longest: int
    """Bags with more words are not tuned on."""
    made: dict[str, MadeModel] = field(default_factory=dict)
    _texts: dict[Path, str] = field(default_factory=dict)

    def prepared(self, file: Path) -> Path:
        """The lines of a text as training lines."""
        if file not in self._texts:
            name = name_of(file)
            if name in self._texts.values():
                name = f"{len(self._texts)}-{name}"
            self._texts[file] = name
            output = self._text(name)
            self.of.job.run(
                f"text {name}",
                lambda: _write_lines(self.of.job.path(output), training_lines(file)),
                outputs=[output],
                files=[file],
            )
        return self.of.job.path(self._text(self._texts[file]))

    @staticmethod
    def _text(name: str) -> str:
        return f"text/{name}.txt"

    def of_texts(self, name: str, texts: Sequence[Path], *, arpa: bool = False, sampled: bool = False) -> MadeModel:
        """A trigram model of all lines of the texts; `arpa`: its ARPA file is needed, too."""
        prepared = [self.prepared(text) for text in texts]
        if not any(path.stat().st_size for path in prepared):
            raise InputError(f"{texts[0]}: no words to estimate a language model from")

        def make(output: Path) -> dict[str, float]:
            return {"words": estimate_language_model(prepared, output, order=ORDER).words}

        facts = self._make(name, make, files=prepared, settings=None, arpa=arpa)
        return self._add(MadeModel(name, (self._binary(name),), words=int(facts["words"]), sampled=sampled))

    def of_sample(self, words: int, texts: Sequence[Path]) -> MadeModel:
        """A trigram model of so many words of the texts, lines drawn at random."""
        prepared = [self.prepared(text) for text in texts]
        name = f"{words}-words"

        def make(output: Path) -> dict[str, float]:
            lines = [line for path in prepared for line in read_lines(path)]
            with temporary_beside(output.with_suffix(".txt")) as sample:
                _write_lines(sample, sample_lines(lines, words, seed=self.seed))
                return {"words": estimate_language_model(sample, output, order=ORDER).words}

        facts = self._make(name, make, files=prepared, settings={"words": words, "seed": self.seed})
        return self._add(MadeModel(name, (self._binary(name),), words=int(facts["words"]), sampled=True))

    def configured(self, configs: Sequence[ModelConfig]) -> list[MadeModel]:
        """The models of a configuration."""
        interpolated = {part for config in configs for part in config.linear}
        for config in configs:
            arpa = config.name in interpolated
            if config.texts:
                self.of_texts(config.name, config.texts, arpa=arpa)
            elif config.linear:
                self._linear(config.name, config.linear, arpa=arpa)
            else:
                self._log_linear(config.name, config.log_linear)
        return [self.made[config.name] for config in configs]

    def _linear(self, name: str, parts: Sequence[str], *, arpa: bool) -> MadeModel:
        files = [self.of.job.path(f"models/{part}.arpa.gz") for part in parts]
        text = self._held_out_text

        def make(output: Path) -> dict[str, float]:
            report = interpolate_language_models(files, output, tune=text)
            return dict(zip(parts, report.weights, strict=True))

        weights = self._make(name, make, files=[*files, text], settings=list(parts), arpa=arpa)
        return self._add(MadeModel(name, (self._binary(name),), parts=weights))

    def _log_linear(self, name: str, parts: Sequence[str]) -> MadeModel:
        """With the weights that tuning finds for the BLEU of `held_out`'s sentences, ordered from their bags."""
        files = {f"lm{k}": self._binary(part) for k, part in enumerate(parts)}
        text = self._held_out_text
        settings = {
            "parts": list(parts),
            "bags": _TUNING_BAGS,
            "longest": self.longest,
            "budget": self.budget,
            "seed": self.seed,
        }
        job, step_files = self.of.job, {"held_out": text, **files}
        directory = job.path(f"models/{name}.tuning-{job.digest(files=step_files, settings=settings)[:8]}")

        def make() -> dict[str, float]:
            bags = read_bags(text, limit=_TUNING_BAGS, longest=self.longest, seed=self.seed)
            references = [" ".join(words) for words in bags.sentences]
            found = tune(
                self._decoder(list(files.values()), list(files), bags.shuffled),
                Objective("bleu", [references], MetricOptions(tokenize="none")),
                dict.fromkeys(files, 1 / len(files)),
                directory,
                replace(_TUNING, optimizer=OptimizerOptions(seed=self.seed)),
            )
            total = sum(found.weights[lm] for lm in files)  # what the weights are scaled by changes no choice
            return {part: found.weights[lm] / total for part, lm in zip(parts, files, strict=True)}

        weights = job.value(f"models/{name}", make, files=step_files, settings=settings)
        return self._add(MadeModel(name, tuple(files.values()), tuple(weights.values()), parts=weights))

    def _decoder(self, files: Sequence[Path], names: Sequence[str], bags: Sequence[list[str]]) -> Decoder:
        models = tuple(map(load_language_model, files))

        def decode(weights: dict[str, float], n: int) -> Iterator[list[Candidate]]:
            realizer = OrderModel(models, tuple(weights[name] for name in names)).realizer()
            options = Row.parse(EXACT_ROW).options(self.budget, nbest=n)
            for done, found in enumerate(realizer.realize(map(bag, bags), options, threads=self.of.threads), 1):
                self.of.progress("tuning", done, len(bags))
                yield [Candidate(one.text, [one.features[name] for name in names]) for one in found.nbest]

        return decode

    @cached_property
    def _held_out_text(self) -> Path:
        assert self.held_out is not None, "check_models"
        text = self.prepared(self.held_out)
        if not text.stat().st_size:
            raise InputError(f"{self.held_out}: no words to learn weights from")
        return text

    def _make(
        self,
        name: str,
        make: Callable[[Path], dict[str, float]],
        *,
        files: Sequence[Path],
        settings: object,
        arpa: bool = False,
    ) -> dict[str, float]:
        """Run the step that makes a model, with its ARPA file if it is needed; returns what `make` said of it."""
        job = self.of.job
        facts, binary, arpa_file = (f"models/{name}.{ending}" for ending in ("json", "binary", "arpa.gz"))
        outputs = [facts, binary, *([arpa_file] if arpa else [])]

        def step() -> None:
            known = make(job.path(arpa_file if arpa else binary))
            if arpa:
                convert_language_model(job.path(arpa_file), job.path(binary), kind="rest")
            write_json(job.path(facts), known)

        job.run(f"model {name}", step, outputs=outputs, files=files, settings=settings)
        found: dict[str, float] = json.loads(job.path(facts).read_text(encoding="utf-8"))
        return found

    def _binary(self, name: str) -> Path:
        return self.of.job.path(f"models/{name}.binary")

    def _add(self, model: MadeModel) -> MadeModel:
        self.made[model.name] = model
        return model


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in lines)
