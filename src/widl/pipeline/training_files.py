"""The files that training reads."""

from collections.abc import Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Annotated

from widl.common.arguments import PathLike
from widl.common.errors import InputError, MissingFileError
from widl.common.files import read_lines
from widl.common.option_values import shown_in_help
from widl.common.options import adjust, option_set
from widl.phrase_table.bitext import file_suffixes
from widl.phrase_table.given_alignment import GivenAlignments
from widl.pipeline.given_models import GivenTable
from widl.text.source_and_target import TextSettings, chinese_share
from widl.text.test_sets import refuse_markup


@option_set
class TrainingFiles:
    """The text, tables and models that a model is made of; all options are repeatable."""

    bitext: Annotated[Sequence[PathLike], shown_in_help(metavar="PREFIX")] = ()
    "Raw parallel text PREFIX.zh and PREFIX.en (or .gz). Repeatable."
    in_domain: Annotated[Sequence[PathLike], shown_in_help(metavar="PREFIX")] = ()
    "Parallel text like what will be translated: its lexical weights and language model are features."
    phrase_table: Annotated[tuple[Path, ...], shown_in_help(metavar="FILE")] = ()
    "Phrase tables: Moses text, or from 'widl phrase-table'. Without --bitext, these are the only tables."
    lm_text: Annotated[tuple[Path, ...], shown_in_help(metavar="FILE")] = ()
    "Additional raw target-language text for the language model (.gz too)."
    lm: Annotated[tuple[Path, ...], shown_in_help(metavar="FILE")] = ()
    "Additional language models, ARPA or KenLM binary, with weights lm1, lm2, …"
    dictionary: Annotated[tuple[Path, ...], shown_in_help(metavar="FILE")] = ()
    "Dictionaries: CC-CEDICT, or lines word<TAB>gloss[<TAB>gloss…], also .gz."

    @property
    def prefixes(self) -> list[PathLike]:
        """The parallel texts; those in the domain come first."""
        return [*self.in_domain, *self.bitext]

    @property
    def tables(self) -> list[GivenTable]:
        """The phrase tables, whose translations compete."""
        return [GivenTable(path) for path in self.phrase_table]


def bitext_files(bitext: Sequence[PathLike], text: TextSettings, alignments: GivenAlignments | None) -> list[Path]:
    """The existing files of the parallel text; the step itself reports missing files."""
    files = [
        Path(f"{prefix}.{suffix}{gz}") for prefix in bitext for suffix in file_suffixes(text) for gz in ("", ".gz")
    ]
    if alignments is not None:
        files += chain.from_iterable(alignments.files)
    return [*filter(Path.exists, files), *user_dictionary(text)]


BEGINNING = 1000
"""Number of lines whose language is checked."""


def user_dictionary(text: TextSettings) -> list[Path]:
    """The optional user dictionary."""
    return [] if text.user_dictionary is None else [text.user_dictionary]


def text_settings(text: TextSettings) -> TextSettings:
    """The settings without the path of the user dictionary, whose content is among the step's files."""
    return adjust(text, user_dictionary=None)


def check_lm_text(paths: Sequence[Path]) -> None:
    """InputError if a file of language model text is missing, or begins in Chinese, which is never the target."""
    for path in paths:
        if not path.is_file():
            raise MissingFileError(f"{path}: no such file; lm-text names files of English text")
        refuse_markup(path)
        lines = [line for line in beginning(path) if line.strip()]
        if lines and chinese_share(lines) > 0.9:
            raise InputError(f"{path}: is in Chinese; lm-text is more text of the language to translate into")


def beginning(path: Path) -> list[str]:
    """The first lines of a file, whose language is checked."""
    return list(islice(read_lines(path), BEGINNING))
