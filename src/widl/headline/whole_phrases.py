"""Which parts of a sentence are whole: nothing in them lacks its head, its function words or what a guard keeps."""

from widl.headline.guards import GuardEffects, guarded
from widl.headline.units import UnitTree
from widl.headline.word_lists import word_set
from widl.headline.words import FINITE

_MIN_WORDS = 3  # words: "The company" alone says nothing
_LINKS = word_set("ADP SCONJ CCONJ DET")


def is_whole_clause(tree: UnitTree, top: int) -> bool:
    """Whether a unit is the top of a main clause: it has a finite verb and one subject."""
    words = [tree.words[i] for i in tree.units[top].words]
    finite = any(word.form in FINITE for word in words)
    return finite and len(tree.subjects(top)) == 1


def whole_beginnings(tree: UnitTree) -> list[int]:
    """Ends of the beginnings of a sentence that end with a phrase, in order.

    All words but one have their heads in such a beginning, no unit and no quotation is divided, and what a guard keeps
    beside a word is there. A clause that may not begin a headline is not whole. The end of a sentence with one root is
    one of them.
    """
    guards = guarded(tree)
    count = len(tree.words)
    return [end for end in range(min(_MIN_WORDS, count), count + 1) if _is_whole(tree, guards, end)]


def _is_whole(tree: UnitTree, guards: GuardEffects, end: int) -> bool:
    inside = {n for n, unit in enumerate(tree.units) if unit.words[0] < end}
    tops = [n for n in inside if tree.units[n].parent not in inside]
    last, following = tree.content(tree.unit_of[end - 1]), tree.words[end : end + 1]
    divided = any(tree.units[n].words[-1] >= end for n in inside)
    divided = divided or any(word.quotation and word.quotation == tree.words[end - 1].quotation for word in following)
    linked = last.tag in _LINKS and last.relation != "advmod"
    clause = any(tree.content(n).tag == "VERB" and n in guards.no_top for n in tops)
    if divided or linked or clause or len(tops) != 1:
        return False
    missing = (k for n in inside for k in tree.units[n].children if k not in inside)
    return all(k not in guards.kept_by or guards.kept_by[k].soft for k in missing)
