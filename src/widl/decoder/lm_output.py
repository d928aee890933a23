"""Writing language models: what a file's name says of its format."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import compressing

OutputKind = Literal["arpa", "arpa.gz", "binary"]

_ENDINGS: dict[str, OutputKind] = {
    ".arpa": "arpa",
    ".arpa.gz": "arpa.gz",
    ".binary": "binary",
    ".bin": "binary",
    ".klm": "binary",
}


def output_kind(output: PathLike) -> OutputKind:
    """The format that a model's name ends in; InputError where it ends in none."""
    name = path_of(output, "output").name
    for ending, kind in _ENDINGS.items():
        if name.endswith(ending):
            return kind
    raise InputError(f"{output}: the name of a language model ends in {', '.join(_ENDINGS)}")


def check_output(output: PathLike, order: int) -> None:
    """Raise InputError if a model of this order can't be written under this name."""
    if order == 1 and output_kind(output) == "binary":
        raise InputError(f"{output}: KenLM binaries have order 2 at least; write order 1 as .arpa")


@contextlib.contextmanager
def arpa_writer(path: Path, kind: OutputKind) -> Iterator[Callable[[bytes], int]]:
    """A function that writes bytes of ARPA text to a file, compressed for "arpa.gz"."""
    with path.open("wb") as raw, compressing(raw, ".gz" if kind == "arpa.gz" else "") as stream:
        yield stream.write
