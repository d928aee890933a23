"""Random tiles with weights and language models, small enough to write all derivations out."""

import math
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis import strategies as st

from tests.core_options import search_options
from tests.decoder.language_models import WORDS, arpa_models
from tests.reference.lexical_reordering import FEATURES
from tests.reference.tiles import Option, Orders, features
from widl.decoder import (
    CoreRealizer,
    Expression,
    LanguageModel,
    Realization,
    Tiles,
    Vocabulary,
    WeightVector,
)

COMPONENTS = 2


def model_of(arpa: str) -> LanguageModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.arpa"
        path.write_text(arpa, encoding="utf-8")
        return LanguageModel.load(str(path))


@dataclass(frozen=True)
class Case:
    length: int
    options: tuple[Option, ...]
    base: float
    limit: int | None
    arpas: tuple[str, ...]
    weights: tuple[float, ...]
    orders: Orders = field(default_factory=Orders)
    reordering: bool = False

    def tiles(self, vocabulary: Vocabulary) -> Tiles:
        spans: dict[tuple[int, int], list[Option]] = {}
        for option in self.options:
            spans.setdefault((option.begin, option.end), []).append(option)
        contents = []
        for (begin, end), options in spans.items():
            phrases = [Expression.lock(Expression.precedence([Expression.word(w) for w in o.words])) for o in options]
            scores = [[math.exp(s) for s in o.scores] for o in options]
            contents.append((begin, end, Expression.scored_disjunction(phrases, scores)))
        expression = Expression.tiles(self.length, contents, movement_base=self.base)
        orientations = [list(o.orientation) for options in spans.values() for o in options] if self.reordering else []
        return Tiles.compile(
            expression, vocabulary, zones=self.orders.zones, walls=self.orders.walls, orientations=orientations
        )

    def weight_vector(self) -> WeightVector:
        j, m = COMPONENTS, len(self.arpas)
        words, phrases, distortion, unknown = self.weights[j + m : j + m + 4]
        return WeightVector(
            widl=self.weights[:j], language_models=self.weights[j : j + m],
            word_count=words, phrase_count=phrases, distortion=distortion, unknown=unknown,
            reordering=self.weights[j + m + 4 :],
        )

    def features(self, derivation: Sequence[Option], models: Sequence[LanguageModel]) -> list[float]:
        """By definition."""
        return features(derivation, models, math.log(self.base), COMPONENTS, self.reordering)

    def search(self, models: Sequence[LanguageModel], **options: object) -> Realization:
        """By the core, within the case's limit of movement."""
        vocabulary = Vocabulary(WORDS)
        limit = -1 if self.limit is None else self.limit
        chosen = search_options(distortion_limit=limit, **options)
        return CoreRealizer(vocabulary, models).realize([self.tiles(vocabulary)], self.weight_vector(), chosen)[0]

    def path_of(self, phrases: Sequence[tuple[int, int, int, int]]) -> tuple[Option, ...]:
        """The options of a derivation's phrases, which the core numbers span by span."""
        spans = {(option.begin, option.end): None for option in self.options}
        by_number = [o for span in spans for o in self.options if (o.begin, o.end) == span]
        return tuple(by_number[number] for *_, number in phrases)

    def score(self, values: Sequence[float]) -> float:
        return sum(w * h for w, h in zip(self.weights, values, strict=True))


@st.composite
def cases(draw: st.DrawFn, max_length: int = 4) -> Case:
    length = draw(st.integers(1, max_length))
    words = st.lists(st.sampled_from([*WORDS, "x"]), min_size=1, max_size=3).map(tuple)
    # Scores are stored as 32-bit floats: quarters are exact.
    scores = st.tuples(*[st.integers(-12, 0).map(lambda q: q / 4)] * COMPONENTS)
    options = [
        Option(i, i + 1, draw(words), draw(scores)) for i in range(length) for _ in range(draw(st.integers(1, 2)))
    ]
    for begin in range(length):
        for end in range(begin + 2, min(begin + 3, length) + 1):
            options += [Option(begin, end, draw(words), draw(scores)) for _ in range(draw(st.integers(0, 2)))]
    arpas = tuple(draw(st.lists(arpa_models(), min_size=1, max_size=2)))
    any_weight, positive = st.floats(-1, 1), st.floats(0, 1)
    weights = [draw(any_weight) for _ in range(COMPONENTS)] + [draw(positive) for _ in arpas]
    weights += [draw(any_weight), draw(any_weight), draw(st.sampled_from([0.0, 0.1, 0.5, -0.2])), 0.0]
    limit = draw(st.sampled_from([None, 0, 1, 2, 6]))
    options = list(dict.fromkeys(options))  # a derivation is known by its options
    return Case(length, tuple(options), draw(st.sampled_from([0.5, 0.9])), limit, arpas, tuple(weights))


@st.composite
def oriented_cases(draw: st.DrawFn, max_length: int = 4) -> Case:
    """Cases under a reordering model; some of the options have no scores."""
    case = draw(cases(max_length))
    # Few values, so that states recombine.
    scores = st.one_of(st.tuples(*[st.sampled_from([-0.5, -1.0, -3.0])] * len(FEATURES)), st.just(()))
    options = [replace(option, orientation=draw(scores)) for option in case.options]
    weights = draw(st.tuples(*[st.one_of(st.sampled_from([0.0, 1.0]), st.floats(-0.5, 2))] * len(FEATURES)))
    return replace(case, options=tuple(options), weights=(*case.weights, *weights), reordering=True)
