"""Phrase pairs of aligned text, in an external sort: by the workers of an engine, in files that they share.

The text is in parts, and phrases are in shards: core/phrase_table/phrase_shards.hpp. The table is the same for any
number of parts, shards and workers.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from widl._core import Bitext, PhraseBatch, TextCounts, count_targets, extract_part, score_sources
from widl.common.shared_folder import Exchange, SharedFolder, WorkerTask
from widl.common.workers import chunked, forget, opened_once
from widl.phrase_table.extraction import ExtractionOptions, sentence_pairs
from widl.phrase_table.reordering import REORDERING

_MIN_PAIRS = 5_000  # minimum size of a part; a few seconds of work
_MAX_PARTS = 400  # there is a file for each part and shard
_FEW_SHARDS = 16  # minimum number of shards, so that many workers have work
_SHARD_PAIRS = 20_000  # sentence pairs per shard; two million phrase pairs
_PAIR_BYTES = 15_000  # memory of a sentence pair's phrase pairs while a part or a shard is processed

Part = tuple[int, str]
"""The number of its first line, from 0, and its file."""


class ExtractedPhrases:
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
        self.sentences, self.max_length = 0, options.max_phrase_length
        self.reordering, self._smoothed = options.reordering == REORDERING, options.smoothing != "none"
        self.exchange, self._folder = exchange, exchange.folder
        part_pairs = max(_MIN_PAIRS, memory // _PAIR_BYTES if memory else -(-pairs // _MAX_PARTS))
        parts = self._written(sentence_pairs(source_lines, target_lines, alignments), part_pairs)
        shard_pairs = part_pairs if memory else _SHARD_PAIRS
        shards = max(1, min(len(parts), max(_FEW_SHARDS, -(-self.sentences // shard_pairs))))
        self._counts = self._count(parts, in_domain)
        self.occurrences = 0
        self._targets, self._bounds = self._extract(parts, shards)

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""
        return self._words

    def batches(self) -> Iterator[PhraseBatch]:
        """The scored phrase pairs, in the order of the table; can be called once."""
        exchange, folder = self.exchange, self._folder
        counted = list(exchange.map("count phrases", _CountTargets(folder, self._bounds), self._targets))
        folder.discard(*chain.from_iterable(self._targets))
        sources = [list(files) for files in zip(*(files for files, _ in counted), strict=True)]
        pairs = [sum(counts) for counts in zip(*(counts for _, counts in counted), strict=True)]
        work = _Score(folder, self._counts, pairs, self.reordering, self._smoothed)
        for files, scored in zip(sources, exchange.map("score shards", work, sources), strict=True):
            yield PhraseBatch.parse(folder.read(scored))
            folder.discard(scored, *files)
        folder.discard(self._counts)
        forget(self._counts)

    def _written(self, lines: Iterable[tuple[str, str, str]], size: int) -> list[Part]:
        parts = []
        for part in chunked(lines, size):
            content = "".join(line.replace("\n", " ") + "\n" for line in chain.from_iterable(part)).encode("utf-8")
            parts.append((self.sentences, self._folder.write("part", content)))
            self.sentences += len(part)
        return parts

    def _count(self, parts: list[Part], in_domain: int) -> str:
        """The file with the merged counts of all parts."""
        counts = TextCounts()
        for counted in self.exchange.map("count words", _CountWords(self._folder, in_domain), parts):
            counts.add(self._folder.read(counted))
            self._folder.discard(counted)
        written = self._folder.write("counts", counts.numbered())
        self._words, self.has_in_domain = counts.target_words(), counts.has_in_domain
        return written

    def _extract(self, parts: list[Part], shards: int) -> tuple[list[list[str]], list[bytes]]:
        """The files of each shard of target phrases, and the bounds of the shards of source phrases."""
        work = _Extract(self._folder, self._counts, shards, self.max_length, self.reordering)
        files, sample = [], []
        for (_, part), (of_part, occurrences, phrases) in zip(
            parts, self.exchange.map("extract", work, parts), strict=True
        ):
            self._folder.discard(part)
            files.append(of_part)
            self.occurrences += occurrences
            sample += phrases
        sample.sort()
        bounds = [sample[len(sample) * shard // shards] for shard in range(1, shards) if sample]
        return [list(of_shard) for of_shard in zip(*files, strict=True)], bounds


@dataclass(frozen=True)
class _CountWords(WorkerTask):
    """The words of a part, and their numbers of links."""

    in_domain: int

    def __call__(self, part: Part) -> str:
        first, name = part
        bitext = Bitext(self.folder.read(name), first=first, in_domain=self.in_domain)
        return self.folder.write("counted", TextCounts.of(bitext))


def _counts_in(folder: SharedFolder, name: str) -> TextCounts:
    return opened_once(name, lambda: TextCounts.parse(folder.read(name)))


@dataclass(frozen=True)
class _Extract(WorkerTask):
    """Extracts a part's phrase pairs: a file for each shard, their number, and a sample."""

    counts: str
    shards: int
    max_length: int
    reordering: bool

    def __call__(self, part: Part) -> tuple[list[str], int, list[bytes]]:
        bitext, counts = Bitext(self.folder.read(part[1])), _counts_in(self.folder, self.counts)
        files, occurrences, sample = extract_part(
            bitext, counts, self.shards, max_length=self.max_length, reordering=self.reordering
        )
        return [self.folder.write("phrases", file) for file in files], occurrences, sample


@dataclass(frozen=True)
class _CountTargets(WorkerTask):
    """Merges a shard of target phrases: a file for each shard of source phrases, and numbers of pairs."""

    bounds: list[bytes]

    def __call__(self, files: list[str]) -> tuple[list[str], list[int]]:
        shards, pairs = count_targets(list(map(self.folder.read, files)), self.bounds)
        return [self.folder.write("pairs", shard) for shard in shards], pairs


@dataclass(frozen=True)
class _Score(WorkerTask):
    """The file of the scored phrases of a shard of source phrases."""

    counts: str
    pairs: list[int]
    reordering: bool
    smoothed: bool

    def __call__(self, files: list[str]) -> str:
        counts = _counts_in(self.folder, self.counts)
        read = list(map(self.folder.read, files))
        batch = score_sources(read, counts, self.pairs, reordering=self.reordering, smoothed=self.smoothed)
        return self.folder.write("scored", batch.serialized())
