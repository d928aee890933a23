"""Language models of text that is counted in parts: those of one machine."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl._core import (
    BoundedModel,
    CountedText,
    EstimationOptions,
    NGramModel,
    TrainingText,
    WordNumbers,
    count_words,
)
from widl.common.errors import InputError
from widl.common.exchange import open_exchange
from widl.common.workers import LocalEngine
from widl.decoder import lm_shards
from widl.decoder.lm_estimation import MIN_MEMORY, estimate_language_model
from widl.decoder.lm_shards import estimate_on_workers


def arpa_of(model) -> bytes:
    pieces = []
    model.write_arpa(pieces.append)
    return b"".join(pieces)


def text_of(lines: list[str], text: TrainingText | None = None) -> TrainingText:
    text = text or TrainingText()
    text.add("".join(f"{line}\n" for line in lines).encode())
    return text


@pytest.fixture
def counted_by_workers(monkeypatch):
    """However small the text is."""
    monkeypatch.setattr(lm_shards, "_fits", lambda sources, order, memory: False)


sentences = st.lists(st.lists(st.sampled_from("abcde"), max_size=8).map(" ".join), min_size=1, max_size=12)


@given(sentences, st.integers(1, 6), st.integers(1, 4), st.randoms(use_true_random=False))
def test_parts_are_added_up(tmp_path_factory, lines, order, runs, numbers: random.Random) -> None:
    """Words in the order of the parts, n-grams in any."""
    lines = [*lines, "a b"]
    cuts = sorted({0, len(lines), *(numbers.randint(0, len(lines)) for _ in range(3))})
    parts = [lines[begin:end] for begin, end in pairwise(cuts)]
    counted = CountedText(order=order, memory=MIN_MEMORY, directory=str(tmp_path_factory.getbasetemp()))
    for part in parts:
        counted.add_words(count_words(text_of(part)))
    words = WordNumbers(counted.numbered(), order=order)
    numbers.shuffle(parts)
    files = [words.count(text_of(part, words.part()), runs) for part in parts]
    merged = [words.merge(list(of_run)) for of_run in zip(*files, strict=True)]
    numbers.shuffle(merged)
    for run in merged:
        counted.add_run(run)
    options = EstimationOptions(order=order)
    here, there = NGramModel.estimate(text_of(lines), options), BoundedModel.estimate(counted, options)
    assert (there.words, there.sentences, there.discounts) == (here.words, here.sentences, here.discounts)
    assert arpa_of(there) == arpa_of(here)


@pytest.mark.parametrize("order", [2, 4])
@pytest.mark.parametrize("least", [50, 700, 1 << 20])
def test_files_are_equal_byte_for_byte(counted_by_workers, tmp_path, monkeypatch, order, least) -> None:
    monkeypatch.setattr(lm_shards, "_LEAST_BYTES", least)
    monkeypatch.setattr(lm_shards, "_FEW_SHARDS", 3)
    monkeypatch.setattr(lm_shards, "_SHARD_BYTES", 100)
    numbers = random.Random(3)
    sources = [tmp_path / name for name in ("news", "empty", "talks")]
    for source, size in zip(sources, (40, 0, 30), strict=True):
        lines = [" ".join(f"w{int(30 ** numbers.random())}" for _ in range(numbers.randint(0, 9))) for _ in range(size)]
        source.write_text("\n".join(lines))  # the last line has no end
    expected = estimate_language_model(sources, tmp_path / "one.binary", order=order)
    told = []
    with open_exchange(LocalEngine(), tmp_path / "shared", lambda *args: told.append(args)) as exchange:
        found = estimate_on_workers(sources, tmp_path / "many.binary", exchange, order=order)
        assert list((tmp_path / "shared").iterdir()) == []
    assert found == expected
    assert (tmp_path / "many.binary").read_bytes() == (tmp_path / "one.binary").read_bytes()
    assert {stage for stage, done, total in told if done == total} == {
        "count lm words",
        "count n-grams",
        "add up n-grams",
    }


def test_a_bad_line_is_named_as_on_one_machine(counted_by_workers, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(lm_shards, "_LEAST_BYTES", 6)
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text("a b\nc d\n")
    second.write_text("a b\n\nc d\ne <s>\n")
    messages = []
    with open_exchange(LocalEngine(), tmp_path / "shared") as exchange:
        for estimate in (
            lambda: estimate_language_model([first, second], tmp_path / "lm.arpa", order=2),
            lambda: estimate_on_workers([first, second], tmp_path / "lm.arpa", exchange, order=2),
        ):
            with pytest.raises(InputError, match=rf"^{second}:4: the word <s> belongs to the model itself") as error:
                estimate()
            messages.append(str(error.value))
    assert messages[0] == messages[1]


def test_text_without_words(counted_by_workers, tmp_path) -> None:
    (tmp_path / "text").write_text("\n\n")
    with (
        open_exchange(LocalEngine(), tmp_path / "shared") as exchange,
        pytest.raises(InputError, match=r"^no words in the text; there is nothing to estimate from$"),
    ):
        estimate_on_workers([tmp_path / "text"], tmp_path / "lm.arpa", exchange, order=2)
    assert not (tmp_path / "lm.arpa").exists()


def test_damaged_files_are_refused(tmp_path) -> None:
    counted = CountedText(order=2, memory=MIN_MEMORY, directory=str(tmp_path))
    words_of_part = count_words(text_of(["a b c", "b c"]))
    counted.add_words(words_of_part)
    words = WordNumbers(counted.numbered(), order=2)
    [run] = words.count(text_of(["a b c", "b c"], words.part()), 1)
    for damaged, message in (
        (run[:-1], "damaged: it ends too early"),
        (b"\xff" + run[1:], "damaged: (a word that is not there|n-grams out of order)"),
        (run[12:24] + run[:12], "damaged: n-grams out of order"),
    ):
        with pytest.raises(InputError, match=f"^{message}$"):
            counted.add_run(damaged)
        with pytest.raises(InputError, match=f"^{message}$"):
            words.merge([damaged])
    with pytest.raises(InputError, match=r"^damaged: it ends too early$"):
        counted.add_words(words_of_part[:-1])
    with pytest.raises(InputError, match=r"^a word that the text didn't have when its words were counted$"):
        words.count(text_of(["d"], words.part()), 1)
    with pytest.raises(InputError, match=r"^at least one run is needed$"):
        words.count(text_of(["a"], words.part()), 0)


def test_text_that_fits_into_the_memory_is_not_sent(tmp_path, monkeypatch) -> None:
    text = tmp_path / "text"
    text.write_text("alpha beta gamma\n" * 100)
    told = []
    with open_exchange(LocalEngine(), tmp_path / "shared", lambda stage, *_: told[-1].add(stage)) as exchange:
        for memory in (1 << 30, 20_000):
            told.append(set())
            monkeypatch.setattr(lm_shards, "MIN_MEMORY", 0 if memory < MIN_MEMORY else MIN_MEMORY)
            estimate_on_workers(
                [text],
                tmp_path / f"{memory}.arpa",
                exchange,
                order=3,
                memory=memory,
            )
    assert told == [set(), {"count lm words", "count n-grams", "add up n-grams"}]
    assert (tmp_path / "20000.arpa").read_bytes() == (tmp_path / f"{1 << 30}.arpa").read_bytes()
