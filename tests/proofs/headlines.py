"""Headlines within random budgets: printed headlines fit, respect the guards, and are the best that fit.

A space is the expression of real sentences as the package's parser sees them. All of its strings are written and
measured one by one; units are held at random until they are few enough for that.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import islice, product

import numpy as np

from tests.headline.parses import parsed
from tests.headline.searches import realized
from tests.proofs.check import TOLERANCE, complaints_of_claims
from tests.reference.lattices import paths
from widl.decoder import LanguageModel, Vocabulary
from widl.expressions import Expression, count_derivations
from widl.headline.clause_expression import ClauseExpression
from widl.headline.clause_search import ClauseSearch
from widl.headline.document_trees import DocumentTrees
from widl.headline.doubt import MIN_CONFIDENCE, MIN_CONFIDENCE_OF_FIRST_SENTENCE
from widl.headline.fallbacks import fallback
from widl.headline.guards import package_guards
from widl.headline.length_options import LengthLimit
from widl.headline.model import (
    CLAUSE_WEIGHTS,
    HeadlineModel,
    clause_core_layout,
    clause_layout,
    document_lines,
    package_content,
)
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.punctuation import Letters, SurfaceWord, in_letters, written_words_of
from widl.headline.results import Headline, HeadlineCandidate
from widl.headline.words import keys_of
from widl.pipeline.demo import sample_corpus

SENTENCES = (
    "Smith, Jones, Brown and White have won the big race in Paris on Sunday.",
    'The "small but mighty" port of Essen will close on Friday, an engineer said.',
    'The chairman called the offer "a very good deal for all of us" and sold his shares in Bell & Howell.',
    "Stocks opened higher on Friday, helped by banks, after Robert F. Smith of St. Louis sold $419.3bn.",
    'Ada Holm, an engineer of Oslo, said: "We will open two mines in Peru" -- and left the town.',
    "The court has freed Mario Rossi – a poet, a painter and a thief – and fined Norvik Motors Inc, a maker of cars.",
    '"Rain" was the word of the day, the president of the club told "The Times" on Monday.',
    "Éric and Étienne Dupré were killed in Ürgüp, officials said, when a bus fell from the old bridge.",
    "He said, in a report, that the port, which closed in May, would open again; the union, however, denied it.",
    "The bank said it would sell its unit in Chad, the largest rise in ten months, a sign of hope, to Fiat.",
)
LETTERS: tuple[Letters, ...] = ("sentence", "title", "capitals")
BUDGETS = 40  # of one space
MAX_STRINGS = 1_500
MAX_PATHS = 60  # maximum paths of a lattice to check
ROUNDING = 1e-6  # for features, which are logarithms of probabilities, and for sums in a different order
_HELD = next(guard for guard in package_guards() if not guard.soft and guard.effect == "keep")


class DrawnModel(HeadlineModel):
    """A model that has seen a few sentences, and guards some units at random."""

    def __init__(self, seed: str) -> None:
        self._language_models = [_language_model(), LanguageModel.estimate(list(SENTENCES[:5]))]
        self._content = package_content()
        self.layout, self.core_layout = clause_layout(3), clause_core_layout(3)
        self.vocabulary = Vocabulary([])
        self._seed = seed

    def trees(self, parsed: ParsedDocument, options: HeadlineOptions) -> DocumentTrees:
        """The package's trees, with more guards."""
        result = super().trees(parsed, options)
        for part in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0):
            rng = random.Random(self._seed)
            drawn = [{k for k in range(len(tree)) if rng.random() < part} for tree in result.trees]
            held = DocumentTrees.__new__(DocumentTrees)
            vars(held).update(vars(result))
            held.guards = [
                replace(guards, kept_by=dict.fromkeys(more - guards.dropped, _HELD) | dict(guards.kept_by))
                for guards, more in zip(result.guards, drawn, strict=True)
            ]
            whole = ClauseExpression.of(held, LengthLimit(words=1000))
            if whole is None or count_derivations(whole.expression) <= MAX_STRINGS:
                return held
        return held


@cache
def _language_model() -> LanguageModel:
    return LanguageModel.estimate((sample_corpus() / "mono.en").read_text(encoding="utf-8").lower().splitlines())


@cache
def _texts() -> tuple[str, ...]:
    news = (sample_corpus() / "news.en").read_text(encoding="utf-8").splitlines()
    return (*SENTENCES, *news)


@dataclass(frozen=True)
class Written:
    """A derivation with all parts of its printed form."""

    places: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    words: tuple[str, ...]
    score: float

    @cached_property
    def texts(self) -> dict[Letters, str]:
        """All capitalizations of the texts."""
        return {letters: " ".join(in_letters(self.words, letters)) for letters in LETTERS}

    def fits(self, options: HeadlineOptions) -> bool:
        """Whether it may be printed within the limit."""
        size = len(self.texts[options.letters].encode())
        if (options.words and len(self.words) > options.words) or (options.bytes and size > options.bytes):
            return False
        return all(_has(self.keys, keys_of(term)) for term in options.must)


def _has(keys: Sequence[str], term: Sequence[str]) -> bool:
    return any(tuple(keys[i : i + len(term)]) == tuple(term) for i in range(len(keys)))


@dataclass
class Space:
    """The strings of documents' expressions under some weights."""

    model: DrawnModel
    parsed: ParsedDocument
    weights: dict[str, float]

    def __post_init__(self) -> None:
        self._known: dict[str, list[Written]] = {}
        self._models = [*self.model._language_models, LanguageModel.estimate(document_lines(self.parsed.document.text))]

    def derivations(self, found: ClauseExpression) -> list[Written]:
        """All derivations, printed one by one."""
        text = str(found.expression)
        if text not in self._known:
            self._known[text] = [self._written(found, *item) for item in derivations(found.expression, 0)]
        return self._known[text]

    def size_of_some(self, rng: random.Random, options: HeadlineOptions) -> int:
        """The size of one of the strings in bytes, or one more or less."""
        result = self.model.clause_expression(self.parsed, replace(options, words=1000, bytes=0))
        if result is None:
            return options.bytes
        some = rng.choice(self.derivations(result)).texts[options.letters]
        return max(1, len(some.encode()) + rng.choice([-1, 0, 0, 1]))

    def _written(self, found: ClauseExpression, at: tuple[int, ...], logs: np.ndarray) -> Written:
        said: list[SurfaceWord] = [found.written[k] for k in at]
        keys = tuple(item.word.key for item in said)
        values = [*logs, *(sum(model.score_words(list(keys))) for model in self._models), float(len(keys))]
        score = sum(self.weights[name] * value for name, value in zip(self.model.layout.names, values, strict=True))
        places = tuple((item.sentence, item.word.place) for item in said)
        sentences = {tree.sentence: tree.words for tree in reversed(found.trees.trees)}  # the original tree counts
        return Written(places, keys, tuple(written_words_of(said, sentences)), score)


def derivations(expression: Expression, place: int) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
    """The places of each derivation's words, the first of the expression being `place`, and ln of its choices."""
    kinds = Expression.Kind
    nothing = np.zeros(7)
    if expression.kind == kinds.word:
        yield (place,), nothing
        return
    parts = []
    for number, argument in enumerate(expression.arguments):
        own = list(derivations(argument, place))
        if expression.kind == kinds.disjunction:
            own = [(at, logs + np.log(expression.probabilities[number])) for at, logs in own]
        parts.append(own)
        place += _words(argument)
    if expression.kind == kinds.disjunction:
        for own in parts:
            yield from own
        return
    assert expression.kind == kinds.precedence
    for chosen in product(*parts):
        yield tuple(k for at, _ in chosen for k in at), sum((logs for _, logs in chosen), nothing)


def _words(expression: Expression) -> int:
    return 1 if expression.kind == Expression.Kind.word else sum(map(_words, expression.arguments))


def check_headlines(seed: int, group: int, budgets: int = BUDGETS) -> Iterator[list[str]]:
    """Errors in the headlines of one text within several budgets; correct headlines have none."""
    rng = random.Random(f"headlines {seed} {group}")
    texts = _texts()
    text = " ".join(rng.sample(texts, k=rng.choice([1, 1, 2])))
    model = DrawnModel(f"{seed} {group}")
    weights = {name: rng.choice([weight, weight * rng.uniform(0, 3)]) for name, weight in CLAUSE_WEIGHTS.items()}
    space = Space(model, parsed(text), weights)
    for _ in range(budgets):
        options = random_options(rng, text)
        if rng.random() < 0.6:  # within a byte of the length of some string
            options = replace(options, bytes=space.size_of_some(rng, options))
        yield [f"{line}\n  {options}\n  {text}" for line in complaints(space, options)]


def random_options(rng: random.Random, text: str) -> HeadlineOptions:
    """Budgets, letters, searches, terms."""
    size = len(text.encode())
    words, most = rng.choice([0, 0, rng.randint(1, 15)]), rng.randint(3, rng.choice([40, 90, size]))
    search = rng.choice(["astar", "astar", "astar", "bfs", "beam", "stack"])
    must = tuple(rng.sample(sorted(set(keys_of(text))), k=1)) if rng.random() < 0.15 else ()
    return HeadlineOptions(
        words=words,
        bytes=most,
        letters=rng.choice(LETTERS),
        search=search,
        nbest=rng.choice([1, 1, 3, 12]),
        ranked=rng.choice([0, 0, 2, 20]),
        lattice=rng.random() < 0.2,
        max_seconds=0,
        max_states=rng.randint(1, 60) if rng.random() < 0.1 else 0,
        must=must,
    )


def complaints(space: Space, options: HeadlineOptions) -> Iterator[str]:
    """Errors in the headline of one document."""
    search = ClauseSearch.of(space.model, space.parsed, options)
    headline = fallback(space.parsed, options) if search is None else realized(search, options, space.weights)
    if search is not None and options.ranked:
        yield from _complaints_of_ranking(search, headline, space, options)
        return
    every = [] if search is None else space.derivations(search.clauses)
    fitting = [item for item in every if item.fits(options)]
    if len(headline.text.encode()) > options.bytes:
        yield f"{headline.text!r} does not fit"
    if not headline.nbest:
        if fitting and not headline.stopped and options.search in ("astar", "bfs"):
            yield f"no headline, where {fitting[0].texts[options.letters]!r} fits"
        return
    if not fitting:
        yield f"{headline.text!r}, where nothing fits"
        return
    yield from _complaints_of_list(headline, fitting, options)
    best = max(item.score for item in fitting)
    rounding = ROUNDING * max(1.0, abs(best))
    yield from complaints_of_claims(headline, best, TOLERANCE * max(abs(best), 1e-3), rounding)
    if options.search in ("astar", "bfs") and not headline.stopped and not headline.optimal:
        yield f"not optimal: {headline.score!r}, bound {headline.bound!r}, best {best!r}"
    if headline.lattice is not None:
        texts = Counter(" ".join(in_letters(item.words, options.letters)) for item in fitting)
        arcs = [(start, end) for start, end, *_ in headline.lattice.arcs]
        for path in islice(paths(arcs), MAX_PATHS):
            words = [word for arc in path for word in headline.lattice.arcs[arc][5]]
            if " ".join(in_letters(words, options.letters)) not in texts:
                yield f"the lattice has {words}"


def _complaints_of_list(headline: Headline, fitting: Sequence[Written], options: HeadlineOptions) -> Iterator[str]:
    texts: dict[tuple[str, tuple[tuple[int, int], ...]], list[float]] = {}
    for item in fitting:
        texts.setdefault((item.texts[options.letters], item.places), []).append(item.score)
    for candidate in headline.nbest:
        scores = texts.get((candidate.text, candidate.places))
        if scores is None:
            yield f"no string of the expression that fits: {candidate.text!r} at {candidate.places}"
        elif min(abs(score - candidate.score) for score in scores) > ROUNDING * max(1.0, abs(candidate.score)):
            yield f"{candidate.text!r} has score {candidate.score!r} instead of one of {scores}"
        if _printed(candidate, options) != candidate.text:
            yield f"phrases {candidate.phrases} of {candidate.text!r}"
    if headline.text != headline.nbest[0].text:
        yield f"{headline.text!r} is not the first of the list"
    if headline.confidence != headline.nbest[0].confidence:
        yield f"confidence {headline.confidence!r} instead of {headline.nbest[0].confidence!r}"
    if options.search not in ("astar", "bfs") or headline.stopped:
        return
    ranked: dict[tuple[str, ...], float] = {}
    for item in fitting:
        ranked[item.keys] = max(item.score, ranked.get(item.keys, item.score))
    expected = sorted(ranked.values(), reverse=True)[: options.nbest]
    scores = [candidate.score for candidate in headline.nbest]
    if len(scores) != len(expected) or not np.allclose(scores, expected, rtol=ROUNDING, atol=ROUNDING):
        yield f"scores {scores}, where the best are {expected}"


def _complaints_of_ranking(
    search: ClauseSearch, headline: Headline, space: Space, options: HeadlineOptions
) -> Iterator[str]:
    """Checks the n best by probability; statements about the search refer to its best string."""
    if len(headline.text.encode()) > options.bytes:
        yield f"{headline.text!r} does not fit"
    plain = replace(options, ranked=0, nbest=max(options.nbest, options.ranked))
    searched = realized(search, plain, space.weights)
    if not searched.nbest:
        if headline.nbest:
            yield f"{headline.text!r}, where search finds nothing"
        return
    probable = sorted(searched.nbest, key=lambda item: -(item.judgment.rank_score if item.judgment else 0.0))
    least = MIN_CONFIDENCE_OF_FIRST_SENTENCE
    sentences = [item.places[0][0] for item in probable if (item.confidence or 0.0) >= least]
    earlier = [item for item in probable if sentences and item.places[0][0] == min(sentences)]
    probable = [*earlier, *(item for item in probable if item not in earlier)]
    texts, expected = [item.text for item in headline.nbest], [item.text for item in probable[: options.nbest]]
    if texts != expected:
        yield f"{texts}, where the best of the first good sentence are {expected}"
    of_search = headline.search_score, headline.bound, headline.search_optimal
    if of_search != (searched.score, searched.bound, searched.optimal):
        yield f"search score {headline.search_score!r}, but that of the search is {searched.score!r}"
    own = headline.nbest[0].score if headline.text == headline.nbest[0].text else None
    if headline.score != own:
        yield f"score {headline.score!r} of {headline.text!r}, which has {own!r}"
    if headline.optimal and (own is None or own < headline.bound - ROUNDING * max(1.0, abs(own))):
        yield f"optimal, with score {own!r} and bound {headline.bound!r}"
    if (headline.kind == "headline") != ((headline.confidence or 0.0) >= MIN_CONFIDENCE):
        yield f"{headline.kind} with confidence {headline.confidence!r}"


def _printed(candidate: HeadlineCandidate, options: HeadlineOptions) -> str:
    words = [word for phrase in candidate.phrases for word in phrase.split(" ")]
    return " ".join(in_letters(words, options.letters))
