"""``widl lm``: estimate, convert and query n-gram language models."""

import math
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from cyclopts import Parameter

from widl.cli.commands import STANDARD_STREAM, commands
from widl.cli.parameters import (
    Json,
    NewFile,
    Quiet,
    check_outputs,
    check_outside_models,
    one_output,
    sources_of,
)
from widl.common.errors import InputError
from widl.common.files import open_source, read_lines, source_name
from widl.common.json_values import json_text
from widl.common.streams import arrives
from widl.decoder import (
    EstimationReport,
    LanguageModel,
    convert_language_model,
    estimate_language_model,
    score_lines,
)
from widl.decoder.language_model import ConversionOptions, is_kenlm_binary, perplexity_of
from widl.decoder.lm_estimation import LanguageModelOptions
from widl.pipeline.progress import progress_bars

app = commands("lm", "Estimate, convert and query n-gram language models.")

_Files = Annotated[list[Path] | None, Parameter(help="Text, one sentence per line; default: stdin.")]

_ModelOutput = Annotated[
    Path,
    Parameter(
        name=["--output", "-o"],
        help="Model to write: .arpa, .arpa.gz, .binary/.bin/.klm for KenLM's format; - is stdout.",
    ),
]


@app.command
def estimate(
    files: _Files = None,
    /,
    *,
    output: _ModelOutput,
    options: LanguageModelOptions = LanguageModelOptions(),
    quiet: Quiet = False,
) -> None:
    """Estimate an interpolated modified Kneser-Ney model."""
    with ExitStack() as stack:
        model_path = output
        if output == STANDARD_STREAM:
            model_path = Path(stack.enter_context(TemporaryDirectory(dir=options.temporary_directory))) / "model.arpa"
        else:
            _check_model_output(output, files)
        with progress_bars(quiet=quiet) as progress:
            report = estimate_language_model(sources_of(files), model_path, **vars(options), progress=progress)
        if output == STANDARD_STREAM:
            with model_path.open("rb") as arpa:
                shutil.copyfileobj(arpa, sys.stdout.buffer)
    if not quiet:
        _print_report(report)


@app.command
def convert(
    arpa: Annotated[Path, Parameter(help="ARPA file, .gz or not.")],
    new: Annotated[Path | None, Parameter(help="KenLM binary to write.")] = None,
    /,
    *,
    output: NewFile = None,
    options: ConversionOptions = ConversionOptions(),
) -> None:
    """Convert an ARPA file into a KenLM binary."""
    output = one_output(new, output, "behind the ARPA file")
    if output.name.endswith((".arpa", ".arpa.gz", ".gz")):
        raise InputError(f"{output}: would be a KenLM binary; name it .binary, .bin or .klm")
    _check_model_output(output, [arpa])
    convert_language_model(arpa, output, **vars(options))
    sys.stderr.write(f"{output}: KenLM binary ({options.kind})\n")


@app.command
def score(
    model: Annotated[Path, Parameter(help="ARPA file or KenLM binary.")],
    files: _Files = None,
    /,
    *,
    per_word: Annotated[
        bool,
        Parameter(name=["--per-word", "--words"], help="Also print each word's ln p, and the length of its n-gram."),
    ] = False,
    boundaries: Annotated[
        bool, Parameter(name="--boundaries", negative="--no-boundaries", help="Add <s> and </s> to each line.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Print each line's ln probability, </s> included; the perplexity goes to stderr."""
    if (swapped := next(filter(_is_language_model, files or ()), None)) and not _is_language_model(model):
        raise InputError(f"{model}: not a language model, but {swapped} is; give the model first, then the text")
    lm = LanguageModel.load(model)
    totals: Counter[str] = Counter()
    for source in sources_of(files):
        live = arrives(source)
        for line in score_lines(read_lines(source), lm, boundaries=boundaries, name=source_name(source)):
            totals.update(_sums(line.scores, len(line.words)))
            sys.stdout.write(_scored_line([*line.words, "</s>"], line.scores, len(line.words), per_word, as_json))
            if live:
                sys.stdout.flush()
    sys.stderr.write(_summary(totals))


def _check_model_output(output: Path, inputs: Sequence[Path] | None) -> None:
    check_outside_models(output, "write it elsewhere; 'widl train --language-model' uses it")
    check_outputs({"--output": output}, inputs)


def _is_language_model(path: Path) -> bool:
    """Whether a file begins as language models do."""
    if path == STANDARD_STREAM or not path.is_file():
        return False
    if is_kenlm_binary(path):
        return True
    with open_source(path) as stream:
        return stream.read(64).lstrip().startswith(b"\\data\\")


_Scored = Sequence[tuple[float, int, bool]]
"""ln p, length of the n-gram, and whether the word is known, for each word and perhaps </s>."""


def _sums(scored: _Scored, words: int) -> dict[str, float]:
    """What a line adds to the totals of `_summary`."""
    unknown = [log_prob for log_prob, _, in_vocabulary in scored if not in_vocabulary]
    return {
        "sentences": 1,
        "words": words,
        "ends": len(scored) - words,
        "unknown": len(unknown),
        "log_prob": math.fsum(log_prob for log_prob, _, _ in scored),
        "unknown_log_prob": math.fsum(unknown),
    }


def _summary(totals: Mapping[str, float]) -> str:
    """Totals of all lines; perplexities count </s> as a word."""
    if not totals:
        return "no lines\n"
    events = int(totals["words"] + totals["ends"])
    known_log_prob, known = totals["log_prob"] - totals["unknown_log_prob"], events - int(totals["unknown"])
    return (
        f"sentences {totals['sentences']}, words {totals['words']}, unknown {totals['unknown']}, "
        f"ln p {totals['log_prob']:.4f}\n"
        f"perplexity {perplexity_of(totals['log_prob'], events):.2f}, "
        f"without unknown words {perplexity_of(known_log_prob, known):.2f}\n"
    )


def _scored_line(words: list[str], scored: _Scored, length: int, per_word: bool, as_json: bool) -> str:
    total = math.fsum(log_prob for log_prob, _, _ in scored)
    # Without boundaries, </s> has no score.
    named = list(zip(words, scored, strict=False))
    if as_json:
        unknown = sum(not in_vocabulary for _, _, in_vocabulary in scored)
        record: dict[str, object] = {"log_prob": total, "words": length, "unknown": unknown}
        if per_word:
            record["word_log_probs"] = [(word, log_prob) for word, (log_prob, _, _) in named]
            record["ngram_lengths"] = [ngram_length for _, ngram_length, _ in scored]
        return json_text(record) + "\n"
    if per_word:
        details = " ".join(f"{word}:{log_prob:.4f}:{n}" for word, (log_prob, n, _) in named)
        return f"{total:.4f}\t{details}\n"
    return f"{total:.4f}\n"


def _print_report(report: EstimationReport) -> None:
    sys.stderr.write(
        f"{report.words} words in {report.sentences} sentences; a vocabulary of {report.vocabulary}; "
        f"{_counts(report.ngrams)}\n"
    )


def _counts(ngrams: Sequence[int]) -> str:
    return ", ".join(f"{count} {n}-grams" for n, count in enumerate(ngrams, 1))
