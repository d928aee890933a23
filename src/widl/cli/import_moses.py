"""`widl import-moses`."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from widl.cli.parameters import NewModel, Overwrite, Quiet
from widl.common.option_values import Size
from widl.phrase_table.moses_text import ImportOptions
from widl.pipeline.moses_model import import_moses_model
from widl.pipeline.progress import progress_bars
from widl.text.source_and_target import Casing, TextSettings

SourceLanguage = Annotated[
    str, Parameter(metavar="LANGUAGE", help="Language of the input; none: space-separated tokens, as in Moses.")
]
TargetLanguage = Annotated[
    str, Parameter(metavar="LANGUAGE", help="Language of the translations; none: treat as English.")
]


def import_moses(
    ini: Annotated[Path, Parameter(help="Moses configuration file, moses.ini, of Moses 2 or later.")],
    model: NewModel,
    /,
    *,
    source_language: SourceLanguage = "none",
    target_language: TargetLanguage = "none",
    casing: Annotated[Casing, Parameter(help="Casing of target words: truecase or lower.")] = TextSettings.casing,
    moses_escapes: Annotated[
        bool, Parameter(help="Tokens have the escapes of Moses' tokenizer: &apos; for ', &#124; for |, and so on.")
    ] = False,
    memory: Annotated[Size, Parameter(help="Memory limit, like 500M, 4G or 50%.")] = ImportOptions.memory,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
) -> None:
    """Make a model from Moses' phrase tables, reordering table, language models and weights.

    Prints a line for each feature that is not imported. MODEL_DIR.toml has the configuration's decoding options.

      widl import-moses model/moses.ini imported
      widl translate imported --config imported.toml < text.tok > out.tok
    """
    settings = TextSettings(
        source_language=source_language,
        target_language=target_language,
        casing=casing,
        moses_escapes=moses_escapes,
    )
    with progress_bars(quiet=quiet) as progress:
        imported = import_moses_model(ini, model, text=settings, memory=memory, overwrite=overwrite, progress=progress)
    sys.stderr.writelines(f"{line}\n" for line in imported.left_out)
    if not quiet:
        facts = imported.manifest.training
        sys.stderr.write(
            f"{model}: {facts['phrase_pairs']:,} phrase pairs, "
            f"{len(imported.manifest.language_models)} language models; options in {imported.options}\n"
        )
