"""``widl phrase-table``: make, read, prune and convert phrase tables."""

import json
import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from widl.alignment.symmetrization import Symmetrization
from widl.cli.options import (
    CORES,
    Json,
    Quiet,
    TargetText,
    Threads,
    check_outputs,
    check_outside_models,
    command_group,
    text_lines,
)
from widl.cli.schema import with_options
from widl.decoder import TRANSLATION_FEATURES
from widl.decoder.weights import read_table_weights
from widl.errors import InputError
from widl.files import Source, read_lines
from widl.manifests import MANIFEST
from widl.phrase_table import Bitext
from widl.phrase_table.building import build_from_files, check_lengths
from widl.phrase_table.entries import PhraseOption, TableInfo, split_words
from widl.phrase_table.extraction import ExtractionOptions, ExtractionSpace
from widl.phrase_table.moses_text import ImportOptions, export_moses, import_moses
from widl.phrase_table.pruning import Pruning, PruningOptions, phrases_of, prune_table
from widl.phrase_table.significance import read_text, significance_threshold
from widl.phrase_table.statistics import DECADES, PhraseTableStatistics, table_statistics
from widl.phrase_table.storage import PhraseTable
from widl.pipeline.progress import progress_bars
from widl.pipeline.pruned_model import prune_model
from widl.translation.manifest import read_manifest

app = command_group()

def _table_of(path: Path) -> Path:
    """The table of a model directory; other paths as they are."""
    if (path / MANIFEST).is_file():
        return path / read_manifest(path).phrase_table
    return path


NewTable = Annotated[Path, typer.Argument(help="Phrase table to make.")]
Table = Annotated[Path, typer.Argument(help="Phrase table, or a model directory, which has one.", callback=_table_of)]
Limit = Annotated[int | None, typer.Option(min=1, help="Largest number of options of a source phrase.")]


@app.command(short_help="Extract and score phrase pairs of aligned text.")
@with_options
def build(
    table: NewTable,
    *,
    source: Annotated[Path, typer.Option(help="Tokenised source text, a sentence a line (.gz too).")],
    target: TargetText,
    alignment: Annotated[Path | None, typer.Option(help="Word alignment, lines like 0-0 1-2, source-target.")] = None,
    forward: Annotated[Path | None, typer.Option(help="Instead: the alignment of one direction …")] = None,
    reverse: Annotated[Path | None, typer.Option(help="… and of the other, both source-target.")] = None,
    symmetrization: Symmetrization,
    options: ExtractionOptions,
    space: ExtractionSpace,
    threads: Threads = CORES,
    quiet: Quiet = False,
) -> None:
    """Extract and score the phrase pairs of tokenised, word-aligned text."""
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
            memory=space.memory or 0,
            temporary_directory=space.temporary_directory,
            progress=progress,
        )
    _report(quiet, table, info)


def _alignment_files(alignment: Path | None, forward: Path | None, reverse: Path | None) -> Path | tuple[Path, Path]:
    if alignment is not None and forward is None and reverse is None:
        return alignment
    if alignment is None and forward is not None and reverse is not None:
        return forward, reverse
    raise InputError("give either --alignment, or --forward and --reverse")


@app.command()
def show(
    table: Table,
    prefix: Annotated[list[str] | None, typer.Argument(help="Only source phrases that begin with these words.")] = None,
    *,
    head: Annotated[int | None, typer.Option(min=1, help="Only the first so many source phrases.")] = None,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Print entries in the order of their bytes."""
    with PhraseTable.open(table) as opened:
        entries = (
            (phrase.decode(), opened.decode(value, limit))
            for batch in opened.items(first=split_words(" ".join(prefix or [])))
            for phrase, value in batch
        )
        _print_entries(islice(entries, head), as_json)


@app.command()
def query(
    table: Table,
    phrases: Annotated[
        list[str] | None, typer.Argument(help="Source phrases, tokenised; default: stdin, one a line.")
    ] = None,
    *,
    limit: Limit = None,
    as_json: Json = False,
) -> None:
    """Print the options of source phrases, best first."""
    with PhraseTable.open(table) as opened:
        wanted = map(split_words, phrases if phrases else text_lines(None))
        _print_entries(((" ".join(words), opened.options(words, limit=limit)) for words in wanted), as_json)


@app.command(short_help="Print counts, lengths, probabilities and entropy.")
def stats(
    table: Table,
    *,
    verify: Annotated[bool, typer.Option("--verify", help="Only compare the checksum.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Counts, lengths, probabilities and entropy; the table's checksum is verified first."""
    with PhraseTable.open(table, verify=True) as opened:
        if verify:
            state = "undamaged" if opened.has_checksum else "no checksum to compare (version 1)"
            sys.stdout.write(f"{table}: {state}\n")
            return
        with progress_bars(quiet=quiet or as_json) as progress:
            statistics = table_statistics(opened, progress=progress)
    text = json.dumps(asdict(statistics), ensure_ascii=False) + "\n" if as_json else _statistics_text(statistics)
    sys.stdout.write(text)


@app.command(name="export")
def export_command(
    table: Table,
    output: Annotated[str, typer.Argument(help="Moses text to write, .gz or not; - for stdout.")] = "-",
    *,
    threads: Threads = CORES,
    quiet: Quiet = False,
) -> None:
    """Write a table as Moses text, in Moses' order."""
    check_outputs({"the text": Path(output)}, [table])
    check_outside_models(Path(output), "write it elsewhere")
    with PhraseTable.open(table, verify=True) as opened, progress_bars(quiet=quiet) as progress:
        target = sys.stdout.buffer if output == "-" else output
        report = export_moses(opened, target, threads=threads, progress=progress)
    if not quiet:
        sys.stderr.write(f"{output}: {report.written:,} phrase pairs\n")


@app.command(name="import")
@with_options
def import_command(
    text: Annotated[str, typer.Argument(help="Moses text, .gz or not, in any order; - for stdin.")],
    table: NewTable,
    *,
    options: ImportOptions,
    quiet: Quiet = False,
) -> None:
    """Make a table of Moses text."""
    source: Source = sys.stdin.buffer if text == "-" else text
    _check_new_table(table, [Path(text)])
    with progress_bars(quiet=quiet) as progress:
        info = import_moses(source, table, memory=options.memory, progress=progress)
    _report(quiet, table, info)


@app.command()
@with_options
def prune(
    table: Annotated[Path, typer.Argument(help="Phrase table, or a model directory.")],
    new: Annotated[
        Path | None, typer.Argument(help="What to make, of the same kind; a phrase table may be the same.")
    ] = None,
    *,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The same as NEW.")] = None,
    text: Annotated[
        Path | None, typer.Option(help="Keep only phrases of this tokenised source text (.gz too; - for stdin).")
    ] = None,
    source: Annotated[Path | None, typer.Option(help="For --significance: tokenised source text (.gz too).")] = None,
    target: Annotated[Path | None, typer.Option(help="For --significance: tokenised target text.")] = None,
    options: PruningOptions,
    weights: Annotated[
        Path | None, typer.Option(help="TOML file: rank by its p_fe, p_ef, lex_fe, lex_ef, not by p(e|f).")
    ] = None,
    threads: Threads = CORES,
    quiet: Quiet = False,
) -> None:
    """Make a smaller table, or a model with a smaller table.

    Criteria apply in the order of these options; each removes the pairs that fail it.

    \b
      widl phrase-table prune table.lmdb small.lmdb --limit 20
      widl phrase-table prune model -o small-model --min-count 2
    """
    if (new is None) == (output is None):
        raise InputError("name what to make once, behind the table or with --output")
    made = new or output or Path()
    is_model = (table / MANIFEST).is_file()
    if not is_model:
        check_outside_models(made, f"make a model with a smaller table: widl phrase-table prune {made.parent} -o MODEL")
    with PhraseTable.open(_table_of(table), verify=True) as opened, progress_bars(quiet=quiet) as progress:
        pruning = Pruning(
            **vars(options),
            phrases=None if text is None else _phrases_of(text, opened.info.max_length),
            text=_both_texts(options.significance, source, target),
            weights=None if weights is None else _table_weights(weights),
        )
        if is_model:
            report = prune_model(table, opened, made, pruning, threads=threads, progress=progress)
        else:
            report = prune_table(opened, made, pruning, threads=threads, progress=progress)
    if not quiet:
        sys.stderr.write(f"{made}: {report.summary()}\n")


def _check_new_table(table: Path, inputs: Sequence[Path]) -> None:
    check_outputs({"the table": table}, inputs)
    check_outside_models(table, "name a table elsewhere")


def _both_texts(significance: str | float | None, source: Path | None, target: Path | None) -> Bitext | None:
    if significance is None and source is None and target is None:
        return None
    if significance is None or source is None or target is None:
        raise InputError("--significance needs the text that the table was made from: give --source and --target too")
    significance_threshold(significance, 1)
    check_lengths([source, target])
    return read_text(read_lines(source), read_lines(target))


def _phrases_of(text: Path, max_length: int) -> frozenset[str]:
    source: Source = sys.stdin.buffer if str(text) == "-" else text
    return phrases_of(map(split_words, read_lines(source)), max_length)


def _table_weights(path: Path) -> tuple[float, float, float, float]:
    """The weights of a table's four scores, from a file that may have other weights too."""
    weights = read_table_weights(path)
    p_fe, p_ef, lex_fe, lex_ef = (weights[name] for name in TRANSLATION_FEATURES)
    return p_fe, p_ef, lex_fe, lex_ef


def _report(quiet: bool, table: Path, info: TableInfo) -> None:
    if not quiet:
        sys.stderr.write(f"{table}: {info.phrase_pairs:,} phrase pairs of {info.source_phrases:,} source phrases\n")


def _print_entries(entries: Iterable[tuple[str, list[PhraseOption]]], as_json: bool) -> None:
    for phrase, options in entries:
        if as_json:
            record = {"source": phrase, "options": list(map(_option_record, options))}
            sys.stdout.write(json.dumps(record, ensure_ascii=False) + "\n")
        else:
            sys.stdout.writelines(f"{line}\n" for line in _entry_lines(phrase, options))


def _probabilities(option: PhraseOption) -> list[float]:
    # Tables keep 32 bits, a little more than seven digits.
    return [float(f"{math.exp(score):.7g}") for score in option.log_scores]


def _option_record(option: PhraseOption) -> dict[str, object]:
    names = ("p_fe", "p_ef", "lex_fe", "lex_ef")
    counts = ("count_target", "count_source", "count")
    return {
        "target": " ".join(option.words),
        **dict(zip(names, _probabilities(option), strict=True)),
        **dict(zip(counts, option.counts, strict=True)),
        "alignment": option.alignment,
    }


def _entry_lines(phrase: str, options: list[PhraseOption]) -> Iterator[str]:
    if not options:
        yield f"{phrase}: no entry"
        return
    yield f"{phrase}:"
    width = max(len(" ".join(option.words)) for option in options)
    yield f"  {'p(e|f)':<10}{'p(f|e)':<10}{'lex(e|f)':<10}{'lex(f|e)':<10}{'count':>7}"
    for option in options:
        p_fe, p_ef, lex_fe, lex_ef = _probabilities(option)
        numbers = "".join(f"{p:<10.4g}" for p in (p_ef, p_fe, lex_ef, lex_fe))
        links = " ".join(f"{i}-{j}" for i, j in option.alignment)
        yield f"  {numbers}{option.counts[2]:>7}  {' '.join(option.words):{width}}  {links}".rstrip()


_RANGES = ((1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 10), (11, 20), (21, 50), (51, 100), (101, 1000), (1001, None))


def _histogram(title: str, numbers: dict[int, int]) -> Iterator[str]:
    if not numbers:
        return
    total = sum(numbers.values())
    yield f"\n{title} (mean {sum(n * k for n, k in numbers.items()) / total:.2f}, most {max(numbers)})"
    for first, last in ((0, 0), *_RANGES):
        count = sum(k for n, k in numbers.items() if n >= first and (last is None or n <= last))
        if count:
            name = f"{first}" if first == last else f"{first}-{last}" if last else f"{first} or more"
            yield f"  {name:>12} {count:>14,} {count / total:>7.2%}"


def _statistics_text(statistics: PhraseTableStatistics) -> str:
    info = statistics.info
    lines = [f"source phrases {info.source_phrases:,}", f"phrase pairs {info.phrase_pairs:,}"]
    lines.append(f"target words {info.target_words:,}")
    if info.sentences is not None:
        lines.append(f"sentence pairs {info.sentences:,}, occurrences of phrase pairs {info.occurrences:,}")
    lines.append(f"longest phrase {info.max_length} words")
    if info.symmetrization:
        lines.append(f"symmetrisation {info.symmetrization}")
    if info.lexical:
        lines.append(f"lexical weights {info.lexical}, smoothing {info.smoothing}")
    if info.significance is not None:
        lines.append(f"significance: -ln p at least {info.significance:g}, {info.pruned_pairs:,} pairs left out")
    lines += [f"history: {step}" for step in info.history]
    pairs = max(info.phrase_pairs, 1)
    lines.append(f"size {statistics.bytes / 1e6:,.1f} MB, {statistics.bytes / pairs:.1f} bytes a pair")
    lines.append(f"alignment links a pair {statistics.links / pairs:.2f}")
    if statistics.extra:
        lines.append(f"pairs with text of Moses' own {statistics.extra:,}")
    weighted = "" if statistics.weighted_entropy is None else f", weighted by counts {statistics.weighted_entropy:.3f}"
    lines.append(f"entropy of p(e|f) {statistics.entropy:.3f} bits{weighted}")
    lines += _histogram("options of a source phrase", statistics.options)
    lines += _histogram("words of source phrases", statistics.source_lengths)
    lines += _histogram("words of target phrases", statistics.target_lengths)
    lines += _histogram("counts of phrase pairs", statistics.counts)
    lines.append("\n" + f"{'probabilities':<16}" + "".join(f"{score:>14}" for score in statistics.probabilities))
    for decade in DECADES:
        numbers = [counts.get(decade, 0) for counts in statistics.probabilities.values()]
        if any(numbers):
            lines.append(f"{decade:<16}" + "".join(f"{number:>14,}" for number in numbers))
    return "".join(f"{line}\n" for line in lines)
