"""The units that a headline keeps of a tree, and those that it deletes below them."""

from collections.abc import Set

from widl.headline.units import UnitTree


class KeptUnits:
    """The units of a tree that a headline keeps, and their deleted children."""

    def __init__(self, tree: UnitTree, kept: Set[int]) -> None:
        """`kept`: positions of its words."""
        self.tree = tree
        self.units = _kept_units(tree, kept)
        self.top = self.units[0] if self.units else 0
        inside = set(self.units)
        self.deleted = [k for n in self.units for k in tree.units[n].children if k not in inside]
        self.torn = [k for k in self.deleted if not tree.is_divided(k)]
        """Deleted units without punctuation between them and their parent."""
        self.right = [k for k in self.torn if not tree.is_left(k)]
        keep_some = {tree.units[k].parent for k in inside if not tree.is_left(k)}
        lose_some = {tree.units[k].parent for k in self.right}
        self.bare = [n for n in self.units if n in lose_some and n not in keep_some]
        """Units that lose all that follows them."""
        self.last = max(self.units, key=lambda n: tree.units[n].head, default=0)


def _kept_units(tree: UnitTree, kept: Set[int]) -> list[int]:
    """The units of a headline with words at some positions; a unit that is passed over has words above and below it."""
    units = {n for n, unit in enumerate(tree.units) if unit.head in kept or any(i in kept for i in unit.words)}
    passed = {parent for n in units if (parent := tree.units[n].parent) is not None and parent not in units}
    return sorted(units | {n for n in passed if tree.units[n].parent in units})
