"""The parser that a model chooses: its version, and what it may name if it is a folder."""

import importlib.metadata
import logging
import multiprocessing
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from widl.common.errors import InputError
from widl.common.files import read_own_file
from widl.headline.manifest import HeadlineManifest
from widl.headline.parsing import load_parser

# Functions of spaCy and of Thinc: the names of all others begin with their package's. Those that call Torch and the
# like unpickle, and callbacks load what they are told to.
_OWN_FUNCTION = re.compile(
    r"(?:spacy\.|spacy-legacy\.)?(?!\w*(?:Wrapper|Torch|Tensor|MXNet))\w+\.v\d+", re.ASCII | re.IGNORECASE
)

logger = logging.getLogger(__name__)


def check_parser(directory: Path, manifest: HeadlineManifest) -> None:
    """Check the parser that a model names, before anything is loaded; a missing one is told when it is needed.

    An installed pipeline is trusted as all installed packages are. The configuration of a folder may name nothing but
    spaCy's and Thinc's own components and functions, so that no code of others runs and nothing is unpickled. Another
    version than that of training is a warning, given once and not in every worker process.

    Raises:
        InputError: The folder names something else; who trusts it gives it oneself (``--parser``).
    """
    if manifest.parser is not None and Path(manifest.parser).is_dir():
        _check_folder(directory, Path(manifest.parser))
    try:
        parser = load_parser(manifest.parser)
    except InputError:
        return
    stated = manifest.parser_fingerprint
    if stated is None or multiprocessing.parent_process() is not None or parser.fingerprint.hex() == stated:
        return
    logger.warning(
        "%s: trained with %s, but %s is installed; headlines may differ, or train the model again",
        directory,
        manifest.training.get("parser", "another parser"),
        parser.version,
    )


def _check_folder(directory: Path, folder: Path) -> None:
    try:
        read_own_file(folder / "meta.json")
    except FileNotFoundError:
        return
    for part in _foreign_parts(_configuration(folder)):
        raise InputError(
            f"{directory}: its parser, the folder {folder}, names {part}, which is not spaCy's own; give the parser "
            f"yourself if you trust it: --parser {folder}"
        )


def _configuration(folder: Path) -> Mapping[str, Any]:
    from spacy.util import load_config_from_str

    path = folder / "config.cfg"
    try:
        read: Mapping[str, Any] = load_config_from_str(read_own_file(path).decode("utf-8"), interpolate=True)
        return read
    except (OSError, ValueError, RecursionError) as error:
        reason = str(error).strip().split("\n")[0]
        raise InputError(f"{path}: no configuration of a spaCy pipeline ({reason})") from None


def _foreign_parts(configuration: Mapping[str, Any]) -> Iterator[str]:
    """What it names that other packages provide, or that loads other pipelines."""
    given = {
        point.name
        for group in ("spacy_factories", "spacy_languages")
        for point in importlib.metadata.entry_points(group=group)
    }
    for key, value in _settings(configuration):
        if key.startswith("@"):
            foreign = key == "@callbacks" or not _OWN_FUNCTION.fullmatch(str(value))
        else:
            foreign = key == "source" or (key in ("factory", "lang") and str(value) in given)
        if foreign:
            yield f"{key} = {value!r}"


def _settings(section: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in section.items():
        for inner in value if isinstance(value, list) else [value]:
            if isinstance(inner, Mapping):
                yield from _settings(inner)
        yield key, value
