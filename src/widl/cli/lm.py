"""``widl lm``: estimate and convert n-gram language models, and score text by them."""

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
    Quiet,
    check_outputs,
    check_outside_models,
    sources_of,
)
from widl.common.errors import InputError
from widl.common.files import open_source, read_lines, source_name
from widl.common.json_values import json_text
from widl.common.options import values_of
from widl.common.streams import arrives
from widl.decoder import (
    EstimationReport,
    LanguageModel,
    ScoredLine,
    convert_language_model,
    estimate_language_model,
    score_lines,
)
from widl.decoder.language_model import ConversionOptions, is_kenlm_binary, perplexity_of
from widl.decoder.lm_estimation import LanguageModelOptions
from widl.pipeline.progress import progress_bars

app = commands("lm", "Estimate and convert n-gram language models, and score text by them.")

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
            report = estimate_language_model(sources_of(files), model_path, **values_of(options), progress=progress)
        if output == STANDARD_STREAM:
            with model_path.open("rb") as arpa:
                shutil.copyfileobj(arpa, sys.stdout.buffer)
    if not quiet:
        _print_report(report)


@app.command
def convert(
    arpa: Annotated[Path, Parameter(help="ARPA file, .gz or not.")],
    binary: Annotated[Path, Parameter(help="KenLM binary to write.")],
    /,
    *,
    options: ConversionOptions = ConversionOptions(),
) -> None:
    """Convert an ARPA file into a KenLM binary."""
    if binary.name.endswith((".arpa", ".arpa.gz", ".gz")):
        raise InputError(f"{binary}: would be a KenLM binary; name it .binary, .bin or .klm")
    _check_model_output(binary, [arpa])
    convert_language_model(arpa, binary, **values_of(options))
    sys.stderr.write(f"{binary}: KenLM binary ({options.kind})\n")


@app.command
def score(
    model: Annotated[Path, Parameter(help="ARPA file or KenLM binary.")],
    files: _Files = None,
    /,
    *,
    as_json: Json = False,
) -> None:
    """Print each line's ln probability, </s> included; the perplexity goes to stderr."""
    if (swapped := next(filter(_is_language_model, files or ()), None)) and not _is_language_model(model):
        raise InputError(f"{model}: not a language model, but {swapped} is; give the model first, then the text")
    lm = LanguageModel.load(model)
    totals: Counter[str] = Counter()
    for source in sources_of(files):
        live = arrives(source)
        for line in score_lines(read_lines(source), lm, name=source_name(source)):
            totals.update(_sums(line))
            sys.stdout.write(_scored_line(line, as_json=as_json) + "\n")
            if live:
                sys.stdout.flush()
    sys.stderr.write(_summary(totals))


def _check_model_output(output: Path, inputs: Sequence[Path] | None) -> None:
    check_outside_models(output, "write it elsewhere; 'widl train --lm' uses it")
    check_outputs({"--output": output}, inputs)


def _is_language_model(path: Path) -> bool:
    """Whether a file begins as language models do."""
    if path == STANDARD_STREAM or not path.is_file():
        return False
    if is_kenlm_binary(path):
        return True
    with open_source(path) as stream:
        return stream.read(64).lstrip().startswith(b"\\data\\")


def _sums(line: ScoredLine) -> dict[str, float]:
    """The contribution of a line to the totals of `_summary`."""
    return {
        "sentences": 1,
        "words": len(line.words),
        "unknown": len(line.unknown),
        "log_prob": line.log_prob,
        "unknown_log_prob": math.fsum(line.unknown),
    }


def _summary(totals: Mapping[str, float]) -> str:
    """Totals of all lines; perplexities count </s> as a word."""
    if not totals:
        return "no lines\n"
    events = int(totals["words"] + totals["sentences"])
    known_log_prob, known = totals["log_prob"] - totals["unknown_log_prob"], events - int(totals["unknown"])
    return (
        f"sentences {totals['sentences']}, words {totals['words']}, unknown {totals['unknown']}, "
        f"ln p {totals['log_prob']:.4f}\n"
        f"perplexity {perplexity_of(totals['log_prob'], events):.2f}, "
        f"without unknown words {perplexity_of(known_log_prob, known):.2f}\n"
    )


def _scored_line(line: ScoredLine, *, as_json: bool) -> str:
    if as_json:
        named = list(zip([*line.words, "</s>"], line.scores, strict=True))
        record: dict[str, object] = {"log_prob": line.log_prob, "words": len(line.words), "unknown": len(line.unknown)}
        record["word_log_probs"] = [(word, log_prob) for word, (log_prob, _, _) in named]
        record["ngram_lengths"] = [length for _, (_, length, _) in named]
        return json_text(record)
    return f"{line.log_prob:.4f}"


def _print_report(report: EstimationReport) -> None:
    counts = ", ".join(f"{count} {n}-grams" for n, count in enumerate(report.ngrams, 1))
    sys.stderr.write(
        f"{report.words} words in {report.sentences} sentences; a vocabulary of {report.vocabulary}; {counts}\n"
    )
