"""`widl demo`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from widl.cli.parameters import CORES, Threads, resumable
from widl.common.arguments import counted
from widl.pipeline.demo import HEADLINE_TEXT, OUTPUTS, SENTENCE, WRONG, DemoResult, copy_sample, run_demo
from widl.pipeline.progress import progress_bars


def demo(
    directory: Annotated[Path, Parameter(help="Directory for the models; a second run reuses them.")] = Path("demo"),
    /,
    *,
    files: Annotated[
        Path | None,
        Parameter(
            metavar="DIR",
            help="Only copy the sample corpus and the files of the guide's examples into DIR.",
        ),
    ] = None,
    threads: Threads = CORES,
) -> None:
    """Train and tune a small Chinese-English system; compare searches; make headlines; combine outputs.

    It takes about two minutes. A second run reuses the models of the first run.

      widl demo
      widl demo --files .
    """
    if files is not None:
        for path in copy_sample(files):
            sys.stdout.write(f"{path}\n")
        return
    with resumable(), progress_bars() as progress:
        result = run_demo(directory, threads=threads, progress=progress)
    _print_searches(result)
    _print_lines(result)
    _print_scores(result)
    _print_outputs(result)
    _print_stories(result)
    # Not by rich, which would break the lines: these are commands to copy.
    sys.stdout.write("Next:\n  widl demo --files .    # the sample's text and the examples' files\n")
    sys.stdout.write(f"  widl translate {directory / 'model'} test.zh\n")
    sys.stdout.write(f"  widl headline generate {directory / 'headlines'} story.txt\n")


def _print_searches(result: DemoResult) -> None:
    """News lines translated by several searches, as a table."""
    proved = counted(result.searches[0].proved, "line")
    searches = Table(title=f"{proved} of news: the same phrases, models and weights")
    searches.add_column("search")
    for column in ("search errors", "proved", "mean score", "words/CPU s"):
        searches.add_column(column, justify="right")
    for row in result.searches:
        speed = f"{result.words / row.seconds:,.0f}"
        searches.add_row(row.name, str(row.errors), str(row.proved), f"{row.score:.3f}", speed)
    Console().print(searches)


def _print_lines(result: DemoResult) -> None:
    """A search error, and a translation with its search space."""
    error = result.error
    _show("A line whose best translation stacks of 100 miss (source positions in bars)", [
        error.source,
        f"stacks, {error.stack.score:.3f}: {error.stack.best.trace()}",
        f"exact, {error.exact.score:.3f}, proved: {error.exact.best.trace()}",
        f"drawn in {error.drawing}",
    ])  # fmt: skip
    _show("A translation, and the WIDL-expression that is searched (two options a phrase, rounded numbers)", [
        SENTENCE, result.translation, result.expression,
    ])  # fmt: skip


def _print_scores(result: DemoResult) -> None:
    """BLEU of each system, as a table, and its signature."""
    lines = len(result.systems[0].output)
    scores = Table(title=f"BLEU of {counted(lines, 'test sentence')}")
    scores.add_column("system")
    scores.add_column("BLEU", justify="right")
    for system in result.systems:
        scores.add_row(system.name, f"{system.bleu:.1f}")
    Console().print(scores)
    sys.stdout.write(f"{result.signature}\n\n")


def _print_outputs(result: DemoResult) -> None:
    """A headline, a combination, and the message about a wrong input."""
    headline = result.headline
    _show("A headline, with its confidence and reasons", [
        HEADLINE_TEXT,
        f"{headline.text} ({headline.confidence or 0:.2f})",
        str(headline.explanation),
    ])  # fmt: skip
    _show("A combination of three outputs", [*OUTPUTS, f"combined: {result.combination}"])
    _show("A wrong input, and its message", [WRONG, result.message])


def _print_stories(result: DemoResult) -> None:
    """Headlines beside their authors', as a table."""
    stories = Table(title="Headlines of twelve words at most", show_lines=True)
    for column in ("headline made", "the author's"):
        stories.add_column(column, ratio=1, overflow="fold")
    for story in result.stories:
        stories.add_row(Text(story.made), Text(story.headline))
    Console().print(stories)


def _show(title: str, lines: Sequence[str]) -> None:
    """Not by rich, which would break the lines."""
    sys.stdout.write(f"{title}:\n" + "".join(f"  {line}\n" for text in lines for line in text.splitlines()) + "\n")
