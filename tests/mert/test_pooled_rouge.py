"""ROUGE of several references as in DUC: matches and n-grams are summed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mert.problems import streams
from tests.reference.rouge import recall
from widl.mert import MetricOptions, Objective

WORDS = st.lists(st.sampled_from(["Tin", "tin", "mine", "sold,", "in", "Peru"]), max_size=7).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=4)), min_size=1, max_size=4))
def test_pooled_references_are_one(corpus):
    texts, references = zip(*corpus, strict=True)
    for order in (1, 2):
        objective = Objective(f"rouge{order}_recall", streams(references), MetricOptions(pooled=True))
        rows = objective.statistics(np.arange(len(texts)), texts)
        expected = [recall([text], [lines], order) for text, lines in corpus]
        assert rows.tolist() == [[pytest.approx(value), 1.0] for value in expected]


def test_pooled_by_hand():
    # Longest common subsequences of 2 of 3, 1 of 2 and 0 of 1 words.
    objective = Objective("rougeL_recall", [["tin mine sold"], ["mine closed"], ["fire"]], MetricOptions(pooled=True))
    [[result, _]] = objective.statistics(np.arange(1), ["Mine sold in Peru"])
    assert result == pytest.approx(3 / 6)
    assert objective.signatures() == {"rougeL_recall": "rougeL|recall|stem:no|nrefs:3|rouge-score:0.1.2|pooled"}
