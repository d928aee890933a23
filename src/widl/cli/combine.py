"""`widl combine`: several outputs for each line, combined into a better one."""

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from widl.cli.commands import STANDARD_STREAM
from widl.cli.parameters import (
    CORES,
    Json,
    Output,
    Quiet,
    Threads,
    check_outputs,
    located_lines,
    number_of_lines,
    output_stream,
    shows_lines,
)
from widl.combination import CombinationOptions, Combiner
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import refuse_unread
from widl.decoder.weights import read_finite_entries
from widl.pipeline.progress import counting

Lm = Annotated[
    list[Path] | None,
    Parameter(
        name="--lm", help="Language model of the outputs' language, used in addition to their agreement. Repeatable."
    ),
]
EXPRESSION_READS = ("skeletons", "support", "must", "without")
"""Options that expressions depend on: all except search options."""


def combine(
    files: Annotated[
        list[Path], Parameter(help="Files with one output per line, or a JSON-lines file with 'outputs'; - is stdin.")
    ],
    /,
    *,
    output: Output = None,
    lm: Lm = None,
    weights: Annotated[Path | None, Parameter(help="TOML file of weights for the features that --json shows.")] = None,
    expression: Annotated[
        bool, Parameter(name="--expression", help="Print each line's WIDL-expression instead of its result.")
    ] = False,
    options: CombinationOptions = CombinationOptions(),
    threads: Threads = CORES,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Combine the outputs of several systems, or several samples of one system, into a better output.

    Outputs are aligned to each other. Exact search finds the words with the highest agreement, in the word order of one
    output. Every word of the result occurs in an output. No training is needed.

      widl combine online-a.txt online-b.txt uf.txt -o combined.txt
    """
    check_outputs({"--output": output}, files)
    wrong: dict[int, InputError] = {}
    lines: Iterable[Sequence[str]] = _without_wrong(located_outputs(files), wrong)
    combiner = Combiner(lm or [], read_finite_entries(weights) if weights else None)
    failed = False
    if expression:
        refuse_unread(options, "--expression", EXPRESSION_READS)
        if as_json:
            raise InputError("--expression is not printed as JSON; drop --json")
    with (
        output_stream(output) as stream,
        counting("lines", number_of_lines(files[:1]), quiet=quiet or shows_lines(output)) as counter,
    ):
        if expression:
            stream.writelines(f"{combiner.expression(outputs, options)}\n" for outputs in read_outputs(files))
            return
        for number, result in enumerate(combiner.combine(lines, options, threads=threads), 1):
            failed = failed or number in wrong or bool(result.failure)
            if number in wrong:
                counter.notify(f"error: {wrong[number]}")
                stream.write("\n")
                continue
            if message := result.failure or result.note:
                counter.notify(f"line {number}: {message}")
            if as_json:
                stream.write(result.to_json() + "\n")
            elif options.nbest > 1:
                stream.writelines(f"{candidate.score:.6f}\t{candidate.text}\n" for candidate in result.nbest)
                stream.write("\n")
            else:
                stream.write(f"{result.text}\n")
            stream.flush()
            counter.step()
    if failed:
        sys.exit(1)


def _without_wrong(
    lines: Iterable[Sequence[str] | InputError], wrong: dict[int, InputError]
) -> Iterator[Sequence[str]]:
    """The outputs for each line; an invalid line is recorded by its number, from 1, and has empty outputs."""
    for number, outputs in enumerate(lines, 1):
        if isinstance(outputs, InputError):
            wrong[number] = outputs
            yield ("", "")
        else:
            yield outputs


def read_outputs(files: Sequence[Path]) -> Iterator[Sequence[str]]:
    """The outputs for each line; InputError for an invalid line."""
    for outputs in located_outputs(files):
        if isinstance(outputs, InputError):
            raise outputs
        yield outputs


def located_outputs(files: Sequence[Path]) -> Iterator[Sequence[str] | InputError]:
    """The outputs for each line of the files, or of one file of JSON lines; InputError for an invalid line."""
    if len(files) == 1:
        of_json = False
        for location, line in located_lines(files):
            if line.strip():
                try:
                    yield _of_json(location, line)
                except InputError as error:
                    if not (of_json or line.lstrip().startswith("{")):
                        raise  # one file of plain text
                    yield error
                of_json = True
        return
    if len(set(files)) < len(files) or STANDARD_STREAM in files:
        raise InputError("name each file of outputs once; one file of JSON lines may be -, for stdin")
    counts = [0] * len(files)
    for row in zip_longest(*map(read_lines, files)):
        for k, text in enumerate(row):
            counts[k] += text is not None
        if None in row:
            k = row.index(None)
            longer = next(i for i, text in enumerate(row) if text is not None)
            raise InputError(
                f"{files[k]}: {counts[k]} lines, but {files[longer]} has more; each file has an output for each line"
            )
        yield row


def _of_json(location: str, line: str) -> Sequence[str]:
    try:
        entry: Any = json.loads(line)
    except ValueError as error:
        raise InputError(
            f"{location}: not JSON ({error}); one file of outputs has JSON lines, else name two files or more"
        ) from None
    outputs = entry.get("outputs") if isinstance(entry, dict) else None
    if not isinstance(outputs, list) or not all(isinstance(text, str) for text in outputs):
        raise InputError(f"{location}: no list of texts under the key 'outputs'")
    if len(outputs) < 2:
        raise InputError(f"{location}: {len(outputs)} output to combine; at least two are needed")
    return outputs
