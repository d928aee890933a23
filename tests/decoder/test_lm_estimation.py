import gzip
import io
import itertools
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import shared
from decoder.lm_corpora import arpa_of, as_text, assert_close, corpora, empty_text, model_of, sentences
from reference.arpa import log10, parse_arpa
from reference.kneser_ney import KneserNey, estimate
from widl.common.errors import InputError
from widl.decoder import EstimationOptions, LanguageModel, NGramModel, estimate_language_model, order


def load_arpa(arpa: str, folder: Path, name: str = "model.arpa") -> LanguageModel:
    path = folder / name
    path.write_text(arpa)
    return LanguageModel.load(path)


# --- by hand ---


def test_two_sentences_by_hand():
    # <s> a b </s> and <s> a </s>. Left words: a {<s>} 1, b {a} 1, </s> {a, b} 2; sum 4.
    # n3 = 0 for both orders, so the discounts are 0.5, 1, 1.5.
    # Unigrams: b() = (0.5 + 0.5 + 1) / 4 = 0.5, spread over <unk> </s> a b: 0.125 each.
    model = model_of(b"a b\na\n", 2)
    assert model.fallback_orders == [1, 2]
    probs, backoffs = parse_arpa(arpa_of(model))
    expected = {
        ("<unk>",): 0.125,
        ("<s>",): 1,
        ("a",): 0.5 / 4 + 0.125,
        ("b",): 0.5 / 4 + 0.125,
        ("</s>",): 1 / 4 + 0.125,  # 0.125 + 0.25 + 0.25 + 0.375 = 1
        ("<s>", "a"): (2 - 1) / 2 + 0.5 * 0.25,  # b(<s>) = 1/2
        ("a", "b"): 0.5 / 2 + 0.5 * 0.25,  # b(a) = (0.5 + 0.5) / 2
        ("a", "</s>"): 0.5 / 2 + 0.5 * 0.375,
        ("b", "</s>"): 0.5 / 1 + 0.5 * 0.375,  # b(b) = 0.5 / 1
    }
    assert_close(probs, {ngram: math.log10(p) for ngram, p in expected.items()})
    half = math.log10(0.5)
    assert_close(backoffs, {("<unk>",): 0, ("</s>",): 0, ("<s>",): half, ("a",): half, ("b",): half})


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


# --- against the slow reference ---


@pytest.mark.slow
@given(corpora, st.integers(1, 6))
def test_equals_slow_reference(corpus, order):
    model = model_of(as_text(corpus), order)
    slow = estimate(corpus, order)
    probs, backoffs = parse_arpa(arpa_of(model))
    assert_close(probs, {ngram: log10(p) for ngram, p in slow.probs.items()})
    lower = [ngram for ngram in probs if len(ngram) < order]
    assert_close(backoffs, {ngram: log10(slow.backoffs.get(ngram, 1)) for ngram in lower})
    assert model.fallback_orders == slow.fallback_orders
    for ours, theirs in zip(model.discounts, slow.discounts, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)


def histories(slow: KneserNey, seed: int) -> list[list[str]]:
    source = random.Random(seed)
    choices = [*slow.vocabulary, "never seen"]
    choices.remove("</s>")
    return [
        source.choice([[], ["<s>"]]) + source.choices(choices, k=source.randrange(slow.order + 2)) for _ in range(5)
    ]


@pytest.mark.slow
@given(corpora, st.integers(2, 6), st.integers(0, 10**6))
def test_sums_to_one(tmp_path_factory, corpus, order, seed):
    model = model_of(as_text(corpus), order)
    lm = load_arpa(arpa_of(model), tmp_path_factory.mktemp("lm"))
    slow = estimate(corpus, order)
    for history in histories(slow, seed):
        begin = history[:1] == ["<s>"]
        plain = history[1:] if begin else history
        scores = [
            lm.score_words([*plain, word], begin=begin, end=False)[-1] for word in slow.vocabulary if word != "</s>"
        ]
        scores.append(lm.score_words(plain, begin=begin)[-1])
        assert sum(map(math.exp, scores)) == pytest.approx(1, abs=1e-5)


# --- against lmplz ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text", "order"),
    [("order5.arpa.gz", "text.txt", 5), ("tiny.order3.fallback.arpa", "tiny.txt", 3)],
)
def test_equals_lmplz(name, text, order):
    path = shared("reference", "lm", name)
    theirs = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    model = model_of(path.with_name(text).read_bytes(), order)
    for ours, lmplz in zip(parse_arpa(arpa_of(model)), parse_arpa(theirs.decode()), strict=True):
        assert_close(ours, lmplz)


# --- text ---


@pytest.mark.slow
@given(sentences, st.lists(st.integers(0, 10**4)), st.booleans())
def test_pieces_do_not_matter(corpus, cuts, last_line_end):
    text = as_text(corpus)
    text = text if last_line_end or not corpus[-1] else text[:-1]
    pieces = empty_text(3)
    bounds = sorted({0, len(text), *(cut % len(text) for cut in cuts)})
    for begin, end in itertools.pairwise(bounds):
        pieces.add(text[begin:end])
    assert arpa_of(NGramModel.estimate(pieces, EstimationOptions(order=3))) == arpa_of(model_of(text, 3))


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


# --- the function ---


@pytest.fixture
def text_file(tmp_path):
    path = tmp_path / "in" / "text.txt"
    path.parent.mkdir()
    path.write_text("a rose is a rose\nis a rose\n" * 3)
    return path


@pytest.fixture
def out(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    return folder


def test_outputs(text_file, out, caplog):
    reports = [estimate_language_model(text_file, out / name) for name in ("m.arpa", "m.arpa.gz", "m.bin", "m.klm")]
    assert set(reports) == {reports[0]}
    assert (reports[0].words, reports[0].sentences, reports[0].vocabulary) == (24, 6, 3)
    assert reports[0].fallback_orders == (1, 3)
    assert "order 1, 3; using 0.5, 1 and 1.5" in caplog.text
    assert sorted(path.name for path in out.iterdir()) == ["m.arpa", "m.arpa.gz", "m.bin", "m.klm"]
    assert gzip.decompress((out / "m.arpa.gz").read_bytes()) == (out / "m.arpa").read_bytes()
    scores = [LanguageModel.load(path).score_words(["a", "tulip"]) for path in sorted(out.iterdir())]
    assert scores == [scores[0]] * 4
    assert LanguageModel.load(out / "m.bin").has_rest_costs
    assert (out / "m.bin").stat().st_mode == text_file.stat().st_mode


def test_several_sources(text_file, out):
    compressed = text_file.parent / "more.gz"
    compressed.write_bytes(gzip.compress(text_file.read_bytes()[:-1]))
    stream = io.BytesIO(text_file.read_bytes())
    report = estimate_language_model([text_file, compressed, stream], out / "m.arpa")
    assert (report.words, report.sentences) == (72, 18)


def test_errors_name_the_source(text_file, out):
    bad = text_file.parent / "bad.txt.gz"
    bad.write_bytes(gzip.compress(b"a\nb <s>\n"))
    with pytest.raises(InputError, match=r"bad\.txt\.gz:2: the word <s>"):
        estimate_language_model([text_file, bad], out / "m.arpa")
    bad.write_bytes(gzip.compress(text_file.read_bytes())[:-9])
    with pytest.raises(InputError, match=r"bad\.txt\.gz: not a complete compressed file"):
        estimate_language_model(bad, out / "m.arpa")
    bad.write_bytes(b"not compressed")
    with pytest.raises(InputError, match=r"bad\.txt\.gz: not a complete compressed file"):
        estimate_language_model(bad, out / "m.arpa")
    with pytest.raises(FileNotFoundError, match=r"missing\.txt"):
        estimate_language_model(text_file.parent / "missing.txt", out / "m.arpa")
    assert not any(out.iterdir())


@pytest.mark.parametrize("name", ["m.arpa", "m.arpa.gz", "m.bin"])
@pytest.mark.parametrize("stage", ["reading MB", "estimating", "writing MB", "converting"])
def test_interruption_leaves_nothing(text_file, out, name, stage):
    def interrupt(now: str, _done: int, _total: int) -> None:
        if now == stage:
            raise KeyboardInterrupt

    (out / name).write_text("the old model")
    if stage == "converting" and name != "m.bin":
        return
    with pytest.raises(KeyboardInterrupt):
        estimate_language_model(text_file, out / name, progress=interrupt)
    assert [path.name for path in out.iterdir()] == [name]
    assert (out / name).read_text() == "the old model"


def test_refusals_before_the_work(out):
    class Unread(io.BytesIO):
        def read(self, *_args):
            raise AssertionError("read before the output was checked")

    def refuse(error: type[Exception], message: str, output: Path, **options) -> None:
        with pytest.raises(error, match=message):
            estimate_language_model(Unread(), output, **options)

    refuse(InputError, r"m\.txt: the name .* ends in \.arpa", out / "m.txt")
    refuse(InputError, "order: expected at least 1, found 0", out / "m.arpa", order=0)
    refuse(InputError, "order: expected at most 6, found 7", out / "m.arpa", order=7)
    refuse(FileNotFoundError, "missing/m.arpa", out / "missing" / "m.arpa")
    (out / "folder.arpa").mkdir()
    refuse(InputError, r"folder\.arpa: exists and is not a file", out / "folder.arpa")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["m.arpa", "m.bin"])
def test_full_disk(tmp_path, out, name):
    text = tmp_path / "text"
    text.write_text("".join(f"w{i % 97} w{i % 89} w{i % 83} w{i % 13}\n" for i in range(3000)))
    # The ARPA file has some 100 kB, and so has the binary.
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000));from widl.cli import main; main()"
    )
    command = [sys.executable, "-c", code, "lm", "estimate", "--output", str(out / name), str(text)]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 2
    assert str(out) in result.stderr
    assert "File too large" in result.stderr
    assert not any(out.iterdir())


def test_order_beyond_the_longest_sentence(out):
    report = estimate_language_model(io.BytesIO(b"a b\nb\n"), out / "m.bin", order=6)
    assert report.ngrams == (5, 4, 3, 1, 0, 0)
    assert len(LanguageModel.load(out / "m.bin").score_words(["a", "b"])) == 3


def test_model_from_lines():
    lm = LanguageModel.estimate(["a rose is a rose", "a rose"], order=3)
    assert lm.has_rest_costs
    assert sum(lm.score_words(["a", "rose"])) > sum(lm.score_words(["rose", "a"]))
    with pytest.raises(InputError, match="order 1 to 6, not 0"):
        LanguageModel.estimate(["a"], order=0)


@pytest.mark.parametrize("name", ["m.arpa", "m.bin", "m.arpa.gz"])
def test_a_model_of_order_1_is_scored_and_searched(out, name):
    estimate_language_model(io.BytesIO(b"a b\nb\n"), out / name, order=1)
    lm = LanguageModel.load(out / name)
    assert sorted(lm.score_words(["b", "a"])) == pytest.approx(sorted(lm.score_words(["a", "b"])))
    assert lm.score_words(["a"])[1] == pytest.approx(lm.score_words([])[0])
    assert LanguageModel.estimate(["a b", "b"], order=1).score_words(["a"]) == pytest.approx(lm.score_words(["a"]))
    [best] = order(["b a"], lm)
    assert sorted(best.text) == sorted("b a")
    assert best.optimal
