"""Phrase pairs from word-aligned text."""

import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from pydantic import Field

from widl._core import Bitext, PhraseScorer
from widl.common.arguments import PathLike, path_of, strings
from widl.common.errors import FileError, InputError, MissingFileError
from widl.common.option_values import Size
from widl.common.options import option_set
from widl.phrase_table.reordering import REORDERING, ReorderingModel, ReorderingOption

MAX_LENGTH = 255
"""Maximum length of phrases in the core."""
_LINES = "a list of lines: [line]"

Smoothing = Literal["kneser-ney", "none"]

LengthOption = Annotated[int, Field(ge=1, le=MAX_LENGTH)]
DEFAULT_LENGTH = 7
SmoothingOption = Smoothing


@option_set
class ExtractionOptions:
    """Which phrase pairs are extracted from aligned text, and how they are scored."""

    max_length: LengthOption = DEFAULT_LENGTH
    "Maximum number of words of a phrase, on either side."
    smoothing: SmoothingOption = "kneser-ney"
    "Smoothing of phrase translation probabilities: kneser-ney, or none, as in Moses."
    reordering: ReorderingOption = "none"
    "Reordering model of phrase pairs: msd-bidirectional-fe, or none."


@option_set
class ExtractionSpace:
    """Memory and temporary directory for extracting phrase pairs; the result does not depend on them."""

    memory: Size | None = None
    "Memory to sort phrase pairs and count n-grams, like 800M, 2G or 50%; the rest goes to temporary files."
    temporary_directory: Annotated[Path | None, Parameter(metavar="DIR")] = None
    "Directory of temporary files. Default: the output's directory."


def check_temporary_directory(path: PathLike | None, *, used: bool = True) -> None:
    """Raise a FileError if the path is given but not a directory, and an InputError if it would not be `used`."""
    if path is None:
        return
    directory = path_of(path, "temporary_directory")
    if not directory.is_dir():
        kind = FileError if directory.exists() else MissingFileError
        raise kind(f"{directory}: no such directory, where temporary files were to go")
    if not used:
        raise InputError("temporary-directory has no effect here; it is for memory")


def read_bitext(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    alignments: Iterable[str],
    *,
    first: int = 0,
    in_domain: int = 0,
    into: Bitext | None = None,
) -> Bitext:
    """Tokenized lines and their word alignments in the core's form, added to `into` if that is given.

    Tokens are separated by ASCII white space. An alignment is a line ``0-0 1-2 …`` of source-target points.
    `first`: lines of the text before the first. `in_domain`: number of in-domain lines at the beginning of the text.
    """
    bitext = Bitext() if into is None else into
    lines = sentence_pairs(source_lines, target_lines, alignments)
    for number, (source, target, links) in enumerate(lines, start=first + 1):
        try:
            bitext.append(source, target, links)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    bitext.set_in_domain(max(0, in_domain - first))
    return bitext


def sentence_pairs(
    source_lines: Iterable[str], target_lines: Iterable[str], alignments: Iterable[str]
) -> Iterator[tuple[str, str, str]]:
    """Parallel lines; InputError if one text ends before the others."""
    lines = zip_longest(
        strings(source_lines, "source_lines", _LINES),
        strings(target_lines, "target_lines", _LINES),
        strings(alignments, "alignments", "a list of lines such as '0-0 1-2'"),
    )
    for number, (source, target, links) in enumerate(lines, 1):
        if source is None or target is None or links is None:
            missing = [
                name for name, line in (("source", source), ("target", target), ("alignment", links)) if line is None
            ]
            raise InputError(f"line {number}: the {' and the '.join(missing)} text ends before the others")
        yield source, target, links


def extract_phrases(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    alignments: Iterable[str],
    *,
    max_length: int = ExtractionOptions.max_length,
    smoothing: Smoothing = ExtractionOptions.smoothing,
    reordering: ReorderingModel = ExtractionOptions.reordering,
    in_domain: int = 0,
    threads: int = 0,
) -> PhraseScorer:
    """All phrase pairs that are consistent with the alignments, counted and scored, for `build_phrase_table`.

    Phrases have up to `max_length` words on both sides. `threads` = 0 uses all processors.

    Scores are p(f|e), p(e|f) and the lexical weights of a pair's most frequent word alignment, which is the one that is
    stored. Given c(f,e) occurrences of a pair, p(e|f) is

    - for smoothing ``none``, as in Moses, c(f,e) / c(f), which sums to 1 over the pairs of f;
    - for ``kneser-ney`` (c(f,e) - D) / c(f) + a(f) b(e), modified and interpolated (Foster, Kuhn & Johnson 2006):
      discounts D for counts 1, 2 and 3 or more (Chen & Goodman 1998), a(f) the sum of the discounts of f's pairs over
      c(f), b(e) the share of e in the distinct pairs. The sum over all e of the table, seen with f or not, is 1.

    reordering: the model of lexicalized reordering (Koehn et al. 2005), ``msd-bidirectional-fe``, counted from the same
    occurrences as Moses does (core/phrase_table/orientation_counts.hpp), or ``none``.

    in_domain: number of in-domain lines at the beginning; their lexical weights are two more scores, `IN_DOMAIN_SCORES`
    (after Chiang, DeNeefe & Pust 2011). They have (c'(f,e) + 5 w(e|f)) / (c'(f) + 5) for w(e|f), c' counted in those
    lines.
    """
    ExtractionOptions(max_length=max_length, smoothing=smoothing, reordering=reordering)
    return PhraseScorer(
        read_bitext(source_lines, target_lines, alignments, in_domain=in_domain),
        max_length=max_length,
        threads=threads or os.cpu_count() or 1,
        reordering=reordering == REORDERING,
        smoothed=smoothing != "none",
    )
