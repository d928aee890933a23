"""Language models that users have already, for a model directory."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from widl.decoder import convert_language_model, load_language_model
from widl.decoder.language_model import is_kenlm_binary
from widl.files import replacing


def import_models(models: Sequence[Path], names: Sequence[Path]) -> None:
    """Copy or convert existing language models to binaries; InputError for a file that is no language model."""
    for path, name in zip(models, names, strict=True):
        if is_kenlm_binary(path):
            load_language_model(path)
            with replacing(name) as temporary:
                shutil.copyfile(path, temporary)
        else:
            convert_language_model(path, name)
