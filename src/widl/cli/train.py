"""`widl train`."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from widl.cli.options import (
    Lexical,
    PhraseMemory,
    PhraseTemporaryDirectory,
    Significance,
    Smoothing,
    parse_size,
    resumable,
)


def train(
    model: Annotated[Path, typer.Argument(help="The directory to make.", metavar="MODEL_DIR")],
    bitext: Annotated[
        list[str],
        typer.Option(metavar="PREFIX...", help="Raw parallel text PREFIX.zh and PREFIX.en (or .gz); several at once."),
    ],
    lm_text: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="More text in the target language for the language model, raw, also .gz."),
    ] = None,
    language_model: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE...", help="Finished language models (ARPA, KenLM binary) besides: lm1, lm2, …"),
    ] = None,
    order: Annotated[int, typer.Option(min=2, max=6, help="Order of the language model: longest n-grams.")] = 3,
    lm_bitext: Annotated[bool, typer.Option(help="Whether the language model also sees the bitext.")] = True,
    max_phrase_length: Annotated[int, typer.Option(min=1, max=20, help="Most words of a phrase, on either side.")] = 7,
    symmetrization: Annotated[
        str, typer.Option(help="How both directions' alignments become one, by Moses' names.")
    ] = "grow-diag-final-and",
    source_language: Annotated[
        str, typer.Option(help="zh, a European language such as de, or none: already segmented.")
    ] = "zh",
    target_language: Annotated[str, typer.Option(help="A European language.")] = "en",
    casing: Annotated[str, typer.Option(help="Of the target language's words: truecase or lower.")] = "truecase",
    user_dictionary: Annotated[Path | None, typer.Option(help="Words for the Chinese segmenter, one a line.")] = None,
    western_years: Annotated[bool, typer.Option(help="Read 二〇一九年 as 2019年.")] = True,
    max_length: Annotated[int, typer.Option(min=1, help="Drop pairs with more tokens on a side.")] = 100,
    max_ratio: Annotated[
        float, typer.Option(min=1, help="Drop pairs with one side so many times as long as the other.")
    ] = 9,
    check_content: Annotated[
        bool, typer.Option(help="Drop pairs in a wrong language, copied, broken, with hardly any letters.")
    ] = True,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep pairs that are equal to an earlier one.")
    ] = False,
    tokenized: Annotated[
        bool, typer.Option("--tokenized", help="The bitext is tokenised: leave its tokens as they are.")
    ] = False,
    alignment: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE...", help="With --tokenized: symmetrised alignments '0-0 1-2', a file for each PREFIX."
        ),
    ] = None,
    forward: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE...", help="Instead: alignments from source to target, '0-0 1-2' or GIZA++'s A3 files, …"
        ),
    ] = None,
    reverse: Annotated[list[Path] | None, typer.Option(metavar="FILE...", help="… and from target to source.")] = None,
    possible_links: Annotated[bool, typer.Option(help="Whether links like 1?2 in alignments count.")] = True,
    lexical: Lexical = "most-frequent",
    smoothing: Smoothing = "none",
    significance: Significance = None,
    memory: PhraseMemory = None,
    temporary_directory: PhraseTemporaryDirectory = None,
    overwrite: Annotated[bool, typer.Option(help="Replace a model that is there.")] = False,
    threads: Annotated[int, typer.Option(min=1, help="Threads and processes.")] = os.cpu_count() or 1,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bars and no report.")] = False,
) -> None:
    """Train a translation model on raw parallel text, or on text that is tokenised and aligned already.

    Run the same command again to resume an interrupted training: its finished stages are in MODEL_DIR.work until the
    model is complete.

    \b
      widl train --bitext news talks --lm-text more.en.gz model
      widl train --bitext news --source-language de model
    """
    from pydantic import ValidationError

    from widl.alignment.given import GivenAlignments
    from widl.errors import InputError
    from widl.pipeline.progress import progress_bars
    from widl.pipeline.training import ScoringOptions, TrainingOptions
    from widl.pipeline.training import train as run
    from widl.text.cleaning import Cleaning
    from widl.text.sides import TextSettings
    from widl.validation import first_problem

    try:
        text = TextSettings.model_validate(
            {
                "source_language": source_language,
                "target_language": target_language,
                "casing": casing,
                "user_dictionary": user_dictionary,
                "western_years": western_years,
            }
        )
    except ValidationError as error:
        raise InputError(f"--{first_problem(error, TextSettings)}".replace("_", "-")) from None
    cleaning = Cleaning(max_length=max_length, max_ratio=max_ratio, duplicates=keep_duplicates, content=check_content)
    given = [tuple(files or ()) for files in (alignment, forward, reverse)]
    alignments = GivenAlignments(symmetrized=given[0], forward=given[1], reverse=given[2], possible=possible_links)
    options = TrainingOptions(
        text=text,
        cleaning=cleaning,
        tokenized=tokenized,
        alignments=alignments if any(given) else None,
        order=order,
        max_phrase_length=max_phrase_length,
        symmetrization=symmetrization,
        lm_bitext=lm_bitext,
        scoring=ScoringOptions(lexical=lexical, smoothing=smoothing, significance=significance),
    )
    with resumable(), progress_bars(quiet=quiet) as progress:
        report = run(
            bitext,
            lm_text or [],
            model,
            options,
            language_models=language_model or [],
            threads=threads,
            memory=parse_size(memory) if memory else 0,
            temporary_directory=temporary_directory,
            overwrite=overwrite,
            progress=progress,
        )
    if not quiet:
        sys.stderr.write(report.bitext.summary() + "\n")
        pairs, phrases = report.statistics["phrase_pairs"], report.statistics["source_phrases"]
        sys.stderr.write(f"{pairs:,} phrase pairs of {phrases:,} source phrases\n")
        stages = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items())
        sys.stderr.write(f"{model}: done ({stages or 'from finished stages'})\n")
