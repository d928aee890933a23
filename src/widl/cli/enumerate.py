"""`widl enumerate`."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from widl.cli.expressions import located_expressions
from widl.cli.options import Json, command_group
from widl.cli.schema import with_options
from widl.decoder import Expression, count_derivations, enumerate_strings, written_size
from widl.decoder.enumeration import EnumerationOptions
from widl.errors import InputError

app = command_group()


@app.command(name="enumerate")
@with_options
def enumerate_command(
    files: Annotated[
        list[Path] | None, typer.Argument(help="WIDL-expressions, one a line (.gz too); stdin when not given.")
    ] = None,
    *,
    count: Annotated[bool, typer.Option("--count", help="Only the exact number of derivations.")] = False,
    size: Annotated[
        bool, typer.Option("--size", help="Only the number of nodes: shared ones counted once, and written out.")
    ] = False,
    options: EnumerationOptions,
    as_json: Json = False,
) -> None:
    r"""Print the strings of WIDL-expressions with their exact probabilities, most probable first.

    A line is ``probability<TAB>string``; where choices have several probabilities, these stand with
    spaces between them. An empty line stands between the strings of two expressions. Lines of input
    that are empty or begin with # are skipped.
    """
    if count and size:
        raise typer.BadParameter("--count and --size exclude each other")
    sys.set_int_max_str_digits(0)  # counts may have any number of digits
    for group, (where, expression) in enumerate(located_expressions(files)):
        try:
            lines = list(_report(expression, count, size, options, as_json))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if group and not (count or size or as_json):
            sys.stdout.write("\n")
        sys.stdout.writelines(line + "\n" for line in lines)



def _report(
    expression: Expression, count: bool, size: bool, options: EnumerationOptions, as_json: bool
) -> Iterator[str]:
    if count:
        derivations = count_derivations(expression)
        yield json.dumps({"derivations": derivations}) if as_json else str(derivations)
    elif size:
        nodes, written = expression.size, written_size(expression)
        yield json.dumps({"nodes": nodes, "written": written}) if as_json else f"{nodes}\t{written}"
    else:
        for weighted in enumerate_strings(expression, limit=options.limit, shuffle_count=options.shuffle_count):
            if as_json:
                entry = {"string": weighted.string, "probability": weighted.probability}
                if len(weighted.probabilities) > 1:
                    entry["probabilities"] = weighted.probabilities
                yield json.dumps(entry, ensure_ascii=False)
            else:
                yield f"{' '.join(f'{p:.12g}' for p in weighted.probabilities)}\t{weighted.string}"
