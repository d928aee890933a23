"""What `widl translate` does, as a function."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from widl.common.arguments import PathLike
from widl.translation.options import TranslationOptions
from widl.translation.results import Translation
from widl.translation.translator import Translator


def translate(
    model: Translator | PathLike,
    lines: Iterable[str],
    options: TranslationOptions | None = None,
    *,
    weights: PathLike | Mapping[str, float] | None = None,
    threads: int = 1,
    **more: Any,
) -> Iterator[Translation]:
    """Translate raw lines with a model, or with the model of a directory; one result a line, in order.

        for translation in translate("model", ["警方正在调查。"]):
            print(translation.text)

    `weights` take the place of the model's: by feature name, or a TOML file of them. Options may also be given by name:
    ``translate("model", lines, nbest=3)``.

    Raises:
        TypeError: `lines` is a string.
        InputError: The model, the weights or an option can't be used.
    """
    if isinstance(model, Translator):
        if weights is not None:
            raise TypeError("weights: a Translator has its own; pass translator.reweighted(weights), or a directory")
        translator = model
    else:
        translator = Translator(model, weights=weights)
    return translator.translate(lines, options, threads=threads, **more)
