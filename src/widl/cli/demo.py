"""`widl demo`."""

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from widl.cli.options import CORES, Threads, command_group, resumable
from widl.cli.schema import refuse_unused
from widl.pipeline.demo import copy_sample, run_demo
from widl.pipeline.progress import progress_bars

app = command_group()


@app.command()
def demo(
    directory: Annotated[Path, typer.Option(help="Directory of the models; a second run uses them.")] = Path("demo"),
    files: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Only copy the sample corpus and the files of the guide's examples (story.txt, figure-1.widl, "
            "compare.toml) into DIR.",
        ),
    ] = None,
    threads: Threads = CORES,
) -> None:
    """Train a small Chinese-English system, tune it and translate 40 test sentences; put headlines on a dozen stories.

    \b
      widl demo
      widl demo --files .
    """
    if files is not None:
        refuse_unused(["directory", "threads"], "the demonstration, without --files")
        for path in copy_sample(files):
            sys.stdout.write(f"{path}\n")
        return
    with resumable(), progress_bars() as progress:
        result = run_demo(directory, threads=threads, progress=progress)
    console = Console()
    table = Table(title="Test sentences, translated by the tuned model", show_lines=True)
    for column in ("source", "translation", "reference"):
        table.add_column(column, ratio=1, overflow="fold")
    for source, output, reference in zip(result.source, result.systems[0].output, result.reference, strict=True):
        table.add_row(Text(source), Text(output), Text(reference))
    console.print(table)
    scores = Table(title="BLEU")
    scores.add_column("system")
    scores.add_column("BLEU", justify="right")
    for system in result.systems:
        scores.add_row(system.name, f"{system.bleu:.1f}")
    console.print(scores)
    console.print(Text(result.signature))
    stories = Table(title="Headlines of ten words at most", show_lines=True)
    for column in ("first sentence", "headline made", "the author's"):
        stories.add_column(column, ratio=1, overflow="fold")
    for story in result.stories:
        stories.add_row(Text(story.beginning), Text(story.made), Text(story.headline))
    console.print(stories)
    # Not by rich, which would break the lines: these are commands to copy.
    sys.stdout.write("Next:\n  widl demo --files .    # the sample's text and the examples' files\n")
    sys.stdout.write(f"  widl translate {directory / 'model'} test.zh\n")
    sys.stdout.write(f"  widl headline generate {directory / 'headlines'} story.txt\n")
