"""A headline as a sentence that a parser of running text reads well.

Headlines leave out articles and *is*, and a parser of texts loses its way: *signs licensing agreement*. What the
document has there is put back: an article or possessive before a noun phrase of the headline, a form of *be* before a
participle or adjective. Only words that stand in the same order in one sentence of the document are led back to it, so
that nothing is mended where a headline puts together what the text keeps apart.
"""

from collections.abc import Iterator, Sequence

from widl.headline.lexicon import ARTICLES, word_set
from widl.headline.parsing import ParsedDocument
from widl.headline.words import Word, bare, key_of, sentences_of

_PUT_BACK = ARTICLES | word_set("its his her their")
_BE = word_set("is are was were")
_PREMODIFIERS = frozenset({"ADJ", "NUM", "NOUN", "PROPN", "VERB", "ADV"})
_LONGEST_GAP = 5


def as_sentence(headline: str, document: ParsedDocument) -> str:
    """A headline with the articles and letters of its document, and a full stop."""
    sentences = sentences_of(document)
    if headline.isupper():
        known = {word.key: word.text for words in reversed(sentences) for word in words}
        words = [known.get(key_of(word.strip(",;:")), word.lower()) for word in headline.split()]
        headline = " ".join(words)
    written = headline.split()
    keys = [key_of(bare(word)) for word in written]
    aligned = max((_common(keys, words) for words in sentences), key=len, default=[])
    source = next((words for words in sentences if _common(keys, words) == aligned), [])
    missing = dict(_missing(aligned, source))
    if missing.get(0) and source[aligned[0][1]].key == keys[0]:
        written[0] = source[aligned[0][1]].text
    text = " ".join(word for i, word in enumerate(written) for word in (*missing.get(i, ()), word))
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


def _common(keys: Sequence[str], words: Sequence[Word]) -> list[tuple[int, int]]:
    """The longest common subsequence of a headline and a sentence, by key or lemma: pairs of positions."""
    lengths = [[0] * (len(words) + 1) for _ in range(len(keys) + 1)]
    for i in reversed(range(len(keys))):
        for j in reversed(range(len(words))):
            same = _is_same(keys[i], words[j])
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    pairs = []
    i = j = 0
    while i < len(keys) and j < len(words):
        if _is_same(keys[i], words[j]):
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def _is_same(key: str, word: Word) -> bool:
    return key == word.key or (word.tag in {"VERB", "AUX"} and key.removesuffix("s") == word.lemma)


def _missing(aligned: Sequence[tuple[int, int]], words: Sequence[Word]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """What the sentence has before a word of the headline and the headline has not, by the word's position there."""
    before = -1
    for number, (i, j) in enumerate(aligned):
        follows = number > 0 and aligned[number - 1][0] == i - 1 or i == 0
        k = j - 1
        if follows and k > before and words[k].key in _BE and words[k].tag == "AUX":
            yield i, (words[k].text,)
        elif follows and words[j].tag in _PREMODIFIERS - {"ADV"}:
            while before < k > j - _LONGEST_GAP and words[k].tag in _PREMODIFIERS and not words[k].closing:
                k -= 1
            if before < k and words[k].key in _PUT_BACK and (k == j - 1 or words[k].head >= j):
                yield i, (words[k].text,)
        before = j
