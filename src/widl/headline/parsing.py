"""Dependency parses of documents by the package's spaCy pipeline, in Universal Dependencies.

spaCy is imported when the first document is parsed.
"""

import functools
import importlib
import importlib.metadata
import itertools
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from widl.common.argument_types import checked
from widl.common.arguments import kind_of, reject_text, whole
from widl.common.errors import InputError, WrongTypeError
from widl.common.extras import optional_packages
from widl.common.workers import chunked, map_in_order
from widl.headline.clearnlp_to_ud import to_universal
from widl.headline.documents import Document
from widl.headline.markup import clean_paragraphs, with_digits, without_symbols
from widl.headline.quotations import find_quotations
from widl.headline.spacy_import import import_spacy
from widl.headline.word_lists import DAYS, IMPERSONAL_INITIALS, WIRE_ABBREVIATIONS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span
    from spacy.tokens import Token as SpacyToken

MAX_WORDS = 2000

_TOKENIZER = "widl.Tokenizer.v1"
_BATCH = 64  # documents per task of a worker
_CHARACTERS = 20  # maximum average characters per word; it bounds text without spaces
# spaCy's time to split off punctuation is quadratic in a word's length.
_LONG_WORD = re.compile(r"\S{300}(?=\S)")
_INITIALS = re.compile(r"[A-Z]\.[A-Z]\.")
_INFLECTED = ("VERB", "AUX", "NOUN", "ADJ", "ADV", "PRON")
_CLOSING = frozenset({'"', "'", "''", "”", "’", ")", "]", "»"})


@dataclass(frozen=True, slots=True)
class Token:
    """A word or punctuation mark, as the pipeline tokenizes text: *Iran*, *'s*, *do*, *n't*."""

    text: str
    lemma: str  # lowercase: attack for attacks, Attacked
    tag: str  # universal part of speech
    head: int  # position in the sentence; the root is its own head
    relation: str  # universal dependency, with the subtypes of UD_English-EWT: nsubj:pass, acl:relcl
    space: bool  # whether white space follows
    form: str = ""  # the pipeline's fine-grained tag, or empty: VBD, NNS
    vector: NDArray[np.float16] | None = field(default=None, compare=False, repr=False)
    """The context vector that the parser computed for it."""
    quotation: int = 0
    """The number of its quotation in the paragraph, from 1; negative if the quotation lacks a mark; 0: outside."""


Sentence = tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A document with its sentences; the end of a paragraph is always the end of a sentence."""

    document: Document
    sentences: tuple[Sentence, ...]


SHIPPED = Path(__file__).with_name("english")
"""The folder of the package's pipeline."""


def pipeline_meta() -> dict[str, Any]:
    """What the pipeline says about itself: its name and version, and the versions of spaCy that it is made for."""
    meta: dict[str, Any] = json.loads((SHIPPED / "meta.json").read_text(encoding="utf-8"))
    return meta


def parser_version() -> str:
    """The pipeline's name and version, and spaCy's version; other versions may parse differently."""
    meta = pipeline_meta()
    with optional_packages():
        spacy = importlib.metadata.version("spacy")
    return f"{meta['lang']}_{meta['name']} {meta['version']}, spaCy {spacy}"


@checked
def parse_documents(
    documents: Iterable[Document], *, words: int = MAX_WORDS, threads: int = 1
) -> Iterator[ParsedDocument]:
    """The documents' parses, in order.

    Args:
        documents: Any number of documents; few are read ahead.
        words: Maximum number of words of each document that are parsed (entire paragraphs; the last one is truncated).
        threads: Worker processes, each with a separate pipeline; 1: work in this process.
    """
    make = functools.partial(_Worker, whole(words, "words"))
    batches = chunked(_checked_documents(documents), _BATCH)
    return itertools.chain.from_iterable(map_in_order(make, batches, threads=whole(threads, "threads")))


def _checked_documents(documents: Iterable[Document]) -> Iterator[Document]:
    expected = 'a list of documents: [Document("1", text)]'
    for document in reject_text(documents, "documents", expected):
        if not isinstance(document, Document):
            raise WrongTypeError(f"documents: found {kind_of(document)}; pass {expected}")
        yield document


@functools.cache
def load_pipeline(folder: Path) -> "Language":
    """A spaCy pipeline, loaded once.

    Its tokenizer begins without rules and reads those of the folder. spaCy's begins with a thousand rules of English,
    which the same rules from the folder then replace.
    """
    spacy = import_spacy()
    spacy.registry.tokenizers(_TOKENIZER, func=_make_tokenizer)
    try:
        pipeline: Language = spacy.load(folder, config={"nlp.tokenizer": {"@tokenizers": _TOKENIZER}})
    except (OSError, ValueError, ImportError) as error:
        reason = str(error).strip().split("\n")[0]
        raise InputError(f"{folder}: spaCy can't load this pipeline ({reason}); install widl again") from None
    return pipeline


def _make_tokenizer() -> "Callable[[Language], Any]":
    """Makes tokenizers without rules, as spaCy's registry has it."""
    return lambda pipeline: import_spacy().tokenizer.Tokenizer(pipeline.vocab)


@functools.cache
def lemmas_of(word: str) -> frozenset[str]:
    """The lemmas of a lowercase word as a verb, as a noun, as any part of speech: *fall*, of *fell*."""
    pipeline = load_pipeline(SHIPPED)
    with optional_packages():
        from spacy.tokens import Doc

    lemmatizer: Any = pipeline.get_pipe("lemmatizer")
    docs = (Doc(pipeline.vocab, words=[word], pos=[tag]) for tag in _INFLECTED)
    return frozenset(lemma.lower() for doc in docs for lemma in lemmatizer.lemmatize(doc[0]))


class _Worker:
    """Parses batches of documents with one pipeline."""

    def __init__(self, words: int) -> None:
        self._pipeline = load_pipeline(SHIPPED)
        self._words = words

    def __call__(self, documents: Sequence[Document]) -> list[ParsedDocument]:
        # Parse each paragraph as a separate text, so that no sentence extends into the next one.
        paragraphs = [list(_beginning(document.text, self._words)) for document in documents]
        texts = (
            (text, self._pipeline.make_doc(with_digits(text))) for text in itertools.chain.from_iterable(paragraphs)
        )
        spelled = ((forbid_sentence_ends(_spelled_out(doc)), _written(text, doc)) for text, doc in texts)
        docs = self._pipeline.pipe(spelled, as_tuples=True)
        parsed = []
        for document, document_paragraphs in zip(documents, paragraphs, strict=True):
            sentences = itertools.starmap(_read_sentences, itertools.islice(docs, len(document_paragraphs)))
            parsed.append(ParsedDocument(document, tuple(itertools.chain.from_iterable(sentences))))
        return parsed


def _written(text: str, doc: "Doc") -> list[str]:
    """The tokens as the text has them."""
    return [text[token.idx : token.idx + len(token)] for token in doc]


def _spelled_out(doc: "Doc") -> "Doc":
    """The tokens with a news wire's abbreviations expanded: *million dollars* for *mln dlrs*."""
    words = [WIRE_ABBREVIATIONS.get(token.text, token.text) for token in doc]
    if all(token.text == word for token, word in zip(doc, words, strict=True)):
        return doc
    return type(doc)(doc.vocab, words=words, spaces=[bool(token.whitespace_) for token in doc])


def forbid_sentence_ends(doc: "Doc") -> "Doc":
    """Let the pipeline end sentences only after a period or similar punctuation.

    A sentence does not end after initials, nor between an abbreviation and a lowercase letter or a day of the week:
    *Acme Corp. Monday said*. A parser trained on web texts would also end sentences in the middle of a name.
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
    """Whether a word is a person's initials: *B.J.*, but not *U.S.*, which may end a sentence."""
    return _INITIALS.fullmatch(text) is not None and text not in IMPERSONAL_INITIALS


def _is_abbreviation(text: str) -> bool:
    return text.endswith(".") and text[0].isalpha()


def _beginning(text: str, words: int) -> Iterator[str]:
    """The first `words` words, by paragraphs; overlong words are split."""
    for paragraph in clean_paragraphs(text[: _CHARACTERS * words].split("\n")):
        text = _LONG_WORD.sub(r"\g<0> ", without_symbols(paragraph))
        first_words = text.split(" ", words)[:words]
        yield " ".join(first_words)
        words -= len(first_words)
        if words == 0:
            return


def _read_sentences(doc: "Doc", written: Sequence[str]) -> Iterator[Sentence]:
    """The sentences of a text, their tokens as `written`."""
    quoted = _quotation_numbers(doc, written)
    return (_read_sentence(span, written, quoted) for span in doc.sents)


def _quotation_numbers(doc: "Doc", written: Sequence[str]) -> list[int]:
    """`Token.quotation` of each token of a paragraph."""
    texts = [text + token.whitespace_ for token, text in zip(doc, written, strict=True)]
    starts = list(itertools.accumulate(map(len, texts), initial=0))
    numbers = [0] * len(written)
    for number, quotation in enumerate(find_quotations("".join(texts)), 1):
        begin, end = quotation.inside
        first, last = bisect_right(starts, begin) - 1, bisect_left(starts, end) - 1
        # The tokenizer does not divide so-called"rebels".
        apart = starts[first] == begin or texts[first][begin - starts[first] :].isspace()
        for i in range(first, last + 1):
            numbers[i] = number if quotation.closed and apart else -number
    return numbers


def _read_sentence(span: "Span", written: Sequence[str], quoted: Sequence[int]) -> Sentence:
    tokens = [token for token in span if not token.is_space]
    places = {token.i: place for place, token in enumerate(tokens)}
    lemmas = [(token.lemma_ or token.text).lower() for token in tokens]
    tags = [token.pos_ or "X" for token in tokens]
    heads, labels = to_universal(lemmas, tags, [_head(t, places) for t in tokens], [t.dep_ for t in tokens])
    vectors = span.doc.tensor[span.start : span.end].astype(np.float16)
    rows = (vectors[token.i - span.start].copy() for token in tokens)
    return tuple(
        Token(written[token.i], lemma, tag, head, label, _space_follows(token), token.tag_, vector, quoted[token.i])
        for token, lemma, tag, head, label, vector in zip(tokens, lemmas, tags, heads, labels, rows, strict=True)
    )


def _head(token: "SpacyToken", places: Mapping[int, int]) -> int:
    """The position of the token's head; if that is white space, of the next head above it, or of the token itself."""
    head = token.head
    while head.i not in places and head.head.i != head.i:
        head = head.head
    return places.get(head.i, places[token.i])


def _space_follows(token: "SpacyToken") -> bool:
    following = token.i + 1
    return bool(token.whitespace_) or (following < len(token.doc) and token.doc[following].is_space)
