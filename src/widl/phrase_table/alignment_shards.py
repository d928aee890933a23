"""Training and aligning in parts, which the workers of an engine take from files that they share.

Counts are integers, and links depend on the model and the pair only, so results are the same as on one machine, for any
number of parts or workers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from widl._core import AlignmentModel, AlignmentShare, AlignmentTrainer, ParallelText, TextAligner
from widl.common.shared_folder import Exchange, WorkerTask
from widl.common.workers import opened_once
from widl.phrase_table.alignment_spelling import pieces

_MIN_PAIRS = 5_000  # minimum size of a part; less than a second of work
_MAX_PARTS = 400  # in each round, each part writes the counts of all its word pairs

Links = tuple[str, str]
"""The links of a pair as lines ``0-0 1-2 …`` of source-target points: forward, reverse."""


class AlignmentShards:
    """The parts of a text: files of lines ``source<TAB>target``, normalized for alignment."""

    def __init__(self, text: ParallelText, exchange: Exchange) -> None:
        self._exchange, self._folder = exchange, exchange.folder
        self._size = max(_MIN_PAIRS, -(-len(text) // _MAX_PARTS))
        self._parts = [
            self._folder.write("pairs", text.lines(begin, min(begin + self._size, len(text))))
            for begin in range(0, len(text), self._size)
        ]
        self._start = self._before = ""

    def start(self, trainer: AlignmentTrainer) -> None:
        """Share the initial parameters of a `shared` trainer."""
        self._start = self._folder.write("start", trainer.take_start())

    def expect(self, trainer: AlignmentTrainer, number: int) -> Iterator[int]:
        """Give the trainer the counts of a round, part by part; yields the number of pairs processed."""
        work = _Expect(self._folder, self._start, number, self._before)
        for part, counts in enumerate(self._exchange.map("", work, self._parts)):
            yield part * self._size
            trainer.add(self._folder.read(counts))
            self._folder.discard(counts)
        self._folder.discard(self._before)
        self._before = self._folder.write("counted", trainer.counted())

    def align(self, model: AlignmentModel) -> Iterator[Links]:
        """The links of all pairs, in order; uses the parts up."""
        self._folder.discard(self._start, self._before)
        written = self._folder.write("model", model.text().encode("utf-8"))
        for links in self._exchange.map("", _Align(self._folder, written), self._parts):
            lines = self._folder.read(links).decode("ascii").splitlines()
            self._folder.discard(links)
            for line in lines:
                forward, reverse = line.split("\t")
                yield forward, reverse


@dataclass(frozen=True)
class _Expect(WorkerTask):
    """Worker side of one EM round: expected counts of a shard, given the merged counts of the previous round."""

    start: str
    number: int
    before: str

    def __call__(self, part: str) -> str:
        share = opened_once(self.start, self._share)
        before = self.folder.read(self.before) if self.before else b""
        pairs = ParallelText.parse(self.folder.read(part))
        return self.folder.write("counts", share.expect(self.number, before, pairs))

    def _share(self) -> AlignmentShare:
        return AlignmentShare(self.folder.read(self.start), pieces, pieces)


@dataclass(frozen=True)
class _Align(WorkerTask):
    """On a worker: the links of a part, a line ``forward<TAB>reverse`` for each pair."""

    model: str

    def __call__(self, part: str) -> str:
        model = opened_once(self.model, self._model)
        pairs = ParallelText.parse(self.folder.read(part))
        links = TextAligner(model, pairs).align(0, len(pairs), 1)
        lines = "".join(f"{forward}\t{reverse}\n" for forward, reverse in links)
        return self.folder.write("links", lines.encode("ascii"))

    def _model(self) -> AlignmentModel:
        return AlignmentModel.parse(self.folder.read(self.model).decode("utf-8"), pieces, pieces, threads=1)
