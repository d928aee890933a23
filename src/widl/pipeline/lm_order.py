"""The order of a trained model's language model."""

from collections.abc import Iterable
from typing import Annotated

from widl.arguments import PathLike
from widl.decoder.language_model import DEFAULT_ORDER, MAX_ORDER
from widl.files import read_lines
from widl.options import option

OrderOption = Annotated[
    int | None,
    option(
        "Order of the language model: longest n-grams. Default: 3; 4 from 1 million words of text, 5 from 10.",
        ge=2,
        le=MAX_ORDER,
    ),
]

_WORDS_OF_ORDER_4, _WORDS_OF_ORDER_5 = 1_000_000, 10_000_000


def default_order(texts: Iterable[PathLike]) -> int:
    """The order for these tokenised texts, where none is given: the more words, the longer n-grams are seen again.

    Of 12 million words, orders 4 and 5 translate a little better than 3 (docs/results.md), and take 2 and 4 times the
    space.
    """
    words = sum(len(line.split()) for path in texts for line in read_lines(path))
    return DEFAULT_ORDER + (words >= _WORDS_OF_ORDER_4) + (words >= _WORDS_OF_ORDER_5)
