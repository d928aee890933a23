"""The feature `crossing` in translation, with a model of the sample corpus."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator
from widl.translation.results import Candidate
from widl.translation.sentence import CLAUSE_MARKS

LINES = [line for line in (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines() if "，" in line[3:-3]][
    :8
]


def passed(source: Sequence[str], candidate: Candidate) -> int:
    """Clause marks between the end of each phrase and the begin of the next one."""
    total, last_end = 0, 0
    for phrase in candidate.phrases:
        jumped = source[min(last_end, phrase.begin) : max(last_end, phrase.begin)]
        total += sum(token in CLAUSE_MARKS for token in jumped)
        last_end = phrase.end
    return total


@pytest.mark.parametrize(
    "options",
    [{}, {"decoder": "stack"}, {"search": "astar", "distortion_limit": 3}, {"search": "astar-k"}, {"search": "beam"}],
)
def test_the_feature_counts_marks_and_a_high_price_keeps_clauses_together(
    translator: Translator, options: dict[str, object]
) -> None:
    chosen = TranslationOptions(nbest=10, **options)
    free = translator.reweighted(translator.weights | {"distortion": 0.0, "crossing": 0.0})
    priced = free.reweighted(free.weights | {"crossing": -50.0})
    some = 0
    for loose, tight in zip(free.translate(LINES, chosen), priced.translate(LINES, chosen), strict=True):
        for candidate in (*loose.nbest, *tight.nbest):
            assert candidate.features["crossing"] == passed(loose.source, candidate)
        some += loose.best.features["crossing"] > 0
        assert tight.best.features["crossing"] == 0
    assert some > 0


def test_models_that_lack_it(trained: Path, tmp_path: Path) -> None:
    """A preset's, and one whose manifest says so; their phrases may span clause marks."""
    assert "crossing" in Translator(trained).features
    assert "crossing" not in Translator(trained, preset="paper-2006").features
    shutil.copytree(trained, tmp_path / "model")
    manifest = json.loads((trained / "manifest.json").read_text(encoding="utf-8")) | {"crossing": False}
    (tmp_path / "model/manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    weights = {name: value for name, value in Translator(trained).weights.items() if name != "crossing"}
    without = Translator(tmp_path / "model", weights=weights)
    assert without.features == [name for name in Translator(trained).features if name != "crossing"]


def test_old_files_of_weights_have_the_default(trained: Path) -> None:
    weights = Translator(trained).weights
    older = {name: value for name, value in weights.items() if name != "crossing"}
    assert Translator(trained, weights=older).weights == weights
