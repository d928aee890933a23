"""Reads and writes phrase tables as text in Moses' format.

    f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ||| alignment ||| count(e) count(f) count(f,e) ||| sparse ||| properties

A reordering table, lines ``f ||| e ||| scores``, is another file. A table may have any number of scores, also of other
features. Sparse features and properties, which only Moses uses, are dropped.
"""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

from widl._core import MosesExporter, MosesImporter, MosesLayout, RunMerger, TableWriter, count_features
from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import Source, open_source, read_blocks, source_name, write_bytes
from widl.common.option_values import Size, shown_in_help
from widl.common.options import option_set
from widl.common.workers import Progress, no_progress
from widl.decoder.features import CROSSING, ORIGIN_FEATURES, REORDERING_FEATURES, TRANSLATION_FEATURES
from widl.phrase_table.entries import TableInfo, in_columns
from widl.phrase_table.reordering import REORDERING, StoredReordering
from widl.phrase_table.storage import PhraseTable
from widl.phrase_table.writing import finish, new_table

logger = logging.getLogger(__name__)


@option_set
class ImportOptions:
    """Options of reading Moses' text; the table does not depend on the memory."""

    scores: Annotated[str | None, shown_in_help(metavar="NAME,…")] = None
    "Score names by column, like p_fe,lex_fe,p_ef,lex_ef,more. Default: these four, then p4, p5, …"
    memory: Size = 256 << 20
    "Memory to sort phrase pairs, like 100M or 1G; the rest goes to disk."


_BLOCK = 1 << 22  # bytes of text per call of the core


@dataclass(frozen=True)
class ExportReport:
    """The number of phrase pairs written, and of pairs skipped because they contain ``|||``."""

    written: int
    left_out: int


@checked
def export_moses(table: PhraseTable, output: PathLike | BinaryIO, *, progress: Progress = no_progress) -> ExportReport:
    """Write a table as Moses text; a name ending in ``.gz`` is compressed.

    Numbers have the fewest digits that read back as the same 32 bits. Lines are in the table's order; Moses sorts its
    own as bytes (``LC_ALL=C sort``).
    """
    layout = MosesLayout(fields=table.info.moses_fields, scores=len(table.info.scores))
    return _export(table, MosesExporter(table.target_vocabulary, layout), output, progress)


@checked
def export_reordering(
    table: PhraseTable, output: PathLike | BinaryIO, *, progress: Progress = no_progress
) -> ExportReport:
    """Write the scores of a table's reordering model as Moses' reordering table; `export_moses` writes the other
    scores.
    """
    if not table.info.reordering:
        raise InputError("the table has no reordering model; make it with one: reordering " + REORDERING)
    return _export(table, MosesExporter.of_reordering(table.target_vocabulary), output, progress)


def _export(
    table: PhraseTable, exporter: MosesExporter, output: PathLike | BinaryIO, progress: Progress
) -> ExportReport:
    with write_bytes(output) as write:
        for batch in table.batches():
            with table.faults():
                write(exporter.text(batch))
            progress("export", exporter.pairs + exporter.left_out, table.info.phrase_pairs)
    if exporter.left_out:
        count = f"{exporter.left_out:,}"
        logger.warning("%s phrase pairs left out: they contain '|||', which separates the fields", count)
    return ExportReport(exporter.pairs, exporter.left_out)


@checked
def import_moses(
    source: Source,
    path: PathLike,
    *,
    scores: str | None = ImportOptions.scores,
    memory: int = ImportOptions.memory,
    reordering_table: Source | None = None,
    progress: Progress = no_progress,
) -> TableInfo:
    """Make the table `path` from Moses text, whose lines may come in any order.

    Phrase pairs are sorted by up to `memory` bytes, in a temporary file beside the table, which takes about
    as much space as the text. A malformed line is an InputError that names it. The options of a source
    phrase are put in the order of p(e|f), then p(f|e), then text.

    scores: the names of the features, separated by commas, in the order of the columns. Without them four are the
    `TRANSLATION_FEATURES`; any other number of scores are score1, score2 and so on. Scores are numbers from 0 on, and
    0 counts as e^-100, as in Moses.

    reordering_table: Moses' table of a lexicalized reordering model, msd-bidirectional-fe; each phrase pair must have
    its scores there. Its other lines are ignored.
    """
    path = Path(path)
    names = None if scores is None else score_names(scores)
    with new_table(path) as writer:
        importer = MosesImporter(path.absolute().parent, memory, 0 if names is None else len(names))

        def read(file: Source, what: str, parse: Callable[[bytes], None]) -> None:
            before, read_lines = 0, False
            with open_source(file) as stream, _errors_naming(file):
                for lines in _whole_lines(stream):
                    _check_encoding(lines, before)
                    parse(lines)
                    before += lines.count(b"\n")
                    read_lines = True
                    progress("read", importer.lines, 0)
            if not read_lines:
                raise InputError(f"{source_name(file)}: empty, where a {what} was expected")

        read(source, "phrase table", importer.parse)
        if reordering_table is not None:
            read(reordering_table, "reordering table", importer.parse_reordering)
        progress("read", importer.lines, importer.lines)
        with _errors_naming(source):
            merger = RunMerger(importer)
            model: StoredReordering = "" if reordering_table is None else REORDERING
            return _write_merged(importer, names, merger, writer, model, f"import {source_name(source)}", progress)


_NAME = re.compile("[A-Za-z][A-Za-z0-9_]*")
_TAKEN = re.compile(f"lm[0-9]+|{'|'.join((*ORIGIN_FEATURES, *REORDERING_FEATURES, *count_features(), CROSSING))}")


def score_names(text: str) -> tuple[str, ...]:
    """Score names from comma-separated text; InputError for an invalid feature name.

    >>> score_names("p_fe, p_ef")
    ('p_fe', 'p_ef')
    """
    names = tuple(name.strip() for name in text.split(","))
    for i, name in enumerate(names):
        if not _NAME.fullmatch(name):
            raise InputError(f"names of scores: {name!r} is none; names have letters, digits and '_'")
        if _TAKEN.fullmatch(name) or name in names[:i]:
            raise InputError(f"names of scores: there is a feature {name!r} already; choose another name")
    return names


def _default_names(scores: int) -> tuple[str, ...]:
    """Default names in the order of a table."""
    if scores == len(TRANSLATION_FEATURES):
        return TRANSLATION_FEATURES
    return in_columns([f"score{i}" for i in range(1, scores + 1)])


def _write_merged(
    importer: MosesImporter,
    names: Sequence[str] | None,
    merger: RunMerger,
    writer: TableWriter,
    reordering: StoredReordering,
    what: str,
    progress: Progress,
) -> TableInfo:
    pairs = 0
    while (batch := merger.next_batch()) is not None:
        writer.add(batch)
        pairs += batch.pairs
        progress("write", pairs, importer.lines)
    words = merger.target_words()
    info = TableInfo(
        sentences=None,
        source_phrases=writer.source_phrases,
        phrase_pairs=pairs,
        occurrences=None,
        target_words=len(words),
        max_length=importer.max_length,
        symmetrization="",
        reordering=reordering,
        moses_fields=importer.layout.fields,
        scores=_default_names(importer.layout.scores) if names is None else in_columns(names),
        history=(what,),
    )
    finish(writer, info, words)
    return info


def _whole_lines(stream: BinaryIO) -> Iterator[bytes]:
    """The stream in blocks of complete lines; the last line may lack its line end."""
    rest = b""
    for block in read_blocks(stream, _BLOCK):
        end = block.rfind(b"\n") + 1
        if end:
            yield rest + block[:end]
            rest = block[end:]
        else:
            rest += block
    if rest:
        yield rest


def _check_encoding(lines: bytes, before: int) -> None:
    try:
        lines.decode()
    except UnicodeDecodeError as error:
        number = before + lines.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{number}: invalid UTF-8 (bytes {lines[error.start : error.end].hex(' ')}); convert the file to UTF-8, "
            "for instance with iconv"
        ) from None


@contextmanager
def _errors_naming(source: Source) -> Iterator[None]:
    """Put the file's name before the line's number, if the error is about a line."""
    try:
        yield
    except InputError as error:
        if not str(error)[:1].isdigit():
            raise
        raise InputError(f"{source_name(source)}:{error}") from None
