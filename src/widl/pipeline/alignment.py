"""Alignment of new text with the word aligner of a translation model."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.streams import arrives
from widl.common.workers import Progress, no_progress
from widl.phrase_table.aligner import TextToAlign, WordAligner
from widl.phrase_table.alignment_shards import Links
from widl.phrase_table.bitext import check_pair, given_tokens
from widl.phrase_table.symmetrization import symmetrize_pair
from widl.pipeline.training_files import beginning
from widl.text.source_and_target import SourceText, TargetText, sides_are_swapped
from widl.text.truecasing import Truecaser
from widl.translation.manifest import read_manifest

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AlignedPair:
    """A pair's tokens and its links as a line ``0-0 1-2 …``, sorted."""

    source: list[str]
    target: list[str]
    links: str


@checked
def align(
    directory: PathLike,
    source: PathLike,
    target: PathLike,
    *,
    symmetrization: str = "grow-diag-final-and",
    tokenized: bool = False,
    threads: int = 1,
    progress: Progress = no_progress,
) -> Iterator[AlignedPair]:
    """Align two files, line by line, with the word aligner of a model directory.

    Raw text is tokenized as the model's training text was; `tokenized` text has tokens separated by spaces. A pair with
    an empty side has no links. Raises InputError for a model of an earlier format, files of unequal length and invalid
    tokens.
    """
    symmetrize_pair("", "", symmetrization)  # refuses an unknown method
    directory = Path(directory)
    source, target = Path(source), Path(target)
    manifest = read_manifest(directory)
    if manifest.alignment is None:
        raise InputError(f"{directory}: has no word aligner; train the model again to align with it")
    pairs = 0 if arrives(source) or arrives(target) else check_pair(source, target)
    if pairs:
        _check_sides(source, target, manifest.text.source_language)
    aligner = WordAligner.load(directory / manifest.alignment, threads=threads)
    logger.info("%s: opened the word aligner of a translation model", directory)
    tokens = _tokenizers(directory, source, target, tokenized=tokenized)
    links = partial(aligner.align, threads=threads)
    lines = _paired(source, target)
    return _aligned(links, lines, tokens, symmetrization, lambda done: progress("align", done, pairs))


def _check_sides(source: Path, target: Path, source_language: str) -> None:
    if sides_are_swapped(beginning(source), beginning(target), source_language):
        raise InputError(f"{source} and {target} seem to be exchanged: {target} has the Chinese text")


_Line = tuple[int, str]
"""The number of a line, from 1, and its text."""
_Tokenizer = Callable[[_Line], list[str]]
_SMALLEST, _LARGEST = 256, 65_536  # pairs per block; the first links come soon, and later blocks keep threads busy


def _paired(source: Path, target: Path) -> Iterator[tuple[_Line, _Line]]:
    for number, (first, second) in enumerate(zip_longest(read_lines(source), read_lines(target)), 1):
        if first is None or second is None:
            shorter, longer = (source, target) if first is None else (target, source)
            raise InputError(f"{shorter}: ends before line {number}, which {longer} has; a line each is needed")
        yield (number, first), (number, second)


def _aligned(
    align_text: Callable[[TextToAlign], Iterator[Links]],
    lines: Iterator[tuple[_Line, _Line]],
    tokens: tuple[_Tokenizer, _Tokenizer],
    symmetrization: str,
    progress: Callable[[int], None],
) -> Iterator[AlignedPair]:
    done, size = 0, _SMALLEST
    while block := [(tokens[0](source), tokens[1](target)) for source, target in islice(lines, size)]:
        text = TextToAlign((" ".join(pair[0]) for pair in block), (" ".join(pair[1]) for pair in block))
        for pair, directions in zip(block, align_text(text), strict=True):
            yield AlignedPair(*pair, symmetrize_pair(*directions, symmetrization))
        done += len(block)
        progress(done)
        size = min(2 * size, _LARGEST)


def _tokenizers(directory: Path, source: Path, target: Path, *, tokenized: bool) -> tuple[_Tokenizer, _Tokenizer]:
    if tokenized:
        return partial(_tokenized, source), partial(_tokenized, target)
    manifest = read_manifest(directory)
    settings = manifest.text_settings(directory)
    source_text = SourceText(settings)
    target_text = TargetText(settings, Truecaser.load(directory / manifest.truecaser))
    return (lambda line: source_text.tokens(line[1])), (lambda line: target_text.tokens(line[1]))


def _tokenized(path: Path, line: _Line) -> list[str]:
    number, text = line
    tokens = given_tokens(text)
    if tokens is None:
        raise InputError(
            f"{path}:{number}: a token without visible characters, or with white space other than blanks inside; "
            "remove it, or leave out --tokenized"
        )
    return tokens
