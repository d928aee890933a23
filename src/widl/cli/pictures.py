"""Pictures that commands draw for a sequence of expressions."""

import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from widl.expressions import write_picture

DrawExpressions = Annotated[
    Path | None,
    Parameter(name="--draw", help="Draw the expressions to FILE (.svg, .pdf, .png or .dot); later names are numbered."),
]


def write_numbered_picture(picture: Any, file: Path, number: int) -> None:
    """Write a picture; later pictures have their number in the name.

    Reports on stderr if the picture is a .dot file instead.
    """
    numbered = file if number == 1 else file.with_stem(f"{file.stem}-{number}")
    written = write_picture(picture, numbered)
    if written != numbered:
        sys.stderr.write(f"{written}: written instead of {numbered}, as Graphviz' program dot is not installed\n")
