"""The demonstration: training, tuning, searches compared, a headline, a combination, an invalid expression."""

import math
import re
import shutil
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from widl import pages
from widl.combination import Combiner
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.extras import optional_packages
from widl.common.files import write_text
from widl.common.resumable_steps import Job, open_job, remove_job
from widl.common.workers import Progress, no_progress
from widl.decoder import Certificate, format_weights
from widl.expressions import parse_expression
from widl.headline import Headline, HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents
from widl.headline.parsing import parser_version
from widl.mert import TuningOptions
from widl.pipeline.given_models import WEIGHTS
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.tuning import tune
from widl.pipeline.tuning_decoders import tunable
from widl.translation import Translation, TranslationOptions, Translator
from widl.translation.manifest import read_manifest

with optional_packages():
    from markupsafe import Markup


@dataclass(frozen=True)
class System:
    """The test sentences translated by a system, and its BLEU."""

    name: str
    output: list[str]
    bleu: float


@dataclass(frozen=True)
class SearchRow:
    """Lines of news translated by one search: the same tiles, models, weights and limit of movement for all."""

    name: str
    errors: int
    """Number of lines with a better derivation by exact search."""
    proved: int
    score: float
    """Mean Σ λ h."""
    seconds: float = field(compare=False)
    """Total processor time."""


@dataclass(frozen=True)
class SearchError:
    """A line whose best derivation stack decoding with size 100 misses and exact search finds."""

    source: str
    stack: Translation = field(compare=False)  # it has seconds
    exact: Translation = field(compare=False)
    drawing: Path
    """A page with both derivations."""


@dataclass(frozen=True)
class DemoHeadline:
    """The headline of a document by its author, and the generated one."""

    headline: str
    made: str


@dataclass(frozen=True)
class DemoResult:
    """The output of the demonstration, in this order."""

    words: int
    """Source words of the lines that are searched."""
    searches: list[SearchRow]
    error: SearchError
    translation: str
    """Translation of `SENTENCE`."""
    expression: str
    """Its search space as an expression, with rounded numbers."""
    systems: list[System]
    """The tuned default first."""
    signature: str
    headline: Headline = field(compare=False)  # it has seconds
    """Headline of `HEADLINE_TEXT`."""
    combination: str
    """Combination of `OUTPUTS`."""
    message: str
    """The error message about `WRONG`, an invalid expression."""
    stories: list[DemoHeadline]


HEADLINE_TEXT = (
    "A Spanish court on Thursday acquitted the former mayor of Marbella of bribery charges but found her guilty of "
    "misusing public funds."
)
SENTENCE = "他没有参加会议。"
_FOR_READING = TranslationOptions(table_limit=2)  # of each phrase
OUTPUTS = ("The cat sat on a mat.", "A cat sat on the mat.", "The cat sits on the mat.")
WRONG = "∨{0.5, 0.4}(rain, snow)"
_DISTORTION_LIMIT = 10
_SEARCHES = {
    "exact (A*)": TranslationOptions(search="astar", distortion_limit=_DISTORTION_LIMIT),
    "stacks of 100 (Pharaoh's)": TranslationOptions(decoder="stack", distortion_limit=_DISTORTION_LIMIT),
    "A*_2 (the papers')": TranslationOptions(search="astar-k", distortion_limit=_DISTORTION_LIMIT),
    "cube pruning, 100 pops": TranslationOptions(pop_limit=100, distortion_limit=_DISTORTION_LIMIT),
    "cube pruning, the default": TranslationOptions(distortion_limit=_DISTORTION_LIMIT),
}
"""Exact search comes first, because the other searches' errors are counted against it."""


@checked
def sample_corpus() -> Path:
    """The folder of the sample corpus: train, dev, test and news, each .zh and .en, and additional files.

    The lines of news are as long and hard as newspaper text. mono.en, dictionary.tsv and documents.jsonl are training
    data; story.txt, figure-1.widl, compare.toml, a.txt, b.txt and c.txt are for the guide's examples.
    """
    return Path(str(files("widl.pipeline").joinpath("sample")))


def copy_sample(directory: PathLike) -> list[Path]:
    """Copy the files of `sample_corpus` into a directory, created if necessary; returns the copies.

    Raises InputError, without copying, if a file of the same name has other content.
    """
    directory = Path(directory)
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


@checked
def run_demo(directory: PathLike, *, threads: int = 1, progress: Progress = no_progress) -> DemoResult:
    """Train and tune a model in `directory`, unless an earlier run did, and compare searches on lines of news.

    Then train a headline model and generate headlines, combine outputs, and parse an invalid expression.
    """
    directory = Path(directory)
    corpus = sample_corpus()
    model = directory / "model"

    def make_model() -> None:
        train_sample(model, threads=threads, progress=progress)
        tune_sample(directory, threads=threads, progress=progress)

    with _open_demo(directory) as job:
        job.run(
            "model",
            make_model,
            outputs=["model", UNTUNED],
            files=[corpus / name for name in ("train.zh", "train.en", "mono.en", "dictionary.tsv", "dev.zh", "dev.en")],
        )
        stories = _stories(job, progress)
    translator = Translator(model)
    words, searches, error = _searched(directory, threads, progress)
    systems, signature = _translated(directory, translator, threads, progress)
    return DemoResult(
        words=words,
        searches=searches,
        error=error,
        translation=translator.translate_one(SENTENCE, _FOR_READING).text,
        expression=_rounded(str(translator.expressions(SENTENCE, _FOR_READING)[0])),
        systems=systems,
        signature=signature,
        headline=Headliner(directory / "headlines").generate_one(HEADLINE_TEXT, HeadlineOptions(explain=True)),
        combination=Combiner().combine_one(OUTPUTS).text,
        message=_message(WRONG),
        stories=stories,
    )


def _rounded(text: str) -> str:
    return re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2g}", text)


def train_sample(model: Path, *, threads: int = 1, progress: Progress = no_progress) -> None:
    """Train the demonstration's translation model."""
    corpus = sample_corpus()
    files = TrainingFiles(
        bitext=[corpus / "train"], lm_text=(corpus / "mono.en",), dictionary=(corpus / "dictionary.tsv",)
    )
    train(
        files,
        model,
        threads=threads,
        overwrite=True,
        progress=progress,
    )


DRAWING = "search-error.html"
UNTUNED = "untuned.toml"
"""File of the untuned weights of the demonstration's model; the weights in the model are tuned."""


def tune_sample(directory: Path, *, threads: int = 1, progress: Progress = no_progress) -> None:
    """Tune ``model`` in `directory` on the sample's dev set, in place; ``untuned.toml`` keeps the old weights.

    The tuning job with its page is in ``tuning``. The dev set has almost no names, numbers and unknown words. Their
    features therefore keep the weights from training, relative to the norm of the others.
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
        options=TuningOptions(algorithm="mert", fixed=frozenset(origins)),
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


def _searched(directory: Path, threads: int, progress: Progress) -> tuple[int, list[SearchRow], SearchError]:
    """The lines of news, translated by each search.

    Under the untuned weights, movement is expensive enough for exact search to take only seconds at this limit.
    """
    translator, source = Translator(directory / "model", weights=directory / UNTUNED), _lines("news.zh")
    translations: dict[str, list[Translation]] = {}
    seconds: dict[str, float] = {}
    for name, options in _SEARCHES.items():
        translations[name], begin = [], time.process_time()
        for done, result in enumerate(translator.translate(source, options, threads=threads), 1):
            translations[name].append(result)
            progress(f"search: {name}", done, len(source))
        seconds[name] = time.process_time() - begin
    exact, stack = list(translations.values())[:2]
    best = [result.score for result in exact]

    def errs(result: Translation, best_score: float) -> bool:
        return not Certificate(result.score, best_score).optimal

    rows = [
        SearchRow(
            name,
            errors=sum(map(errs, results, best)),
            proved=sum(result.optimal for result in results),
            score=sum(result.score for result in results) / len(results),
            seconds=seconds[name],
        )
        for name, results in translations.items()
    ]
    wrong = [i for i, result in enumerate(stack) if errs(result, best[i])]
    shown = min(wrong, key=lambda i: len(stack[i].source))
    error = SearchError(source[shown], stack[shown], exact[shown], directory / DRAWING)
    _draw(error)
    return sum(len(result.source) for result in exact), rows, error


def _draw(error: SearchError) -> None:
    """Write the page of a line with both derivations."""
    sections = [
        pages.Section(anchor, heading, [Markup(translation._repr_html_())])
        for anchor, heading, translation in (
            ("stacks", "Stacks of 100 find", error.stack),
            ("exact", "The best one, which exact search finds and proves", error.exact),
        )
    ]
    with write_text(error.drawing) as page:
        page.write(pages.page("A search error", error.source, sections))


def _translated(directory: Path, tuned: Translator, threads: int, progress: Progress) -> tuple[list[System], str]:
    """The test sentences translated by the tuned model, and by its alternatives; the signature of BLEU."""
    with optional_packages():
        from sacrebleu.metrics.bleu import BLEU

    source, reference = _lines("test.zh"), _lines("test.en")
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
    return systems, str(bleu.get_signature())


def _message(expression: str) -> str:
    try:
        parse_expression(expression)
    except InputError as error:
        return str(error)
    raise AssertionError("the expression is right")


def make_stories(directory: PathLike) -> list[DemoHeadline]:
    """The headline part of `run_demo`."""
    with _open_demo(Path(directory)) as job:
        return _stories(job, no_progress)


def _open_demo(directory: Path) -> AbstractContextManager[Job]:
    return open_job(directory, "demonstration", shared=True)


def _stories(job: Job, progress: Progress) -> list[DemoHeadline]:
    """Train a headline model on the sample's documents, unless an earlier run did, and generate their headlines.

    The documents are too few to learn keywords from; these are weighted by frequency and place.
    """
    corpus, model = sample_corpus(), job.path("headlines")
    documents = corpus / "documents.jsonl"
    text = [corpus / "mono.en", corpus / "train.en"]
    training = HeadlineTraining(pairs=[documents], lm_text=text)
    job.run(
        "headlines",
        lambda: train_headlines(training, model, overwrite=True, progress=progress),
        outputs=["headlines"],
        files=[documents, *text],
        settings={"parser": parser_version()},
    )
    headliner = Headliner(model)
    options = HeadlineOptions()
    stories = []
    stories_to_parse = (story for story in read_documents([documents]) if isinstance(story, Document))
    for parsed in headliner.parse(stories_to_parse):
        stories.append(DemoHeadline(parsed.document.headlines[0], headliner.generate_one(parsed, options).text))
        progress("headlines", len(stories), 0)
    return stories
