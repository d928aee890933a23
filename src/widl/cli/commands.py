"""Commands as this program has them: help in groups, options that take several values."""

import re
from collections.abc import Callable, Collection, Sequence
from contextvars import ContextVar
from typing import Any

import typer
from typer.core import TyperCommand

from widl.cli.short_help import ABOUT, FIRST
from widl.cli.usage_errors import OneLineErrors

_METAVARS = {"path": "FILE", "list[Path]": "FILE...", "str": "NAME", "list[str]": "NAME...", "int range": "N"}


RUNNING: ContextVar[Any] = ContextVar("running")
"""Click's context of the command that runs."""


class Commands(typer.Typer):
    """The commands of a module; they are of the class below unless they say otherwise."""

    def __init__(self) -> None:
        # In the tables that rich makes of help, 80 columns have no room for the names of options.
        super().__init__(cls=OneLineErrors, no_args_is_help=True, rich_markup_mode=None, add_completion=False)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Any], Any]:
        """Typer's, for a `GroupedCommand`."""
        return super().command(name, **({"cls": GroupedCommand} | settings))


class GroupedCommand(TyperCommand):
    """A command whose help shows options in groups: its own, then those of each option set."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words after the command's name in its usage; versions of typer have different brackets there."""
        arguments = [_usage_of(p) for p in self.get_params(ctx) if p.param_type_name == "argument"]
        return ["[OPTIONS]", *arguments]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Click's; ``--help-all`` shows all options and ends."""
        if _HELP_ALL in args and not ctx.resilient_parsing:
            ctx.meta[_ALL] = True
            typer.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        RUNNING.set(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Arguments, then options: all by group, or those that matter first and the names of the groups."""
        groups: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        first = () if ctx.meta.get(_ALL) else _first_of(ctx)
        left_out: dict[str, int] = {}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) is None:
                continue
            is_argument = parameter.param_type_name == "argument"
            group = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or "Options"
            if first and not is_argument:
                if not {*first, "--help"} & set(parameter.opts):
                    left_out[group] = left_out.get(group, 0) + 1
                    continue
                group = "Options"
            name = _usage_of(parameter).strip("[]") if is_argument else _plain(record[0])
            groups.setdefault(group, []).append((name, record[1]))
        if first:
            names = [*first, "--help"]
            groups["Options"].sort(key=lambda record: names.index(next(n for n in names if n in _words(record[0]))))
            groups["Options"].append((_HELP_ALL, "Show all options, in groups, and exit."))
        for name, records in groups.items():
            if records:
                about = f" ({ABOUT[name]})" if not first and _first_of(ctx) and name in ABOUT else ""
                with formatter.section(f"{name}{about}"):
                    formatter.write_dl(records)
        if left_out:
            with formatter.section(f"{sum(left_out.values())} more options, with --help-all"):
                formatter.write_dl([(f"{name} ({count})", f"{ABOUT[name]}.") for name, count in left_out.items()])


_ALL = f"{__name__}.all"
_HELP_ALL = "--help-all"


def _words(names: str) -> list[str]:
    """The names of an option in help.

    >>> _words("-o, --output FILE"), _words("--names / --no-names")
    (['-o', '--output', 'FILE'], ['--names', '--no-names'])
    """
    return re.findall(r"[^\s,/]+", names)


def _first_of(ctx: Any) -> tuple[str, ...]:
    """The options that help shows first; none of a command that shows all."""
    return FIRST.get(ctx.command_path.partition(" ")[2], ())


def _usage_of(argument: Any) -> str:
    """An argument in the usage of its command: dots if there may be many, brackets if it may be left out."""
    name: str = argument.metavar or argument.name.upper()
    if argument.nargs != 1 and " " not in name:
        name += "..."
    return name if argument.required else f"[{name}]"


def _plain(names: str) -> str:
    """An option's names and value without the names of Python's types.

    >>> _plain("--lm <list[Path]>"), _plain("--head <int range>")
    ('--lm FILE...', '--head N')
    """
    for kind, shown in _METAVARS.items():
        names = names.replace(f"<{kind}>", shown)
    return names


class ManyValues(GroupedCommand):
    """A command whose list options take several values at once: ``--bitext A B C`` for ``--bitext A --bitext B …``.

    Values end at the next option. If the command's arguments are missing, the words at the end of the last list that
    is long enough are the arguments.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the option before each of its values, then parse as usual."""
        options: list[Any] = [p for p in self.params if p.param_type_name == "option"]
        many = {name for p in options if p.multiple for name in p.opts}
        single = {name for p in options if not (p.multiple or p.is_flag) for name in p.opts}
        named = not {"-o", "--output"}.isdisjoint(args)  # what is made, in place of its argument
        arguments = [p for p in self.params if p.param_type_name == "argument"]
        needed = sum(p.required or (p.nargs == 1 and not named) for p in arguments)
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
            needed -= 0 if is_option(args[i]) else 1
            spelled.append(args[i])
            i += 1
        else:
            end = i + 1
            while end < len(args) and not is_option(args[end]):
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


def is_option(word: str) -> bool:
    """Whether a word of the command line is an option; ``-`` is stdin or stdout."""
    return word.startswith("-") and word != "-"


