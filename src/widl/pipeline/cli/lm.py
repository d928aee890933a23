"""``widl lm``: estimate, convert and query n-gram language models."""

import contextlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from widl.decoder import (
    EstimationReport,
    convert_language_model,
    estimate_language_model,
    load_language_model,
)
from widl.decoder.language_model import BinaryKind
from widl.decoder.lm_estimation import Stage
from widl.errors import InputError
from widl.files import Source, open_source, source_name

app = typer.Typer(no_args_is_help=True, help="Estimate, convert and query n-gram language models.")

_RESERVED = frozenset({"<s>", "</s>", "<unk>"})

_Files = Annotated[list[Path] | None, typer.Argument(help="Text, one sentence a line; default: stdin.")]


@app.command()
def estimate(
    files: _Files = None,
    *,
    output: Annotated[
        Path, typer.Option(help="Model to write: .arpa, .arpa.gz, or .binary/.bin/.klm for KenLM's format.")
    ],
    order: Annotated[int, typer.Option(help="Longest n-grams, 1 to 6.")] = 3,
    interpolate_unigrams: Annotated[
        bool, typer.Option(help="Interpolate unigrams with the uniform distribution.")
    ] = True,
    discount_fallback: Annotated[
        bool, typer.Option(help="Use fixed discounts where the text is too small to estimate them.")
    ] = True,
) -> None:
    """Estimate an interpolated modified Kneser-Ney model."""
    with _progress() as on_progress:
        report = estimate_language_model(
            _sources(files),
            output,
            order=order,
            interpolate_unigrams=interpolate_unigrams,
            discount_fallback=discount_fallback,
            on_progress=on_progress,
        )
    _print_report(report)


@app.command()
def convert(
    arpa: Annotated[Path, typer.Argument(help="ARPA file, .gz or not.")],
    output: Annotated[Path, typer.Argument(help="KenLM binary to write.")],
    *,
    kind: Annotated[
        str, typer.Option(help="rest (with bounds for the search), probing, or trie (smallest).")
    ] = "rest",
) -> None:
    """Convert an ARPA file into a KenLM binary."""
    convert_language_model(arpa, output, kind=cast(BinaryKind, kind))


@app.command()
def score(
    model: Annotated[Path, typer.Argument(help="ARPA file or KenLM binary.")],
    files: _Files = None,
    *,
    per_word: Annotated[bool, typer.Option("--per-word", help="Also print each word's ln p.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """Print each line's ln probability, </s> included; the perplexity goes to stderr."""
    lm = load_language_model(model)
    totals = _Totals()
    for source in _sources(files):
        for words in _sentences(source):
            log_probs = lm.score_words(words)
            unknown = [word not in lm for word in words]
            totals.add(log_probs, unknown)
            sys.stdout.write(_scored_line([*words, "</s>"], log_probs, sum(unknown), per_word, as_json))
    sys.stderr.write(totals.summary())


@dataclass
class _Totals:
    """Sums over all lines; perplexities count </s> as a word."""

    sentences: int = 0
    words: int = 0
    unknown: int = 0
    log_prob: float = 0.0
    unknown_log_prob: float = 0.0

    def add(self, log_probs: list[float], unknown: list[bool]) -> None:
        self.sentences += 1
        self.words += len(unknown)
        self.unknown += sum(unknown)
        self.log_prob += math.fsum(log_probs)
        self.unknown_log_prob += math.fsum(
            p for p, is_unknown in zip(log_probs, unknown, strict=False) if is_unknown
        )

    def summary(self) -> str:
        if not self.sentences:
            return "no lines\n"
        events = self.words + self.sentences
        known = _perplexity(self.log_prob - self.unknown_log_prob, events - self.unknown)
        return (
            f"sentences {self.sentences}, words {self.words}, unknown {self.unknown}, "
            f"ln p {self.log_prob:.4f}\n"
            f"perplexity {_perplexity(self.log_prob, events):.2f}, without unknown words {known:.2f}\n"
        )


def _perplexity(log_prob: float, events: int) -> float:
    try:
        return math.exp(-log_prob / events)
    except OverflowError:
        return math.inf


def _scored_line(
    words: list[str], log_probs: list[float], unknown: int, per_word: bool, as_json: bool
) -> str:
    total = math.fsum(log_probs)
    if as_json:
        record: dict[str, object] = {"log_prob": total, "words": len(words) - 1, "unknown": unknown}
        if per_word:
            record["word_log_probs"] = list(zip(words, log_probs, strict=True))
        return json.dumps(record, ensure_ascii=False) + "\n"
    if per_word:
        details = " ".join(f"{word}:{log_prob:.4f}" for word, log_prob in zip(words, log_probs, strict=True))
        return f"{total:.4f}\t{details}\n"
    return f"{total:.4f}\n"


def _sentences(source: Source) -> Iterator[list[str]]:
    with open_source(source) as stream:
        for number, line in enumerate(stream, 1):
            where = f"{source_name(source)}:{number}"
            try:
                text = line.decode()
            except UnicodeDecodeError:
                raise InputError(f"{where}: invalid UTF-8; convert the text to UTF-8") from None
            # Blanks as in training: str.split() would also split at Unicode's own spaces.
            words = text.replace("\t", " ").replace("\r", " ").rstrip("\n").split(" ")
            words = [word for word in words if word]
            if reserved := _RESERVED.intersection(words):
                raise InputError(
                    f"{where}: the word {min(reserved)} belongs to the model itself; "
                    "remove or rename it in the text"
                )
            yield words


def _sources(files: list[Path] | None) -> list[Source]:
    return list(files) if files else [sys.stdin.buffer]


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[Stage, int], None] | None]:
    console = Console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("reading", total=None)

        def show(stage: Stage, size: int) -> None:
            progress.update(task, description=f"{stage} {size / 1e6:,.0f} MB" if size else stage)

        yield show


def _print_report(report: EstimationReport) -> None:
    counts = ", ".join(f"{count} {n}-grams" for n, count in enumerate(report.ngrams, 1))
    sys.stderr.write(
        f"{report.words} words in {report.sentences} sentences, {report.vocabulary} different; {counts}\n"
    )
