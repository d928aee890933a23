"""Ranking: chooses one of the search's n best headlines and gives the probability that it is good.

A good headline is true, printable without edits, and reports the news. Each of these questions has a logistic
regression over features of the headline and of its sentence, given that the questions before it are answered with yes:

    P(good) = P(true) · P(readable | true) · P(news | true, readable)
    P(yes)  = 1 / (1 + exp(−(bias + Σ weights[f] · features[f])))

The weights are in `ranking.json.gz`, made by ``training/ranking/make_ranking.py``.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from widl.headline.word_lists import package_json
from widl.headline.words import FINITE, Word

_WEIGHTS_OF_ORDERS = (0.7, 0.25, 0.05)  # tag models: trigrams, bigrams, single tags
_TAG_COUNT = 50
# Of 2,121 stories, 1 prints more readable headlines (72 %) than 3 (70 %), but fewer that tell the news (65, 66 %).
_WEIGHT_OF_NEWS = 1.5


class TagModel:
    """A trigram model of the part-of-speech tags of headlines."""

    def __init__(self, counts: Mapping[str, int]) -> None:
        """`counts`: n-grams of one, two and three tags, joined by spaces."""
        self.counts = counts
        self._histories: Counter[str] = Counter()
        for row, n in counts.items():
            self._histories[" ".join(row.split(" ")[:-1])] += n

    @classmethod
    def trained(cls, sentences: Iterable[Sequence[str]], fewest: int = 2) -> "TagModel":
        """Counts n-grams of tags; drops n-grams seen fewer than `fewest` times."""
        counts: Counter[str] = Counter()
        for tags in sentences:
            row = ["<", "<", *tags, ">"]
            for end in range(2, len(row)):
                counts.update(" ".join(row[end - n : end + 1]) for n in range(3))
        return cls({row: n for row, n in sorted(counts.items()) if n >= fewest})

    def log_probabilities(self, tags: Sequence[str]) -> list[float]:
        """ln P of each tag and of the end."""
        row = ["<", "<", *tags, ">"]
        return [math.log(self._probability(row[end - 2], row[end - 1], row[end])) for end in range(2, len(row))]

    def _probability(self, first: str, second: str, tag: str) -> float:
        p = 1.0 / _TAG_COUNT / 20
        for weight, history in zip(_WEIGHTS_OF_ORDERS, (f"{first} {second}", second, ""), strict=True):
            row = f"{history} {tag}" if history else tag
            if seen := self._histories[history]:
                p += weight * self.counts.get(row, 0) / seen
        return p


def tags_of(words: Iterable[Word]) -> list[str]:
    """Tags of a headline's words without articles. Finite verbs share a tag because headlines change their tense."""
    return ["V" if word.form in FINITE and word.tag == "VERB" else word.form for word in words if not word.is_article]


QUESTIONS = ("true", "readable", "news")
"""Whether the text supports a headline, whether it can be printed as it is, whether it tells the news."""


@dataclass(frozen=True)
class Judgment:
    """The probabilities that a headline is true, readable if true, and reports the news if both."""

    true: float
    readable: float
    news: float

    @property
    def confidence(self) -> float:
        """P(all three)."""
        return self.true * self.readable * self.news

    @property
    def rank_score(self) -> float:
        """Orders candidates: P(all three) with more weight on the news, since the safest is often the emptiest."""
        return self.true * self.readable * math.pow(self.news, _WEIGHT_OF_NEWS)

    @property
    def weakest(self) -> str:
        """The question whose answer is most likely to be no."""
        return min(QUESTIONS, key=lambda question: getattr(self, question))


@dataclass(frozen=True)
class LogisticModel:
    """Weights of features."""

    bias: float
    weights: Mapping[str, float]

    def probability(self, features: Mapping[str, float]) -> float:
        """P(yes). Features without a weight don't count: a new set of features is trained under the previous model."""
        z = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, z))))


@dataclass(frozen=True)
class RankingModel:
    """A model for each of the questions, and the tag model."""

    models: Mapping[str, LogisticModel]
    """By question."""
    tags: TagModel

    def judgment(self, features: Mapping[str, float]) -> Judgment:
        """The judgment of a headline with these features."""
        return Judgment(*(self.models[name].probability(features) for name in QUESTIONS))


@cache
def ranking_model() -> RankingModel:
    """The model of the package."""
    fields = package_json("ranking.json.gz")
    models = {name: LogisticModel(model["bias"], model["weights"]) for name, model in fields["questions"].items()}
    return RankingModel(models, TagModel(fields["tags"]))
