"""Estimation from files and with little memory: the same bytes as in memory, and errors that leave nothing behind."""

import gzip
import io
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder.lm_corpora import arpa_of, as_text, corpora, empty_text, model_of
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


@pytest.mark.parametrize(("order", "memory"), [(2, 300_000), (5, 1_000_000)])
def test_equals_memory_on_more_text(tmp_path, order, memory):
    text = zipf_text(30_000)
    bounded = bounded_text(text, order, memory, tmp_path, pieces=70_000)
    model = NGramModel.estimate(bounded, EstimationOptions(order=order))
    assert arpa_of(model) == arpa_of(model_of(text, order))


def test_a_line_without_end(tmp_path):
    # A single sentence that spills before its end.
    text = zipf_text(20_000).replace(b"\n", b" ")
    bounded = bounded_text(text, 2, 300_000, tmp_path, pieces=1000)
    model = NGramModel.estimate(bounded, EstimationOptions(order=2))
    assert model.sentences == 1
    assert arpa_of(model) == arpa_of(model_of(text, 2))


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


# --- outputs ---


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


def test_options_of_the_function(tmp_path):
    text, output = b"a b <s> c\n a <unk> b\n", tmp_path / "m.arpa"

    def refuse(message: str, **options) -> None:
        with pytest.raises(InputError, match=message):
            estimate_language_model(io.BytesIO(text), output, **options)

    refuse("prune: expected at least 0, found -1", prune=[0, -1])
    refuse("memory: expected at least 16777216, found 1000", memory=1000)
    refuse("<stream>:1: the word <s> belongs to the model itself")
    assert not output.exists()
