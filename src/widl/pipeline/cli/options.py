"""What several commands share: options that take many values, text from files or stdin."""

import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from widl.files import Source, read_lines, source_name


class ManyValues(TyperCommand):
    """A command whose list options take several values at once: ``--bitext A B C`` for ``--bitext A --bitext B …``.

    Values end at the next option. Where they reach the end of the line, what the command's own arguments
    still need is taken from there.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Spell every value out as an option of its own, then parse as usual."""
        options: list[Any] = [p for p in self.params if p.param_type_name == "option"]
        many = {name for p in options if p.multiple for name in p.opts}
        single = {name for p in options if not (p.multiple or p.is_flag) for name in p.opts}
        needed = sum(1 for p in self.params if p.param_type_name == "argument" and p.required)
        return super().parse_args(ctx, spell_out(args, many, single, needed))


def spell_out(args: Sequence[str], many: Collection[str], single: Collection[str], needed: int) -> list[str]:
    """Repeat the options in `many` before each of their values; `needed` words at the end are left for arguments.

    >>> spell_out(["--b", "x", "y", "--l", "f", "dir"], {"--b", "--l"}, {}, 1)
    ['--b', 'x', '--b', 'y', '--l', 'f', 'dir']
    """
    spelled: list[str] = []
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
            last = end - max(needed, 0) if end == len(args) and end - i - 1 > needed else end
            for value in args[i + 1 : last]:
                spelled += [args[i], value]
            if last == i + 1:
                spelled.append(args[i])  # the parser says that the value is missing
            i = last
    return spelled


def text_lines(files: Sequence[Path] | None) -> Iterator[str]:
    """The lines of the files, one after the other, or of stdin when there are none."""
    return (line for _, line in located_lines(files))


def located_lines(files: Sequence[Path] | None) -> Iterator[tuple[str, str]]:
    """The same, each with its place, ``FILE:LINE``."""
    sources: Sequence[Source] = files or [sys.stdin.buffer]
    for source in sources:
        for number, line in enumerate(read_lines(source), 1):
            yield f"{source_name(source)}:{number}", line
