"""Training in parts, which other machines count."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.test_alignment import spelled, texts
from tests.reference import word_alignment as twin
from widl._core import AlignmentShare, AlignmentTrainer, ParallelText
from widl.common.errors import InputError
from widl.phrase_table.alignment_spelling import pieces

ROUNDS = {"model1_rounds": 2, "markov_rounds": 2}


def trainer_of(text: list[twin.Pair], **options) -> AlignmentTrainer:
    return AlignmentTrainer(spelled(text).pairs, pieces, pieces, **ROUNDS, **options)


def part(text: list[twin.Pair], begin: int, end: int) -> ParallelText:
    return ParallelText.parse(spelled(text).pairs.lines(begin, end))


@given(texts(sentences=12), st.randoms(use_true_random=False))
def test_parts_are_added_up(text: list[twin.Pair], numbers: random.Random) -> None:
    """Merged counts of shards equal the counts of all sentences, bit for bit, even if some machines join late."""
    here, there = trainer_of(text), trainer_of(text, shared=True)
    start = there.take_start()
    shares = [AlignmentShare(start, pieces, pieces) for _ in range(2)]
    counted = b""
    for number in range(here.rounds):
        here.expect(0, len(text))
        cuts = sorted({0, len(text), *(numbers.randint(0, len(text)) for _ in range(numbers.randint(0, 3)))})
        ranges = list(pairwise(cuts))
        numbers.shuffle(ranges)
        for begin, end in ranges:
            share = numbers.choice(shares) if number else AlignmentShare(start, pieces, pieces)
            counts = share.expect(number, counted, part(text, begin, end))
            assert counts == share.expect(number, counted, part(text, begin, end))
            there.add(counts)
        counted = there.counted()
        assert counted == here.counted()
        here.maximize()
        there.maximize()
    assert there.counts() == here.counts()


def test_a_share_goes_to_any_round_but_back_to_the_first() -> None:
    text = [(["新闻", "国家"], ["news", "national"]), (["新闻"], ["news"]), (["国家"], ["nations"])]
    trainer = trainer_of(text, shared=True)
    share = AlignmentShare(trainer.take_start(), pieces, pieces)
    counted = [b""]
    result = []
    for number in range(trainer.rounds):
        result.append(share.expect(number, counted[number], part(text, 0, 3)))
        trainer.add(result[-1])
        counted.append(trainer.counted())
        trainer.maximize()
    for number in (1, 3, 2, 1):
        assert share.expect(number, counted[number], part(text, 0, 3)) == result[number]
    assert len(set(result)) == len(result)


def test_lines_are_pairs() -> None:
    pairs = spelled([(["a", "b"], ["c"]), (["d"], ["e", "f"])]).pairs
    assert pairs.lines(0, 2) == b"a b\tc\nd\te f\n"
    assert pairs.lines(1, 2) == b"d\te f\n"
    assert pairs.lines(2, 2) == b""
    again = ParallelText.parse(pairs.lines(0, 2))
    assert (len(again), again.lines(0, 2)) == (2, pairs.lines(0, 2))
    for damaged in (b"a b c\n", b"a\nb\tc\n"):
        with pytest.raises(InputError, match="damaged: expected a source line and a target line"):
            ParallelText.parse(damaged)


@given(texts(), st.data())
def test_damage_is_noticed_or_harmless(text: list[twin.Pair], data: st.DataObject) -> None:
    """Changed or truncated bytes are refused, or read as other counts; never a crash."""
    trainer = trainer_of(text, shared=True)
    start = trainer.take_start()
    counts = AlignmentShare(start, pieces, pieces).expect(0, b"", part(text, 0, len(text)))

    def damaged(whole: bytes) -> bytes:
        at = data.draw(st.integers(0, len(whole) - 1))
        return data.draw(st.sampled_from([whole[:at], whole[:at] + data.draw(st.binary(min_size=1)) + whole[at + 1 :]]))

    try:
        trainer.add(damaged(counts))
    except InputError as error:
        assert "damaged" in str(error) or "counts of another text" in str(error)
    try:
        share = AlignmentShare(damaged(start), pieces, pieces)
    except UnicodeDecodeError:  # of a word
        return
    except InputError as error:
        assert "damaged" in str(error)
        return
    try:
        share.expect(0, b"", part(text, 0, len(text)))
    except InputError as error:
        assert "a part of another text" in str(error)


def test_parts_of_another_text() -> None:
    text = [(["新闻"], ["news"])]
    share = AlignmentShare(trainer_of(text, shared=True).take_start(), pieces, pieces)
    with pytest.raises(InputError, match="a part of another text"):
        share.expect(0, b"", part([(["国"], ["news"])], 0, 1))
    other = trainer_of([(["新闻", "国"], ["news", "china"])], shared=True)
    counts = AlignmentShare(other.take_start(), pieces, pieces).expect(0, b"", part(text, 0, 1))
    with pytest.raises(InputError, match="counts of another text"):
        trainer_of(text).add(counts)
