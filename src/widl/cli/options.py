"""Shared by commands: parameters outside of option sets; input from files or stdin, output to a file or stdout."""

import os
import signal
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperCommand

from widl.files import Source, read_lines, source_name, write_text

CORES = os.cpu_count() or 1

ModelDirectory = Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")]
NewModel = Annotated[Path, typer.Argument(help="The directory to write the model to.", metavar="MODEL_DIR")]
TargetText = Annotated[Path, typer.Option(metavar="FILE", help="Its translation, line by line.")]
Output = Annotated[Path | None, typer.Option(help="File to write instead of stdout.")]
Weights = Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")]
Distortion = Annotated[
    str, typer.Option(help="Movement: own, a separate feature; or folded into the four WIDL features, as in the paper.")
]
Threads = Annotated[int, typer.Option(min=1, help="Threads; the result does not depend on them.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line, with all scores.")]
Overwrite = Annotated[bool, typer.Option(help="Replace an existing model.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no progress and no summary.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS|N",
        help="Work on a Dask cluster: tcp://HOST:PORT, a scheduler file, or N processes here (docs/cluster.md).",
    ),
]


def command_group(help: str | None = None) -> typer.Typer:
    """An app for the commands of a module."""
    # In the tables that rich makes of help, 80 columns have no room for the names of options.
    return typer.Typer(no_args_is_help=True, rich_markup_mode=None, add_completion=False, help=help)


class ManyValues(TyperCommand):
    """A command whose list options take several values at once: ``--bitext A B C`` for ``--bitext A --bitext B …``.

    Values end at the next option. If the command's arguments are missing, the words at the end of the last list that
    is long enough are the arguments.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, then parse as usual."""
        options: list[Any] = [p for p in self.params if p.param_type_name == "option"]
        many = {name for p in options if p.multiple for name in p.opts}
        single = {name for p in options if not (p.multiple or p.is_flag) for name in p.opts}
        needed = sum(1 for p in self.params if p.param_type_name == "argument" and p.required)
        return super().parse_args(ctx, spell_out(args, many, single, needed))


def spell_out(args: Sequence[str], many: Collection[str], single: Collection[str], needed: int) -> list[str]:
    """Repeat the options in `many` before each of their values; `needed` words at their end are left for arguments.

    >>> spell_out(["--b", "x", "y", "--l", "f", "dir"], {"--b", "--l"}, {}, 1)
    ['--b', 'x', '--b', 'y', '--l', 'f', 'dir']
    >>> spell_out(["--b", "x", "dir", "--quiet"], {"--b", "--l"}, {}, 1)
    ['--b', 'x', 'dir', '--quiet']
    >>> spell_out(["--b", "x", "--l", "f"], {"--b", "--l"}, {}, 1)
    ['--b', 'x', '--l', 'f']
    """
    spelled: list[str] = []
    lists: list[tuple[int, int]] = []  # where the values of an option begin in `spelled`, and how many there are
    i = 0
    while i < len(args):
        if args[i] in single:
            spelled += args[i : i + 2]
            i += 2
        elif args[i] not in many:
            needed -= 0 if args[i].startswith("-") else 1
            spelled.append(args[i])
            i += 1
        else:
            end = i + 1
            while end < len(args) and not args[end].startswith("-"):
                end += 1
            values = args[i + 1 : end]
            lists.append((len(spelled), len(values)))
            # Without a value the parser reports that it is missing.
            spelled += [word for value in values for word in (args[i], value)] or [args[i]]
            i = end
    if needed > 0 and (long := [place for place in lists if place[1] > needed]):
        begin, count = long[-1]
        end, cut = begin + 2 * count, begin + 2 * (count - needed)
        spelled[cut:end] = spelled[cut + 1 : end : 2]
    return spelled


def text_lines(files: Sequence[Path] | None) -> Iterator[str]:
    """The lines of the files, one file after the other, or of stdin if there are none."""
    return (line for _, line in located_lines(files))


def sources_of(files: Sequence[Path] | None) -> list[Source]:
    """The files, or stdin if there are none."""
    return [*files] if files else [sys.stdin.buffer]


def located_lines(files: Sequence[Path] | None) -> Iterator[tuple[str, str]]:
    """Each line of the files or of stdin, with its place, ``FILE:LINE``."""
    for source in sources_of(files):
        for number, line in enumerate(read_lines(source), 1):
            yield f"{source_name(source)}:{number}", line


def output_stream(output: Path | None) -> AbstractContextManager[TextIO]:
    """A file that appears when it is complete, or stdout."""
    return write_text(output) if output else nullcontext(sys.stdout)


@contextmanager
def resumable() -> Iterator[None]:
    """Run a job in the ``with`` block; if Ctrl-C or SIGTERM ends it, a line says how to resume it."""
    terminated = 128 + signal.SIGTERM

    def terminate(_number: int, _frame: object) -> None:
        raise SystemExit(terminated)

    before = signal.getsignal(signal.SIGTERM)
    if before == signal.SIG_DFL:  # keep it ignored if it is
        signal.signal(signal.SIGTERM, terminate)
    try:
        yield
    except (KeyboardInterrupt, SystemExit) as error:
        if isinstance(error, KeyboardInterrupt) or error.code == terminated:
            sys.stderr.write("interrupted; run the same command again to go on\n")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
