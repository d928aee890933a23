"""Pruning and other options that determine a model's n-grams."""

import gzip
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import shared
from decoder.lm_corpora import arpa_of, as_text, assert_close, corpora, model_of
from reference.arpa import log10, parse_arpa
from reference.kneser_ney import estimate
from widl.common.errors import InputError
from widl.decoder import EstimationOptions, LanguageModel, estimate_language_model

thresholds = st.lists(st.integers(0, 4), max_size=6).map(sorted)


# --- by hand ---


TEXT = b"a b\na b\na b\na c\n"


def test_pruning_by_hand():
    # Bigrams: <s> a 4, a b 3, a c 1, b </s> 3, c </s> 1. None occurs twice: the discounts are 0.5, 1, 1.5.
    # Bigrams that occur once are pruned: a c and c </s>.
    model = model_of(TEXT, 2, prune=[0, 1])
    assert model.fallback_orders == [1, 2]
    assert model.ngram_counts == [6, 3]
    probs, backoffs = parse_arpa(arpa_of(model))
    # Left words: a 1 (<s>), b 1, c 1, </s> 2; sum 5; b() = (3 * 0.5 + 1) / 5 = 0.5 over <unk> </s> a b c.
    expected = {
        ("<unk>",): 0.1,
        ("<s>",): 1,
        ("</s>",): 1 / 5 + 0.1,
        ("a",): 0.5 / 5 + 0.1,
        ("b",): 0.5 / 5 + 0.1,
        ("c",): 0.5 / 5 + 0.1,
        ("<s>", "a"): 2.5 / 4 + 1.5 / 4 * 0.2,
        ("a", "b"): 1.5 / 4 + 2.5 / 4 * 0.2,  # b(a) = (1.5 + all of c's 1) / 4
        ("b", "</s>"): 1.5 / 3 + 1.5 / 3 * 0.3,
    }
    assert_close(probs, {ngram: math.log10(p) for ngram, p in expected.items()})
    expected = {"<unk>": 1, "</s>": 1, "<s>": 1.5 / 4, "a": 2.5 / 4, "b": 0.5, "c": 1}  # all that c had is pruned
    assert_close(backoffs, {(word,): math.log10(b) for word, b in expected.items()})


# --- against the slow reference ---


@pytest.mark.slow
@given(corpora, st.integers(1, 6), thresholds)
def test_equals_slow_reference(corpus, order, prune):
    model = model_of(as_text(corpus), order, prune=prune[:order])
    slow = estimate(corpus, order, prune=prune[:order])
    probs, backoffs = parse_arpa(arpa_of(model))
    assert_close(probs, {ngram: log10(p) for ngram, p in slow.probs.items()})
    lower = [ngram for ngram in probs if len(ngram) < order]
    assert_close(backoffs, {ngram: log10(slow.backoffs.get(ngram, 1)) for ngram in lower})
    assert model.fallback_orders == slow.fallback_orders
    assert model.ngram_counts == [sum(len(ngram) == n for ngram in slow.probs) for n in range(1, order + 1)]


@given(corpora, st.integers(2, 6), thresholds, st.randoms())
def test_sums_to_one(tmp_path_factory, corpus, order, prune, source):
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    path.write_text(arpa_of(model_of(as_text(corpus), order, prune=prune[:order])))
    lm = LanguageModel.load(path)
    probs, _ = parse_arpa(path.read_text())
    words = [ngram[0] for ngram in probs if len(ngram) == 1 and ngram[0] not in ("<s>", "</s>")]
    for _ in range(5):
        history = source.choices(words, k=source.randrange(order + 1))
        begin = source.random() < 0.5
        scores = [lm.score_words([*history, word], begin=begin, end=False)[-1] for word in words]
        scores.append(lm.score_words(history, begin=begin)[-1])
        assert sum(map(math.exp, scores)) == pytest.approx(1, abs=1e-5)


def test_equals_lmplz():
    text, arpa = shared("reference", "lm", "text.txt"), shared("reference", "lm", "order3.prune001.arpa.gz")
    ours = arpa_of(model_of(text.read_bytes(), 3, prune=[0, 0, 1]))
    theirs = gzip.decompress(arpa.read_bytes()).decode()
    for mine, lmplz in zip(parse_arpa(ours), parse_arpa(theirs), strict=True):
        assert_close(mine, lmplz)
        assert list(mine) == list(lmplz)  # in the same order, too


def test_words_of_a_pruned_model(tmp_path):
    # A word is unknown if all its n-grams are pruned, including its unigram; the special words stay.
    text = io.BytesIO(b"a rose is a rose\nis a tulip\n")
    report = estimate_language_model(text, tmp_path / "m.arpa", prune=[2])
    assert report.vocabulary == 1
    lm = LanguageModel.load(tmp_path / "m.arpa")
    assert ("a" in lm, "rose" in lm, "tulip" in lm) == (True, False, False)
    report = estimate_language_model(io.BytesIO(b"a b\nc\n"), tmp_path / "n.arpa", order=2, prune=[9, 9])
    assert (report.ngrams, report.vocabulary) == ((3, 0), 0)
    assert LanguageModel.load(tmp_path / "n.arpa").score_words(["a"]) == pytest.approx([math.log(0.5)] * 2, abs=0.7)


# --- options ---


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"order": 2, "prune": [0, 0, 1]}, "3 pruning thresholds for a model of order 2"),
        ({"prune": [0, 2, 1]}, "a pruning threshold is lower than that of the order before"),
    ],
)
def test_impossible_options(options, message):
    with pytest.raises(InputError, match=f"^{message}"):
        EstimationOptions(**options)


def test_options_of_the_function(tmp_path):
    text, output = b"a b <s> c\n a <unk> b\n", tmp_path / "m.arpa"

    def refuse(message: str, **options) -> None:
        with pytest.raises(InputError, match=message):
            estimate_language_model(io.BytesIO(text), output, **options)

    refuse("prune: expected at least 0, found -1", prune=[0, -1])
    refuse("memory: expected at least 16777216, found 1000", memory=1000)
    refuse("<stream>:1: the word <s> belongs to the model itself")
    assert not output.exists()
