"""`widl train`."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl.cli.parameters import (
    CORES,
    Cluster,
    NewDirectory,
    NewModel,
    Overwrite,
    Quiet,
    Threads,
    notify,
    one_output,
    resumable,
)
from widl.common.errors import InputError
from widl.common.workers import Engine
from widl.phrase_table.extraction import ExtractionSpace
from widl.pipeline.cluster import open_engine
from widl.pipeline.given_models import GivenTable, make_model
from widl.pipeline.progress import progress_bars
from widl.pipeline.training import TrainingOptions, TrainingReport
from widl.pipeline.training import train as run
from widl.translation.manifest import TableUse

Bitext = Annotated[
    list[str] | None,
    Parameter(
        metavar="PREFIX",
        help="Raw parallel text PREFIX.zh and PREFIX.en (or .gz). Repeatable.",
    ),
]
InDomain = Annotated[
    list[str] | None,
    Parameter(
        metavar="PREFIX",
        help="Parallel text like what will be translated: its lexical weights and language model are features.",
    ),
]
MoreText = Annotated[
    list[Path] | None,
    Parameter(
        metavar="FILE",
        help="Additional raw target-language text for the language model (.gz too).",
    ),
]
PhraseTables = Annotated[
    list[Path] | None,
    Parameter(
        metavar="FILE",
        help="Phrase tables: Moses text, or from 'widl phrase-table'. Without --bitext, these are the only tables.",
    ),
]
TablesAre = Annotated[
    str,
    Parameter(
        name="--further-tables",
        metavar="USE",
        help="Use of tables after the first: alternatives, or back-off, for spans that earlier tables lack.",
    ),
]
Dictionaries = Annotated[
    list[Path] | None,
    Parameter(
        metavar="FILE",
        help="Dictionaries: CC-CEDICT, or lines word<TAB>gloss[<TAB>gloss…], also .gz.",
    ),
]
FinishedModels = Annotated[
    list[Path] | None,
    Parameter(metavar="FILE", help="Additional language models, ARPA or KenLM binary, with weights lm1, lm2, …"),
]


SharedFolder = Annotated[
    Path | None,
    Parameter(
        name="--shared-folder", help="With --cluster: directory that all workers can access. Default: MODEL_DIR.work."
    ),
]


def train(
    model: NewModel = None,
    /,
    *,
    output: NewDirectory = None,
    bitext: Bitext = None,
    in_domain: InDomain = None,
    phrase_table: PhraseTables = None,
    further_tables: TablesAre = "alternatives",
    lm_text: MoreText = None,
    language_model: FinishedModels = None,
    dictionary: Dictionaries = None,
    options: TrainingOptions = TrainingOptions(),
    space: ExtractionSpace = ExtractionSpace(),
    overwrite: Overwrite = False,
    threads: Threads = CORES,
    cluster: Cluster = None,
    shared_folder: SharedFolder = None,
    quiet: Quiet = False,
) -> None:
    """Train a translation model on raw parallel text, or on text that is already tokenized and word-aligned.

    Run the same command again to resume an interrupted training. Finished stages stay in MODEL_DIR.work until the model
    is complete. Parallel text is optional if phrase tables and language models are given.

      widl train --bitext talks --in-domain news --lm-text more.en.gz model
      widl train --phrase-table news.gz talks.gz --language-model news.arpa model
      widl train --bitext news --source-language de model
    """
    model = one_output(model, output, "at the end")
    tables = _given_tables(phrase_table or [], further_tables)
    has_text = bool(bitext or in_domain)
    if shared_folder is not None and cluster is None:
        raise InputError("--shared-folder is for --cluster")
    if not has_text:
        _check_without_text(tables, [*(lm_text or []), *(dictionary or [])], cluster)
        with progress_bars(quiet=quiet) as progress:
            trained = make_model(
                model, tables, language_model or [], text=options.text, overwrite=overwrite, progress=progress
            )
        if not quiet:
            sys.stderr.write(f"{model}: {trained.training['phrase_pairs']:,} phrase pairs of {len(tables)} tables\n")
        return
    with resumable(), _workers(cluster, threads) as engine, progress_bars(quiet=quiet) as progress:
        report = run(
            bitext or [],
            lm_text or [],
            model,
            options,
            in_domain=in_domain or [],
            language_models=language_model or [],
            dictionaries=dictionary or [],
            phrase_tables=tables,
            threads=threads,
            memory=space.memory or 0,
            temporary_directory=space.temporary_directory,
            overwrite=overwrite,
            progress=progress,
            engine=engine,
            shared_folder=shared_folder,
        )
    if not quiet:
        _notify(model, report)


def _given_tables(paths: Sequence[Path], further_tables: str) -> list[GivenTable]:
    if further_tables not in ("alternatives", "back-off"):
        raise InputError("alternatives or back-off")
    use: TableUse = "back-off" if further_tables == "back-off" else "alternatives"
    return [GivenTable(path, use) for path in paths]


def _check_without_text(tables: Sequence[GivenTable], more: Sequence[Path], cluster: str | None) -> None:
    if cluster is not None:
        raise InputError("--cluster is for training on --bitext")
    if not tables:
        raise InputError("give --bitext, or --phrase-table and --language-model")
    if more:
        raise InputError("--lm-text and --dictionary are for a model of --bitext")


@contextmanager
def _workers(cluster: str | None, threads: int) -> Iterator[Engine | None]:
    """The engine of a cluster, which processes parts of the text; None without a cluster."""
    if cluster is None:
        yield None
        return
    with open_engine(cluster, threads=threads, notify=notify, chunk=1, unit="part") as engine:
        yield engine


def _notify(model: Path, report: TrainingReport) -> None:
    sys.stderr.write(report.bitext.summary() + "\n")
    pairs, phrases = report.statistics["phrase_pairs"], report.statistics["source_phrases"]
    sys.stderr.write(f"{pairs:,} phrase pairs of {phrases:,} source phrases\n")
    stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items())
    sys.stderr.write(f"{model}: done ({stages or 'from finished stages'})\n")
