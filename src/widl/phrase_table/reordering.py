"""Models of lexicalised reordering (Koehn et al. 2005, Galley & Manning 2008) and their names."""

from typing import Annotated

from widl._core import orientation_features
from widl.options import option

NO_REORDERING = "none"
DEFAULT_REORDERING = "msd-bidirectional-fe"

ReorderingOption = Annotated[
    str,
    option(
        "Reordering model: msd-bidirectional-fe, with msd, mslr or monotonicity, backward, forward or bidirectional, "
        "f or fe; with phrase- or hier- in front; none.",
        metavar="MODEL",
    ),
]


def reordering_features(model: str) -> tuple[str, ...]:
    """The names of a model's features, none of none; InputError for what is no model's name.

    >>> reordering_features("msd-backward-fe")
    ('monotone_backward', 'swap_backward', 'discontinuous_backward')
    """
    return tuple(orientation_features(stored_name(model)))


def stored_name(model: str) -> str:
    """The name as tables store it: empty for none."""
    return "" if model == NO_REORDERING else model
