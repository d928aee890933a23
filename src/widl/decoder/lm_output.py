"""Writing language models: the file name determines the format."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import compressing, temporary_beside
from widl.decoder.language_model import LanguageModel, kenlm_input

OutputKind = Literal["arpa", "arpa.gz", "binary"]

_ENDINGS: dict[str, OutputKind] = {
    ".arpa": "arpa",
    ".arpa.gz": "arpa.gz",
    ".binary": "binary",
    ".bin": "binary",
    ".klm": "binary",
}


def output_kind(output: PathLike) -> OutputKind:
    """The format implied by a model's file name; InputError if the name implies no format."""
    name = Path(output).name
    kind = next((kind for ending, kind in _ENDINGS.items() if name.endswith(ending)), None)
    if kind is None:
        raise InputError(f"{output}: the name of a language model ends in {', '.join(_ENDINGS)}")
    return kind


@contextlib.contextmanager
def arpa_writer(output: PathLike, temporary: Path) -> Iterator[Callable[[bytes], int]]:
    """A function that writes bytes of ARPA text; at the end `temporary` has the model in the format of `output`.

    KenLM binaries have rest costs; the ARPA text is a temporary file next to `output` until it is converted.
    """
    kind = output_kind(output)
    with temporary_beside(Path(f"{output}.arpa")) if kind == "binary" else contextlib.nullcontext(temporary) as path:
        with path.open("wb") as raw, compressing(raw, ".gz" if kind == "arpa.gz" else "") as stream:
            yield stream.write
        if kind == "binary":
            with kenlm_input(path) as plain:
                LanguageModel.convert(plain, temporary, kind="rest")
