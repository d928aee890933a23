"""Language models for the word-ordering experiment: of texts, and mixtures of such models; steps of its job.

A step for each text prepares its lines, and one for each model makes ``models/NAME.binary``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from widl.common.errors import InputError
from widl.common.hashing import write_json
from widl.decoder import convert_language_model, estimate_language_model, interpolate_language_models
from widl.decoder.language_model import MAX_ORDER
from widl.experiments.bags import name_of
from widl.experiments.config import InputPath, Name, check_distinct
from widl.experiments.experiment import ExperimentRun
from widl.pages.tables import Record
from widl.text.penn import training_lines

ORDER = 3
"""Of the paper's language model."""
POOLED = "all-texts"


class ModelConfig(Record):
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
    check_distinct("models", [POOLED, *(model.name for model in models)])
    above: set[str] = set()
    for model in models:
        if model.linear and not held_out:
            raise ValueError(f"model {model.name!r}: a mixture needs 'held_out', a text to learn its weights from")
        for part in model.linear:
            if part not in above:
                raise ValueError(f"model {model.name!r}: no model {part!r} above it")
        above.add(model.name)


@dataclass(frozen=True)
class OrderingModel:
    """A language model: its file, and what is known of it."""

    name: str
    file: Path
    words: int | None = None
    """Of the text it was estimated from."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """Of a mixture: the models' weights."""


def prepared_texts(run: ExperimentRun, files: Iterable[Path]) -> dict[Path, Path]:
    """The lines of each text as training lines, in a file that a step makes."""
    prepared: dict[Path, Path] = {}
    for file in dict.fromkeys(files):
        output = f"text/{name_of(file)}.txt"
        if run.job.path(output) in prepared.values():
            output = f"text/{len(prepared)}-{name_of(file)}.txt"
        prepared[file] = run.job.path(output)
        step = output.removesuffix(".txt").replace("/", " ")
        run.job.run(step, partial(_write_training_lines, file, prepared[file]), outputs=[output], files=[file])
    return prepared


def _write_training_lines(file: Path, output: Path) -> None:
    with output.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{line}\n" for line in training_lines(file))


def make_models(
    run: ExperimentRun, configs: Sequence[ModelConfig], texts: Mapping[Path, Path], held_out: Path | None
) -> list[OrderingModel]:
    """The models of a configuration, a step each; a mixture needs the ARPA files of its parts."""
    interpolated = {part for config in configs for part in config.linear}
    return [_made(run, config, texts, held_out, arpa=config.name in interpolated) for config in configs]


def _made(
    run: ExperimentRun, config: ModelConfig, texts: Mapping[Path, Path], held_out: Path | None, *, arpa: bool
) -> OrderingModel:
    job = run.job
    sources = config.texts or [text for text in (held_out,) if text]
    files = [texts[text] for text in sources]
    if not any(path.stat().st_size for path in files):
        raise InputError(f"{sources[0]}: no words to estimate a language model from")
    parts = [job.path(f"models/{part}.arpa.gz") for part in config.linear]
    record, binary, arpa_file = (f"models/{config.name}.{ending}" for ending in ("json", "binary", "arpa.gz"))
    made = job.path(arpa_file if arpa else binary)

    def make() -> None:
        known: dict[str, object]
        if config.linear:
            weights = interpolate_language_models(parts, made, tune=files[0]).weights
            known = {"parts": dict(zip(config.linear, weights, strict=True))}
        else:
            known = {"words": estimate_language_model(files, made, order=config.order, prune=config.prune).words}
        if arpa:
            convert_language_model(made, job.path(binary), kind="rest")
        write_json(job.path(record), known)

    job.run(
        f"model {config.name}",
        make,
        outputs=[record, binary, *([arpa_file] if arpa else [])],
        files=[*parts, *files],
        settings={"order": config.order, "prune": config.prune, "linear": config.linear},
    )
    return OrderingModel(config.name, job.path(binary), **job.read(record))
