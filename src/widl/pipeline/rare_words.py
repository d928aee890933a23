"""Splits words of training text: rare Chinese ones, as translation splits words that the phrase table lacks, and
compounds.
"""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from widl.common.files import read_lines, replace_durably, write_text
from widl.text.compounds import CompoundSplitter, write_counts
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
    cut: dict[str, list[str]] = {}
    for word, in_vocabulary in zip(rare, known_pieces(rare, is_common), strict=True):
        if pieces := segment_words(word, in_vocabulary):
            cut[word] = [word[begin:end] for begin, end in pieces]
    tokens = _rewrite(path, lambda words: (piece for word in words for piece in cut.get(word, [word])))
    logger.info("%s: %d of %d words cut into commoner ones", path, len(cut), len(counts))
    return tokens


def split_compounds(path: Path, counts: Path) -> int:
    """Split the compounds of a token file into its other words, whose counts are written to a file for later text.

    Returns the new number of tokens in the file.
    """
    write_counts(read_lines(path), counts)
    return _rewrite(path, CompoundSplitter.load(counts).split)


def _rewrite(path: Path, change: Callable[[list[str]], Iterable[str]]) -> int:
    """Writes a token file anew with the tokens of each line changed; returns the new number of tokens."""
    temporary = path.with_name(f"{path.name}.cut")
    tokens = 0
    with write_text(temporary) as file:
        for line in read_lines(path):
            words = [*change(line.split())]
            tokens += len(words)
            file.write(" ".join(words) + "\n")
    replace_durably(temporary, path)
    return tokens
