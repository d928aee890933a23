"""The command line `widl`: thin wrappers over public functions of the same names."""

import os
import sys

import typer

from widl.cli import (
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
from widl.cli.options import ManyValues
from widl.cli.warnings import warnings_on_stderr
from widl.errors import InputError

# In the tables that rich makes of help, 80 columns have no room for the names of options.
app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False, pretty_exceptions_enable=False)
app.command(cls=ManyValues, short_help="Make a translation model of parallel text.")(train.train)
app.command(short_help="Translate text with a model.")(translate.translate)
app.command(cls=ManyValues, short_help="Find better weights for a model, or on n-best lists.")(tune.tune)
app.command(short_help="Align the words of new text and its translation.")(align.align)
app.command(short_help="Write the tokens of raw text.")(align.tokenize)
app.command(short_help="Train on a sample corpus; translate, make headlines.")(demo.demo)
app.command(name="enumerate", short_help="Print the strings of WIDL-expressions.")(enumerate.enumerate_command)
app.command(cls=ManyValues, short_help="Print the best string of each WIDL-expression.")(realize.realize)
app.command(cls=ManyValues, short_help="Put words into the most probable order.")(realize.order)
app.add_typer(headline.app, name="headline")
app.add_typer(lm.app, name="lm")
app.add_typer(phrase_table.app, name="phrase-table")
app.add_typer(experiment.app, name="experiment")


@app.callback()
def _main(context: typer.Context) -> None:
    """Translate, make headlines, and realize WIDL-expressions under n-gram language models.

    'widl demo' shows it at work. Your own text: 'widl train', 'widl translate', 'widl tune'; documents: 'widl
    headline train', 'widl headline generate'. 'widl COMMAND --help' describes a command.
    """
    context.with_resource(warnings_on_stderr())


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
