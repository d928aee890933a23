import gzip
import random
import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import bitexts, links_text
from tests.reference import word_alignment as twin
from widl._core import AlignmentModel, AlignmentTrainer, TextAligner
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.phrase_table.aligner import (
    LONGEST_SIDE,
    TextToAlign,
    WordAligner,
    alignment_spelling,
    learn_and_align,
    pieces,
)
from widl.pipeline.demo import sample_corpus

# Some words share characters, or their first four letters; one is the same on both sides.
SOURCE_WORDS = ["中国", "国家", "国", "新闻", "哈哈", "2019"]
TARGET_WORDS = ["national", "nations", "china", "news", "新闻", "2019"]
UNKNOWN = ["中新", "nato", "xyz", "闻"]


@st.composite
def texts(draw: st.DrawFn, sentences: int = 8, length: int = 3) -> list[twin.Pair]:
    def side(words: Sequence[str]) -> st.SearchStrategy[list[str]]:
        return st.lists(st.sampled_from(words[: draw(st.integers(3, 6))]), min_size=1, max_size=length)

    return draw(st.lists(st.tuples(side(SOURCE_WORDS), side(TARGET_WORDS)), min_size=1, max_size=sentences))


def spelled(text: Sequence[twin.Pair]) -> TextToAlign:
    return TextToAlign([" ".join(source) for source, _ in text], [" ".join(target) for _, target in text])


def learnt(text: Sequence[twin.Pair], model1_rounds: int = 3, markov_rounds: int = 3, **options: int) -> str:
    trainer = AlignmentTrainer(
        spelled(text).pairs, pieces, pieces, model1_rounds=model1_rounds, markov_rounds=markov_rounds, **options
    )
    for _ in range(trainer.rounds):
        trainer.expect(0, len(text))
        trainer.maximize()
    return trainer.counts()


def model_of(text: str) -> AlignmentModel:
    return AlignmentModel.parse(text, pieces, pieces)


def text_of(aligner: WordAligner) -> str:
    """The model as it is saved."""
    with tempfile.TemporaryDirectory() as folder:
        aligner.save(Path(folder) / "model")
        return (Path(folder) / "model").read_text(encoding="utf-8")


def assert_same_counts(model: twin.Model, counts: twin.Counts) -> None:
    """Codes are equal, or neighbors: the core counts in single precision. Links near the minimum count may be
    missing.
    """
    for pair, count in counts.links.items():
        if count > 0.0101:
            assert abs(model.links[pair] - twin.encode(count)) <= 1
        elif count < 0.0099:
            assert pair not in model.links
    assert model.links.keys() <= counts.links.keys()
    for words, unaligned in ((model.sources, counts.unaligned_source), (model.targets, counts.unaligned_target)):
        for word, (_, code) in words.items():
            assert abs(code - twin.encode(unaligned[word])) <= 1 or unaligned[word] < 0.005
    for codes, jumps in ((model.source_jumps, counts.source_jumps), (model.target_jumps, counts.target_jumps)):
        for code, count in zip(codes, jumps.values(), strict=True):
            assert abs(code - twin.encode(count)) <= 1 or count < 0.005


def bilingual(lines: int, seed: int) -> tuple[list[str], list[str], list[set[str]]]:
    """Sentences of four different words out of twelve, their translations in any order, and the right links."""
    numbers = random.Random(seed)
    words = [f"w{i}" for i in range(12)]
    source = [numbers.sample(words, 4) for _ in range(lines)]
    orders = [numbers.sample(range(4), 4) for _ in range(lines)]
    target = [[words[i] + "x" for i in order] for words, order in zip(source, orders, strict=True)]
    links = [{f"{i}-{j}" for j, i in enumerate(order)} for order in orders]
    return [" ".join(words) for words in source], [" ".join(words) for words in target], links


@pytest.fixture(scope="module")
def bilingual_model() -> WordAligner:
    source, target, _ = bilingual(300, seed=1)
    return WordAligner.learn(TextToAlign(source, target))


@pytest.fixture(scope="module")
def sample() -> tuple[list[str], list[str]]:
    """The sample corpus, as space-separated characters and words."""
    source, target = (list(read_lines(sample_corpus() / f"train.{side}")) for side in ("zh", "en"))
    return [" ".join(line.replace(" ", "")) for line in source], target


# Against the definitions.


@given(texts(), st.sampled_from([(1, 0), (3, 0), (0, 1), (1, 2), (3, 3)]))
def test_training_by_definition(text: list[twin.Pair], rounds: tuple[int, int]) -> None:
    model = twin.parse(learnt(text, *rounds))
    assert_same_counts(model, twin.learn(text, pieces, model1_rounds=rounds[0], markov_rounds=rounds[1]))
    for side, words in enumerate((model.sources, model.targets)):
        tokens = [word for pair in text for word in pair[side]]
        assert {word: frequency for word, (frequency, _) in words.items()} == {w: tokens.count(w) for w in tokens}


@given(texts(length=4), texts(sentences=3, length=4), st.lists(st.sampled_from(UNKNOWN), min_size=1, max_size=4))
def test_link_probabilities_by_definition(text: list[twin.Pair], others: list[twin.Pair], unknown: list[str]) -> None:
    """Compares training text, other text, and unknown words."""
    learned_text = learnt(text)
    model = twin.parse(learned_text)
    pairs = [*text[:2], *others, (unknown, others[0][1]), (others[0][0], unknown), (unknown, unknown[::-1])]
    aligner = TextAligner(model_of(learned_text), spelled(pairs).pairs)
    for number, pair in enumerate(pairs):
        forward, reverse = aligner.probabilities(number)
        right = twin.model_posteriors(model, pair, pieces)
        # States of less than a millionth are not followed.
        np.testing.assert_allclose(forward, right.forward, rtol=1e-4, atol=2e-5)
        np.testing.assert_allclose(reverse, right.reverse, rtol=1e-4, atol=2e-5)
        links = twin.choose(forward.tolist(), reverse.tolist())
        (result,) = aligner.align(number, number + 1)
        assert result == (links_text(set(links[0])), links_text(set(links[1])))


@given(bitexts(), st.randoms(use_true_random=False))
def test_counting_links_by_definition(bitext, numbers: random.Random) -> None:
    text = list(zip(bitext.sources, bitext.targets, strict=True))
    reverse = [{link for link in links if numbers.random() < 0.7} for links in bitext.links]
    remaining = [n for n, pair in enumerate(text) if all(pair)]  # the other words are not in the text
    aligner = WordAligner.count(spelled(text), map(links_text, bitext.links), map(links_text, reverse))
    model = twin.parse(text_of(aligner))
    forward, backward = ([sorted(links[n]) for n in remaining] for links in (bitext.links, reverse))
    counts = twin.count([text[n] for n in remaining], forward, backward)
    assert model.links == {pair: twin.encode(count) for pair, count in counts.links.items()}
    assert model.source_jumps == list(map(twin.encode, counts.source_jumps.values()))
    assert model.target_jumps == list(map(twin.encode, counts.target_jumps.values()))
    for words, unaligned in ((model.sources, counts.unaligned_source), (model.targets, counts.unaligned_target)):
        assert [code for _, code in words.values()] == [twin.encode(unaligned[word]) for word in words]


@given(texts(), st.integers(0, 12))
def test_a_limit_on_pairs(text: list[twin.Pair], most: int) -> None:
    """The most strongly associated pairs stay."""
    assert_strongest_stay(text, most)


def assert_strongest_stay(text: list[twin.Pair], most: int) -> None:
    remaining, everything = (
        twin.parse(learnt(text, 1, 0, **limit)).links.keys() for limit in ({"most_pairs": most}, {})
    )
    assert len(remaining) <= most
    assert remaining <= twin.candidates(text).keys()
    places = [{word: {n for n, pair in enumerate(text) if word in pair[side]} for pair in text for word in pair[side]}
              for side in (0, 1)]  # fmt: skip
    strength = {(e, f): twin.association(places[0][e], places[1][f], len(text)) for e, f in everything | remaining}
    for weaker in remaining:
        assert all(strength[pair] < strength[weaker] * 1.01 + 0.1 for pair in everything - remaining)


@pytest.mark.parametrize("most", [3, 7, 11])
def test_a_limit_on_pairs_of_strongly_associated_words(most: int) -> None:
    """All pairs have scores of hundreds of nats, but the limit still separates them."""
    source, target, _ = bilingual(300, seed=5)
    text = [(item.split(), other.split()) for item, other in zip(source, target, strict=True)]
    assert_strongest_stay(text, most)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_limit_on_pairs_of_many_words(threads: int) -> None:
    """Enough pairs that some are dropped before all are found."""
    text = [([f"a{i}"], [f"b{i}"]) for i in range(10_000) for _ in range(1 + i % 4)]
    remaining = twin.parse(learnt(text, 1, 0, most_pairs=2600, threads=threads)).links.keys()
    assert remaining == {(f"a{i}", f"b{i}") for i in range(3, 10_000, 4)}


# The same result for irrelevant changes.


@pytest.mark.parametrize("threads", [1, 3])
def test_threads_and_parts_do_not_matter(sample: tuple[list[str], list[str]], threads: int) -> None:
    source, target = sample
    text = TextToAlign(source, target)
    numbers = random.Random(threads)
    trainer = AlignmentTrainer(text.pairs, pieces, pieces, model1_rounds=2, markov_rounds=1, threads=threads)
    for _ in range(trainer.rounds):
        ends = [0, *sorted(numbers.sample(range(len(source)), threads - 1)), len(source)]
        parts = list(pairwise(ends))
        numbers.shuffle(parts)
        for begin, end in parts:
            trainer.expect(begin, end, threads)
        trainer.maximize(threads)
    counts = trainer.counts()
    right = AlignmentTrainer(text.pairs, pieces, pieces, model1_rounds=2, markov_rounds=1)
    for _ in range(right.rounds):
        right.expect(0, len(source))
        right.maximize()
    assert counts == right.counts()
    model = AlignmentModel.parse(counts, pieces, pieces, threads=threads)
    assert model.text() == counts
    item, other = TextAligner(model, text.pairs), TextAligner(model_of(counts), text.pairs)
    assert item.align(0, 500, threads) + item.align(500, len(source), threads) == other.align(0, len(source))


def test_a_loaded_model_gives_the_links_of_training(sample: tuple[list[str], list[str]], tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    aligner, links = learn_and_align(*sample, threads=2, progress=lambda *call: calls.append(call))
    result = list(links)
    assert list(dict.fromkeys(call[0] for call in calls)) == ["learn to align", "align"]
    for stage in ("learn to align", "align"):
        done = [call[1] for call in calls if call[0] == stage]
        assert done == sorted(done)
        assert done[-1] == len(sample[0])
    aligner.save(tmp_path / "model.gz")
    loaded = WordAligner.load(tmp_path / "model.gz")
    assert list(loaded.align(TextToAlign(*sample))) == result
    loaded.save(tmp_path / "again.gz")
    assert (tmp_path / "again.gz").read_bytes() == (tmp_path / "model.gz").read_bytes()


def test_a_pairs_links_do_not_depend_on_its_neighbors(sample: tuple[list[str], list[str]]) -> None:
    aligner, links = learn_and_align(*sample, threads=1)
    together = list(links)
    for part in (slice(7, 8), slice(0, 60), slice(None, None, -3)):
        text = TextToAlign(sample[0][part], sample[1][part])
        assert list(aligner.align(text)) == together[part]


# Known facts.


def test_unknown_words_of_the_same_spelling(bilingual_model: WordAligner) -> None:
    text = TextToAlign(["w1 Müller １２３ w2 NATO"], ["w2x nato w1x müller 123"])
    assert list(bilingual_model.align(text)) == [("0-2 1-3 2-4 3-0 4-1",) * 2]


def test_a_rare_word_has_the_partner_of_its_pieces() -> None:
    """反对党 is new; 反对 and 党 are not."""
    lines = {"反对 计划": "oppose plan", "计划 好": "plan good", "反对 好": "oppose good", "党 好": "party good",
             "党 计划": "party plan"}  # fmt: skip
    text = TextToAlign(list(lines) * 20, list(lines.values()) * 20)
    aligner = WordAligner.learn(text)
    assert list(aligner.align(TextToAlign(["计划 反派"], ["opposition plan"]))) == [("0-1 1-0",) * 2]


def test_given_links_that_do_not_fit() -> None:
    text = TextToAlign(["a b", "", "c"], ["x", "y", "z"])
    with pytest.raises(InputError, match=r"^line 2: link 0-1 is outside the sentences"):
        WordAligner.count(text, ["0-0", "", "0-1"], ["", "", ""])
    with pytest.raises(InputError, match=r"^expected one line of links per sentence pair"):
        WordAligner.count(text, ["0-0"], ["", "", ""])
    with pytest.raises(InputError, match="expected alignment points like 0-3"):
        WordAligner.count(text, ["0", "", ""], ["", "", ""])


# Text of any kind.


def test_different_numbers_of_lines() -> None:
    with pytest.raises(InputError, match=r"^line 2: the target text ends before the source text"):
        TextToAlign(["a", "b"], ["c"])
    with pytest.raises(InputError, match=r"^line 1: the source text ends before the target text"):
        TextToAlign([], ["c"])


@pytest.mark.parametrize(("tokens", "aligned"), [(LONGEST_SIDE, True), (LONGEST_SIDE + 1, False)])
def test_empty_and_very_long_sides_have_no_links(tokens: int, aligned: bool) -> None:
    text = TextToAlign(["b c", "", "b", "w " * tokens, "b"], ["y z", "x", " \t", "y", "y"])
    assert text.left_out == ({1, 2} if aligned else {1, 2, 3})
    links = list(WordAligner.learn(text).align(text))
    assert [bool(forward) for forward, _ in links] == [True, False, False, aligned, True]
    assert [bool(reverse) for _, reverse in links] == [True, False, False, aligned, True]


ODD_TOKENS = ["\0", "a\0b", "👍🏽", "¨", "ﾠ", "\ufdfa", "ǅ", "\u200b", "\ufeff", "中" * 350_000, "x" * 1_000_000]


@pytest.mark.parametrize("token", ODD_TOKENS, ids=lambda token: ascii(token[:5]))
def test_odd_tokens_are_tokens(token: str, tmp_path: Path) -> None:
    """They keep their position among the other pairs, also in a saved model."""
    text = TextToAlign([f"a {token} b", "a", "b"] * 5, [f"y x {token}", "x", "y"] * 5)
    aligner = WordAligner.learn(text)
    links = list(aligner.align(text))
    assert links[0] == ("0-1 1-2 2-0",) * 2
    aligner.save(tmp_path / "model")
    assert list(WordAligner.load(tmp_path / "model").align(text)) == links


@given(st.text(min_size=1).filter(lambda text: not any(c.isspace() for c in text)))
def test_a_spelling_is_one_token(token: str) -> None:
    assert len(alignment_spelling(token).split()) == 1
    assert pieces(alignment_spelling(token))


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=5))
def test_any_text_is_aligned(lines: list[tuple[str, str]]) -> None:
    source, target = [a for a, _ in lines], [b for _, b in lines]
    aligner, links = learn_and_align(source, target, threads=1)
    for (forward, reverse), a, b in zip(links, source, target, strict=True):
        for link in (forward + " " + reverse).split():
            i, j = map(int, link.split("-"))
            assert i < len(a.split())
            assert j < len(b.split())
    assert model_of(text_of(aligner)).text() == text_of(aligner)


# Damaged models.

GOOD = learnt([(["a", "b"], ["x", "y"]), (["a"], ["x"]), (["b", "c"], ["y", "z"])])
GOOD_LINES = GOOD.splitlines()


def message_of(content: bytes, path: Path) -> str:
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        WordAligner.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert message.endswith("; copy the model again, or train it again")
    assert "\n" not in message
    return message.removeprefix(f"{path}:").removesuffix("; copy the model again, or train it again")


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (1, "widl alignment model 10", "another format"),
        (2, GOOD_LINES[1] + " 1", "401 jumps were expected"),
        (4, "3 3 3", "extra text after the last number"),
        (5, "", "a word was expected"),
        (5, "x 0 3", "a word that never occurs"),
        (6, "x 2 3", "an earlier line already has this word"),
        (8, "a 2 3 0 9 0 9", "a link to an unknown target word"),
    ],
)
def test_a_damaged_line_is_named(number: int, line: str, message: str, tmp_path: Path) -> None:
    lines = [*GOOD_LINES[: number - 1], line, *GOOD_LINES[number:]]
    result = message_of("".join(f"{line}\n" for line in lines).encode(), tmp_path / "model")
    assert result.startswith(f"{number}: ")
    assert message in result


def test_models_that_end_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "model"
    assert message_of(b"", path) == "1: the model ends too early"
    assert message_of(GOOD.encode()[:-1], path) == f"{len(GOOD_LINES)}: the model ends too early"
    assert message_of(GOOD.encode() + b"\n", path) == f"{len(GOOD_LINES)}: extra lines after the last word"
    assert message_of(GOOD.replace("\nx ", "\nx\xff ").encode("latin-1"), path) == "5: not UTF-8"
    whole = gzip.compress(GOOD.encode())
    (tmp_path / "model.gz").write_bytes(whole[:-9])
    with pytest.raises(InputError, match=r"model.gz: not a complete compressed file"):
        WordAligner.load(tmp_path / "model.gz")
    (tmp_path / "model.gz").write_bytes(whole)
    assert text_of(WordAligner.load(tmp_path / "model.gz")) == GOOD


def test_words_that_a_header_only_claims_take_no_memory(tmp_path: Path) -> None:
    """The text is long enough for this number of words, as lines of one letter."""
    lines = [*GOOD_LINES[:3], "90000000 90000000", "x" * 100_000_000]
    content = "".join(f"{line}\n" for line in lines).encode()
    assert message_of(content, tmp_path / "model").startswith("5: a number up to")


@given(data=st.data())
def test_any_damage_is_noticed_or_harmless(data: st.DataObject, tmp_path: Path) -> None:
    """A damaged model that can still be read may align differently, but it aligns."""
    content = bytearray(GOOD.encode()[: data.draw(st.integers(0, len(GOOD)) | st.just(len(GOOD)))])
    # Jumps make up most of a model; half of the changes come after them.
    last = max(0, len(content) - 1)
    places = st.integers(0, last) | st.integers(max(0, last - 40), last)
    bytes_ = st.integers(0, 255) | st.sampled_from(b"\n 0189a\0\t")
    for place, byte in data.draw(st.lists(st.tuples(places, bytes_), max_size=3)):
        if content:
            content[place] = byte
    path = tmp_path / "model"
    path.write_bytes(content)
    try:
        aligner = WordAligner.load(path)
    except InputError as error:
        assert str(error).startswith(f"{path}:")
        number, rest = str(error).removeprefix(f"{path}:").split(": ", 1)
        assert 1 <= int(number) <= content.count(b"\n") + 1
        assert rest.endswith("; copy the model again, or train it again")
        return
    links = list(aligner.align(TextToAlign(["a b q"], ["x y q"])))
    assert len(links) == 1
