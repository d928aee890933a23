"""A phrase table from files of tokenized text and word alignments."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from widl._core import PhraseScorer
from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError, MissingFileError
from widl.common.exchange import Exchange, SharedFolder
from widl.common.files import read_lines
from widl.common.streams import count_lines
from widl.common.workers import LocalEngine, Progress, no_progress
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.extraction import ExtractionOptions, check_temporary_directory, extract_phrases
from widl.phrase_table.shards import PhraseShards
from widl.phrase_table.symmetrization import DEFAULT_METHOD, symmetrize
from widl.phrase_table.writing import build_phrase_table


def build_from_files(
    path: PathLike,
    source: PathLike,
    target: PathLike,
    alignment: PathLike | tuple[PathLike, PathLike],
    *,
    symmetrization: str = DEFAULT_METHOD,
    options: ExtractionOptions | None = None,
    threads: int = 0,
    memory: int = 0,
    temporary_directory: PathLike | None = None,
    progress: Progress = no_progress,
) -> TableInfo:
    """Make the table `path`; line i of all files belongs to sentence pair i, and files may end in ``.gz``.

    `alignment`: lines ``0-0 1-2 …`` of source-target points, or a file for each direction, to be symmetrized. By
    default, temporary files are in the table's directory.
    """
    path = path_of(path, "path")
    folder = path.parent if temporary_directory is None else path_of(temporary_directory, "temporary_directory")
    check_temporary_directory(temporary_directory, used=memory > 0)
    if symmetrization != DEFAULT_METHOD and not isinstance(alignment, tuple | list):
        raise InputError("symmetrization has no effect here; it is for the alignments of both directions")
    if not os.path.isdir(path.parent):  # fails now, not after the work
        raise MissingFileError(f"{path.parent}: no such directory, where the phrase table was to go")
    given = alignment if isinstance(alignment, tuple | list) else (alignment,)
    names = ["source", "target", *["alignment"] * len(given)]
    files = list(map(path_of, (source, target, *given), names))
    check_lengths(files)
    with _errors_naming(files[2:]):
        if len(given) == 1:
            links, method = read_lines(files[2]), ""
        else:
            forward, reverse = map(read_lines, files[2:])
            links, method = symmetrize(forward, reverse, symmetrization), symmetrization
        with phrases_of_text(
            (read_lines(source), read_lines(target), links),
            options or ExtractionOptions(),
            threads=threads,
            memory=memory,
            temporary_directory=folder,
            progress=progress,
        ) as phrases:
            return build_phrase_table(path, phrases, symmetrization=method, progress=progress)


@contextmanager
def phrases_of_text(
    lines: tuple[Iterable[str], Iterable[str], Iterable[str]],
    options: ExtractionOptions,
    *,
    in_domain: int = 0,
    threads: int,
    memory: int,
    temporary_directory: Path,
    progress: Progress = no_progress,
    exchange: Exchange | None = None,
    pairs: int = 0,
) -> Iterator[PhraseScorer | PhraseShards]:
    """The phrase pairs of lines of source, target and links: in memory or, under a memory limit, in files.

    `exchange`: the workers that extract the phrases of `pairs` sentence pairs.
    """
    if exchange is not None:
        yield PhraseShards(*lines, exchange, options=options, in_domain=in_domain, pairs=pairs)
        return
    if not memory:
        yield extract_phrases(*lines, **vars(options), in_domain=in_domain, threads=threads)
        return
    with TemporaryDirectory(dir=temporary_directory) as folder:
        exchange = Exchange(LocalEngine(threads or os.cpu_count() or 1), SharedFolder(Path(folder)), progress)
        yield PhraseShards(*lines, exchange, options=options, in_domain=in_domain, memory=memory)


def check_lengths(files: Sequence[Path]) -> None:
    """Raise InputError unless all files have as many lines as the first."""
    if not all(map(os.path.isfile, files)):
        return  # a pipe can be read only once; errors appear when it is opened
    lengths = [count_lines(file) for file in files]
    for file, length in zip(files, lengths, strict=True):
        if length != lengths[0]:
            raise InputError(
                f"{file}: {length:,} lines, but {files[0]} has {lengths[0]:,}; line N of all files must belong to "
                "sentence pair N"
            )


@contextmanager
def _errors_naming(files: list[Path]) -> Iterator[None]:
    """Put the alignment files' names before errors about a line; only lines of the alignment can be malformed."""
    try:
        yield
    except InputError as error:
        match = re.fullmatch(r"line (\d+): (.*)", str(error), re.DOTALL)
        if match is None:
            raise
        names = " or ".join(f"{file}:{match[1]}" for file in files)
        raise InputError(f"{names}: {match[2]}") from None
