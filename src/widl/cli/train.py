"""`widl train`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from widl.cli.parameters import (
    CORES,
    Cluster,
    NewModel,
    Overwrite,
    Quiet,
    Threads,
    notify,
    resumable,
)
from widl.common.errors import InputError
from widl.common.options import fields_of, refuse_unread
from widl.common.workers import Engine
from widl.phrase_table.extraction import ExtractionResources
from widl.pipeline.cluster import open_engine
from widl.pipeline.given_models import make_model
from widl.pipeline.progress import progress_bars
from widl.pipeline.training import train as run
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.pipeline.training_report import TrainingReport
from widl.text.source_and_target import TextSettings

TABLES_ALONE = ("phrase_table", "lm", *fields_of(TextSettings))
"""The options of a model without parallel text."""


def _check_without_text(
    files: TrainingFiles, options: TrainingOptions, resources: ExtractionResources, cluster: str | None
) -> None:
    """InputError unless a model can be made of the tables alone, with these options."""
    if cluster is not None:
        raise InputError("--cluster is for training on --bitext")
    if not files.phrase_table:
        raise InputError("give --bitext, or --phrase-table and --lm")
    for given in (files, options, resources):
        refuse_unread(given, "a model without --bitext", TABLES_ALONE)


def train(
    model: NewModel,
    /,
    *,
    files: TrainingFiles = TrainingFiles(),
    options: TrainingOptions = TrainingOptions(),
    resources: ExtractionResources = ExtractionResources(),
    overwrite: Overwrite = False,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Train a translation model on raw parallel text, or on text that is already tokenized and word-aligned.

    Run the same command again to resume an interrupted training. Finished stages stay in MODEL_DIR.work until the model
    is complete. Parallel text is optional if phrase tables and language models are given.

      widl train --bitext talks --in-domain news --lm-text more.en.gz model
      widl train --phrase-table a.gz --phrase-table b.gz --lm lm.arpa model
      widl train --bitext news --source-language de model
    """
    if not files.prefixes:
        _check_without_text(files, options, resources, cluster)
        with progress_bars(quiet=quiet) as progress:
            trained = make_model(
                model, files.tables, files.lm, text=options.text, overwrite=overwrite, progress=progress
            )
        if not quiet:
            pairs = trained.training["phrase_pairs"]
            notify(f"{model}: {pairs:,} phrase pairs of {len(files.phrase_table)} tables")
        return
    with resumable(), _workers(cluster, threads) as engine, progress_bars(quiet=quiet) as progress:
        report = run(
            files,
            model,
            options,
            threads=threads,
            memory=resources.memory or 0,
            temporary_directory=resources.temporary_directory,
            overwrite=overwrite,
            progress=progress,
            engine=engine,
        )
    if not quiet:
        _print_report(model, report)


@contextmanager
def _workers(cluster: str | None, threads: int) -> Iterator[Engine | None]:
    """The engine of a cluster, which processes parts of the text; None without a cluster."""
    if cluster is None:
        yield None
        return
    with open_engine(cluster, threads=threads, notify=notify, chunk=1, unit="part") as engine:
        yield engine


def _print_report(model: Path, report: TrainingReport) -> None:
    notify(report.bitext.summary())
    pairs, phrases = report.statistics["phrase_pairs"], report.statistics["source_phrases"]
    notify(f"{pairs:,} phrase pairs of {phrases:,} source phrases")
    stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items())
    notify(f"{model}: done ({stages or 'from finished stages'})")
