"""Results of the headline systems."""

from dataclasses import dataclass, replace
from typing import Any, Literal, NotRequired, cast

from typing_extensions import override

from widl.common.argument_types import checked
from widl.decoder import FeatureLayout, FeatureVector, Lattice, PhraseRecord, Result, ResultCandidate, ResultRecord
from widl.headline.options import HeadlineOptions, Question
from widl.headline.ranking import QUESTIONS, Judgment

Kind = Literal["headline", "clause", "doubtful", "beginning", "none"]
"""A headline; the text's complete first clause, instead of an improbable headline; an improbable headline; the text's
beginning; empty.
"""


_ASKED = {"true": "is it true", "readable": "is it readable", "news": "does it tell the news"}


@dataclass(frozen=True)
class Explanation:
    """Explanation of a headline."""

    left_out: tuple[tuple[str, float], ...] = ()
    """Deleted words, and the probability that they are deleted if their head stays."""
    guards: tuple[tuple[str, str, str], ...] = ()
    """Words that a guard kept, the guard's name and its reason."""
    keywords: tuple[tuple[str, float, tuple[tuple[str, float], ...]], ...] = ()
    """For ``widl-paper``: keywords with their weights, each with its phrases and their probabilities."""

    likely_error: str = ""
    """A sentence that describes the likely error."""
    judgment: Judgment | None = None
    """Only for the system ``widl``."""

    def __str__(self) -> str:
        if self.keywords:
            written = (
                f"{keyword} {weight:.2f} {{{', '.join(f'{phrase} {p:.2f}' for phrase, p in phrases)}}}"
                for keyword, weight, phrases in self.keywords
            )
            return f"keywords and phrases: {'; '.join(written)}"
        deleted = ", ".join(f"{words!r} ({probability:.2f})" for words, probability in self.left_out)
        held = ", ".join(f"{words!r} ({guard})" for words, guard, _ in self.guards)
        parts = [
            f"left out {deleted or 'nothing'}",
            f"kept by guards {held or 'nothing'}",
            self.likely_error,
            self._weakest(),
        ]
        return "; ".join(filter(None, parts))

    def _weakest(self) -> str:
        """The question that is most likely answered with no."""
        if self.judgment is None:
            return ""
        name = self.judgment.weakest
        return f"most in doubt: {_ASKED[name]} ({getattr(self.judgment, name):.2f})"

    def as_dict(self) -> dict[str, Any]:
        """The object printed by ``--json``."""
        if self.keywords:
            return {
                "keywords": [
                    {
                        "keyword": keyword,
                        "weight": round(weight, 4),
                        "phrases": [{"words": words, "probability": round(p, 4)} for words, p in phrases],
                    }
                    for keyword, weight, phrases in self.keywords
                ]
            }
        return {
            "left_out": [{"words": words, "probability": round(p, 4)} for words, p in self.left_out],
            "guards": [{"words": words, "guard": guard, "reason": why} for words, guard, why in self.guards],
            "doubt": self.likely_error,
        }


class HeadlineRecord(ResultRecord):
    """The headline of a document."""

    id: str
    """The document's identifier."""
    kind: str
    """headline, clause (the complete first clause), doubtful, beginning (of the text), or none."""
    confidence: float | None
    """Probability that the headline is true, readable and reports the news; null if there is none: for the beginning of
    a text, and for systems other than ``widl``."""
    questions: dict[str, float] | None
    """P(true), P(readable | true) and P(news | true and readable), whose product is the confidence; null without it."""
    search_score: float | None
    """Score of the search's best string; null without a search. The headline is one of the best, and `score` its own;
    null if the text is no string of the search."""
    search_optimal: bool | None
    """Whether the search's best string is proved; null without a search."""
    left_out: NotRequired[list[dict[str, Any]]]
    """Deleted parts, with the probability of each deletion; requires ``explain``."""
    guards: NotRequired[list[dict[str, str]]]
    """Parts that guards protected, and the reasons; requires ``explain``."""
    doubt: NotRequired[str]
    """The likely error in the best headline of the search; requires ``explain``."""
    keywords: NotRequired[list[dict[str, Any]]]
    """For ``widl-paper``: keywords and their phrases; requires ``explain``."""
    message: str
    """The reason for a missing headline, or for a headline that is not from the requested system; may be empty."""


@dataclass(frozen=True, repr=False)
class HeadlineCandidate(ResultCandidate[str]):
    """One realization: its text, its score and features by name (ln where they are probabilities), its phrases."""

    places: tuple[tuple[int, int], ...] = ()
    """For the system ``widl``: the sentence and position in the document of each word of the phrases."""

    judgment: Judgment | None = None
    """Whether it is true, readable and reports the news; only for the system ``widl``."""

    @property
    def confidence(self) -> float | None:
        """Probability that the headline is true, readable and reports the news, if judged."""
        return None if self.judgment is None else self.judgment.confidence

    def phrase_record(self, phrase: str) -> PhraseRecord:
        """A phrase in JSON."""
        return {"words": phrase.split(" ")}


@checked
@dataclass(frozen=True, kw_only=True, repr=False)
class Headline(Result[HeadlineCandidate]):
    """A document's headline. `message` explains why there is no headline, or why it is not from the requested
    system.
    """

    identifier: str
    kind: Kind = "headline"
    judgment: Judgment | None = None
    """Whether it is true, readable and reports the news; only for the system ``widl``."""
    search_score: float | None = None
    """The score of the search's best string. The headline is one of the n best strings: `score` is its own, and it is
    `optimal` if no string scores more."""
    search_optimal: bool | None = None
    """Whether the search's best string is proved."""
    withheld: bool = False
    """Whether its confidence is below `only_sure`, so that `text` is empty."""
    explanation: Explanation | None = None
    message: str = ""
    lattice: Lattice | None = None
    """The explored derivations, if requested; each path fits the limit, and its words are as printed except for letter
    case. If a word's printed form depends on the following words, a later arc has its text.
    """
    lattice_complete: bool = True
    """Whether the lattice is complete: no budget truncated it."""

    @property
    def confidence(self) -> float | None:
        """Probability that the headline is true, readable and reports the news, if judged."""
        return None if self.judgment is None else self.judgment.confidence

    def confidence_in(self, question: Question) -> float | None:
        """P(true), or the confidence for ``all``; None if the system does not judge headlines."""
        return self.confidence if question == "all" or self.judgment is None else self.judgment.true

    @property
    def _is_candidate(self) -> bool:
        """Whether the text is that of the best candidate, rather than a part of the document, or empty."""
        return bool(self.nbest) and self.nbest[0].text == self.text

    @property
    def _best_score(self) -> float | None:
        return super()._best_score if self._is_candidate else None

    @property
    def failed(self) -> bool:
        """Whether there is neither a headline nor a clause in its place, though none was withheld."""
        return not self.withheld and (self.kind in {"beginning", "none"} or not self.text)

    @property
    def features(self) -> FeatureVector:
        """h of the headline; empty if it is no string of the search."""
        return super().features if self._is_candidate else FeatureLayout(()).zeros()

    @property
    def phrases(self) -> tuple[str, ...]:
        """Phrases of the headline; none if it is no string of the search."""
        return self.best.phrases if self._is_candidate else ()

    @override
    def _shown_kind(self) -> str:
        return f" {self.kind if self.text else 'none'}"

    @override
    def _shown_reason(self) -> str:
        return f": {self.message or self.failure}" if self.message or self.failure else ""

    def if_sure(self, options: HeadlineOptions) -> "Headline":
        """The headline, without its text if its confidence is below what the options ask for, or unknown."""
        confidence = self.confidence_in(options.sure_of)
        if not options.only_sure or not self.text or (confidence or 0.0) >= options.only_sure:
            return self
        shown = "unknown" if confidence is None else f"{confidence:.2f}"
        message = f"withheld: its confidence is {shown}, and {options.only_sure:g} was asked for"
        message = "; ".join(filter(None, (self.message, message)))
        return replace(self, text="", kind="none", withheld=not self.failed, optimal=False, message=message)

    def as_dict(self) -> HeadlineRecord:
        """The object printed by ``--json``."""
        record = {"id": self.identifier, **self._record(), "kind": self.kind if self.text else "none"}
        record["confidence"] = None if self.confidence is None else round(self.confidence, 4)
        record |= {"search_score": self.search_score, "search_optimal": self.search_optimal}
        record["message"] = self.message
        judgment = self.judgment
        record["questions"] = judgment and {name: round(getattr(judgment, name), 4) for name in QUESTIONS}
        if self.explanation is not None:
            record |= self.explanation.as_dict()
        return cast("HeadlineRecord", record)
