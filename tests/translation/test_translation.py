"""Translation with a model of the sample corpus."""

import dataclasses
import itertools
import random

import numpy as np
import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.decoder import FeatureLayout, FeatureVector, Outcome, containing
from widl.mert import LatticeSet
from widl.pipeline.demo import sample_corpus
from widl.translation import Candidate, TranslationOptions, Translator
from widl.translation.results import join
from widl.translation.sentence import MAX_CHARACTERS

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()
REFERENCE = (sample_corpus() / "test.en").read_text(encoding="utf-8").splitlines()


def texts(translator: Translator, **options) -> list[str]:
    return [t.text for t in translator.translate(LINES, TranslationOptions(**options))]


def bleu(output: list[str]) -> float:
    return sacrebleu.corpus_bleu(output, [REFERENCE]).score


def test_search_beats_source_order(translator) -> None:
    reordered, monotone = bleu(texts(translator)), bleu(texts(translator, distortion_limit=0))
    assert reordered > monotone
    assert reordered > 40


def test_states_ordered_by_the_bound_find_more_than_by_the_estimate(translator) -> None:
    def score(**options: object) -> float:
        return sum(t.score for t in translator.translate(LINES, TranslationOptions(search="astar-k", **options)))

    assert score() > score(k_unit="words", order="estimate") + 1
    assert score() > score(order="estimate")


@pytest.mark.slow
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
        ("魑魅魍魉", "Chimeiwangliang"),
        ("!!!", "!!!"),
    ],
)
def test_odd_lines_pass_through(translator, line, expected) -> None:
    assert [t.text for t in translator.translate([line])] == [expected]


@given(lines=st.lists(st.text(max_size=40), max_size=8))
def test_one_line_out_for_each_line_in(translator, lines) -> None:
    results = list(translator.translate(lines))
    assert len(results) == len(lines)
    assert not any("\n" in t.text or "\r" in t.text for t in results)


def test_very_long_lines_are_cut_and_joined(translator) -> None:
    """Every word is translated, and features add up over the pieces."""
    line = "".join(LINES) * 3
    (result,) = translator.translate([line])
    assert len(result.source) > 1200
    assert sorted(i for p in result.phrases for i in range(p.begin, p.end)) == list(range(len(result.source)))
    assert result.features["word_count"] == sum(len(p.words) for p in result.phrases)
    assert result.bound >= result.score


def test_unknown_words_are_counted(translator) -> None:
    (result,) = translator.translate(["总统魑魅魍魉"], TranslationOptions(unknown="copy"))
    assert result.features["unknown"] == len(result.source) - 1
    assert "魑魅魍魉" in result.text


@pytest.mark.parametrize(
    ("decoder", "search"), [("widl", "cube"), ("widl", "beam"), ("stack", "stack"), ("stack", "cube")]
)
def test_every_decoder_is_near_the_optimum(translator, decoder, search) -> None:
    exact = list(translator.translate(LINES, TranslationOptions(search="astar")))
    assert all(e.optimal for e in exact)
    result = list(translator.translate(LINES, TranslationOptions(decoder=decoder, search=search)))
    gaps = [e.score - f.score for e, f in zip(exact, result, strict=True)]
    assert min(gaps) > -1e-6
    assert sum(gaps) / len(gaps) < 0.5
    assert all(f.bound >= e.score - 1e-4 for e, f in zip(exact, result, strict=True))


def test_candidates(translator) -> None:
    """Distinct strings ordered by score, where each score is the weighted sum of the features."""
    for t in translator.translate([*LINES[:10], "".join(LINES) * 2], TranslationOptions(nbest=20)):
        assert len(t.nbest) == len(t.texts) == 20
        scores = [item.score for item in t.nbest]
        assert scores == sorted(scores, reverse=True)
        assert t.text == t.texts[0]
        for item in t.nbest:
            weighted = [translator.weights[name] * h for name, h in item.features.items()]
            assert item.score == pytest.approx(sum(weighted), rel=1e-6)
            assert sorted(i for p in item.phrases for i in range(p.begin, p.end)) == list(range(len(t.source)))
        lines = t.nbest_lines(7)
        number, text, features, score = lines[3].split(" ||| ")
        assert (number, text, float(score)) == ("7", t.texts[3], pytest.approx(scores[3], rel=1e-6))
        assert dict(zip(features.split()[::2], map(float, features.split()[1::2]), strict=True)) == pytest.approx(
            {f"{name}=": h for name, h in t.nbest[3].features.items()}, rel=1e-6
        )
    short = next(translator.translate(LINES[:1], TranslationOptions(nbest=20)))
    assert len({tuple(item.words) for item in short.nbest}) == 20


@pytest.mark.parametrize(("decoder", "search"), [("widl", "cube"), ("widl", "astar"), ("stack", "stack")])
def test_lattices_have_the_best_derivation(translator, decoder, search) -> None:
    options = TranslationOptions(decoder=decoder, search=search, distortion_limit=4, lattice=True, lattice_arcs=50)
    weights = np.array(list(translator.weights.values()))
    for t in translator.translate(LINES[:10], options):
        assert t.lattice is not None
        best_words, features = LatticeSet([t.lattice]).best(weights)[0]
        assert features @ weights == pytest.approx(t.score, rel=1e-6)
        assert best_words == t.best.words
        assert features == pytest.approx(t.best.features.row, abs=1e-5)
        assert len(t.lattice.arcs) <= max(50, len(t.phrases))
    assert all(t.lattice is None for t in translator.translate(LINES[:2]))


def test_lattices_of_odd_lines(translator) -> None:
    long = " ".join(["总统访问法国，"] * 80)
    empty, cut_up = translator.translate(["", long], TranslationOptions(lattice=True, lattice_arcs=0, pop_limit=20))
    assert (empty.lattice.nodes, empty.lattice.words_of([0])) == (2, [])
    assert len(cut_up.source) > 200
    _, features = LatticeSet([cut_up.lattice]).best(np.array(list(translator.weights.values())))[0]
    assert features == pytest.approx(cut_up.best.features.row, rel=1e-6)
    assert max(end for _, _, _, end, _, _ in cut_up.lattice.arcs) == len(cut_up.source)
    assert {arc[2] for arc in cut_up.lattice.arcs} == set(range(len(cut_up.source)))


def test_best_joined_candidates() -> None:
    """Compares the n best sums of one candidate per piece with all sums."""
    rng = random.Random(3)
    layout = FeatureLayout(("p",))
    for _ in range(50):
        pieces = [
            [Candidate("", score, FeatureVector(layout, (score,)), ()) for score in sorted(scores, reverse=True)]
            for scores in ([rng.random() for _ in range(5)] for _ in range(3))
        ]
        n = rng.randint(1, 5)
        every = sorted((sum(c.score for c in choice) for choice in itertools.product(*pieces)), reverse=True)
        result = join(pieces, n, layout)
        assert [c.score for c in result] == pytest.approx(every[:n])
        assert [c.features["p"] for c in result] == pytest.approx(every[:n])


def test_alignment_comes_from_the_table(translator) -> None:
    for t in translator.translate(LINES[:10]):
        links = t.best.alignment(lambda phrase, t=t: translator.tables.links(t.source, phrase))
        words = t.best.words
        assert links
        assert all(0 <= i < len(t.source) and 0 <= j < len(words) for i, j in links)
        start = 0
        for phrase in t.phrases:
            inside = [(i, j) for i, j in links if start <= j < start + len(phrase.words)]
            assert inside
            assert all(phrase.begin <= i < phrase.end for i, _ in inside)
            start += len(phrase.words)
    (unknown,) = translator.translate(["魑魅魍魉"])
    assert unknown.best.alignment(lambda p: translator.tables.links(unknown.source, p))[0] == (0, 0)


def test_a_line_that_fails_is_passed_through(translator, monkeypatch) -> None:
    realize = translator._realizer.realize
    lines = [LINES[0], "总统魑魅魍魉", LINES[1]]
    before = list(translator.translate(lines))
    bad = before[1].source
    assert len(before[0].source) != len(bad) != len(before[2].source)

    never = containing(["no such word"])

    class Failing:
        def realize(self, tiles, *rest, **options):
            constraints = [never if len(piece) == len(bad) else None for piece in tiles]
            actual = [realize([piece], *rest, constraint=c) for piece, c in zip(tiles, constraints, strict=True)]
            return [result for [result] in actual]

    monkeypatch.setattr(translator, "_realizer", Failing())
    first, failed, last = translator.translate(lines, threads=2)
    assert failed.failure == "no string of the tiles within the distortion limit has what it must: proved"
    assert (failed.outcome, failed.optimal, failed.gap) == (Outcome.proved_empty, False, None)
    assert (first.outcome, last.outcome) == (Outcome.found, Outcome.found)
    assert failed.best.words == list(bad)
    assert first.failure == last.failure == ""
    assert (first.text, last.text) == (before[0].text, before[2].text)


def test_the_pieces_of_a_line_share_its_budgets(translator) -> None:
    lines = [LINES[0], "，".join(LINES[:8]) * 20, "", LINES[1]]
    assert len(translator.tiles(lines[1])) > 1
    results = list(translator.translate(lines, TranslationOptions(pop_limit=5, max_states=2000)))
    assert [result.failure for result in results] == [""] * 4
    assert all(result.states <= 2000 for result in results)
    assert [result.stopped for result in results] == ["", "max_states", "", ""]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "dijkstra"}, "search: expected one of 'bfs'.*found 'dijkstra'"),
        ({"decoder": "stack", "search": "astar"}, "of the stack decoder; choose one of stack, cube$"),
        ({"stack_size": -1}, "stack-size: expected at least 0, found -1"),
    ],
)
def test_bad_options(options, message) -> None:
    with pytest.raises(InputError, match=message):
        dataclasses.replace(TranslationOptions(), **options)


def test_traditional_characters_are_read_as_simplified(translator: Translator) -> None:
    traditional, simplified = translator.translate(["總統訪問法國。", "总统访问法国。"])
    assert (traditional.text, traditional.source) == (simplified.text, simplified.source)
    assert traditional.as_dict()["traditional"] is True
    assert "traditional" not in simplified.as_dict()


def test_lines_in_pieces_have_all_candidates_that_their_pieces_make(translator) -> None:
    # Without movement, the number of a piece's derivations is the number of its one known word's translations.
    options = TranslationOptions(nbest=1000, distortion_limit=0)
    (word,) = translator.translate(["总统"], options)
    (line,) = translator.translate([" ".join(["总统", *["x" * k for k in range(2, 202)], "总统"])], options)
    assert len(word.nbest) > 1
    assert len(line.nbest) == len(word.nbest) ** 2
    scores = [item.score for item in line.nbest]
    assert scores == sorted(scores, reverse=True)


def test_a_line_that_is_too_long_is_passed_through(translator: Translator) -> None:
    line = "（<b>" * (MAX_CHARACTERS // 4) + "好"
    assert len(line) == MAX_CHARACTERS + 1
    options = TranslationOptions(nbest=3, lattice=True)
    short, long = translator.translate(["警方正在调查。", line], options)
    assert not short.failure
    assert (long.text, long.source, len(long.nbest)) == (line, (line,), 1)
    assert long.failure.startswith("100,001 characters, at most 100,000 are translated as one")


REPEATED = {
    "letters": ["a", "aB", "A·", "ab_", "x.", "\\", "@-@ ", "-LRB- ", "\u1100\u1161", "\ufe0f", "a\u0301", "\u0301"],
    "Chinese": ["中", "中国", "张三李四", "万亿", "百分之", "年月日", "一二三", "𠀀", "㍿", "研究很重要，"],
    "numbers": ["1", "１", "1,000.", "12:30", "1-", "2019年10月3日", "9万", "1亿多", "3.", "1公里", "两三"],
    "signs": ["（", "([{", "\"'", "，", "。", "…", "-", "/", ":", "|||", " ||| ", "·", "∑∫", "\uffff", "👩‍👩‍👧‍👦"],
    "marks": ["\u200b", "\u200d", "\u202e\u2066", " ", "\u3000", "\u00a0", "\u2028", "\f", "\x85", "\x01\x07\x1b"],
    "markup": ["<", "<b>", "</b>", "<b>中</b>", "&", "&amp;", "中<wall/>", "<zone>", "<x a='b'>中</x>", "<x "],
    "addresses": ["http://a.b/c?d=e ", "a@b.c ", "www."],
}


def test_whatever_is_repeated_is_translated(translator: Translator) -> None:
    lines = [(text * 1000)[:1000] for texts in REPEATED.values() for text in texts]
    options = TranslationOptions(pop_limit=5, markup="exclusive")
    results = list(translator.translate(lines, options))
    assert [result.failure for result in results] == [""] * len(lines)
    assert not any("\n" in result.text for result in results)
