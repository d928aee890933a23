"""`widl headline`: headlines of documents."""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Annotated, TextIO

from cyclopts import Parameter

from widl.cli.commands import STANDARD_STREAM, commands
from widl.cli.expression_outputs import ExpressionOutputs
from widl.cli.parameters import (
    CORES,
    Cluster,
    Overwrite,
    Quiet,
    Threads,
    Weights,
    check_model_first,
    check_outputs,
    located_runs,
    notify,
    output_stream,
    resumable,
    shows_lines,
)
from widl.common.arguments import counted, one_line
from widl.common.errors import InputError, MissingFileError
from widl.common.files import write_text
from widl.common.manifests import MANIFEST
from widl.common.options import adjust, fields_of, option_set
from widl.decoder import SearchOptions
from widl.headline import Headline, HeadlineOptions, Headliner
from widl.headline.documents import Document, UnreadableDocument, document_runs
from widl.headline.model import MODEL_FILES, READY_MODEL, document_lines
from widl.headline.options import SEARCHED
from widl.pipeline.cluster import open_engine
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.progress import ItemCounter, counting, progress_bars

app = commands("headline", "Make headlines for documents: twelve words, or 75 bytes.")

Pairs = Annotated[
    list[Path],
    Parameter(
        metavar="PAIRS MODEL_DIR",
        help="Documents with headlines (JSON lines with text and headline, or directories of DUC files), "
        "then the output directory.",
    ),
]


@app.command(name="train")
def train(
    pairs: Pairs,
    /,
    *,
    training: HeadlineTraining = HeadlineTraining(),
    overwrite: Overwrite = False,
    threads: Threads = CORES,
    quiet: Quiet = False,
) -> None:
    """Learn from documents with headlines: the words that headlines keep, their forms, and their sequences.

    If there are fewer than 50 headlines, only language models are made, and keywords are weighted by frequency and
    position. Run the same command again to resume an interrupted training.

      widl headline train news.jsonl headlines
    """
    *files, directory = pairs
    if not files:
        raise InputError(f"{pairs[0]}: name the training documents first, then the directory of the new model")
    training = adjust(training, pairs=tuple(files), threads=threads)
    start = time.perf_counter()
    with resumable(), progress_bars(quiet=quiet) as progress:
        manifest = train_headlines(training, directory, overwrite=overwrite, progress=progress)
    if not quiet:
        documents, headlines = (int(manifest.training[name]) for name in ("documents", "pairs"))
        notify(
            f"{directory}: {counted(documents, 'document')}, {counted(headlines, 'headline')}, "
            f"{time.perf_counter() - start:.1f} seconds"
        )


ModelAndDocuments = Annotated[
    list[Path] | None,
    Parameter(
        metavar="[MODEL_DIR] FILE",
        help="A directory made by 'widl headline train', default: the package's model; then documents: text, JSON, "
        "SGML, directories, default: stdin.",
    ),
]

_READ_AFTER_SEARCH = ("ranked", "explain", "only_sure", "sure_of")
EXPRESSION_READS = fields_of(HeadlineOptions).keys() - {*fields_of(SearchOptions), *_READ_AFTER_SEARCH}
"""Options that expressions depend on: all except search and ranking options."""


@option_set
class Outputs(ExpressionOutputs):
    """What is written, where, and in which form."""

    ids: bool = False
    "Print each document's identifier before its headline."


@app.command(name="generate")
def generate(
    paths: ModelAndDocuments = None,
    /,
    *,
    lines: Annotated[
        bool, Parameter(help="Each line of the input is a document; an empty line has no headline.")
    ] = False,
    outputs: Outputs = Outputs(),
    options: HeadlineOptions = HeadlineOptions(),
    weights: Weights = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Make headlines for documents, one per line, in order; with --nbest, lines of 'rank<TAB>headline'.

    The first argument is the model if it is a directory made by 'widl headline train'; otherwise, the package's model
    is used, and all arguments are documents.

    If no clause of a document fits, its headline is the beginning of the text, with a message. A document that can't be
    read or has no words yields an empty line and a message, and the exit code is 1.

      widl headline generate story.txt
      widl headline generate headlines story.txt more.jsonl --ids
      widl headline generate --lines stories.txt
      widl headline generate headlines duc/ --words 0 --bytes 75
    """
    outputs.check_expressions(options, EXPRESSION_READS)
    model, files = _model_and_documents(paths or [])
    check_outputs({"--output": outputs.output, "--draw": outputs.draw}, files)
    runs = _documents_of_lines(files) if lines else document_runs(None if files in ([], [STANDARD_STREAM]) else files)
    headliner = Headliner(model, weights=weights, system=options.system)
    if outputs.of_expressions:
        _print_expressions(headliner, chain.from_iterable(runs), options, outputs)
        return
    with (
        open_engine(cluster, threads=threads, notify=notify) as engine,
        output_stream(outputs.output) as out,
        counting("documents", quiet=quiet or shows_lines(outputs.output)) as counter,
    ):
        headlines = (headline for run in runs for headline in headliner.generate(run, options, engine=engine))
        failed, withheld = _print_headlines(headlines, out, counter, options, outputs)
    if withheld and not quiet:
        notify(f"{counted(withheld, 'headline')} left empty: confidence below {options.only_sure:g}")
    if failed:
        sys.exit(1)


def _model_and_documents(paths: Sequence[Path]) -> tuple[Path, list[Path]]:
    """The model, the package's unless the first path is one, and the documents.

    InputError if a model follows documents, or the first path does not exist.
    """
    if not paths:
        return READY_MODEL, []
    first, *others = paths
    if first.is_dir() and any((first / name).exists() for name in MODEL_FILES):
        return first, others
    if first == STANDARD_STREAM or first.exists():
        if any((path / MANIFEST).is_file() for path in others):
            check_model_first(first, others)
            raise InputError(f"{first}: documents, where a model directory was expected; give the model first")
        return READY_MODEL, [*paths]
    raise MissingFileError(
        f"{first}: no such file or directory; a document or a model made by 'widl headline train' was expected"
    )


def _documents_of_lines(files: Sequence[Path]) -> Iterator[Iterator[Document]]:
    """A document for each line, named by its place, in the runs of a pipe."""
    for run in located_runs(files):
        yield (Document(place, line) for place, line in run)


def _lines(headline: Headline, nbest: int) -> list[str]:
    """The headline; with several candidates requested, all of them with their ranks."""
    if nbest == 1:
        return [headline.text]
    texts = [candidate.text for candidate in headline.nbest] or [headline.text]
    return [f"{rank}\t{text}" for rank, text in enumerate(texts, 1)]


def _print_headlines(
    headlines: Iterable[Headline], out: TextIO, counter: ItemCounter, options: HeadlineOptions, outputs: Outputs
) -> tuple[int, int]:
    """Write headlines as they are made; returns how many failed, and how many were below the required confidence."""
    failed = withheld = 0
    for headline in headlines:
        if headline.message and not headline.withheld:
            counter.notify(_located(headline.identifier, headline.message))
        if headline.explanation is not None and not outputs.json:
            counter.notify(_located(headline.identifier, str(headline.explanation)))
        if options.nbest > 1 and headline.nbest_truncation:
            counter.notify(_located(headline.identifier, headline.nbest_truncation))
        failed += headline.failed
        withheld += headline.withheld
        if outputs.json:
            out.write(headline.to_json() + "\n")
        else:
            identifier = f"{one_line(headline.identifier)}\t" if outputs.ids else ""
            lines = [""] if headline.withheld else _lines(headline, options.nbest)
            out.writelines(f"{identifier}{line}\n" for line in lines)
        if out is sys.stdout:
            out.flush()
        counter.step()
    return failed, withheld


def _located(identifier: str, message: str) -> str:
    """Prepends the document's name to a message that lacks it."""
    return one_line(message if f"{identifier}:" in message.replace("<stdin>", "stdin") else f"{identifier}: {message}")


def _print_expressions(
    headliner: Headliner,
    documents: Iterable[Document | UnreadableDocument],
    options: HeadlineOptions,
    outputs: Outputs,
) -> None:
    """Print each document's expression on a line, draw it, and write its realization inputs."""
    if options.system not in SEARCHED:
        raise InputError(f"--expression and --draw show expressions of widl and widl-paper; {options.system} has none")
    failed, written = 0, outputs.writer()
    outputs.write_weights(headliner.expression_weights)
    with output_stream(outputs.output) as out:
        for position, document in enumerate(documents, 1):
            expression, message = None, ""
            if isinstance(document, UnreadableDocument):
                message = document.message
            else:
                parsed = next(iter(headliner.parse([document])))
                if (search := headliner.searchable(parsed, options)) is not None:
                    expression = search.expression
                else:
                    message = "no clause of it fits"
                if outputs.expression_models is not None:
                    with write_text(outputs.expression_models / f"{position}.txt") as file:
                        file.writelines(f"{line}\n" for line in document_lines(parsed.document.text))
            if message:
                notify(_located(document.identifier, message))
                failed += 1
            line = "" if expression is None else written(expression)
            out.write((f"{one_line(document.identifier)}\t" if outputs.ids else "") + line + "\n")
    if failed:
        sys.exit(1)
