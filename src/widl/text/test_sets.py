"""Test sets: source lines, and any number of references."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from widl.common.arguments import PathLike, counted, path_of, paths_of
from widl.common.errors import InputError
from widl.common.files import read_lines

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class SourceAndReferences:
    """Source lines, and the lines of each reference."""

    __test__ = False  # not a test case

    source: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.source)


def read_test_set(source: PathLike, references: Sequence[PathLike] = ()) -> SourceAndReferences:
    """A test set from its source and its references, each plain text, a sentence a line, also ``.gz``.

    InputError names the file that is empty, is mark-up, or has another number of lines than the source.
    """
    source, references = path_of(source, "source"), paths_of(references, "references")
    lines = _lines_of(source)
    if not lines:
        raise InputError(f"{source}: empty; a test set was expected")
    found = [_lines_of(path) for path in references]
    for path, reference in zip(references, found, strict=True):
        if len(reference) != len(lines):
            number = counted(len(reference), "line")
            raise InputError(f"{path}: {number}, but {source} has {len(lines)}; a reference has a line for each")
    return SourceAndReferences(lines, found)


def warn_of_same_texts(name: str, texts: Sequence[str], other: str, others: Sequence[str]) -> None:
    """A warning if half of a test set or more is text on which weights are tuned: its scores say little of new text."""
    known = set(texts)
    same = sum(text in known for text in others)
    if others and 2 * same >= len(others):
        logger.warning(
            "%s and %s have %s in common; scores on it are no test of tuned weights", name, other, counted(same, "text")
        )


def _lines_of(path: Path) -> list[str]:
    lines = list(read_lines(path))
    if lines and lines[0].lstrip().lower().startswith(_MARKUP):
        raise InputError(
            f"{path}: SGML or XML; a test set is plain text, a sentence a line, as 'sacrebleu --echo' writes it"
        )
    return lines


_MARKUP = ("<?xml", "<!doctype", "<srcset", "<refset", "<tstset", "<dataset", "<mteval")
