"""Splits rare Chinese words of training text, as translation splits words that the phrase table lacks."""

import logging
from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path

from widl.common.files import read_lines, replace_durably, write_text
from widl.text.normalization import HAN_CHARACTER
from widl.text.word_pieces import known_pieces, segment_words

logger = logging.getLogger(__name__)

_COMMON = 5  # minimum occurrences of a word that others are split into


def split_rare_words(path: Path, most: int, protected: Collection[str] = ()) -> int:
    """Split words of a token file that occur at most `most` times into words that occur five times or more.

    A word stays whole if it is `protected`, or if its split would produce more than one single character, as for most
    names. Returns the new number of tokens in the file.
    """
    counts = Counter(token for line in read_lines(path) for token in line.split())

    def is_common(words: Sequence[str]) -> list[bool]:
        return [counts[word] >= _COMMON for word in words]

    rare = [
        word
        for word, count in counts.items()
        if count <= most and word not in protected and all(map(HAN_CHARACTER.match, word))
    ]
    cut: dict[str, str] = {}
    for word, in_vocabulary in zip(rare, known_pieces(rare, is_common), strict=True):
        if pieces := segment_words(word, in_vocabulary):
            cut[word] = " ".join(word[begin:end] for begin, end in pieces)
    temporary = path.with_name(f"{path.name}.cut")
    tokens = 0
    with write_text(temporary) as file:
        for line in read_lines(path):
            words = " ".join(cut.get(token, token) for token in line.split())
            tokens += words.count(" ") + 1
            file.write(words + "\n")
    replace_durably(temporary, path)
    logger.info("%s: %d of %d words cut into commoner ones", path, len(cut), len(counts))
    return tokens
