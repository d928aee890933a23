"""Translation of lines with a model directory: tiles from its phrase table, realized under its language models."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import override

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted, paths_of, text_of, texts_in
from widl.common.decoding import FrontEnd, decode
from widl.common.errors import InputError
from widl.common.manifests import MANIFEST
from widl.common.options import fields_of, for_model, merge_options, refuse_unread
from widl.common.presets import PresetOf2006, check_order
from widl.common.workers import Engine, LocalEngine, opened_once
from widl.decoder import (
    Constraint,
    CoreRealizer,
    CoreSearchOptions,
    FeatureLayout,
    LanguageModel,
    Realization,
    Tiles,
)
from widl.decoder.weights import changed_weights
from widl.expressions import Expression
from widl.phrase_table.storage import PhraseTable
from widl.text.source_and_target import SourceText, TargetText
from widl.text.truecasing import Truecaser
from widl.translation.alternative_segmentations import with_segmentations
from widl.translation.finishing import SearchedLine, TranslationBuilder
from widl.translation.manifest import TranslationManifest, read_manifest
from widl.translation.movement_features import feature_view, read_shown_weights
from widl.translation.options import TranslationOptions
from widl.translation.results import Candidate, Translation, candidates_of
from widl.translation.sentence import GivenSpan, Sentence, SentenceReader, knows_entities
from widl.translation.tables import AdditionalTable, TranslationTables
from widl.translation.tiles_expression import expression_weights, tiles_expression
from widl.translation.tiling import Tiler

logger = logging.getLogger(__name__)

OF_ALL_LANGUAGES = fields_of(TranslationOptions).keys() - {"names", "segmentations"}
"""The options of translation that do not depend on a Chinese source."""


@checked
class Translator(FrontEnd[str, SearchedLine, TranslationOptions, Translation]):
    """An open model directory; the phrase table is memory-mapped.

    A translation is the best derivation found of argmax_e Σ_m λ_m h_m(e) (Soricut & Marcu 2006, Eq. 2) over the
    `features` h, with `weights` λ by name; features that are probabilities are natural logs.

        translator = Translator("model")
        for translation in translator.translate(["警方正在调查这起事故。"]):
            print(translation.text, translation.score, translation.optimal)

    Translations keep the order of the lines; any number of threads may share a translator. It is a front end of
    `widl.common.decoding`: lines are prepared, searched and finished there.
    """

    prepares_in_processes: ClassVar[bool] = False

    preset: PresetOf2006 | None
    """The preset whose features these are, if they are not the model's own."""
    source: SourceText
    """The reader of source lines; it has their `language`."""
    target: TargetText
    """The reader and writer of target lines; it has their `language`."""
    tables: TranslationTables
    """The phrase tables and the dictionary."""

    def __init__(
        self,
        directory: PathLike,
        *,
        weights: PathLike | Mapping[str, float] | None = None,
        distortion: str | None = None,
        language_models: Sequence[PathLike] = (),
        preset: PresetOf2006 | None = None,
    ) -> None:
        """Open a model directory; `weights` are a file of all weights, or a mapping by feature of those that change.

        distortion: ``own``, the default: movement is a separate feature; ``folded``: it is part of the four WIDL
        features, which are then the paper's h0 to h3, ln of δ's a^d included. With ``folded`` the weights have no
        ``distortion``; the value in the model's file is ignored. language_models: additional ones, each with a weight
        in `weights`. preset: ``paper-2006``: the features are that paper's seven and ``unknown``, and the model is
        reduced to them; `left_out` names the features removed. Options of translation are then of the same preset.

        Raises InputError with the name of a file that is missing, damaged or does not fit.
        """
        directory = Path(directory)
        further = paths_of(language_models, "language_models")
        self.preset = preset
        self._readers: dict[object, SentenceReader] = {}  # the last one
        self.directory = directory
        manifest = whole = read_manifest(directory)
        self.left_out: tuple[str, ...] = ()
        if self.preset is not None:
            manifest, self.left_out = whole.as_in(self.preset, directory)
            if further:
                raise InputError(f"language_models contradict the preset {self.preset}, which has one (§5)")
        paths = [*(directory / name for name in manifest.language_models), *further]
        self._shown = feature_view(manifest.layout(len(further)), distortion, self.preset)
        self.layout = self._shown.layout
        self.features = list(self.layout.names)
        self.weights = read_shown_weights(
            weights, directory / manifest.weights, self._shown, whole.features if self.preset is not None else ()
        )
        text = manifest.text_settings(directory)
        self.source = SourceText(text)
        self.target = TargetText(text, Truecaser.load(directory / manifest.truecaser))
        self._tokenized = SourceText(text.of_tokens()), TargetText(text.of_tokens(), self.target.truecaser)
        self.tables = _open_tables(directory, manifest, is_chinese=text.source_language == "zh")
        self.language_models = [LanguageModel.load(path) for path in paths]
        for path, model in zip(paths, self.language_models, strict=True):
            check_order(self.preset, model.order, str(path))
        self._realizer = CoreRealizer(self.tables.table.target_vocabulary, self.language_models)
        self._vector = self._shown.weight_vector(self.weights)
        self._builder = TranslationBuilder(self.source, self.target, self._shown)
        self._further = [path.absolute() for path in further]
        self.files = [directory / name for name in (MANIFEST, *sorted(manifest.files)) if name != manifest.weights]
        self.files += further
        logger.info("%s: opened a translation model with %d language models", directory, len(paths))

    def __reduce__(self) -> tuple[Callable[..., "Translator"], tuple[object, ...]]:
        """Pickled as paths and weights: another process opens the files once, then only changes weights."""
        distortion = self._shown.distortion if self.preset is None else None
        files = [file.absolute() for file in self.files]
        return _reopened, (self.directory.absolute(), files, self._further, distortion, self.preset, self.weights)

    def reweighted(self, weights: Mapping[str, float]) -> "Translator":
        """The same translator with other weights; those that are not given stay, and all else is shared."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.weights = changed_weights(self.weights, weights)
        other._vector = self._shown.weight_vector(other.weights)
        return other

    def __repr__(self) -> str:
        models = len(self.layout.language_models)
        return f"<Translator {self.directory}, {counted(models, 'language model')}>"

    def resolved(self, options: TranslationOptions | None, **more: Any) -> TranslationOptions:
        """The options of a call; by default the preset's; InputError if they belong to another preset."""
        if options is None:
            more = {"preset": self.preset} | more
        options = merge_options(TranslationOptions, options, more)
        source, target = self._sides(options)
        options = for_model(options, entities="constraint" if knows_entities(source, target) else "none")
        if not self.tables.is_chinese:
            language = self.source.language
            refuse_unread(options, f"a model that translates from {language}", OF_ALL_LANGUAGES)
        if options.preset != self.preset:
            requested, opened = options.preset or "no preset", self.preset or "none"
            raise InputError(
                f"options of {requested}, but the model was opened with preset {opened}; use one preset for both"
            )
        return options

    def _sides(self, options: TranslationOptions) -> tuple[SourceText, TargetText]:
        return self._tokenized if options.tokenized else (self.source, self.target)

    def translate(
        self,
        lines: Iterable[str],
        options: TranslationOptions | None = None,
        *,
        threads: int = 1,
        engine: Engine | None = None,
        **more: Any,
    ) -> Iterator[Translation]:
        """Translate raw lines, one result a line, in order, on `threads` threads, or wherever `engine` works.

        Options may also be given by name: ``translate(lines, nbest=3)``. A line whose search fails is passed through,
        with its `failure`; invalid tags of broken markup are ignored, with its `fault`.
        """
        lines = texts_in(lines, "lines", "a list of lines: [line]; translate_one takes a single line")
        options = self.resolved(options, **more)
        return decode(self, lines, options, engine or LocalEngine(threads))

    @override
    def prepare(self, lines: Sequence[str], options: TranslationOptions) -> list[SearchedLine]:
        """Raw lines, read and tiled."""
        sentences = self._sentences(self.reader(options), lines, options)
        tiles = Tiler(self.tables, options).tile(sentences)
        return [SearchedLine(*pair) for pair in zip(sentences, tiles, strict=True)]

    @override
    def search(self, lines: Sequence[SearchedLine], options: TranslationOptions, threads: int) -> list[SearchedLine]:
        """The lines with the results of their pieces' searches, which share a line's budgets of time and states."""
        results: list[Realization] = []
        shared = options.max_seconds or options.max_states
        for several, group in groupby(lines, lambda line: max(1, len(line.pieces)) if shared else 1):
            tiles = [piece for line in group for piece in line.pieces]
            search = options.for_piece(several) if several > 1 else options
            results += self._realizer.realize(tiles, self._vector, search.core_options(), threads=threads)
        found = iter(results)
        return [replace(line, results=[next(found) for _ in line.pieces]) for line in lines]

    @override
    def finish(self, line: SearchedLine, options: TranslationOptions) -> Translation:
        """The translation of a searched line."""
        return self._builder.translation(line, options)

    @override
    def failed(self, line: str, options: TranslationOptions, failure: str) -> Translation:
        """A line that passes through, since a stage raised an unexpected error."""
        return self._builder.translation(SearchedLine(Sentence((line,), refused=failure), []), options)

    def translate_one(self, line: str, options: TranslationOptions | None = None, **more: Any) -> Translation:
        """The translation of one raw line."""
        return next(iter(self.translate([text_of(line, "line")], options, **more)))

    def reader(self, options: TranslationOptions) -> SentenceReader:
        """The reader of raw lines under these options; InputError names an invalid line of the glossary."""
        options = self.resolved(options)
        sides, entities = self._sides(options), options.entities or "none"
        reader = SentenceReader(*sides, options.markup, None, entities, self.tables.explains)
        if options.glossary is None:
            return reader
        # On a cluster there are many calls, and a glossary may be large.
        status = options.glossary.stat() if options.glossary.exists() else None
        key = (options, status and status.st_mtime_ns)
        cached = self._readers.get(key)
        if cached is None:
            glossary = reader.read_glossary(options.glossary)
            cached = replace(reader, glossary=glossary)
            self._readers.clear()
            self._readers[key] = cached
        return cached

    def tiles(
        self, line: str, options: TranslationOptions | None = None, *, given: Sequence[GivenSpan] = ()
    ) -> list[Tiles]:
        """The tiles of each piece of a raw line; only long lines have several pieces.

        `given`: translations of spans of `tokens`.
        """
        options = self.resolved(options)
        sentence = self._sentence(line, options)
        unaffected = [span for span in sentence.given if all(span.end <= g.begin or g.end <= span.begin for g in given)]
        sentence = replace(sentence, given=tuple(sorted([*unaffected, *given], key=lambda span: span.begin)))
        return Tiler(self.tables, options).tile([sentence])[0]

    def expressions(self, line: str, options: TranslationOptions | None = None) -> list[Expression]:
        """The WIDL-expression of each piece of a raw line: the tiles that search chooses from, with their movement.

        Under `expression_weights` a `Realizer` of the same language models finds the same derivation with the same
        score, up to the scores of a reordering model, clause marks and the limit of movement, which expressions do not
        have. Raises InputError for lines with zones or walls.
        """
        options = self.resolved(options)
        sentence = self._sentence(line, options)
        if sentence.zones or sentence.walls:
            raise InputError("an expression cannot hold zones and walls; remove the tags or the clauses")
        expressions = []
        for piece in Tiler(self.tables, options).tile([sentence])[0]:
            alternatives = self._realizer.kept_alternatives(piece, self._vector, options.space())
            expressions.append(tiles_expression(piece, alternatives, self._shown.core, self._shown.layout.widl))
        return expressions

    @property
    def expression_weights(self) -> dict[str, float]:
        """The weights of `expressions`, by the names that `Realizer` and ``widl realize --weights`` take."""
        return expression_weights(self._shown.core, self._shown.layout.widl, self.core_weights)

    def tokens(self, line: str, options: TranslationOptions | None = None) -> tuple[str, ...]:
        """The source words of a raw line, as its tiles count them."""
        return self._sentence(line, self.resolved(options)).tokens

    def _sentence(self, line: str, options: TranslationOptions) -> Sentence:
        return self._sentences(self.reader(options), [text_of(line, "line")], options)[0]

    def _sentences(self, reader: SentenceReader, lines: Iterable[str], options: TranslationOptions) -> list[Sentence]:
        return [with_segmentations(reader.read(line), self.tables, options) for line in lines]

    def candidates(self, realization: Realization, tiles: Tiles) -> list[Candidate]:
        """The derivations of a search of `realize`, with their texts."""
        derivations = candidates_of(realization.nbest, tiles, 0, self._shown.of)
        return [candidate.with_text(self.target.text(candidate.words)) for candidate in derivations]

    def realize(self, tiles: Tiles, search: CoreSearchOptions, *, constraint: Constraint | None = None) -> Realization:
        """The search of a piece of a line, of strings that a constraint accepts, with features in `core_layout`."""
        return self._realizer.realize([tiles], self._vector, search, constraint=constraint)[0]

    @property
    def core_layout(self) -> FeatureLayout:
        """Layout of the features that the search adds up; movement is always separate."""
        return self._shown.core

    @property
    def core_weights(self) -> dict[str, float]:
        """The weights of `core_layout`."""
        return self._shown.core_weights(self.weights)


def _open_tables(directory: Path, manifest: TranslationManifest, *, is_chinese: bool) -> TranslationTables:
    """The tables of a model; InputError if their scores are not the manifest's."""
    further = [
        AdditionalTable(PhraseTable.open(directory / table.file), table.use == "back-off")
        for table in manifest.further_tables
    ]
    tables = TranslationTables(
        PhraseTable.open(directory / manifest.phrase_table),
        None if manifest.dictionary is None else PhraseTable.open(directory / manifest.dictionary),
        further=further,
        origins=manifest.origins,
        has_reordering=bool(manifest.reordering),
        has_crossing=manifest.crossing,
        is_chinese=is_chinese,
    )
    names = [manifest.phrase_table, *(table.file for table in manifest.further_tables)]
    expected = [manifest.scores, *(table.scores for table in manifest.further_tables)]
    for name, table, scores in zip(names, tables.tables, expected, strict=True):
        if len(table.info.scores) != len(scores):
            raise InputError(
                f"{directory / name}: {len(table.info.scores)} scores, where the manifest has {len(scores)}; "
                "copy or make the model again"
            )
    manifest.check_reordering(directory, tables.table.info.reordering)
    return tables


def _reopened(
    directory: Path,
    files: list[Path],
    further: list[Path],
    distortion: str | None,
    preset: PresetOf2006 | None,
    weights: dict[str, float],
) -> Translator:
    def make() -> Translator:
        return Translator(directory, weights=weights, distortion=distortion, language_models=further, preset=preset)

    return opened_once((Translator, distortion, preset), make, files).reweighted(weights)
