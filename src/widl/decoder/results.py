"""Results of every search, in Python and as JSON: the best derivation, its certificate and the k-best candidates."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, NotRequired, TypeVar

from typing_extensions import TypedDict  # pydantic makes the JSON schema of it

from widl._core import Outcome
from widl.common.json_values import json_text
from widl.decoder.features import FeatureLayout, FeatureVector

OUTCOME_NAMES: dict[Outcome, Literal["found", "proved_empty", "out_of_budget", "undecided"]] = {
    Outcome.found: "found",
    Outcome.proved_empty: "proved_empty",
    Outcome.out_of_budget: "out_of_budget",
    Outcome.undecided: "undecided",
}
"""Names as in JSON."""

WINDOW = "searches move phrases past at most 64 positions"
"""Why a list is incomplete though no budget ran out."""
_SHOWN = 60  # characters of a text in a repr


class PhraseRecord(TypedDict):
    """A phrase; phrases are in realization order."""

    words: list[str]
    """Its words."""
    source: NotRequired[list[int]]
    """For a translation: source positions [begin, end)."""
    position: NotRequired[int]
    """For an expression: the position of its first word as written, in words from 0."""


class CandidateRecord(TypedDict):
    """A derivation in the n-best list."""

    text: str
    """Its string."""
    score: float | None
    """Σ λ h; null if no search gave a score."""
    features: dict[str, float]
    """h by name."""
    phrases: list[PhraseRecord]
    """Phrases in realization order."""


class ResultRecord(CandidateRecord):
    """A result: the best derivation, and bounds on all other derivations."""

    outcome: Literal["found", "proved_empty", "out_of_budget", "undecided"] | None
    """How the search ended; null without a search. proved_empty: no derivation exists. out_of_budget: a budget ran out
    before one was found. undecided: an inexact search pruned before it found one."""
    bound: float | None
    """No derivation scores more; null if there was no search, or no bound."""
    optimal: bool | None
    """Whether the score reaches the bound; null if there was no search."""
    stopped: str
    """The budget that ran out, in the search or while lists were built, or empty."""
    nbest_complete: bool
    """Whether the list of candidates is the same as without budgets."""
    states: int
    """States of the search."""
    edges: int
    """Edges that the search followed."""
    seconds: float
    """Time taken."""
    failure: NotRequired[str]
    """Why the search failed: the line of a translation was then passed through untranslated."""
    nbest: NotRequired[list[CandidateRecord]]
    """All candidates, best first, if more than one was requested and found."""


P = TypeVar("P")
"""A phrase of a candidate."""


@dataclass(frozen=True, repr=False)
class ResultCandidate(Generic[P]):
    """One derivation: its string, Σ λ h, h by name, and its phrases."""

    text: str
    score: float
    features: FeatureVector
    phrases: tuple[P, ...]

    def phrase_record(self, phrase: P) -> PhraseRecord:
        """A phrase in JSON."""
        raise NotImplementedError

    def as_dict(self) -> CandidateRecord:
        """The candidate in JSON."""
        phrases = [self.phrase_record(phrase) for phrase in self.phrases]
        score, features = json_number(self.score), dict(self.features)
        return {"text": self.text, "score": score, "features": features, "phrases": phrases}

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {shortened(self.text)} score {self.score:.6g}>"


C = TypeVar("C", bound=ResultCandidate[Any])
"""A result's candidates."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Result(Generic[C]):
    """The best derivation's string, the candidates, best first, and a bound on all other derivations.

    `outcome` says how the search ended. If it is not `Outcome.found`, `nbest` is empty or has a fallback for the
    result, and `failure` gives the reason in one line. No derivation scores more than `bound`; `optimal` means that the
    best candidate reaches it. All three are None if there was no search. `stopped` names the budget that ran out, in
    the search or while lists were built, or is empty. `nbest_complete` is false if `nbest` may be short or lack better
    candidates, because of a budget or of tiles that may move past more than 64 positions."""

    text: str
    nbest: Sequence[C] = ()
    outcome: Outcome | None = None
    failure: str = ""
    bound: float | None = None
    optimal: bool | None = None
    stopped: str = ""
    nbest_complete: bool = True
    states: int = 0
    edges: int = 0
    seconds: float = 0.0

    def search_fields(self) -> dict[str, Any]:
        """How the search went: fields that a result made of this one has, too."""
        names = ("outcome", "bound", "optimal", "stopped", "nbest_complete", "states", "edges", "seconds")
        return {name: getattr(self, name) for name in names}

    @property
    def nbest_truncation(self) -> str:
        """A message that explains why the list of candidates is incomplete; empty if it is complete."""
        if self.nbest_complete:
            return ""
        why = f"{self.stopped} ran out; raise it" if self.stopped else WINDOW
        return f"the list of candidates is incomplete: {why}"

    @property
    def best(self) -> C:
        """The candidate whose string is `text`; IndexError without candidates."""
        return self.nbest[0]

    @property
    def score(self) -> float | None:
        """Σ λ h of the best candidate; None without candidates."""
        return self._best_score

    @property
    def _best_score(self) -> float | None:
        return self.nbest[0].score if self.nbest else None

    @property
    def gap(self) -> float | None:
        """Upper bound on the score difference between another derivation and the best candidate; None if unknown."""
        if self.bound is None or self._best_score is None or self.outcome not in (None, Outcome.found):
            return None
        return self.bound - self._best_score

    @property
    def features(self) -> FeatureVector:
        """h of the best candidate; empty if there was no search."""
        return self.nbest[0].features if self.nbest else FeatureLayout(()).zeros()

    @property
    def phrases(self) -> tuple[Any, ...]:
        """Phrases of the best candidate."""
        return self.nbest[0].phrases if self.nbest else ()

    def as_dict(self) -> Mapping[str, Any]:
        """The object printed by ``--json``."""
        return self._record()

    def to_json(self) -> str:
        """The same object as a line of JSON."""
        return json_text(self.as_dict())

    def _record(self) -> ResultRecord:
        """JSON entries common to all results."""
        record: ResultRecord = {
            "text": self.text,
            "score": json_number(self._best_score),
            "outcome": OUTCOME_NAMES[self.outcome] if self.outcome else None,
            "bound": json_number(self.bound),
            "optimal": self.optimal,
            "stopped": self.stopped,
            "nbest_complete": self.nbest_complete,
            "features": dict(self.features),
            "phrases": [self.best.phrase_record(phrase) for phrase in self.phrases] if self.nbest else [],
            "states": self.states,
            "edges": self.edges,
            "seconds": self.seconds,
        }
        if len(self.nbest) > 1:
            record["nbest"] = [candidate.as_dict() for candidate in self.nbest]
        if self.failure:
            record["failure"] = self.failure
        return record

    def records(self) -> list[dict[str, Any]]:
        """A record for each candidate, for data frames: text, score, and the features h by name."""
        return [{"text": candidate.text, "score": candidate.score, **candidate.features} for candidate in self.nbest]

    def _repr_html_(self) -> str:
        """The candidates as a table, for notebooks."""
        from widl.pages import records_html

        return records_html(self.records() or [{"text": self.text}])

    def __repr__(self) -> str:
        certificate = ""
        if self._best_score is not None:
            certificate = f" score {self._best_score:.6g}"
        if self.bound is not None:
            certificate += f" bound {self.bound:.6g}"
        certificate += " optimal" * bool(self.optimal)
        return f"<{type(self).__name__} {shortened(self.text)}{self._shown_kind()}{certificate}{self._shown_reason()}>"

    def _shown_kind(self) -> str:
        """The outcome, for `repr`, unless the search found a result."""
        return "" if self.outcome in (None, Outcome.found) else f" {OUTCOME_NAMES[self.outcome]}"

    def _shown_reason(self) -> str:
        """The end of `repr`: the reason for a missing result."""
        return f": {self.failure}" if self.failure else ""


def shortened(text: str) -> str:
    """The beginning of a text, quoted, in one line.

    >>> shortened("a b"), shortened("long " * 100)[-6:]
    ("'a b'", "long…'")
    """
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def json_number(value: float | None) -> float | None:
    """The number, or None for an infinity, which JSON lacks."""
    return value if value is None or math.isfinite(value) else None
