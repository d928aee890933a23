import gzip
import itertools
import math
import random
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.decoder import lm_corpora
from tests.oracles import oracle
from tests.reference.arpa import arpa_text
from widl.common.errors import InputError
from widl.decoder import LanguageModel, Realizer, convert_language_model, score_lines
from widl.expressions import bag

TEXT = """\
the cat sat on the mat
the dog sat on the log
a cat and a dog sat
the mat was on the log
"""

# The gain of "a b" on the left exceeds its probability: b(a) > 1.
POSITIVE_BACKOFF = arpa_text(
    ["-1\t<unk>", "-99\t<s>\t-0.2", "-0.5\t</s>", "-0.6\ta\t0.4", "-0.7\tb\t-0.1"], ["-0.2\t<s> a", "-0.3\ta b"]
)


def arpa_of(text: str, order: int) -> str:
    return lm_corpora.arpa_of(lm_corpora.model_of(text.encode(), order))


ARPA = arpa_of(TEXT, 3)


@pytest.fixture
def arpa(tmp_path):
    path = tmp_path / "model.arpa"
    path.write_text(ARPA)
    return path


@pytest.fixture
def damaged(tmp_path):
    """Loads a file with the given content and returns the exception."""

    def load(content: str | bytes, name: str = "damaged.arpa") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        with pytest.raises(InputError) as error:
            LanguageModel.load(path)
        message = str(error.value)
        assert message.startswith(f"{path}:")
        assert "\n" not in message
        return message.removeprefix(str(path))

    return load


# --- scores ---


def seeded_text(seed: int, words: int = 12, lines: int = 60) -> str:
    source = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    weights = [1 / i for i in range(1, words + 1)]
    return "".join(" ".join(source.choices(vocabulary, weights, k=source.randrange(1, 9))) + "\n" for _ in range(lines))


BINARIES = {
    "rest": {"kind": "rest"},
    "probing": {"kind": "probing"},
    "trie": {"kind": "trie"},
    "quantized": {"kind": "trie", "quantize": 4},
}


@pytest.mark.parametrize("kind", ["arpa", "arpa.gz", *BINARIES])
@pytest.mark.parametrize("order", [2, 3, 6])
def test_scores_equal_kenlm(tmp_path, kind, order):
    kenlm = oracle("kenlm")
    arpa = tmp_path / "model.arpa"
    arpa.write_text(arpa_of(seeded_text(order), order))
    path = tmp_path / f"model.{kind}"
    if kind == "arpa.gz":
        path.write_bytes(gzip.compress(arpa.read_bytes()))
    elif kind != "arpa":
        convert_language_model(arpa, path, **BINARIES[kind])
    ours = LanguageModel.load(path)
    assert ours.order == order
    assert ours.has_rest_costs == (kind in ("arpa", "arpa.gz", "rest"))
    theirs = kenlm.Model(str(arpa if kind == "arpa.gz" else path))
    for line in [*seeded_text(99, words=16, lines=40).splitlines(), "", "never-seen w1 w2"]:
        expected = [log10 * math.log(10) for log10, _length, _oov in theirs.full_scores(line)]
        assert ours.score_words(line.split()) == pytest.approx(expected, rel=1e-6, abs=1e-6)
        oov = [is_oov for *_, is_oov in theirs.full_scores(line, eos=False)]
        assert [word not in ours for word in line.split()] == oov
        full = ours.full_score_words(line.split())
        assert [log_prob for log_prob, _, _ in full] == ours.score_words(line.split())
        assert [(length, not known) for _, length, known in full] == [
            (length, is_oov) for _, length, is_oov in theirs.full_scores(line)
        ]
        inside = [(p * math.log(10), length) for p, length, _ in theirs.full_scores(line, bos=False, eos=False)]
        for (log_prob, length, _), expected in zip(
            ours.full_score_words(line.split(), begin=False, end=False), inside, strict=True
        ):
            assert (log_prob, length) == (pytest.approx(expected[0], rel=1e-6, abs=1e-6), expected[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "fast"}, "kind: expected one of 'rest', 'probing' or 'trie', found 'fast'"),
        ({"kind": "trie", "quantize": 26}, "26 bits; at most 25"),
        ({"kind": "trie", "quantize": 0}, "quantize: expected at least 1, found 0"),
        ({"kind": "trie", "quantize": 1}, "at least 2 bits"),
    ],
)
def test_impossible_binaries(tmp_path, arpa, options, message):
    with pytest.raises(InputError, match=message):
        convert_language_model(arpa, tmp_path / "model.bin", **options)
    assert not (tmp_path / "model.bin").exists()


@pytest.mark.parametrize("words", [0, 1, 20_000])
def test_a_fault_is_at_its_line_in_a_file_of_any_size(tmp_path, words):
    """Lines are counted in blocks of 65,536 bytes; the fault is before, at and behind the end of one."""
    path = tmp_path / "model.arpa"
    for padding in range(65_460, 65_540, 7) if words == 1 else [1]:
        unigrams = "".join(f"-5\t{'w' * padding}{k}\t-0.1\n" for k in range(words))
        path.write_text(
            f"\\data\\\nngram 1={words + 4}\nngram 2=2\n\n\\1-grams:\n-1\t<s>\t-0.1\n-1\t</s>\n-5\t<unk>\n-5\ta\t-0.1\n"
            f"{unigrams}\n\\2-grams:\n-1\ta a\n-1\ta nosuch\n\n\\end\\\n"
        )
        line = 1 + path.read_text().splitlines().index("-1\ta nosuch")
        with pytest.raises(InputError, match=rf"model\.arpa:{line}: .*the word 'nosuch' is not among the 1-grams"):
            LanguageModel.load(path)


# --- bounds ---


def assert_bounds_hold(lm: LanguageModel, words: list[str], vocabulary: list[str]) -> list[float]:
    bounds = lm.bound_words(words)
    for length in range(lm.order):
        for left in itertools.product(vocabulary, repeat=length):
            for begin in (False, True):
                scores = lm.score_words([*left, *words], begin=begin, end=False)[length:]
                assert all(s <= b + 1e-5 for s, b in zip(scores, bounds, strict=True))
    # With the full context known, the bound equals the probability.
    known = lm.order - 1
    assert bounds[known:] == lm.score_words(words, begin=False, end=False)[known:]
    return bounds


@given(
    st.lists(st.lists(st.sampled_from("abc"), max_size=6), min_size=1, max_size=15).filter(any),
    st.lists(st.sampled_from(["a", "b", "c", "unknown"]), min_size=1, max_size=5),
    st.integers(2, 4),
    st.booleans(),
)
def test_bounds_hold_for_all_left_contexts(tmp_path_factory, corpus, words, order, binary):
    path = tmp_path_factory.mktemp("lm") / "model.arpa"
    path.write_text(arpa_of("".join(" ".join(sentence) + "\n" for sentence in corpus), order))
    if binary:
        convert_language_model(path, path.with_suffix(".bin"))
        path = path.with_suffix(".bin")
    lm = LanguageModel.load(path)
    assert lm.has_rest_costs
    bounds = assert_bounds_hold(lm, words, ["a", "b", "c", "unknown"])
    assert max(bounds) <= 0


def test_bounds_without_rest_costs(tmp_path, arpa):
    positive = tmp_path / "positive.arpa"
    positive.write_text(POSITIVE_BACKOFF)
    paths = [positive, tmp_path / "probing.bin", tmp_path / "trie.bin"]
    convert_language_model(arpa, paths[1], kind="probing")
    convert_language_model(arpa, paths[2], kind="trie")
    for path in paths:
        lm = LanguageModel.load(path)
        assert not lm.has_rest_costs
        vocabulary = ["a", "b", "cat", "sat", "on"]
        for words in (["a"], ["b", "a"], ["a", "b", "a"], ["cat", "sat", "on", "cat"]):
            assert_bounds_hold(lm, words, vocabulary)


def test_no_rest_binary_with_positive_backoffs(tmp_path):
    path = tmp_path / "positive.arpa"
    path.write_text(POSITIVE_BACKOFF)
    with pytest.raises(InputError, match=r"positive\.arpa: has back-off weights above 1"):
        convert_language_model(path, tmp_path / "model.bin", kind="rest")
    convert_language_model(path, tmp_path / "model.bin", kind="trie")


# --- errors in ARPA files ---


def line_of(text: str) -> int:
    return ARPA[: ARPA.index(text)].count("\n") + 1


def without_line(text: str) -> str:
    return "".join(line for line in ARPA.splitlines(keepends=True) if text not in line)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", None, "empty"),
        ("some text\n", 1, r"neither an ARPA file, which begins with \data\, nor a KenLM binary"),
        (ARPA.replace("ngram 2=19", "ngram 2=20"), line_of("\\3-grams:"), "only 19 of the 20 2-grams that the top"),
        (ARPA[: ARPA.index("\\2-grams")], line_of("\\2-grams"), "the file ends where the next section"),
        (ARPA[: ARPA.index("\tmat\t")], line_of("\tmat\t"), "expected 1 word after the probability, found 0"),
        (ARPA.replace("\tcat\t", "x\tcat\t"), line_of("\tcat\t"), "expected a log10 probability, found '-"),
        (ARPA.replace("\t</s>", "\tx"), line_of("\\2-grams"), "the 1-grams lack </s>"),
        (ARPA.replace("\tmat\t", "\tcat\t"), line_of("\tmat\t"), "the 1-gram 'cat' occurs twice"),
        (ARPA.encode().replace(b"\tmat\t", b"\tm\xfct\t"), line_of("\tmat\t"), "a word is not UTF-8"),
    ],
)
def test_damaged_arpa(damaged, content, line, message):
    result = damaged(content)
    assert result.startswith(f":{line}: " if line else ": ")
    assert message in result


def test_a_repeated_ngram_of_the_highest_order(damaged):
    section = ARPA[ARPA.index("\\3-grams:") :].splitlines()
    first, last = section[1], section[-3]
    repeated = ARPA.replace(last, last.split("\t")[0] + "\t" + first.split("\t")[1].replace(" ", "  "))
    result = damaged(repeated)
    assert "occurs twice" in result
    assert f"'{first.split(chr(9))[1]}'" in result


@pytest.mark.parametrize("kind", ["arpa", "rest", "probing", "trie"])
def test_a_model_may_lack_most_of_its_shorter_ngrams(tmp_path, kind):
    # The 2-grams contain one context of the 300 3-grams, and no suffix of them: KenLM adds these if it has room.
    words = [f"w{i}" for i in range(300)]
    unigrams = ["-99\t<s>\t-0.5", "-1\t</s>", "-2\t<unk>", *(f"-2\t{word}\t-0.25" for word in ("a", "b", *words))]
    trigrams = [f"-0.{i + 100}\ta b {word}" for i, word in enumerate(words)]
    path = tmp_path / "model.arpa"
    path.write_text(arpa_text(unigrams, ["-0.5\ta b\t-0.125"], trigrams))
    if kind != "arpa":
        convert_language_model(path, tmp_path / "model.bin", kind=kind)
        path = tmp_path / "model.bin"
    model = LanguageModel.load(path)
    for i, word in enumerate(words):
        expected = [-2.5, -0.5, -float(f"0.{i + 100}"), -1.25]  # <s> a, a b, a b w; </s> has no 2-gram after w
        assert model.score_words(["a", "b", word]) == pytest.approx([x * math.log(10) for x in expected], abs=1e-5)
        expected = [-2.5, -2.25, -1.25]
        assert model.score_words(["b", word]) == pytest.approx([x * math.log(10) for x in expected], abs=1e-5)


@pytest.mark.parametrize(
    "content",
    [
        ARPA.replace("\n", "\r\n"),
        "# a comment\n\n" + ARPA,
        "\n" + ARPA.replace("ngram 1=13", "ngram  1=       13").replace("ngram 2=19", "ngram  2=\t19"),  # IRSTLM
        ARPA.replace("\t<unk>\t0", "\t<UNK>\t0"),
        without_line("<unk>").replace("ngram 1=13", "ngram 1=12"),
        ARPA.rstrip("\n"),
        ARPA.replace("\ta cat\t", "\ta cat\t+0e0\t").replace("\t+0e0\t", "\t"),
        ARPA.replace("0\t<s>", "-inf\t<s>"),
    ],
)
def test_arpa_of_other_programs(tmp_path, arpa, content):
    path = tmp_path / "other.arpa"
    path.write_text(content, newline="")
    model, line = LanguageModel.load(path), "the cat sat".split()
    assert model.score_words(line) == LanguageModel.load(arpa).score_words(line)


def test_damaged_gzip(damaged):
    broken = gzip.compress(ARPA.replace("\ta cat\t", "\ta cat\tx").encode())
    assert damaged(broken, "m.arpa.gz").startswith(f":{line_of('	a cat	')}: expected a log10")
    assert damaged(broken[:-20], "m.arpa.gz").startswith(": not a complete compressed file")
    assert damaged(b"\\data\\", "m.arpa.gz").startswith(": not a complete compressed file")


# --- binaries ---


@pytest.mark.parametrize("kind", ["rest", "probing", "trie", "quantized"])
def test_truncated_binary(tmp_path, arpa, damaged, kind):
    path = tmp_path / "model.bin"
    convert_language_model(arpa, path, **BINARIES[kind])
    whole = path.read_bytes()
    for size in range(0, len(whole), 61):
        # Truncation between two words of the vocabulary at the end of the file loses only unused data.
        if whole[size - 1] == 0 and b"\0" not in whole[size : size + 1] and size > len(whole) - 60:
            continue
        message = damaged(whole[:size], "short.bin")
        assert "empty" in message or "truncated" in message or "size" in message or "neither" in message


def test_damaged_binary_header(tmp_path, arpa, damaged):
    path = tmp_path / "model.bin"
    convert_language_model(arpa, path)
    whole = path.read_bytes()
    fixed = 88  # after magic bytes and test values: order, probing multiplier, type, vocabulary, version

    def patched(offset: int, layout: str, value: float) -> bytes:
        patch = struct.pack(layout, value)
        return whole[:offset] + patch + whole[offset + len(patch) :]

    assert whole[fixed] == 3
    assert "a model of order 1; orders 2 to 6" in damaged(patched(fixed, "<B", 1))
    assert "a model of order 7; orders 2 to 6" in damaged(patched(fixed, "<B", 7))
    assert "version 4" in damaged(whole.replace(b"version 5", b"version 4", 1))


def test_rest_costs_that_are_no_bounds(tmp_path, arpa):
    # KenLM's build_binary -r stores lower-order probabilities as rest costs, under the same type.
    path = tmp_path / "model.bin"
    convert_language_model(arpa, path)
    content = path.read_bytes()
    lm = LanguageModel.load(path)
    probability = lm.score_words(["cat"], begin=False, end=False)[0] / math.log(10)
    rest = lm.bound_words(["cat"])[0] / math.log(10)
    assert rest > probability
    encoded = [i for i in range(len(content) - 3) if content[i : i + 4] == struct.pack("<f", rest)]
    for at in encoded:
        content = content[:at] + struct.pack("<f", probability - 1) + content[at + 4 :]
    path.write_bytes(content)
    assert encoded
    assert not LanguageModel.load(path).has_rest_costs


# --- files ---


def test_missing_files(tmp_path, arpa):
    with pytest.raises(FileNotFoundError, match=r"missing: no such language model; 'widl lm estimate' makes one"):
        LanguageModel.load(tmp_path / "missing")
    with pytest.raises(FileNotFoundError, match=r"missing: no such language model; 'widl lm estimate' makes one"):
        convert_language_model(tmp_path / "missing", tmp_path / "model.bin")
    with pytest.raises(InputError, match="a directory, where a file was expected"):
        LanguageModel.load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"nowhere/model\.bin"):
        convert_language_model(arpa, tmp_path / "nowhere" / "model.bin")


def test_conversion_that_fails_leaves_nothing(tmp_path, arpa):
    output = tmp_path / "model.bin"
    arpa.write_text(ARPA.replace("\ta cat\t", "\ta dragon\t"))
    for kind in ("rest", "probing", "trie"):
        with pytest.raises(InputError, match=r"model\.arpa:\d+: .*'dragon'"):
            convert_language_model(arpa, output, kind=kind)
    assert [path.name for path in tmp_path.iterdir()] == ["model.arpa"]
    arpa.write_text(ARPA)
    convert_language_model(arpa, output)
    with pytest.raises(InputError, match=r"model\.bin: already a binary"):
        convert_language_model(output, tmp_path / "again.bin")


# --- arbitrary content ---


def loads_or_names_the_file(path, content: bytes) -> None:
    path.write_bytes(content)
    try:
        lm = LanguageModel.load(path)
    except InputError as error:
        assert str(error).startswith(f"{path}:")
        assert "\n" not in str(error)
    else:
        lm.score_words(["a", "cat", "and", "the", "dragon"])


@given(st.binary(max_size=200))
def test_arbitrary_bytes(tmp_path, content):
    loads_or_names_the_file(tmp_path / "m.arpa", content)
    loads_or_names_the_file(tmp_path / "m.arpa.gz", content)
    loads_or_names_the_file(tmp_path / "m.arpa.gz", gzip.compress(content))


ARPA_PIECES = ["\n", "\t", " ", "\\2-grams:", "\\end\\", "-1.5", "1e9", "-inf", "nan", "ngram 2=3", "<unk>"]


@given(st.randoms(use_true_random=False), st.integers(1, 4))
def test_randomly_damaged_arpa(tmp_path, source, wounds):
    content = ARPA
    for _ in range(wounds):
        begin = source.randrange(len(content))
        end = begin + source.choice([0, 1, 1, 5, 40])
        content = content[:begin] + source.choice(["", "x", "\0", *ARPA_PIECES]) + content[end:]
    if source.random() < 0.3:
        lines = content.splitlines(keepends=True)
        source.shuffle(lines)
        content = "".join(lines)
    loads_or_names_the_file(tmp_path / "m.arpa", content.encode())


def test_a_probability_above_one_is_an_error(tmp_path: Path) -> None:
    """No bound would hold, so certificates would be false."""
    path = tmp_path / "odd.arpa"
    unigrams = ["-1\t<unk>", "-99\t<s>\t0", "-1\t</s>", "-0.5\ta\t2.5", "-0.5\tb\t0"]
    path.write_text(arpa_text(unigrams, ["-0.1\t<s> a"]))
    realizer = Realizer([LanguageModel.load(path)])
    with pytest.raises(InputError, match="gives a word a probability above 1"):
        realizer.realize_one(bag("a b"))


def test_scores_and_perplexities_are_those_of_lines() -> None:
    model = LanguageModel.estimate(["the cat sat", "a cat ran far"])
    lines = ["the cat", "a dog ran", ""]
    scored = list(score_lines(lines, model))
    assert [model.score(line) for line in lines] == pytest.approx([line.log_prob for line in scored])
    events = sum(len(line.words) + 1 for line in scored)
    expected = math.exp(-sum(line.log_prob for line in scored) / events)
    assert model.perplexity(lines) == pytest.approx(expected)
    with pytest.raises(InputError, match="no sentences"):
        model.perplexity([])
    with pytest.raises(InputError, match="sentence: the word <s> belongs to the model itself"):
        model.score("<s> the cat")
    with pytest.raises(InputError, match="sentences:2: the word </s> belongs to the model itself"):
        model.perplexity(["the cat", "the </s>"])
    # Only the white space used in training separates words: a no-break space is part of a word.
    assert model.score("the\u00a0cat") == pytest.approx(sum(model.score_words(["the\u00a0cat"])))
    with pytest.raises(TypeError, match="pass a list of sentences"):
        model.perplexity("the cat")


def test_a_model_that_failed_to_load_has_a_repr() -> None:
    assert repr(LanguageModel.__new__(LanguageModel)) == "<LanguageModel, not loaded>"
