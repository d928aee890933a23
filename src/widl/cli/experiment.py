"""``widl experiment``: the papers' experiments."""

import json
import os
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from widl.cli.options import Cluster, ManyValues, resumable, text_lines
from widl.errors import InputError

app = typer.Typer(
    no_args_is_help=True,
    help="The papers' experiments, on your data.",
)

_CORES = os.cpu_count() or 1

Configuration = Annotated[
    Path, typer.Argument(help="A TOML file; docs/experiments.md describes it.", metavar="CONFIG.toml")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Say nothing on the way.")]
Threads = Annotated[int, typer.Option(min=1, help="Threads; the results do not depend on them.")]
ResultsDirectory = Annotated[Path, typer.Argument(help="What an experiment wrote.", metavar="DIR")]


@app.command("word-order", short_help="Restore sentences from their shuffled words.")
def word_order(
    config: Configuration,
    output: Annotated[Path, typer.Option(help="Directory of all that is found.")] = Path("word-order"),
    threads: Annotated[int, typer.Option(min=1, help="Bags at a time; times are truest with 1.")] = 1,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Restore sentences from their shuffled words (Soricut & Marcu 2005, Tables 2 and 3).

    Prints the tables beside the paper's, and writes a report. Run the same command again to resume an interrupted
    experiment; what is there already is not made again.
    """
    from widl.experiments.config import read_config
    from widl.experiments.word_order_experiment import WordOrderConfig, run_word_order_experiment

    settings = read_config(config, WordOrderConfig)
    _run(run_word_order_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("translation", short_help="Compare decoders on test sets.")
def translation(
    config: Configuration,
    output: Annotated[Path, typer.Option(help="Directory of all that is found.")] = Path("translation"),
    threads: Threads = _CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare decoders on test sets, each with weights tuned on dev (Soricut & Marcu 2006, Section 5).

    Prints BLEU, chrF and TER with replications and paired tests, and model scores, search errors and speed with equal
    weights, and writes a report. Run the same command again to resume an interrupted experiment; what is there
    already is not made again.
    """
    from widl.experiments.config import read_config
    from widl.experiments.translation import run_translation_experiment
    from widl.experiments.translation_config import TranslationExperimentConfig

    settings = read_config(config, TranslationExperimentConfig)
    _run(run_translation_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


@app.command("headline", short_help="Compare headline systems on documents.")
def headline(
    config: Configuration,
    output: Annotated[Path, typer.Option(help="Directory of all that is found.")] = Path("headline"),
    threads: Threads = _CORES,
    cluster: Cluster = None,
    quiet: Quiet = False,
) -> None:
    """Compare headline systems on documents with headlines (Soricut & Marcu 2006, Section 4 and Table 1).

    Learns from training pairs, tunes on dev, and prints ROUGE with paired tests beside the paper's figures. Run
    the same command again to resume an interrupted experiment; what is there already is not made again.
    """
    from widl.experiments.config import read_config
    from widl.experiments.headline import HeadlineExperimentConfig, run_headline_experiment

    settings = read_config(config, HeadlineExperimentConfig)
    _run(run_headline_experiment, settings, output, threads=threads, quiet=quiet, cluster=cluster)


def _run(
    experiment: Callable[..., Any], config: Any, output: Path, *, threads: int, quiet: bool, cluster: str | None = None
) -> None:
    """Run an experiment with progress on stderr, and print its results."""
    from widl.experiments.text_report import results_text
    from widl.pipeline.progress import progress_bars

    def tell(text: str) -> None:
        if not quiet:
            sys.stderr.write(f"{text}\n")  # which progress bars put above themselves; not so what click writes

    with resumable(), ExitStack() as stack:
        options: dict[str, Any] = {"threads": threads, "tell": tell}
        if cluster is not None:
            from widl.pipeline.cluster import open_engine

            options["engine"] = stack.enter_context(open_engine(cluster, threads=threads, tell=tell))
        options["progress"] = stack.enter_context(progress_bars(quiet=quiet))
        results = experiment(config, output, **options)
    sys.stdout.write(results_text(results))


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
def compare(
    directories: Annotated[list[Path], typer.Argument(help="What experiments wrote, two or more.", metavar="DIR...")],
    output: Annotated[
        Path | None, typer.Option(help="Directory of a report of the comparison; none without it.")
    ] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Samples of paired bootstrap.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples.")] = 1,
) -> None:
    """Put experiments of one kind side by side: all systems' scores, what differs in configuration, and paired tests.

    Test sets are the same if their inputs and references are, whatever they are called. Systems are named after their
    directory.
    """
    from widl.experiments.comparison import compare_experiments, comparison_text, write_comparison

    found = compare_experiments(directories, resamples=resamples, seed=seed)
    if output is not None:
        typer.echo(write_comparison(found, output), err=True)
    sys.stdout.write(comparison_text(found))


@app.command("sizes", cls=ManyValues, short_help="Compare sizes of expressions, lattices and grammars.")
def sizes(
    files: Annotated[
        list[Path] | None, typer.Argument(help="With --model: text to translate; stdin when there is none.")
    ] = None,
    bags: Annotated[str, typer.Option(help="Sizes of bags, from-to.")] = "2-12",
    model: Annotated[
        Path | None, typer.Option(help="A directory made by 'widl train': sizes of its inputs too.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="Only so many inputs.")] = 20,
    beam_size: Annotated[int, typer.Option(min=1, help="So many translations of a span; the paper's s is 10.")] = 10,
    distortion_limit: Annotated[int, typer.Option(min=0, help="Also count lattices without longer jumps.")] = 6,
    max_states: Annotated[int, typer.Option(min=1, help="How far these are counted.")] = 1_000_000,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Compare a WIDL-expression's size with a word lattice's and a context-free grammar's of the same strings."""
    from itertools import islice

    from widl.experiments.sizes_table import bag_table, format_bags, format_inputs, input_sizes

    range_ = re.fullmatch(r"([0-9]{1,4})-([0-9]{1,4})", bags)
    first, last = map(int, range_.groups()) if range_ else (0, 0)
    if not 1 <= first <= last <= 1000:
        raise InputError(f"--bags {bags!r}: expected two sizes such as 2-12, of at most 1000 words")
    of_bags = bag_table(range(first, last + 1))
    of_inputs = []
    if model:
        from widl.translation import Translator

        translator = Translator(model)
        lines = islice((line for line in text_lines(files) if line.strip()), limit)
        pieces = (tiles for line in lines for tiles in translator.tiles(line))
        of_inputs = [
            input_sizes(tiles, beam_size=beam_size, distortion_limit=distortion_limit, max_states=max_states)
            for tiles in pieces
        ]
    elif files:
        raise InputError(f"{files[0]}: what to translate it with is missing; give --model")
    if as_json:
        objects = {"bags": [asdict(row) for row in of_bags], "inputs": [asdict(row) for row in of_inputs]}
        sys.stdout.write(json.dumps(objects) + "\n")
        return
    sys.stdout.write(format_bags(of_bags))
    if of_inputs:
        sys.stdout.write("\n" + format_inputs(of_inputs, distortion_limit=distortion_limit, max_states=max_states))


@app.command("search", short_help="Compare the searches of a translation model.")
def search(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")],
    source: Annotated[Path, typer.Option(help="Text to translate.")],
    output: Annotated[Path, typer.Option(help="Directory of the table and its picture.")] = Path("search"),
    sentences: Annotated[int, typer.Option(min=0, help="So many lines, spread evenly; 0: all.")] = 100,
    weights: Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")] = None,
    distortion_limit: Annotated[int, typer.Option(min=0, help="Largest jump in source words.")] = 6,
    exact_seconds: Annotated[float, typer.Option(min=0, help="Budget of a line's exact search.")] = 30.0,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of a search; the median time counts.")] = 1,
) -> None:
    """Compare the searches of a translation model: model score, search errors and speed, and what can be proved.

    All share tiles, models and weights. The errors of a search are the lines where another one finds a better
    derivation; and, of the lines whose best one is proved by exact search, those where it isn't found.
    """
    from widl.experiments.search import compare_searches
    from widl.experiments.search_table import draw_frontier, search_table
    from widl.files import write_text
    from widl.translation import Translator

    lines = list(text_lines([source]))
    if sentences and len(lines) > sentences:
        lines = [lines[i * len(lines) // sentences] for i in range(sentences)]
    output.mkdir(parents=True, exist_ok=True)
    found = compare_searches(
        Translator(model, weights=weights),
        lines,
        limit=distortion_limit,
        exact_seconds=exact_seconds,
        repeat=repeat,
        on_row=lambda name: typer.echo(name, err=True),
    )
    text = "\n".join(search_table(found)) + "\n"
    with write_text(output / "search.txt") as file:
        file.write(text)
    with write_text(output / "search.json") as file:
        json.dump(asdict(found), file, indent=1)
    draw_frontier(found, output / "frontier.svg")
    typer.echo(text, nl=False)
