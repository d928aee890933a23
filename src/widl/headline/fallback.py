"""The beginning of a text in place of a headline, where no clause of it fits."""

from widl.headline.budget import Budget
from widl.headline.cuts import can_cut, has_condition
from widl.headline.lexicon import CLOSED_CLASSES
from widl.headline.parsing import ParsedDocument
from widl.headline.sentence_tree import SentenceTree
from widl.headline.words import sentences_of
from widl.headline.written_words import cut_words, has_letters, written_words

_FEWEST = 5


def beginning(parsed: ParsedDocument, budget: Budget) -> str:
    """The first sentence as far as it fits, cut where no word group is torn if there is such a place.

    The words are those of the text, in a row, so that nothing is said that the text does not begin with.
    """
    first = next((s for s in parsed.sentences if any(has_letters(token.text) for token in s)), ())
    whole = cut_words(written_words(first), budget)
    sentences = sentences_of(parsed)
    if not sentences:
        return " ".join(whole)
    tree = SentenceTree(sentences[0])
    texts = [word.text + ("," if "," in word.closing else "") for word in sentences[0]]
    kept = 0 if has_condition(sentences[0]) else len(budget.cut(texts))
    for end in range(kept, _FEWEST - 1, -1):
        word = tree.words[end - 1]
        if word.tag not in CLOSED_CLASSES | {"ADJ", "ADV"} and can_cut(tree, end - 1):
            return " ".join(texts[:end]).rstrip(",;:")
    return " ".join(whole)
