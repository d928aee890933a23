"""Phrase pairs that are extracted, counted and scored in files: by the workers of an engine, or in bounded memory.

The text is in parts, and its source phrases are in shards, by their hashes: core/phrase_table/phrase_shards.hpp. Counts
are integers, and scores depend on them only, so the table is the same as on one machine, for any number of parts,
shards and workers.
"""

import pickle
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain

from widl._core import PhraseBatch, PhraseScorer, TextCounts, extract_shards, merge_shard, target_totals
from widl.common.exchange import Exchange, SharedFolder, WorkerTask
from widl.common.workers import chunked, opened_once
from widl.phrase_table.extraction import ExtractionOptions, read_bitext, sentence_pairs
from widl.phrase_table.reordering import REORDERING

_LEAST_PAIRS = 5_000  # minimum size of a part; a few seconds of work
_MOST_PARTS = 400  # also the maximum number of shards; there is a file for each part and shard
_FEW_SHARDS = 16  # minimum number of shards, so that many workers have work
_SHARD_PAIRS = 20_000  # sentence pairs per shard; two million phrase pairs
_PAIR_BYTES = 15_000  # memory of a sentence pair's phrase pairs while a part or a shard is processed
_BLOCK = 1 << 20  # bytes of scored phrases in a file, about

Part = tuple[int, str]
"""The number of its first line, from 0, and its file."""


Item = tuple[bytes, bytes]
"""A source phrase, its words joined by one space, and its encoded options."""


class PhraseShards:
    """The phrase pairs of aligned text, for `build_phrase_table`; see `extract_phrases` for text and options."""

    def __init__(
        self,
        source_lines: Iterable[str],
        target_lines: Iterable[str],
        alignments: Iterable[str],
        exchange: Exchange,
        *,
        options: ExtractionOptions,
        in_domain: int = 0,
        pairs: int = 0,
        memory: int = 0,
    ) -> None:
        """Phrase pairs are extracted and counted, not yet scored.

        `in_domain`: lines at the beginning that are in-domain. `pairs`: the number of lines, by which they are divided
        among workers. `memory`: alternatively, the approximate number of bytes of a part, or a shard.
        """
        self.sentences, self.max_length = 0, options.max_length
        self.reordering, self._smoothed = options.reordering == REORDERING, options.smoothing != "none"
        self._exchange, self._folder = exchange, exchange.folder
        part_pairs = max(_LEAST_PAIRS, memory // _PAIR_BYTES if memory else -(-pairs // _MOST_PARTS))
        parts = self._written(sentence_pairs(source_lines, target_lines, alignments), part_pairs)
        shard_pairs = part_pairs if memory else _SHARD_PAIRS
        shards = max(1, min(len(parts), max(_FEW_SHARDS, -(-self.sentences // shard_pairs))))
        self._counts, self._words, self.has_in_domain = self._count(parts, in_domain)
        work = _Extract(self._folder, self._counts, shards, self.max_length, self.reordering)
        extracted = exchange.by_shard("extract", work, parts)
        self._folder.discard(*(name for _, name in parts))
        self.occurrences = 0
        self._by_count = [0] * 5
        """Number of distinct phrase pairs, and of pairs that occur once, twice, three and four times."""
        merged, asked = self._merge(extracted)
        self._to_score = list(zip(merged, self._total(asked), strict=True))
        self._batches: Iterator[PhraseBatch] | None = None

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""
        return self._words

    def next_batch(self) -> PhraseBatch | None:
        """The next batch, or None after the last."""
        if self._batches is None:
            self._batches = self._scored()
        return next(self._batches, None)

    def _written(self, lines: Iterable[tuple[str, str, str]], size: int) -> list[Part]:
        parts = []
        for part in chunked(lines, size):
            content = "\n".join(line.replace("\n", " ") for line in chain.from_iterable(part)).encode("utf-8")
            parts.append((self.sentences, self._folder.write("part", content)))
            self.sentences += len(part)
        return parts

    def _count(self, parts: list[Part], in_domain: int) -> tuple[str, list[str], bool]:
        """The merged counts of all parts, the target words, and whether any text is in-domain."""
        counts = TextCounts()
        for counted in self._exchange.map("count words", _Count(self._folder, in_domain), parts):
            counts.add(self._folder.read(counted))
            self._folder.discard(counted)
        return self._folder.write("counts", counts.numbered()), counts.target_words(), counts.has_in_domain

    def _merge(self, shards: list[list[str]]) -> tuple[list[str], list[list[str]]]:
        """The pairs of each shard. For each shard of target phrases, also the files with the counts from all shards."""
        merged, to_total = [], []
        results = self._exchange.map("merge", _Merge(self._folder, len(shards)), shards)
        for files, (pairs, asked, by_count, occurrences) in zip(shards, results, strict=True):
            merged.append(pairs)
            to_total.append(asked)
            self._by_count = [a + b for a, b in zip(self._by_count, by_count, strict=True)]
            self.occurrences += occurrences
            self._folder.discard(*files)
        return merged, [list(files) for files in zip(*to_total, strict=True)]

    def _total(self, asked: list[list[str]]) -> list[list[str]]:
        """For each shard, files with the answers from all shards."""
        answers = self._exchange.by_shard("add up", _TargetTotals(self._folder), asked)
        self._folder.discard(*chain.from_iterable(asked))
        return answers

    def _scored(self) -> Iterator[PhraseBatch]:
        work = _Score(self._folder, self._counts, self._by_count, self.max_length, self.reordering, self._smoothed)
        results = self._exchange.map("score shards", work, self._to_score)
        streams = []
        for (pairs, answers), (files, total) in zip(self._to_score, results, strict=True):
            self._folder.discard(pairs, *answers)
            streams.append(_Sorted(self._blocks(files)))
            yield PhraseBatch([], *total)
        self._folder.discard(self._counts)
        for items in _in_order(streams):
            yield PhraseBatch(items)

    def _blocks(self, files: list[str]) -> Iterator[list[Item]]:
        """The items of a shard, read from these files."""
        for file in files:
            yield pickle.loads(self._folder.read(file))
            self._folder.discard(file)


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


class _TextWork(WorkerTask):
    """Work on a part of the text."""

    def read(self, part: Part) -> Iterator[list[str]]:
        """The lines of each side, and of links."""
        _, name = part
        lines = self.folder.read(name).decode("utf-8").split("\n")
        return (lines[side::3] for side in range(3))


def _counts_in(folder: SharedFolder, name: str) -> TextCounts:
    return opened_once(name, lambda: TextCounts.parse(folder.read(name)))


@dataclass(frozen=True)
class _Count(_TextWork):
    """The words of a part, and their numbers of links."""

    in_domain: int

    def __call__(self, part: Part, _threads: int) -> str:
        first, _ = part
        bitext = read_bitext(*self.read(part), first=first, in_domain=self.in_domain)
        return self.folder.write("counted", TextCounts.of(bitext))


@dataclass(frozen=True)
class _Extract(_TextWork):
    """Extracts a part's phrase pairs for each shard, into files."""

    counts: str
    shards: int
    max_length: int
    reordering: bool

    def __call__(self, part: Part, threads: int) -> list[str]:
        bitext = _counts_in(self.folder, self.counts).part()
        read_bitext(*self.read(part), into=bitext)
        shards = extract_shards(
            bitext, self.shards, max_length=self.max_length, reordering=self.reordering, threads=threads
        )
        return [self.folder.write("phrases", shard) for shard in shards]


@dataclass(frozen=True)
class _Merge(WorkerTask):
    """Merges a shard from all parts, with the counts of its target phrases for each shard."""

    shards: int

    def __call__(self, files: list[str], _threads: int) -> tuple[str, list[str], list[int], int]:
        pairs, asked, by_count, occurrences = merge_shard(list(map(self.folder.read, files)), self.shards)
        written = [self.folder.write("targets", targets) for targets in asked]
        return self.folder.write("pairs", pairs), written, by_count, occurrences


@dataclass(frozen=True)
class _TargetTotals(WorkerTask):
    """For one shard, the answers to all shards that have target phrases in it."""

    def __call__(self, files: list[str], _threads: int) -> list[str]:
        answers = target_totals(list(map(self.folder.read, files)))
        return [self.folder.write("totals", answer) for answer in answers]


@dataclass(frozen=True)
class _Score(WorkerTask):
    """Files of the scored phrases of a shard, in order, and the numbers of its pairs and of their occurrences."""

    counts: str
    by_count: list[int]
    max_length: int
    reordering: bool
    smoothed: bool

    def __call__(self, shard: tuple[str, list[str]], threads: int) -> tuple[list[str], tuple[int, int]]:
        pairs, answers = shard
        scorer = PhraseScorer(
            _counts_in(self.folder, self.counts),
            self.folder.read(pairs),
            list(map(self.folder.read, answers)),
            self.by_count,
            max_length=self.max_length,
            reordering=self.reordering,
            smoothed=self.smoothed,
            threads=threads,
        )
        files: list[str] = []
        items: list[Item] = []
        phrase_pairs = occurrences = size = 0
        while (batch := scorer.next_batch()) is not None:
            phrase_pairs += batch.pairs
            occurrences += batch.occurrences
            for item in batch.items:
                items.append(item)
                size += len(item[0]) + len(item[1])
                if size >= _BLOCK:
                    files.append(self._block(items))
                    items, size = [], 0
        if items:
            files.append(self._block(items))
        return files, (phrase_pairs, occurrences)

    def _block(self, items: list[Item]) -> str:
        return self.folder.write("scored", pickle.dumps(items))
