"""Estimation with little memory, using runs on disk, is byte-identical to estimation in memory."""

import gzip
import io
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decoder.lm_corpora import arpa_of, as_text, corpora, empty_text, model_of
from widl.common.errors import InputError
from widl.decoder import EstimationOptions, LanguageModel, NGramModel, TrainingText, estimate_language_model


def zipf_text(words: int, vocabulary: int = 1000, seed: int = 1) -> bytes:
    source = random.Random(seed)
    choices = source.choices([f"w{k}" for k in range(vocabulary)], [1 / k for k in range(1, vocabulary + 1)], k=words)
    lines = (" ".join(choices[i : i + 20]) for i in range(0, words, 20))
    return ("\n".join(lines) + "\n").encode()


def bounded_text(text: bytes, order: int, memory: int, directory, pieces: int = 100) -> TrainingText:
    result = empty_text(order, memory, directory)
    result.begin_source("t")
    for i in range(0, len(text), pieces):
        result.add(text[i : i + pieces])
    return result


# --- the same bytes ---


@pytest.mark.slow
@given(
    corpora,
    st.integers(1, 6),
    st.sampled_from([1, 1, 8]),
    st.integers(11_000, 25_000),
    st.integers(1, 400),
    st.lists(st.integers(0, 3), max_size=6).map(sorted),
)
def test_equals_memory(tmp_path_factory, corpus, order, repeats, memory, pieces, prune):
    # With this little memory there are many runs, merged in several rounds.
    folder = tmp_path_factory.mktemp("spill")
    text = bounded_text(as_text(corpus * repeats), order, memory, folder, pieces)
    expected = model_of(as_text(corpus * repeats), order, prune=prune[:order])
    model = NGramModel.estimate(text, EstimationOptions(order=order, prune=prune[:order]))
    assert (model.words, model.sentences) == (expected.words, expected.sentences)
    assert model.ngram_counts == expected.ngram_counts
    assert model.discounts == expected.discounts
    assert model.fallback_orders == expected.fallback_orders
    assert arpa_of(model) == arpa_of(expected)
    assert not any(folder.iterdir())


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("memory", [300_000, 1_000_000])
def test_equals_memory_on_more_text(tmp_path, order, memory):
    text = zipf_text(30_000)
    bounded = bounded_text(text, order, memory, tmp_path, pieces=70_000)
    model = NGramModel.estimate(bounded, EstimationOptions(order=order))
    assert arpa_of(model) == arpa_of(model_of(text, order))


def test_small_text_stays_in_memory(tmp_path):
    text = bounded_text(b"a b c\n", 3, 100_000, tmp_path / "missing")
    model = NGramModel.estimate(text, EstimationOptions(order=3))
    assert arpa_of(model) == arpa_of(model_of(b"a b c\n", 3))


def test_a_line_without_end(tmp_path):
    # A single sentence that spills before its end.
    text = zipf_text(20_000).replace(b"\n", b" ")
    bounded = bounded_text(text, 2, 300_000, tmp_path, pieces=1000)
    model = NGramModel.estimate(bounded, EstimationOptions(order=2))
    assert model.sentences == 1
    assert arpa_of(model) == arpa_of(model_of(text, 2))


# --- the function ---


@pytest.mark.slow
def test_several_sources(tmp_path):
    text = zipf_text(140_000)
    half = text.index(b"\n", len(text) // 2) + 1
    compressed = tmp_path / "first.gz"
    compressed.write_bytes(gzip.compress(text[:half], 1))
    (tmp_path / "spill").mkdir()
    seen = []

    def spy(stage: str, _done: int, _total: int) -> None:
        seen.append(stage)
        assert not any((tmp_path / "spill").iterdir())  # temporary files have no names

    report = estimate_language_model(
        [compressed, io.BytesIO(text[half:])],
        tmp_path / "m.arpa",
        memory=16 << 20,
        temporary_directory=tmp_path / "spill",
        progress=spy,
    )
    expected = estimate_language_model(io.BytesIO(text), tmp_path / "n.arpa")
    assert report == expected
    assert (tmp_path / "m.arpa").read_bytes() == (tmp_path / "n.arpa").read_bytes()
    assert list(dict.fromkeys(seen)) == ["reading MB", "estimating", "writing MB"]
    estimate_language_model(io.BytesIO(text), tmp_path / "m.bin", memory=16 << 20)
    scores = [LanguageModel.load(tmp_path / name).score_words(["w1", "w7"]) for name in ("m.bin", "n.arpa")]
    assert scores[0] == scores[1]


# --- errors ---


def test_bad_text(tmp_path):
    text = empty_text(2, 10_000, tmp_path)
    text.begin_source("t")
    text.add(b"a b\n" * 200)
    with pytest.raises(InputError, match=r"^t:202: the word <s> belongs"):
        text.add(b"\nb <s>\n")
    text = bounded_text(b"\n" * 2000, 2, 10_000, tmp_path)
    with pytest.raises(InputError, match=r"^no words in the text"):
        NGramModel.estimate(text, EstimationOptions(order=2))


def test_vocabulary_beyond_the_memory(tmp_path):
    text = b"".join(b"w%d\n" % i for i in range(2000))
    with pytest.raises(InputError, match=r"different words so far leave too little of the 100000 bytes .* allow more"):
        bounded_text(text, 2, 100_000, tmp_path)


def test_wrong_use(tmp_path):
    text = bounded_text(b"a b\n" * 200, 2, 10_000, tmp_path)
    with pytest.raises(InputError, match="a model of order 3 from counts of order 2"):
        NGramModel.estimate(text, EstimationOptions(order=3))
    model = NGramModel.estimate(text, EstimationOptions(order=2))
    with pytest.raises(InputError, match="estimated from this text already"):
        NGramModel.estimate(text, EstimationOptions(order=2))
    with pytest.raises(InputError, match="start a new estimation"):
        text.add(b"a\n")
    arpa_of(model)
    with pytest.raises(InputError, match="has been written"):
        arpa_of(model)


def test_missing_directory(tmp_path):
    with pytest.raises(InputError, match=r"missing: a temporary file cannot be made \(No such file or directory\)"):
        estimate_language_model(
            io.BytesIO(zipf_text(140_000)),
            tmp_path / "m.arpa",
            memory=16 << 20,
            temporary_directory=tmp_path / "missing",
        )
    assert not any(tmp_path.iterdir())
