"""n-best lists: files in Moses' format, and lists merged over iterations."""

import math
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of, paths_of, whole
from widl.common.arrays import FloatArray, IntArray
from widl.common.errors import InputError, WrongTypeError
from widl.common.files import read_lines, source_name, write_text

MAX_DIGITS = 9  # of a sentence's number


class Candidate(NamedTuple):
    """An output of a decoder: its text, and its features in the order of the decoder's weights."""

    text: str
    features: Sequence[float]


@checked
@dataclass
class NbestLists:
    """Candidates of sentences 0, 1, …: row r of `features` belongs to ``texts[r]`` and ``sentences[r]``.

    Rows are ordered by sentence, and by arrival within a sentence.
    """

    feature_names: tuple[str, ...]
    sentences: IntArray
    texts: list[str]
    features: FloatArray
    """Shape (candidates, features)."""

    def begins(self, count: int) -> IntArray:
        """Row at which each of `count` sentences begins, and the number of rows: shape (count + 1,)."""
        return np.searchsorted(self.sentences, np.arange(count + 1)).astype(np.int64)


@checked
def read_nbest(sources: Sequence[PathLike], *, sentences: int | None = None) -> NbestLists:
    """Read n-best files of lines ``id ||| text ||| Name= v v Name= v ||| score``; the score may be missing.

    Several files are merged; equal candidates count once. A name with several values becomes as many features,
    ``Name_1`` and so on; ``name=value`` without a blank is read too, and ``name: value`` of older versions. All
    candidates have the features of the first, in any order. Ids count from 0. Every sentence must have a candidate: up
    to `sentences`, or else up to the largest id. InputError names the file and line of numbers that are not finite, and
    of missing or unknown features.
    """
    sources = paths_of(sources, "sources", "a list of files: [path]")
    reader = _Reader()
    for source in sources:
        reader.read(source)
    where = ", ".join(map(source_name, sources))
    if not reader.texts:
        raise InputError(f"{where}: no n-best lists; expected lines like '0 ||| text ||| LM0= -3.2 ||| -1.5'")
    lists = reader.lists()
    count = int(lists.sentences[-1]) + 1 if sentences is None else sentences
    there = np.unique(lists.sentences)
    there = there[there < count]
    if missing := count - there.size:
        gaps = np.flatnonzero(there != np.arange(there.size))
        first = int(gaps[0]) if gaps.size else there.size
        raise InputError(
            f"{where}: no candidates of sentence {first}"
            + (f" and {missing - 1} others" if missing > 1 else "")
            + f"; each of {count} needs some (ids count from 0)"
        )
    if lists.sentences[-1] >= count:
        raise InputError(f"{where}: there is a sentence {lists.sentences[-1]}, but only {count} references")
    return lists


@dataclass
class _Reader:
    """The columns of the lists read from all files."""

    names: tuple[str, ...] = ()
    sentences: "array[int]" = field(default_factory=lambda: array("q"))
    texts: list[str] = field(default_factory=list)
    values: "array[float]" = field(default_factory=lambda: array("d"))
    _labels: list[tuple[int, str]] = field(default_factory=list)
    _numbers: list[int] = field(default_factory=list)
    _tokens: int = -1

    def read(self, source: PathLike) -> None:
        first = len(self.texts)
        for number, line in enumerate(read_lines(source), 1):
            fields = line.split("|||")
            if len(fields) < 3:
                raise InputError(
                    f"{source_name(source)}:{number}: expected at least 3 fields between '|||', found {len(fields)}"
                )
            try:
                self._add(fields)
            except ValueError as error:
                raise InputError(f"{source_name(source)}:{number}: {error}") from None
        self._check_finite(source, first)

    def _add(self, fields: list[str]) -> None:
        identity = fields[0].strip()
        if not (identity.isascii() and identity.isdecimal() and len(identity) <= MAX_DIGITS):
            raise ValueError(f"expected the sentence's number from 0, found {identity!r}")
        tokens = fields[2].split()
        if tokens and tokens[0].endswith(":"):
            tokens = [f"{token[:-1]}=" if token.endswith(":") else token for token in tokens]
        # Nearly all lines name their features as the line before did.
        if len(tokens) != self._tokens or any(tokens[i] != label for i, label in self._labels):
            self._read_names(tokens)
        try:
            if self._numbers:
                self.values.extend([float(tokens[i]) for i in self._numbers])
            else:
                named = _named_values(tokens)
                self.values.extend([float(named[name]) for name in self.names])
        except ValueError:
            raise ValueError("a feature's value is not a number") from None
        self.sentences.append(int(identity))
        self.texts.append(" ".join(fields[1].split()))

    def _read_names(self, tokens: list[str]) -> None:
        """Find the names and numbers of features in a line; ValueError if the names differ from the first line's."""
        names = tuple(_named_values(tokens))
        if self.names and (odd := sorted(set(names) ^ set(self.names))):
            raise ValueError(f"the first line has other features: {', '.join(odd)}")
        if not names:
            raise ValueError("no features; expected some like 'LM0= -3.2'")
        self.names = self.names or names
        self._tokens = len(tokens)
        self._labels = [(i, token) for i, token in enumerate(tokens) if token.endswith("=")]
        numbers = [i for i, token in enumerate(tokens) if not token.endswith("=")] if self._labels else []
        self._numbers = [numbers[names.index(name)] for name in self.names] if numbers else []
        if not self._labels:
            self._tokens = -1  # name=value: there is no label to compare

    def _check_finite(self, source: PathLike, first: int) -> None:
        values = np.frombuffer(self.values, dtype=np.float64).reshape(-1, max(1, len(self.names)))[first:]
        if bad := np.argwhere(~np.isfinite(values)).tolist():
            row, column = bad[0]
            raise InputError(
                f"{source_name(source)}:{row + 1}: {self.names[column]} is {values[row, column]}; "
                "features must be finite numbers"
            )

    def lists(self) -> NbestLists:
        pool = CandidatePool()
        features = np.frombuffer(self.values, dtype=np.float64).reshape(len(self.texts), -1)
        pool.add(NbestLists(self.names, np.frombuffer(self.sentences, dtype=np.int64), self.texts, features))
        return pool.lists()


def _named_values(tokens: Sequence[str]) -> dict[str, str]:
    """Feature names and their values as text, from ``A= 1 2 B= 3`` or ``A=1 B=3``."""
    groups: list[tuple[str, list[str]]] = []
    for token in tokens:
        name, equals, value = token.rpartition("=")
        if not equals:
            if not groups:
                raise ValueError(f"expected a feature's name such as 'LM0=', found {token!r}")
            groups[-1][1].append(token)
        else:
            groups.append((name, [value] if value else []))
    result: dict[str, str] = {}
    for name, values in groups:
        named = {name: values[0]} if len(values) == 1 else {f"{name}_{i}": v for i, v in enumerate(values, 1)}
        if not named or named.keys() & result.keys():
            raise ValueError(f"feature {name!r} " + ("appears twice" if named else "has no value"))
        result |= named
    return result


@checked
def write_nbest(path: PathLike, lists: Iterable[Sequence[Candidate]], weights: dict[str, float]) -> None:
    """Write candidates in Moses' format, each with its score λ · h; numbers are read back exactly.

    Blanks in a text become single spaces, and ``|||`` is escaped as Moses does. InputError for a sentence without
    candidates, and for features that are not finite or do not match the number of weights.
    """
    with write_text(path) as file:
        for sentence, candidates in enumerate(lists):
            if not candidates:
                raise InputError(f"no candidate of sentence {sentence} (counted from 0); the decoder must give one")
            file.writelines(_nbest_lines(sentence, candidates, weights))


def written_text(text: str) -> str:
    """A text as written in an n-best file."""
    return " ".join(text.split()).replace("|||", "&#124;&#124;&#124;")


def _nbest_lines(sentence: int, candidates: Sequence[Candidate], weights: dict[str, float]) -> Iterator[str]:
    for candidate in candidates:
        if not isinstance(candidate, tuple) or len(candidate) != 2:
            found = kind_of(candidate)
            raise WrongTypeError(f"lists: found {found} in sentence {sentence}; pass Candidate(text, features)")
        text, features = candidate
        values = [float(value) for value in features]
        if len(values) != len(weights):
            raise InputError(f"sentence {sentence}: {len(values)} features of a candidate, but {len(weights)} weights")
        for name, value in zip(weights, values, strict=True):
            if not math.isfinite(value):
                raise InputError(f"sentence {sentence}: {name} is {value}; features must be finite numbers")
        score = sum(weight * value for weight, value in zip(weights.values(), values, strict=True))  # may overflow
        named = " ".join(f"{name}= {value!r}" for name, value in zip(weights, values, strict=True))
        yield f"{sentence} ||| {written_text(text)} ||| {named} ||| {score!r}\n"


@checked
class CandidatePool:
    """All candidates without duplicates: two are equal if their sentences, texts and features are."""

    def __init__(self) -> None:
        self._rows: list[tuple[int, str, bytes]] = []
        self._known: set[tuple[int, str, bytes]] = set()
        self._names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, lists: NbestLists) -> range:
        """Add the candidates that are new; returns their rows, in the order of addition."""
        if self._names and lists.feature_names != self._names:
            raise InputError(
                f"features {', '.join(lists.feature_names)} cannot be merged with {', '.join(self._names)}"
            )
        self._names = lists.feature_names
        first = len(self._rows)
        raw = np.ascontiguousarray(lists.features + 0.0).tobytes()  # -0.0 becomes 0.0
        width = 8 * lists.features.shape[1]
        sentences = lists.sentences.tolist()
        for row, (sentence, text) in enumerate(zip(sentences, lists.texts, strict=True)):
            key = (sentence, text, raw[row * width : (row + 1) * width])
            if key not in self._known:
                self._known.add(key)
                self._rows.append(key)
        return range(first, len(self._rows))

    def order(self) -> IntArray:
        """The rows, sorted by sentence, then by order of addition."""
        sentences = np.fromiter((row[0] for row in self._rows), dtype=np.int64, count=len(self._rows))
        return np.argsort(sentences, kind="stable").astype(np.int64)

    def rows(self, indices: Iterable[int]) -> NbestLists:
        """n-best lists of these rows, in this order."""
        numbers = [whole(index, "indices") for index in indices]
        if numbers and not 0 <= min(numbers) <= max(numbers) < len(self._rows):
            raise InputError(f"indices: the pool has rows 0 to {len(self._rows) - 1}, found {max(numbers)}")
        chosen = [self._rows[number] for number in numbers]
        features = np.frombuffer(b"".join(row[2] for row in chosen), dtype=np.float64)
        return NbestLists(
            self._names,
            np.array([row[0] for row in chosen], dtype=np.int64),
            [row[1] for row in chosen],
            features.reshape(len(chosen), len(self._names)),
        )

    def lists(self) -> NbestLists:
        """All candidates as lists."""
        return self.rows(self.order().tolist())
