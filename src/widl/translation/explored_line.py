"""Lines on their way from tiles to translations."""

from dataclasses import dataclass

from widl.common.errors import InputError
from widl.decoder import Lattice, Realization, Tiles
from widl.translation.results import Candidate
from widl.translation.sentence import Sentence


@dataclass(frozen=True)
class Batch:
    """Some lines, and the tiles of each line's pieces."""

    sources: list[Sentence]
    tiles: list[list[Tiles]]


@dataclass
class ExploredLine:
    """A line, what search found for its pieces, and what was chosen of its lattice."""

    sentence: Sentence
    pieces: list[Tiles]
    results: list[Realization | InputError]
    lattice: Lattice | None = None
    chosen: list[Candidate] | None = None

    @property
    def is_realized(self) -> bool:
        """Whether there are words to translate, and search failed on none."""
        return bool(self.results) and all(isinstance(result, Realization) for result in self.results)
