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
    """Check that models and their files are intact; this reads every byte.

    Opening a model compares the sizes of its files only. This command compares their SHA-256 with the manifest's, and
    reads all entries of phrase tables. Run it once on a model that you got from others. Prints a line for each intact
    file, and stops with an error at the first damaged file.

      widl check model
      widl check news.binary phrase-table.binary
    """
    for path in paths:
        for checked in run(path):
            sys.stdout.write(f"{checked.path}: ok ({checked.checked})\n")
            sys.stdout.flush()
