"""The demonstration: train on the sample corpus, translate its test sentences, measure; headlines of some stories."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import sacrebleu

from widl import __version__
from widl.arguments import PathLike, path_of
from widl.errors import InputError
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents
from widl.headline.manifest import read_headline_manifest
from widl.headline.parsing import load_parser
from widl.manifests import Manifest
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest
from widl.workers import Progress, no_progress


@dataclass(frozen=True)
class System:
    """One way to translate the test sentences, and its BLEU."""

    name: str
    output: list[str]
    bleu: float


@dataclass(frozen=True)
class Story:
    """The first sentence of a document, its own headline and the one that was made."""

    beginning: str
    headline: str
    made: str


@dataclass(frozen=True)
class DemoResult:
    """The test sentences, their references, what each system made of them, and sacrebleu's signature; headlines."""

    source: list[str]
    reference: list[str]
    systems: list[System]
    signature: str
    stories: list[Story]


def sample_corpus() -> Path:
    """The folder of the sample corpus: train, dev and test, each .zh and .en, mono.en and documents.jsonl."""
    return Path(str(files("widl.pipeline").joinpath("sample")))


def run_demo(directory: PathLike, *, threads: int = 1, progress: Progress = no_progress) -> DemoResult:
    """Train a model in `directory`, unless it is there from an earlier run, and translate the test sentences.

    The same for headlines.
    """
    directory = path_of(directory, "directory")
    corpus = sample_corpus()
    model = directory / "model"
    directory.mkdir(parents=True, exist_ok=True)
    _make_model(corpus, model, threads, progress)
    stories = make_stories(directory / "headlines", progress=progress)
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
    return DemoResult(source, reference, systems, str(bleu.get_signature()), stories)


def _make_model(corpus: Path, model: Path, threads: int, progress: Progress) -> None:
    def make() -> None:
        train([corpus / "train"], [corpus / "mono.en"], model, threads=threads, overwrite=True, progress=progress)

    _unless_there(model, read_manifest, [corpus / name for name in ("train.zh", "train.en", "mono.en")], b"", make)


def make_stories(model: PathLike, *, progress: Progress = no_progress) -> list[Story]:
    """Train a headline model on the sample's documents, unless it is there, and make their headlines with it.

    They are too few to learn keywords from, which are weighed by frequency and place.
    """
    model = path_of(model, "model")
    corpus = sample_corpus()
    documents = corpus / "documents.jsonl"
    text = [corpus / "mono.en", corpus / "train.en"]

    def make() -> None:
        train_headlines(HeadlineTraining(pairs=[documents], text=text), model, overwrite=True, progress=progress)

    _unless_there(model, read_headline_manifest, [documents, *text], load_parser().fingerprint, make)
    headliner = Headliner(model)
    options = HeadlineOptions()
    stories = []
    for parsed in headliner.parse(found for found in read_documents([documents]) if isinstance(found, Document)):
        beginning = "".join(token.text + " " * token.space for token in parsed.sentences[0]).strip()
        made = headliner.of_parsed(parsed, options).text
        stories.append(Story(beginning, parsed.document.headlines[0], made))
        progress("headlines", len(stories), 0)
    return stories


def _unless_there(
    model: Path,
    read: Callable[[Path], Manifest],
    files: Iterable[Path],
    made_with: bytes,
    make: Callable[[], None],
) -> None:
    """Make a model unless a whole one is there that was made from the same files by the same version."""
    digest = hashlib.sha256(__version__.encode() + made_with)
    for file in files:
        digest.update(file.read_bytes())
    made_from = model.with_name(f"{model.name}.sha256")
    if _is_whole(model, read) and made_from.exists() and made_from.read_text() == digest.hexdigest():
        return
    make()
    made_from.write_text(digest.hexdigest())


def _is_whole(model: Path, read: Callable[[Path], Manifest]) -> bool:
    try:
        read(model)
    except InputError:
        return False
    return True
