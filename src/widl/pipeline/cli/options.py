"""What several commands share: options that take many values, text from files or stdin."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from typer.core import TyperCommand


class ManyValues(TyperCommand):
    """A command whose list options take several values at once: ``--bitext A B C`` for ``--bitext A --bitext B …``.

    Values end at the next option. Where they reach the end of the line, what the command's own arguments
    still need is taken from there.
    """

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Spell every value out as an option of its own, then parse as usual."""
        many = {name for p in self.params if p.param_type_name == "option" and p.multiple for name in p.opts}  # type: ignore[attr-defined]
        single = {
            name for p in self.params if p.param_type_name == "option" and not p.multiple and not p.is_flag  # type: ignore[attr-defined]
            for name in p.opts
        }
        needed = sum(1 for p in self.params if p.param_type_name == "argument" and p.required)
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
                    spelled.append(args[i])  # click says that the value is missing
                i = last
        return super().parse_args(ctx, spelled)  # type: ignore[arg-type]


def text_lines(files: Sequence[Path] | None) -> Iterator[str]:
    """The lines of the files, one after the other, or of stdin when there are none."""
    from widl.files import read_lines

    for source in files or [sys.stdin.buffer]:
        yield from read_lines(source)
