"""Symmetrization: combines the alignments of two directions into one (Och & Ney 2003; Koehn et al. 2005)."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import Annotated, Literal

from widl import _core
from widl.common.argument_types import checked
from widl.common.arguments import texts_in
from widl.common.errors import InputError
from widl.common.option_values import shown_in_help
from widl.common.options import option_set

Method = Literal["union", "intersection", "grow", "grow-diag", "grow-diag-final", "grow-diag-final-and"]
"""The names of the symmetrizations, from Och & Ney (2003) and Koehn et al. (2005)."""

MethodOption = Annotated[Method, shown_in_help(metavar="NAME")]
DEFAULT_METHOD: Method = "grow-diag-final-and"


@option_set
class Symmetrization:
    """Options of symmetrizing the alignments of both directions."""

    symmetrization: MethodOption = DEFAULT_METHOD
    "Symmetrization heuristic for the alignments of both directions, with Moses' names."


@checked
def symmetrize(forward: Iterable[str], reverse: Iterable[str], method: str = DEFAULT_METHOD) -> Iterator[str]:
    """Combines the two directions into one alignment, a line ``0-0 1-2 …`` for each pair of lines.

    Both directions give points as source-target. The links are the same as from Moses' symal, sorted by source
    position.

    >>> list(symmetrize(["0-0 1-1"], ["0-0 1-1 1-2"]))
    ['0-0 1-1 1-2']
    """
    symmetrize_pair("", "", method)  # refuses an unknown method
    expected = "a list of lines such as '0-0 1-2', one for each pair"
    return _symmetrized(texts_in(forward, "forward", expected), texts_in(reverse, "reverse", expected), method)


def _symmetrized(forward: Iterable[str], reverse: Iterable[str], method: str) -> Iterator[str]:
    for number, (forward_line, reverse_line) in enumerate(zip_longest(forward, reverse), start=1):
        if forward_line is None or reverse_line is None:
            raise InputError(f"line {number}: one direction of the alignment ends here, the other does not")
        try:
            yield symmetrize_pair(forward_line, reverse_line, method)
        except InputError as error:
            raise InputError(f"line {number}: {error}") from None


def symmetrize_pair(forward: str, reverse: str, method: str) -> str:
    """`symmetrize` for a single pair."""
    return _core.symmetrize(forward, reverse, method)
