"""Text for the language models of the word-ordering experiment, as its test sentences are."""

import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from widl.errors import InputError
from widl.experiments.penn_tokens import PennTokenizer
from widl.experiments.word_order import without_final_punctuation
from widl.files import read_lines

_SYMBOLS = frozenset(["<s>", "</s>", "<unk>"])


def training_lines(file: Path) -> Iterator[str]:
    """Language-model text as the test sentences are: Penn tokens in lower case, without final punctuation."""
    tokenizer = PennTokenizer()
    for line in read_lines(file):
        words = [word for word in tokenizer.tokenize(line) if word not in _SYMBOLS]
        if words := without_final_punctuation([word.lower() for word in words]):
            yield " ".join(words)


def sample_lines(lines: Sequence[str], words: int, *, seed: int) -> list[str]:
    """Lines drawn at random until they have so many words; a larger sample of the same seed contains a smaller one."""
    drawn = list(lines)
    random.Random(f"{seed} sample").shuffle(drawn)
    for count, total in enumerate(accumulate(len(line.split(" ")) for line in drawn), 1):
        if total >= words:
            return drawn[:count]
    raise InputError(f"a sample of {words:,} words: the texts have fewer; leave this size out")
