"""A phrase table from files of tokenized text and word alignments."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from weakref import finalize

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_lines
from widl.common.resumable_steps import remove_tree
from widl.common.shared_folder import Exchange, SharedFolder
from widl.common.streams import count_lines
from widl.common.workers import LocalEngine, Progress, no_progress
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.extraction import ExtractionOptions, Smoothing, check_temporary_directory
from widl.phrase_table.reordering import ReorderingModel
from widl.phrase_table.shards import ExtractedPhrases
from widl.phrase_table.symmetrization import DEFAULT_METHOD, symmetrize
from widl.phrase_table.writing import build_phrase_table


@checked
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

    `alignment`: lines ``0-0 1-2 …`` of source-target points, or a file for each direction, to be symmetrized. Temporary
    files are in the table's directory by default.
    """
    path = Path(path)
    folder = path.parent if temporary_directory is None else Path(temporary_directory)
    check_temporary_directory(temporary_directory)
    if not os.path.isdir(path.parent):  # fails now, not after the work
        raise MissingFileError(f"{path.parent}: no such directory, where the phrase table was to go")
    given = alignment if isinstance(alignment, tuple | list) else (alignment,)
    files = [Path(file) for file in (source, target, *given)]
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
            pairs=count_lines(files[0]) if not memory and os.path.isfile(files[0]) else 0,
        ) as phrases:
            return build_phrase_table(path, phrases, symmetrization=method, progress=progress)


@checked
def extract_phrases(
    source_lines: Iterable[str],
    target_lines: Iterable[str],
    alignments: Iterable[str],
    *,
    max_phrase_length: int = ExtractionOptions.max_phrase_length,
    smoothing: Smoothing = ExtractionOptions.smoothing,
    reordering: ReorderingModel = ExtractionOptions.reordering,
    in_domain: int = 0,
    threads: int = 0,
) -> ExtractedPhrases:
    """All phrase pairs that are consistent with the alignments, counted and scored, for `build_phrase_table`.

    Phrases have up to `max_phrase_length` words on both sides. `threads` = 0 uses all processors.

    Scores are p(f|e), p(e|f) and the lexical weights of a pair's most frequent word alignment, which is the one that is
    stored. Given c(f,e) occurrences of a pair, p(e|f) is

    - for smoothing ``none``, as in Moses, c(f,e) / c(f), which sums to 1 over the pairs of f;
    - for ``kneser-ney`` (c(f,e) - D) / c(f) + a(f) b(e), modified and interpolated (Foster, Kuhn & Johnson 2006):
      discounts D for counts 1, 2 and 3 or more (Chen & Goodman 1998), a(f) the sum of the discounts of f's pairs over
      c(f), b(e) the share of e in the distinct pairs. The sum over all e of the table, seen with f or not, is 1.

    reordering: the model of lexicalized reordering (Koehn et al. 2005), ``msd-bidirectional-fe``, counted from the same
    occurrences as Moses does (core/phrase_table/orientation_counts.hpp), or ``none``.

    in_domain: number of in-domain lines at the beginning; their lexical weights are two more scores, `IN_DOMAIN_SCORES`
    (after Chiang, DeNeefe & Pust 2011). They have (c'(f,e) + 5 w(e|f)) / (c'(f) + 5) for w(e|f), c' counted in those
    lines.
    """
    options = ExtractionOptions(max_phrase_length=max_phrase_length, smoothing=smoothing, reordering=reordering)
    folder = Path(mkdtemp())
    try:
        phrases = ExtractedPhrases(
            source_lines, target_lines, alignments, _local(folder, threads), options=options, in_domain=in_domain
        )
    except BaseException:
        remove_tree(folder)
        raise
    finalize(phrases, remove_tree, folder)
    return phrases


def _local(folder: Path, threads: int, progress: Progress = no_progress) -> Exchange:
    """This process as the only worker."""
    return Exchange(LocalEngine(threads or os.cpu_count() or 1), SharedFolder(folder), progress)


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
) -> Iterator[ExtractedPhrases]:
    """The phrase pairs of lines of source, target and links, in about `memory` bytes; 0 for a default.

    `exchange`: the workers that extract them, instead of `threads`. `pairs`: the number of lines; 0: unknown.
    """
    if exchange is not None:
        yield ExtractedPhrases(*lines, exchange, options=options, in_domain=in_domain, pairs=pairs)
        return
    threads = threads or os.cpu_count() or 1
    with TemporaryDirectory(dir=temporary_directory) as folder:
        exchange = _local(Path(folder), threads, progress)
        yield ExtractedPhrases(
            *lines, exchange, options=options, in_domain=in_domain, pairs=pairs, memory=-(-memory // threads)
        )


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
