"""The systems that WIDL headlines are compared with (Soricut & Marcu 2006, Table 1), but for the text's beginning.

Each function makes a headline within the limit from a parsed document, or from its keywords: words separated by one
blank. The headline of a document without words is empty.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from widl.experiments.hedge_trimmer import trim
from widl.headline import LengthLimit
from widl.headline.casing import capital
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.word_lists import word_set
from widl.headline.words import Word

Keyword = tuple[str, float]
"""A word or a name of several words, as written in the document, and its weight."""

KEYWORDS = 10
"""Keywords of a document."""
WEBCL_WORDS = 50
CLOSED_CLASSES = word_set("ADP AUX CCONJ DET PART PRON PUNCT SCONJ")
"""Universal tags of words that no phrase of a headline should end in."""


def hedge_trimmer(parsed: ParsedDocument, keywords: Sequence[Keyword], limit: LengthLimit) -> str:  # noqa: ARG001
    """*HedgeTrimmer*: the first sentence, trimmed by rules (see `widl.experiments.hedge_trimmer`)."""
    return " ".join(trim(_first_sentence(parsed), limit))


def keywords_headline(parsed: ParsedDocument, keywords: Sequence[Keyword], limit: LengthLimit) -> str:  # noqa: ARG001
    """*Keywords*: the keywords, best first, as many as the limit allows."""
    words: list[str] = []
    for keyword, _ in keywords:
        added = keyword.split()
        if keyword and limit.fits(words + added):
            words += added
    return " ".join(words)


def topiary(parsed: ParsedDocument, keywords: Sequence[Keyword], limit: LengthLimit) -> str:
    """*Topiary* (Zajic, Dorr & Schwartz 2004): topics, a colon, and the first sentence trimmed to the rest.

    The first topic is the best one that the trimmed sentence does not mention; others follow while the limit allows.
    Topics are the document's keywords, since the paper's topic models (Schwartz et al. 2001) need a corpus of the same
    events.
    """
    sentence = _first_sentence(parsed)
    keys = _LemmaKeys(parsed)
    topics: list[str] = []
    words: list[str] = []
    for keyword, _ in keywords:
        trimmed = trim(sentence, _remaining(limit, keyword)) if _can_spare(limit, keyword) else []
        if trimmed and not keys.mention(keyword, trimmed):
            topics, words = [keyword], [capital(trimmed[0]), *trimmed[1:]]
            break
    if not topics:
        return hedge_trimmer(parsed, keywords, limit)
    for keyword, _ in keywords:
        if not keys.mention(keyword, words + topics) and limit.fits(_labeled([*topics, keyword], words)):
            topics.append(keyword)
    return " ".join(_labeled(topics, words))


def _labeled(topics: Sequence[str], words: Sequence[str]) -> list[str]:
    return [*f"{' '.join(topics)}:".split(), *words]


def _can_spare(limit: LengthLimit, topic: str) -> bool:
    """Whether a topic leaves room for a word."""
    enough_words = not limit.words or len(topic.split()) < limit.words
    return bool(topic.split()) and enough_words and (not limit.bytes or _size(topic) < limit.bytes)


def _remaining(limit: LengthLimit, topic: str) -> LengthLimit:
    """The limit that a topic and its colon leave."""
    return LengthLimit(
        words=limit.words and limit.words - len(topic.split()), bytes=limit.bytes and limit.bytes - _size(topic)
    )


def _size(topic: str) -> int:
    return len(topic.encode()) + len(": ")


def webcl(parsed: ParsedDocument, keywords: Sequence[Keyword], limit: LengthLimit) -> str:
    """*Webcl* (Zhou & Hovy 2003): clusters of words around keywords in the beginning of the document.

    Occurrences of the ten best keywords in the first 50 words select the two bigrams that they are in. Bigrams that
    share a word make a cluster, without the function words at its ends. No cluster spans punctuation. Clusters are kept
    whole, in the order of the text, without duplicates; a cluster that does not fit is skipped. The slash between two
    counts as a word of the limit.
    """
    keys = _LemmaKeys(parsed)
    marked = keys.of_all([keyword for keyword, _ in keywords[:KEYWORDS]])
    headline: list[str] = []
    seen: set[tuple[str, ...]] = {()}
    for cluster in _clusters(sentences_of(parsed), keys, marked):
        written = _written(cluster)
        name = tuple(word.lower() for word in written)
        words = [*headline, *(["/"] if headline else []), *written]
        if name not in seen and limit.fits(words):
            headline = words
        seen.add(name)
    return " ".join(headline)


def _clusters(sentences: Sequence[Sequence[Word]], keys: "_LemmaKeys", marked: set[str]) -> Iterator[list[Word]]:
    """Chains of overlapping bigrams in the document's first words; each bigram has at least one marked word."""
    left = WEBCL_WORDS
    for run in (run for sentence in sentences for run in _runs(sentence)):
        words = run[:left]
        left -= len(words)
        hits = [word.tag not in CLOSED_CLASSES and bool(marked & keys.of_all([word.text])) for word in words]
        # Between words i and i + 1 is a link when either is marked; a cluster is a chain of links.
        cluster: list[Word] = []
        for place, word in enumerate(words):
            if place and (hits[place - 1] or hits[place]):
                cluster.append(word)
            else:
                if len(cluster) > 1:
                    yield cluster
                cluster = [word]
        if len(cluster) > 1 or (len(words) == 1 and hits[0]):
            yield cluster


def _runs(sentence: Sequence[Word]) -> list[list[Word]]:
    """The words of a sentence between punctuation marks."""
    runs: list[list[Word]] = [[]]
    for word in sentence:
        if word.opening:
            runs.append([])
        runs[-1].append(word)
        if word.closing.strip("."):
            runs.append([])
    return [run for run in runs if run]


def _written(cluster: Sequence[Word]) -> list[str]:
    """The words of a cluster without function words at its ends."""
    content = [place for place, word in enumerate(cluster) if word.tag not in CLOSED_CLASSES]
    return [word.text for word in cluster[content[0] : content[-1] + 1]] if content else []


class _LemmaKeys:
    """Words reduced to their lemmas, as the document's parse has them."""

    def __init__(self, parsed: ParsedDocument) -> None:
        self._lemmas = {word.key: word.lemma for words in reversed(sentences_of(parsed)) for word in words}

    def of(self, word: str) -> str:
        word = word.lower().strip(".,:;!?\"'()")
        return self._lemmas.get(word, self._lemmas.get(word.removesuffix("'s"), word.removesuffix("'s")))

    def of_all(self, phrases: Sequence[str]) -> set[str]:
        return {self.of(word) for phrase in phrases for word in phrase.split()}

    def mention(self, keyword: str, words: Sequence[str]) -> bool:
        """Whether all words of a keyword are among the words."""
        return self.of_all([keyword]) <= self.of_all(
            [part for word in words for part in (word, word.replace("-", " "))]
        )


def _first_sentence(parsed: ParsedDocument) -> Sequence[Word]:
    return next(iter(sentences_of(parsed)), ())


BaselineName = Literal["hedge-trimmer", "topiary", "keywords", "webcl"]
Baseline = Callable[[ParsedDocument, Sequence[Keyword], LengthLimit], str]
"""The headline of a parsed document, given its keywords, the heaviest first, within a limit."""
BASELINES: Mapping[str, Baseline] = {
    "hedge-trimmer": hedge_trimmer,
    "topiary": topiary,
    "keywords": keywords_headline,
    "webcl": webcl,
}
