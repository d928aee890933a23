"""Headlines of documents by a trained model: keywords and phrases, their expression, the realizer."""

import contextlib
import functools
import gzip
import itertools
import json
import logging
import multiprocessing
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from widl.arguments import PathLike, not_text, path_of, text_of
from widl.decoder import (
    DISTORTION,
    UNKNOWN,
    CoreRealizer,
    Derivation,
    FeatureLayout,
    FeatureVector,
    LanguageModel,
    Vocabulary,
    check_names,
    language_model_from_lines,
    read_weights,
)
from widl.errors import InputError
from widl.headline import baselines
from widl.headline.documents import Document, Unreadable
from widl.headline.expression import COMPONENTS, HeadlinePhrase, headline_phrases, packing_of
from widl.headline.keywords import Keyword
from widl.headline.learning import SENTENCES, Lessons
from widl.headline.manifest import HeadlineManifest, read_headline_manifest
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument, Parser, load_parser, parsed_document
from widl.headline.results import Headline, HeadlineCandidate
from widl.headline.surface import has_letters
from widl.headline.words import Word, keys_of, sentences_of
from widl.manifests import MANIFEST
from widl.shared_files import SharedFiles
from widl.workers import Engine, LocalEngine, chunked, map_in_order

if TYPE_CHECKING:
    from spacy.tokens import Doc

D = TypeVar("D")

logger = logging.getLogger(__name__)

PARSED_WORDS = 300
"""Words of a document that are parsed: its keywords and phrases stand there."""

_DOCUMENT_WORDS = 3000  # of the document's language model
_CHUNK = 16
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])|\n")


def headline_layout(language_models: int) -> FeatureLayout:
    """The features of a model with so many language models, the document's own included."""
    return _core_layout(language_models).without([DISTORTION, UNKNOWN])  # of tiles only


def _core_layout(language_models: int) -> FeatureLayout:
    return FeatureLayout.of(COMPONENTS, language_models)


def read_lessons(path: Path) -> Lessons:
    """What `widl headline train` learned."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return Lessons.from_json(json.load(file))
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: damaged ({error}); train the model again") from None


def _check_parser(directory: Path, manifest: HeadlineManifest) -> None:
    """Warn, once and not in every worker process, if the parser is another version than in training."""
    if manifest.parser_fingerprint is None or multiprocessing.parent_process() is not None:
        return
    with contextlib.suppress(InputError):  # a parser that is missing is an error when something is to be parsed
        parser = load_parser(manifest.parser)
        if parser.fingerprint.hex() != manifest.parser_fingerprint:
            then = manifest.training.get("parser", "another parser")
            logger.warning(
                "%s: trained with %s, but %s is installed; headlines may differ, or train the model again",
                directory,
                then,
                parser.version,
            )


class Headliner:
    """A headline model, ready to use.

    A headline is the realization argmax_e Σ_m λ_m h_m(e) of ∥(∨ of keyword 1's phrases, ∨ of keyword 2's …) within a
    budget of words or bytes (Soricut & Marcu 2006, Section 4), with `weights` λ by name; features h that are
    probabilities are natural logs.

        headliner = Headliner("model")
        print(headliner.headline("The Bank of Japan said on Monday it will sell bills.").text)

    `generate` makes the headlines of a stream of documents. `close`, or the end of a ``with``, lets go of the models.
    """

    _closed = False

    def __init__(
        self,
        directory: PathLike,
        *,
        weights: PathLike | Mapping[str, float] | None = None,
        parser: PathLike | None = None,
    ) -> None:
        """Open the model of a directory; with `weights`, of a file or by feature, and a `parser` other than its own.

        Raises InputError naming the file that is missing, damaged or does not fit.
        """
        directory = path_of(directory, "directory")
        manifest = read_headline_manifest(directory)
        self.directory = directory
        self._models = [LanguageModel.load(directory / name) for name in manifest.language_models]
        self.layout = headline_layout(len(self._models) + 1)
        self.features = list(self.layout.names)
        if isinstance(weights, Mapping):
            check_names(weights, self.features, where="weights")
            self.weights = {name: weights[name] for name in self.features}
        else:
            self.weights = read_weights(path_of(weights or directory / manifest.weights, "weights"), self.features)
        self._lessons = read_lessons(directory / manifest.words)
        self._parser_name = os.fspath(path_of(parser, "parser")) if parser is not None else manifest.parser
        if parser is None:
            _check_parser(directory, manifest)
        self._vocabulary = Vocabulary([])
        names = (*manifest.language_models, manifest.words)
        self._files = SharedFiles.of([directory / name for name in (MANIFEST, *names)])
        self.files = list(self._files.paths)
        logger.info("%s: opened a headline model with %d language models", directory, len(self._models))

    @functools.cached_property
    def parser(self) -> Parser:
        """The parser of documents that come unparsed."""
        return load_parser(self._parser_name)

    def __reduce__(self) -> tuple[Callable[..., "Headliner"], tuple[object, ...]]:
        """Pickled, it's the paths of its files and its weights: other processes open it once, then only reweight it."""
        return _reopened, (self._files, self._parser_name, self.weights)

    def reweighted(self, weights: Mapping[str, float]) -> "Headliner":
        """The same model with other weights, by name; sharing all else."""
        self.check_open()
        other = object.__new__(Headliner)
        vars(other).update(vars(self) | {"weights": dict(weights)})
        return other

    def close(self) -> None:
        """Let go of the models; those that `reweighted` gave go on. No headline can be made afterwards."""
        if not self._closed:
            self._closed = True
            vars(self).pop("parser", None)
            del self._models, self._lessons

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def check_open(self) -> None:
        """InputError after `close`."""
        if self._closed:
            raise InputError(f"{self.directory}: this headliner is closed; open the model again")

    def __repr__(self) -> str:
        models = len(self.layout.language_models)  # the document's own is one of them
        return f"<Headliner {self.directory}, {models} language models{', closed' * self._closed}>"

    def headline(self, text: str, options: HeadlineOptions | None = None) -> Headline:
        """The headline of one text."""
        return next(self.generate([Document("text", text_of(text, "text"))], options))

    def generate(
        self,
        documents: Iterable[Document | Unreadable],
        options: HeadlineOptions | None = None,
        *,
        threads: int = 1,
        engine: Engine | None = None,
    ) -> Iterator[Headline]:
        """The headlines of documents, in their order; of those that can't be read, the reason.

        Args:
            documents: Any number of them; few are read ahead.
            options: The system, its budget, its search.
            threads: Worker processes, each with a parser of its own; with 1 all is done in this process.
            engine: Where to work instead.
        """
        self.check_open()
        options = options or HeadlineOptions()
        options.realization().search_options()  # here, so that an option that makes no sense is an error at the call
        expected = 'a list of documents: [Document("1", text)]; headline() takes a single text'
        checked = _documents(not_text(documents, "documents", expected), expected)
        return (engine or LocalEngine(threads)).map(functools.partial(_headlined, self, options), checked)

    def generate_parsed(
        self,
        documents: Iterable[ParsedDocument],
        options: HeadlineOptions | None = None,
        *,
        threads: int = 1,
        engine: Engine | None = None,
    ) -> Iterator[Headline]:
        """The same of parsed documents, on threads of this process or wherever `engine` works."""
        self.check_open()
        options = options or HeadlineOptions()
        options.realization().search_options()
        parsed = not_text(documents, "documents", "a list of parsed documents, as parse() gives them")
        return (engine or LocalEngine(threads)).map(functools.partial(_headlined_parses, self, options), parsed)

    def parse(self, documents: Iterable[Document], *, threads: int = 1) -> Iterator[ParsedDocument]:
        """Parses of the beginnings of documents."""
        self.check_open()
        expected = 'a list of documents: [Document("1", text)]'
        checked = _documents(not_text(documents, "documents", expected), expected)
        return self.parser.parse(checked, words=PARSED_WORDS, threads=threads)

    def of_doc(self, doc: "Doc", options: HeadlineOptions | None = None) -> Headline:
        """The headline of a text that a spaCy pipeline has parsed.

        The pipeline must have a tagger, a lemmatizer and a dependency parser. Its sentences are taken as they are;
        those of this package's own parser may be divided elsewhere (see `widl.headline.parsing`).

        Raises:
            InputError: The text was not parsed.
        """
        return self.of_parsed(parsed_document(doc, words=PARSED_WORDS), options or HeadlineOptions())

    def of_parsed(self, parsed: ParsedDocument, options: HeadlineOptions) -> Headline:
        """The headline of a parsed document."""
        self.check_open()
        start = time.perf_counter()
        if not any(has_letters(token.text) for sentence in parsed.sentences for token in sentence):
            return Headline(identifier=parsed.document.identifier, text="", message="the document has no words")
        if options.system == "widl":
            return PreparedDocument(self, parsed, options).realize(self.weights, options)
        text = self._baseline(parsed, options)
        seconds = time.perf_counter() - start
        message = "" if text else f"{options.system} finds nothing to say"
        return Headline(
            identifier=parsed.document.identifier, text=_cased(text, options), seconds=seconds, message=message
        )

    def keywords(self, parsed: ParsedDocument, count: int = 10) -> list[Keyword]:
        """The document's keywords, the heaviest first."""
        self.check_open()
        return self._lessons.keywords.keywords(sentences_of(parsed), count)

    def _baseline(self, parsed: ParsedDocument, options: HeadlineOptions) -> str:
        if options.system == "lead":
            return baselines.lead(parsed, options.budget)
        if options.system == "hedge-trimmer":
            return baselines.hedge_trimmer(parsed, options.budget)
        keywords = [(keyword.text, keyword.weight) for keyword in self.keywords(parsed, options.keywords)]
        systems = {"topiary": baselines.topiary, "webcl": baselines.webcl, "webcl-full": baselines.webcl_full}
        if options.system in systems:
            return systems[options.system](parsed, keywords, options.budget)
        return baselines.keywords_headline(keywords, options.budget)

    def phrases(self, sentences: Sequence[Sequence[Word]], options: HeadlineOptions) -> list[HeadlinePhrase]:
        """The phrases that a headline may be made of."""
        lessons = self._lessons
        keywords = lessons.keywords.keywords(sentences, options.keywords)
        worth = lessons.worth.of(sentences[:SENTENCES]) if lessons.worth else None
        chosen = replace(options.phrases, sentences=min(options.phrases.sentences, SENTENCES))
        return headline_phrases(sentences, keywords, worth, lessons.verbs, chosen)

    def realizer(self, text: str) -> CoreRealizer:
        """The realizer with the model's language models and the document's own."""
        words = text.split(" ", _DOCUMENT_WORDS)[:_DOCUMENT_WORDS]
        lines = (keys_of(line) for line in _SENTENCE_END.split(" ".join(words)))
        own = language_model_from_lines([" ".join(keys) for keys in lines if keys])
        return CoreRealizer(self._vocabulary, [*self._models, own])

    @property
    def vocabulary(self) -> Vocabulary:
        """Of all packings."""
        return self._vocabulary


class PreparedDocument:
    """The packing of a document and its realizer; what tuning searches again and again with other weights."""

    def __init__(self, headliner: Headliner, parsed: ParsedDocument, options: HeadlineOptions) -> None:
        self._identifier = parsed.document.identifier
        self._parsed = parsed
        self._layout = headliner.layout
        self._core_layout = _core_layout(len(headliner.layout.language_models))
        # The keys are what search measures; small letters may have more bytes than capitals.
        fits = options.budget.fits
        fitting = [p for p in headliner.phrases(sentences_of(parsed), options) if fits(p.words) and fits(p.keys)]
        self._packing, self._phrases = packing_of(fitting, headliner.vocabulary)
        self._realizer = headliner.realizer(parsed.document.text) if self._phrases else None

    def realize(self, weights: Mapping[str, float], options: HeadlineOptions) -> Headline:
        """The best headlines under these weights."""
        if self._realizer is None:
            text = baselines.lead(self._parsed, options.budget)
            message = "no phrases; this is its beginning" if text else "no word of it fits the budget"
            return Headline(identifier=self._identifier, text=_cased(text, options), message=message)
        vector = self._layout.weight_vector(weights)
        start = time.perf_counter()
        [found] = self._realizer.realize_packings([self._packing], vector, options.realization().search_options())
        nbest = tuple(self._candidate(one, options) for one in found.nbest)
        return Headline(
            identifier=self._identifier,
            text=nbest[0].text,
            nbest=nbest,
            bound=found.bound,
            optimal=found.optimal,
            stopped=found.stopped,
            states=found.statistics.states,
            edges=found.statistics.edges,
            seconds=time.perf_counter() - start,
        )

    def _candidate(self, one: Derivation, options: HeadlineOptions) -> HeadlineCandidate:
        phrases = [self._phrases[number].words for _, _, _, number in one.phrases]
        # What language models know a stock symbol by is shorter than the symbol.
        words = options.budget.cut([word for phrase in phrases for word in phrase])
        features = self._core_layout.mapping(one.features)
        return HeadlineCandidate(
            _cased(" ".join(words), options),
            one.score,
            FeatureVector(self._layout, self._layout.vector(features)),
            tuple(" ".join(phrase) for phrase in phrases),
        )


def _documents(documents: Iterable[D], expected: str) -> Iterator[D]:
    for document in documents:
        if not isinstance(document, Document | Unreadable):
            raise TypeError(f"documents: found {type(document).__name__}; pass {expected}")
        yield document


def _cased(text: str, options: HeadlineOptions) -> str:
    return text.upper() if options.upper else text[:1].upper() + text[1:]


class HeadlineWorker:
    """Makes the headlines of chunks of documents, in this process or another."""

    def __init__(self, headliner: Headliner, options: HeadlineOptions) -> None:
        self._headliner = headliner
        self._options = options

    def __call__(self, documents: Sequence[Document | Unreadable]) -> list[Headline]:
        """The headlines of some documents, in their order."""
        readable = [document for document in documents if isinstance(document, Document)]
        parses = iter(self._headliner.parse(readable))
        return [
            self._headliner.of_parsed(next(parses), self._options)
            if isinstance(document, Document)
            else Headline(identifier=document.identifier, text="", message=document.message)
            for document in documents
        ]


def _headlined(
    headliner: Headliner, options: HeadlineOptions, documents: Iterable[Document | Unreadable], threads: int
) -> Iterator[Headline]:
    make = functools.partial(HeadlineWorker, headliner, options)
    return itertools.chain.from_iterable(map_in_order(make, chunked(documents, _CHUNK), threads=threads))


def _headlined_parses(
    headliner: Headliner, options: HeadlineOptions, documents: Iterable[ParsedDocument], threads: int
) -> Iterator[Headline]:
    with ThreadPoolExecutor(max(1, threads)) as pool:
        for chunk in chunked(documents, _CHUNK * max(1, threads)):
            yield from pool.map(lambda document: headliner.of_parsed(document, options), chunk)


def _reopened(files: SharedFiles, parser: str | None, weights: dict[str, float]) -> Headliner:
    directory = files.paths[0].parent
    headliner = files.opened_once((Headliner, parser), lambda: Headliner(directory, parser=parser))
    return headliner.reweighted(weights)
