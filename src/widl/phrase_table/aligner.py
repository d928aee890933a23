"""Word alignment: an aligner that is trained on parallel text, or on given links, and aligns new text.

The model and its training are in the core (core/alignment), the language-specific parts in
`widl.phrase_table.alignment_spelling`, and training on several machines in `widl.phrase_table.alignment_shards`.
"""

import logging
import os
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from widl._core import AlignmentModel, AlignmentTrainer, ParallelText, TextAligner
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, texts_in
from widl.common.errors import InputError
from widl.common.files import open_source, write_bytes
from widl.common.shared_folder import Exchange
from widl.common.workers import Progress, no_progress
from widl.phrase_table.alignment_shards import AlignmentShards, Links
from widl.phrase_table.alignment_spelling import alignment_spelling, pieces

logger = logging.getLogger(__name__)

LONGEST_SIDE = 1000
"""Tokens of a line; pairs with a longer side get no links."""

_BLOCK = 4096  # pairs aligned between two reports of progress
_LARGE = 50_000  # pairs; larger texts need fewer rounds


class TextToAlign:
    """Tokenized sentence pairs, normalized for alignment.

    Pairs with an empty or too long side are skipped; a warning counts the pairs that are too long.
    """

    def __init__(self, source_lines: Iterable[str], target_lines: Iterable[str]) -> None:
        sides = [
            texts_in(lines, name, "a list of lines: [line]")
            for lines, name in ((source_lines, "source_lines"), (target_lines, "target_lines"))
        ]
        self.pairs = ParallelText()
        self.left_out: set[int] = set()
        """The numbers, from 0, of the skipped pairs, which are not in `pairs`."""
        self.size = too_long = 0
        self._spellings: dict[str, str] = {}
        for number, (source, target) in enumerate(zip_longest(*sides)):
            if source is None or target is None:
                longer, shorter = ("source", "target") if target is None else ("target", "source")
                raise InputError(
                    f"line {number + 1}: the {shorter} text ends before the {longer} text; line i of one must "
                    "translate line i of the other"
                )
            self.size += 1
            spelled = [self._spelled(source), self._spelled(target)]
            if all(0 < len(side) <= LONGEST_SIDE for side in spelled):
                self.pairs.append(*map(" ".join, spelled))
            else:
                self.left_out.add(number)
                too_long += max(map(len, spelled)) > LONGEST_SIDE
        if too_long:
            logger.warning(
                "%s pairs with more than %s tokens on a side were left unaligned",
                f"{too_long:,}",
                f"{LONGEST_SIDE:,}",
            )
        self._spellings.clear()

    def _spelled(self, line: str) -> list[str]:
        cache = self._spellings
        return [cache.get(token) or cache.setdefault(token, alignment_spelling(token)) for token in line.split()]


@checked
class WordAligner:
    """A word-alignment model. The links of a pair depend on the model and the pair only."""

    def __init__(self, model: AlignmentModel) -> None:
        self._model = model

    @classmethod
    def learn(
        cls,
        text: TextToAlign,
        *,
        threads: int = 1,
        progress: Progress = no_progress,
        shards: AlignmentShards | None = None,
    ) -> "WordAligner":
        """Train on the text, in `shards` if given, by expectation maximization; see core/alignment/trainer.hpp."""
        count = len(text.pairs)
        first, second = (8, 4) if count < _LARGE else (3, 3)
        trainer = AlignmentTrainer(
            text.pairs,
            pieces,
            pieces,
            model1_rounds=first,
            markov_rounds=second,
            threads=threads,
            shared=shards is not None,
        )
        if shards is not None:
            shards.start(trainer)
        for number in range(trainer.rounds):
            counted = shards.expect(trainer, number) if shards else _expected_here(trainer, count, threads)
            for done in counted:
                progress("learn to align", (number * count + done) // trainer.rounds, count)
            trainer.maximize(threads)
        progress("learn to align", count, count)
        counts = trainer.counts()
        del trainer
        return cls(AlignmentModel.parse(counts, pieces, pieces, threads=threads))

    @classmethod
    def count(cls, text: TextToAlign, forward: Iterable[str], reverse: Iterable[str]) -> "WordAligner":
        """Train on given links: in both directions, a line ``0-0 1-2 …`` for each pair of the text."""
        expected = "a list of lines such as '0-0 1-2', one for each pair"
        forward, reverse = texts_in(forward, "forward", expected), texts_in(reverse, "reverse", expected)
        selected = [
            [line for number, line in enumerate(lines) if number not in text.left_out] for lines in (forward, reverse)
        ]
        return cls(AlignmentModel.count(text.pairs, selected[0], selected[1], pieces, pieces))

    @classmethod
    def load(cls, path: PathLike, *, threads: int = 1) -> "WordAligner":
        """Read a file of `save`; InputError names a damaged line."""
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

    def save(self, path: PathLike) -> None:
        """Write the model as text, compressed if the name ends in ``.gz``; see docs/formats.md."""
        with write_bytes(path) as write:
            write(self._model.text().encode("utf-8"))

    def align(
        self,
        text: TextToAlign,
        *,
        threads: int = 1,
        progress: Progress = no_progress,
        shards: AlignmentShards | None = None,
    ) -> Iterator[Links]:
        """The links of each pair, in order; skipped pairs have none. `shards` are the parts of the text."""
        if shards is not None:
            aligned = shards.align(self._model)
        else:
            aligned = _in_blocks(TextAligner(self._model, text.pairs), len(text.pairs), threads)
        for number in range(text.size):
            if number % _BLOCK == 0:
                progress("align", number, text.size)
            yield ("", "") if number in text.left_out else next(aligned)
        progress("align", text.size, text.size)


def _expected_here(trainer: AlignmentTrainer, count: int, threads: int) -> Iterator[int]:
    for begin in range(0, count, _BLOCK):
        yield begin
        trainer.expect(begin, min(begin + _BLOCK, count), threads)


def _in_blocks(aligner: TextAligner, count: int, threads: int) -> Iterator[Links]:
    for begin in range(0, count, _BLOCK):
        yield from aligner.align(begin, min(begin + _BLOCK, count), threads)


@checked
def learn_and_align(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    *,
    threads: int = 0,
    progress: Progress = no_progress,
    exchange: Exchange | None = None,
) -> tuple[WordAligner, Iterator[Links]]:
    """Train an aligner on tokenized lines; also return the links of these lines. threads: 0 uses all processors.
    `exchange`: workers that count and align instead of this process's threads, with the same results.
    """
    threads = threads or os.cpu_count() or 1
    text = TextToAlign(source_lines, target_lines)
    shards = None if exchange is None else AlignmentShards(text.pairs, exchange)
    aligner = WordAligner.learn(text, threads=threads, progress=progress, shards=shards)
    return aligner, aligner.align(text, threads=threads, progress=progress, shards=shards)
