"""`widl translate`."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from widl.pipeline.cli.options import output_stream, text_lines


def translate(
    model: Annotated[Path, typer.Argument(help="A directory made by 'widl train'.", metavar="MODEL_DIR")],
    files: Annotated[list[Path] | None, typer.Argument(help="Text to translate; stdin when there is none.")] = None,
    output: Annotated[Path | None, typer.Option(help="Where to write instead of stdout.")] = None,
    search: Annotated[str, typer.Option(help="astar-k, or astar: exact within the budget.")] = "astar-k",
    k: Annotated[int, typer.Option(help="astar-k: how many words a state may lag behind the longest.")] = 2,
    beam_prob: Annotated[float, typer.Option(help="Translations need this much of their span's best p(e|f).")] = 0.01,
    beam_size: Annotated[int, typer.Option(help="So many translations of a span take part; 0: all.")] = 20,
    distortion_limit: Annotated[
        str, typer.Option(help="Largest jump in source words; 0 keeps the order; 'none' for no limit.")
    ] = "6",
    max_states: Annotated[int, typer.Option(help="Budget of a line's search in states; 0: none.")] = 0,
    max_seconds: Annotated[float, typer.Option(help="Budget of a line's search in seconds; 0: none.")] = 0.0,
    weights: Annotated[Path | None, typer.Option(help="A TOML file of weights instead of the model's.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Threads that search.")] = os.cpu_count() or 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, with all scores.")] = False,
    gloss: Annotated[bool, typer.Option(help="Only replace each word by its likeliest translation.")] = False,
) -> None:
    """Translate text, one line of output for each line of input, in order.

    Each line's translations are searched under the log-linear model of phrase table, language models, word and
    phrase counts and movement. Lines of more than 200 words are translated in pieces cut at punctuation.
    """
    from widl.pipeline.translation import TranslationOptions, Translator

    options = TranslationOptions(
        search=search,
        k=k,
        beam_prob=beam_prob,
        beam_size=beam_size,
        distortion_limit=_limit(distortion_limit),
        max_states=max_states,
        max_seconds=max_seconds,
    )
    options.search_options()
    translator = Translator(model, weights=weights)
    lines = text_lines(files)
    with output_stream(output) as out:
        if gloss:
            for line in lines:
                out.write(translator.gloss(line) + "\n")
            return
        for result in translator.translate(lines, options, threads=threads):
            out.write((json.dumps(result.as_json(), ensure_ascii=False) if as_json else result.text) + "\n")
            if out is sys.stdout:
                out.flush()


def _limit(text: str) -> int | None:
    if text == "none":
        return None
    if not text.isdecimal():
        raise typer.BadParameter(f"{text!r} is neither a number nor 'none'", param_hint="--distortion-limit")
    return int(text)
