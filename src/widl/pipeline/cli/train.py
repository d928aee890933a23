"""`widl train`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from widl.pipeline.cli.options import parse_size

_SCORES = "Phrase pairs"

Lexical = Annotated[
    str,
    typer.Option(
        rich_help_panel=_SCORES,
        help="Lexical weights: of a pair's most-frequent alignment, or the maximum of all.",
    ),
]
Smoothing = Annotated[
    str,
    typer.Option(rich_help_panel=_SCORES, help="Of phrase translation probabilities: none, good-turing or kneser-ney."),
]
Significance = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=_SCORES,
        metavar="a+e|a-e|NUMBER",
        help="Keep pairs with at least this -ln p only; a-e: all but chance pairs, a+e: also without those seen once.",
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=_SCORES,
        metavar="SIZE",
        help="Memory to extract phrase pairs in, like 800M, 2G or 50%; the rest goes to disk. Default: no limit.",
    ),
]
Temporary = Annotated[
    Path | None,
    typer.Option(rich_help_panel=_SCORES, metavar="FOLDER", help="Where that is. Default: MODEL_DIR.work."),
]


def train(
    model: Annotated[Path, typer.Argument(help="The directory to make.", metavar="MODEL_DIR")],
    bitext: Annotated[
        list[str],
        typer.Option(metavar="PREFIX...", help="Raw parallel text PREFIX.zh and PREFIX.en (or .gz); several at once."),
    ],
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="More English text for the language model, raw, also .gz."),
    ] = None,
    order: Annotated[int, typer.Option(min=2, max=6, help="Order of the language model.")] = 3,
    lm_bitext: Annotated[bool, typer.Option(help="Whether it also sees the bitext.")] = True,
    max_phrase_length: Annotated[int, typer.Option(min=1, max=20, help="Most words of a phrase, on either side.")] = 7,
    symmetrization: Annotated[str, typer.Option(help="Of the alignments, by Moses' names.")] = "grow-diag-final-and",
    source_language: Annotated[
        str, typer.Option(help="zh, a European language such as de, or none: already segmented.")
    ] = "zh",
    target_language: Annotated[str, typer.Option(help="A European language.")] = "en",
    casing: Annotated[str, typer.Option(help="Of English words: truecase or lower.")] = "truecase",
    user_dictionary: Annotated[Path | None, typer.Option(help="Words for the Chinese segmenter, one a line.")] = None,
    lexical: Lexical = "most-frequent",
    smoothing: Smoothing = "none",
    significance: Significance = None,
    memory: Memory = None,
    temporary: Temporary = None,
    overwrite: Annotated[bool, typer.Option(help="Replace a model that is there.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads and processes.")] = os.cpu_count() or 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars and no report.")] = False,
) -> None:
    """Train a translation model on raw parallel text.

    Interrupted, the same command goes on where it stopped: finished stages are kept in MODEL_DIR.work until the model
    is complete.
    """
    from pydantic import ValidationError

    from widl.errors import InputError
    from widl.phrase_table.text import TextSettings
    from widl.pipeline.progress import progress_bars
    from widl.pipeline.training import ScoringOptions, TrainingOptions
    from widl.pipeline.training import train as run

    try:
        text = TextSettings.model_validate(
            {
                "source_language": source_language,
                "target_language": target_language,
                "casing": casing,
                "user_dictionary": user_dictionary,
            }
        )
    except ValidationError as error:
        raise InputError(f"--{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}".replace("_", "-")) from None
    options = TrainingOptions(
        text=text,
        order=order,
        max_phrase_length=max_phrase_length,
        symmetrization=symmetrization,
        lm_bitext=lm_bitext,
        scoring=ScoringOptions(lexical=lexical, smoothing=smoothing, significance=significance),
    )
    with progress_bars(quiet=quiet) as progress:
        report = run(
            bitext,
            lm_text or [],
            model,
            options,
            threads=threads,
            memory=parse_size(memory) if memory else 0,
            temporary=temporary,
            overwrite=overwrite,
            progress=progress,
        )
    if not quiet:
        sys.stderr.write(report.bitext.summary() + "\n")
        pairs, phrases = report.statistics["phrase_pairs"], report.statistics["source_phrases"]
        sys.stderr.write(f"{pairs:,} phrase pairs of {phrases:,} source phrases\n")
        stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items())
        sys.stderr.write(f"{model}: done ({stages or 'from finished stages'})\n")
