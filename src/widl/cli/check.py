"""`widl check`."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl.pipeline.checking import check as run


def check(
    paths: Annotated[list[Path], Parameter(metavar="PATH", help="Model directories, language models, phrase tables.")],
    /,
) -> None:
    """Check that models and their files are whole: every byte is read and compared.

    Opening a model compares the SHA-256 of new and changed files; this command compares all files. It also checks the
    pages of phrase tables, which opening does not: do that once for a model that others made. Prints a line for each
    sound file, and stops with an error at the first that isn't.

      widl check model
      widl check news.binary phrase-table.binary
    """
    for path in paths:
        for checked in run(path):
            sys.stdout.write(f"{checked.path}: ok ({checked.checked})\n")
            sys.stdout.flush()
