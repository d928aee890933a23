"""√(ROUGE-1 recall · ROUGE-2 recall): its figures, its line search, and tuning for it."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.problems import streams, translation_lists
from tests.reference import mert as reference
from tests.reference.rouge import root_of_recalls
from widl._core import CandidateLists
from widl.common.errors import InputError
from widl.mert import NbestLists, OptimizerOptions, TuningSet, optimize
from widl.metrics import Objective, parse_objective

NAME = "rouge1x2_recall"
WORDS = st.lists(st.sampled_from(["Tin", "tin", "mine", "sold,", "in", "Peru", "猫"]), max_size=7).map(" ".join)


@st.composite
def corpora(draw):
    """Texts, and for each of them one to three references."""
    size = draw(st.integers(1, 4))
    texts = draw(st.lists(WORDS, min_size=size, max_size=size))
    return texts, draw(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=size, max_size=size))


@given(corpora())
def test_the_slow_twin(corpus):
    texts, references = corpus
    objective = Objective(NAME, streams(references))
    totals = objective.statistics(np.arange(len(texts)), texts).sum(axis=0)
    assert objective.score(totals) == pytest.approx(root_of_recalls(texts, references), abs=1e-9)


def test_names():
    assert parse_objective(f"0.5*{NAME}+0.5*rouge1") == [(0.5, NAME), (0.5, "rouge1")]
    for name in ("rouge1x2", f"{NAME}_recall"):
        with pytest.raises(InputError, match="expected one of"):
            parse_objective(name)


@st.composite
def searches(draw):
    """Candidates' features and texts, references, a start point and a direction."""
    rows = st.tuples(st.lists(st.integers(-4, 4), min_size=2, max_size=2), WORDS)
    sentences = draw(st.lists(st.lists(rows, min_size=1, max_size=4), min_size=1, max_size=4))
    references = [[draw(WORDS)] for _ in sentences]
    quarters = st.lists(st.integers(-6, 6).map(lambda i: i / 4), min_size=2, max_size=2)
    return sentences, references, draw(quarters), draw(quarters)


@given(searches())
def test_line_search_is_exact(found):
    sentences, references, weights, direction = found
    objective = Objective(NAME, streams(references))
    rows = [(i, features, text) for i, candidates in enumerate(sentences) for features, text in candidates]
    numbers = np.array([i for i, _, _ in rows])
    begins = np.searchsorted(numbers, np.arange(len(sentences) + 1))
    features = np.array([features for _, features, _ in rows], dtype=np.float64)
    lists = CandidateLists(features, objective.statistics(numbers, [text for *_, text in rows]), begins)

    def score(choice):
        texts = [candidates[row][1] for candidates, row in zip(sentences, choice, strict=True)]
        return root_of_recalls(texts, references)

    exact = [[[Fraction(x) for x in features] for features, _ in candidates] for candidates in sentences]
    at, along = [Fraction(x) for x in weights], [Fraction(x) for x in direction]
    lowest, highest, width = Fraction(-2), Fraction(3), Fraction(1, 1000)
    best = reference.line_search(exact, at, along, score, lowest, highest, width)
    step, reached = lists.line_search(
        objective.metric, np.array(weights), np.array(direction), lowest=-2.0, highest=3.0, min_width=1e-3
    )
    assert best is not None
    assert reached == pytest.approx(best[1], abs=1e-9)
    chosen = reference.choice(exact, reference.stepped(at, along, Fraction(step)))
    assert score(chosen) == pytest.approx(best[1], abs=1e-9)


@pytest.mark.parametrize("options", [{"algorithm": "mert", "restarts": 2}, {"algorithm": "mira"}])
def test_every_algorithm_tunes_for_it(options):
    lists, lines = translation_lists(3)
    data = TuningSet(Objective(NAME, [lines]))
    data.add(lists)
    start = {"lm0": 0.1, "noise": 0.5, "word_count": 0.0, "idle": 0.5}
    result = optimize(data, start, OptimizerOptions(**options))
    assert result.score > result.start_score
    weights = [result.weights[name] for name in lists.feature_names]
    chosen = best_texts(lists, weights)
    assert result.score == pytest.approx(root_of_recalls(chosen, [[line] for line in lines]), abs=1e-9)


def best_texts(lists: NbestLists, weights: list[float]) -> list[str]:
    scores = lists.features @ np.array(weights)
    texts = []
    for sentence in range(int(lists.sentences[-1]) + 1):
        rows = np.flatnonzero(lists.sentences == sentence)
        texts.append(lists.texts[rows[int(np.argmax(scores[rows]))]])
    return texts
