"""The model of lexicalized reordering (Koehn et al. 2005), under the name that Moses gives it."""

from typing import Annotated, Final, Literal

from cyclopts import Parameter

from widl.decoder.features import REORDERING_FEATURES

REORDERING: Final = "msd-bidirectional-fe"

ReorderingModel = Literal["msd-bidirectional-fe", "none"]
ReorderingOption = Annotated[ReorderingModel, Parameter(metavar="MODEL")]

StoredReordering = Literal["msd-bidirectional-fe", ""]
"""The reordering model as tables and models store it: empty for none."""


def reordering_features(model: ReorderingModel | StoredReordering) -> tuple[str, ...]:
    """The names of a model's features, none of none."""
    return REORDERING_FEATURES if model == REORDERING else ()


def stored_name(model: ReorderingModel) -> StoredReordering:
    """The name as tables store it."""
    return "" if model == "none" else model
