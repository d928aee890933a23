"""Phrase pairs that are extracted, counted and scored in files, in bounded memory.

The text is in parts, and its source phrases are in shards, by their hashes: core/phrase_table/phrase_shards.hpp. Counts
are integers, and scores depend on them only, so the table does not depend on the number of parts or shards.
"""

import pickle
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TypeVar

from widl._core import PhraseScorer, TextCounts, extract_shards, merge_shard, target_totals
from widl.common.workers import Progress, chunked, no_progress
from widl.phrase_table.entries import Item
from widl.phrase_table.extraction import ExtractionOptions, read_bitext, sentence_pairs
from widl.phrase_table.reordering import REORDERING

T = TypeVar("T")

_LEAST_PAIRS = 5_000  # minimum size of a part; a few seconds of work
_FEW_SHARDS = 16  # minimum number of shards, if there are as many parts
_PAIR_BYTES = 15_000  # memory of a sentence pair's phrase pairs while a part or a shard is processed
_BLOCK = 1 << 20  # bytes of scored phrases in a file, about

Part = tuple[int, Path]
"""The number of its first line, from 0, and its file."""


@dataclass
class PhraseBatch:
    """A batch for `widl._core.PhraseScorer`."""

    items: list[Item] = field(default_factory=list)
    pairs: int = 0
    occurrences: int = 0


class PhraseShards:
    """The phrase pairs of aligned text, for `build_phrase_table`; see `extract_phrases` for text and options."""

    def __init__(
        self,
        source_lines: Iterable[str],
        target_lines: Iterable[str],
        alignments: Iterable[str],
        folder: Path,
        *,
        options: ExtractionOptions,
        memory: int,
        in_domain: int = 0,
        threads: int = 1,
        progress: Progress = no_progress,
    ) -> None:
        """Phrase pairs are extracted and counted, not yet scored.

        `folder` takes the files. `memory`: the approximate number of bytes of a part, or a shard. `in_domain`: lines at
        the beginning that are in-domain.
        """
        self.sentences, self.max_length = 0, options.max_length
        self.reordering, self._smoothed = options.reordering == REORDERING, options.smoothing != "none"
        self._threads, self._progress = threads, progress
        self._folder, self._files = folder, 0
        part_pairs = max(_LEAST_PAIRS, memory // _PAIR_BYTES)
        parts = self._written(sentence_pairs(source_lines, target_lines, alignments), part_pairs)
        shards = max(1, min(len(parts), max(_FEW_SHARDS, -(-self.sentences // part_pairs))))
        self._counts = self._count(parts, in_domain)
        self.has_in_domain = self._counts.has_in_domain
        extracted = [self._extract(part, shards) for part in self._watched("extract", parts)]
        self.occurrences = 0
        self._by_count = [0] * 5
        """Number of distinct phrase pairs, and of pairs that occur once, twice, three and four times."""
        merged, asked = [], []
        for files in self._watched("merge", list(zip(*extracted, strict=True))):
            pairs, of_shard, by_count, occurrences = merge_shard(list(map(_taken, files)), shards)
            merged.append(self._write(pairs))
            asked.append([self._write(targets) for targets in of_shard])
            self._by_count = [a + b for a, b in zip(self._by_count, by_count, strict=True)]
            self.occurrences += occurrences
        answers = [
            [self._write(answer) for answer in target_totals(list(map(_taken, files)))]
            for files in self._watched("add up", list(zip(*asked, strict=True)))
        ]
        self._to_score = list(zip(merged, zip(*answers, strict=True), strict=True))
        self._batches: Iterator[PhraseBatch] | None = None

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""
        return self._counts.target_words()

    def next_batch(self) -> PhraseBatch | None:
        """The next batch, or None after the last."""
        if self._batches is None:
            self._batches = self._scored()
        return next(self._batches, None)

    def _write(self, content: bytes) -> Path:
        """A new file."""
        self._files += 1
        path = self._folder / str(self._files)
        path.write_bytes(content)
        return path

    def _watched(self, stage: str, items: list[T]) -> Iterator[T]:
        """The items, with reports of progress."""
        for done, item in enumerate(items, 1):
            yield item
            self._progress(stage, done, len(items))

    def _written(self, lines: Iterable[tuple[str, str, str]], size: int) -> list[Part]:
        parts = []
        for part in chunked(lines, size):
            content = "\n".join(line.replace("\n", " ") for line in chain.from_iterable(part)).encode("utf-8")
            parts.append((self.sentences, self._write(content)))
            self.sentences += len(part)
        return parts

    def _count(self, parts: list[Part], in_domain: int) -> TextCounts:
        """The counts of words and links in all parts."""
        counts = TextCounts()
        for first, path in self._watched("count words", parts):
            counts.add(TextCounts.of(read_bitext(*_sides(path.read_bytes()), first=first, in_domain=in_domain)))
        return TextCounts.parse(counts.numbered())

    def _extract(self, part: Part, shards: int) -> list[Path]:
        """A file of the part's phrase pairs for each shard."""
        bitext = self._counts.part()
        read_bitext(*_sides(_taken(part[1])), into=bitext)
        extracted = extract_shards(
            bitext, shards, max_length=self.max_length, reordering=self.reordering, threads=self._threads
        )
        return list(map(self._write, extracted))

    def _scored(self) -> Iterator[PhraseBatch]:
        streams = []
        for pairs, answers in self._watched("score shards", self._to_score):
            numbers, files = self._score(_taken(pairs), list(map(_taken, answers)))
            streams.append(_Sorted(pickle.loads(_taken(file)) for file in files))
            yield numbers
        for items in _in_order(streams):
            yield PhraseBatch(items)

    def _score(self, pairs: bytes, answers: list[bytes]) -> tuple[PhraseBatch, list[Path]]:
        """A batch with the numbers of a shard, and files of its scored phrases, in order."""
        scorer = PhraseScorer(
            self._counts,
            pairs,
            answers,
            self._by_count,
            max_length=self.max_length,
            reordering=self.reordering,
            smoothed=self._smoothed,
            threads=self._threads,
        )
        numbers, files = PhraseBatch(), []
        items: list[Item] = []
        size = 0
        while (batch := scorer.next_batch()) is not None:
            numbers.pairs += batch.pairs
            numbers.occurrences += batch.occurrences
            for item in batch.items:
                items.append(item)
                size += len(item[0]) + len(item[1])
                if size >= _BLOCK:
                    files.append(self._write(pickle.dumps(items)))
                    items, size = [], 0
        if items:
            files.append(self._write(pickle.dumps(items)))
        return numbers, files


def _taken(path: Path) -> bytes:
    """The content of a file, which is deleted."""
    content = path.read_bytes()
    path.unlink()
    return content


def _sides(content: bytes) -> Iterator[list[str]]:
    """The lines of each side of a part, and of links."""
    lines = content.decode("utf-8").split("\n")
    return (lines[side::3] for side in range(3))


@dataclass
class _Sorted:
    """Sorted items that come in blocks; one block is in memory."""

    blocks: Iterator[list[Item]]
    block: list[Item] = field(default_factory=list)
    done: int = 0

    def is_left(self) -> bool:
        """Whether there are more items; the block then has some of them."""
        if self.done == len(self.block):
            self.block, self.done = next(self.blocks, []), 0
        return bool(self.block)

    def take(self, last: list[bytes]) -> list[Item]:
        """The next items of the block, up to the phrase of these words."""
        begin, self.done = self.done, bisect_right(self.block, last, self.done, key=_words)
        return self.block[begin : self.done]


def _words(item: Item) -> list[bytes]:
    """The sort key of items: words."""
    return item[0].split(b" ")


def _in_order(streams: list[_Sorted]) -> Iterator[list[Item]]:
    """All items in order. Sorting a list of sorted pieces takes a fraction of the time of `heapq.merge`."""
    while streams := [stream for stream in streams if stream.is_left()]:
        last = min(_words(stream.block[-1]) for stream in streams)  # the following items may not have been read yet
        items = [item for stream in streams for item in stream.take(last)]
        items.sort(key=_words)
        yield items
