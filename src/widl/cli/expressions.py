"""WIDL-expressions from files or stdin."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from widl.cli.options import sources_of
from widl.decoder import Expression
from widl.decoder.parsing import read_numbered_expressions
from widl.files import source_name
from widl.streams import line_runs


def located_expressions(files: Sequence[Path] | None) -> Iterator[tuple[str, Expression]]:
    """Each expression of the files or of stdin, with its place, ``FILE:LINE``."""
    return chain.from_iterable(expression_runs(files))


def expression_runs(files: Sequence[Path] | None) -> Iterator[Iterator[tuple[str, Expression]]]:
    """The same expressions in runs, which end where a pipe or terminal has no more lines for now (`widl.streams`)."""
    for source in sources_of(files):
        name = source_name(source)
        for run in line_runs(source):
            yield ((f"{name}:{number}", found) for number, found in read_numbered_expressions(run, name=name))
