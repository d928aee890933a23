"""The demonstration: train on the sample corpus, translate its test sentences, measure; headlines of some stories."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from widl.arguments import PathLike, path_of
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents
from widl.headline.parsing import load_parser
from widl.jobs import Job, open_job
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.translation import TranslationOptions, Translator
from widl.workers import Progress, no_progress


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
    """The test sentences, their references, each system's output, and sacrebleu's signature; headlines."""

    source: list[str]
    reference: list[str]
    systems: list[System]
    signature: str
    stories: list[Story]


def sample_corpus() -> Path:
    """The folder of the sample corpus: train, dev and test, each .zh and .en, mono.en and documents.jsonl."""
    return Path(str(files("widl.pipeline").joinpath("sample")))


def run_demo(directory: PathLike, *, threads: int = 1, progress: Progress = no_progress) -> DemoResult:
    """Train a model in `directory`, unless an earlier run did, and translate the test sentences.

    Then train a headline model and generate headlines.
    """
    directory = path_of(directory, "directory")
    corpus = sample_corpus()
    model = directory / "model"
    with _open_demo(directory) as job:
        job.run(
            "model",
            lambda: train(
                [corpus / "train"], [corpus / "mono.en"], model, threads=threads, overwrite=True, progress=progress
            ),
            outputs=["model"],
            files=[corpus / name for name in ("train.zh", "train.en", "mono.en")],
        )
        stories = _stories(job, progress)
    from sacrebleu.metrics.bleu import BLEU

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
