"""Opening and converting n-gram language models."""

import logging
import math
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self

from typing_extensions import override

from widl import _core
from widl._core import EstimationOptions, NGramModel, TrainingText
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, encodable, reject_text, text_of, texts_in, whole
from widl.common.errors import InputError, MissingFileError
from widl.common.files import anonymous_file, check_readable, messages_naming, open_source, plain_file, replacing
from widl.common.option_values import NOT_ON_COMMAND_LINE, Positive
from widl.common.options import option_set
from widl.common.workers import opened_once

BinaryKind = Literal["rest", "probing", "trie"]
MAX_ORDER = 6
DEFAULT_ORDER = 3
"""Default order of language models: trigrams, as in the papers."""


_POINTER_BITS = 22
"""Bits that a quantized trie may chop off its pointers, as in Moses' instructions."""
_MEMORY_OF_FEW = 64 << 20  # bytes of memory to estimate from a few sentences


@option_set
class ConversionOptions:
    """Options of `convert_language_model`: the kind of KenLM binary."""

    kind: BinaryKind = "rest"
    "rest (with bounds for the search), probing, or trie (smallest)."
    quantize: Annotated[Positive | None, NOT_ON_COMMAND_LINE] = None
    "Trie: quantize probabilities and back-off weights, and compress pointers."


ENDS_OF_SENTENCES = frozenset(
    {"<s>", "</s>"}
)  # text to score may contain <unk>: it counts as an unknown word like any other
_BLANKS = re.compile("[ \t\r]+")

logger = logging.getLogger(__name__)


@checked
class LanguageModel(_core.LanguageModel):
    """An n-gram language model of order 1 to 6, stored and queried by KenLM; scores are natural logs.

    ``score_words`` gives ln p of each word in its context and, last, of ``</s>``; ``in`` says whether a word is known.

    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> [round(log_prob, 2) for log_prob in model.score_words(["the", "cat"])]
    [-0.54, -0.23, -2.77]
    >>> model.order, "cat" in model, "dog" in model
    (3, True, False)

    KenLM has no models of order 1: one is opened as an order 2 whose only bigram, ``<s> </s>``, changes no probability.
    A model is pickled as the path of its file, which must exist where it is unpickled; an estimated model as its
    ARPA text.
    """

    _path: Path | None = None
    _origin: Path | bytes | None = None
    """The pickled form: its file, or its ARPA text; None if it was read from a pipe."""

    def __init__(self, path: PathLike) -> None:
        """As `load`."""
        with kenlm_input(_existing(path)) as plain:
            super().__init__(plain)
        self._path = Path(path)
        logger.info("%s: opened a language model of order %d", path, self.order)
        if self._path.is_file():
            self._origin = self._path.absolute()

    def __reduce__(self) -> tuple[Callable[..., "LanguageModel"], tuple[Path | bytes]]:
        if self._origin is None:
            raise InputError(f"{self._path}: not a regular file; other processes can't open this language model")
        return (LanguageModel._of_arpa if isinstance(self._origin, bytes) else _reopened), (self._origin,)

    def __repr__(self) -> str:
        if self._path is None and self._origin is None:  # as a traceback shows it
            return "<LanguageModel, not loaded>"
        return f"<LanguageModel of order {self.order}, {self._path or 'estimated'}>"

    @override
    def score_words(self, words: Sequence[str], *, begin: bool = True, end: bool = True) -> list[float]:
        """ln p of each word, and of ``</s>`` if `end`; ``<s>`` precedes the words if `begin`."""
        return super().score_words(_list_of_words(words), begin=begin, end=end)

    @override
    def full_score_words(
        self, words: Sequence[str], *, begin: bool = True, end: bool = True
    ) -> list[tuple[float, int, bool]]:
        """As `score_words`, with the length of the n-gram that was found, and whether the word is known."""
        return super().full_score_words(_list_of_words(words), begin=begin, end=end)

    @override
    def bound_words(self, words: Sequence[str]) -> list[float]:
        """Upper bound on ln p of each word, given the words before it in the list, after any words before these."""
        return super().bound_words(_list_of_words(words))

    def score(self, sentence: str) -> float:
        """ln p of a sentence of space-separated words. ``<s>`` and ``</s>`` are added; the sentence must not contain
        them.

        >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
        >>> round(model.score("the cat sat"), 2)
        -1.86
        """
        return sum(self.score_words(scored_words(sentence, "sentence")))

    def perplexity(self, sentences: Iterable[str]) -> float:
        """exp(−ln p / events) of sentences; each word and each ``</s>`` is an event, unknown words too.

        InputError without sentences, and for a sentence that contains ``<s>`` or ``</s>``.

        >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
        >>> round(model.perplexity(["the cat sat", "the cat ran"]), 2)
        1.59
        """
        total, events = 0.0, 0
        for number, sentence in enumerate(texts_in(sentences, "sentences", "a list of sentences: [line]"), 1):
            scores = self.score_words(scored_words(sentence, f"sentences:{number}"))
            total, events = total + sum(scores), events + len(scores)
        if not events:
            raise InputError("no sentences; the perplexity is undefined")
        return perplexity_of(total, events)

    @classmethod
    def load(cls, path: PathLike) -> Self:
        """Open an ARPA file (also ``.arpa.gz``) or a KenLM binary.

        Binaries open in milliseconds; ARPA files take about half a second per million n-grams. Only ARPA
        files and binaries of kind "rest" have bounds over unknown left contexts; without them exact search
        is slow.

        Raises:
            MissingFileError: There is no such file.
            InputError: The file is not a usable model; the message names file and line.
        """
        return cls(path)

    @classmethod
    def estimate(cls, lines: Iterable[str], *, order: int = DEFAULT_ORDER) -> Self:
        """Estimate a model of a few sentences, words separated by blanks, within milliseconds.

        Interpolated modified Kneser-Ney (Chen & Goodman 1998). Fallback discounts are usual for such small texts, and
        cause no warning. `estimate_language_model` does the same for any amount of text, with all options, and writes a
        file; here a temporary file is removed at the end.

        Raises:
            InputError: The order is not from 1 to 6, or a line holds ``<s>``, ``</s>`` or ``<unk>``.
        """
        lines = texts_in(lines, "lines", "a list of sentences: [line]")
        if not 1 <= whole(order, "order") <= MAX_ORDER:
            raise InputError(f"language models have order 1 to {MAX_ORDER}, not {order}")
        text = TrainingText(order=order, memory=_MEMORY_OF_FEW, directory=tempfile.gettempdir())
        text.add("".join(f"{encodable(line, 'lines')}\n" for line in lines).encode())
        model = NGramModel.estimate(text, EstimationOptions(order=order))
        pieces: list[bytes] = []
        model.write_arpa(pieces.append)
        return cls._of_arpa(b"".join(pieces))

    @classmethod
    def _of_arpa(cls, text: bytes) -> Self:
        model = cls.__new__(cls)
        with anonymous_file() as (arpa, path):
            arpa.write(text)
            arpa.flush()
            with kenlm_input(path) as plain:
                _core.LanguageModel.__init__(model, plain)
        model._origin = text
        return model


def _list_of_words(words: Sequence[str]) -> list[str]:
    found = list(reject_text(words, "words", "a list of words; score takes a sentence"))
    for word in found:
        text_of(word, "words")
    return found


_DATA = re.compile(rb"^\\data\\[ \t\r]*\n", re.MULTILINE)
_ONE_COUNT = re.compile(rb"\s*ngram\s+1\s*=[^\n]*\n(?=\s*\\1-grams:)")
_END_OF_SENTENCE = re.compile(rb"^[ \t]*(\S+)[ \t]+</s>(?:\s|$)", re.MULTILINE)
_HEAD = 1 << 16  # bytes searched for the counts of an ARPA file


@contextmanager
def kenlm_input(path: Path) -> Iterator[Path]:
    """The file, or a copy that KenLM can read: no free text precedes the counts, and the order is at least 2."""
    with plain_file(path) as plain:
        if not plain.is_file():  # a pipe can be read only once
            yield plain
            return
        with plain.open("rb") as stream:
            head = stream.read(_HEAD)
        start = None if head.startswith(KENLM_MAGIC) else _DATA.search(head)
        only_unigrams = start is not None and _ONE_COUNT.match(head, start.end())
        if start is None or not (only_unigrams or head[: start.start()].strip()):
            yield plain
            return
        content = plain.read_bytes()
        before = b"\n" * content.count(b"\n", 0, start.start())  # so that messages give the right line numbers
        content = before + content[start.start() :]
        if only_unigrams:
            content = _with_a_bigram(content)
        with anonymous_file() as (copy, temporary):
            copy.write(content)
            copy.flush()
            with messages_naming(temporary, path):
                yield temporary


def _with_a_bigram(arpa: bytes) -> bytes:
    """A model of order 1 as a model of order 2: p(</s> | <s>) is p(</s>)."""
    end = _END_OF_SENTENCE.search(arpa)
    if end is None:
        return arpa
    arpa = re.sub(rb"(ngram\s+1\s*=[^\n]*\n)", rb"\1ngram 2=1\n", arpa, count=1)
    return arpa.replace(b"\\end\\", b"\\2-grams:\n" + end[1] + b"\t<s> </s>\n\n\\end\\", 1)


def _reopened(path: Path) -> LanguageModel:
    return opened_once(LanguageModel, lambda: LanguageModel(path), [path])


def scored_words(line: str, where: str) -> list[str]:
    """The words of a line; InputError, with the place `where`, if one is ``<s>`` or ``</s>``."""
    # Blanks as in training: str.split() would also split at Unicode's own spaces.
    words = [word for word in _BLANKS.split(encodable(line, where)) if word]
    if reserved := ENDS_OF_SENTENCES.intersection(words):
        raise InputError(
            f"{where}: the word {min(reserved)} belongs to the model itself; remove or rename it in the text"
        )
    return words


def perplexity_of(log_prob: float, events: int) -> float:
    """exp(−ln p / events); NaN without events."""
    try:
        return math.exp(-log_prob / events) if events else math.nan
    except OverflowError:
        return math.inf


KENLM_MAGIC = b"mmap lm"
"""First bytes of KenLM's binaries."""


def is_kenlm_binary(path: PathLike) -> bool:
    """Whether a file begins as KenLM's binaries do."""
    with open_source(path) as stream:
        return stream.read(len(KENLM_MAGIC)) == KENLM_MAGIC


def _existing(path: PathLike) -> Path:
    """The path of a readable file; FileError if it is missing or not a regular file."""
    file = Path(path)
    if not os.path.exists(file):
        raise MissingFileError(f"{file}: no such language model; 'widl lm estimate' makes one of text")
    check_readable(file)
    return file


@checked
def convert_language_model(
    arpa: PathLike,
    output: PathLike,
    *,
    kind: BinaryKind = ConversionOptions.kind,
    quantize: int | None = ConversionOptions.quantize,
) -> None:
    """Write an ARPA file (also ``.arpa.gz``) as KenLM binary, for loading in milliseconds.

    "rest" is a probing hash table that also holds, per n-gram, the largest probability over all left
    extensions, which the search uses as bound; "probing" goes without; "trie" takes the least memory.
    KenLM has no trie with rest costs.

    Tries can be smaller still: `quantize` stores probabilities and back-off weights in the given number of bits, at
    most 25 (Federico & Bertoldi 2006), which changes them a little, and compresses pointers (Raj & Whittaker 2003),
    which costs time.
    """
    arpa = _existing(arpa)
    ConversionOptions(kind=kind, quantize=quantize)  # checks them
    with replacing(output) as temporary, kenlm_input(arpa) as plain:
        LanguageModel.convert(
            plain,
            temporary,
            kind=kind,
            quantized_bits=quantize or 0,
            pointer_bits=_POINTER_BITS if quantize else 0,
        )


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """The words of a line; for each word and ``</s>`` ln p, n-gram length, whether it is known."""

    words: tuple[str, ...]
    scores: tuple[tuple[float, int, bool], ...]

    @property
    def log_prob(self) -> float:
        """ln p of the line."""
        return math.fsum(log_prob for log_prob, _, _ in self.scores)

    @property
    def unknown(self) -> list[float]:
        """ln p of each unknown word."""
        return [log_prob for log_prob, _, is_known in self.scores if not is_known]


@checked
def score_lines(
    lines: Iterable[str], language_model: LanguageModel | PathLike, *, name: str = "lines"
) -> Iterator[ScoredLine]:
    """The ln probability of each line, word by word, between ``<s>`` and ``</s>``.

    Raises InputError for a line that contains ``<s>`` or ``</s>`` itself; the message refers to the lines as `name`.

    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> [round(line.log_prob, 2) for line in score_lines(["the cat sat"], model)]
    [-1.86]
    """
    texts = texts_in(lines, "lines", "a list of lines: [line]")
    model = language_model if isinstance(language_model, LanguageModel) else LanguageModel.load(language_model)
    return (_scored(f"{name}:{number}", line, model) for number, line in enumerate(texts, 1))


def _scored(where: str, line: str, model: LanguageModel) -> ScoredLine:
    words = scored_words(line, where)
    return ScoredLine(tuple(words), tuple(model.full_score_words(words)))
