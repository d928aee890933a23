"""``widl experiment``: the papers' experiments."""

import json
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from itertools import islice
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
from widl.cli.schema import with_options
from widl.errors import InputError
from widl.experiments.config import SignificanceOptions, read_config
from widl.experiments.reading import reading_summary, reading_table, write_reading_sheet
from widl.experiments.run_times import run_times
from widl.experiments.search import SearchComparisonOptions, compare_searches, search_rows
from widl.experiments.search_table import search_table
from widl.experiments.sizes_table import (
    SizesOptions,
    bag_table,
    format_bags,
    format_inputs,
    format_run_times,
    input_sizes,
)
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.files import write_text
from widl.pipeline.cluster import open_engine
from widl.pipeline.progress import progress_bars
from widl.translation import Translator

app = command_group()

Configuration = Annotated[
    Path, typer.Argument(help="A TOML file; docs/experiments.md describes it.", metavar="CONFIG.toml")
]
JobDirectory = Annotated[Path, typer.Option("--output", "-o", help="Directory of the experiment's results.")]
ResultsDirectory = Annotated[Path, typer.Argument(help="What an experiment wrote.", metavar="DIR")]


@app.command("word-order", short_help="Restore sentences from their shuffled words.")
def word_order(
    config: Configuration,
    output: JobDirectory = Path("word-order"),
    threads: Annotated[int, typer.Option(min=1, help="Bags at a time; times are truest with 1.")] = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Restore sentences from their shuffled words (Soricut & Marcu 2005, Tables 2 and 3).

    Prints the tables beside the paper's, and writes a report. Run the same command again to resume an interrupted
    experiment; what is there already is not made again.
    """
    from widl.experiments.word_order_experiment import WordOrderConfig, run_word_order_experiment

    settings = read_config(config, WordOrderConfig)
    _run(run_word_order_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("translation", short_help="Compare decoders on test sets.")
def translation(
    config: Configuration,
    output: JobDirectory = Path("translation"),
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

    settings = read_config(config, TranslationExperimentConfig)
    _run(run_translation_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("headline", short_help="Compare headline systems on documents.")
def headline(
    config: Configuration,
    output: JobDirectory = Path("headline"),
    threads: Threads = CORES,
    cluster: Cluster = None,
    reading_sheet: Annotated[
        bool, typer.Option("--reading-sheet", help="Write a sheet of unnamed headlines to be marked, and its key.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Compare headline systems on documents with headlines (Soricut & Marcu 2006, Section 4 and Table 1).

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests beside the paper's figures. Run
    the same command again to resume an interrupted experiment; what is there already is not made again.
    """
    from widl.experiments.headline import HeadlineExperimentConfig, run_headline_experiment

    settings = read_config(config, HeadlineExperimentConfig)
    results = _run(run_headline_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)
    if reading_sheet:
        for path in write_reading_sheet(results, output, seed=settings.seed):
            typer.echo(path, err=True)


@app.command("reading", short_help="Count the marks of a reading sheet.")
def reading(
    sheet: Annotated[Path, typer.Argument(help="A marked reading.tsv; its key is beside it.", metavar="SHEET")],
) -> None:
    """Count the marks of a sheet that `widl experiment headline --reading-sheet` wrote, by system.

    Each headline is marked y or n under 'true' (it states nothing that the text doesn't say) and under 'readable' (it
    could be printed as it is). Lines without marks are not counted.
    """
    sys.stdout.write(reading_table(reading_summary(sheet)))


def _run(
    experiment: Callable[..., Any], config: Any, output: Path, *, threads: int, quiet: bool, cluster: str | None = None
) -> Any:
    """Run an experiment with progress on stderr, print its results, and return them."""
    from widl.experiments.text_report import results_text

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
    return results


@app.command("report", short_help="Make report.html again.")
def report(directory: ResultsDirectory) -> None:
    """Make an experiment's report.html and results.txt again, from its results.json."""
    from widl.experiments.report import write_report
    from widl.experiments.results import read_results
    from widl.experiments.text_report import write_results_text


    results = read_results(directory)
    write_results_text(results, directory)
    typer.echo(write_report(results, directory))


@app.command("compare", cls=ManyValues, short_help="Put experiments of one kind side by side.")
@with_options
def compare(
    directories: Annotated[list[Path], typer.Argument(help="What experiments wrote, two or more.", metavar="DIR")],
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
    from widl.experiments.comparison import compare_experiments, comparison_text, write_comparison

    comparison = compare_experiments(directories, resamples=options.resamples, seed=options.seed)
    if output is not None:
        typer.echo(write_comparison(comparison, output), err=True)
    sys.stdout.write(comparison_text(comparison))


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
        Path | None, typer.Option("--output", "-o", help="Directory of a page of the tables; none without it.")
    ] = None,
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
    of_bags = bag_table(range(first, last + 1))
    of_inputs = []
    if model:
        translator = Translator(model)
        lines = islice((line for line in text_lines(files) if line.strip()), options.limit)
        pieces = (tiles for line in lines for tiles in translator.tiles(line))
        of_inputs = [input_sizes(tiles, options) for tiles in pieces]
    elif files:
        raise InputError(f"{files[0]}: what to translate it with is missing; give --model")
    measured = list(run_times(most_edges=options.max_edges)) if options.max_edges else []
    if output is not None:
        from widl.experiments.sizes_page import Sizes, write_sizes_page  # matplotlib is slow to import

        typer.echo(f"page: {write_sizes_page(Sizes(of_bags, measured, of_inputs), options, output)}", err=True)
    if as_json:
        objects = {"bags": [asdict(row) for row in of_bags], "inputs": [asdict(row) for row in of_inputs]}
        objects["run_times"] = [asdict(row) for row in measured]
        sys.stdout.write(json.dumps(objects) + "\n")
        return
    sys.stdout.write(format_bags(of_bags))
    if measured:
        sys.stdout.write("\n" + format_run_times(measured))
    if of_inputs:
        sys.stdout.write("\n" + format_inputs(of_inputs, options))


@app.command("search", cls=ManyValues, short_help="Compare the searches of a translation model.")
@with_options
def search(
    model: ModelDirectory,
    *,
    source: Annotated[Path, typer.Option(help="Text to translate.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Directory of the table, its picture and its page.")
    ] = Path("search"),
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
    from widl.experiments.search_page import write_search_page  # matplotlib is slow to import

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
    text = "\n".join(search_table(comparison)) + "\n"
    with write_text(output / "search.txt") as file:
        file.write(text)
    with write_text(output / "search.json") as file:
        json.dump(asdict(comparison), file, indent=1)
    typer.echo(text, nl=False)
    typer.echo(f"page: {write_search_page(comparison, output)}", err=True)
