"""A translation model with a smaller phrase table."""

import shutil
from pathlib import Path

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.manifests import file_facts
from widl.common.workers import Progress, no_progress
from widl.phrase_table.pruning import Pruning, PruningReport, prune_table
from widl.phrase_table.storage import PhraseTable
from widl.pipeline.model_directory import check_output_directory, quick_model_directory, write_manifest
from widl.translation.manifest import read_manifest


def prune_model(
    model: PathLike,
    table: PhraseTable,
    directory: PathLike,
    pruning: Pruning,
    *,
    progress: Progress = no_progress,
) -> PruningReport:
    """Write a copy of a model whose phrase table is a pruned one of `table`, the model's; it appears when complete."""
    model, directory = Path(model), Path(directory)
    manifest = read_manifest(model)
    if directory.exists():
        raise InputError(f"{directory}: exists; name a new directory for the model")
    check_output_directory(directory, overwrite=False)
    with quick_model_directory(directory) as new:
        for name in sorted({*manifest.files, manifest.weights} - {manifest.phrase_table}):
            shutil.copyfile(model / name, new / name)
        report = prune_table(table, new / manifest.phrase_table, pruning, progress=progress)
        write_manifest(new, manifest.model_copy(update=file_facts(new)))
    return report
