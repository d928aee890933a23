"""Keywords of a document and their weights: models 1 and 3 of Zhou & Hovy (2003); untrained, frequency and position.

A keyword's weight is P(Pos_i) · P(H_w | T_w): the probability that a word of a headline first occurs in sentence i of
the text, and the probability that a headline has the word if its text has it. Forms of one lemma are one keyword, and
so are the words of a name.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from widl.headline.words import Word

MAX_SENTENCES = 20
_SMOOTHING = 4.0  # pseudo-occurrences of each word, with the average selection probability
_MIN_COUNT = 3  # a word with fewer occurrences counts as unseen
_UNTRAINED_DECAY = 0.7


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or name; `lemmas` are the lemmas of its words, `weight` is its share among the document's keywords."""

    text: str
    lemmas: tuple[str, ...]
    weight: float


def text_model(pairs: Iterable[tuple[Iterable[str], Iterable[str]]]) -> dict[str, float]:
    """P(H_w | T_w) by key, from the keys of headlines and texts (Zhou & Hovy 2003, model 3), smoothed.

    Σ_j doc_tf(w, j) · title_tf(w, j) / Σ_j doc_tf(w, j) over the pairs j.
    """
    selected: Counter[str] = Counter()  # Σ_j doc_tf(w, j) · title_tf(w, j)
    occurrences: Counter[str] = Counter()  # Σ_j doc_tf(w, j)
    for headline, text in pairs:
        titles = Counter(headline)
        for key, count in Counter(text).items():
            occurrences[key] += count
            if key in titles:
                selected[key] += count * titles[key]
    average = max(1, sum(selected.values())) / max(1, sum(occurrences.values()))  # above 0
    return {
        key: (selected[key] + _SMOOTHING * average) / (count + _SMOOTHING)
        for key, count in occurrences.items()
        if count >= _MIN_COUNT
    }


def position_model(pairs: Iterable[tuple[Iterable[str], Sequence[Sequence[Word]]]]) -> list[float]:
    """P(Pos_i): the probability that a headline's word first occurs in sentence i of its text (model 1)."""
    counts = [1.0] * MAX_SENTENCES
    for headline, sentences in pairs:
        first: dict[str, int] = {}
        for i, words in enumerate(sentences[:MAX_SENTENCES]):
            for word in words:
                first.setdefault(word.key, i)
        for key in headline:
            if key in first:
                counts[first[key]] += 1
    total = sum(counts)
    return [count / total for count in counts]


@dataclass(frozen=True)
class KeywordModel:
    """Weights of keywords; untrained, by frequency and by the sentence of the first occurrence."""

    selection: Mapping[str, float] = field(default_factory=dict)
    """P(H_w | T_w) by key."""
    positions: Sequence[float] = ()
    """P(Pos_i) by sentence."""

    def keywords(self, sentences: Sequence[Sequence[Word]], count: int = 10) -> list[Keyword]:
        """The `count` keywords of a document with the largest weights, in decreasing order; their weights sum to 1."""
        names = names_of(sentences)
        candidates: dict[tuple[str, ...], _Occurrences] = {}
        for s, words in enumerate(sentences):
            for i, word in enumerate(words):
                if not word.is_content or word.tag == "NUM":
                    continue
                lemmas = keyword_lemmas(word, names)
                candidate = candidates.setdefault(lemmas, _Occurrences(s, len(candidates)))
                candidate.add(word, words, i, lemmas)
        weighted = [(self._weight(candidate), lemmas, candidate) for lemmas, candidate in candidates.items()]
        best = sorted(weighted, key=lambda row: (-row[0], row[2].order))[:count]
        total = sum(weight for weight, *_ in best)
        return [Keyword(candidate.text, lemmas, weight / total) for weight, lemmas, candidate in best if total > 0]

    def _weight(self, candidate: "_Occurrences") -> float:
        if not self.positions:
            return sum(candidate.keys.values()) * _UNTRAINED_DECAY**candidate.sentence
        position = self.positions[min(candidate.sentence, len(self.positions) - 1)]
        return position * max(self.selection.get(key, self._unseen) for key in candidate.keys)

    @cached_property
    def _unseen(self) -> float:
        """The selection probability of a word unseen in training: the lowest probability of the seen words."""
        return min(self.selection.values(), default=1.0)


class _Occurrences:
    """The occurrences of a candidate keyword.

    `sentence` has the first occurrence; `order` numbers candidates by their first occurrences.
    """

    def __init__(self, sentence: int, order: int) -> None:
        self.sentence = sentence
        self.order = order
        self.text = ""
        self.keys: Counter[str] = Counter()

    def add(self, word: Word, words: Sequence[Word], i: int, lemmas: tuple[str, ...]) -> None:
        self.keys[word.key] += 1
        if self.text:
            return
        for begin in range(max(0, i - len(lemmas) + 1), i + 1):
            run = words[begin : begin + len(lemmas)]
            if tuple(w.lemma for w in run) == lemmas:
                self.text = " ".join(w.text for w in run)


def keyword_lemmas(word: Word, names: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The lemmas of the keyword that a word belongs to: all lemmas of the name, for a word in one of `names`."""
    return names.get(word.lemma, (word.lemma,)) if word.tag == "PROPN" else (word.lemma,)


def names_of(sentences: Sequence[Sequence[Word]]) -> dict[str, tuple[str, ...]]:
    """Maps the lemma of each word of a multi-word name to the first such name."""
    names: dict[str, tuple[str, ...]] = {}
    for words in sentences:
        begin = 0
        for end in range(1, len(words) + 1):
            if end < len(words) and _continues_name(words, begin, end):
                continue
            run = tuple(word.lemma for word in words[begin:end])
            if len(run) > 1 and not any(lemma in names for lemma in run):
                names |= dict.fromkeys(run, run)
            begin = end
    return names


def _continues_name(words: Sequence[Word], begin: int, end: int) -> bool:
    """Whether word `end` belongs to the name that began at `begin`."""
    if words[end].tag != "PROPN" or words[end - 1].tag != "PROPN" or not words[end].is_content:
        return False
    return words[end].head in range(begin, end) or any(words[i].head == end for i in range(begin, end))
