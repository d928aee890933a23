"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from widl._core import tile_sentence
from widl.decoder import (
    TRANSLATION_FEATURES,
    Algorithm,
    Realization,
    Realizer,
    SearchOptions,
    Tiles,
    load_language_model,
    read_weights,
    weight_vector,
)
from widl.errors import InputError
from widl.phrase_table.storage import PhraseTable, source_key
from widl.phrase_table.text import SourceText, TargetText
from widl.phrase_table.truecasing import Truecaser
from widl.pipeline.model_directory import read_manifest

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_SENTENCE_ENDS = frozenset("。！？；.!?;")
_CLAUSE_ENDS = frozenset("，、：,:")


@dataclass(frozen=True, kw_only=True)
class TranslationOptions:
    """How to tile and search.

    search: ``astar-k`` (only states at most `k` words shorter than the longest, Soricut & Marcu 2006, §5) or
    ``astar`` (exact, within the budget). beam_prob: alternatives need p(e|f) of at least so much of their span's
    best. beam_size: and only so many of them, best estimates first. distortion_limit: largest jump in source
    positions, or None. max_states, max_seconds: budget of a line's search, 0 for none.
    """

    search: str = "astar-k"
    k: int = 2
    beam_prob: float = 0.01
    beam_size: int = 20
    distortion_limit: int | None = 6
    max_states: int = 0
    max_seconds: float = 0.0

    def search_options(self) -> SearchOptions:
        """The core's form of the options; InputError for values that make no sense."""
        algorithms = {"astar": Algorithm.astar, "astar-k": Algorithm.astar_k}
        if self.search not in algorithms:
            raise InputError(f"unknown search {self.search!r}; it is one of {', '.join(algorithms)}")
        for name, value in (("k", self.k), ("beam-size", self.beam_size), ("max-states", self.max_states)):
            if not 0 <= value < 2**31:
                raise InputError(f"{name} must not be negative or huge, but is {value}")
        if not 0 <= self.beam_prob <= 1:
            raise InputError(f"beam-prob must be between 0 and 1, but is {self.beam_prob}")
        return SearchOptions(
            algorithm=algorithms[self.search],
            lookback=self.k,
            distortion_limit=-1 if self.distortion_limit is None else self.distortion_limit,
            alternatives_per_span=self.beam_size,
            max_states=self.max_states,
            max_seconds=self.max_seconds,
        )


@dataclass(frozen=True)
class TranslatedPhrase:
    """Source positions [begin, end) and what they became, in target order."""

    begin: int
    end: int
    words: tuple[str, ...]


@dataclass(frozen=True)
class Translation:
    """One line's translation; score, bound and features add up over the pieces of a long line."""

    text: str
    source: tuple[str, ...]
    phrases: tuple[TranslatedPhrase, ...]
    score: float
    bound: float
    optimal: bool
    stopped: str
    features: dict[str, float]
    states: int
    edges: int
    seconds: float

    def as_json(self) -> dict[str, object]:
        """What ``--json`` prints."""
        names = ("text", "score", "bound", "optimal", "stopped", "features", "states", "edges", "seconds")
        phrases = [{"source": [p.begin, p.end], "words": list(p.words)} for p in self.phrases]
        return {name: getattr(self, name) for name in names} | {"source": list(self.source), "phrases": phrases}


class Translator:
    """A model directory, opened: the phrase table is mapped, not read."""

    def __init__(self, directory: Path, *, weights: Path | None = None) -> None:
        """Open a directory made by training; `weights` replaces its weights file.

        Raises InputError naming the file that is missing, damaged or does not fit.
        """
        manifest = read_manifest(directory)
        self.features = manifest.features
        self.weights = read_weights(weights or directory / manifest.weights, self.features)
        text = manifest.text_settings(directory)
        self._source = SourceText(text)
        self._target = TargetText(text, Truecaser.load(directory / manifest.truecaser))
        self._table = PhraseTable.open(directory / manifest.phrase_table)
        self._models = [load_language_model(directory / name) for name in manifest.language_models]
        self._realizer = Realizer(self._table.target_vocabulary, self._models)
        self._vector = weight_vector(self.weights, TRANSLATION_FEATURES, len(self._models))

    def translate(
        self, lines: Iterable[str], options: TranslationOptions | None = None, *, threads: int = 1
    ) -> Iterator[Translation]:
        """Translate raw lines, one result a line, in order; search runs on `threads` threads beside this one."""
        options = options or TranslationOptions()
        search = options.search_options()
        stream = iter(lines)
        with ThreadPoolExecutor(1) as searcher:
            pending = None
            # While one batch is searched the next is tokenised and tiled.
            while True:
                sources = [self._source.tokens(line) for line in islice(stream, 32 * max(threads, 1))]
                batch = [self._tile(tokens, options) for tokens in sources]
                flat = [tiles for pieces in batch for tiles in pieces]
                future = searcher.submit(self._realizer.realize, flat, self._vector, search, threads=threads)
                if pending is not None:
                    yield from self._finish(*pending)
                if not sources:
                    return
                pending = (sources, batch, future)

    def tiles(self, line: str, options: TranslationOptions | None = None) -> list[Tiles]:
        """What is realized for a raw line: one set of tiles, or several where the line is too long for one."""
        return self._tile(self._source.tokens(line), options or TranslationOptions())

    def gloss(self, line: str) -> str:
        """Each source word replaced by its likeliest translation p(e|f), in source order: a floor to compare with."""
        tokens = self._source.tokens(line)
        words: list[str] = []
        for token in tokens:
            options = self._table.options([token], limit=1)
            words += options[0].words if options else (token,)
        return self._target.text(words)

    def _tile(self, tokens: Sequence[str], options: TranslationOptions) -> list[Tiles]:
        pieces = []
        for piece in cut(tokens, LONGEST_PIECE):
            spans, keys = [], []
            for begin in range(len(piece)):
                for end in range(begin + 1, min(len(piece), begin + self._table.info.max_length) + 1):
                    spans.append((begin, end))
                    keys.append(source_key(piece[begin:end]))
            values = self._table.lookup(keys)
            entries = [(*span, value) for span, value in zip(spans, values, strict=True) if value is not None]
            vocabulary = self._table.target_vocabulary
            pieces.append(tile_sentence(vocabulary, piece, entries, beam_probability=options.beam_prob))
        return pieces

    def _finish(self, sources: list[list[str]], batch: list[list[Tiles]], future: object) -> Iterator[Translation]:
        results = iter(future.result())  # type: ignore[attr-defined]
        for tokens, pieces in zip(sources, batch, strict=True):
            yield self._join(tokens, pieces, [next(results) for _ in pieces])

    def _join(self, tokens: Sequence[str], pieces: Sequence[Tiles], results: Sequence[Realization]) -> Translation:
        words: list[str] = []
        phrases: list[TranslatedPhrase] = []
        features = [0.0] * len(self.features)
        start = 0
        for tiles, result in zip(pieces, results, strict=True):
            at = 0
            for begin, end, count, _ in result.phrases:
                phrases.append(TranslatedPhrase(start + begin, start + end, tuple(result.words[at : at + count])))
                at += count
            words += result.words
            features = [a + b for a, b in zip(features, result.features, strict=True)]
            start += len(tiles)
        return Translation(
            text=self._target.text(words),
            source=tuple(tokens),
            phrases=tuple(phrases),
            score=sum(result.score for result in results),
            bound=sum(result.bound for result in results),
            optimal=all(result.optimal for result in results),
            stopped=next((result.stopped for result in results if result.stopped), ""),
            features=dict(zip(self.features, features, strict=True)),
            states=sum(result.statistics.states for result in results),
            edges=sum(result.statistics.edges for result in results),
            seconds=sum(result.statistics.seconds for result in results),
        )


def cut(tokens: Sequence[str], longest: int) -> list[list[str]]:
    """Pieces of at most `longest` tokens, cut after the last sentence end within reach, else clause end, else anywhere.

    >>> cut(["a", ",", "b", "。", "c"], 4)
    [['a', ',', 'b', '。'], ['c']]
    """
    pieces: list[list[str]] = []
    rest = list(tokens)
    while len(rest) > longest:
        end = longest
        for marks in (_SENTENCE_ENDS, _CLAUSE_ENDS):
            found = [i for i in range(1, longest + 1) if rest[i - 1] in marks]
            if found:
                end = found[-1]
                break
        pieces.append(rest[:end])
        rest = rest[end:]
    return [*pieces, rest] if rest else pieces
