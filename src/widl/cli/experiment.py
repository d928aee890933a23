"""``widl experiment``: the papers' experiments."""

import sys
from collections.abc import Callable
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
    make_directory,
    notify,
    resumable,
    text_lines,
)
from widl.common.option_values import Positive
from widl.common.options import option_set
from widl.experiments import Results
from widl.experiments.config import ExperimentConfig
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import progress_bars
from widl.translation import Translator

app = commands("experiment", "Run the papers' experiments on your data.")

Configuration = Annotated[Path, Parameter(metavar="CONFIG.toml", help="A TOML file; docs/experiments.md describes it.")]
ReportDirectory = Annotated[
    Path | None,
    Parameter(name=["--output", "-o"], help="Output directory for the results and their page; default: none."),
]
Preset = Annotated[
    str | None, Parameter(metavar="NAME", help="Set all options as in a paper; 'widl presets' lists the values.")
]


@option_set
class Run:
    """Where and how an experiment runs."""

    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None
    "Directory of the experiment's results. Default: the experiment's name."
    threads: Positive | None = None
    "Number of threads; default: one per core, and one for word-order. Results do not depend on it."
    cluster: Cluster = None
    quiet: Quiet = False

    def __call__(
        self, name: str, run: Callable[..., Results], settings: ExperimentConfig, threads: int = CORES
    ) -> None:
        """Run an experiment, and print its tables. `threads`: the default number."""
        threads = self.threads or threads

        def show(text: str) -> None:
            if not self.quiet:
                notify(text)  # progress bars print it above themselves

        with resumable(), ExitStack() as stack:
            engine = None
            if self.cluster is not None:
                engine = stack.enter_context(open_engine(self.cluster, threads=threads, notify=show))
            progress = stack.enter_context(progress_bars(quiet=self.quiet))
            results = run(
                settings, self.output or Path(name), threads=threads, engine=engine, progress=progress, notify=show
            )
        sys.stdout.write(experiments.results_text(results))


@app.command(name="word-order")
def word_order(config: Configuration, /, *, preset: Preset = None, run: Run = Run()) -> None:
    """Restore sentences from their shuffled words.

    Prints the tables next to the paper's (Soricut & Marcu 2005, Tables 2 and 3), and writes a report. Bags are searched
    in parallel; use one thread to measure times.

    Run the same command again to resume an interrupted experiment.
    """
    settings = experiments.read_config(config, experiments.WordOrderConfig, preset=preset)
    run("word-order", experiments.run_word_order_experiment, settings, threads=1)


@app.command(name="translation")
def translation(config: Configuration, /, *, preset: Preset = None, run: Run = Run()) -> None:
    """Compare decoders on test sets.

    Each decoder's weights are tuned on dev (Soricut & Marcu 2006, Section 5). Prints BLEU, chrF and TER with
    replications and paired tests. Also prints model scores, search errors and speed with equal weights, and writes a
    report.

    Run the same command again to resume an interrupted experiment.
    """
    settings = experiments.read_config(config, experiments.TranslationExperimentConfig, preset=preset)
    run("translation", experiments.run_translation_experiment, settings)


@app.command(name="headline")
def headline(config: Configuration, /, *, preset: Preset = None, run: Run = Run()) -> None:
    """Compare headline systems on documents.

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests next to the paper's numbers (Soricut &
    Marcu 2006, Section 4 and Table 1).

    Run the same command again to resume an interrupted experiment.
    """
    settings = experiments.read_config(config, experiments.HeadlineExperimentConfig, preset=preset)
    run("headline", experiments.run_headline_experiment, settings)


@app.command(name="combine")
def combine(config: Configuration, /, *, run: Run = Run()) -> None:
    """Combine outputs of several systems.

    Compares systems, choices among their outputs, and their combinations, untuned and tuned. Prints BLEU and chrF with
    paired tests and replications of tuning, and writes a report.

    Run the same command again to resume an interrupted experiment.
    """
    settings = experiments.read_config(config, experiments.CombinationExperimentConfig)
    run("combine", experiments.run_combination_experiment, settings)


@app.command(name="sizes")
def sizes(
    model: Annotated[
        Path | None, Parameter(help="A directory made by 'widl train'; also compares sizes on its inputs.")
    ] = None,
    files: Annotated[list[Path] | None, Parameter(help="Inputs of the model; default: stdin.")] = None,
    /,
    *,
    output: ReportDirectory = None,
    as_json: Annotated[bool, Parameter(name="--json", help="Print a JSON object.")] = False,
) -> None:
    """Compare a WIDL-expression's size with a word lattice's and a context-free grammar's of the same strings.

    Also lists the run time of exact search by the size of its search space (Soricut & Marcu 2005, Theorem 2).
    """
    if output is not None:
        make_directory(output)
    results = experiments.measure_sizes(
        translator=Translator(model) if model else None, lines=text_lines(files) if model else ()
    )
    if output is not None:
        notify(f"page: {experiments.write_experiment(results, output)}")
    sys.stdout.write(results.model_dump_json() + "\n" if as_json else experiments.results_text(results))
