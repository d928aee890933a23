"""When a headline is doubtful, and why: the only place that marks headlines as ``doubtful``.

A headline whose confidence is below `MIN_CONFIDENCE` gives way to the first clause of the text or, if that does not
fit, is doubtful; `likely_error` names the reason. A headline of a text that the model of confidence does not know
(another language, no news) is doubtful without a confidence.
"""

from collections.abc import Set
from dataclasses import replace

from widl.headline.document_trees import DocumentTrees
from widl.headline.kept_units import KeptUnits
from widl.headline.phrase_counts import phrase_counts
from widl.headline.results import Headline, Kind
from widl.headline.whole_phrases import is_whole_clause

MIN_CONFIDENCE = 0.015
"""Headlines with a lower confidence are marked or replaced."""

MIN_CONFIDENCE_OF_FIRST_SENTENCE = 0.03
"""Confidence below which a headline of an earlier sentence does not precede those of later ones."""

_MIN_STRENGTH = 0.15
"""Least strength of a phrase at which its deletion is a likely error."""


def is_improbable(headline: Headline) -> bool:
    """Whether the confidence of a headline is too low to print it without a mark."""
    return (headline.confidence or 0.0) < MIN_CONFIDENCE


def marked(headline: Headline, reason: str) -> Headline:
    """An improbable headline with the mark, and the reason as its message."""
    return replace(headline, kind="doubtful", message=f"doubtful: {reason}")


def unjudged(headline: Headline) -> Headline:
    """The headline of a text that the model of confidence does not know: with the mark, without confidence."""
    nbest = tuple(replace(candidate, judgment=None) for candidate in headline.nbest)
    kind: Kind = "doubtful" if headline.kind == "headline" else headline.kind
    return replace(headline, judgment=None, nbest=nbest, kind=kind)


def likely_error(trees: DocumentTrees, t: int, kept: Set[int]) -> str:
    """Names the most likely error of a headline that keeps some positions of tree t; empty without one."""
    tree, guards, counts = trees.trees[t], trees.guards[t], phrase_counts()
    deleted = KeptUnits(tree, kept).deleted

    def text(k: int) -> str:
        return " ".join(tree.words[i].text for i in tree.positions(tree.below(k)))

    misread = any(len(tree.subjects(n)) > 1 for n in range(len(tree)))
    if misread or not is_whole_clause(tree, 0):
        return "the sentence may be misread"
    if lost := next((k for k in deleted if k in guards.kept_by), None):
        return f"the restriction {text(lost)!r} is lost"
    torn = max(deleted, key=lambda k: counts.strength(tree, k), default=0)
    if torn and counts.strength(tree, torn) >= _MIN_STRENGTH:
        return f"{tree.content(tree.units[torn].parent or 0).text!r} is torn from {text(torn)!r}"
    return ""
