"""Opens model directories of any kind."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from widl.cli.parameters import notify
from widl.common.errors import InputError
from widl.common.manifests import has_format
from widl.headline import Headliner
from widl.headline.manifest import HeadlineManifest
from widl.translation import Translator


@dataclass
class OpenModels:
    """A translation model, a headline model, both, or none."""

    translator: Translator | None = None
    headliner: Headliner | None = None


def open_models(directories: Iterable[Path]) -> OpenModels:
    """The models of directories; InputError for a second model of a kind."""
    models = OpenModels()
    for directory in directories:
        is_headline = has_format(directory, HeadlineManifest)
        if (models.headliner if is_headline else models.translator) is not None:
            raise InputError(f"{directory}: a second model of the same kind; give one of each")
        if is_headline:
            models.headliner = Headliner(directory)
        else:
            models.translator = Translator(directory)
    return models


def report_removed_features(translator: Translator, *, quiet: bool) -> None:
    """Reports on stderr which features of the model its preset removes."""
    if translator.left_out and not quiet:
        names = ", ".join(translator.left_out)
        notify(f"preset {translator.preset}: features of this model not used: {names}")
