"""Preparation of training text: tokenizing, cleaning and truecasing files, as streams, in several processes."""

import logging
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import IO, TypeVar

from pydantic import BaseModel

from widl.common.arguments import PathLike, paths_of, reject_text
from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_lines, write_text
from widl.common.shared_folder import Exchange
from widl.common.streams import count_lines
from widl.common.workers import Progress, chunked, map_in_order, no_progress
from widl.phrase_table.given_alignment import GivenAlignments, UnparsedLinks, read_links
from widl.text.cleaning import Cleaning, content_faults
from widl.text.normalization import visible
from widl.text.segmentation import make_tokenizer
from widl.text.source_and_target import SourceText, TargetText, TextSettings
from widl.text.test_sets import refuse_markup
from widl.text.truecasing import Truecaser

logger = logging.getLogger(__name__)

T = TypeVar("T")
R = TypeVar("R")

_CHUNK = 1000  # lines per task; about 0.1 s of work


class BitextReport(BaseModel):
    """Counts of sentence pairs read, kept and dropped (by reason), and of the kept pairs' tokens."""

    pairs: int
    kept: int
    dropped: dict[str, int]
    source_tokens: int
    target_tokens: int
    in_domain: int = 0
    """Number of in-domain pairs among the kept pairs; they come first."""

    def summary(self) -> str:
        """The report in one line."""
        dropped = ", ".join(f"{count:,} {fault}" for fault, count in self.dropped.items()) or "none"
        return (
            f"{self.pairs:,} sentence pairs read, {self.kept:,} kept "
            f"({self.source_tokens:,} source and {self.target_tokens:,} target tokens); dropped: {dropped}"
        )


SOURCE, TARGET = "corpus.source", "corpus.target"
"""Names of the token files with a sentence per line."""


def links_names(alignments: GivenAlignments | None) -> list[str]:
    """The names of the files with given alignments of the pairs kept: none, one, or forward and reverse."""
    return [f"{kind}.align" for kind in alignments.kinds] if alignments else []


@dataclass(frozen=True)
class PreparedBitext:
    """The truecaser trained on the kept pairs, and the counts."""

    truecaser: Truecaser
    report: BitextReport


def prepare_bitext(
    prefixes: Sequence[PathLike],
    directory: PathLike,
    *,
    settings: TextSettings | None = None,
    cleaning: Cleaning | None = None,
    tokenized: bool = False,
    alignments: GivenAlignments | None = None,
    in_domain: int = 0,
    threads: int = 1,
    progress: Progress = no_progress,
    exchange: Exchange | None = None,
) -> PreparedBitext:
    """Tokenize, clean and truecase the files PREFIX.zh and PREFIX.en (or .gz) of all prefixes, in order.

    Writes ``corpus.source`` and ``corpus.target`` to the directory, both complete or neither, and the given alignments
    of the pairs kept. The truecaser is trained on the target side of these pairs. `in_domain`: number of prefixes at
    the beginning whose kept pairs the report also counts. `exchange`: the workers that tokenize and clean, instead of
    `threads` processes.
    """
    settings = settings or TextSettings()
    cleaning = cleaning or Cleaning()
    settings.check()
    named = reject_text(prefixes, "bitext", 'a list of prefixes: ["news"] for news.zh and news.en')
    pairs = [_find_pair(prefix, file_suffixes(settings)) for prefix in named]
    directory = Path(directory)
    if alignments is not None and not tokenized:
        raise InputError(
            "alignments need the tokens that were aligned: give tokenized text, and say so (--tokenized, in Python "
            "tokenized=True)"
        )
    lengths = _checked_lengths(pairs, alignments)
    total, first = sum(lengths), sum(lengths[:in_domain])

    directory.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        source_file, target_file, *links_files = (
            stack.enter_context(write_text(directory / name)) for name in (SOURCE, TARGET, *links_names(alignments))
        )
        # Target tokens in their original casing, until all have been counted.
        written = stack.enter_context(tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=directory))
        lines = _read_pairs(pairs, alignments)
        chunks = chain(chunked(islice(lines, first), _CHUNK), chunked(lines, _CHUNK))
        work = partial(_PairWorker, settings, cleaning, tokenized)
        report = _write_kept(
            _mapped(work, chunks, threads, exchange),
            (source_file, written, *links_files),
            in_domain=first,
            duplicates=cleaning.duplicates,
            progress=lambda done: progress("tokenize", done, total),
        )
        if not report.kept:
            raise InputError(
                f"no sentence pair is left to train on: {report.summary()}{_language_hint(report, settings)}"
            )
        logger.info("%s", report.summary())
        truecaser = Truecaser.train(_read_tokens(written))
        cased = map(TargetText(settings, truecaser).cased, _read_tokens(written))
        for number, tokens in enumerate(cased, 1):
            target_file.write(" ".join(tokens) + "\n")
            if number % _CHUNK == 0 or number == report.kept:
                progress("truecase", number, report.kept)
    return PreparedBitext(truecaser, report)


def _checked_lengths(pairs: Sequence[tuple[Path, Path]], alignments: GivenAlignments | None) -> list[int]:
    """The numbers of sentence pairs; InputError for files that are empty, of unequal length, or not aligned."""
    if not pairs:
        raise InputError("no parallel text given; name at least one prefix of a pair of files")
    counts = [check_pair(source, target) for source, target in pairs]
    for (source, target), count in zip(pairs, counts, strict=True):
        if not count:
            raise InputError(f"{source}: empty, and so is {target}; leave the pair out or restore its text")
    if alignments is not None:
        alignments.check([(source, count) for (source, _), count in zip(pairs, counts, strict=True)])
    return counts


def prepare_text(
    files: Sequence[PathLike],
    output: PathLike,
    *,
    truecaser: Truecaser,
    settings: TextSettings | None = None,
    threads: int = 1,
    progress: Progress = no_progress,
    exchange: Exchange | None = None,
) -> None:
    """Tokenize and truecase text of the target language, one sentence per line, dropping empty lines.

    `exchange`: the workers that do it, instead of `threads` processes.
    """
    settings = settings or TextSettings()
    settings.check()
    paths, output = paths_of(files, "files"), Path(output)
    # A pipe can be read only once, so its lines are not counted first.
    total = sum(map(count_lines, paths)) if all(map(os.path.isfile, paths)) else 0
    lines = (line for path in paths for line in read_lines(path))
    work = partial(_TextWorker, settings, truecaser)
    read = 0
    output.parent.mkdir(parents=True, exist_ok=True)
    with write_text(output) as file:
        for size, sentences in _mapped(work, chunked(lines, _CHUNK), threads, exchange):
            read += size
            file.writelines(f"{sentence}\n" for sentence in sentences)
            progress("tokenize", read, total)


def _mapped(
    make: Callable[[], Callable[[T], R]],
    chunks: Iterable[T],
    threads: int,
    exchange: Exchange | None,
) -> Iterator[R]:
    if exchange is None:
        return map_in_order(make, chunks, threads=threads)
    return exchange.map_in_order(make, chunks)


def file_suffixes(settings: TextSettings) -> tuple[str, str]:
    """The suffixes of a pair's files: their languages, or zh and en if the languages are unspecified."""
    source, target = settings.source_language, settings.target_language
    return ("zh" if source == "none" else source, "en" if target == "none" else target)


def _find_pair(prefix: PathLike, suffixes: tuple[str, str]) -> tuple[Path, Path]:
    """The two files that a prefix names, compressed or not."""
    text = os.fspath(prefix)
    if not text or text in (".", "..") or text.endswith("/"):
        names = " and ".join(f"PREFIX.{suffix}" for suffix in suffixes)
        raise InputError(f"{text!r} is no prefix of a pair of files; PREFIX names {names}")
    paths: list[Path] = []
    for suffix in suffixes:
        candidates = [Path(f"{text}.{suffix}"), Path(f"{text}.{suffix}.gz")]
        existing = [path for path in candidates if path.exists()]
        if not existing:
            stem = text.removesuffix(".gz").removesuffix(f".{suffix}")
            hint = (
                f"give the prefix {stem}, without the language"
                if stem != text
                else f"the prefix {text} names {text}.{suffixes[0]} and {text}.{suffixes[1]} (or .gz)"
            )
            raise MissingFileError(f"{candidates[0]}: no such file; {hint}")
        paths.append(existing[0])
    return paths[0], paths[1]


def check_pair(source: PathLike, target: PathLike) -> int:
    """The number of lines, if it is equal in both files of plain text; otherwise an InputError, before any work."""
    for path in (source, target):
        refuse_markup(Path(path))
    source_lines, target_lines = count_lines(source), count_lines(target)
    if source_lines != target_lines:
        raise InputError(
            f"{os.fspath(source)} has {source_lines:,} lines, {os.fspath(target)} has {target_lines:,}; "
            "line N of one must be the translation of line N of the other"
        )
    return source_lines


def _language_hint(report: BitextReport, settings: TextSettings) -> str:
    """A hint if a text is mostly in a language other than the declared one."""
    wrong = report.dropped.get(f"source not {settings.source_language}", 0)
    return "; are the files of the two languages exchanged?" if 2 * wrong > report.pairs else ""


_RawPair = tuple[str, str, tuple[UnparsedLinks, ...]]


def _read_pairs(pairs: Sequence[tuple[Path, Path]], alignments: GivenAlignments | None) -> Iterator[_RawPair]:
    files = alignments.files if alignments else [()] * len(pairs)
    for (source, target), links in zip(pairs, files, strict=True):
        lines = zip(read_lines(source), read_lines(target), strict=True)
        if not links:
            yield from ((*pair, ()) for pair in lines)
            continue
        raw = zip(*map(read_links, links), strict=True)
        yield from ((*pair, raw_links) for pair, raw_links in zip(lines, raw, strict=True))


def _read_tokens(file: IO[str]) -> Iterator[list[str]]:
    file.seek(0)
    return (line.split() for line in file)


@dataclass
class _PairChunk:
    """The kept pairs of a chunk, as token lines with links, and fault counts of the other pairs."""

    pairs: list[tuple[str, ...]]
    faults: Counter[str]


class _PairWorker:
    """Tokenizes and filters a chunk of raw pairs."""

    def __init__(self, settings: TextSettings, cleaning: Cleaning, tokenized: bool) -> None:
        self._languages = settings.source_language, settings.target_language
        self._source: Callable[[str], list[str] | None]
        self._target: Callable[[str], list[str] | None]
        if tokenized:
            self._source = self._target = given_tokens
        else:
            self._source = SourceText(settings).tokens
            self._target = make_tokenizer(settings.target_language).tokenize
        self._cleaning = cleaning

    def __call__(self, chunk: list[_RawPair]) -> _PairChunk:
        result = _PairChunk([], Counter())
        good: list[tuple[_RawPair, list[str], list[str]]] = []
        for pair in chunk:
            source, target = self._source(pair[0]), self._target(pair[1])
            if source is None or target is None:
                result.faults["unusable token"] += 1
            elif fault := self._cleaning.fault(source, target):
                result.faults[fault] += 1
            else:
                good.append((pair, source, target))
        faults: list[str | None] = [None] * len(good)
        if self._cleaning.content:
            faults = content_faults([pair[:2] for pair, _, _ in good], *self._languages)
        for ((_, _, raw_links), source, target), fault in zip(good, faults, strict=True):
            if fault is not None:
                result.faults[fault] += 1
                continue
            links = [raw.points(len(source), len(target)) for raw in raw_links]
            result.pairs.append((" ".join(source), " ".join(target), *links))
        return result


def given_tokens(line: str) -> list[str] | None:
    """The tokens of a tokenized line, separated by ASCII blanks.

    None if a token is invisible or contains other white space: a phrase table can't hold it, and dropping it would
    shift the positions of an alignment.
    """
    tokens = [visible(token) for token in _ASCII_BLANKS.split(line) if token]
    return None if any(not token or " " in token for token in tokens) else tokens


_ASCII_BLANKS = re.compile(r"[ \t\r\f\v]+")


class _TextWorker:
    """Tokenizes and truecases a chunk of lines; returns their number and the sentences that are not empty."""

    def __init__(self, settings: TextSettings, truecaser: Truecaser) -> None:
        self._text = TargetText(settings, truecaser)

    def __call__(self, chunk: list[str]) -> tuple[int, list[str]]:
        sentences = (" ".join(self._text.tokens(line)) for line in chunk)
        return len(chunk), [sentence for sentence in sentences if sentence]


def _write_kept(
    chunks: Iterable[_PairChunk],
    outputs: Sequence[IO[str]],
    *,
    in_domain: int,
    duplicates: bool,
    progress: Callable[[int], None],
) -> BitextReport:
    """Write and count the kept pairs; pairs among the first `in_domain` (complete chunks) are also counted
    separately.
    """
    faults: Counter[str] = Counter()
    seen: set[int] = set()  # 64-bit hashes: with ten million pairs, one is wrongly dropped with probability 3e-6
    read = kept = source_tokens = target_tokens = kept_in_domain = 0
    for chunk in chunks:
        read += len(chunk.pairs) + chunk.faults.total()
        faults += chunk.faults
        for pair in chunk.pairs:
            if not duplicates:
                key = hash(pair[:2])
                if key in seen:
                    faults["duplicate"] += 1
                    continue
                seen.add(key)
            kept += 1
            for text, output in zip(pair, outputs, strict=True):
                output.write(text + "\n")
            source_tokens += pair[0].count(" ") + 1
            target_tokens += pair[1].count(" ") + 1
        if read <= in_domain:
            kept_in_domain = kept
        progress(read)
    return BitextReport(
        pairs=read,
        kept=kept,
        dropped={fault: faults[fault] for fault in sorted(faults)},
        source_tokens=source_tokens,
        target_tokens=target_tokens,
        in_domain=kept_in_domain,
    )
