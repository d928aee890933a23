"""Interpolated language models: against dictionaries of n-grams, and against what KenLM answers."""

import gzip
import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.decoder.lm_corpora import arpa_of, as_text, corpora, model_of
from tests.reference.arpa import arpa_text, parse_arpa
from tests.reference.lm_interpolation import Model, events, log_likelihood, mixture
from widl.common.errors import InputError, MissingFileError
from widl.decoder import LanguageModel, interpolate_language_models
from widl.decoder.lm_interpolation import learnt_weights

ORDERS = st.integers(1, 6)


def written(folder: Path, texts: Sequence[str]) -> list[Path]:
    paths = [folder / f"{k}.arpa" for k in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def interpolated(texts: Sequence[str], **arguments: object) -> tuple[Model, object]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        report = interpolate_language_models(written(folder, texts), folder / "out.arpa", **arguments)
        return Model((folder / "out.arpa").read_text(encoding="utf-8")), report


@st.composite
def models(draw: st.DrawFn) -> list[str]:
    """Two or three models of the same few words, of several orders, pruned or not, or with words of their own."""
    texts = []
    for k in range(draw(st.integers(2, 3))):
        corpus = draw(corpora)
        if draw(st.booleans()):
            corpus = [[f"{word}{k}" if word in "ab" else word for word in sentence] for sentence in corpus]
        order = draw(ORDERS)
        prune = [0, *([draw(st.integers(0, 1))] * (order - 1))]
        texts.append(arpa_of(model_of(as_text(corpus), order, prune=prune)))
    return texts


@pytest.mark.slow
@given(models(), st.lists(st.integers(1, 9), min_size=3, max_size=3))
def test_ngrams_have_the_mixture_and_contexts_sum_to_1(texts: list[str], parts: list[int]) -> None:
    parts = parts[: len(texts)]
    weights = [part / sum(parts) for part in parts]
    found, report = interpolated(texts, weights=weights)
    singles = [Model(text) for text in texts]
    assert set(found.probs) == set().union(*(set(one.probs) for one in singles)) | {("<s>",)}
    for ngram, p in found.probs.items():
        if ngram != ("<s>",):
            assert p == pytest.approx(mixture(singles, weights, ngram), rel=1e-5)
    assert {context: total for context, total in found.sums().items() if abs(total - 1) > 1e-6} == {}
    assert report.weights == pytest.approx(weights)
    counts = [sum(len(ngram) == n for ngram in found.probs) for n in range(1, len(report.ngrams) + 1)]
    assert list(report.ngrams) == counts


@pytest.mark.slow
@given(models(), corpora)
def test_weights_from_text(texts: list[str], sentences: list[list[str]]) -> None:
    singles = [Model(text) for text in texts]
    known = events(singles, sentences)
    found, report = interpolated(texts, tune=io.BytesIO(as_text(sentences)))
    held_out = report.held_out
    count = sum(map(len, sentences)) + len(sentences)
    assert (held_out.words, held_out.unknown) == (len(known), count - len(known))
    assert math.fsum(report.weights) == pytest.approx(1)
    equal = [1 / len(texts)] * len(texts)
    for weights, perplexity in ((equal, held_out.perplexity_before), (report.weights, held_out.perplexity_after)):
        total = log_likelihood(singles, weights, sentences)
        assert math.exp(-total / len(known)) == pytest.approx(perplexity, rel=1e-4)
    assert held_out.perplexity_after <= held_out.perplexity_before * (1 + 1e-9)
    own = math.fsum(math.log(found.probability(word, context)) for context, word in known)
    assert math.exp(-own / len(known)) == pytest.approx(held_out.perplexity_written, rel=1e-4)
    # No other weights are better.
    best = log_likelihood(singles, report.weights, sentences)
    for k in range(len(texts)):
        other = [0.99 * weight + 0.01 * (i == k) for i, weight in enumerate(report.weights)]
        assert log_likelihood(singles, other, sentences) <= best + 1e-4 * len(known)


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 30))
def test_each_round_is_the_mean_of_shares(seed: int, count: int, words: int) -> None:
    scores = np.random.default_rng(seed).random((words, count)) + 1e-3
    found, rounds = learnt_weights(scores)
    weights = [1 / count] * count
    for _ in range(rounds):
        sums = [0.0] * count
        for row in scores.tolist():
            total = sum(p * weight for p, weight in zip(row, weights, strict=True))
            for i, p in enumerate(row):
                sums[i] += p * weights[i] / total
        weights = [one / words for one in sums]
    assert found == pytest.approx(weights, abs=1e-9)


@given(models())
@settings(deadline=None, max_examples=10)
def test_kenlm_answers_what_was_written(texts: list[str]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        paths = written(folder, texts)
        weights = [1 / len(texts)] * len(texts)
        interpolate_language_models(paths, folder / "out.arpa", weights=weights)
        expected = Model((folder / "out.arpa").read_text(encoding="utf-8"))
        assume(expected.order > 1)
        interpolate_language_models(paths, folder / "out.bin", weights=weights)
        model = LanguageModel.load(folder / "out.bin")
        sentence = ["a", "nobody", "b0", "c", "d", "e"]
        known = [word if word in expected.words else "<unk>" for word in sentence]
        line = ["<s>", *known, "</s>"]
        for i, log_prob in enumerate(model.score_words(sentence), 1):
            assert math.exp(log_prob) == pytest.approx(expected.probability(line[i], line[:i]), rel=1e-4)


def test_a_mixture_added_up_by_hand(tmp_path: Path) -> None:
    """The first model has a and a a, the second b and <unk> b."""
    first, second = written(tmp_path, [
        _arpa({"<unk>": 0.1, "<s>": 1, "</s>": 0.4, "a": (0.5, 0.4)}, {"a a": 0.8}),
        _arpa({"<unk>": (0.2, 0.8), "<s>": 1, "</s>": 0.3, "b": 0.5}, {"<unk> b": 0.6}),
    ])  # fmt: skip
    interpolate_language_models([first, second], tmp_path / "out.arpa", weights=[0.25, 0.75])
    found = Model((tmp_path / "out.arpa").read_text())
    assert found.probs["<unk>",] == pytest.approx(0.25 * 0.1 + 0.75 * 0.2)
    assert found.probs["a",] == pytest.approx(0.25 * 0.5)  # the second model does not know it
    # In the second model's eyes the context a is <unk>, and it can't predict a.
    assert found.probs["a", "a"] == pytest.approx(0.25 * 0.8)
    assert found.probs["<unk>", "b"] == pytest.approx(0.75 * 0.6)
    assert found.backoffs["a",] == pytest.approx((1 - 0.2) / (1 - 0.125))
    assert found.backoffs["b",] == found.backoffs["<s>",] == 1
    # What is backed off for is not the mixture, 0.75 · 0.6.
    assert found.probability("b", ["a"]) == pytest.approx(0.8 / 0.875 * 0.375)


def _arpa(*orders: dict[str, float | tuple[float, float]]) -> str:
    sections: list[list[str]] = []
    for n, ngrams in enumerate(orders, 1):
        sections.append([])
        for words, value in ngrams.items():
            p, backoff = value if isinstance(value, tuple) else (value, 1.0)
            tail = f"\t{math.log10(backoff)!r}" if n < len(orders) else ""
            sections[-1].append(f"{math.log10(p)!r}\t{words}{tail}")
    return arpa_text(*sections)


def test_models_of_weight_0_add_nothing(tmp_path: Path) -> None:
    texts = [arpa_of(model_of(text, 2)) for text in (b"a b a\n", b"c d c\n")]
    first, second = written(tmp_path, texts)
    report = interpolate_language_models([first, second], tmp_path / "out.arpa.gz", weights=[1, 0])
    probs, backoffs = parse_arpa(gzip.decompress((tmp_path / "out.arpa.gz").read_bytes()).decode())
    expected_probs, expected_backoffs = parse_arpa(texts[0])
    assert report.held_out is None
    assert probs == pytest.approx(expected_probs, abs=1e-6)
    assert {ngram: x for ngram, x in backoffs.items() if x} == pytest.approx(
        {ngram: x for ngram, x in expected_backoffs.items() if x and ngram != ("</s>",)}, abs=1e-5
    )


def test_begin_symbols_inside_and_other_spellings(tmp_path: Path) -> None:
    text = _arpa({"<UNK>": 0.2, "<s>": 1, "</s>": 0.3, "a": 0.5}, {"a <s>": 0.1, "a a": 0.5, "<UNK> a": 0.4})
    [path] = written(tmp_path, ["\ufeff" + text.replace("\t", "  ").replace("\n", "\r\n")])
    interpolate_language_models([path], tmp_path / "out.arpa", weights=[1])
    found = Model((tmp_path / "out.arpa").read_text())
    assert set(found.probs) == {("<unk>",), ("<s>",), ("</s>",), ("a",), ("a", "a"), ("<unk>", "a")}


GOOD = _arpa({"<unk>": 0.2, "<s>": 1, "</s>": 0.3, "a": 0.5}, {"a a": 0.5})
CHANGES: list[tuple[Callable[[str], str], str]] = [
    (lambda text: "hello\n" + text, r"0\.arpa:1: found 'hello', expected '\\data\\'"),
    (lambda text: text.replace("ngram 2=1", "ngram 2=2"), "0.arpa:13: expected a log probability, 2 words"),
    (lambda text: text.replace("\ta a", "\ta b"), "0.arpa:12: the word 'b' is no 1-gram"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_files_that_are_no_models(tmp_path: Path, change: Callable[[str], str], message: str) -> None:
    paths = written(tmp_path, [change(GOOD), GOOD])
    with pytest.raises(InputError, match=message) as caught:
        interpolate_language_models(paths, tmp_path / "out.arpa", weights=[0.5, 0.5])
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out.arpa").exists()


@given(st.binary(max_size=200), st.integers(0, len(GOOD)), st.integers(0, 40))
def test_damaged_files_are_errors_of_one_line(content: bytes, at: int, length: int) -> None:
    with TemporaryDirectory() as name:
        path = Path(name) / "bad.arpa"
        path.write_bytes(GOOD.encode()[:at] + content + GOOD.encode()[at + length :])
        try:
            interpolate_language_models([path], Path(name) / "out.arpa", weights=[1])
        except InputError as error:
            assert str(error).startswith((str(path), "probabilities of 2-grams"))
            assert "\n" not in str(error)


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    paths = written(tmp_path, [GOOD, GOOD])
    unigrams = _arpa({"<unk>": 0.2, "<s>": 1, "</s>": 0.3, "a": 0.5})
    (tmp_path / "1.arpa").write_text(unigrams)
    text = tmp_path / "text"

    def fails(message: str, *arguments: object, error: type[Exception] = InputError, **options: object) -> None:
        with pytest.raises(error, match=message):
            interpolate_language_models(*arguments, **options)

    out = tmp_path / "out.arpa"
    fails("no language models", [], out, weights=[])
    fails("either a text", paths, out)
    fails("either a text", paths, out, weights=[0.5, 0.5], tune=text)
    fails("1 weights for 2 models", paths, out, weights=[1])
    fails("the weights 1.5, -0.5 are not all from 0 to 1", paths, out, weights=[1.5, -0.5])
    fails("the weights nan, 1 are not", paths, out, weights=[math.nan, 1])
    fails("the weights 0.5, 0.4 sum to 0.9, not to 1", paths, out, weights=[0.5, 0.4])
    fails("text: no such file", paths, out, tune=text, error=MissingFileError)
    fails("none.arpa: no such file", [tmp_path / "none.arpa"], out, weights=[1], error=MissingFileError)
    fails("the name of a language model ends in", paths, tmp_path / "out", weights=[0.5, 0.5])
    fails("KenLM binaries have order 2 at least", paths[1:], tmp_path / "out.bin", weights=[1])
    fails("pass a list of ARPA files", str(paths[0]), out, weights=[1], error=TypeError)
    for content, message in {"": "no lines", "x y\n": None, "a <s>\n": "text:1: the word <s>"}.items():
        text.write_text(content)
        if message:
            fails(message, paths, out, tune=text)
        else:
            assert interpolate_language_models(paths, out, tune=text).held_out.words == 1  # </s>
