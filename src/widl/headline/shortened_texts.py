"""Alignment of a text with its shortened form: the words of one found in the other, in order."""

from collections import Counter
from collections.abc import Mapping, Sequence

from widl.headline.deletion_training import ShortenedText
from widl.headline.speakers import with_speaker
from widl.headline.units import UnitTree
from widl.headline.words import Word, keys_of

_COUNTED = 4  # sentences


def kept_words(text: Sequence[str], shortened: Sequence[str]) -> list[bool]:
    """Which words of a text its shortened form keeps, in order: as many as possible; ties prefer adjacent words."""
    rows, columns = len(text), len(shortened)
    best = [[0] * (columns + 1) for _ in range(rows + 1)]  # from (i, j) on; words count 2 · columns, neighbors 1
    after = [[0] * (columns + 1) for _ in range(rows + 1)]  # the same if text[i - 1] and shortened[j - 1] are aligned
    worth = 2 * columns
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            skipped = max(best[i + 1][j], best[i][j + 1])
            taken = worth + after[i + 1][j + 1] if text[i] == shortened[j] else -1
            best[i][j], after[i][j] = max(skipped, taken), max(skipped, taken + 1)
    mask = [False] * rows
    i = j = 0
    together = False
    while i < rows and j < columns:
        value = after[i][j] if together else best[i][j]
        taken = worth + after[i + 1][j + 1] + together if text[i] == shortened[j] else -1
        if taken == value:
            mask[i] = together = True
            i, j = i + 1, j + 1
        else:
            together = False
            if best[i + 1][j] >= best[i][j + 1]:
                i += 1
            else:
                j += 1
    return mask


def of_compression(sentences: Sequence[Sequence[Word]], compression: str) -> ShortenedText:
    """A text and what people kept of it."""
    keys = [word.key for words in sentences for word in words]
    mask = iter(kept_words(keys, keys_of(compression)))
    masks = [[next(mask) for _ in words] for words in sentences]
    return ShortenedText([_tree(words, number, masks[number]) for number, words in enumerate(sentences)], masks)


def of_headline(
    sentences: Sequence[Sequence[Word]], headline: Sequence[str], lemmas: Mapping[str, str], *, learned: int
) -> ShortenedText:
    """The first `learned` sentences of a text, and the words that its headline (given as keys) keeps in any form."""
    said = {*headline, *(lemmas.get(key, key) for key in headline)}
    counts = lemma_counts(sentences)
    trees = [UnitTree(words, number, counts=counts) for number, words in enumerate(sentences[:learned])]
    return ShortenedText(trees, [[word.lemma in said or word.key in said for word in tree.words] for tree in trees])


def lemma_counts(sentences: Sequence[Sequence[Word]]) -> Counter[str] | None:
    """Counts of lemmas in a document's first sentences; a single sentence is not informative."""
    if len(sentences) == 1:
        return None
    return Counter(word.lemma for words in sentences[:_COUNTED] for word in words)


def _tree(words: Sequence[Word], number: int, kept: Sequence[bool]) -> UnitTree:
    """The tree of a sentence; if only a statement about the speaker is kept, the speaker becomes its subject."""
    retold = with_speaker(words)
    if retold is not None and not any(k for word, k in zip(retold, kept, strict=True) if word.relation == "discourse"):
        return UnitTree(retold, number, retold=True)
    return UnitTree(words, number)
