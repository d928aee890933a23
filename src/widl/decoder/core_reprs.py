"""One line for what the core's objects are, as `repr` shows it."""

from widl._core import Lattice, Tiles, Vocabulary


def _tiles(tiles: Tiles) -> str:
    alternatives = tiles.alternatives
    spans = len({(begin, end) for begin, end, _, _ in alternatives})
    return f"<Tiles of {len(tiles)} positions: {spans:,} spans, {len(alternatives):,} alternatives>"


def _lattice(lattice: Lattice) -> str:
    arcs, features = lattice.features.shape
    return f"<Lattice of {lattice.nodes:,} nodes, {arcs:,} arcs, {features} features>"


def _vocabulary(vocabulary: Vocabulary) -> str:
    return f"<Vocabulary of {len(vocabulary):,} words>"


def set_reprs() -> None:
    """Give the core's classes their reprs."""
    setattr(Tiles, "__repr__", _tiles)  # noqa: B010 (mypy knows a method that can't be assigned to)
    setattr(Lattice, "__repr__", _lattice)  # noqa: B010
    setattr(Vocabulary, "__repr__", _vocabulary)  # noqa: B010
