"""Results of the headline systems."""

from dataclasses import dataclass
from typing import NotRequired, cast

from widl.decoder import Lattice, PhraseRecord, Result, ResultCandidate, ResultRecord


class HeadlineRecord(ResultRecord):
    """The headline of a document."""

    id: str
    """The document's identifier."""
    message: NotRequired[str]
    """Why there is no headline, or why it is none of the system asked for."""


@dataclass(frozen=True, repr=False)
class HeadlineCandidate(ResultCandidate[str]):
    """One realization: its text, its score and features by name (ln where they are probabilities), its phrases."""

    places: tuple[tuple[int, int], ...] = ()
    """Of the system ``widl``: for each word of the phrases, its sentence in the document and its place there."""

    def phrase_record(self, phrase: str) -> PhraseRecord:
        """A phrase in JSON."""
        return {"words": phrase.split(" ")}


@dataclass(frozen=True, kw_only=True, repr=False)
class Headline(Result[HeadlineCandidate]):
    """A document's headline. `message` says why there is none, or why it is none of the system asked for."""

    identifier: str
    message: str = ""
    lattice: Lattice | None = None
    """Of the derivations explored, if they were asked for: its words as they are written, before the budget's cut."""
    lattice_complete: bool = True
    """Whether no budget of the search has cut the lattice."""

    @property
    def failed(self) -> bool:
        """Whether there is no headline."""
        return not self.text

    @property
    def phrases(self) -> tuple[str, ...]:
        """Of the best candidate."""
        return self.best.phrases if self.nbest else ()

    def as_dict(self) -> HeadlineRecord:
        """What ``--json`` prints."""
        message = {"message": self.message} if self.message else {}
        return cast("HeadlineRecord", {"id": self.identifier, **self._record(), **message})
