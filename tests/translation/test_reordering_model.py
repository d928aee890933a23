"""Lexicalized reordering in translation, with a model of the sample corpus."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.reference.lexical_reordering import reordering_features
from widl.common.errors import InputError
from widl.decoder import read_weights
from widl.decoder.weights import format_weights
from widl.phrase_table import PhraseTable
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator
from widl.translation.results import Candidate

MODEL = "msd-bidirectional-fe"
LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:20]
NAMES = [f"{o}_{d}" for d in ("backward", "forward") for o in ("monotone", "swap", "discontinuous")]


def scores_in(table: PhraseTable, source: Sequence[str], candidate: Candidate) -> list[tuple[float, ...]]:
    """Scores of each phrase, as stored in the table; empty if the table lacks the pair."""
    result = []
    for phrase in candidate.phrases:
        options = table.options(source[phrase.begin : phrase.end])
        result.append(next((o.reordering for o in options if list(o.words) == list(phrase.words)), ()))
    return result


@pytest.mark.parametrize(
    "options",
    [{}, {"decoder": "stack"}, {"search": "astar", "distortion_limit": 3}, {"search": "astar-k"}, {"search": "beam"}],
)
def test_features_are_those_of_the_table(translator: Translator, trained: Path, options: dict[str, object]) -> None:
    chosen = TranslationOptions(segmentations="one", entities="none", names=False, unknown="copy", nbest=5, **options)
    orientations: set[str] = set()
    with PhraseTable.open(trained / "phrase-table.binary") as table:
        assert table.info.reordering == MODEL
        for result in translator.translate(LINES, chosen):
            for candidate in result.nbest:
                spans = [(phrase.begin, phrase.end) for phrase in candidate.phrases]
                scores = scores_in(table, result.source, candidate)
                expected = reordering_features(spans, scores)
                assert [candidate.features[name] for name in NAMES] == pytest.approx(expected, abs=1e-4)
                orientations |= {name for name in NAMES if candidate.features[name]}
    assert orientations == set(NAMES)


def test_what_is_given_costs_nothing(translator: Translator) -> None:
    """Markup, rules and passed-through words have no reordering scores."""
    lines = ['<x translation="zzz">总统</x>', '<x translation="zzz">总统</x><x translation="yyy">访问</x>', "qqqq qqqr"]
    for result in translator.translate(lines, TranslationOptions(markup="exclusive")):
        assert [result.best.features[name] for name in NAMES] == [0.0] * 6
    [result] = translator.translate(['总统<x translation="zzz">访问</x>'], TranslationOptions(markup="exclusive"))
    # The president has scores, and may be first or last. The order of the marked words has no cost.
    assert len(result.best.phrases) == 2
    assert sum(bool(result.best.features[name]) for name in NAMES) <= 2
    assert any(result.best.features[name] for name in NAMES)


def copy_of(trained: Path, path: Path, **changes: str) -> Path:
    shutil.copytree(trained, path)
    manifest = json.loads((path / "manifest.json").read_text(encoding="utf-8"))
    (path / "manifest.json").write_text(json.dumps(manifest | changes), encoding="utf-8")
    return path


def test_a_model_without(trained: Path, tmp_path: Path) -> None:
    """The same table without its reordering model, and weight files without reordering."""
    weights = read_weights(trained / "weights.toml", Translator(trained).features)
    older = {name: value for name, value in weights.items() if name not in NAMES}
    (tmp_path / "older.toml").write_text(format_weights(older), encoding="utf-8")
    without = Translator(copy_of(trained, tmp_path / "none", reordering=""), weights=tmp_path / "older.toml")
    assert without.features == [name for name in Translator(trained).features if name not in NAMES]
    plain = [t.text for t in without.translate(LINES)]
    with_defaults = Translator(copy_of(trained, tmp_path / "same"), weights=tmp_path / "older.toml")
    assert with_defaults.weights == weights
    off = with_defaults.reweighted({**weights, **dict.fromkeys(NAMES, 0.0)})
    assert sum(t.text == other for t, other in zip(off.translate(LINES), plain, strict=True)) >= len(LINES) - 2


def test_another_model(trained: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"manifest\.json: .*reordering.*'sideways'"):
        Translator(copy_of(trained, tmp_path / "unknown", reordering="sideways"))
