"""Tiles whose movement is a distribution over the orders of each segmentation: what the 2006 paper leaves open."""

from widl.common.errors import InputError
from widl.expressions import Expression, choice, tiles
from widl.expressions.movement import segmentation_normalizer, segmentations
from widl.translation.tiles_expression import LONGEST_NESTED, MOVEMENT_BASE


def normalized_tiles(flat: Expression, base: float, components: int) -> Expression:
    """The same tiles with scores base^d that sum to 1 over the orders of each segmentation, in the first components.

    Without it a segmentation into many tiles has a larger sum than one into few, since it has more orders. The
    expression is ∨ over the segmentations; movement keeps its own base, so the sums are of `base` if the weights say
    so. Raises InputError for more than `LONGEST_NESTED` source words.
    """
    if flat.length > LONGEST_NESTED:
        raise InputError(f"normalized tiles are for up to {LONGEST_NESTED} source words, found {flat.length}")
    spans = [(*span, argument) for span, argument in zip(flat.spans, flat.arguments, strict=True)]
    others = [1.0] * (max(1, flat.components) - components)
    parts = []
    for segmentation in segmentations(0, flat.length, sorted(flat.spans)):
        members = {(begin, end): argument for begin, end, argument in spans if (begin, end) in segmentation}
        share = 1 / segmentation_normalizer(segmentation, base)
        parts.append((tiles(flat.length, members, expmove=MOVEMENT_BASE), [share] * components + others))
    return choice(*parts, scores=True)
