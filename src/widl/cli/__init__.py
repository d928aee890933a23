"""The command line `widl`: thin wrappers over public functions of the same names.

A command's module is loaded when the command is asked for: `widl --help` needs none of them.
"""

import errno
import io
import logging
import os
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

from widl import __version__
from widl.cli.usage_errors import OneLineErrors
from widl.common.lazy import EXTRAS


@dataclass(frozen=True)
class Command:
    """A command or a group of commands: its module in this package, and its help in `widl --help`."""

    module: str
    help: str
    is_group: bool = False


COMMANDS = {
    "train": Command("train", "Make a translation model of parallel text."),
    "translate": Command("translate", "Translate text with a model."),
    "tune": Command("tune", "Find better weights for a model, or on n-best lists.", is_group=True),
    "align": Command("align", "Align the words of new text and its translation."),
    "tokenize": Command("align", "Write the tokens of raw text."),
    "import-moses": Command("import_moses", "Make a model of what a moses.ini names."),
    "presets": Command("presets", "Print what the papers' presets set."),
    "check": Command("check", "Check that models and their files are whole."),
    "schema": Command("json_schemas", "Print the JSON schema of a command's options in a file."),
    "demo": Command("demo", "Train on a sample corpus; translate, make headlines."),
    "explore": Command("explore", "See expressions, searches and models at work, in a browser."),
    "enumerate": Command("enumerate", "Print the strings of WIDL-expressions."),
    "realize": Command("realize", "Print the string of each WIDL-expression's best derivation."),
    "combine": Command("combine", "Combine several outputs for each line into a better one."),
    "rescore": Command("rescore", "Add a scorer of your own to n-best lists."),
    "order": Command("realize", "Put words into the most probable order."),
    "headline": Command("headline", "Headlines of documents: ten words, or seventy-five bytes.", is_group=True),
    "lm": Command("lm", "Estimate, convert and query n-gram language models.", is_group=True),
    "phrase-table": Command("phrase_table", "Make, read, prune and convert phrase tables.", is_group=True),
    "serve": Command("serve", "Answer requests over HTTP, JSON in and out."),
    "experiment": Command("experiment", "The papers' experiments, on your data.", is_group=True),
}


class LoadedCommands(MutableMapping[str, Any]):
    """`COMMANDS` as click's commands; each is loaded when it is looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            command = COMMANDS[name]
            group = get_group(import_module(f"widl.cli.{command.module}").app)
            loaded = group if command.is_group else group.commands[name]
            loaded.name = name
            if command.is_group:
                loaded.help = command.help
            self._loaded[name] = loaded
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)


class LazyGroup(OneLineErrors):
    """A group that loads a command when it is used; the group's help loads none."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**(settings | {"commands": LoadedCommands()}))

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """The names of commands, and of options: without loading a command for its help."""
        item = getattr(typer.core, "CompletionItem", None)
        if item is None:  # typer before 0.29 has click's
            return super().shell_complete(ctx, incomplete)
        found = [item(name, help=command.help) for name, command in COMMANDS.items() if name.startswith(incomplete)]
        return found + super(TyperGroup, self).shell_complete(ctx, incomplete)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands' names and short help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.help) for name, command in COMMANDS.items()])


# In the tables that rich makes of help, 80 columns have no room for the names of options.
app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"widl {__version__}\n")
        raise typer.Exit


class _StderrHandler(logging.Handler):
    """Writes to what `sys.stderr` is at the time of the message."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line, whatever the message holds."""
        text = " ".join(record.getMessage().splitlines())
        sys.stderr.write(f"{record.levelname.lower()}: {text}\n")


@contextmanager
def warnings_on_stderr() -> Iterator[None]:
    """Within the ``with`` block, write the warnings and errors of the logger ``widl`` to stderr."""
    log, handler = logging.getLogger("widl"), _StderrHandler(logging.WARNING)
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


@app.callback()
def _main(
    context: typer.Context,
    _version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Translate, make headlines, and realize WIDL-expressions under n-gram language models.

    'widl demo' shows it at work. Your own text: 'widl train', 'widl translate', 'widl tune'; documents: 'widl
    headline train', 'widl headline generate'. 'widl COMMAND --help' and 'widl help COMMAND' describe a command.
    """
    context.with_resource(warnings_on_stderr())


def main() -> None:
    """Run the command line; errors of the user are a line on stderr and exit code 2."""
    _write_utf8()
    try:
        app(_without_words(sys.argv[1:]), prog_name="widl")
    except BrokenPipeError:
        # The reader of the output has closed it; nothing may be written when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        fail("out of memory; end other programs, use fewer --threads, or limit --memory where the command has it")
    except RuntimeError as error:
        if str(error) != "can't start new thread":
            raise
        fail("no thread can be started; end other programs, or raise the limit of processes (ulimit -u)")
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        fail(f"this needs {package}; install it with: pip install 'widl[{EXTRAS[package]}]'")
    except (OSError, ValueError) as error:
        from widl.common.errors import InputError  # the core, which only a command has loaded

        if isinstance(error, InputError):
            fail(str(error))
        if not isinstance(error, OSError):
            raise
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) and not error.filename:
            fail(f"the output can't be written ({error.strerror}); make room, or write it elsewhere")
        fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))


def _without_words(arguments: list[str]) -> list[str]:
    """Options for what many programs have commands for: ``widl version``, ``widl help [COMMAND]``."""
    if arguments == ["version"]:
        return ["--version"]
    return [*arguments[1:], "--help"] if arguments[:1] == ["help"] else arguments


def _write_utf8() -> None:
    """Write UTF-8 to pipes and files whatever the locale; a terminal without some characters shows ``?`` for them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8")


def fail(message: str) -> None:
    """End with one line on stderr, and exit code 2."""
    sys.stderr.write(f"error: {message}\n")
    sys.exit(2)
