"""`widl align` and `widl tokenize`."""

import sys
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl.cli.parameters import (
    Json,
    ModelDirectory,
    Output,
    Quiet,
    TargetText,
    Threads,
    check_outputs,
    located_runs,
    number_of_lines,
    output_stream,
    shows_lines,
)
from widl.common.json_values import json_text
from widl.phrase_table.symmetrization import Symmetrization
from widl.pipeline.alignment import align as align_files
from widl.pipeline.progress import counting, progress_bars
from widl.text.segmentation import tokenize as run
from widl.text.source_and_target import TextSettings


def align(
    model: ModelDirectory,
    /,
    *,
    source: Annotated[Path, Parameter(metavar="FILE", help="Text in the source language, also .gz.")],
    target: TargetText,
    output: Output = None,
    symmetrization: Symmetrization = Symmetrization(),
    tokenized: Annotated[
        bool, Parameter(name="--tokenized", help="The text is already tokenized, with spaces between tokens.")
    ] = False,
    as_json: Json = False,
    threads: Threads = 1,
    quiet: Quiet = False,
) -> None:
    """Align the words of new text with a translation model's word aligner; print '0-0 1-2 …' for each pair.

    The links of a pair depend only on the pair and the model, so the text may be short.
    """
    check_outputs({"--output": output}, [source, target])
    with output_stream(output) as stream, progress_bars(quiet=quiet) as progress:
        for pair in align_files(
            model,
            source,
            target,
            symmetrization=symmetrization.symmetrization,
            tokenized=tokenized,
            threads=threads,
            progress=progress,
        ):
            if as_json:
                links = [list(map(int, link.split("-"))) for link in pair.links.split()]
                record = {"source": pair.source, "target": pair.target, "links": links}
                stream.write(json_text(record) + "\n")
            else:
                stream.write(pair.links + "\n")
            if stream is sys.stdout:
                stream.flush()


def tokenize(
    files: Annotated[list[Path] | None, Parameter(help="Raw text, also .gz; default: stdin.")] = None,
    /,
    *,
    source_language: Annotated[
        str, Parameter(metavar="LANGUAGE", help="Language of the text: zh, a European language such as de, or none.")
    ] = TextSettings.source_language,
    output: Output = None,
    user_dictionary: Annotated[Path | None, Parameter(help="Words for the Chinese segmenter, one per line.")] = None,
) -> None:
    """Tokenize raw text as 'widl train' and 'widl translate' do; print the tokens separated by spaces.

    Case is preserved.
    """
    check_outputs({"--output": output}, files)
    split = partial(run, user_dictionary=user_dictionary)
    total = number_of_lines(files)
    with output_stream(output) as stream, counting("lines", total, quiet=shows_lines(output)) as counter:
        for located in located_runs(files):
            for tokens in split((line for _, line in located), source_language):
                stream.write(" ".join(tokens) + "\n")
                counter.step()
            stream.flush()
