"""The demonstration: train on the sample corpus, translate its test sentences, measure."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import sacrebleu

from widl import __version__
from widl.errors import InputError
from widl.pipeline.model_directory import read_manifest
from widl.pipeline.training import train
from widl.pipeline.translation import TranslationOptions, Translator
from widl.workers import Progress, no_progress


@dataclass(frozen=True)
class System:
    """One way to translate the test sentences, and its BLEU."""

    name: str
    output: list[str]
    bleu: float


@dataclass(frozen=True)
class DemoResult:
    """The test sentences, their references, what each system made of them, and sacrebleu's signature."""

    source: list[str]
    reference: list[str]
    systems: list[System]
    signature: str


def sample_corpus() -> Path:
    """The folder of the sample corpus: train, dev and test, each .zh and .en, and mono.en."""
    return Path(str(files("widl.pipeline").joinpath("sample")))


def run_demo(directory: Path, *, threads: int = 1, progress: Progress = no_progress) -> DemoResult:
    """Train a model in `directory`, unless it is there from an earlier run, and translate the test sentences."""
    corpus = sample_corpus()
    model = directory / "model"
    directory.mkdir(parents=True, exist_ok=True)
    _make_model(corpus, model, threads, progress)
    source = (corpus / "test.zh").read_text(encoding="utf-8").splitlines()
    reference = (corpus / "test.en").read_text(encoding="utf-8").splitlines()
    translator = Translator(model)
    outputs = {"word-by-word gloss": [translator.gloss(line) for line in source]}
    for name, options in (
        ("source order", TranslationOptions(distortion_limit=0)),
        ("A*_2", TranslationOptions(search="astar-k", k=2)),
        ("stack decoder", TranslationOptions(decoder="stack")),
        ("widl", TranslationOptions()),
    ):
        outputs[name] = []
        for done, result in enumerate(translator.translate(source, options, threads=threads), 1):
            outputs[name].append(result.text)
            progress(f"translate: {name}", done, len(source))
    bleu = sacrebleu.BLEU()
    systems = [System(name, output, bleu.corpus_score(output, [reference]).score) for name, output in outputs.items()]
    return DemoResult(source, reference, systems, str(bleu.get_signature()))


def _make_model(corpus: Path, model: Path, threads: int, progress: Progress) -> None:
    digest = hashlib.sha256(__version__.encode())
    for name in ("train.zh", "train.en", "mono.en"):
        digest.update((corpus / name).read_bytes())
    made_from = model.with_name("model.sha256")
    if _is_whole(model) and made_from.exists() and made_from.read_text() == digest.hexdigest():
        return
    train([corpus / "train"], [corpus / "mono.en"], model, threads=threads, overwrite=True, progress=progress)
    made_from.write_text(digest.hexdigest())


def _is_whole(model: Path) -> bool:
    try:
        read_manifest(model)
    except InputError:
        return False
    return True
