"""The demonstration: train and tune on the sample corpus, translate its test sentences; headlines of some stories."""

import math
import shutil
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.common.steps import Job, open_job, remove_job
from widl.common.workers import Progress, no_progress
from widl.decoder import format_weights
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents
from widl.headline.parsing import load_parser
from widl.mert import OptimizerOptions, TuningOptions
from widl.pipeline.given_models import WEIGHTS
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.pipeline.tuning import tune
from widl.pipeline.tuning_decoders import tunable
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest


@dataclass(frozen=True)
class System:
    """The test sentences translated by a system, and its BLEU."""

    name: str
    output: list[str]
    bleu: float


@dataclass(frozen=True)
class Story:
    """The first sentence of a document, its author's headline and the generated one."""

    beginning: str
    headline: str
    made: str


@dataclass(frozen=True)
class DemoResult:
    """The test sentences, their references, each system's output, the tuned default's first; headlines."""

    source: list[str]
    reference: list[str]
    systems: list[System]
    signature: str
    stories: list[Story]


def sample_corpus() -> Path:
    """The folder of the sample corpus: train, dev and test, each .zh and .en, mono.en and documents.jsonl.

    Beside it are what the guide's examples read: story.txt, figure-1.widl and compare.toml.
    """
    return Path(str(files("widl.pipeline").joinpath("sample")))


def copy_sample(directory: PathLike) -> list[Path]:
    """Copy the files of `sample_corpus` into a directory, which is made; returns the copies.

    Nothing is copied where a file of the same name, but other content, would be replaced: InputError.
    """
    directory = path_of(directory, "directory")
    if directory.exists() and not directory.is_dir():
        raise InputError(f"{directory}: exists and is not a directory; name another one")
    copies = {directory / file.name: file for file in sorted(sample_corpus().iterdir()) if file.is_file()}
    for copy, file in copies.items():
        if copy.exists() and (copy.is_dir() or copy.read_bytes() != file.read_bytes()):
            raise InputError(f"{copy}: exists with other content; name another directory")
    directory.mkdir(parents=True, exist_ok=True)
    for copy, file in copies.items():
        shutil.copyfile(file, copy)
    return list(copies)


def run_demo(directory: PathLike, *, threads: int = 1, progress: Progress = no_progress) -> DemoResult:
    """Train and tune a model in `directory`, unless an earlier run did, and translate the test sentences.

    Then train a headline model and generate headlines.
    """
    directory = path_of(directory, "directory")
    corpus = sample_corpus()
    model = directory / "model"

    def make_model() -> None:
        train([corpus / "train"], [corpus / "mono.en"], model, threads=threads, overwrite=True, progress=progress)
        tune_sample(directory, threads=threads, progress=progress)

    with _open_demo(directory) as job:
        job.run(
            "model",
            make_model,
            outputs=["model", UNTUNED],
            files=[corpus / name for name in ("train.zh", "train.en", "mono.en", "dev.zh", "dev.en")],
            version=2,
        )
        stories = _stories(job, progress)
    return _translated(directory, stories, threads, progress)


UNTUNED = "untuned.toml"
"""The weights of the demonstration's model as training leaves them; those in the model are tuned."""


def tune_sample(directory: Path, *, threads: int = 1, progress: Progress = no_progress) -> None:
    """Tune the weights of ``model`` in `directory` on the sample's dev set, in the model; ``untuned.toml`` keeps them.

    The tuning job with its page is in ``tuning``. The dev set has next to no names, numbers and unknown words, whose
    features therefore keep the weights of training, relative to the norm of the others.
    """
    model = directory / "model"
    with write_text(directory / UNTUNED) as untuned:
        untuned.write((model / WEIGHTS).read_text(encoding="utf-8"))
    remove_job(directory / "tuning")
    translator, origins = Translator(model), read_manifest(model).origins
    before = translator.weights
    result = tune(
        translator.reweighted(before | dict.fromkeys(origins, 0.0)),
        _lines("dev.zh"),
        [_lines("dev.en")],
        directory=directory / "tuning",
        options=TuningOptions(optimizer=OptimizerOptions(algorithm="mert", fixed=frozenset(origins))),
        threads=threads,
        on_iteration=lambda iteration: progress("tune", iteration.number, 0),
    )
    progress("tune", len(result.iterations), len(result.iterations))
    names = [name for name in tunable(before) if name not in origins]
    scale = math.hypot(*(before[name] for name in names)) / math.hypot(*(result.weights[name] for name in names))
    weights = before | {name: scale * result.weights[name] for name in names}
    with write_text(model / WEIGHTS) as tuned:
        tuned.write(format_weights(weights))


def _lines(name: str) -> list[str]:
    return (sample_corpus() / name).read_text(encoding="utf-8").splitlines()


def _translated(directory: Path, stories: list[Story], threads: int, progress: Progress) -> DemoResult:
    """The test sentences translated by the tuned model, and by what it is compared with."""
    from sacrebleu.metrics.bleu import BLEU

    source, reference = _lines("test.zh"), _lines("test.en")
    tuned = Translator(directory / "model")
    outputs: dict[str, list[str]] = {}
    for name, translator, options in (
        ("widl, tuned", tuned, TranslationOptions()),
        ("widl, before tuning", Translator(directory / "model", weights=directory / UNTUNED), TranslationOptions()),
        ("stack decoder, tuned weights", tuned, TranslationOptions(decoder="stack")),
        ("words in the source's order", tuned, TranslationOptions(distortion_limit=0)),
    ):
        outputs[name] = []
        for done, result in enumerate(translator.translate(source, options, threads=threads), 1):
            outputs[name].append(result.text)
            progress(f"translate: {name}", done, len(source))
    bleu = BLEU()
    systems = [System(name, output, bleu.corpus_score(output, [reference]).score) for name, output in outputs.items()]
    return DemoResult(source, reference, systems, str(bleu.get_signature()), stories)


def make_stories(directory: PathLike, *, progress: Progress = no_progress) -> list[Story]:
    """The headline part of `run_demo`."""
    with _open_demo(path_of(directory, "directory")) as job:
        return _stories(job, progress)


def _open_demo(directory: Path) -> AbstractContextManager[Job]:
    return open_job(directory, "demonstration", shared=True)


def _stories(job: Job, progress: Progress) -> list[Story]:
    """Train a headline model on the sample's documents, unless an earlier run did, and generate their headlines.

    The documents are too few to learn keywords from; these are weighted by frequency and place.
    """
    corpus, model = sample_corpus(), job.path("headlines")
    documents = corpus / "documents.jsonl"
    text = [corpus / "mono.en", corpus / "train.en"]
    training = HeadlineTraining(pairs=[documents], text=text)
    job.run(
        "headlines",
        lambda: train_headlines(training, model, overwrite=True, progress=progress),
        outputs=["headlines"],
        files=[documents, *text],
        settings={"parser": load_parser().fingerprint.hex()},
    )
    headliner = Headliner(model)
    options = HeadlineOptions()
    stories = []
    stories_to_parse = (story for story in read_documents([documents]) if isinstance(story, Document))
    for parsed in headliner.parse(stories_to_parse):
        beginning = "".join(token.text + " " * token.space for token in parsed.sentences[0]).strip()
        made = headliner.of_parsed(parsed, options).text
        stories.append(Story(beginning, parsed.document.headlines[0], made))
        progress("headlines", len(stories), 0)
    return stories
