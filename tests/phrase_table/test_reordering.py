"""Lexicalized reordering: estimation, storage, and Moses' text."""

import io
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core_options import Algorithm, search_options
from tests.phrase_table.bitexts import TEXT, bitexts, lines
from tests.phrase_table.tables import options_of, tiled
from tests.reference import lexical_reordering as slow
from tests.reference.moses_text import told
from widl.common.errors import InputError
from widl.decoder import TRANSLATION_FEATURES, CoreRealizer, FeatureLayout, LanguageModel
from widl.decoder.features import REORDERING_FEATURES
from widl.phrase_table import (
    PhraseTable,
    build_phrase_table,
    export_moses,
    export_reordering,
    extract_phrases,
    import_moses,
)

MODEL = "msd-bidirectional-fe"


def scores_of(scorer):
    return {pair: option.orientation for pair, option in options_of(scorer).items()}


def rounded(table):
    return {pair: [round(p, 6) for p in scores] for pair, scores in table.items()}


@given(bitexts(), st.integers(1, 4))
def test_scores_against_the_definition(bitext, max_length):
    scorer = extract_phrases(*lines(bitext), max_phrase_length=max_length, reordering=MODEL)
    expected = slow.reordering_scores(bitext, max_length)
    result = {pair: [exp(score) for score in scores] for pair, scores in scores_of(scorer).items()}
    assert rounded(result) == rounded(expected)


# --- Moses' text ---


def exported(path):
    texts = io.BytesIO(), io.BytesIO()
    with PhraseTable.open(path) as table:
        export_moses(table, texts[0])
        export_reordering(table, texts[1])
    return tuple(text.getvalue() for text in texts)


def imported(path, phrases, scores, **options):
    return import_moses(io.BytesIO(phrases), path, reordering_table=io.BytesIO(scores), **options)


@pytest.mark.parametrize("memory", [1, 1 << 28])
def test_there_and_back(tmp_path, memory):
    build_phrase_table(tmp_path / "table", extract_phrases(*TEXT, reordering=MODEL))
    phrases, scores = exported(tmp_path / "table")
    assert len(scores.splitlines()) > 1000
    # The lines of either table may come in any order.
    backwards = b"".join(sorted(scores.splitlines(keepends=True), reverse=True))
    info = imported(tmp_path / "again", phrases, backwards, memory=memory)
    assert info.reordering == MODEL
    assert exported(tmp_path / "again") == (phrases, scores)


PHRASES = b"a b ||| A ||| 0.5 0.5 0.5 0.5\na ||| A ||| 0.5 0.5 0.25 0.5\na ||| B ||| 0.5 0.5 0.75 0.5\n"
SCORES = (
    b"a b ||| A ||| 0.600000 0.200000 0.200000 0.600000 0.200000 0.200000 \n"
    b"a ||| A ||| 0.636364 0.090909 0.272727 0.454545 0.272727 0.272727 \n"
    b"a ||| B ||| 0.999999 0.000001 0.000000 0.333333 0.333333 0.333333 \n"
    b"x ||| Y ||| 0.600000 0.200000 0.200000 0.600000 0.200000 0.200000 \n"
)


def test_moses_numbers(tmp_path):
    imported(tmp_path / "table", PHRASES, SCORES)
    phrases, scores = exported(tmp_path / "table")
    assert told(phrases) == told(PHRASES)
    # The table lacks the last one.
    expected = told(SCORES.replace(b" 0.000000 ", b" 3.720075976020836e-44 "))
    del expected["x", "Y"]
    assert told(scores) == expected
    with PhraseTable.open(tmp_path / "table") as table:
        best = table.options(["a"])[0]
        assert best.words == ("B",)
        # Probabilities below six decimals become e^-100, as in Moses, up to float precision.
        expected = [log(p) for p in (0.999999, 0.000001, exp(-100), *[0.333333] * 3)]
        assert best.reordering == pytest.approx(expected, rel=2e-4, abs=1e-5)
        assert not table.target_vocabulary.find("Y")


WRONG = {
    b"a b ||| A ||| 0.5 0.5 0.5 0.5 0.5 0.5\n": r"phrases:2: the phrase pair 'a \|\|\| A' has no scores in the reord",
    SCORES.replace(b"0.636364", b"1.5"): "scores:2: a score must be a probability, found '1.5'",
    SCORES + SCORES: r"phrases:2: the phrase pair .a \|\|\| A. is in the reordering table twice, on lines 2 and 6",
}


@pytest.mark.parametrize("scores", WRONG)
def test_bad_tables(tmp_path, scores):
    (tmp_path / "phrases").write_bytes(PHRASES)
    (tmp_path / "scores").write_bytes(scores)
    with pytest.raises(InputError, match=WRONG[scores]):
        import_moses(tmp_path / "phrases", tmp_path / "table", reordering_table=tmp_path / "scores")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["phrases", "scores"]


def test_empty_targets(tmp_path):
    """A phrase with an empty translation has scores like any other."""
    phrases = PHRASES + b"a |||  ||| 0.5 0.5 0.125 0.5\n"
    scores = SCORES + b"a |||  ||| 0.250000 0.250000 0.500000 0.100000 0.200000 0.700000 \n"
    imported(tmp_path / "table", phrases, scores)
    with PhraseTable.open(tmp_path / "table") as table:
        [empty] = [option for option in table.options(["a"]) if not option.words]
    assert [exp(score) for score in empty.reordering] == pytest.approx([0.25, 0.25, 0.5, 0.1, 0.2, 0.7], abs=1e-4)
    again = exported(tmp_path / "table")
    assert told(again[1])["a", ""] == told(scores)["a", ""]
    imported(tmp_path / "again", *again)
    assert exported(tmp_path / "again") == again
    with pytest.raises(InputError, match=r"the phrase pair 'a \|\|\| ' has no scores in the reordering table"):
        imported(tmp_path / "lacking", phrases, SCORES)


# --- the scores of Moses ---

MOSES_PHRASES = b"""\
a ||| A ||| 1 1 1 1
b ||| B ||| 1 1 0.5 1
b c ||| X ||| 1 1 1 1
c ||| C ||| 1 1 0.5 1
"""
# Backward monotone, swap, discontinuous; then forward.
MOSES_SCORES = b"""\
a ||| A ||| 0.60 0.10 0.30 0.55 0.15 0.30
b ||| B ||| 0.20 0.70 0.10 0.25 0.65 0.10
b c ||| X ||| 0.40 0.35 0.25 0.45 0.05 0.50
c ||| C ||| 0.12 0.28 0.60 0.22 0.38 0.40
"""
# Scores of Moses' hypotheses: the first phrase is monotone if it begins the sentence, otherwise discontinuous; each
# later one counts its own backward score and the forward score of the one before; the last phrase's forward score is
# not counted.
MOSES_ORDERS = {
    "A B C": [0.60 * 0.20 * 0.12, 1, 1, 0.55 * 0.25, 1, 1],
    "A C B": [0.60, 0.70, 0.60, 1, 0.38, 0.30],
    "B A C": [1, 0.10, 0.10 * 0.60, 1, 0.65, 0.30],
    "B C A": [0.12, 1, 0.10 * 0.30, 0.25, 1, 0.40],
    "C A B": [0.20, 1, 0.60 * 0.30, 0.55, 1, 0.40],
    "C B A": [1, 0.70 * 0.10, 0.60, 1, 0.38 * 0.65, 1],
    "A X": [0.60 * 0.40, 1, 1, 0.55, 1, 1],
    "X A": [1, 0.10, 0.25, 1, 0.05, 1],
}


def test_scores_of_moses_on_an_imported_model(tmp_path):
    imported(tmp_path / "table", MOSES_PHRASES, MOSES_SCORES)
    model = LanguageModel.estimate(["A B C", "C B A", "X A"], order=2)
    weights = FeatureLayout.of(TRANSLATION_FEATURES, 1, REORDERING_FEATURES).weight_vector(
        dict.fromkeys(TRANSLATION_FEATURES, 0.2)
        | {"lm0": 0.5, "word_count": 0.3, "phrase_count": -0.2, "distortion": 0.4, "unknown": -100.0}
        | {name: 0.3 + i / 10 for i, name in enumerate(REORDERING_FEATURES)}
    )
    lambdas = [0.3 + i / 10 for i in range(6)]
    spans = [(0, 1), (1, 2), (1, 3), (2, 3)]
    with PhraseTable.open(tmp_path / "table") as table:
        tiles = tiled(list("abc"), table.core, reordering=bool(table.info.reordering))
        assert sorted({(begin, end) for begin, end, *_ in tiles.alternatives}) == spans
        options = search_options(algorithm=Algorithm.cube, beam=0.0, nbest=20)
        [result] = CoreRealizer(table.target_vocabulary, [model]).realize([tiles], weights, options)
    assert len(result.nbest) == len(MOSES_ORDERS)
    for item in result.nbest:
        expected = [log(p) for p in MOSES_ORDERS[" ".join(item.words)]]
        assert item.features[-6:] == pytest.approx(expected, abs=1e-6)
        # p(f|e) and lex(f|e) of B and C are 0.5 in the order of Moses' text: the third score is p(e|f).
        p_ef = sum(log(0.5) for word in item.words if word in "BC")
        begins = {"A": (0, 1), "B": (1, 2), "C": (2, 3), "X": (1, 3)}
        places = [begins[word] for word in item.words]
        jumps = sum(abs(begin - end) for (begin, _), (_, end) in zip(places, [(0, 0), *places], strict=False))
        total = (
            0.2 * p_ef + 0.5 * sum(model.score_words(list(item.words))) + 0.3 * len(item.words) - 0.2 * len(item.words)
        )
        total += -0.4 * jumps + sum(w * h for w, h in zip(lambdas, expected, strict=True))
        assert item.score == pytest.approx(total, abs=1e-4)
