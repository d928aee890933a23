"""Features of derivations, the reordering model's and `crossing`, with a model of the sample corpus."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.reference.lexical_reordering import FEATURES, reordering_features
from widl.common.errors import InputError
from widl.phrase_table import PhraseTable
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator
from widl.translation.results import Candidate
from widl.translation.sentence import CLAUSE_MARKS

ALL_LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()
LINES = ALL_LINES[:20]
CLAUSES = [line for line in ALL_LINES if "，" in line[3:-3]][:8]

WAYS = pytest.mark.parametrize(
    "options",
    [{}, {"decoder": "stack"}, {"search": "astar", "distortion_limit": 3}, {"search": "astar-k"}, {"search": "beam"}],
)


def scores_in(table: PhraseTable, source: Sequence[str], candidate: Candidate) -> list[tuple[float, ...]]:
    """Scores of each phrase, as stored in the table; empty if the table lacks the pair."""
    result = []
    for phrase in candidate.phrases:
        options = table.options(source[phrase.begin : phrase.end])
        result.append(next((o.reordering for o in options if list(o.words) == list(phrase.words)), ()))
    return result


@WAYS
def test_reordering_features_are_those_of_the_table(
    translator: Translator, trained: Path, options: dict[str, object]
) -> None:
    chosen = TranslationOptions(segmentations="one", entities="none", names=False, unknown="copy", nbest=5, **options)
    orientations: set[str] = set()
    with PhraseTable.open(trained / "phrase-table.binary") as table:
        for result in translator.translate(LINES, chosen):
            for candidate in result.nbest:
                spans = [(phrase.begin, phrase.end) for phrase in candidate.phrases]
                expected = reordering_features(spans, scores_in(table, result.source, candidate))
                assert [candidate.features[name] for name in FEATURES] == pytest.approx(expected, abs=1e-4)
                orientations |= {name for name in FEATURES if candidate.features[name]}
    assert orientations == set(FEATURES)


def test_what_is_given_costs_nothing(translator: Translator) -> None:
    """Markup, rules and passed-through words have no reordering scores."""
    lines = ['<x translation="zzz">总统</x>', '<x translation="zzz">总统</x><x translation="yyy">访问</x>', "qqqq qqqr"]
    for result in translator.translate(lines, TranslationOptions(markup="exclusive")):
        assert [result.best.features[name] for name in FEATURES] == [0.0] * 6
    [result] = translator.translate(['总统<x translation="zzz">访问</x>'], TranslationOptions(markup="exclusive"))
    # The president has scores, and may be first or last. The order of the marked words has no cost.
    assert len(result.best.phrases) == 2
    assert 1 <= sum(bool(result.best.features[name]) for name in FEATURES) <= 2


def passed(source: Sequence[str], candidate: Candidate) -> int:
    """Clause marks between the end of each phrase and the begin of the next one."""
    total, last_end = 0, 0
    for phrase in candidate.phrases:
        jumped = source[min(last_end, phrase.begin) : max(last_end, phrase.begin)]
        total += sum(token in CLAUSE_MARKS for token in jumped)
        last_end = phrase.end
    return total


@WAYS
def test_crossing_counts_marks_and_a_high_price_keeps_clauses_together(
    translator: Translator, options: dict[str, object]
) -> None:
    chosen = TranslationOptions(nbest=10, **options)
    free = translator.reweighted(translator.weights | {"distortion": 0.0, "crossing": 0.0})
    priced = free.reweighted(free.weights | {"crossing": -50.0})
    some = 0
    for loose, tight in zip(free.translate(CLAUSES, chosen), priced.translate(CLAUSES, chosen), strict=True):
        for candidate in (*loose.nbest, *tight.nbest):
            assert candidate.features["crossing"] == passed(loose.source, candidate)
        some += loose.best.features["crossing"] > 0
        assert tight.best.features["crossing"] == 0
    assert some > 0


def copy_of(trained: Path, path: Path, **changes: object) -> Path:
    """The model with a changed manifest."""
    shutil.copytree(trained, path)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    (path / "manifest.json").write_text(json.dumps(manifest | changes), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("change", "names"),
    [({"reordering": ""}, FEATURES), ({"crossing": False}, ["crossing"])],
    ids=["reordering", "crossing"],
)
def test_models_and_weights_that_lack_a_feature(
    trained: Path, tmp_path: Path, change: dict[str, object], names: list[str]
) -> None:
    """Weight files from before a feature have its default. A model without it translates as if its weight were 0."""
    whole = Translator(trained)
    older = {name: value for name, value in whole.weights.items() if name not in names}
    assert Translator(trained, weights=older).weights == whole.weights
    without = Translator(copy_of(trained, tmp_path / "without", **change), weights=older)
    assert without.features == [name for name in whole.features if name not in names]
    off = whole.reweighted(whole.weights | dict.fromkeys(names, 0.0))
    pairs = zip(off.translate(LINES), without.translate(LINES), strict=True)
    assert sum(a.text == b.text for a, b in pairs) >= len(LINES) - 2


def test_an_unknown_reordering_model(trained: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json: .*reordering.*'sideways'"):
        Translator(copy_of(trained, tmp_path / "unknown", reordering="sideways"))
