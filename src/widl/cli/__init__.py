"""The command line `widl`: thin wrappers over public functions of the same names.

A command's module is loaded only when the command runs. `widl --help` loads no command module.
"""

import errno
import gc
import io
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import NoReturn

from cyclopts import App, CycloptsError

from widl import __version__
from widl.cli.commands import COMPLETION, arranged, commands, joined_paragraphs
from widl.cli.options_file import take_config
from widl.cli.usage_errors import usage_error

COMMANDS = {
    "train": ("train:train", "Make a translation model of parallel text."),
    "translate": ("translate:translate", "Translate text with a model."),
    "tune": ("tune:app", "Tune the weights of a model, or on n-best lists."),
    "align": ("align:align", "Align the words of new text and its translation."),
    "tokenize": ("align:tokenize", "Write the tokens of raw text."),
    "import-moses": ("import_moses:import_moses", "Make a model of what a moses.ini names."),
    "presets": ("presets:print_presets", "Print what the papers' presets set."),
    "check": ("check:check", "Check that models and their files are whole."),
    "demo": ("demo:demo", "Train on a sample corpus; translate, make headlines."),
    "explore": ("explore:explore", "See expressions, searches and models at work, in a browser."),
    "enumerate": ("enumerate:enumerate_command", "Print the strings of WIDL-expressions."),
    "realize": ("realize:realize", "Print the string of each WIDL-expression's best derivation."),
    "combine": ("combine:combine", "Combine several outputs for each line into a better one."),
    "rescore": ("rescore:rescore", "Add a scorer of your own to n-best lists."),
    "order": ("realize:order", "Put words into the most probable order."),
    "headline": ("headline:app", "Make headlines for documents: twelve words, or 75 bytes."),
    "lm": ("lm:app", "Estimate and convert n-gram language models, and score text by them."),
    "phrase-table": ("phrase_table:app", "Build, read, prune and convert phrase tables."),
    "serve": ("serve:serve_command", "Answer requests over HTTP, JSON in and out."),
    "experiment": ("experiment:app", "Run the papers' experiments on your data."),
}
"""Commands and command groups, which are loaded on demand, with their help for `widl --help`."""

_INTERRUPTED = 130  # a shell's exit code of Ctrl-C
_COLLECTED = 50_000
"""New objects between two collections of garbage. Python's 700 take a twentieth of the start: what is loaded stays."""

_ABOUT = """Translate, make headlines, and realize WIDL-expressions under n-gram language models.

Start with 'widl demo'. For your own text, use 'widl train', 'widl translate' and 'widl tune'; for documents, 'widl
headline train' and 'widl headline generate'. 'widl COMMAND --help' and 'widl help COMMAND' describe a command. 'widl
--install-completion' installs shell completion."""


def program(*loaded: str) -> App:
    """The program with all its commands; the `loaded` commands have the help from their modules."""
    app = commands("widl", _ABOUT)
    for name, (place, help) in COMMANDS.items():
        if name in loaded:
            app.command(f"widl.cli.{place}", name=name)
        else:
            app.command(f"widl.cli.{place}", name=name, help=help)
    if COMPLETION in loaded:  # it takes a hundredth of a second to load; the program's help names it
        app.register_install_completion_command()
    return app


class _StderrHandler(logging.Handler):
    """Writes to the current `sys.stderr`, looked up for each message; the same message only once."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._written: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Writes every message as one line."""
        text = " ".join(record.getMessage().splitlines())
        if text in self._written:
            return
        self._written.add(text)
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


def main() -> None:
    """Run the process's command line; a user's error prints one line on stderr and exits with code 2."""
    gc.set_threshold(_COLLECTED)
    _replace_closed_streams()
    _write_utf8()
    code = 0
    try:
        with warnings_on_stderr():
            code = _run_or_interrupted(sys.argv[1:])
    except BrokenPipeError:
        # The output's reader has closed it; avoid a flush error at interpreter exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except MemoryError:
        fail("out of memory; end other programs, use fewer --threads, or limit --memory where the command has it")
    except RuntimeError as error:
        if str(error) != "can't start new thread":
            raise
        fail("no thread can be started; end other programs, or raise the limit of processes (ulimit -u)")
    except (OSError, ValueError, ImportError) as error:
        from widl.common.errors import InputError, MissingPackageError  # the core, if a command has loaded it

        if isinstance(error.__cause__, MissingPackageError):  # while a command's module was loaded
            fail(str(error.__cause__))
        if isinstance(error, InputError):
            fail(str(error))
        if not isinstance(error, OSError):
            raise
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) and not error.filename:
            fail(f"the output can't be written ({error.strerror}); make room, or write it elsewhere")
        fail(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    finally:
        _end_searches()
    sys.exit(code)


def _run_or_interrupted(arguments: list[str]) -> int:
    """Run a command line; an error while Ctrl-C ends it is no news: a cluster, for instance, that closes too slowly."""
    try:
        return run(arguments)
    except Exception as error:
        cause: BaseException | None = error
        while cause is not None and not isinstance(cause, KeyboardInterrupt):
            cause = cause.__context__
        if cause is None:
            raise
        return _INTERRUPTED


def _end_searches() -> None:
    """End searches that other threads still run, after Ctrl-C for instance; the process would wait for them."""
    if (core := sys.modules.get("widl._core")) is not None:
        core.interrupt_searches()


def run(arguments: list[str]) -> int:
    """Run a command line; returns the exit code."""
    arguments, file = take_config(arguments)
    if arguments in (["version"], ["--version"]):
        sys.stdout.write(f"widl {__version__}\n")
        return 0
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    app = program(*arguments[:1])
    arguments = arranged(app, arguments)
    app.config = () if file is None else (file,)
    asks_for_help = not {"--help", "-h"}.isdisjoint(arguments)
    try:
        with joined_paragraphs(app, arguments) if asks_for_help else nullcontext():
            code = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        fail(usage_error(error, file))
    if not arguments:
        return 2
    return code if isinstance(code, int) else 0


def _replace_closed_streams() -> None:
    """Open the null device for standard streams that the caller closed, so that no other file takes their numbers.

    Without stderr, messages are dropped. Without stdout, output would be lost, so this is an error.
    """
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is None:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free file descriptor
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  # until the end of the process
    if sys.stdout is None:
        fail("standard output is closed; redirect it, for instance to /dev/null")


def _write_utf8() -> None:
    """Write UTF-8 to pipes and files in every locale; a terminal shows ``?`` for characters it lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower().replace("-", "") != "utf8":
            if stream.isatty():
                stream.reconfigure(errors="replace")
            else:
                stream.reconfigure(encoding="utf-8")


def fail(message: str) -> NoReturn:
    """End with one line on stderr, and exit code 2."""
    sys.stderr.write(f"error: {message}\n")
    sys.exit(2)
