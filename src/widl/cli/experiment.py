"""``widl experiment``: the papers' experiments."""

import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl import experiments
from widl.cli.commands import commands
from widl.cli.parameters import (
    CORES,
    Cluster,
    Quiet,
    Threads,
    make_directory,
    notify,
    resumable,
    text_lines,
)
from widl.common.errors import InputError
from widl.experiments.config import SizesOptions
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import progress_bars
from widl.translation import Translator

app = commands("experiment", "Run the papers' experiments on your data.")

Configuration = Annotated[Path, Parameter(metavar="CONFIG.toml", help="A TOML file; docs/experiments.md describes it.")]
JobDirectory = Annotated[Path, Parameter(name=["--output", "-o"], help="Directory of the experiment's results.")]
ReportDirectory = Annotated[
    Path | None,
    Parameter(name=["--output", "-o"], help="Output directory for the results and their page; default: none."),
]
Preset = Annotated[
    str | None, Parameter(metavar="NAME", help="Set all options as in a paper; 'widl presets' lists the values.")
]
ResultsDirectory = Annotated[Path, Parameter(metavar="DIR", help="Directory of an experiment's results.")]


_EXPERIMENTS = {
    "word-order": ("WordOrderConfig", "run_word_order_experiment"),
    "translation": ("TranslationExperimentConfig", "run_translation_experiment"),
    "headline": ("HeadlineExperimentConfig", "run_headline_experiment"),
    "combine": ("CombinationExperimentConfig", "run_combination_experiment"),
}
"""For each command, the configuration class and the function in `widl.experiments` that runs it."""


def _run(
    kind: str, config: Path, output: Path, preset: str | None, threads: int, cluster: str | None, *, quiet: bool
) -> None:
    """Run the experiment that a configuration describes, and print its tables."""
    model, run = _EXPERIMENTS[kind]
    settings = experiments.read_config(config, getattr(experiments, model), preset=preset)

    def notify(text: str) -> None:
        if not quiet:
            sys.stderr.write(f"{text}\n")  # progress bars print it above themselves

    with resumable(), ExitStack() as stack:
        engine = stack.enter_context(open_engine(cluster, threads=threads, notify=notify)) if cluster else None
        progress = stack.enter_context(progress_bars(quiet=quiet))
        results = getattr(experiments, run)(
            settings, output, threads=threads, engine=engine, progress=progress, notify=notify
        )
    sys.stdout.write(experiments.results_text(results))


@app.command(name="word-order")
def word_order(
    config: Configuration,
    /,
    *,
    output: JobDirectory = Path("word-order"),
    preset: Preset = None,
    threads: Threads = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Restore sentences from their shuffled words.

    Prints the tables next to the paper's (Soricut & Marcu 2005, Tables 2 and 3), and writes a report. Bags are searched
    in parallel; use one thread to measure times.

    Run the same command again to resume an interrupted experiment.
    """
    _run("word-order", config, output, preset, threads, cluster, quiet=quiet)


@app.command(name="translation")
def translation(
    config: Configuration,
    /,
    *,
    output: JobDirectory = Path("translation"),
    preset: Preset = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare decoders on test sets.

    Each decoder's weights are tuned on dev (Soricut & Marcu 2006, Section 5). Prints BLEU, chrF and TER with
    replications and paired tests. Also prints model scores, search errors and speed with equal weights, and writes a
    report.

    Run the same command again to resume an interrupted experiment.
    """
    _run("translation", config, output, preset, threads, cluster, quiet=quiet)


@app.command(name="headline")
def headline(
    config: Configuration,
    /,
    *,
    output: JobDirectory = Path("headline"),
    preset: Preset = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare headline systems on documents.

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests next to the paper's numbers (Soricut &
    Marcu 2006, Section 4 and Table 1).

    Run the same command again to resume an interrupted experiment.
    """
    _run("headline", config, output, preset, threads, cluster, quiet=quiet)


@app.command(name="combine")
def combine(
    config: Configuration,
    /,
    *,
    output: JobDirectory = Path("combine"),
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Combine outputs of several systems.

    Compares systems, choices among their outputs, and their combinations, untuned and tuned. Prints BLEU and chrF with
    paired tests and replications of tuning, and writes a report.

    Run the same command again to resume an interrupted experiment.
    """
    _run("combine", config, output, None, threads, cluster, quiet=quiet)


@app.command(name="report")
def report(directory: ResultsDirectory, /) -> None:
    """Make an experiment's report.html, results.txt and results.md again, from its results.json."""
    print(experiments.write_experiment(experiments.read_results(directory), directory))


@app.command(name="sizes")
def sizes(
    files: Annotated[list[Path] | None, Parameter(help="With --model: text to translate; default: stdin.")] = None,
    /,
    *,
    bags: Annotated[str, Parameter(help="Range of bag sizes.")] = "2-12",
    model: Annotated[
        Path | None, Parameter(help="A directory made by 'widl train'; also compares sizes on its inputs.")
    ] = None,
    options: SizesOptions = SizesOptions(),
    output: ReportDirectory = None,
    as_json: Annotated[bool, Parameter(name="--json", help="Print a JSON object.")] = False,
) -> None:
    """Compare a WIDL-expression's size with a word lattice's and a context-free grammar's of the same strings.

    Also lists the run time of exact search by the size of its search space (Soricut & Marcu 2005, Theorem 2).
    """
    if output is not None:
        make_directory(output)
    range_ = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", bags)
    first, last = map(int, range_.groups()) if range_ else (0, 0)
    if not 1 <= first <= last <= 1000:
        raise InputError(f"--bags {bags!r}: expected two sizes such as 2-12, of at most 1000 words")
    if files and not model:
        raise InputError(f"{files[0]}: no translation model; give --model")
    results = experiments.measure_sizes(
        range(first, last + 1),
        options,
        translator=Translator(model) if model else None,
        lines=text_lines(files) if model else (),
    )
    if output is not None:
        notify(f"page: {experiments.write_experiment(results, output)}")
    sys.stdout.write(results.model_dump_json() + "\n" if as_json else experiments.results_text(results))
