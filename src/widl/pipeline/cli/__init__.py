"""The command line `widl`: thin wrappers over public functions of the same names."""

import os
import sys

import typer

from widl.errors import InputError
from widl.pipeline.cli import (
    align,
    demo,
    enumerate,
    experiment,
    headline,
    lm,
    phrase_table,
    realize,
    train,
    translate,
    tune,
)
from widl.pipeline.cli.options import ManyValues

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command(cls=ManyValues)(train.train)
app.command()(translate.translate)
app.command(cls=ManyValues)(tune.tune)
app.command()(align.align)
app.command()(align.tokenize)
app.command()(demo.demo)
app.command(name="enumerate")(enumerate.enumerate_command)
app.command(cls=ManyValues)(realize.realize)
app.command(cls=ManyValues)(realize.order)
app.add_typer(headline.app, name="headline")
app.add_typer(lm.app, name="lm")
app.add_typer(phrase_table.app, name="phrase-table")
app.add_typer(experiment.app, name="experiment")


@app.callback()
def _main() -> None:
    """Translate, make headlines, and realize WIDL-expressions under n-gram language models."""


def main() -> None:
    """Run the command line; what the user got wrong is one line on stderr and exit code 2."""
    try:
        app()
    except InputError as error:
        fail(str(error))
    except BrokenPipeError:
        # Who read the output has seen enough; nothing may be written when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))


def fail(message: str) -> None:
    """End with one line on stderr, and exit code 2."""
    sys.stderr.write(f"error: {message}\n")
    sys.exit(2)
