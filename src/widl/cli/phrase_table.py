"""``widl phrase-table``: build, read, prune and convert phrase tables."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from widl.cli.commands import STANDARD_STREAM, commands
from widl.cli.parameters import (
    CORES,
    Json,
    Quiet,
    TargetText,
    Threads,
    check_outputs,
    check_outside_models,
    source_of,
    text_lines,
)
from widl.cli.phrase_table_output import print_entries, statistics_text
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.json_values import json_text
from widl.common.manifests import MANIFEST
from widl.common.option_values import LARGEST
from widl.common.options import replace, values_of
from widl.decoder.weights import read_table_weights
from widl.phrase_table.building import build_from_files
from widl.phrase_table.entries import TableInfo, split_words
from widl.phrase_table.extraction import ExtractionOptions, ExtractionResources
from widl.phrase_table.moses_text import ImportOptions, export_moses, export_reordering, import_moses
from widl.phrase_table.pruning import Pruning, phrases_of, prune_table
from widl.phrase_table.statistics import table_statistics
from widl.phrase_table.storage import PhraseTable
from widl.phrase_table.symmetrization import Symmetrization
from widl.pipeline.progress import progress_bars
from widl.pipeline.pruned_model import prune_model
from widl.translation.manifest import read_manifest

app = commands("phrase-table", "Build, read, prune and convert phrase tables.")


def _table_of(path: Path) -> Path:
    """The table of a model directory; other paths unchanged."""
    if (path / MANIFEST).is_file():
        return path / read_manifest(path).phrase_table
    return path


NewTable = Annotated[Path, Parameter(metavar="TABLE", help="Output file for the phrase table.")]
Table = Annotated[Path, Parameter(help="Phrase table, or a model directory.")]
Limit = Annotated[
    int | None, Parameter(validator=Number(gte=1, lte=LARGEST), help="Maximum number of options per source phrase.")
]


@app.command
def build(
    table: NewTable,
    /,
    *,
    source: Annotated[Path, Parameter(help="Tokenized source text, one sentence per line (.gz too).")],
    target: TargetText,
    alignment: Annotated[Path | None, Parameter(help="Word alignment: lines like 0-0 1-2, source-target.")] = None,
    forward: Annotated[
        Path | None, Parameter(help="Instead of --alignment: one direction, source-target (with --reverse).")
    ] = None,
    reverse: Annotated[
        Path | None, Parameter(help="Alignment of the other direction, also source-target (with --forward).")
    ] = None,
    symmetrization: Symmetrization = Symmetrization(),
    options: ExtractionOptions = ExtractionOptions(),
    resources: ExtractionResources = ExtractionResources(),
    threads: Threads = CORES,
    quiet: Quiet = False,
) -> None:
    """Extract and score the phrase pairs of tokenized, word-aligned text."""
    _check_new_table(table, [source, target])
    with progress_bars(quiet=quiet) as progress:
        info = build_from_files(
            table,
            source,
            target,
            _alignment_files(alignment, forward, reverse),
            symmetrization=symmetrization.symmetrization,
            options=options,
            threads=threads,
            memory=resources.memory or 0,
            temporary_directory=resources.temporary_directory,
            progress=progress,
        )
    _report(quiet, table, info)


def _alignment_files(alignment: Path | None, forward: Path | None, reverse: Path | None) -> Path | tuple[Path, Path]:
    if alignment is not None and forward is None and reverse is None:
        return alignment
    if alignment is None and forward is not None and reverse is not None:
        return forward, reverse
    raise InputError("give either --alignment, or --forward and --reverse")


@app.command
def show(
    table: Table,
    prefix: Annotated[list[str] | None, Parameter(help="Only source phrases that begin with these words.")] = None,
    /,
    *,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Print entries, sorted word by word in byte order."""
    with PhraseTable.open(_table_of(table)) as opened:
        entries = (
            (phrase, opened.options_of(phrase, limit))
            for phrase in opened.phrases(first=split_words(" ".join(prefix or [])))
        )
        print_entries(entries, opened.info, as_json)


@app.command
def query(
    table: Table,
    phrases: Annotated[
        list[str] | None, Parameter(help="Source phrases, tokenized; default: stdin, one per line.")
    ] = None,
    /,
    *,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Print the options of source phrases, best first."""
    with PhraseTable.open(_table_of(table)) as opened:
        word_lists = map(split_words, phrases if phrases else text_lines(None))
        entries = ((" ".join(words), opened.options(words, limit=limit)) for words in word_lists)
        print_entries(entries, opened.info, as_json, live=not phrases)


@app.command
def stats(
    table: Table,
    /,
    *,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print counts, lengths, probabilities and entropy."""
    with PhraseTable.open(_table_of(table)) as opened, progress_bars(quiet=quiet or as_json) as progress:
        statistics = table_statistics(opened, progress=progress)
    text = json_text(asdict(statistics)) + "\n" if as_json else statistics_text(statistics)
    sys.stdout.write(text)


@app.command(name="export")
def export_command(
    table: Table,
    text: Annotated[
        Path, Parameter(show_default=False, help="Moses text to write, .gz or not; default: stdout.")
    ] = STANDARD_STREAM,
    /,
    *,
    reordering_table: Annotated[
        Path | None, Parameter(help="Also write the scores of the table's reordering model, as Moses does.")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Write a table as Moses text, in Moses' sort order."""
    check_outside_models(text, "write it elsewhere")
    check_outputs({"the text": text}, [table])
    with PhraseTable.open(_table_of(table)) as opened, progress_bars(quiet=quiet) as progress:
        target = sys.stdout.buffer if text == STANDARD_STREAM else text
        if reordering_table is not None:
            export_reordering(opened, reordering_table, progress=progress)
        report = export_moses(opened, target, progress=progress)
    if not quiet:
        sys.stderr.write(f"{text}: {report.written:,} phrase pairs\n")


@app.command(name="import")
def import_command(
    text: Annotated[Path, Parameter(help="Moses text, .gz or not, in any order; - for stdin.")],
    table: NewTable,
    /,
    *,
    reordering_table: Annotated[
        Path | None, Parameter(help="Moses' reordering table of the same phrases, msd-bidirectional-fe, .gz or not.")
    ] = None,
    options: ImportOptions = ImportOptions(),
    quiet: Quiet = False,
) -> None:
    """Make a table from Moses text, with any number of scores."""
    source = source_of(text)
    _check_new_table(table, [text])
    with progress_bars(quiet=quiet) as progress:
        info = import_moses(source, table, **values_of(options), reordering_table=reordering_table, progress=progress)
    _report(quiet, table, info)


@app.command
def prune(
    table: Annotated[Path, Parameter(help="Phrase table, or a model directory.")],
    pruned: Annotated[Path, Parameter(help="Output of the same kind; an existing phrase table is replaced.")],
    /,
    *,
    text: Annotated[
        Path | None, Parameter(help="Keep only phrases of this tokenized source text (.gz too; - for stdin).")
    ] = None,
    options: Pruning = Pruning(),
    weights: Annotated[
        Path | None, Parameter(help="TOML file: rank by its p_fe, p_ef, lex_fe, lex_ef, not by p(e|f).")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Prune a phrase table, or the table of a model.

    Criteria apply in the order of these options; each removes the pairs that fail it.

      widl phrase-table prune table.binary small.binary --limit 20
      widl phrase-table prune model small-model --min-count 2
    """
    is_model = (table / MANIFEST).is_file()
    if not is_model:
        way = f"make a model with a smaller table: widl phrase-table prune {pruned.parent} MODEL"
        check_outside_models(pruned, way)
    with PhraseTable.open(_table_of(table)) as opened, progress_bars(quiet=quiet) as progress:
        lines = None if text is None else map(split_words, read_lines(source_of(text)))
        pruning = replace(
            options,
            phrases=None if lines is None else phrases_of(lines, opened.info.max_length),
            weights=None if weights is None else _table_weights(weights, opened.info),
        )
        if is_model:
            report = prune_model(table, opened, pruned, pruning, progress=progress)
        else:
            report = prune_table(opened, pruned, pruning, progress=progress)
    if not quiet:
        sys.stderr.write(f"{pruned}: {report.summary()}\n")


def _check_new_table(table: Path, inputs: Sequence[Path]) -> None:
    check_outside_models(table, "name a table elsewhere")
    check_outputs({"the table": table}, inputs)


def _table_weights(path: Path, info: TableInfo) -> tuple[float, ...]:
    """The weights of a table's scores, from a file that may also have other weights."""
    weights = read_table_weights(path, info.scores)
    return tuple(weights[name] for name in info.scores)


def _report(quiet: bool, table: Path, info: TableInfo) -> None:
    if not quiet:
        sys.stderr.write(f"{table}: {info.phrase_pairs:,} phrase pairs of {info.source_phrases:,} source phrases\n")
