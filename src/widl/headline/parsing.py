"""Dependency parses of documents by a spaCy pipeline, in Universal Dependencies.

spaCy is imported when the first document is parsed.
"""

import functools
import hashlib
import importlib.metadata
import importlib.util
import itertools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.workers import chunked, map_in_order
from widl.headline.clear_labels import CLEAR_LABELS, CLEAR_ONLY, to_universal
from widl.headline.documents import Document
from widl.headline.lexicon import DAYS, IMPERSONAL_INITIALS, WIRE_ABBREVIATIONS
from widl.headline.markup import clean_paragraphs, without_symbols

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
    from spacy.tokens import Token as SpacyToken

PREFERRED = "en_core_web_sm"
MAX_WORDS = 2000

_BATCH = 64  # documents that a worker parses at a time
_CHARACTERS = 20  # per word at most, on average; it bounds a text without blanks
# spaCy takes the square of a word's length to cut punctuation off.
_LONG_WORD = re.compile(r"\S{300}(?=\S)")
_INITIALS = re.compile(r"[A-Z]\.[A-Z]\.")
_CLOSING = frozenset({'"', "'", "''", "”", "’", ")", "]", "»"})
# Components that neither parse nor tag.
_UNUSED = ["ner", "beam_ner", "entity_linker", "entity_ruler", "textcat", "textcat_multilabel", "spancat", "senter"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word or punctuation mark, as the pipeline divides text: *Iran*, *'s*, *do*, *n't*."""

    text: str
    lemma: str  # in small letters: attack for attacks, Attacked
    tag: str  # universal part of speech
    head: int  # position in the sentence; its own at the root
    relation: str  # universal dependency, with the subtypes of UD_English-EWT: nsubj:pass, acl:relcl
    space: bool  # whether white space follows
    form: str = ""  # the pipeline's finer tag, if it has one: VBD, NNS


Sentence = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its sentences; the end of a paragraph is always that of a sentence."""

    document: Document
    sentences: tuple[Sentence, ...]


SHIPPED = Path(__file__).with_name("english")
SUMS = "SHA256SUMS"


def check_shipped(folder: Path = SHIPPED) -> None:
    """Compare the pipeline's files with their SHA-256 sums; the models of the tagger and parser are the release's own.

    Raises:
        InputError: A file is absent, damaged or another one.
    """
    for name, expected in sums_of(folder / SUMS).items():
        try:
            content = (folder / name).read_bytes()
        except OSError as error:
            raise InputError(f"{folder / name}: {error.strerror or error}; install widl again") from None
        if hashlib.sha256(content).hexdigest() != expected:
            raise InputError(f"{folder / name}: not the file that belongs to this package; install widl again")


def sums_of(path: Path) -> dict[str, str]:
    """SHA-256 by file name, of a file as ``sha256sum`` writes it."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        pairs = [line.split("  ", 1) for line in lines if line]
        return {name: expected for expected, name in pairs}
    except (OSError, ValueError) as error:
        reason = f"the sums of the pipeline's files can't be read ({error}); install widl again"
        raise InputError(f"{path}: {reason}") from None


class Parser:
    """A spaCy pipeline, loaded when it is first needed. See `load_parser`."""

    def __init__(self, name: str, path: PathLike) -> None:
        self.name = name
        self.path = path = path_of(path, "path")
        try:
            self._meta: dict[str, Any] = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{path}: no spaCy pipeline (its meta.json can't be read: {error})") from None

    @property
    def version(self) -> str:
        """The pipeline's name and version, and spaCy's."""
        meta = self._meta
        spacy = importlib.metadata.version("spacy")
        return f"{meta.get('lang')}_{meta.get('name')} {meta.get('version')}, spaCy {spacy}"

    @property
    def fingerprint(self) -> bytes:
        """A hash of versions and meta data, which have the scores of training: other pipelines have other hashes."""
        content = json.dumps([self.version, self._meta], sort_keys=True)
        return hashlib.blake2b(content.encode(), digest_size=16).digest()

    def parse(
        self, documents: Iterable[Document], *, words: int = MAX_WORDS, threads: int = 1
    ) -> Iterator[ParsedDocument]:
        """The documents' parses, in order.

        Args:
            documents: Any number of them; few are read ahead.
            words: Maximum number of words of each document that are parsed (whole paragraphs, the last one cut).
            threads: Worker processes, each with a pipeline of its own; with 1 all is done in this process.
        """
        make = functools.partial(_Worker, self, words)
        batches = chunked(documents, _BATCH)
        return itertools.chain.from_iterable(map_in_order(make, batches, threads=threads))

    @functools.cached_property
    def pipeline(self) -> "Language":
        """The spaCy pipeline itself."""
        import spacy

        if self.path == SHIPPED:
            check_shipped()
        try:
            pipeline = spacy.load(self.path, exclude=_UNUSED)
        except (OSError, ValueError, ImportError) as error:
            reason = str(error).strip().split("\n")[0]
            raise InputError(f"{self.name}: spaCy can't load this pipeline ({reason}); install it again") from None
        if "parser" not in pipeline.pipe_names:
            raise InputError(f"{self.name}: this pipeline has no dependency parser; choose another one")
        return pipeline

    def __getstate__(self) -> dict[str, Any]:  # each process loads the pipeline itself
        return {key: value for key, value in self.__dict__.items() if key != "pipeline"}


class _Worker:
    """Parses batches of documents with one pipeline."""

    def __init__(self, parser: Parser, words: int) -> None:
        self._pipeline = parser.pipeline
        self._words = words
        self._read = _sentence_reader(self._pipeline)

    def __call__(self, documents: Sequence[Document]) -> list[ParsedDocument]:
        # Each paragraph is a text of its own to the pipeline, so that no sentence extends into the next one.
        paragraphs = [list(_beginning(document.text, self._words)) for document in documents]
        texts = map(self._pipeline.make_doc, itertools.chain.from_iterable(paragraphs))
        spelled = ((forbid_sentence_ends(_spelled_out(doc)), [token.text for token in doc]) for doc in texts)
        docs = self._pipeline.pipe(spelled, as_tuples=True)
        parsed = []
        for document, document_paragraphs in zip(documents, paragraphs, strict=True):
            sentences = itertools.starmap(self._read, itertools.islice(docs, len(document_paragraphs)))
            parsed.append(ParsedDocument(document, tuple(itertools.chain.from_iterable(sentences))))
        return parsed


def _spelled_out(doc: "Doc") -> "Doc":
    """The tokens with a news wire's abbreviations as words that parsers know: *million dollars* for *mln dlrs*."""
    words = [WIRE_ABBREVIATIONS.get(token.text, token.text) for token in doc]
    if all(token.text == word for token, word in zip(doc, words, strict=True)):
        return doc
    return type(doc)(doc.vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


def forbid_sentence_ends(doc: "Doc") -> "Doc":
    """Let the pipeline end sentences of an unparsed text only after a full stop or similar punctuation.

    After an abbreviation a sentence does not end before a small letter or a day of the week: *Acme Corp. Monday said*;
    and not behind initials. A parser that was trained on web texts would also end sentences in the middle of a name.
    """
    ending = False
    for token in doc:
        text = token.text
        before = doc[token.i - 1].text if token.i else ""
        within = (text[0].islower() or text.lower() in DAYS) and _is_abbreviation(before)
        if token.i and (not ending or within or _is_initials(before)):
            token.is_sent_start = False
        if text not in _CLOSING or not ending:
            ending = text.endswith((".", "!", "?", "…", "。"))
    return doc


def _is_initials(text: str) -> bool:
    """Whether a word is of a person's name: *B.J.*, but not *U.S.*, which may end a sentence."""
    return _INITIALS.fullmatch(text) is not None and text not in IMPERSONAL_INITIALS


def _is_abbreviation(text: str) -> bool:
    return text.endswith(".") and text[0].isalpha()


def _beginning(text: str, words: int) -> Iterator[str]:
    """The first `words` words, by paragraphs; words without end are cut into several."""
    for paragraph in clean_paragraphs(text[: _CHARACTERS * words].split("\n")):
        text = _LONG_WORD.sub(r"\g<0> ", without_symbols(paragraph))
        first_words = text.split(" ", words)[:words]
        yield " ".join(first_words)
        words -= len(first_words)
        if words == 0:
            return


def _sentence_reader(pipeline: "Language") -> Callable[["Doc", list[str]], Iterator[Sentence]]:
    """A function that gives the sentences of a text, its tokens as written, whatever the pipeline's style."""
    clear = not CLEAR_ONLY.isdisjoint(pipeline.get_pipe("parser").labels)  # type: ignore[attr-defined]
    return lambda doc, written: (_read_sentence(span, clear, written) for span in doc.sents)


def parsed_document(doc: "Doc", *, words: int = MAX_WORDS) -> ParsedDocument:
    """The parse that a spaCy pipeline has made of a text; whole sentences, until there are `words` words.

    The labels may be ClearNLP's or Universal Dependencies; which, the document's labels say. White space that is a
    token of its own is left out. Raises InputError if the document has no parse.
    """
    missing = [name for name in ("DEP", "POS") if not doc.has_annotation(name)]
    if missing and len(doc):
        raise InputError(
            f"a spaCy document without {' and '.join(missing)}: headlines need dependencies and parts of speech; parse "
            "the text with a pipeline that has a tagger, a lemmatizer and a parser"
        )
    clear = not CLEAR_LABELS.isdisjoint(token.dep_ for token in doc)
    written = [token.text for token in doc]
    sentences: list[Sentence] = []
    count = 0
    for span in doc.sents if len(doc) else ():
        if sentence := _read_sentence(span, clear, written):
            sentences.append(sentence)
            count += sum(token.space for token in sentence)
        if count >= words:
            break
    text = "\n".join(clean_paragraphs(doc.text.split("\n")))
    return ParsedDocument(Document("doc", text), tuple(sentences))


def _read_sentence(span: "Span", clear: bool, written: Sequence[str]) -> Sentence:
    tokens = [token for token in span if not token.is_space]
    places = {token.i: place for place, token in enumerate(tokens)}
    lemmas = [(token.lemma_ or token.text).lower() for token in tokens]
    tags = [token.pos_ or "X" for token in tokens]
    heads = [_head(token, places) for token in tokens]
    labels = [token.dep_ for token in tokens]
    if clear:
        heads, labels = to_universal(lemmas, tags, heads, labels)
    return tuple(
        Token(written[token.i], lemma, tag, head, label.replace("ROOT", "root"), _space_follows(token), token.tag_)
        for token, lemma, tag, head, label in zip(tokens, lemmas, tags, heads, labels, strict=True)
    )


def _head(token: "SpacyToken", places: Mapping[int, int]) -> int:
    """The place of the token's head; if that is white space, of the next head above it, or the token's own."""
    head = token.head
    while head.i not in places and head.head.i != head.i:
        head = head.head
    return places.get(head.i, places[token.i])


def _space_follows(token: "SpacyToken") -> bool:
    following = token.i + 1
    return bool(token.whitespace_) or (following < len(token.doc) and token.doc[following].is_space)


def load_parser(name: PathLike | None = None) -> Parser:
    """A parser by the name of a spaCy pipeline or the path of one.

    Without a name it is ``en_core_web_sm`` if that is installed, and else the pipeline that comes with this package.

    Raises:
        InputError: There is no such pipeline.
    """
    if name is None:
        installed = _installed(PREFERRED)
        return Parser(PREFERRED, installed) if installed else Parser("english", SHIPPED)
    name = os.fspath(path_of(name, "name"))
    if os.path.isdir(name):
        return Parser(name, Path(name))
    if installed := _installed(name):
        return Parser(name, installed)
    raise InputError(
        f"{name}: no such spaCy pipeline; install it (python -m spacy download {name}), give the path of one, or leave "
        "the name out for the English pipeline of this package"
    )


def _installed(name: str) -> Path | None:
    """Where an installed pipeline package keeps its data: in a folder named for its version."""
    try:
        spec = importlib.util.find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    package = Path(spec.origin).parent
    return next((path.parent for path in sorted(package.glob(f"{name}-*/meta.json"))), None)
