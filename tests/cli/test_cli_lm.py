import gzip
import json
import math
import os

import pytest

from tests.command import refused
from tests.reference.arpa import arpa_text
from widl.common.errors import InputError
from widl.common.option_values import parse_size
from widl.decoder import LanguageModel

TEXT = "a rose is a rose\nis a rose a rose\n\na tulip is no rose\n"


@pytest.fixture
def model(run, tmp_path):
    path = tmp_path / "model.bin"
    code, _, _ = run("lm", "estimate", "--order", 2, "--output", path, stdin=TEXT)
    assert code == 0
    return path


def test_estimate(run, tmp_path, caplog):
    file = tmp_path / "text.gz"
    file.write_bytes(gzip.compress(TEXT.encode()))
    code, out, err = run("lm", "estimate", "--output", tmp_path / "a.arpa", stdin=TEXT)
    assert (code, out) == (0, "")
    assert "15 words in 4 sentences; a vocabulary of 5; 8 1-grams" in err
    assert "using 0.5, 1 and 1.5" in caplog.text
    assert run("lm", "estimate", "--order", 3, "--output", tmp_path / "b.arpa", file)[0] == 0
    assert (tmp_path / "a.arpa").read_text() == (tmp_path / "b.arpa").read_text()
    assert run("lm", "estimate", "--order", 2, "--prune", "0,2", "--output", tmp_path / "c.arpa", file)[0] == 0
    assert "ngram 2=2\n\n\\1-grams:" in (tmp_path / "c.arpa").read_text()


def test_score(run, model):
    lm = LanguageModel.load(model)
    code, out, err = run("lm", "score", model, stdin="a rose\n\n a  orchid\r\n")
    assert code == 0
    totals = [sum(lm.score_words(words)) for words in (["a", "rose"], [], ["a", "orchid"])]
    assert [float(line) for line in out.splitlines()] == pytest.approx(totals, abs=1e-4)
    assert "sentences 3, words 4, unknown 1" in err
    # Four words and three sentence ends.
    assert f"perplexity {math.exp(-sum(totals) / 7):.2f}, " in err
    known = sum(totals) - lm.score_words(["a", "orchid"])[1]
    assert f"without unknown words {math.exp(-known / 6):.2f}\n" in err


def test_score_per_word(run, model):
    lm = LanguageModel.load(model)
    words = ["a", "rose", "</s>"]
    scores = lm.score_words(words[:2])
    _, out, _ = run("lm", "score", model, "--json", stdin="a rose\n")
    record = json.loads(out)
    assert record["ngram_lengths"] == [2, 2, 2]
    assert record["log_prob"] == pytest.approx(sum(scores))
    assert record["word_log_probs"] == [list(pair) for pair in zip(words, scores, strict=True)]
    assert (record["words"], record["unknown"]) == (2, 0)


def test_convert_options(run, tmp_path, model):
    arpa, output = tmp_path / "model.arpa", tmp_path / "small.bin"
    assert run("lm", "estimate", "--order", 2, "--output", arpa, stdin=TEXT)[0] == 0
    assert run("lm", "convert", arpa, output, "--kind", "trie")[0] == 0
    scores = LanguageModel.load(output).score_words(["a", "rose"])
    assert scores == pytest.approx(LanguageModel.load(model).score_words(["a", "rose"]), abs=1e-4)


SIZES = {"500": 500, "16K": 16 << 10, "1.5M": 3 << 19, "2g": 2 << 30, "1T": 1 << 40, "64MB": 64 << 20}


def test_sizes():
    assert [parse_size(text) for text in SIZES] == list(SIZES.values())
    assert parse_size("50%") == os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    for text in ("", "1X", "%"):
        with pytest.raises(InputError, match="is not a size; give a number with K, M, G or T"):
            parse_size(text)


@pytest.mark.slow
def test_bad_input(run, tmp_path, model):
    def fails(message: str, *arguments: object, stdin: str | bytes = b"") -> None:
        assert message in refused(run("lm", *arguments, stdin=stdin))

    output = tmp_path / "out.arpa"
    fails("<stdin>:2: the word <s> belongs", "estimate", "--output", output, stdin="a\n<s> a\n")
    fails("prune: '0,x' is not a list of numbers", "estimate", "--prune", "0,x", "--output", output, stdin="a\n")
    fails("<stdin>:1: the word </s> belongs", "score", model, stdin="a </s>\n")
    assert [path.name for path in tmp_path.iterdir()] == ["model.bin"]


def test_json_has_no_infinities(run, tmp_path):
    """A word of probability 0 has no logarithm that JSON can represent."""
    lines = ["-1\t<unk>", "-99\t<s>\t0", "-1\t</s>", "-1\tred\t0", "-1\tfox"]
    (tmp_path / "model.arpa").write_text(arpa_text(lines, ["-0.2\t<s> red", "-inf\tred fox", "-0.4\tred </s>"]))
    code, out, _ = run("lm", "score", tmp_path / "model.arpa", "--json", stdin="red fox\nred\n")
    first, second = (json.loads(line, parse_constant=pytest.fail) for line in out.splitlines())
    assert (code, first["log_prob"], first["word_log_probs"][1]) == (0, None, ["fox", None])
    assert second["log_prob"] == pytest.approx(-0.6 * math.log(10), abs=1e-5)
