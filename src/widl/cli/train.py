"""`widl train`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

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
from widl.common.options import option_set
from widl.common.workers import Engine
from widl.phrase_table.extraction import ExtractionSpace
from widl.pipeline.cluster import open_engine
from widl.pipeline.given_models import GivenTable, make_model
from widl.pipeline.progress import progress_bars
from widl.pipeline.training import TrainingOptions, TrainingReport
from widl.pipeline.training import train as run


@option_set
class TrainingFiles:
    """The text, tables and models that a model is made of; all options are repeatable."""

    bitext: Annotated[tuple[str, ...], Parameter(metavar="PREFIX")] = ()
    "Raw parallel text PREFIX.zh and PREFIX.en (or .gz). Repeatable."
    in_domain: Annotated[tuple[str, ...], Parameter(metavar="PREFIX")] = ()
    "Parallel text like what will be translated: its lexical weights and language model are features."
    phrase_table: Annotated[tuple[Path, ...], Parameter(metavar="FILE")] = ()
    "Phrase tables: Moses text, or from 'widl phrase-table'. Without --bitext, these are the only tables."
    lm_text: Annotated[tuple[Path, ...], Parameter(metavar="FILE")] = ()
    "Additional raw target-language text for the language model (.gz too)."
    lm: Annotated[tuple[Path, ...], Parameter(metavar="FILE")] = ()
    "Additional language models, ARPA or KenLM binary, with weights lm1, lm2, …"
    dictionary: Annotated[tuple[Path, ...], Parameter(metavar="FILE")] = ()
    "Dictionaries: CC-CEDICT, or lines word<TAB>gloss[<TAB>gloss…], also .gz."

    @property
    def tables(self) -> list[GivenTable]:
        """The phrase tables, whose translations compete."""
        return [GivenTable(path) for path in self.phrase_table]

    @property
    def has_text(self) -> bool:
        """Whether there is parallel text."""
        return bool(self.bitext or self.in_domain)

    def check_without_text(self, cluster: str | None) -> None:
        """InputError unless a model can be made of the tables alone."""
        if cluster is not None:
            raise InputError("--cluster is for training on --bitext")
        if not self.phrase_table:
            raise InputError("give --bitext, or --phrase-table and --lm")
        if self.lm_text or self.dictionary:
            raise InputError("--lm-text and --dictionary are for a model of --bitext")


def train(
    model: NewModel,
    /,
    *,
    files: TrainingFiles = TrainingFiles(),
    options: TrainingOptions = TrainingOptions(),
    space: ExtractionSpace = ExtractionSpace(),
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
    if not files.has_text:
        files.check_without_text(cluster)
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
            files.bitext,
            files.lm_text,
            model,
            options,
            in_domain=files.in_domain,
            language_models=files.lm,
            dictionaries=files.dictionary,
            phrase_tables=files.tables,
            threads=threads,
            memory=space.memory or 0,
            temporary_directory=space.temporary_directory,
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
