"""Phrase pairs from word-aligned text."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from widl.common.arguments import PathLike, texts_in
from widl.common.errors import FileError, InputError, MissingFileError
from widl.common.option_values import NOT_ON_COMMAND_LINE, Size
from widl.common.options import option_set
from widl.phrase_table.reordering import ReorderingOption

MAX_LENGTH = 255
"""Maximum length of phrases in the core."""
_LINES = "a list of lines: [line]"

Smoothing = Literal["kneser-ney", "none"]

LengthOption = Annotated[int, Field(ge=1, le=MAX_LENGTH)]
DEFAULT_LENGTH = 7


@option_set
class ExtractionOptions:
    """Which phrase pairs are extracted from aligned text, and how they are scored."""

    max_phrase_length: LengthOption = DEFAULT_LENGTH
    "Maximum number of words of a phrase, on either side."
    smoothing: Smoothing = "kneser-ney"
    "Smoothing of phrase translation probabilities: kneser-ney, or none, as in Moses."
    reordering: ReorderingOption = "none"
    "Reordering model of phrase pairs: msd-bidirectional-fe, or none."


@option_set
class ExtractionResources:
    """Memory and temporary directory for extracting phrase pairs; the result does not depend on them."""

    memory: Size | None = None
    "Memory to sort phrase pairs and count n-grams, like 800M, 2G or 50%; the rest goes to temporary files."
    temporary_directory: Annotated[Path | None, NOT_ON_COMMAND_LINE] = None
    "Directory of temporary files. Default: the output's directory."


def check_temporary_directory(path: PathLike | None) -> None:
    """Raise a FileError if the path is given but not a directory."""
    if path is None:
        return
    directory = Path(path)
    if not directory.is_dir():
        kind = FileError if directory.exists() else MissingFileError
        raise kind(f"{directory}: no such directory, where temporary files were to go")


def sentence_pairs(
    source_lines: Iterable[str], target_lines: Iterable[str], alignments: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    """Parallel lines; InputError if one text ends before the others."""
    lines = zip_longest(
        texts_in(source_lines, "source_lines", _LINES),
        texts_in(target_lines, "target_lines", _LINES),
        texts_in(alignments, "alignments", "a list of lines such as '0-0 1-2'"),
    )
    for number, (source, target, links) in enumerate(lines, 1):
        if source is None or target is None or links is None:
            missing = [
                name for name, line in (("source", source), ("target", target), ("alignment", links)) if line is None
            ]
            raise InputError(f"line {number}: the {' and the '.join(missing)} text ends before the others")
        yield source, target, links
