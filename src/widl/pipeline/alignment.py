"""Alignment of new text with the word aligner of a translation model."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from widl.alignment.aligner import LONGEST_LINE, TextToAlign, WordAligner
from widl.alignment.bitext import check_pair, given_tokens
from widl.alignment.symmetrization import check_method, symmetrize_pair
from widl.arguments import PathLike, path_of
from widl.errors import InputError
from widl.files import read_lines
from widl.text.sides import SourceText, TargetText
from widl.text.truecasing import Truecaser
from widl.translation.manifest import read_manifest
from widl.workers import Progress, no_progress

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class AlignedPair:
    """A pair's tokens and its links as a line ``0-0 1-2 …``, sorted."""

    source: list[str]
    target: list[str]
    links: str

    @property
    def too_long(self) -> bool:
        """Whether the pair was left unaligned because one side is longer than `LONGEST_LINE`."""
        return max(len(self.source), len(self.target)) > LONGEST_LINE


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

    Raw text is tokenised as the model's training text was; `tokenized` text has its tokens between blanks. A pair
    with an empty side has no links. Raises InputError for a model of an earlier format, files of unequal length
    and invalid tokens.
    """
    check_method(symmetrization)
    directory = path_of(directory, "directory")
    source, target = path_of(source, "source"), path_of(target, "target")
    manifest = read_manifest(directory)
    if manifest.alignment is None:
        raise InputError(
            f"{directory}: has no word aligner (an older widl made it); train the model again to align with it"
        )
    check_pair(source, target)
    aligner = WordAligner.load(directory / manifest.alignment, threads=threads)
    logger.info("%s: opened the word aligner of a translation model", directory)
    return _aligned(aligner, directory, source, target, symmetrization, tokenized, threads, progress)


def _aligned(
    aligner: WordAligner,
    directory: Path,
    source: Path,
    target: Path,
    symmetrization: str,
    tokenized: bool,
    threads: int,
    progress: Progress,
) -> Iterator[AlignedPair]:
    pairs = list(zip(*_tokens(directory, source, target, tokenized=tokenized), strict=True))
    text = TextToAlign((" ".join(pair[0]) for pair in pairs), (" ".join(pair[1]) for pair in pairs))
    links = aligner.align(text, threads=threads, progress=progress)
    for pair, directions in zip(pairs, links, strict=True):
        yield AlignedPair(*pair, symmetrize_pair(*directions, symmetrization))


def _tokens(
    directory: Path, source: Path, target: Path, *, tokenized: bool
) -> tuple[Iterator[list[str]], Iterator[list[str]]]:
    if tokenized:
        return _tokenized(source), _tokenized(target)
    manifest = read_manifest(directory)
    settings = manifest.text_settings(directory)
    split: tuple[Callable[[str], list[str]], ...] = (
        SourceText(settings).tokens,
        TargetText(settings, Truecaser.load(directory / manifest.truecaser)).tokens,
    )
    return map(split[0], read_lines(source)), map(split[1], read_lines(target))


def _tokenized(path: Path) -> Iterator[list[str]]:
    for number, line in enumerate(read_lines(path), 1):
        tokens = given_tokens(line)
        if tokens is None:
            raise InputError(
                f"{path}:{number}: a token without visible characters, or with white space other than blanks inside; "
                "remove it, or leave out --tokenized"
            )
        yield tokens
