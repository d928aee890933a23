"""Opening and converting n-gram language models."""

import errno
import os
from pathlib import Path
from typing import Literal

from widl._core import LanguageModel
from widl.files import decompressed, replacing

BinaryKind = Literal["rest", "probing", "trie"]


def load_language_model(path: str | os.PathLike[str]) -> LanguageModel:
    """Open an ARPA file (also ``.arpa.gz``) or a KenLM binary of order 2 to 6.

    Binaries open in milliseconds; ARPA files take about half a second per million n-grams. Only ARPA
    files and binaries of kind "rest" know bounds over unknown left contexts, which exact search
    needs to be fast. A file that is no usable model is an InputError with file and line.
    """
    if not Path(path).exists():
        raise FileNotFoundError(errno.ENOENT, "No such language model", os.fspath(path))
    with decompressed(path) as plain:
        return LanguageModel.load(str(plain))


def convert_language_model(
    arpa: str | os.PathLike[str], output: str | os.PathLike[str], *, kind: BinaryKind = "rest"
) -> None:
    """Write an ARPA file (also ``.arpa.gz``) as KenLM binary, for loading in milliseconds.

    "rest" is a probing hash table that also holds, per n-gram, the largest probability over all left
    extensions, which the search uses as bound; "probing" goes without; "trie" takes the least memory.
    """
    if not Path(arpa).exists():
        raise FileNotFoundError(errno.ENOENT, "No such language model", os.fspath(arpa))
    with replacing(output) as temporary, decompressed(arpa) as plain:
        LanguageModel.convert(str(plain), str(temporary), kind=kind)
