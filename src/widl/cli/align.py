"""`widl align` and `widl tokenize`."""

import json
from pathlib import Path
from typing import Annotated

import typer

from widl.cli.options import output_stream, text_lines


def align(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")],
    source: Annotated[Path, typer.Option(metavar="FILE", help="Text in the source language, also .gz.")],
    target: Annotated[Path, typer.Option(metavar="FILE", help="Its translation, line by line.")],
    output: Annotated[Path | None, typer.Option(help="Where to write instead of stdout.")] = None,
    symmetrization: Annotated[str, typer.Option(help="Of both directions, by Moses' names.")] = "grow-diag-final-and",
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="Tokens stand between blanks: do not tokenise the text.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with the tokens.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads; the links do not depend on them.")] = 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Align the words of new text with what a model learnt from its own: a line '0-0 1-2 …' for each pair.

    Few lines are enough: a line's links depend on nothing but the line and the model.
    """
    from widl.pipeline.alignment import align as align_files
    from widl.pipeline.progress import progress_bars

    with output_stream(output) as stream, progress_bars(quiet=quiet) as progress:
        for pair in align_files(
            model,
            source,
            target,
            symmetrization=symmetrization,
            tokenized=tokenized,
            threads=threads,
            progress=progress,
        ):
            if as_json:
                links = [list(map(int, link.split("-"))) for link in pair.links.split()]
                found = {"source": pair.source, "target": pair.target, "links": links}
                stream.write(json.dumps(found, ensure_ascii=False) + "\n")
            else:
                stream.write(pair.links + "\n")


def tokenize(
    files: Annotated[list[Path] | None, typer.Argument(help="Raw text, also .gz; stdin when there is none.")] = None,
    language: Annotated[str, typer.Option(help="zh, a European language such as de, or none.")] = "zh",
    output: Annotated[Path | None, typer.Option(help="Where to write instead of stdout.")] = None,
    user_dictionary: Annotated[Path | None, typer.Option(help="Words for the Chinese segmenter, one a line.")] = None,
    western_years: Annotated[bool, typer.Option(help="Read 二〇一九年 as 2019年.")] = True,
) -> None:
    """Write the tokens of raw text, between blanks, as 'widl train' and 'widl translate' make them.

    The case of words stays as it is.
    """
    from widl.text.segmentation import tokenize as run

    lines = run(text_lines(files), language, user_dictionary=user_dictionary, western_years=western_years)
    with output_stream(output) as stream:
        for tokens in lines:
            stream.write(" ".join(tokens) + "\n")
