"""Headlines of documents by a trained model: a front end that parses, searches and judges a stream of documents."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from typing_extensions import override

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, encodable, reject_text
from widl.common.decoding import FrontEnd, decode
from widl.common.errors import InputError, OptionError, WrongTypeError
from widl.common.files import Closable
from widl.common.manifests import MANIFEST, read_manifest_as
from widl.common.options import for_model, merge_options
from widl.common.presets import check_order
from widl.common.validation_messages import did_you_mean
from widl.common.workers import Engine, LocalEngine, opened_once
from widl.decoder import Realization, read_weights
from widl.decoder.weights import changed_weights, weight_names
from widl.headline.clause_search import ClauseSearch
from widl.headline.datelines import without_datelines
from widl.headline.documents import Document, UnreadableDocument, document_of_text
from widl.headline.doubt import unjudged
from widl.headline.fallbacks import fallback
from widl.headline.headline_search import HeadlineSearch
from widl.headline.keywords import Keyword
from widl.headline.language import english_warning, news_warning
from widl.headline.manifest import HeadlineManifest
from widl.headline.model import READY_MODEL, HeadlineModel
from widl.headline.options import SEARCHED, SYSTEMS, HeadlineOptions, SystemName
from widl.headline.paper_search import PAPER_CORE_LAYOUT, PAPER_LAYOUT, PAPER_WEIGHTS, PaperSearch
from widl.headline.parsing import ParsedDocument, parse_documents
from widl.headline.punctuation import lead
from widl.headline.results import Headline, Kind
from widl.headline.words import has_letters

logger = logging.getLogger(__name__)

PARSED_WORDS = 300
"""Words of a document that are parsed: its keywords and phrases come from these."""

_DOCUMENTS = 'a list of documents or texts: [Document("1", text)]'


AnyDocument = Document | UnreadableDocument | ParsedDocument


@dataclass(frozen=True)
class DocumentInProgress:
    """A document on its way to a headline: without `parsed`, `message` says why it has none."""

    identifier: str
    parsed: ParsedDocument | None = None
    search: HeadlineSearch | None = None
    result: Realization | None = None
    message: str = ""
    is_foreign: bool = False
    """Whether the text is not what the model of confidence knows, English news."""


@checked
class Headliner(Closable, FrontEnd[AnyDocument, DocumentInProgress, HeadlineOptions, Headline]):
    """A headline model, ready to use.

    A headline is the realization argmax_e Σ_m λ_m h_m(e) of an expression within a limit of words or bytes, with
    `weights` λ by name; features h that are probabilities are natural logs. The system ``widl-paper`` follows Soricut &
    Marcu (2006, Section 4): the expression ∥(∨ of keyword 1's phrases, ∨ of keyword 2's …), whose ln probability is h₀,
    a general and a document language model, counts of words and phrases. ``widl``, the default, deletes words from
    sentences: its expression is ∨ over the clauses of the first sentences, each its dependency tree in the order of the
    text, with ∨{p, 1 − p}(it, ε) for its optional parts (`widl.headline.clause_expression`). Results of both are in
    docs/results.md.

        headliner = Headliner()  # the package's model; Headliner("model") is your own
        print(headliner.generate_one("The Bank of Japan said on Monday it will sell bills.").text)

    `generate` makes the headlines of a stream of documents; the headliner is a front end of `widl.common.decoding`.
    `close`, or the end of a ``with``, releases the model.
    """

    prepares_in_processes: ClassVar[bool] = True  # the parser holds the GIL
    _closed = False

    def __init__(
        self,
        directory: PathLike | None = None,
        *,
        weights: PathLike | Mapping[str, float] | None = None,
        system: SystemName = "widl",
    ) -> None:
        """Open a model directory, the package's by default; `weights`: a file or a mapping by feature.

        Args:
            directory: The model.
            weights: Weights of `system`.
            system: The system whose `weights`, `features` and `layout` these are, and which makes headlines if the
                options name none. ``widl`` and ``widl-paper`` have weights.

        Raises:
            InputError: A file is missing, damaged or inconsistent.
        """
        if system not in SYSTEMS:
            raise OptionError(f"system: no system {system!r}; {did_you_mean(str(system), SYSTEMS)}", "system")
        self.directory = directory = READY_MODEL if directory is None else Path(directory)
        manifest = read_manifest_as(HeadlineManifest, directory)
        self.model = HeadlineModel(directory, manifest)
        self.system: SystemName = system if system in SEARCHED else "widl"
        is_paper = self.system == "widl-paper"
        self.layout = PAPER_LAYOUT if is_paper else self.model.layout
        self._core_layout = PAPER_CORE_LAYOUT if is_paper else self.model.core_layout
        self.features = list(self.layout.names)
        self._weights_of: dict[str, dict[str, float]] = {"widl-paper": PAPER_WEIGHTS}
        self._weights_of["widl"] = read_weights(directory / manifest.weights, self.model.layout.names)
        self._weights_are_given = weights is not None
        if weights is not None:
            self._weights_of[self.system] = self._read(weights)
        names = (*manifest.language_models, manifest.words, manifest.weights)
        self.files = [(directory / name).absolute() for name in (MANIFEST, *names)]
        logger.info("%s: opened a headline model with %d language models", directory, len(manifest.language_models))

    def _read(self, weights: PathLike | Mapping[str, float]) -> dict[str, float]:
        if isinstance(weights, str | os.PathLike):
            return read_weights(Path(weights), self.features)
        return changed_weights(self._weights_of[self.system], weights)

    @property
    def weights(self) -> dict[str, float]:
        """The weights λ of `system`, by name."""
        return self._weights_of[self.system]

    def __reduce__(self) -> tuple[Callable[..., "Headliner"], tuple[object, ...]]:
        """Pickled as the paths of its files and its weights: other processes open it once, then only reweight it."""
        weights = self.weights if self._weights_are_given else None
        return _reopened, (self.directory.absolute(), self.files, self.system, weights)

    def reweighted(self, weights: Mapping[str, float]) -> "Headliner":
        """The same model with other weights; those that are not given stay, and everything else is shared."""
        self.check_open()
        other = object.__new__(Headliner)
        vars(other).update(vars(self) | {"_weights_are_given": True})
        other._weights_of = self._weights_of | {self.system: changed_weights(self.weights, weights)}
        return other

    def close(self) -> None:
        """Release the model; headliners returned by `reweighted` keep it. It can't make headlines afterwards."""
        if not self._closed:
            self._closed = True
            del self.model

    def check_open(self) -> None:
        """InputError after `close`."""
        if self._closed:
            raise InputError(f"{self.directory}: this headliner is closed; open the model again")

    def __repr__(self) -> str:
        models = len(self.layout.language_models)  # this includes the document's own model
        return f"<Headliner {self.directory}, {models} language models{', closed' * self._closed}>"

    def generate_one(
        self, document: AnyDocument | str, options: HeadlineOptions | None = None, **more: Any
    ) -> Headline:
        """The headline of one text or document, parsed or not."""
        if isinstance(document, str):
            document = document_of_text("text", _text(document, "text"))
        return next(self.generate([document], options, **more))

    def generate(
        self,
        documents: Iterable[AnyDocument | str],
        options: HeadlineOptions | None = None,
        *,
        threads: int = 1,
        engine: Engine | None = None,
        **more: Any,
    ) -> Iterator[Headline]:
        """The headlines of documents, in their order; for unreadable documents, the reason.

        Args:
            documents: Any number of documents, parsed or not, or their texts. A few tasks of the workers are read
                ahead.
            options: The system, the maximum length, the search.
            threads: Worker processes, each with a separate parser; 1: work in this process.
            engine: Engine to use instead.
            more: Options by name: ``nbest=3``.
        """
        chosen = self._resolved(merge_options(HeadlineOptions, options, more) or HeadlineOptions())
        self._check_weights(chosen)
        if chosen.sure_of != "all" and not chosen.only_sure:
            raise OptionError("sure-of: without only-sure nothing reads it; give both, or leave it out", "sure_of")
        expected = f"{_DOCUMENTS}; generate_one() takes a single text"
        checked = _documents(reject_text(documents, "documents", expected), expected)
        return decode(self, checked, chosen, engine or LocalEngine(threads))

    @override
    def prepare(self, documents: Sequence[AnyDocument], options: HeadlineOptions) -> list[DocumentInProgress]:
        """Documents, parsed unless they are, with their expressions."""
        parses = iter(self.parse([document for document in documents if isinstance(document, Document)]))
        prepared: list[DocumentInProgress] = []
        for document in documents:
            if isinstance(document, UnreadableDocument):
                prepared.append(DocumentInProgress(document.identifier, message=document.message))
            else:
                prepared.append(self._prepared(next(parses) if isinstance(document, Document) else document, options))
        return prepared

    @override
    def search(
        self,
        documents: Sequence[DocumentInProgress],
        options: HeadlineOptions,
        threads: int,
    ) -> list[DocumentInProgress]:
        """The documents with the results of their searches."""
        searched = list(documents)
        for place, document in enumerate(documents):
            if document.search is None:
                continue
            try:
                result = document.search.run(self._weights_of[options.system], options)
                searched[place] = replace(document, result=result)
            except InputError as error:  # an error of this document: shared settings were checked before
                searched[place] = DocumentInProgress(document.identifier, message=str(error))
        return searched

    @override
    def finish(self, document: DocumentInProgress, options: HeadlineOptions) -> Headline:
        """The headline of a searched document."""
        if document.parsed is None:
            return _none(document.identifier, document.message)
        if document.search is not None and document.result is not None:
            headline = document.search.headline(document.result, options)
        elif options.system in SEARCHED:
            headline = fallback(document.parsed, options)
        else:
            return _lead(document.parsed, options)
        if document.is_foreign:
            headline = unjudged(headline)
        if headline.failed and not headline.failure:
            headline = replace(headline, failure=headline.message)
        headline = replace(headline, message="; ".join(filter(None, (document.message, headline.message))))
        return headline.if_sure(options)

    @override
    def failed(self, document: AnyDocument, options: HeadlineOptions, failure: str) -> Headline:
        """No headline, since a stage raised an unexpected error."""
        identifier = document.document.identifier if isinstance(document, ParsedDocument) else document.identifier
        return _none(identifier, failure)

    def _prepared(self, parsed: ParsedDocument, options: HeadlineOptions) -> DocumentInProgress:
        identifier, text = parsed.document.identifier, parsed.document.text
        if not any(has_letters(token.text) for sentence in parsed.sentences for token in sentence):
            return DocumentInProgress(identifier, message="the document has no words")
        if options.system not in SEARCHED:
            return DocumentInProgress(identifier, parsed)
        warning = english_warning(text) or news_warning(text)
        try:
            search = self.searchable(parsed, options)
            return DocumentInProgress(identifier, parsed, search, message=warning, is_foreign=bool(warning))
        except InputError as error:
            return DocumentInProgress(identifier, message=str(error))

    def _resolved(self, options: HeadlineOptions) -> HeadlineOptions:
        """The options of a call on an open model: its system, if they name none.

        Raises InputError for another system than that of given weights.
        """
        self.check_open()
        options = for_model(options, system=self.system)
        if self._weights_are_given and options.system in SEARCHED and options.system != self.system:
            raise InputError(
                f"this headliner was given weights of {self.system!r}; for {options.system!r} open another with "
                f"system={options.system!r}"
            )
        return options

    def _check_weights(self, options: HeadlineOptions) -> None:
        """InputError unless the search of these options accepts the model and its weights."""
        check_order(options.preset, self.model.order, str(self.directory))
        if options.system in SEARCHED:
            layout = PAPER_LAYOUT if options.system == "widl-paper" else self.model.layout
            weights = layout.weight_vector(self._weights_of[options.system])
            self.model.check_weights(weights, headlines=options.system == "widl")

    def parse(self, documents: Iterable[Document | str], *, threads: int = 1) -> Iterator[ParsedDocument]:
        """Parses of the beginnings of documents."""
        self.check_open()
        checked = _documents(reject_text(documents, "documents", _DOCUMENTS), _DOCUMENTS)
        casing = self.model.casing
        checked = (replace(document, text=casing.recased(without_datelines(document.text))) for document in checked)
        return parse_documents(checked, words=PARSED_WORDS, threads=threads)

    def searchable(self, parsed: ParsedDocument, options: HeadlineOptions) -> HeadlineSearch | None:
        """The search for a document's headline, for realization under several weights; None if there is nothing to
        search.
        """
        options = self._resolved(options)
        kind = PaperSearch if options.system == "widl-paper" else ClauseSearch
        return kind.of(self.model, parsed, options)

    @property
    def expression_weights(self) -> dict[str, float]:
        """The weights of `HeadlineSearch.expression`, by the names that ``widl realize --weights`` takes."""
        components = dict(zip(weight_names(len(self.layout.widl)), self.layout.widl, strict=True))
        renamed = {shown: self.weights[name] for shown, name in components.items()}
        others = [name for name in self._core_layout.names if name not in self._core_layout.widl]
        return renamed | {name: self.weights.get(name, 0.0) for name in others}

    def keywords(self, parsed: ParsedDocument, count: int = 10) -> list[Keyword]:
        """The document's keywords, in order of decreasing weight."""
        self.check_open()
        return self.model.keywords(parsed, count)


def _documents(documents: Iterable[Any], expected: str) -> Iterator[Any]:
    for number, document in enumerate(documents, 1):
        if isinstance(document, str):
            yield document_of_text(str(number), _text(document, f"document {number}"))
            continue
        if not isinstance(document, Document | UnreadableDocument | ParsedDocument):
            raise WrongTypeError(f"documents: found {type(document).__name__}; pass {expected}")
        yield document


def _text(text: str, name: str) -> str:
    """The text of a document; InputError for the name of a file."""
    if len(text.split()) == 1 and len(text) < 256 and "\0" not in text and os.path.isfile(text):
        raise InputError(f"{name}: {text!r} is the name of a file; pass its text: Path({text!r}).read_text()")
    return encodable(text, name)


def _lead(parsed: ParsedDocument, options: HeadlineOptions) -> Headline:
    """The beginning of the text, as the system ``lead`` has it."""
    text = lead(parsed, options, options.letters)
    message = "" if text else f"{options.system} finds nothing to say"
    kind: Kind = "headline" if text else "none"
    return Headline(identifier=parsed.document.identifier, text=text, kind=kind, message=message)


def _none(identifier: str, message: str) -> Headline:
    return Headline(identifier=identifier, text="", kind="none", message=message, failure=message)


def _reopened(directory: Path, files: list[Path], system: SystemName, weights: dict[str, float] | None) -> Headliner:
    opened = opened_once((Headliner, system), lambda: Headliner(directory, system=system), files)
    return opened if weights is None else opened.reweighted(weights)
