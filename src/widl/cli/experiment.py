"""``widl experiment``: the papers' experiments."""

import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer

from widl.cli.commands import ManyValues
from widl.cli.options import (
    CORES,
    Cluster,
    ModelDirectory,
    Quiet,
    Threads,
    Weights,
    command_group,
    make_directory,
    resumable,
    text_lines,
)
from widl.cli.schema import refuse_unused, with_options
from widl.common.errors import InputError
from widl.common.presets import PRESET_HELP
from widl.experiments.config import SearchComparisonOptions, SignificanceOptions, SizesOptions, read_config
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import progress_bars
from widl.translation import Translator

app = command_group()

Configuration = Annotated[
    Path, typer.Argument(help="A TOML file; docs/experiments.md describes it.", metavar="CONFIG.toml")
]
JobDirectory = Annotated[Path, typer.Option("--output", "-o", help="Directory of the experiment's results.")]
Preset = Annotated[str | None, typer.Option(metavar="NAME", help=PRESET_HELP)]
ResultsDirectory = Annotated[Path, typer.Argument(help="Directory of an experiment's results.", metavar="DIR")]


@app.command("word-order", short_help="Restore sentences from their shuffled words.")
def word_order(
    config: Configuration,
    output: JobDirectory = Path("word-order"),
    preset: Preset = None,
    threads: Annotated[int, typer.Option(min=1, help="Bags searched at a time; measure times with 1.")] = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Restore sentences from their shuffled words (Soricut & Marcu 2005, Tables 2 and 3).

    Prints the tables beside the paper's, and writes a report. Run the same command again to resume an interrupted
    experiment; what is there already is not made again.
    """
    from widl.experiments.word_order_experiment import WordOrderConfig, run_word_order_experiment

    settings = read_config(config, WordOrderConfig, preset=preset)
    _run(run_word_order_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("translation", short_help="Compare decoders on test sets.")
def translation(
    config: Configuration,
    output: JobDirectory = Path("translation"),
    preset: Preset = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare decoders on test sets, each with weights tuned on dev (Soricut & Marcu 2006, Section 5).

    Prints BLEU, chrF and TER with replications and paired tests, and model scores, search errors and speed with equal
    weights, and writes a report. Run the same command again to resume an interrupted experiment; what is there
    already is not made again.
    """
    from widl.experiments.translation import run_translation_experiment

    settings = read_config(config, TranslationExperimentConfig, preset=preset)
    _run(run_translation_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("headline", short_help="Compare headline systems on documents.")
def headline(
    config: Configuration,
    output: JobDirectory = Path("headline"),
    preset: Preset = None,
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare headline systems on documents with headlines (Soricut & Marcu 2006, Section 4 and Table 1).

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests beside the paper's figures. Run
    the same command again to resume an interrupted experiment; what is there already is not made again.
    """
    from widl.experiments.headline import HeadlineExperimentConfig, run_headline_experiment

    settings = read_config(config, HeadlineExperimentConfig, preset=preset)
    _run(run_headline_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("combine", short_help="Combine outputs of several systems.")
def combine(
    config: Configuration,
    output: JobDirectory = Path("combine"),
    threads: Threads = CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare systems, choices among their outputs, and their combinations, untuned and tuned.

    Prints BLEU and chrF with paired tests and replications of tuning, and writes a report. Run the same command again
    to resume an interrupted experiment; what is there already is not made again.
    """
    from widl.experiments.combination import CombinationExperimentConfig, run_combination_experiment

    settings = read_config(config, CombinationExperimentConfig)
    _run(run_combination_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


def _run(
    experiment: Callable[..., Any], config: Any, output: Path, *, threads: int, quiet: bool, cluster: str | None = None
) -> None:
    """Run an experiment with progress on stderr, and print its results."""
    from widl.experiments.text import results_text

    def tell(text: str) -> None:
        if not quiet:
            sys.stderr.write(f"{text}\n")  # which progress bars put above themselves; not so what click writes

    with resumable(), ExitStack() as stack:
        options: dict[str, Any] = {"threads": threads, "tell": tell}
        if cluster is not None:
            options["engine"] = stack.enter_context(open_engine(cluster, threads=threads, tell=tell))
        options["progress"] = stack.enter_context(progress_bars(quiet=quiet))
        results = experiment(config, output, **options)
    sys.stdout.write(results_text(results))


@app.command("report", short_help="Make report.html again.")
def report(directory: ResultsDirectory) -> None:
    """Make an experiment's report.html, results.txt and results.md again, from its results.json."""
    from widl.experiments.experiment import write_experiment
    from widl.experiments.results import read_results

    results = read_results(directory)
    typer.echo(write_experiment(results, directory))


@app.command("compare", cls=ManyValues, short_help="Put experiments of one kind side by side.")
@with_options
def compare(
    directories: Annotated[
        list[Path], typer.Argument(help="Directories of experiments' results, two or more.", metavar="DIR")
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Directory of a report of the comparison; none without it."),
    ] = None,
    options: SignificanceOptions,
) -> None:
    """Put experiments of one kind side by side: all systems' scores, what differs in configuration, and paired tests.

    Test sets are the same if their inputs and references are, whatever they are called. Systems are named after their
    directory.
    """
    from widl.experiments.comparison import compare_experiments, write_comparison
    from widl.experiments.text import results_text

    comparison = compare_experiments(directories, resamples=options.resamples, seed=options.seed)
    if output is not None:
        typer.echo(write_comparison(comparison, output), err=True)
    sys.stdout.write(results_text(comparison))


@app.command("sizes", cls=ManyValues, short_help="Compare sizes of expressions, lattices and grammars.")
@with_options
def sizes(
    files: Annotated[
        list[Path] | None, typer.Argument(help="With --model: text to translate; stdin when there is none.")
    ] = None,
    *,
    bags: Annotated[str, typer.Option(help="Sizes of bags, from-to.")] = "2-12",
    model: Annotated[
        Path | None, typer.Option(help="A directory made by 'widl train': sizes of its inputs too.")
    ] = None,
    options: SizesOptions,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Directory of the results and their page; none without it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare a WIDL-expression's size with a word lattice's and a context-free grammar's of the same strings.

    Beside them, run times of exact search by the size of what it unfolds (Soricut & Marcu 2005, Theorem 2).
    """
    from widl.experiments.experiment import write_experiment
    from widl.experiments.sizes_experiment import measure_sizes
    from widl.experiments.text import results_text

    if output is not None:
        make_directory(output)
    range_ = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", bags)
    first, last = map(int, range_.groups()) if range_ else (0, 0)
    if not 1 <= first <= last <= 1000:
        raise InputError(f"--bags {bags!r}: expected two sizes such as 2-12, of at most 1000 words")
    if model is None:
        refuse_unused(["limit", "table_limit", "distortion_limit", "max_states"], "--model, whose inputs are measured")
    if files and not model:
        raise InputError(f"{files[0]}: what to translate it with is missing; give --model")
    results = measure_sizes(
        range(first, last + 1),
        options,
        translator=Translator(model) if model else None,
        lines=text_lines(files) if model else (),
    )
    if output is not None:
        typer.echo(f"page: {write_experiment(results, output)}", err=True)
    sys.stdout.write(results.model_dump_json() + "\n" if as_json else results_text(results))


@app.command("search", cls=ManyValues, short_help="Compare the searches of a translation model.")
@with_options
def search(
    model: ModelDirectory,
    *,
    source: Annotated[Path, typer.Option(help="Text to translate.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Directory of the results and their page.")] = Path(
        "search"
    ),
    weights: Weights = None,
    rows: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME...", help="Only searches whose name begins so, such as 'A*_2 words' or stack."),
    ] = None,
    options: SearchComparisonOptions,
) -> None:
    """Compare the searches of a translation model: model score, search errors and speed, and what can be proved.

    All share tiles, models and weights. The errors of a search are the lines where another one finds a better
    derivation; and, of the lines whose best one is proved by exact search, those where it isn't found.
    """
    from widl.experiments.experiment import write_experiment
    from widl.experiments.search import compare_searches, search_rows
    from widl.experiments.text import results_text

    lines = list(text_lines([source]))
    if options.sentences and len(lines) > options.sentences:
        lines = [lines[i * len(lines) // options.sentences] for i in range(options.sentences)]
    make_directory(output)
    comparison = compare_searches(
        Translator(model, weights=weights),
        lines,
        limit=options.distortion_limit,
        exact_seconds=options.exact_seconds,
        rows=search_rows(rows or ()),
        repeat=options.repeat,
        on_row=lambda name: typer.echo(name, err=True),
    )
    sys.stdout.write(results_text(comparison))
    typer.echo(f"page: {write_experiment(comparison, output)}", err=True)
