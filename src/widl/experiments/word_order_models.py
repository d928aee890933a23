"""Language models for the word-ordering experiment: of texts, of samples of them, and mixtures; steps of its job.

A step for each text prepares its lines, and one for each model makes ``models/NAME.binary``.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from widl.common.errors import InputError
from widl.common.files import read_lines, temporary_beside
from widl.common.hashing import write_json
from widl.decoder import (
    convert_language_model,
    estimate_language_model,
    interpolate_language_models,
)
from widl.decoder.language_model import MAX_ORDER
from widl.experiments.config import ConfigPart, InputPath, Name, check_distinct
from widl.experiments.experiment import ExperimentRun
from widl.experiments.word_order import name_of
from widl.experiments.word_order_text import sample_lines, training_lines

EXACT_ROW = "astar:lagrangian"
"""How bags are ordered under models that are compared."""
ORDER = 3
"""Of the paper's language model."""

POOLED = "all-texts"
_RESERVED = re.compile(rf"[0-9]+-words|{POOLED}")


class ModelConfig(ConfigPart):
    """A language model to compare: of texts, or a mixture of other ones, whose weights are learnt of `held_out`."""

    name: Name = Field(description="In tables and file names.")
    texts: list[InputPath] = Field(default=[], description="Text to estimate a model from.")
    order: int = Field(default=ORDER, ge=1, le=MAX_ORDER, description="Longest n-grams of a model of `texts`.")
    prune: list[Annotated[int, Field(ge=0)]] = Field(
        default=[], description="As for `widl lm estimate`: leave out n-grams that occur at most so many times."
    )
    linear: list[str] = Field(
        default=[], description="Models to interpolate, with the weights that make held_out most probable."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.texts) == bool(self.linear):
            raise ValueError(f"model {self.name!r}: give one of 'texts' and 'linear'")
        if self.linear and (own := self.model_fields_set & {"order", "prune"}):
            raise ValueError(f"model {self.name!r}: {sorted(own)[0]!r} has no effect on a mixture; leave it out")
        if any(after < before for before, after in pairwise(self.prune)):
            raise ValueError(f"model {self.name!r}: thresholds of 'prune' must not decrease")
        return self


def check_models(models: Sequence[ModelConfig], *, held_out: bool) -> None:
    """ValueError where a mixture is of models that do not stand above it, or has nothing to learn weights from."""
    check_distinct("models", [model.name for model in models])
    above: set[str] = set()
    for model in models:
        if _RESERVED.fullmatch(model.name):
            raise ValueError(f"model {model.name!r}: a model of 'texts' or 'sizes' has this name; choose another")
        if model.linear and not held_out:
            raise ValueError(f"model {model.name!r}: a mixture needs 'held_out', a text to learn its weights from")
        for part in model.linear:
            if part not in above:
                raise ValueError(f"model {model.name!r}: no model {part!r} above it")
        above.add(model.name)


@dataclass(frozen=True)
class MadeModel:
    """A language model that was made: its file, and what is known of it."""

    name: str
    file: Path
    words: int | None = None
    """Of the text it was estimated from."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Of a mixture: the models' weights."""
    sampled: bool = False
    """Whether its text is a sample of all texts, or all of them."""


@dataclass
class ModelMaker:
    """Makes language models as steps of a job."""

    of: ExperimentRun
    held_out: Path | None
    seed: int
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

    def of_texts(
        self,
        name: str,
        texts: Sequence[Path],
        *,
        order: int = ORDER,
        prune: Sequence[int] = (),
        arpa: bool = False,
        sampled: bool = False,
    ) -> MadeModel:
        """A model of all lines of the texts; `arpa`: its ARPA file is needed, too."""
        prepared = [self.prepared(text) for text in texts]
        if not any(path.stat().st_size for path in prepared):
            raise InputError(f"{texts[0]}: no words to estimate a language model from")

        def make(output: Path) -> dict[str, float]:
            return {"words": estimate_language_model(prepared, output, order=order, prune=prune).words}

        settings = {"order": order, "prune": prune}
        facts = self._make(name, make, files=prepared, settings=settings, arpa=arpa)
        return self._add(MadeModel(name, self._binary(name), words=int(facts["words"]), sampled=sampled))

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
        return self._add(MadeModel(name, self._binary(name), words=int(facts["words"]), sampled=True))

    def configured(self, configs: Sequence[ModelConfig]) -> list[MadeModel]:
        """The models of a configuration."""
        interpolated = {part for config in configs for part in config.linear}
        for config in configs:
            arpa = config.name in interpolated
            if config.texts:
                self.of_texts(config.name, config.texts, order=config.order, prune=config.prune, arpa=arpa)
            else:
                self._linear(config.name, config.linear, arpa=arpa)
        return [self.made[config.name] for config in configs]

    def _linear(self, name: str, parts: Sequence[str], *, arpa: bool) -> MadeModel:
        files = [self.of.job.path(f"models/{part}.arpa.gz") for part in parts]
        text = self._held_out_text

        def make(output: Path) -> dict[str, float]:
            report = interpolate_language_models(files, output, tune=text)
            return dict(zip(parts, report.weights, strict=True))

        weights = self._make(name, make, files=[*files, text], settings=list(parts), arpa=arpa)
        return self._add(MadeModel(name, self._binary(name), parts=weights))

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
