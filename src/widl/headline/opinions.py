"""Which clauses are opinions, so that a headline has to say whose they are."""

from widl.headline.lexicon import word_set
from widl.headline.sentence_tree import SentenceTree

_JUDGING = word_set("should must would ought")
_FORECASTING = word_set("will would may could")
_GUESSING = word_set("could might")
_HEDGED = word_set("likely unlikely expected")
_SEEMING = word_set("remain seem appear look")
_WORRYING = word_set("worrying disappointing encouraging surprising alarming disturbing")


def is_judgement(tree: SentenceTree, v: int, *, forecast: bool, spoken: bool) -> bool:
    """Whether a clause is an opinion: what something is or seems, what should or would be.

    `forecast`: analysts or the like say it; `spoken`: the sentence names a speaker.
    """
    modals = {tree.words[k].key for k in tree.function_words(v, "aux")}
    modal = bool(modals & _JUDGING) or (forecast and bool(modals & _FORECASTING))
    modal = modal or (spoken and bool(modals & _GUESSING)) or tree.words[v].key in _WORRYING
    enough = any(tree.words[c].key in {"enough", "too"} for c in tree.children[v])
    judged = modal or enough or (tree.words[v].lemma == "need" and tree.child(v, "xcomp") is not None)
    described = {tree.words[k].tag for k in (tree.child(v, "xcomp") or v, min(v + 1, len(tree.words) - 1))}
    seeming = tree.words[v].lemma in _SEEMING and "ADJ" in described
    return judged or seeming or (tree.child(v, "cop") is not None and tree.words[v].key not in _HEDGED)


def is_advice(tree: SentenceTree, v: int) -> bool:
    """Whether a clause says what should be."""
    return any(tree.words[k].key in _JUDGING for k in tree.function_words(v, "aux"))
