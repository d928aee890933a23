"""What stands in place of a headline where no clause of a text fits: one of its noun phrases, or its beginning."""

from collections.abc import Sequence
from itertools import takewhile

from widl.headline.budget import Budget
from widl.headline.guards import Guarded, guarded
from widl.headline.lexicon import CLOSED_CLASSES
from widl.headline.parsing import ParsedDocument
from widl.headline.units import UnitTree
from widl.headline.words import sentences_of
from widl.headline.written_headline import Said, written_words_of
from widl.headline.written_words import cut_words, has_letters, written_words

_SENTENCES = 2
_FEWEST_CONTENT_WORDS = 3
_SUBJECTS = frozenset({"nsubj", "nsubj:pass", "root"})


def noun_phrase(parsed: ParsedDocument, budget: Budget) -> str:
    """The longest noun phrase of the first two sentences that fits, best a subject; empty if no phrase says enough.

    It states nothing, and so nothing that the text does not say. A text without verbs, such as a table, has none.
    """
    sentences = sentences_of(parsed)[:_SENTENCES]
    with_verbs = takewhile(lambda words: any(word.tag in {"VERB", "AUX"} for word in words), sentences)
    trees = [UnitTree(words, number) for number, words in enumerate(with_verbs)]
    guards = [guarded(tree) for tree in trees]
    for subjects in (True, False):
        for tree, held in zip(trees, guards, strict=True):
            found = [
                phrase
                for k, unit in enumerate(tree.units)
                if tree.content(k).tag in {"NOUN", "PROPN"} and (tree.content(k).relation in _SUBJECTS) == subjects
                if unit.parent is not None and (phrase := _phrase(tree, held, k, budget)) is not None
            ]
            if found:
                said = [Said(tree.words[i], tree.sentence, i) for i in max(found, key=len)]
                return " ".join(written_words_of(said, sentences))
    return ""


def _phrase(tree: UnitTree, guards: Guarded, number: int, budget: Budget) -> Sequence[int] | None:
    """The positions of a noun phrase, shortened from its end as far as guards allow until it fits."""
    kept = tree.below(number)
    own = tree.units[number].words
    links = set(takewhile(lambda i: tree.words[i].relation in {"case", "fixed"}, own))

    def positions() -> list[int]:
        return [i for i in tree.positions(kept) if i not in links and not tree.words[i].is_article]

    while not budget.fits([tree.words[i].text for i in positions()]):
        ends = [k for k in kept[1:] if not any(c in kept for c in tree.units[k].children)]
        if not ends:
            return None
        may_go = [k for k in ends if k not in guards.stays]
        kept.remove(max(may_go or ends, key=lambda k: tree.units[k].begin))
    found = positions()
    content = {tree.words[i].lemma for i in found if tree.words[i].is_content}
    return found if len(content) >= _FEWEST_CONTENT_WORDS else None


def beginning(parsed: ParsedDocument, budget: Budget) -> str:
    """The first sentence as far as it fits, cut where no unit is torn if there is such a place.

    The words are those of the text, in a row, so that nothing is said that the text does not begin with.
    """
    first = next((s for s in parsed.sentences if any(has_letters(token.text) for token in s)), ())
    written = written_words(first)
    whole = cut_words(written, budget)
    sentences = sentences_of(parsed)
    if not sentences or len(whole) == len(written):
        return " ".join(whole).rstrip(",;:")
    words = sentences[0]
    tree = UnitTree(words)
    texts = [word.text + ("," if "," in word.closing else "") for word in words]
    for end in range(len(budget.cut(texts)), len(texts) // 8, -1):
        torn = any(unit.words[0] < end <= unit.words[-1] for unit in tree.units)
        if not torn and words[end - 1].tag not in CLOSED_CLASSES | {"ADJ"}:
            return " ".join(texts[:end]).rstrip(",;:")
    return " ".join(whole).rstrip(",;:")
