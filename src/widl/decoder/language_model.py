"""Opening and converting n-gram language models."""

import errno
import os
from pathlib import Path
from typing import Literal

from widl._core import LanguageModel
from widl.errors import InputError
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
    arpa: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    kind: BinaryKind = "rest",
    quantize: int | None = None,
    quantize_backoffs: int | None = None,
    compress_pointers: int | None = None,
    probing_multiplier: float = 1.5,
    memory: int = 1 << 30,
    temporary_directory: str | os.PathLike[str] | None = None,
) -> None:
    """Write an ARPA file (also ``.arpa.gz``) as KenLM binary, for loading in milliseconds.

    "rest" is a probing hash table that also holds, per n-gram, the largest probability over all left
    extensions, which the search uses as bound; "probing" goes without; "trie" takes the least memory.
    KenLM has no trie with rest costs.

    Tries can be smaller still: `quantize` probabilities to so many bits, and back-off weights to the same or to
    `quantize_backoffs` (Federico & Bertoldi 2006), which changes them a little, and `compress_pointers`
    by chopping off at most so many bits (Raj & Whittaker 2003), which costs time; all are at most 25.
    Building a trie sorts in `memory` bytes and a `temporary_directory`, by default that of the output.
    """
    if not Path(arpa).exists():
        raise FileNotFoundError(errno.ENOENT, "No such language model", os.fspath(arpa))
    if quantize is None and quantize_backoffs is not None:
        raise InputError("back-off weights can be quantised only together with probabilities")
    bits = {"quantize": quantize, "quantize_backoffs": quantize_backoffs, "compress_pointers": compress_pointers}
    for name, number in bits.items():
        if number is not None and number < 1:
            raise InputError(f"{name.replace('_', ' ')} to {number} bits; at least 1 is needed")
    with replacing(output) as temporary, decompressed(arpa) as plain:
        LanguageModel.convert(
            str(plain),
            str(temporary),
            kind=kind,
            probability_bits=quantize or 0,
            backoff_bits=quantize_backoffs or quantize or 0,
            pointer_bits=compress_pointers or 0,
            probing_multiplier=probing_multiplier,
            memory=memory,
            temporary_directory=os.fspath(temporary_directory or ""),
        )
