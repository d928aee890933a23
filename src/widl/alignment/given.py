"""Word alignments made by other programs: ``i-j`` points and GIZA++'s A3 files."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from widl.common.arguments import counted
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import option, option_set
from widl.common.streams import count_lines
from widl.common.workers import chunked

Kind = Literal["symmetrized", "forward", "reverse"]


@option_set
class GivenAlignments:
    """Alignment files, one (or one for each direction) for each pair of text files, in the same order.

    Either `symmetrized`, or `forward` and `reverse`, to be symmetrised. Each file is in one of two formats.

    *Points*: a line a pair, ``0-0 1-2``: source-target in both directions, counted from 0, as Moses, fast_align
    and eflomal write them. ``1?2``, ``1:2`` or ``1p2`` are *possible* links of hand-made alignments; phrases know
    only one kind of link.

    *GIZA++'s A3 files* (``….A3.final``), for forward and reverse: three lines a pair, the third one with the words of
    the side that others were generated from: the source in `forward`, the target in `reverse`.
    """

    symmetrized: Annotated[
        tuple[Path, ...],
        option("With --tokenized: symmetrised alignments '0-0 1-2', a file for each PREFIX.", name="alignment"),
    ] = ()
    forward: Annotated[
        tuple[Path, ...], option("Instead: alignments from source to target, '0-0 1-2' or GIZA++'s A3 files, …")
    ] = ()
    reverse: Annotated[tuple[Path, ...], option("… and from target to source.")] = ()
    possible: Annotated[bool, option("Whether links like 1?2 in alignments count.", name="possible-links")] = True

    def __post_init__(self) -> None:
        if bool(self.symmetrized) == bool(self.forward or self.reverse):
            raise InputError(
                "an alignment is either symmetrised (--alignment) or in two directions (--forward and --reverse)"
            )

        if bool(self.forward) != bool(self.reverse):
            given, missing = ("forward", "reverse") if self.forward else ("reverse", "forward")
            raise InputError(f"--{given} without --{missing}; alignments of both directions are symmetrised")

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of alignment files that each pair of text files has."""
        return ("symmetrized",) if self.symmetrized else ("forward", "reverse")

    @property
    def files(self) -> list[tuple[Path, ...]]:
        """For each pair of text files, its alignment files in the order of `kinds`."""
        groups = [self.symmetrized] if self.symmetrized else [self.forward, self.reverse]
        return list(zip(*groups, strict=True))

    def check(self, texts: Sequence[tuple[Path, int]]) -> None:
        """Raise an error unless the files belong to `texts`, source files and their numbers of lines."""
        for kind in self.kinds:
            given: tuple[Path, ...] = getattr(self, kind)
            if len(given) != len(texts):
                raise InputError(
                    f"{len(given)} {kind} alignment files for {len(texts)} parallel texts; give one for each, in order"
                )
            for path, (text, lines) in zip(given, texts, strict=True):
                giza = _is_giza(path)
                if giza and kind == "symmetrized":
                    raise InputError(
                        f"{path}: a GIZA++ file is one direction; give both with --forward and --reverse"
                    )
                found = count_lines(path)
                if found != (3 * lines if giza else lines):
                    pairs = f"{found:,} lines ({found / 3:,.6g} pairs)" if giza else counted(found, "line")
                    raise InputError(
                        f"{path} has {pairs}, {text} has {lines:,}; every line of the text needs its alignment, an "
                        "empty one where there are no links"
                    )


class RawLinks(NamedTuple):
    """The unparsed alignment of a sentence pair; it can be parsed when the lengths of the pair are known."""

    kind: Kind
    path: Path
    number: int
    text: str
    generated: int | None = None
    """In a GIZA++ file, the number of words of the other side."""

    def points(self, source_length: int, target_length: int, *, possible: bool = True) -> str:
        """Sorted source-target points, from 0; InputError names file and line of a malformed link or one outside."""
        if self.generated is None:
            links = self._parse_points(possible)
        else:
            links = self._parse_giza(source_length, target_length)
        for source, target in links:
            if source >= source_length or target >= target_length:
                raise InputError(
                    f"{self.path}:{self.number}: link {source}-{target} is outside the pair of {source_length} source "
                    f"and {target_length} target tokens; links are source-target, from 0, of the tokens between blanks"
                )
        return " ".join(f"{source}-{target}" for source, target in sorted(set(links)))

    def _parse_points(self, possible: bool) -> list[tuple[int, int]]:
        links = []
        for point in self.text.split():
            match = _POINT.fullmatch(point)
            if match is None:
                raise InputError(
                    f"{self.path}:{self.number}: expected links like 0-3 (or 0?3 for possible ones), found {point!r}"
                )
            if possible or match[2] == "-":
                links.append((int(match[1]), int(match[3])))
        return links

    def _parse_giza(self, source_length: int, target_length: int) -> list[tuple[int, int]]:
        matches = list(_GIZA_WORD.finditer(self.text))
        words = [match[2] for match in matches]
        if not words or "".join(match[0] for match in matches).strip() != self.text.strip():
            raise InputError(
                f"{self.path}:{self.number}: expected GIZA++'s 'NULL ({{ 3 }}) word ({{ 1 2 }}) …', "
                f"found {self.text[:60]!r}"
            )
        lengths = len(words) - 1, self.generated
        expected = (source_length, target_length) if self.kind == "forward" else (target_length, source_length)
        if lengths != expected:
            swapped = lengths == expected[::-1]
            raise InputError(
                f"{self.path}:{self.number}: {lengths[0]} words aligned to {lengths[1]}, but the text has "
                f"{source_length} source and {target_length} target tokens; "
                + ("exchange --forward and --reverse" if swapped else "give the text that GIZA++ aligned")
            )
        links = [(i, int(j) - 1) for i, found in enumerate(words[1:]) for j in found.split()]
        if any(j < 0 for _, j in links):
            raise InputError(f"{self.path}:{self.number}: link to word 0; GIZA++ counts from 1")
        return links if self.kind == "forward" else [(j, i) for i, j in links]


_POINT = re.compile(r"([0-9]{1,7})([-?:p])([0-9]{1,7})")
_GIZA_WORD = re.compile(r"(\S+) \(\{ ((?:[0-9]{1,7} )*)\}\)(?: |$)")
_GIZA_HEAD = re.compile(r"# Sentence pair \(([0-9]+)\) ")


def _is_giza(path: Path) -> bool:
    return next(read_lines(path), "").startswith("# Sentence pair (")


def read_links(path: Path, kind: Kind) -> Iterator[RawLinks]:
    """The alignments in a file of either format."""
    lines = enumerate(read_lines(path), 1)
    if not _is_giza(path):
        for number, line in lines:
            yield RawLinks(kind, path, number, line)
        return
    for pair, group in enumerate(chunked(lines, 3), 1):
        number, head = group[0]
        match = _GIZA_HEAD.match(head)
        if match is None or int(match[1]) != pair or len(group) < 3:
            raise InputError(
                f"{path}:{number}: expected '# Sentence pair ({pair}) …' and two more lines, found {head[:60]!r}; "
                "parts of a file must be joined in the order of these numbers"
            )
        (_, generated), (number, words) = group[1:]
        yield RawLinks(kind, path, number, words, len(generated.split()))
