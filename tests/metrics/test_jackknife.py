"""ROUGE of several references as in DUC: the best of all but one, in turn, or their sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.problems import streams
from tests.reference.rouge import jackknifed_recall, recall
from widl.common.errors import InputError
from widl.metrics import MetricOptions, Objective

WORDS = st.lists(st.sampled_from(["Tin", "tin", "mine", "sold,", "in", "Peru"]), max_size=7).map(" ".join)
JACKKNIFE = MetricOptions(jackknife=True)


@pytest.mark.parametrize(
    ("options", "twin"),
    [(JACKKNIFE, jackknifed_recall), (MetricOptions(pooled=True), lambda text, lines, n: recall([text], [lines], n))],
    ids=["jackknifed", "pooled"],
)
@given(corpus=st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=4)), min_size=1, max_size=4))
def test_the_slow_twin(corpus, options, twin):
    texts, references = zip(*corpus, strict=True)
    for order in (1, 2):
        objective = Objective(f"rouge{order}_recall", streams(references), options)
        rows = objective.statistics(np.arange(len(texts)), texts)
        expected = [twin(text, lines, order) for text, lines in corpus]
        assert rows.tolist() == [[pytest.approx(value), 1.0] for value in expected]


def test_by_hand():
    # Recalls 3/3, 1/2 and 0/1: without the first reference, the best is 1/2; without another, it is 1.
    references = [["tin mine sold"], ["mine closed"], ["fire"]]
    objective = Objective("rouge1_recall", references, JACKKNIFE)
    [[recall, _]] = objective.statistics(np.arange(1), ["Tin mine sold in Peru"])
    assert recall == pytest.approx((0.5 + 1 + 1) / 3)
    assert objective.signatures() == {"rouge1_recall": "rouge1|recall|stem:no|nrefs:3|rouge-score:0.1.2|jackknife"}
    [[f, _]] = Objective("rouge1", references, JACKKNIFE).statistics(np.arange(1), ["Tin mine sold in Peru"])
    assert f == pytest.approx((2 * (2 * 3 / 5 / (3 / 5 + 1)) + 2 * 1 / 5 * 1 / 2 / (1 / 5 + 1 / 2)) / 3)


def test_jackknifed_sums_are_refused():
    with pytest.raises(InputError, match="exclude each other"):
        MetricOptions(jackknife=True, pooled=True)
