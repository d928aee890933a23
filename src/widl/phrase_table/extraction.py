"""Phrase pairs from word-aligned text."""

import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest

import numpy as np
from numpy.typing import ArrayLike

from widl import _core
from widl._core import Bitext, PhraseScorer
from widl.errors import InputError

METHODS = ("union", "intersection", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and")
"""The names of the symmetrisations, from Och & Ney (2003) and Koehn et al. (2005)."""


def check_method(method: str) -> None:
    """Raise InputError unless it is the name of a symmetrisation."""
    if method not in METHODS:
        raise InputError(f"unknown symmetrisation {method!r}; there are {', '.join(METHODS)}")


def symmetrize(
    forward: Iterable[str], reverse: Iterable[str], method: str = "grow-diag-final-and"
) -> Iterator[str]:
    """One alignment of the two directions, a line ``0-0 1-2 …`` for each pair of lines.

    Both directions give points as source-target. The links are those of Moses' symal, sorted by source
    position.

    >>> list(symmetrize(["0-0 1-1"], ["0-0 1-1 1-2"]))
    ['0-0 1-1 1-2']
    """
    check_method(method)
    for number, (one, other) in enumerate(zip_longest(forward, reverse), start=1):
        if one is None or other is None:
            raise InputError(f"line {number}: one direction of the alignment ends here, the other goes on")
        try:
            yield _core.symmetrize(one, other, method)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None


def read_bitext(
    source_lines: Iterable[str], target_lines: Iterable[str], alignments: Iterable[str | ArrayLike]
) -> Bitext:
    """Tokenised lines and their word alignments, as the core holds them.

    Tokens are separated by ASCII white space. An alignment is a line ``0-0 1-2 …`` of source-target
    points, or an integer array of shape (n_links, 2).
    """
    bitext = Bitext()
    lines = zip_longest(source_lines, target_lines, alignments)
    for number, (source, target, links) in enumerate(lines, start=1):
        if source is None or target is None or links is None:
            missing = [
                name
                for name, line in (("source", source), ("target", target), ("alignment", links))
                if line is None
            ]
            raise InputError(f"line {number}: the {' and the '.join(missing)} text ends before the others")
        try:
            if isinstance(links, str):
                bitext.append(source, target, links)
            else:
                bitext.append(source, target, np.asarray(links, dtype=np.int64).reshape(-1, 2))
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None
    return bitext


def extract_phrases(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    alignments: Iterable[str | ArrayLike],
    *,
    max_length: int = 7,
    threads: int = 0,
    max_occurrences: int = 0,
) -> PhraseScorer:
    """All phrase pairs that are consistent with the alignments, counted and scored, for `build_phrase_table`.

    Phrases have up to `max_length` words on both sides. `threads` = 0 uses all processors. The core holds
    up to `max_occurrences` occurrences of phrase pairs at once (12 bytes each; 0 = all) and goes over
    the text as often as that takes. The result depends on neither.
    """
    bitext = read_bitext(source_lines, target_lines, alignments)
    return PhraseScorer(
        bitext,
        max_length=max_length,
        threads=threads or os.cpu_count() or 1,
        max_occurrences=max_occurrences,
    )
