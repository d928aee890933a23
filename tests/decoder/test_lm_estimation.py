"""Language models are estimated by interpolated modified Kneser-Ney, like lmplz estimates them."""

import gzip
import io
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import shared
from tests.decoder.lm_corpora import arpa_of, as_text, assert_close, corpora, empty_text, model_of
from tests.reference.arpa import log10, parse_arpa
from tests.reference.kneser_ney import estimate
from widl.common.errors import InputError
from widl.decoder import EstimationOptions, LanguageModel, NGramModel, estimate_language_model, order

thresholds = st.lists(st.integers(0, 4), max_size=6).map(sorted)


def test_discounts_by_hand():
    # Once: a, b, c, </s>; twice: e, f; three times: g; four times: h.
    # Y = 4 / (4 + 2*2) = 1/2; D1 = 1 - 2Y*2/4 = 1/2; D2 = 2 - 3Y*1/2 = 5/4; D3+ = 3 - 4Y*1/1 = 1.
    model = model_of(b"a b c e e f f g g g h h h h", 1)
    assert model.discounts == [(0.5, 1.25, 1.0)]
    assert model.fallback_orders == []
    # 15 tokens; freed: 4*0.5 + 2*1.25 + 2*1 = 6.5; |V| = 7 words, </s>, <unk>.
    probs, backoffs = parse_arpa(arpa_of(model))
    assert not backoffs
    assert probs["a",] == pytest.approx(math.log10(0.5 / 15 + 6.5 / 15 / 9), abs=1e-6)
    assert probs["e",] == pytest.approx(math.log10(0.75 / 15 + 6.5 / 15 / 9), abs=1e-6)
    assert probs["h",] == pytest.approx(math.log10(3 / 15 + 6.5 / 15 / 9), abs=1e-6)
    assert probs["<unk>",] == pytest.approx(math.log10(6.5 / 15 / 9), abs=1e-6)


def test_pruning_by_hand():
    # Bigrams: <s> a 4, a b 3, a c 1, b </s> 3, c </s> 1. None occurs twice: the discounts are 0.5, 1, 1.5.
    # Bigrams that occur once are pruned: a c and c </s>.
    model = model_of(b"a b\na b\na b\na c\n", 2, prune=[0, 1])
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
    for ours, theirs in zip(model.discounts, slow.discounts, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)


@given(corpora, st.integers(2, 6), thresholds, st.randoms(use_true_random=False))
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "order", "prune"),
    [
        ("order5.arpa.gz", "text.txt", 5, []),
        ("tiny.order3.fallback.arpa", "tiny.txt", 3, []),
        ("order3.prune001.arpa.gz", "text.txt", 3, [0, 0, 1]),
    ],
)
def test_equals_lmplz(name, text, order, prune):
    path = shared("reference", "lm", name)
    theirs = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    model = model_of(path.with_name(text).read_bytes(), order, prune=prune)
    for ours, lmplz in zip(parse_arpa(arpa_of(model)), parse_arpa(theirs.decode()), strict=True):
        assert_close(ours, lmplz)
        assert list(ours) == list(lmplz)  # in the same order, too


def test_blanks_and_lines():
    def counts(text: bytes) -> tuple[int, int]:
        model = model_of(text, 2)
        return model.words, model.sentences

    assert counts(b"a b\r\n\tc  d ") == (4, 2)
    assert counts(b"a\n\n\nb\n") == (2, 4)
    # Other spaces belong to words, as for lmplz.
    assert counts("a\u00a0b\u3000c\x0bd\n".encode()) == (1, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a\nb <s> c\n", "t:2: the word <s> belongs to the model"),
        (b"a\nb\0c\n", "t:2: NUL byte"),
        (b"a\n\xe5\xad", "t:2: invalid UTF-8"),
        (b"", "no words"),
    ],
)
def test_bad_text(text, message):
    def estimate_bytewise() -> None:
        training_text = empty_text(2)
        training_text.begin_source("t")
        for byte in text:
            training_text.add(bytes([byte]))
        NGramModel.estimate(training_text, EstimationOptions(order=2))

    with pytest.raises(InputError, match=f"^{message}"):
        estimate_bytewise()


@given(st.binary(max_size=60))
def test_arbitrary_bytes(text):
    try:
        model = model_of(text, 3)
    except InputError:
        return
    assert text.decode()
    parse_arpa(arpa_of(model))


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


def test_order_beyond_the_longest_sentence(tmp_path):
    report = estimate_language_model(io.BytesIO(b"a b\nb\n"), tmp_path / "m.bin", order=6)
    assert report.ngrams == (5, 4, 3, 1, 0, 0)
    assert len(LanguageModel.load(tmp_path / "m.bin").score_words(["a", "b"])) == 3


def test_model_from_lines():
    lm = LanguageModel.estimate(["a rose is a rose", "a rose"], order=3)
    assert lm.has_rest_costs
    assert sum(lm.score_words(["a", "rose"])) > sum(lm.score_words(["rose", "a"]))
    with pytest.raises(InputError, match="order 1 to 6, not 0"):
        LanguageModel.estimate(["a"], order=0)


@pytest.mark.parametrize("name", ["m.arpa", "m.bin", "m.arpa.gz"])
def test_a_model_of_order_1_is_scored_and_searched(tmp_path, name):
    estimate_language_model(io.BytesIO(b"a b\nb\n"), tmp_path / name, order=1)
    lm = LanguageModel.load(tmp_path / name)
    assert sorted(lm.score_words(["b", "a"])) == pytest.approx(sorted(lm.score_words(["a", "b"])))
    assert lm.score_words(["a"])[1] == pytest.approx(lm.score_words([])[0])
    assert LanguageModel.estimate(["a b", "b"], order=1).score_words(["a"]) == pytest.approx(lm.score_words(["a"]))
    [best] = order(["b a"], lm)
    assert sorted(best.text) == sorted("b a")
    assert best.optimal
