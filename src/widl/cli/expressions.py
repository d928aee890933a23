"""WIDL-expressions from files or stdin."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from widl.cli.options import sources_of
from widl.decoder import Expression, read_expressions
from widl.files import read_lines, source_name


def located_expressions(files: Sequence[Path] | None) -> Iterator[tuple[str, Expression]]:
    """Each expression of the files or of stdin, with its place, ``FILE:LINE``."""
    for source in sources_of(files):
        name = source_name(source)
        for number, expression in read_expressions(read_lines(source), name=name):
            yield f"{name}:{number}", expression
