"""Opening and converting n-gram language models."""

import errno
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal, Self

from widl import _core
from widl._core import NGramModel, TrainingText
from widl.errors import InputError
from widl.files import plain_file, replacing
from widl.options import Size, option, option_set

BinaryKind = Literal["rest", "probing", "trie"]
MAX_ORDER = 6
DEFAULT_ORDER = 3
"""Of language models: trigrams, as in the papers."""


@option_set
class ConversionOptions:
    """What kind of KenLM binary is written; see `convert_language_model`."""

    kind: Annotated[
        BinaryKind, option("rest (with bounds for the search), probing, or trie (smallest).", aliases=("type",))
    ] = "rest"
    quantize: Annotated[
        int | None, option("Trie: quantise probabilities and back-off weights.", ge=1, metavar="BITS")
    ] = None
    quantize_backoffs: Annotated[
        int | None, option("Trie: other bits for back-off weights.", ge=1, metavar="BITS")
    ] = None
    compress_pointers: Annotated[
        int | None, option("Trie: chop at most so many bits off pointers.", ge=1, metavar="BITS")
    ] = None
    probing_multiplier: Annotated[float, option("Slots per n-gram of hash tables.")] = 1.5
    memory: Annotated[Size, option("Trie: memory to sort in.")] = 1 << 30
    temporary_directory: Annotated[
        Path | None, option("Trie: where the rest goes, if not beside the output.", metavar="DIR")
    ] = None


class LanguageModel(_core.LanguageModel):
    """An n-gram language model of order 2 to 6: KenLM stores it and answers, in natural logs.

    ``score_words`` gives ln p of each word in its context and, last, of ``</s>``; ``in`` says whether a word is known.

    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> [round(log_prob, 2) for log_prob in model.score_words(["the", "cat"])]
    [-0.54, -0.23, -2.77]
    >>> model.order, "cat" in model, "dog" in model
    (3, True, False)
    """

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Open an ARPA file (also ``.arpa.gz``) or a KenLM binary.

        Binaries open in milliseconds; ARPA files take about half a second per million n-grams. Only ARPA
        files and binaries of kind "rest" know bounds over unknown left contexts, which exact search
        needs to be fast.

        Raises:
            FileNotFoundError: There is no such file.
            InputError: It is no usable model; file and line are named.
        """
        if not Path(path).exists():
            raise FileNotFoundError(errno.ENOENT, "No such language model", os.fspath(path))
        with plain_file(path) as plain:
            return cls(str(plain))

    @classmethod
    def estimate(cls, lines: Iterable[str], *, order: int = DEFAULT_ORDER) -> Self:
        """Estimate a model of a few sentences, words separated by blanks, in memory and within milliseconds.

        Interpolated modified Kneser-Ney (Chen & Goodman 1998). Fallback discounts are what to expect with so
        little text, and cause no warning. `estimate_language_model` does the same for any amount of text, with all
        options, and writes a file.

        Raises:
            InputError: The order is not from 2 to 6, or a line holds ``<s>``, ``</s>`` or ``<unk>``.
        """
        if not 2 <= order <= MAX_ORDER:
            raise InputError(f"language models to load have order 2 at least and {MAX_ORDER} at most, not {order}")
        text = TrainingText()
        text.add("".join(f"{line}\n" for line in lines).encode())
        model = NGramModel.estimate(text, order=order)
        with tempfile.NamedTemporaryFile(suffix=".arpa") as arpa:
            model.write_arpa(arpa.write)
            arpa.flush()
            return cls(arpa.name)


def load_language_model(path: str | os.PathLike[str]) -> LanguageModel:
    """Open a language model; see `LanguageModel.load`."""
    return LanguageModel.load(path)


def convert_language_model(
    arpa: str | os.PathLike[str],
    output: str | os.PathLike[str],
    *,
    kind: BinaryKind = ConversionOptions.kind,
    quantize: int | None = ConversionOptions.quantize,
    quantize_backoffs: int | None = ConversionOptions.quantize_backoffs,
    compress_pointers: int | None = ConversionOptions.compress_pointers,
    probing_multiplier: float = ConversionOptions.probing_multiplier,
    memory: int = ConversionOptions.memory,
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
    with replacing(output) as temporary, plain_file(arpa) as plain:
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
