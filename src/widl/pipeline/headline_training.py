"""Training a headline model: language models, and the content model, from pairs of headlines and texts."""

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from pydantic import Field

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted, kind_of, paths_of
from widl.common.errors import InputError, WrongTypeError
from widl.common.files import check_readable, link_or_copy, read_lines, temporary_beside, write_text
from widl.common.manifests import file_facts, read_manifest_as
from widl.common.option_values import NOT_ON_COMMAND_LINE, Positive, shown_in_help
from widl.common.options import option_set
from widl.common.resumable_steps import Job
from widl.common.spool import Spool
from widl.common.workers import Progress, chunked, map_in_order, no_progress
from widl.decoder import estimate_language_model, format_weights
from widl.decoder.language_model import DEFAULT_ORDER, MAX_ORDER
from widl.headline.content_model import (
    LEARNED_SENTENCES,
    CompressedText,
    ContentModel,
    TrainingPair,
    train_content_model,
)
from widl.headline.documents import DOCUMENT_KEYS, Document, UnreadableDocument, read_documents
from widl.headline.manifest import HeadlineManifest
from widl.headline.model import CLAUSE_WEIGHTS, TRAINED_CLAUSE_WEIGHTS, clause_layout
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents, parser_version
from widl.headline.words import Word, keys_of, without_vectors
from widl.pipeline.model_directory import (
    check_output_directory,
    command_digest,
    is_made,
    new_model_directory,
    open_training,
    write_manifest,
)
from widl.text.test_sets import refuse_markup

GENERAL, HEADLINES, WORDS, WEIGHTS = "general.binary", "headlines.binary", "words.json.gz", "weights.toml"
MIN_PAIRS = 50
"""Minimum number of pairs; with fewer pairs only language models are estimated."""

_PARSED_WORDS = 160
_PARSED_DOCUMENTS = 64
"""Number of documents that a worker parses at a time."""


@option_set
class HeadlineTraining:
    """Training data and options of a headline model."""

    pairs: Annotated[Sequence[PathLike], NOT_ON_COMMAND_LINE] = ()
    "Files of documents with headlines."
    lm_text: Annotated[Sequence[PathLike], shown_in_help(metavar="FILE")] = ()
    "Running text for the general language model, one sentence per line. Repeatable."
    order: Annotated[int, Field(ge=2, le=MAX_ORDER)] = DEFAULT_ORDER
    "Order of the language models."
    threads: Annotated[Positive, NOT_ON_COMMAND_LINE] = 1
    "Processes that parse."


@checked
def train_headlines(
    training: HeadlineTraining, directory: PathLike, *, overwrite: bool = False, progress: Progress = no_progress
) -> HeadlineManifest:
    """Train a model directory; it appears when it is complete. The same call resumes an interrupted training, or
    returns the manifest of the model that it has already made.

    Deletions are learned from documents with `compressions` and from documents whose headline is a shortened sentence;
    with fewer than `MIN_PAIRS` of either, the package's learned model is used. If there are fewer headlines,
    keywords are weighted by frequency and position. All documents are used for the general language model.

    Raises:
        InputError: There are no documents and no text, or a document can't be read.
    """
    if not isinstance(training, HeadlineTraining):
        raise WrongTypeError(f"training: found {kind_of(training)}; pass HeadlineTraining(pairs=[path])")
    directory = Path(directory)
    pairs, text = paths_of(training.pairs, "pairs"), paths_of(training.lm_text, "lm_text")
    settings = {"order": training.order, "pairs": len(pairs)}
    command = partial(command_digest, "training of a headline model", [*pairs, *text], settings)
    if not overwrite and directory.is_dir() and is_made(directory, command()):
        return read_manifest_as(HeadlineManifest, directory)
    check_output_directory(directory, overwrite=overwrite)
    for path in text:
        check_readable(path)
    documents = list(_documents(pairs))
    with_headline = [document for document in documents if document.headlines]
    if not documents and not text:
        raise InputError("nothing to train from; give documents with headlines, or text (--lm-text, in Python lm_text)")
    compressed = [document for document in documents if document.compressions]
    if documents and not with_headline and not compressed:
        _refuse_other_keys(training, documents)
    compressed = compressed if len(compressed) >= MIN_PAIRS else []
    # If there are few headlines and few compressions, documents are not parsed.
    learns = len(with_headline) >= MIN_PAIRS or bool(compressed)
    with open_training(directory, "training of a headline model") as job:
        models = _estimate_models(job, training, documents, with_headline)
        paired = with_headline if len(with_headline) >= MIN_PAIRS else []
        _train_content_model(job, training, paired, compressed, progress)
        with new_model_directory(directory, command(), job) as temporary:
            for name in (*models, WORDS):
                link_or_copy(job.path(name), temporary / name)
            defaults = TRAINED_CLAUSE_WEIGHTS if paired else CLAUSE_WEIGHTS
            weights = {name: defaults.get(name, 0.0) for name in clause_layout(len(models) + 1).names}
            (temporary / WEIGHTS).write_text(format_weights(weights), encoding="utf-8")
            made_from: dict[str, int | float | str] = {
                "documents": len(documents),
                "pairs": len(with_headline),
                "compressions": len(compressed),
            }
            manifest = HeadlineManifest(
                language_models=models,
                **file_facts(temporary),
                training=made_from | ({"parser": parser_version()} if learns else {}),
            )
            write_manifest(temporary, manifest)
    return manifest


def _estimate_models(
    job: Job, training: HeadlineTraining, documents: Sequence[Document], with_headline: Sequence[Document]
) -> list[str]:
    """Estimates the general language model, and a headline model if there are enough headlines; returns their file
    names."""
    pairs, text = paths_of(training.pairs, "pairs"), paths_of(training.lm_text, "lm_text")
    lines = (line for document in documents for line in document.text.split("\n"))
    settings = {"order": training.order}
    job.run(
        "general language model",
        lambda: _estimate(lines, text, job.path(GENERAL), training.order),
        outputs=[GENERAL],
        files=[*pairs, *text],
        settings=settings,
    )
    if len(with_headline) < MIN_PAIRS:
        return [GENERAL]
    headlines = (headline for document in with_headline for headline in document.headlines)
    job.run(
        "language model of headlines",
        lambda: _estimate(headlines, (), job.path(HEADLINES), training.order),
        outputs=[HEADLINES],
        files=pairs,
        settings=settings,
    )
    return [GENERAL, HEADLINES]


def _refuse_other_keys(training: HeadlineTraining, documents: Sequence[Document]) -> None:
    """InputError if no document has a headline, but other keys may contain headlines."""
    keys = dict.fromkeys(key for document in documents for key in document.keys)
    if others := [key for key in keys if key not in DOCUMENT_KEYS]:
        named = ", ".join(map(repr, others[:10]))
        raise InputError(
            f"{training.pairs[0]}: no headline in {counted(len(documents), 'document')}: expected them under the key "
            f"'headline' or 'headlines'; other keys found are {named}; rename one, or give the text alone with "
            "--lm-text"
        )


def _documents(files: Sequence[PathLike]) -> Iterator[Document]:
    if not files:
        return
    for document in read_documents(files):
        if isinstance(document, UnreadableDocument):
            raise InputError(document.message)
        yield document


def _estimate(lines: Iterable[str], files: Sequence[PathLike], output: Path, order: int) -> None:
    """A language model of the lines and of the files' lines, normalized like headlines that are scored."""
    with temporary_beside(output.with_suffix(".txt")) as text:
        written = 0
        for file in files:
            refuse_markup(Path(file))
        with text.open("w", encoding="utf-8") as out:
            for source in (lines, *(read_lines(file) for file in files)):
                for line in source:
                    if keys := keys_of(line):
                        out.write(" ".join(keys) + "\n")
                        written += 1
        if not written:
            raise InputError("no words to estimate a language model from")
        estimate_language_model(text, output, order=max(order, 2))


class _SentenceWorker:
    """Parses documents; the sentences used for training keep their context vectors."""

    def __call__(self, documents: Sequence[Document]) -> list[tuple[Document, list[list[Word]]]]:
        results = []
        for parsed in parse_documents(documents, words=_PARSED_WORDS):
            sentences = sentences_of(parsed)
            if not parsed.document.compressions:
                sentences[LEARNED_SENTENCES:] = map(without_vectors, sentences[LEARNED_SENTENCES:])
            results.append((parsed.document, sentences))
        return results


def _train_content_model(
    job: Job,
    training: HeadlineTraining,
    paired: Sequence[Document],
    compressed: Sequence[Document],
    progress: Progress,
) -> None:
    learns = bool(paired or compressed)

    def write() -> None:
        content_model = ContentModel()
        if learns:
            total = len(paired) + len(compressed)
            documents = chunked([*paired, *compressed], _PARSED_DOCUMENTS)
            batches = map_in_order(_SentenceWorker, documents, threads=training.threads)
            with Spool[TrainingPair]() as pairs, Spool[CompressedText]() as texts:
                for done, (document, sentences) in enumerate(itertools.chain.from_iterable(batches), 1):
                    if done <= len(paired):
                        pairs.append(TrainingPair(document.headlines[0], document.text, sentences))
                    else:
                        for short in document.compressions:
                            texts.append(CompressedText(short, sentences))
                    progress("parse", done, total)
                content_model = train_content_model(pairs, texts, progress)
        with write_text(job.path(WORDS)) as file:
            file.write(json.dumps(content_model.as_json(), ensure_ascii=False))

    files = paths_of(training.pairs, "pairs") if learns else []
    job.run("words", write, outputs=[WORDS], files=files, settings={"parser": parser_version()} if learns else {})
