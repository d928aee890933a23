"""The lexicalized reordering model (Koehn et al. 2005), by its name in Moses."""

from typing import Annotated, Final, Literal

from widl.common.option_values import shown_in_help
from widl.decoder.features import REORDERING_FEATURES

REORDERING: Final = "msd-bidirectional-fe"

ReorderingModel = Literal["msd-bidirectional-fe", "none"]
ReorderingOption = Annotated[ReorderingModel, shown_in_help(metavar="MODEL")]

StoredReordering = Literal["msd-bidirectional-fe", ""]
"""The reordering model's stored name; empty for none."""


def reordering_features(model: ReorderingModel | StoredReordering) -> tuple[str, ...]:
    """The names of a reordering model's features; empty without a model."""
    return REORDERING_FEATURES if model == REORDERING else ()


def stored_name(model: ReorderingModel) -> StoredReordering:
    """The name stored in tables."""
    return "" if model == "none" else model
