"""Translation with a model of the sample corpus."""

import dataclasses

import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from widl.errors import InputError
from widl.pipeline.demo import sample_corpus
from widl.pipeline.translation import TranslationOptions, Translator, cut

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()
REFERENCE = (sample_corpus() / "test.en").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def translator(trained) -> Translator:
    return Translator(trained)


def texts(translator: Translator, **options) -> list[str]:
    return [t.text for t in translator.translate(LINES, TranslationOptions(**options))]


def bleu(output: list[str]) -> float:
    return sacrebleu.corpus_bleu(output, [REFERENCE]).score


def test_search_beats_source_order_and_gloss(translator) -> None:
    reordered, monotone = bleu(texts(translator)), bleu(texts(translator, distortion_limit=0))
    gloss = bleu([translator.gloss(line) for line in LINES])
    assert reordered > monotone > gloss + 10
    assert reordered > 40


def test_exact_search_proves_and_scores_more(translator) -> None:
    exact = list(translator.translate(LINES, TranslationOptions(search="astar", distortion_limit=4)))
    rough = list(translator.translate(LINES, TranslationOptions(distortion_limit=4)))
    assert all(t.optimal for t in exact)
    assert all(e.score >= r.score - 1e-6 for e, r in zip(exact, rough, strict=True))
    assert all(r.bound >= e.score - 1e-4 for e, r in zip(exact, rough, strict=True))


def test_score_is_the_weighted_features(translator) -> None:
    for t in translator.translate(LINES):
        assert t.score == pytest.approx(sum(translator.weights[name] * h for name, h in t.features.items()), rel=1e-6)
        covered = sorted(i for p in t.phrases for i in range(p.begin, p.end))
        assert covered == list(range(len(t.source)))


def test_threads_and_batches_change_nothing(translator) -> None:
    lines = LINES * 3
    once = [t.text for t in translator.translate(lines, threads=1)]
    assert [t.text for t in translator.translate(lines, threads=3)] == once
    assert once[: len(LINES)] == once[len(LINES) : 2 * len(LINES)]
    assert [t.text for line in LINES for t in translator.translate([line])] == once[: len(LINES)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ""),
        ("   \t ", ""),
        ("\x00\x07\u200b", ""),
        ("Zorblax-9000 77123", "Zorblax-9000 77123"),
        ("魑魅魍魉", "魑魅魍魉"),
        ("!!!", "!!!"),
    ],
)
def test_odd_lines_pass_through(translator, line, expected) -> None:
    assert [t.text for t in translator.translate([line])] == [expected]


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.text(max_size=40), max_size=8))
def test_one_line_out_for_each_line_in(translator, lines) -> None:
    results = list(translator.translate(lines))
    assert len(results) == len(lines)
    assert not any("\n" in t.text or "\r" in t.text for t in results)


def test_very_long_lines_are_cut_and_joined(translator) -> None:
    """5,000 words; every word is translated, and features add up over the pieces."""
    line = "".join(LINES) * 10
    (result,) = translator.translate([line])
    assert len(result.source) > 4000
    assert sorted(i for p in result.phrases for i in range(p.begin, p.end)) == list(range(len(result.source)))
    assert result.features["word_count"] == sum(len(p.words) for p in result.phrases)
    assert result.bound >= result.score


def test_cut() -> None:
    assert cut([], 3) == []
    assert cut(list("abcdefg"), 3) == [["a", "b", "c"], ["d", "e", "f"], ["g"]]
    assert cut(["a", "，", "b", "c"], 3) == [["a", "，"], ["b", "c"]]
    assert cut(["a", "。", "，", "c"], 3) == [["a", "。"], ["，", "c"]]


def test_unknown_words_are_counted(translator) -> None:
    (result,) = translator.translate(["总统魑魅魍魉"])
    assert result.features["unknown"] == len(result.source) - 1
    assert "魑魅魍魉" in result.text.replace(" ", "")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "dijkstra"}, "unknown search 'dijkstra'"),
        ({"k": -1}, "k must not be negative"),
        ({"beam_prob": 2.0}, "beam-prob must be between 0 and 1"),
        ({"beam_size": -3}, "beam-size must not be negative"),
        ({"distortion_limit": -2}, "distortion limit"),
        ({"max_seconds": -1.0}, "max_seconds"),
    ],
)
def test_bad_options(options, message) -> None:
    with pytest.raises(InputError, match=message):
        dataclasses.replace(TranslationOptions(), **options).search_options()
