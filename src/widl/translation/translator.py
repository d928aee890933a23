"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

import logging
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path

from widl.arguments import PathLike, path_of, paths_of, strings, text_of
from widl.closing import Closing
from widl.decoder import (
    CoreRealizer,
    Lattice,
    Realization,
    SearchOptions,
    Tiles,
    check_names,
    load_language_model,
    read_weights,
    with_origins,
)
from widl.errors import InputError
from widl.manifests import MANIFEST
from widl.phrase_table.storage import PhraseTable
from widl.shared_files import SharedFiles
from widl.text.sides import SourceText, TargetText
from widl.text.truecasing import Truecaser
from widl.translation.consensus import Probabilities
from widl.translation.explored_line import Batch, ExploredLine
from widl.translation.folding import ShownFeatures
from widl.translation.lattices import line_lattice, passed_through_lattice
from widl.translation.lexicon import Lexicon, phrase_links
from widl.translation.manifest import read_manifest
from widl.translation.options import UNKNOWN_MARK, TranslationOptions, UnknownWords
from widl.translation.results import Candidate, Links, Sample, TranslatedPhrase, Translation, candidates, join
from widl.translation.segmentations import with_segmentations
from widl.translation.sentence import SentenceReader, knows_entities
from widl.translation.tiling import tile
from widl.workers import Engine, LocalEngine, chunked

logger = logging.getLogger(__name__)


class Translator(Closing):
    """An open model directory; the phrase table is memory-mapped.

    A translation is the best derivation found of argmax_e Σ_m λ_m h_m(e) (Soricut & Marcu 2006, Eq. 2) over the
    `features` h, with `weights` λ by name; features that are probabilities are natural logs.

        translator = Translator("model")
        for translation in translator.translate(["警方正在调查这起事故。"]):
            print(translation.text, translation.score, translation.optimal)

    Translations keep the order of the lines; any number of threads may share a translator. `close`, or the end of a
    ``with`` block, closes its files.
    """

    _closed = False

    def __init__(
        self,
        directory: PathLike,
        *,
        weights: PathLike | Mapping[str, float] | None = None,
        distortion: str = "own",
        language_models: Sequence[PathLike] = (),
    ) -> None:
        """Open a model directory; `weights`, of a file or by feature, replace those of the model.

        distortion: ``own``: movement is a separate feature; ``folded``: it is part of the four WIDL features, which are
        then the paper's h0 to h3, ln of δ's a^d included. With ``folded`` the weights have no ``distortion``; that of
        the model's file is ignored. language_models: additional ones, each with a weight in `weights`.

        Raises InputError with the name of a file that is missing, damaged or does not fit.
        """
        directory = path_of(directory, "directory")
        further = paths_of(language_models, "language_models")
        manifest = read_manifest(directory)
        paths = [*(directory / name for name in manifest.language_models), *further]
        self._shown = ShownFeatures(manifest.layout(len(further)), distortion)
        self.layout = self._shown.layout
        self.features = list(self.layout.names)
        self.weights = _read_weights(weights, directory / manifest.weights, self._shown)
        text = manifest.text_settings(directory)
        self._source = SourceText(text)
        self._target = TargetText(text, Truecaser.load(directory / manifest.truecaser))
        self._lexicon = Lexicon(
            PhraseTable.open(directory / manifest.phrase_table),
            None if manifest.dictionary is None else PhraseTable.open(directory / manifest.dictionary),
            origins=manifest.origins,
            is_chinese=text.source_language == "zh",
        )
        self._users = weakref.WeakSet([self])  # translators that share the tables
        models = [load_language_model(path) for path in paths]
        self._realizer = CoreRealizer(self._lexicon.table.target_vocabulary, models)
        self._vector = self._shown.weight_vector(self.weights)
        self._probabilities = Probabilities(self.weights, self.layout)
        self._readers: dict[object, SentenceReader] = {}  # the last one
        self._files = SharedFiles.of([directory / MANIFEST, *further])
        self.files = [directory / name for name in (MANIFEST, *sorted(manifest.files)) if name != manifest.weights]
        self.files += further
        logger.info("%s: opened a translation model with %d language models", directory, len(models))

    def __reduce__(self) -> tuple[Callable[..., "Translator"], tuple[object, ...]]:
        """Pickled as paths and weights: another process opens the files once, then only changes weights."""
        return _reopened, (self._files, self._shown.distortion, self.weights)

    def reweighted(self, weights: Mapping[str, float]) -> "Translator":
        """The same translator with other weights; all else is shared."""
        other = copy(self)
        other.weights = dict(weights)
        other._vector = self._shown.weight_vector(weights)
        other._probabilities = Probabilities(weights, self.layout)
        return other

    def __copy__(self) -> "Translator":
        self._check_open()
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        self._users.add(other)
        return other

    def close(self) -> None:
        """Close the model's files; translators made by `reweighted` stay open.

        Must not be called while a thread translates with this translator; afterwards nothing can be translated.
        """
        if self._closed:
            return
        self._closed = True
        self._users.discard(self)
        if not self._users:
            self._lexicon.close()
        del self._realizer, self._lexicon

    def _check_open(self) -> None:
        if self._closed:
            raise InputError(f"{self._files.paths[0].parent}: this translator is closed; open the model again")

    def __repr__(self) -> str:
        models = len(self.layout.language_models)
        closed = ", closed" * self._closed
        plural = "s" * (models != 1)
        return f"<Translator {self._files.paths[0].parent}, {models} language model{plural}{closed}>"

    def translate(
        self,
        lines: Iterable[str],
        options: TranslationOptions | None = None,
        *,
        threads: int = 1,
        engine: Engine | None = None,
    ) -> Iterator[Translation]:
        """Translate raw lines, one result a line, in order, on `threads` threads, or wherever `engine` works.

        A line that search fails on is passed through, with its `failure`; one with broken markup is translated as
        plain text, with its `fault`.
        """
        self._check_open()
        lines = strings(lines, "lines", "a list of lines: [line]; translate_one takes a single line")
        options = options or TranslationOptions()
        options.search_options()  # here, so that an option that makes no sense is an error at the call
        work = partial(_translated, self, options)
        return (engine or LocalEngine(threads)).map(work, lines)

    def _translate(self, lines: Iterable[str], options: TranslationOptions, threads: int) -> Iterator[Translation]:
        """Translate in this process: read, tile, search and join pieces, a batch of lines at a time."""
        search = options.search_options()
        batches = self._batches(self.reader(options), lines, options, 32 * max(threads, 1))
        if threads <= 1:
            for batch in batches:
                yield from self._finish(self._explore(batch, options, search, 1), options)
            return
        # While one batch is searched by all but one thread, this one tiles the next and finishes the last.
        with ThreadPoolExecutor(1) as searcher:
            pending: deque[Future[list[ExploredLine]]] = deque()
            for batch in batches:
                pending.append(searcher.submit(self._explore, batch, options, search, threads))
                if len(pending) > 2:
                    yield from self._finish(pending.popleft().result(), options)
            for future in pending:
                yield from self._finish(future.result(), options)

    def translate_one(self, line: str, options: TranslationOptions | None = None) -> Translation:
        """The translation of one raw line."""
        return next(iter(self.translate([text_of(line, "line")], options)))

    def tiles(self, line: str, options: TranslationOptions | None = None) -> list[Tiles]:
        """The tiles of each piece of a raw line; only long lines have several pieces."""
        self._check_open()
        options = options or TranslationOptions()
        sentence = self.reader(options).read(text_of(line, "line"))
        return tile(with_segmentations(sentence, self._lexicon, options), self._lexicon, options)

    def reader(self, options: TranslationOptions) -> SentenceReader:
        """The reader of raw lines under these options; InputError names an invalid line of the glossary."""
        entities = options.entities
        if entities is None:
            entities = "inclusive" if knows_entities(self._source, self._target) else "none"
        reader = SentenceReader(self._source, self._target, options.markup, None, entities)
        if options.glossary is None:
            return reader
        # On a cluster there are many calls, and a glossary may be large.
        status = options.glossary.stat() if options.glossary.exists() else None
        key = (options, entities, status and (status.st_ino, status.st_size, status.st_mtime_ns))
        cached = self._readers.get(key)
        if cached is None:
            glossary = reader.read_glossary(options.glossary, exclusive=options.glossary_mode == "exclusive")
            cached = replace(reader, glossary=glossary)
            self._readers.clear()
            self._readers[key] = cached
        return cached

    def links(self, source: Sequence[str], phrase: TranslatedPhrase) -> Links:
        """The word alignment inside a phrase of a translation of `source`, positions from its first words.

        A phrase pair that is not in the table, such as a word passed through, is linked along the diagonal.
        """
        self._check_open()
        return phrase_links(source[phrase.begin : phrase.end], phrase.words, self._lexicon)

    def text(self, words: Sequence[str]) -> str:
        """The model's words, detokenised and with upper case."""
        return self._target.text(words)

    def gloss(self, line: str) -> str:
        """Each source word replaced by its likeliest translation p(e|f), in source order: a floor to compare with."""
        self._check_open()
        tokens = self._source.tokens(text_of(line, "line"))
        words: list[str] = []
        for token in tokens:
            options = self._lexicon.table.options([token], limit=1)
            words += options[0].words if options else (token,)
        return self._target.text(words)

    def _batches(
        self, reader: SentenceReader, lines: Iterable[str], options: TranslationOptions, size: int
    ) -> Iterator[Batch]:
        for chunk in chunked(lines, size):
            self._check_open()
            sources = [with_segmentations(reader.read(line), self._lexicon, options) for line in chunk]
            yield Batch(sources, [tile(sentence, self._lexicon, options) for sentence in sources])

    def _explore(
        self, batch: Batch, options: TranslationOptions, search: SearchOptions, threads: int
    ) -> list[ExploredLine]:
        """The lines with what search finds, their lattices if they are needed, and what consensus chooses of them."""
        results = iter(self._search(batch, search, threads))
        lines = [
            ExploredLine(sentence, pieces, [next(results) for _ in pieces])
            for sentence, pieces in zip(batch.sources, batch.tiles, strict=True)
        ]
        if options.needs_lattices:
            for line in lines:
                line.lattice = self._lattice(line)
        if options.mbr != "none":
            explored = [(line, line.lattice) for line in lines if line.is_realized and line.lattice is not None]
            chosen = self._probabilities.chosen([lattice for _, lattice in explored], options, threads)
            for (line, lattice), paths in zip(explored, chosen, strict=True):
                line.chosen = [self._probabilities.candidate(lattice, path, line.pieces) for path in paths]
        return lines

    def _search(self, batch: Batch, search: SearchOptions, threads: int) -> list[Realization | InputError]:
        """A result for each piece of each line."""
        self._check_open()
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

    def _finish(self, lines: Iterable[ExploredLine], options: TranslationOptions) -> Iterator[Translation]:
        for line in lines:
            translation = self._join(line, options.unknown)
            if options.lattice:
                translation = replace(translation, lattice=line.lattice)
            if options.samples:
                translation = replace(translation, samples=tuple(self._samples(line, translation, options)))
            yield translation

    def _samples(self, line: ExploredLine, best: Translation, options: TranslationOptions) -> Iterator[Sample]:
        """Derivations at random; of a line without any, its only text."""
        if line.lattice is None or not line.is_realized:
            yield from [Sample(best.text, 0.0)] * options.samples
            return
        texts: dict[tuple[int, ...], str] = {}  # detokenisers are slow
        for path, log_probability in self._probabilities.drawn(line.lattice, best.source, options):
            if (key := tuple(path)) not in texts:
                candidate = self._probabilities.candidate(line.lattice, path, line.pieces)
                texts[key] = self._target.text(self._words(candidate, options.unknown))
            yield Sample(texts[key], log_probability)

    def _join(self, line: ExploredLine, unknown: UnknownWords) -> Translation:
        sentence = line.sentence
        results = [result for result in line.results if isinstance(result, Realization)]
        failures = [str(error) for error in line.results if isinstance(error, InputError)]
        if failures:
            nbest, results, unknown = [self._passed_through(sentence.tokens)], [], "copy"
        elif line.chosen is not None:
            nbest = line.chosen
        else:
            lists, start = [], 0
            for tiles, result in zip(line.pieces, results, strict=True):
                lists.append(candidates(result.nbest, tiles, start, self._shown.of))
                start += len(tiles)
            nbest = join(lists, max(map(len, lists), default=1), self.layout)
        nbest = [candidate.with_text(self._target.text(self._words(candidate, unknown))) for candidate in nbest]
        return Translation(
            text=nbest[0].text,
            source=sentence.tokens,
            nbest=tuple(nbest),
            bound=sum(result.bound for result in results),
            optimal=not failures and line.chosen is None and all(result.optimal for result in results),
            stopped=next((result.stopped for result in results if result.stopped), ""),
            states=sum(result.statistics.states for result in results),
            edges=sum(result.statistics.edges for result in results),
            seconds=sum(result.statistics.seconds for result in results),
            failure="; ".join(failures),
            fault=sentence.fault,
        )

    def _lattice(self, line: ExploredLine) -> Lattice:
        results = [result for result in line.results if isinstance(result, Realization)]
        lattices = [result.lattice for result in results if result.lattice is not None]
        if not line.is_realized:
            return passed_through_lattice(line.sentence.tokens, self.layout)
        return self._shown.of_lattice(line_lattice(lattices, [len(tiles) for tiles in line.pieces]))

    def _words(self, candidate: Candidate, unknown: UnknownWords) -> list[str]:
        """The words of the text, with unknown words copied, dropped or marked."""
        if unknown in ("pinyin", "copy"):
            return candidate.words
        words: list[str] = []
        for phrase in candidate.phrases:
            if not phrase.unknown or not self._source.is_translatable(" ".join(phrase.words)):
                words += phrase.words
            elif unknown == "mark":
                words += [f"{UNKNOWN_MARK}{word}" for word in phrase.words]
        return words

    def _passed_through(self, tokens: Sequence[str]) -> Candidate:
        phrases = tuple(TranslatedPhrase(i, i + 1, (token,), unknown=True) for i, token in enumerate(tokens))
        return Candidate("", 0.0, self.layout.zeros(), phrases)


def _reopened(files: SharedFiles, distortion: str, weights: dict[str, float]) -> Translator:
    manifest, *models = files.paths
    translator = files.opened_once(
        (Translator, distortion),
        lambda: Translator(manifest.parent, weights=weights, distortion=distortion, language_models=models),
    )
    return translator.reweighted(weights)


def _translated(
    translator: Translator, options: TranslationOptions, lines: Iterable[str], threads: int
) -> Iterator[Translation]:
    return translator._translate(lines, options, threads)


def _read_weights(
    given: PathLike | Mapping[str, float] | None, default: Path, shown: ShownFeatures
) -> dict[str, float]:
    names = shown.layout.names
    if isinstance(given, Mapping):
        weights = with_origins(given, names)
        check_names(weights, names, where="weights")
    elif given is not None:
        weights = read_weights(path_of(given, "weights"), names)
    else:
        weights = read_weights(default, shown.core.names)
    return {name: weights[name] for name in names}
