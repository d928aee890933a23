"""WIDL-expressions from files or stdin."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from widl.cli.parameters import sources_of
from widl.common.errors import InputError
from widl.common.files import source_name
from widl.common.streams import line_runs
from widl.expressions import Expression
from widl.expressions.parsing import read_numbered_expressions


def located_expressions(files: Sequence[Path] | None) -> Iterator[tuple[str, Expression | InputError]]:
    """Each expression of the files or of stdin, or its error, with its place, ``FILE:LINE``."""
    return chain.from_iterable(expression_runs(files))


def expression_runs(files: Sequence[Path] | None) -> Iterator[Iterator[tuple[str, Expression | InputError]]]:
    """The same expressions in runs; a run ends when a pipe or terminal must be waited for (`widl.common.streams`)."""
    for source in sources_of(files):
        name = source_name(source)
        for run in line_runs(source):
            yield ((f"{name}:{number}", entry) for number, line in run for entry in _read(number, line, name))


def _read(number: int, line: str, name: str) -> list[Expression | InputError]:
    """The expression of a line; None for an empty line or a comment."""
    try:
        return [expression for _, expression in read_numbered_expressions([(number, line)], name=name)]
    except InputError as error:
        return [error]


@dataclass
class Tally:
    """Counts successful and failed expressions of a run; each failure prints a message on stderr."""

    done: int = 0
    failed: int = 0
    missed: int = 0

    def fail(self, message: str) -> None:
        """Reports an invalid expression and continues."""
        self.failed += 1
        sys.stderr.write(f"error: {message}\n")

    def miss(self, message: str) -> None:
        """Reports an expression for which no string was found and continues."""
        self.missed += 1
        sys.stderr.write(f"{message}\n")

    def end(self) -> None:
        """Exits with code 1 if some expressions are invalid or have no result, and with 2 if all are invalid."""
        if self.failed or self.missed:
            sys.exit(1 if self.done or self.missed else 2)
