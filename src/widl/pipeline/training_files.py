"""The files that training reads, by names that do not depend on their paths."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from widl.alignment.bitext import file_suffixes
from widl.alignment.given import GivenAlignments
from widl.arguments import PathLike
from widl.text.sides import TextSettings


def bitext_files(
    bitext: Sequence[PathLike], text: TextSettings, alignments: GivenAlignments | None
) -> dict[str, Path]:
    """The files of the parallel text, by names that do not depend on their paths."""
    files = {}
    for number, prefix in enumerate(bitext, 1):
        for side, suffix in zip(("source", "target"), file_suffixes(text), strict=True):
            for gz in ("", ".gz"):
                files[f"{side} text {number}{gz}"] = Path(f"{prefix}.{suffix}{gz}")
    if alignments is not None:
        for kind in alignments.kinds:
            paths = getattr(alignments, kind)
            files |= {f"{kind} alignment {number}": path for number, path in enumerate(paths, 1)}
    # The step itself reports missing files, with a better message.
    return {name: path for name, path in files.items() if path.exists()} | user_dictionary(text)


def user_dictionary(text: TextSettings) -> dict[str, Path]:
    """The user dictionary, if there is one."""
    return {} if text.user_dictionary is None else {"user dictionary": text.user_dictionary}


def text_settings(text: TextSettings) -> TextSettings:
    """The settings without the path of the user dictionary, whose content is among the step's files."""
    return replace(text, user_dictionary=None)
