"""Checks models and their files: every byte is read."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError, MissingFileError
from widl.common.files import open_source
from widl.common.manifests import Manifest, has_format, read_manifest_as, sha256_of
from widl.decoder import LanguageModel
from widl.decoder.language_model import KENLM_MAGIC
from widl.headline import Headliner
from widl.headline.manifest import HeadlineManifest
from widl.phrase_table import PhraseTable, table_statistics
from widl.translation import Translator
from widl.translation.manifest import read_manifest


@dataclass(frozen=True)
class CheckedFile:
    """A file that passed its checks, and the checks made: ``SHA-256``, ``structure``, ``values`` …"""

    path: Path
    checked: str


@checked
def check(path: PathLike) -> Iterator[CheckedFile]:
    """Check a model directory, a language model or a phrase table; yields each file that passes.

    For a model directory, the SHA-256 of every file but the weights is compared with the manifest's, and the model is
    opened, with its language models, its phrase table, its weights and (for headlines) its parser. For a language
    model, the structure is checked: a binary's pointers, an ARPA file's lines. For a phrase table, all entries are
    read.

    Raises:
        MissingFileError: There is no such file.
        InputError: A file is missing, damaged or inconsistent; the message names the file and the remedy.
    """
    path = Path(path)
    if not path.exists():
        raise MissingFileError(f"{path}: no such file; name a model directory, a language model or a phrase table")
    return _check_model(path) if path.is_dir() else iter([_check_file(path)])


def _check_model(directory: Path) -> Iterator[CheckedFile]:
    is_headline = has_format(directory, HeadlineManifest)
    manifest: Manifest = read_manifest_as(HeadlineManifest, directory) if is_headline else read_manifest(directory)
    for name in sorted(set(manifest.sha256) - manifest.weight_files()):  # users edit the weights
        if sha256_of(directory / name) != manifest.sha256[name]:
            raise InputError(
                f"{directory / name}: damaged or changed (its SHA-256 differs from the one in the manifest); "
                "copy the model again, or train it again"
            )
        yield CheckedFile(directory / name, "SHA-256")
    if is_headline:
        Headliner(directory).close()
    else:
        Translator(directory)
    yield CheckedFile(directory / manifest.weights, "values")
    yield CheckedFile(directory, "opened")


def _check_file(path: Path) -> CheckedFile:
    with open_source(path) as stream:
        start = stream.read(64)
    if start.startswith(KENLM_MAGIC):
        LanguageModel.load(path)
        return CheckedFile(path, "structure of a language model's binary")
    if b"\\data\\" in start or path.suffix in (".arpa", ".gz"):
        LanguageModel.load(path)
        return CheckedFile(path, "lines of an ARPA file")
    if b"\0" not in start:
        raise InputError(f"{path}: neither a language model nor a phrase table; name one, or a model directory")
    with PhraseTable.open(path) as table:
        table_statistics(table)
    return CheckedFile(path, "entries of a phrase table")
