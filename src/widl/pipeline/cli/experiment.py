"""``widl experiment``: the papers' experiments."""

import json
import os
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from widl.errors import InputError
from widl.pipeline.cli.options import Cluster, ManyValues, text_lines

app = typer.Typer(no_args_is_help=True, help="The papers' experiments, with the papers' figures beside their own.")

_TEXTS = [
    f"{name}.txt.gz"
    for name in (
        *("wsj_sample.tok", "wsj_chunking.tok", "masc.tok", "brown.tok"),
        *("wmt_news.raw", "reuters.raw", "bbc.raw", "abc.raw"),
    )
]
_BAGS = ["wordorder.test.3-7.txt", "wordorder.test.10-25.txt"]


@app.command("word-order", cls=ManyValues)
def word_order(
    output: Annotated[Path, typer.Option(help="Directory of tables and of every bag's results.")] = Path("word-order"),
    data: Annotated[
        Path, typer.Option(help="Where the texts and test sentences are that are not given.", metavar="DIR")
    ] = Path("../shared/data/lm"),
    lm: Annotated[Path | None, typer.Option(help="The language model, ARPA or KenLM binary.")] = None,
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Text to estimate a trigram model from; tokenised if its name has .tok."),
    ] = None,
    bags: Annotated[list[Path] | None, typer.Option(metavar="FILE...", help="Sentences, one a line.")] = None,
    rows: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ROW...",
            help="L, G, bfs, astar, astar-K, beam-B, also with a bound: astar:static. Default: the paper's.",
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Only so many bags of a file; 0: all.")] = 0,
    max_seconds: Annotated[float, typer.Option(min=0, help="Budget of a bag; 0: none.")] = 10.0,
    max_states: Annotated[int, typer.Option(min=0, help="Budget of a bag; 0: none.")] = 0,
    max_memory: Annotated[int, typer.Option(min=0, help="Budget of a bag in bytes; 0: none.")] = 2_000_000_000,
    seed: Annotated[int, typer.Option(help="Of the shuffled words.")] = 1,
    threads: Annotated[int, typer.Option(min=1, help="Bags at a time; times are truest with 1.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars.")] = False,
) -> None:
    """Restore sentences from their shuffled words (Soricut & Marcu 2005, Tables 2 and 3).

    Prints the tables; OUTPUT gets them too, as text and JSON, with a file of every bag's strings and log-probabilities,
    and one for each row with its statistics. Rows that are finished are not run again.
    """
    from widl.experiments import word_order as experiment
    from widl.experiments import word_order_table as table
    from widl.files import write_text
    from widl.pipeline.progress import progress_bars

    if lm and lm_text:
        raise InputError("--lm and --lm-text exclude each other")
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: exists and is not a directory; choose another output")
    for name in rows or ():
        experiment.Row.parse(name)
    sets = [experiment.read_bags(_existing(file), limit=limit, seed=seed) for file in bags or _in(data, _BAGS)]
    if len({one.name for one in sets}) < len(sets):
        raise InputError("--bags: two files of the same name")
    texts = [] if lm else [_existing(file) for file in lm_text or _in(data, _TEXTS)]
    output.mkdir(parents=True, exist_ok=True)
    budget = experiment.Budget(seconds=max_seconds, states=max_states, memory=max_memory)
    with progress_bars(quiet=quiet) as progress:
        model = lm or experiment.make_language_model(texts, output, progress=progress)
        for one in sets:
            names = rows or experiment.default_rows(one)
            results = experiment.run(one, model, names, output, budget=budget, threads=threads, progress=progress)
            text = table.format_table(results) + "\n" + table.format_proved(results)
            with write_text(output / f"{one.name}.txt") as out:
                out.write(text)
            with write_text(output / f"{one.name}.tsv") as out:
                out.writelines("\t".join(cells) + "\n" for cells in experiment.write_all(results))
            settings = {"lm": str(model), "seed": seed, "threads": threads, "budget": asdict(budget)}
            with write_text(output / f"{one.name}.json") as out:
                json.dump(settings | table.as_json(results), out, ensure_ascii=False, indent=1)
            sys.stdout.write(text + "\n")


@app.command("sizes", cls=ManyValues)
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
        from widl.pipeline.translation import Translator

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


def _in(data: Path, names: list[str]) -> list[Path]:
    if not data.is_dir():
        raise InputError(f"{data}: no such directory; give --data, or --bags and one of --lm and --lm-text")
    return [data / name for name in names]


def _existing(file: Path) -> Path:
    if not file.is_file():
        raise FileNotFoundError(f"{file}: no such file")
    return file


@app.command("search")
def search(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")],
    source: Annotated[Path, typer.Option(help="Text to translate.")],
    output: Annotated[Path, typer.Option(help="Directory of the table and its picture.")] = Path("search"),
    sentences: Annotated[int, typer.Option(min=0, help="So many lines, spread evenly; 0: all.")] = 100,
    weights: Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")] = None,
    distortion_limit: Annotated[int, typer.Option(min=0, help="Of the searches compared.")] = 6,
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
    from widl.pipeline.translation import Translator

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


@app.command("translation")
def translation(
    config: Annotated[Path, typer.Argument(help="A TOML file; docs/experiments.md describes it.", metavar="CONFIG")],
    output: Annotated[Path, typer.Option(help="Directory of all that is found.")] = Path("translation"),
    threads: Annotated[int, typer.Option(min=1, help="Threads; the results do not depend on them.")] = (
        os.cpu_count() or 1
    ),
    cluster: Cluster = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing on the way.")] = False,
) -> None:
    """Compare decoders on test sets, each with weights tuned on dev (Soricut & Marcu 2006, Section 5).

    Prints BLEU, chrF and TER with replications and paired tests, and model scores, search errors and speed with equal
    weights. An interrupted run goes on where it stopped, and what is there already is not made again.
    """
    from widl.experiments.translation import run_translation_experiment
    from widl.experiments.translation_config import read_config
    from widl.experiments.translation_table import translation_table
    from widl.files import write_text
    from widl.pipeline.cluster import open_engine

    settings = read_config(config)

    def tell(text: str) -> None:
        if not quiet:
            typer.echo(text, err=True)

    with open_engine(cluster, threads=threads, tell=tell) as engine:
        results = run_translation_experiment(settings, output, threads=threads, engine=engine, tell=tell)
    text = "\n".join(translation_table(results)) + "\n"
    with write_text(output / "results.txt") as file:
        file.write(text)
    typer.echo(text, nl=False)
