"""Word alignment: an aligner that learns from parallel text, or from given links, and aligns other text likewise.

The model and its training are the core's (core/alignment); what depends on languages is here: how words are spelt for
alignment, and what pieces they are made of.
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from widl._core import AlignmentModel, AlignmentTrainer, ParallelText, TextAligner
from widl.arguments import PathLike, strings
from widl.errors import InputError
from widl.files import open_source, write_bytes
from widl.workers import Progress, no_progress

LONGEST_LINE = 1000
"""Tokens of a line; pairs with a longer one stay without links."""

_BLOCK = 4096  # pairs between two reports of progress
_LARGE = 50_000  # pairs of which fewer rounds learn enough
_STEM = 4
_MOST_PIECES = 16  # of a word; the time that a pair of words takes grows with the product of theirs
# Penn treebank's names of signs.
_PENN_SIGNS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}", "``": '"', "''": '"'}

Links = tuple[str, str]
"""The links of a pair as lines ``0-0 1-2 …`` of source-target points: forward, reverse."""


def alignment_spelling(token: str) -> str:
    """How the aligner sees a token: lower case, compatible characters as one, Penn's names of signs as the signs.

    >>> alignment_spelling("（"), alignment_spelling("-LRB-"), alignment_spelling("President")
    ('(', '(', 'president')
    """
    lower = token.lower() if token.isascii() else "".join(unicodedata.normalize("NFKC", token).lower().split())
    return _PENN_SIGNS.get(lower, lower) or token


def pieces(word: str) -> list[str]:
    """What a word shares with words of like meaning: its characters if it is Chinese, its first letters elsewhere.

    >>> pieces("新闻"), pieces("reiterated")
    (['新', '闻'], ['reit'])
    """
    if any(character >= "\u2e80" for character in word):
        return list(word[:_MOST_PIECES])
    return [word[:_STEM]]


class TextToAlign:
    """Tokenised sentence pairs, spelt for alignment. Pairs with an empty or too long side are left out."""

    def __init__(self, source_lines: Iterable[str], target_lines: Iterable[str]) -> None:
        sides = [
            strings(lines, name, "a list of lines: [line]")
            for lines, name in ((source_lines, "source_lines"), (target_lines, "target_lines"))
        ]
        self.pairs = ParallelText()
        self.left_out: set[int] = set()
        """The numbers, from 0, of the pairs that are not in `pairs`."""
        self.size = 0
        self._spellings: dict[str, str] = {}
        for number, (source, target) in enumerate(zip_longest(*sides)):
            if source is None or target is None:
                longer, shorter = ("source", "target") if target is None else ("target", "source")
                raise InputError(
                    f"line {number + 1}: the {shorter} text ends before the {longer} text; line i of one must "
                    "translate line i of the other"
                )
            self.size += 1
            spelt = [self._spelt(source), self._spelt(target)]
            if all(0 < len(side) <= LONGEST_LINE for side in spelt):
                self.pairs.append(*map(" ".join, spelt))
            else:
                self.left_out.add(number)
        self._spellings.clear()

    def _spelt(self, line: str) -> list[str]:
        known = self._spellings
        return [known.get(token) or known.setdefault(token, alignment_spelling(token)) for token in line.split()]


class WordAligner:
    """A model of word alignment. A pair's links depend on nothing but the model and the pair."""

    def __init__(self, model: AlignmentModel) -> None:
        self._model = model

    @classmethod
    def learn(cls, text: TextToAlign, *, threads: int = 1, progress: Progress = no_progress) -> "WordAligner":
        """Learn from the text itself, by expectation maximisation; see core/alignment/trainer.hpp."""
        count = len(text.pairs)
        first, second = (8, 4) if count < _LARGE else (3, 3)
        trainer = AlignmentTrainer(
            text.pairs, pieces, pieces, model1_rounds=first, markov_rounds=second, threads=threads
        )
        for number in range(trainer.rounds):
            for begin in range(0, count, _BLOCK):
                progress("learn to align", (number * count + begin) // trainer.rounds, count)
                trainer.expect(begin, min(begin + _BLOCK, count), threads)
            trainer.maximize(threads)
        progress("learn to align", count, count)
        counts = trainer.counts()
        del trainer
        return cls(AlignmentModel.parse(counts, pieces, pieces, threads=threads))

    @classmethod
    def count(cls, text: TextToAlign, forward: Iterable[str], reverse: Iterable[str]) -> "WordAligner":
        """Learn from links that are there, a line ``0-0 1-2 …`` for each pair of the text in both directions."""
        expected = "a list of lines such as '0-0 1-2', one for each pair"
        forward, reverse = strings(forward, "forward", expected), strings(reverse, "reverse", expected)
        kept = [
            [line for number, line in enumerate(lines) if number not in text.left_out] for lines in (forward, reverse)
        ]
        return cls(AlignmentModel.count(text.pairs, kept[0], kept[1], pieces, pieces))

    @classmethod
    def load(cls, path: PathLike, *, threads: int = 1) -> "WordAligner":
        """Read what `save` wrote; InputError names the line that is damaged."""
        with open_source(path) as stream:
            content = stream.read()
        try:
            return cls(AlignmentModel.parse(content.decode("utf-8"), pieces, pieces, threads=threads))
        except InputError as error:
            fault = str(error)
        except UnicodeDecodeError as error:
            line = content[: error.start].count(b"\n") + 1
            fault = f"{line}: not UTF-8"
        raise InputError(f"{os.fspath(path)}:{fault}; copy the model again, or train it again")

    def save(self, path: PathLike, *, threads: int = 1) -> None:
        """Write the model as text, compressed where the name ends in ``.gz``; see docs/formats.md."""
        with write_bytes(path, threads=threads) as write:
            write(self._model.text().encode("utf-8"))

    def align(self, text: TextToAlign, *, threads: int = 1, progress: Progress = no_progress) -> Iterator[Links]:
        """The links of each pair, in order; none for those that the text leaves out."""
        aligner = TextAligner(self._model, text.pairs)
        aligned = _in_blocks(aligner, len(text.pairs), threads)
        for number in range(text.size):
            if number % _BLOCK == 0:
                progress("align", number, text.size)
            yield ("", "") if number in text.left_out else next(aligned)
        progress("align", text.size, text.size)


def _in_blocks(aligner: TextAligner, count: int, threads: int) -> Iterator[Links]:
    for begin in range(0, count, _BLOCK):
        yield from aligner.align(begin, min(begin + _BLOCK, count), threads)


def learn_and_align(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    *,
    threads: int = 0,
    progress: Progress = no_progress,
) -> tuple[WordAligner, Iterator[Links]]:
    """An aligner that has learnt from tokenised lines, and their links. 0 threads: all processors."""
    threads = threads or os.cpu_count() or 1
    text = TextToAlign(source_lines, target_lines)
    aligner = WordAligner.learn(text, threads=threads, progress=progress)
    return aligner, aligner.align(text, threads=threads, progress=progress)
