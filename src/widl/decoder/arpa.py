"""N-grams of ARPA files as sorted arrays: read, looked up many at a time, and written.

Words are numbers that all models of one vocabulary share. An n-gram's key is the position of its first n-1 words
among the (n-1)-grams, times 2³¹, plus its last word; keys are sorted, so a lookup is n binary searches.
"""

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from widl.common.arguments import PathLike
from widl.common.encodings import LONGEST_LINE
from widl.common.errors import InputError
from widl.common.files import open_source, source_name
from widl.decoder.language_model import KENLM_MAGIC, MAX_ORDER

Rows: TypeAlias = NDArray[np.int32]
"""N-grams of one order, shape (n-grams, order): word numbers; a negative one is no word."""
Numbers: TypeAlias = NDArray[np.float64]

UNKNOWN, BEGIN, END = 0, 1, 2
"""Numbers of ``<unk>``, ``<s>`` and ``</s>`` in every vocabulary."""

_WORD_BITS = 31
_SUM_TOLERANCE = 1e-3
_LINES_AT_ONCE = 50_000


def new_vocabulary() -> dict[bytes, int]:
    """Numbers of the words that all models have; readers add theirs."""
    return {b"<unk>": UNKNOWN, b"<s>": BEGIN, b"</s>": END}


class NgramIndex:
    """The positions of n-grams, order by order from 1; those of an order are sorted by their keys."""

    def __init__(self) -> None:
        self.rows: list[Rows] = []
        self.keys: list[NDArray[np.int64]] = []

    @property
    def order(self) -> int:
        """Of the longest n-grams."""
        return len(self.rows)

    def positions(self, rows: Rows) -> NDArray[np.int64]:
        """Where n-grams are, shape (n-grams,); -1 for those that are not there."""
        place = np.zeros(len(rows), np.int64)
        if rows.shape[1] > self.order:
            return place - 1
        for keys, words in zip(self.keys, rows.T, strict=False):
            if not len(keys):
                return np.full(len(rows), -1)
            wanted = place << _WORD_BITS | words  # negative, so never found, if the place or the word is
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            place = np.where(keys[at] == wanted, at, -1)
        return place

    def add_order(self, rows: Rows) -> NDArray[np.int64]:
        """Add the n-grams of the next order; returns which of the given ones stand at each position.

        Their first words must be n-grams of the order before. Of equal n-grams one is kept.
        """
        prefixes = self.positions(rows[:, :-1]) if self.order else np.zeros(len(rows), np.int64)
        chosen: NDArray[np.int64]
        keys, chosen = np.unique(prefixes << _WORD_BITS | rows[:, -1], return_index=True)
        self.rows.append(rows[chosen])
        self.keys.append(keys)
        return chosen

    def prefixes(self, order: int) -> NDArray[np.int64]:
        """For each n-gram of an order from 2 on, the position of its first words."""
        return self.keys[order - 1] >> _WORD_BITS


@dataclass
class BackoffModel:
    """An n-gram model: p(w|h) of its n-grams hw, and else the back-off weight of h times p(w|h without its first word).

    Probabilities and weights are no logarithms. ``<s>`` has probability 0: it is never predicted.
    """

    index: NgramIndex = field(default_factory=NgramIndex)
    probabilities: list[Numbers] = field(default_factory=list)
    """By order, from 1, at the positions of the index."""
    backoffs: list[Numbers] = field(default_factory=list)

    def score(self, rows: Rows) -> Numbers:
        """p of each row's last word after the words before it, shape (rows,).

        Words in contexts that the model does not have are ``<unk>`` to it; as a last word such a word has
        probability 0. In front of the context may stand negative numbers.
        """
        rows = rows[:, -self.index.order :].copy()
        contexts = rows[:, :-1]
        known = self.index.positions(contexts.reshape(-1, 1)).reshape(contexts.shape) >= 0
        contexts[~known & (contexts >= 0)] = UNKNOWN
        return self._backed_off(rows)

    def _backed_off(self, rows: Rows) -> Numbers:
        n = rows.shape[1]
        places = self.index.positions(rows)
        missing = places < 0
        found = _values_at(self.probabilities[n - 1], places, 0.0)
        if n > 1 and missing.any():
            rest = rows[missing]
            weights = _values_at(self.backoffs[n - 2], self.index.positions(rest[:, :-1]), 1.0)
            found[missing] = weights * self._backed_off(rest[:, 1:])
        return found


def _values_at(values: Numbers, places: NDArray[np.int64], otherwise: float) -> Numbers:
    found = np.full(len(places), otherwise)
    there = places >= 0
    found[there] = values[places[there]]
    return found


def read_arpa(path: PathLike, vocabulary: dict[bytes, int]) -> BackoffModel:
    """Read an ARPA file (``.gz`` too) of order 1 to 6; its words get numbers in the vocabulary.

    N-grams in which ``<s>`` follows a word are left out, and the unigrams are scaled to sum to 1, which changes
    them by their rounding. InputError names file and line.
    """
    with open_source(path) as stream:
        return _Reader(source_name(path), stream, vocabulary).read()


class _Reader:
    def __init__(self, name: str, stream: BinaryIO, vocabulary: dict[bytes, int]) -> None:
        self.name, self.stream, self.vocabulary = name, stream, vocabulary
        self.number = 0
        self.words: dict[bytes, int] = {}  # of this file
        self.model = BackoffModel()

    def read(self) -> BackoffModel:
        counts = self.read_counts()
        for n, count in enumerate(counts, 1):
            self.expect(f"\\{n}-grams:")
            self.read_order(n, count, highest=n == len(counts))
        self.expect("\\end\\")
        self.scale_unigrams()
        return self.model

    def fail(self, message: str, line: int | None = None) -> NoReturn:
        raise InputError(f"{self.name}:{line or self.number}: {message}")

    def next_line(self) -> bytes:
        line = self.stream.readline(LONGEST_LINE + 1)
        self.number += 1
        if len(line) > LONGEST_LINE:
            self.fail(f"longer than {LONGEST_LINE >> 20} MB, so no ARPA file; make or fetch it again")
        if not line:
            self.fail("the file ends too early; make or fetch it again")
        return line.rstrip(b" \t\r\n")

    def next_text(self) -> bytes:
        """The next line that is not blank."""
        while not (line := self.next_line()):
            pass
        return line

    def expect(self, text: str) -> None:
        found = self.next_text()
        if found != text.encode():
            self.fail(f"found {_shown(found)}, expected '{text}'")

    def read_counts(self) -> list[int]:
        first = self.next_text().removeprefix(b"\xef\xbb\xbf")
        if first.startswith(KENLM_MAGIC):
            self.fail("a KenLM binary, whose n-grams can't be listed; give the ARPA file that it was made of")
        if first != b"\\data\\":
            self.fail(f"found {_shown(first)}, expected '\\data\\'; this is no ARPA file")
        counts: list[int] = []
        while line := self.next_line():
            order, equals, count = line.removeprefix(b"ngram ").partition(b"=")
            if not (line.startswith(b"ngram ") and equals and order.strip() == b"%d" % (len(counts) + 1)
                    and count.strip().isdigit()):
                self.fail(f"found {_shown(line)}, expected 'ngram {len(counts) + 1}=COUNT'")
            counts.append(int(count))
        if not 1 <= len(counts) <= MAX_ORDER:
            self.fail(f"n-grams of {len(counts)} orders; 1 to {MAX_ORDER} are possible")
        return counts

    def read_order(self, n: int, count: int, *, highest: bool) -> None:
        first = self.number + 1
        words, log_probs, log_backoffs = array("i"), array("d"), array("d")
        for _ in range(count):
            fields = self.next_line().replace(b"\t", b" ").split(b" ")
            if b"" in fields:
                fields = [one for one in fields if one]
            if len(fields) != n + 1 and (len(fields) != n + 2 or highest):
                self.fail(f"expected a log probability, {n} words{' and perhaps a back-off weight' * (not highest)}")
            log_probs.append(self.log_number(fields[0], most=0.0))
            log_backoffs.append(self.log_number(fields[n + 1], most=99.0) if len(fields) > n + 1 else 0.0)
            words.extend([self.add_word(fields[1])] if n == 1 else self.known_words(fields[1 : n + 1]))
        rows = np.array(words, np.int32).reshape(-1, n)
        kept = np.flatnonzero((rows[:, 1:] != BEGIN).all(axis=1))
        rows = rows[kept]
        if n > 1:
            lost = np.flatnonzero(self.model.index.positions(rows[:, :-1]) < 0)
            if len(lost):
                self.fail(f"the first words of this {n}-gram are no {n - 1}-gram", first + int(kept[lost[0]]))
        chosen = self.model.index.add_order(rows)
        if len(chosen) < len(rows):
            again = np.setdiff1d(np.arange(len(rows)), chosen)
            self.fail(f"this {n}-gram stands here a second time", first + int(kept[again[0]]))
        chosen = kept[chosen]
        self.model.probabilities.append(np.power(10.0, np.array(log_probs)[chosen]))
        self.model.backoffs.append(np.power(10.0, np.array(log_backoffs)[chosen]))

    def scale_unigrams(self) -> None:
        """Normalise the unigrams, excluding <s>."""
        unigrams = self.model.probabilities[0]
        unigrams[self.model.index.rows[0][:, 0] == BEGIN] = 0
        total = float(unigrams.sum())
        if abs(total - 1) > _SUM_TOLERANCE:
            raise InputError(f"{self.name}: the probabilities of its words sum to {total:.6g}, not to 1; "
                             "a model that was filtered can't be interpolated, estimate it anew")
        unigrams /= total

    def log_number(self, text: bytes, *, most: float) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not number <= most:
            self.fail(f"found {_shown(text)}, expected a logarithm of at most {most:g}")
        return number

    def add_word(self, word: bytes) -> int:
        if word == b"<UNK>":
            word = b"<unk>"
        try:
            word.decode()
        except UnicodeDecodeError:
            self.fail(f"invalid UTF-8 in {_shown(word)}; convert the file to UTF-8, for instance with iconv")
        return self.words.setdefault(word, self.vocabulary.setdefault(word, len(self.vocabulary)))

    def known_words(self, words: Sequence[bytes]) -> list[int]:
        try:
            return [self.words[word] for word in words]
        except KeyError:
            words = [b"<unk>" if word == b"<UNK>" else word for word in words]
            for word in words:
                if word not in self.words:
                    self.fail(f"the word {_shown(word)} is no 1-gram of the model")
            return [self.words[word] for word in words]


def write_arpa(model: BackoffModel, vocabulary: dict[bytes, int], write: Callable[[bytes], object]) -> None:
    """Write a model as ARPA text; `vocabulary` has its words in the order of their numbers."""
    names = list(vocabulary)
    order = model.index.order
    counts = "".join(f"ngram {n}={len(rows)}\n" for n, rows in enumerate(model.index.rows, 1))
    write(f"\\data\\\n{counts}".encode())
    for n, rows in enumerate(model.index.rows, 1):
        write(f"\n\\{n}-grams:\n".encode())
        # <s> is written as lmplz does: log p is 0, and nobody asks for it.
        probabilities = np.where(rows[:, -1] == BEGIN, 1.0, model.probabilities[n - 1])
        log_probs, log_backoffs = _log10(probabilities), _log10(model.backoffs[n - 1])
        for begin in range(0, len(rows), _LINES_AT_ONCE):
            part = slice(begin, begin + _LINES_AT_ONCE)
            lines = []
            for row, log_prob, log_backoff in zip(
                rows[part].tolist(), log_probs[part].tolist(), log_backoffs[part].tolist(), strict=True
            ):
                words = b" ".join([names[word] for word in row])
                if n == order or row[-1] == END:
                    lines.append(b"%.8g\t%b\n" % (log_prob, words))
                else:
                    lines.append(b"%.8g\t%b\t%.8g\n" % (log_prob, words, log_backoff))
            write(b"".join(lines))
    write(b"\n\\end\\\n")


def _log10(numbers: Numbers) -> Numbers:
    found: Numbers = np.log10(np.maximum(numbers, 1e-99))
    return found + 0.0  # no -0


def _shown(text: bytes) -> str:
    shown = text.decode(errors="replace")
    return f"'{shown if len(shown) <= 40 else shown[:39] + '…'}'"
