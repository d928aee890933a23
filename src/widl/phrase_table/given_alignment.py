"""Word alignments made by other programs: lines of ``i-j`` points."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from widl.common.arguments import counted
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import option_set
from widl.common.streams import count_lines

Kind = Literal["symmetrized", "forward", "reverse"]


@option_set
class GivenAlignments:
    """Alignment files in the order of the text files: one per pair of text files, or one for each direction.

    Either `alignment`, which is symmetrized, or `forward` and `reverse`, to be symmetrized. Each has a line a pair,
    ``0-0 1-2``: source-target in both directions, counted from 0, as Moses, fast_align and eflomal write them.
    """

    alignment: tuple[Path, ...] = ()
    "Symmetrized alignments '0-0 1-2', one file per PREFIX; requires --tokenized."
    forward: tuple[Path, ...] = ()
    "Instead of --alignment: source-to-target alignments '0-0 1-2' (with --reverse)."
    reverse: tuple[Path, ...] = ()
    "Target-to-source alignments (with --forward)."

    def __post_init__(self) -> None:
        if bool(self.alignment) == bool(self.forward or self.reverse):
            raise InputError(
                "an alignment is either symmetrized (--alignment) or in two directions (--forward and --reverse)"
            )

        if bool(self.forward) != bool(self.reverse):
            given, missing = ("forward", "reverse") if self.forward else ("reverse", "forward")
            raise InputError(f"--{given} without --{missing}; alignments of both directions are symmetrized")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of alignment files that each pair of text files has."""
        return ("symmetrized",) if self.alignment else ("forward", "reverse")

    @property
    def files(self) -> list[tuple[Path, ...]]:
        """For each pair of text files, its alignment files in the order of `kinds`."""
        groups = [self.alignment] if self.alignment else [self.forward, self.reverse]
        return list(zip(*groups, strict=True))

    def check(self, texts: Sequence[tuple[Path, int]]) -> None:
        """Raise an error unless the files belong to `texts`, source files and their numbers of lines."""
        for kind in self.kinds:
            given: tuple[Path, ...] = self.alignment if kind == "symmetrized" else getattr(self, kind)
            if len(given) != len(texts):
                raise InputError(
                    f"{len(given)} {kind} alignment files for {len(texts)} parallel texts; give one for each, in order"
                )
            for path, (text, lines) in zip(given, texts, strict=True):
                if (found := count_lines(path)) != lines:
                    raise InputError(
                        f"{path} has {counted(found, 'line')}, {text} has {lines:,}; every line of the text needs its "
                        "alignment, an empty one where there are no links"
                    )


class UnparsedLinks(NamedTuple):
    """The unparsed alignment of a sentence pair; it can be parsed when the lengths of the pair are known."""

    path: Path
    number: int
    text: str

    def points(self, source_length: int, target_length: int) -> str:
        """Sorted source-target points, from 0; InputError names the file and line of an invalid link."""
        links = set()
        for point in self.text.split():
            match = _POINT.fullmatch(point)
            if match is None:
                raise InputError(f"{self.path}:{self.number}: expected links like 0-3, found {point!r}")
            source, target = int(match[1]), int(match[2])
            if source >= source_length or target >= target_length:
                raise InputError(
                    f"{self.path}:{self.number}: link {source}-{target} is outside the pair of {source_length} source "
                    f"and {target_length} target tokens; links are source-target, from 0, of the tokens between blanks"
                )
            links.add((source, target))
        return " ".join(f"{source}-{target}" for source, target in sorted(links))


_POINT = re.compile(r"([0-9]{1,7})-([0-9]{1,7})")


def read_links(path: Path) -> Iterator[UnparsedLinks]:
    """The alignments in a file."""
    return (UnparsedLinks(path, number, line) for number, line in enumerate(read_lines(path), 1))
