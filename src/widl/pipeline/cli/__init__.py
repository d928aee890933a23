"""The command line `widl`: thin wrappers over public functions of the same names."""

import sys

import typer

from widl.errors import InputError
from widl.pipeline.cli import lm
from widl.pipeline.cli.enumerate import enumerate_command

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(lm.app, name="lm")
app.command("enumerate")(enumerate_command)


@app.callback()
def _main() -> None:
    """Translate, generate headlines, and realize WIDL-expressions under n-gram language models."""


def main() -> None:
    """Run the command line; what the user got wrong is one line on stderr and exit code 2."""
    try:
        app()
    except (InputError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
