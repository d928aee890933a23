"""Translation models built from existing phrase tables and language models, without parallel text."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from widl import __version__
from widl.common.arguments import PathLike, paths_of
from widl.common.errors import InputError
from widl.common.files import check_readable, missing_file, replacing
from widl.common.manifests import file_facts
from widl.common.workers import Progress, no_progress
from widl.decoder import LanguageModel, convert_language_model, default_translation_weights, format_weights
from widl.decoder.language_model import is_kenlm_binary
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.moses_text import ImportOptions, import_moses
from widl.phrase_table.reordering import reordering_features
from widl.phrase_table.storage import PhraseTable, is_table
from widl.pipeline.model_directory import (
    check_output_directory,
    command_digest,
    is_made,
    quick_model_directory,
    write_manifest,
)
from widl.text.source_and_target import TextSettings
from widl.text.truecasing import Truecaser
from widl.translation.manifest import AdditionalTableEntry, TableUse, TranslationManifest, origins_of, read_manifest

TABLE, TRUECASER, WEIGHTS = "phrase-table.binary", "truecaser.tsv", "weights.toml"


@dataclass(frozen=True)
class GivenTable:
    """A phrase table: a file in this package's format, or Moses' text. `use`: for tables after the first.
    `reordering_table`: the reordering table that belongs to Moses' text.
    """

    path: Path
    use: TableUse = "alternatives"
    reordering_table: Path | None = None

    def check(self) -> None:
        """Raise an error if a file can't be read."""
        for path in (self.path, self.reordering_table):
            if path is None:
                continue
            if not path.exists():
                raise missing_file(path)
            check_readable(path)


StoredTable = tuple[AdditionalTableEntry, TableInfo]
"""A table in a new model, with the names of its features in the model, and its metadata."""

Weighting = Callable[[Sequence[AdditionalTableEntry]], Mapping[str, float]]
"""The weights of a model with these tables."""


def make_model(
    directory: PathLike,
    tables: Sequence[GivenTable],
    language_models: Sequence[PathLike],
    *,
    text: TextSettings | None = None,
    weights: Weighting | None = None,
    weights_of: Path | None = None,
    memory: int = ImportOptions.memory,
    overwrite: bool = False,
    progress: Progress = no_progress,
) -> TranslationManifest:
    """Write a model directory with these phrase tables and language models.

    The first table's features have the names of its scores; the second table's begin with ``t1_``, and so on. `text`
    says how to tokenize text to translate; it must match the text of the tables. Weights come from `weights`, else from
    the file `weights_of`, else from the defaults. If the same call has made the model already, its manifest is
    returned. InputError for missing or invalid files; no directory is created then.
    """
    directory = Path(directory)
    language_models = paths_of(language_models, "language_models")
    text = (text or TextSettings()).with_segmenter()
    command = partial(creation_digest, tables, language_models, text, weights_of)
    if not overwrite and directory.is_dir() and is_made(directory, command()):
        return read_manifest(directory)
    check_output_directory(directory, overwrite=overwrite)
    if not tables:
        raise InputError("a model needs a phrase table; give one")
    if not language_models:
        raise InputError("a model needs a language model; give one")
    for table in tables:
        table.check()
    for path in language_models:
        if not path.exists():
            raise missing_file(path)
    text.check()
    with quick_model_directory(directory, command()) as temporary:
        names = [f"lm{m}.binary" for m in range(len(language_models))]
        import_language_models(language_models, [temporary / name for name in names])
        for number, table in enumerate(tables):
            store_table(table, temporary, number, memory, progress)
        stored = [stored_table(temporary, number, table) for number, table in enumerate(tables)]
        return _finish(temporary, stored, names, text, weights)


def creation_digest(
    tables: Sequence[GivenTable], language_models: Sequence[Path], text: TextSettings, weights_of: Path | None
) -> str:
    """The `command_digest` of the command that makes this model."""
    given = [path for table in tables for path in (table.path, table.reordering_table) if path is not None]
    files = [*given, *language_models, *([weights_of] if weights_of else [])]
    return command_digest("model of phrase tables", files, {"tables": list(tables), "text": text})


def _finish(
    directory: Path,
    tables: Sequence[StoredTable],
    language_models: list[str],
    text: TextSettings,
    weights: Weighting | None,
) -> TranslationManifest:
    Truecaser({}).save(directory / TRUECASER)
    stored, facts = [table for table, _ in tables], [info for _, info in tables]
    first, *further = stored
    scores = [name for table in stored for name in table.scores]
    origins, reordering = origins_of(text, has_dictionary=False), facts[0].reordering
    of_model = default_translation_weights(len(language_models), origins, scores, reordering_features(reordering))
    if weights is not None:
        of_model |= weights(stored)
    (directory / WEIGHTS).write_text(format_weights(of_model), encoding="utf-8")
    manifest = TranslationManifest(
        text=text,
        phrase_table=first.file,
        scores=first.scores,
        further_tables=tuple(further),
        language_models=language_models,
        reordering=reordering,
        truecaser=TRUECASER,
        weights=WEIGHTS,
        **file_facts(directory),
        training={
            "source_phrases": sum(info.source_phrases for info in facts),
            "phrase_pairs": sum(info.phrase_pairs for info in facts),
            "widl": __version__,
        },
    )
    write_manifest(directory, manifest)
    return manifest


def table_name(number: int) -> str:
    """The file name of a model's table with this number, from 0."""
    return f"phrase-table{number}.binary" if number else TABLE


def store_table(
    table: GivenTable,
    directory: Path,
    number: int,
    memory: int = ImportOptions.memory,
    progress: Progress = no_progress,
) -> None:
    """Import or copy a table into a model's directory, as the table with this number, from 0."""
    name = table_name(number)
    if is_table(table.path) and table.reordering_table is None:
        PhraseTable.open(table.path).close()
        with replacing(directory / name) as temporary:
            shutil.copyfile(table.path, temporary)
    else:
        import_moses(
            table.path,
            directory / name,
            memory=memory,
            reordering_table=table.reordering_table,
            progress=progress,
        )


def stored_table(directory: Path, number: int, given: GivenTable) -> StoredTable:
    """The table with this index in a model's directory, with its feature names in the model."""
    name = table_name(number)
    with PhraseTable.open(directory / name) as table:
        info = table.info
    scores = tuple(f"t{number}_{score}" for score in info.scores) if number else info.scores
    return AdditionalTableEntry(file=name, use=given.use, scores=scores), info


def import_language_models(models: Sequence[Path], names: Sequence[Path]) -> None:
    """Copy existing language models or convert them to binaries; InputError if a file is not a language model."""
    for path, name in zip(models, names, strict=True):
        if is_kenlm_binary(path):
            LanguageModel.load(path)
            with replacing(name) as temporary:
                shutil.copyfile(path, temporary)
        else:
            convert_language_model(path, name)
