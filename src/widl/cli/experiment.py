"""``widl experiment``: the papers' experiments."""

import inspect
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from widl import experiments
from widl.cli.commands import Commands, ManyValues
from widl.cli.option_sets import refuse_unused, with_options
from widl.cli.parameters import (
    CORES,
    Cluster,
    ModelDirectory,
    Quiet,
    Threads,
    Weights,
    make_directory,
    resumable,
    text_lines,
)
from widl.common.errors import InputError
from widl.common.presets import PRESET_HELP
from widl.experiments.config import SearchComparisonOptions, SignificanceOptions, SizesOptions
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import progress_bars
from widl.translation import Translator

app = Commands()

Configuration = Annotated[
    Path, typer.Argument(help="A TOML file; docs/experiments.md describes it.", metavar="CONFIG.toml")
]
JobDirectory = Annotated[Path, typer.Option("--output", "-o", help="Directory of the experiment's results.")]
ReportDirectory = Annotated[
    Path | None, typer.Option("--output", "-o", help="Directory of the results and their page; none without it.")
]
Preset = Annotated[str | None, typer.Option(metavar="NAME", help=PRESET_HELP)]
ResultsDirectory = Annotated[Path, typer.Argument(help="Directory of an experiment's results.", metavar="DIR")]


def _add(name: str, model: str, run: str, help: str, *, threads: int = CORES, preset: bool = True) -> None:
    """The command of an experiment with a configuration: the names of the configuration's model and of what runs it."""

    def command(
        config: Configuration,
        output: JobDirectory = Path(name),
        preset: Preset = None,
        threads: Threads = threads,
        cluster: Cluster = None,
        quiet: Quiet = False,
    ) -> None:
        settings = experiments.read_config(config, getattr(experiments, model), preset=preset)

        def tell(text: str) -> None:
            if not quiet:
                sys.stderr.write(f"{text}\n")  # which progress bars put above themselves; not so what click writes

        with resumable(), ExitStack() as stack:
            engine = stack.enter_context(open_engine(cluster, threads=threads, tell=tell)) if cluster else None
            progress = stack.enter_context(progress_bars(quiet=quiet))
            results = getattr(experiments, run)(
                settings, output, threads=threads, engine=engine, progress=progress, tell=tell
            )
        sys.stdout.write(experiments.results_text(results))

    signature = inspect.signature(command)
    used = [parameter for parameter in signature.parameters.values() if preset or parameter.name != "preset"]
    vars(command)["__signature__"] = signature.replace(parameters=used)
    command.__doc__ = (
        f"{help}\n\nRun the same command again to resume an interrupted experiment; what is there already is not made "
        "again."
    )
    app.command(name, short_help=help.partition("\n")[0])(command)


_add(
    "word-order",
    "WordOrderConfig",
    "run_word_order_experiment",
    """Restore sentences from their shuffled words.

    Prints the tables beside the paper's (Soricut & Marcu 2005, Tables 2 and 3), and writes a report. Bags are searched
    on several threads at a time; measure times with one.""",
    threads=1,
)
_add(
    "translation",
    "TranslationExperimentConfig",
    "run_translation_experiment",
    """Compare decoders on test sets.

    Each has weights tuned on dev (Soricut & Marcu 2006, Section 5). Prints BLEU, chrF and TER with replications and
    paired tests, and model scores, search errors and speed with equal weights, and writes a report.""",
)
_add(
    "headline",
    "HeadlineExperimentConfig",
    "run_headline_experiment",
    """Compare headline systems on documents.

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests beside the paper's figures (Soricut &
    Marcu 2006, Section 4 and Table 1).""",
)
_add(
    "combine",
    "CombinationExperimentConfig",
    "run_combination_experiment",
    """Combine outputs of several systems.

    Compares systems, choices among their outputs, and their combinations, untuned and tuned. Prints BLEU and chrF with
    paired tests and replications of tuning, and writes a report.""",
    preset=False,
)


@app.command("report", short_help="Make report.html again.")
def report(directory: ResultsDirectory) -> None:
    """Make an experiment's report.html, results.txt and results.md again, from its results.json."""
    typer.echo(experiments.write_experiment(experiments.read_results(directory), directory))


@app.command("compare", cls=ManyValues, short_help="Put experiments of one kind side by side.")
@with_options
def compare(
    directories: Annotated[
        list[Path], typer.Argument(help="Directories of experiments' results, two or more.", metavar="DIR")
    ],
    *,
    output: ReportDirectory = None,
    options: SignificanceOptions,
) -> None:
    """Put experiments of one kind side by side: all systems' scores, what differs in configuration, and paired tests.

    Test sets are the same if their inputs and references are, whatever they are called. Systems are named after their
    directory.
    """
    comparison = experiments.compare_experiments(directories, resamples=options.resamples, seed=options.seed)
    if output is not None:
        typer.echo(experiments.write_comparison(comparison, output), err=True)
    sys.stdout.write(experiments.results_text(comparison))


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
    output: ReportDirectory = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare a WIDL-expression's size with a word lattice's and a context-free grammar's of the same strings.

    Beside them, run times of exact search by the size of what it unfolds (Soricut & Marcu 2005, Theorem 2).
    """
    if output is not None:
        make_directory(output)
    range_ = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", bags)
    first, last = map(int, range_.groups()) if range_ else (0, 0)
    if not 1 <= first <= last <= 1000:
        raise InputError(f"--bags {bags!r}: expected two sizes such as 2-12, of at most 1000 words")
    if model is None:
        refuse_unused(["limit", "table_limit"], "--model, whose inputs are measured")
    if files and not model:
        raise InputError(f"{files[0]}: what to translate it with is missing; give --model")
    results = experiments.measure_sizes(
        range(first, last + 1),
        options,
        translator=Translator(model) if model else None,
        lines=text_lines(files) if model else (),
    )
    if output is not None:
        typer.echo(f"page: {experiments.write_experiment(results, output)}", err=True)
    sys.stdout.write(results.model_dump_json() + "\n" if as_json else experiments.results_text(results))


@app.command("search", cls=ManyValues, short_help="Compare the searches of a translation model.")
@with_options
def search(
    model: ModelDirectory,
    *,
    source: Annotated[Path, typer.Option(help="Text to translate.")],
    output: JobDirectory = Path("search"),
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
    lines = list(text_lines([source]))
    if options.sentences and len(lines) > options.sentences:
        lines = [lines[i * len(lines) // options.sentences] for i in range(options.sentences)]
    make_directory(output)
    comparison = experiments.compare_searches(
        Translator(model, weights=weights),
        lines,
        limit=options.distortion_limit,
        exact_seconds=options.exact_seconds,
        rows=experiments.search_rows(rows or ()),
        on_row=lambda name: typer.echo(name, err=True),
    )
    sys.stdout.write(experiments.results_text(comparison))
    typer.echo(f"page: {experiments.write_experiment(comparison, output)}", err=True)
