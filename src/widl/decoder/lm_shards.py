"""Language models of text that the workers of an engine count, in files that they share.

Words are numbered in the order of their first appearance, as on one machine; then n-grams are counted in parts of the
text, and added up by hashes of their contexts. What is estimated from the sums is what one machine estimates, byte for
byte.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from widl._core import CountedText, EstimationOptions, TrainingText, WordNumbers, bytes_per_token, count_words
from widl.common.arguments import PathLike
from widl.common.exchange import Exchange, OnWorker
from widl.common.files import open_source, source_name
from widl.common.workers import opened_once
from widl.decoder.lm_estimation import MIN_MEMORY, EstimationReport, estimate_file, estimate_language_model

_MEMORY = 1 << 30  # where no limit is given
_BYTES_OF_WORD = 5  # of text, with a blank
_LEAST_BYTES = 4 << 20  # of a part; a second of work
_MOST_PARTS = 400  # and at most as many shards, by hashes; there is a file for each part and shard
_FEW_SHARDS = 16  # however small they are, so that many workers have something to do
_SHARD_BYTES = 16 << 20  # of text, whose n-grams take about as much as a shard's


@dataclass(frozen=True)
class _Part:
    """Lines of a source, in a file."""

    file: str
    source: str
    first: int


def estimate_on_workers(
    sources: Sequence[Path],
    output: PathLike,
    exchange: Exchange,
    *,
    order: int,
    prune: Sequence[int] = (),
    memory: int = 0,
    temporary_directory: Path | None = None,
) -> EstimationReport:
    """As `widl.decoder.lm_estimation.estimate_language_model`, where workers count.

    `memory` (0: 1 GB) and `temporary_directory` are of this machine. Text that fits into the memory is counted here:
    that takes less than to sort what workers have counted.
    """
    memory = max(memory or _MEMORY, MIN_MEMORY)
    if _fits(sources, order, memory):
        return estimate_language_model(
            sources, output, order=order, prune=prune, memory=memory, temporary_directory=temporary_directory
        )

    def read(folder: Path) -> CountedText:
        text = CountedText(order=order, memory=memory, directory=str(temporary_directory or folder))
        _count(text, sources, order, exchange)
        return text

    return estimate_file(output, EstimationOptions(order=order, prune=list(prune)), read)


def _fits(sources: Sequence[Path], order: int, memory: int) -> bool:
    """Whether the text probably fits; if it doesn't after all, it is sorted on disk."""
    words = sum(source.stat().st_size for source in sources) // _BYTES_OF_WORD
    return words * bytes_per_token(order) <= memory


def _count(text: CountedText, sources: Sequence[Path], order: int, exchange: Exchange) -> None:
    folder = exchange.folder
    size = sum(source.stat().st_size for source in sources)
    parts = list(_written(sources, max(_LEAST_BYTES, -(-size // _MOST_PARTS)), exchange))
    shards = min(len(parts), max(_FEW_SHARDS, -(-size // _SHARD_BYTES)))
    for words in exchange.map("count lm words", _Words(folder), parts):
        text.add_words(folder.read(words))
        folder.discard(words)
    numbered = folder.write("words", text.numbered())
    runs = exchange.by_shard("count n-grams", _CountNGrams(folder, numbered, order, shards), parts)
    folder.discard(*(part.file for part in parts))
    added = exchange.map("add up n-grams", _AddNGrams(folder, numbered, order), runs)
    for files, merged in zip(runs, added, strict=True):
        text.add_run(folder.read(merged))
        folder.discard(merged, *files)
    folder.discard(numbered)


def _written(sources: Sequence[Path], size: int, exchange: Exchange) -> Iterator[_Part]:
    for source in sources:
        first = 1
        with open_source(source) as stream:
            while lines := stream.readlines(size):
                yield _Part(exchange.folder.write("text", b"".join(lines)), source_name(source), first)
                first += len(lines)


class _OnText(OnWorker):
    """Work on a part of the text."""

    def fill(self, text: TrainingText, part: _Part) -> None:
        """Add the part's lines to `text`."""
        text.begin_source(part.source, part.first)
        text.add(self.folder.read(part.file))


def _numbers_in(work: "_CountNGrams | _AddNGrams") -> WordNumbers:
    def make() -> WordNumbers:
        return WordNumbers(work.folder.read(work.numbered), order=work.order)

    return opened_once((work.numbered, work.order), make)


@dataclass(frozen=True)
class _Words(_OnText):
    """The words of a part."""

    def __call__(self, part: _Part, _threads: int) -> str:
        text = TrainingText()
        self.fill(text, part)
        return self.folder.write("counted", count_words(text))


@dataclass(frozen=True)
class _CountNGrams(_OnText):
    """The n-grams of a part, in a file for each hash of contexts."""

    numbered: str
    order: int
    runs: int

    def __call__(self, part: _Part, _threads: int) -> list[str]:
        numbers = _numbers_in(self)
        text = numbers.part()
        self.fill(text, part)
        return [self.folder.write("ngrams", run) for run in numbers.count(text, self.runs)]


@dataclass(frozen=True)
class _AddNGrams(OnWorker):
    """The n-grams of all parts for a hash of contexts, in a file."""

    numbered: str
    order: int

    def __call__(self, files: list[str], _threads: int) -> str:
        merged = _numbers_in(self).merge(list(map(self.folder.read, files)))
        return self.folder.write("ngrams", merged)
