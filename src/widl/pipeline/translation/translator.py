"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass
from pathlib import Path

from widl._core import tile_sentence
from widl.decoder import (
    TRANSLATION_FEATURES,
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
from widl.pipeline.translation.options import TranslationOptions
from widl.pipeline.translation.results import Candidate, Links, TranslatedPhrase, Translation, candidate, join
from widl.workers import chunked

LONGEST_PIECE = 200
"""Tokens of a line that are realized together; longer lines are cut, after a punctuation mark if there is one."""

_SENTENCE_ENDS = frozenset("。！？；.!?;")
_CLAUSE_ENDS = frozenset("，、：,:")


@dataclass(frozen=True)
class _Batch:
    """Tokens of some lines, and the tiles of each line's pieces."""

    sources: list[list[str]]
    tiles: list[list[Tiles]]


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

    def reweighted(self, weights: Mapping[str, float]) -> "Translator":
        """The same translator with other weights; all else is shared."""
        other = copy(self)
        other.weights = dict(weights)
        other._vector = weight_vector(weights, TRANSLATION_FEATURES, len(self._models))
        return other

    def translate(
        self, lines: Iterable[str], options: TranslationOptions | None = None, *, threads: int = 1
    ) -> Iterator[Translation]:
        """Translate raw lines, one result a line, in order, on `threads` threads.

        A line that search fails on is passed through, with its `failure`.
        """
        options = options or TranslationOptions()
        search = options.search_options()
        batches = self._batches(lines, options, 32 * max(threads, 1))
        if threads <= 1:
            for batch in batches:
                yield from self._finish(batch, self._search(batch, search, 1))
            return
        # While one batch is searched by all but one thread, this one tiles the next and finishes the last.
        with ThreadPoolExecutor(1) as searcher:
            pending: deque[tuple[_Batch, Future[list[Realization | InputError]]]] = deque()
            for batch in batches:
                pending.append((batch, searcher.submit(self._search, batch, search, threads)))
                if len(pending) > 2:
                    done, future = pending.popleft()
                    yield from self._finish(done, future.result())
            for done, future in pending:
                yield from self._finish(done, future.result())

    def tiles(self, line: str, options: TranslationOptions | None = None) -> list[Tiles]:
        """What is realized for a raw line: one set of tiles, or several where the line is too long for one."""
        return self._tile(self._source.tokens(line), options or TranslationOptions())

    def links(self, source: Sequence[str], phrase: TranslatedPhrase) -> Links:
        """The word alignment inside a phrase of a translation of `source`, positions from its first words.

        What the table knows of no such pair of phrases, pass-through among it, is linked along the diagonal.
        """
        for option in self._table.options(source[phrase.begin : phrase.end]):
            if option.words == phrase.words:
                return option.alignment
        size = phrase.end - phrase.begin
        return [(j * size // len(phrase.words), j) for j in range(len(phrase.words))]

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

    def _batches(self, lines: Iterable[str], options: TranslationOptions, size: int) -> Iterator[_Batch]:
        for chunk in chunked(lines, size):
            sources = [self._source.tokens(line) for line in chunk]
            yield _Batch(sources, [self._tile(tokens, options) for tokens in sources])

    def _search(self, batch: _Batch, search: SearchOptions, threads: int) -> list[Realization | InputError]:
        """A result for each piece of each line."""
        tiles = [piece for pieces in batch.tiles for piece in pieces]
        try:
            return [*self._realizer.realize(tiles, self._vector, search, threads=threads)]
        except InputError:
            return [self._search_one(piece, search) for piece in tiles]

    def _search_one(self, tiles: Tiles, search: SearchOptions) -> Realization | InputError:
        try:
            return self._realizer.realize([tiles], self._vector, search)[0]
        except InputError as error:
            return error

    def _finish(self, batch: _Batch, found: Sequence[Realization | InputError]) -> Iterator[Translation]:
        results = iter(found)
        for tokens, pieces in zip(batch.sources, batch.tiles, strict=True):
            yield self._join(tokens, pieces, [next(results) for _ in pieces])

    def _join(
        self, tokens: Sequence[str], pieces: Sequence[Tiles], found: Sequence[Realization | InputError]
    ) -> Translation:
        results = [result for result in found if isinstance(result, Realization)]
        failures = [str(error) for error in found if isinstance(error, InputError)]
        if failures:
            nbest, results = [self._passed_through(tokens)], []
        else:
            lists, start = [], 0
            for tiles, result in zip(pieces, results, strict=True):
                lists.append([candidate(derivation, tiles, start) for derivation in result.nbest])
                start += len(tiles)
            nbest = join(lists, max(map(len, lists), default=1), len(self.features))
        texts = tuple(self._target.text(one.words) for one in nbest)
        return Translation(
            text=texts[0],
            source=tuple(tokens),
            nbest=tuple(nbest),
            texts=texts,
            feature_names=tuple(self.features),
            bound=sum(result.bound for result in results),
            optimal=not failures and all(result.optimal for result in results),
            stopped=next((result.stopped for result in results if result.stopped), ""),
            states=sum(result.statistics.states for result in results),
            edges=sum(result.statistics.edges for result in results),
            seconds=sum(result.statistics.seconds for result in results),
            failure="; ".join(failures),
        )

    def _passed_through(self, tokens: Sequence[str]) -> Candidate:
        phrases = tuple(TranslatedPhrase(i, i + 1, (token,), unknown=True) for i, token in enumerate(tokens))
        return Candidate(phrases, 0.0, (0.0,) * len(self.features))


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
