"""What stands in place of a headline where no clause of a text fits: one of its noun phrases, or its beginning."""

from collections.abc import Iterator
from itertools import islice

from widl.headline.budget import Budget
from widl.headline.cuts import MONEY, can_cut, has_condition
from widl.headline.denials import is_denying
from widl.headline.lexicon import CLOSED_CLASSES, word_set
from widl.headline.noun_phrases import NounPhrases
from widl.headline.noun_words import QUOTED
from widl.headline.parsing import ParsedDocument
from widl.headline.pieces import Said, strings
from widl.headline.sentence_tree import SentenceTree
from widl.headline.short_names import ShortNames
from widl.headline.words import sentences_of
from widl.headline.written_words import cut_words, has_letters, written_words

_FEWEST = 5
_FEWEST_OF_PHRASE = 3
_SENTENCES = 2
_MOST_FORMS = 200
_DENYING = word_set("any no other such these those this that")
_NEVER_LAST = word_set(
    "to of the a an and or but in on at for with by from as that which who is are was were be been has have had will "
    "would can could may not no than said says its his her their between among against about into over under after "
    "before since until during without within through per via if when while whether because although though unless so "
    "such this these those both all each every some any another nor neither either whose where"
)


def noun_phrase(parsed: ParsedDocument, budget: Budget) -> str:
    """The longest noun phrase of the first two sentences that fits, best a subject; empty if no phrase says enough.

    It states nothing, and so nothing that the text does not say. A text without verbs, such as a table, has none.
    """
    sentences = sentences_of(parsed)[:_SENTENCES]
    names = ShortNames(sentences)
    best: tuple[Said, ...] = ()
    for number, words in enumerate(sentences):
        if not any(word.tag in {"VERB", "AUX"} for word in words):
            break
        tree = SentenceTree(words, number)
        nouns = NounPhrases(tree, names, lambda i, depth: None)  # noqa: ARG005
        for first in (True, False):
            heads = [h for h in range(len(words)) if (tree.relation(h) == "nsubj") == first]
            forms = (form for h in heads for form in _forms(tree, nouns, h))
            best = max((form for form in forms if budget.fits([said.text for said in form])), key=len, default=())
            if best:
                break
        if best:
            break
    if not best:
        return ""
    closing = "".join(mark for mark in best[-1].word.closing if mark in QUOTED)
    text = " ".join(said.text for said in (*best[:-1], best[-1].marked(best[-1].word.opening, closing)))
    paired = sum(text.count(mark) for mark in QUOTED) % 2 == 0
    return text if paired else "".join(letter for letter in text if letter not in QUOTED)


def _forms(tree: SentenceTree, nouns: NounPhrases, h: int) -> Iterator[tuple[Said, ...]]:
    """The forms of a noun phrase that are worth printing."""
    word = tree.words[h]
    inside = tree.relation(h) in {"compound", "flat"}
    if word.tag not in {"NOUN", "PROPN"} or inside or tree.is_time(h) or word.key in MONEY:
        return
    piece = nouns.phrase(h, all_conjuncts=True)
    for form in islice(strings(piece), _MOST_FORMS) if piece is not None else ():
        content = {said.word.lemma for said in form if said.word.is_content}
        unnamed = any(said.word.tag == "PRON" or said.word.key in _DENYING | {"than"} for said in form)
        if len(content) >= _FEWEST_OF_PHRASE and not unnamed:
            yield form


def beginning(parsed: ParsedDocument, budget: Budget) -> str:
    """The first sentence as far as it fits, cut where no word group is torn if there is such a place.

    The words are those of the text, in a row, so that nothing is said that the text does not begin with.
    """
    first = next((s for s in parsed.sentences if any(has_letters(token.text) for token in s)), ())
    written = written_words(first)
    whole = cut_words(written, budget)
    sentences = sentences_of(parsed)
    if not sentences or len(whole) == len(written):
        return " ".join(whole).rstrip(",;:")
    tree = SentenceTree(sentences[0])
    texts = [word.text + ("," if "," in word.closing else "") for word in sentences[0]]
    kept = 0 if has_condition(sentences[0][1:]) else len(budget.cut(texts))  # at the beginning it stays
    for never_last in (CLOSED_CLASSES | {"ADJ", "ADV", "VERB"}, CLOSED_CLASSES | {"ADJ"}):
        for end in range(kept, _FEWEST - 1, -1):
            torn = tree.words[end - 1].tag in never_last and not _ends_clause(tree, end)
            torn = torn or (is_denying(tree.words[:end]) and not tree.comma_before(end))  # of whom is it denied?
            if not torn and can_cut(tree, end - 1):
                return " ".join(texts[:end]).rstrip(",;:")
    verb = next((i for i, word in enumerate(sentences[0]) if word.tag in {"AUX", "VERB"}), 0)
    if verb and not tree.comma_before(verb) and is_denying(sentences[0][: len(whole)]):
        return " ".join(texts[:verb])  # only who it is that does not do something
    while len(whole) > 1 and whole[-1].lower() in _NEVER_LAST:
        whole = whole[:-1]
    return " ".join(whole).rstrip(",;:")


def _ends_clause(tree: SentenceTree, end: int) -> bool:
    """Whether a clause ends in a verb before this position: at a comma, or where *and* begins the next."""
    ended = end < len(tree.words) and (tree.comma_before(end) or tree.words[end].tag == "CCONJ")
    return ended and tree.words[end - 1].tag == "VERB"
