"""Keywords of a document and their weights: models 1 and 3 of Zhou & Hovy (2004), or frequency and place untrained.

A keyword's weight is P(Pos_i) · P(H_w | T_w): how often headlines take a word that first occurs in sentence i of the
text, and how readily they take this word. Forms of one lemma are one keyword, and so are the words of a name.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from widl.headline.words import Word

MAX_SENTENCES = 20
_SMOOTHING = 4.0  # occurrences of an average word that every word is given
_LEAST = 3  # occurrences below which a word counts as never seen
_UNTRAINED_DECAY = 0.7


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or name; `lemmas` are those of its words, `weight` is its share among the document's keywords."""

    text: str
    lemmas: tuple[str, ...]
    weight: float


def text_model(pairs: Iterable[tuple[Iterable[str], Iterable[str]]]) -> dict[str, float]:
    """P(H_w | T_w) by key, from the keys of headlines and texts (Zhou & Hovy 2004, model 3), smoothed.

    Σ_j doc_tf(w, j) · title_tf(w, j) / Σ_j doc_tf(w, j) over the pairs j.
    """
    both: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    for headline, text in pairs:
        titles = Counter(headline)
        for key, count in Counter(text).items():
            texts[key] += count
            if key in titles:
                both[key] += count * titles[key]
    average = max(1, sum(both.values())) / max(1, sum(texts.values()))  # no word is impossible
    return {
        key: (both[key] + _SMOOTHING * average) / (count + _SMOOTHING)
        for key, count in texts.items()
        if count >= _LEAST
    }


def position_model(pairs: Iterable[tuple[Iterable[str], Sequence[Sequence[Word]]]]) -> list[float]:
    """P(Pos_i): how often a word of a headline first occurs in sentence i of its text (model 1)."""
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
    """What weighs keywords; without training, their frequency and the place of the first occurrence do."""

    taken: Mapping[str, float] = field(default_factory=dict)
    """P(H_w | T_w) by key."""
    positions: Sequence[float] = ()
    """P(Pos_i) by sentence."""

    @property
    def is_trained(self) -> bool:
        """Whether pairs of headlines and texts were seen."""
        return bool(self.positions)

    def keywords(self, sentences: Sequence[Sequence[Word]], count: int = 10) -> list[Keyword]:
        """The `count` heaviest keywords of a document, the heaviest first; their weights sum to 1."""
        names = _names(sentences)
        units: dict[tuple[str, ...], _Unit] = {}
        for s, words in enumerate(sentences):
            for i, word in enumerate(words):
                if not word.is_content or word.tag == "NUM":
                    continue
                lemmas = names.get(word.lemma, (word.lemma,)) if word.tag == "PROPN" else (word.lemma,)
                unit = units.setdefault(lemmas, _Unit(s, len(units)))
                unit.add(word, words, i, lemmas)
        scored = [(self._weight(unit), unit.order, lemmas, unit) for lemmas, unit in units.items()]
        best = sorted(scored, key=lambda one: (-one[0], one[1]))[:count]
        total = sum(weight for weight, *_ in best)
        return [Keyword(unit.text, lemmas, weight / total) for weight, _, lemmas, unit in best if total > 0]

    def _weight(self, unit: "_Unit") -> float:
        if not self.is_trained:
            return sum(unit.keys.values()) * _UNTRAINED_DECAY**unit.sentence
        place = self.positions[min(unit.sentence, len(self.positions) - 1)]
        return place * max(self.taken.get(key, self._unseen) for key in unit.keys)

    @cached_property
    def _unseen(self) -> float:
        """What a word is worth that training did not see."""
        return min(self.taken.values(), default=1.0)


class _Unit:
    """The occurrences of one keyword."""

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


def _names(sentences: Sequence[Sequence[Word]]) -> dict[str, tuple[str, ...]]:
    """For the lemma of each word of a name of several words, the first such name."""
    names: dict[str, tuple[str, ...]] = {}
    for words in sentences:
        begin = 0
        for end in range(1, len(words) + 1):
            if end < len(words) and _goes_on(words, begin, end):
                continue
            run = tuple(word.lemma for word in words[begin:end])
            if len(run) > 1 and not any(lemma in names for lemma in run):
                names |= dict.fromkeys(run, run)
            begin = end
    return names


def _goes_on(words: Sequence[Word], begin: int, end: int) -> bool:
    """Whether word `end` belongs to the name that began at `begin`."""
    if words[end].tag != "PROPN" or words[end - 1].tag != "PROPN" or not words[end].is_content:
        return False
    return words[end].head in range(begin, end) or any(words[i].head == end for i in range(begin, end))
