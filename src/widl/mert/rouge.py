"""Tokenisation of ROUGE."""

import re
from collections.abc import Callable


def rouge_tokenizer(stem: bool = False) -> Callable[[str], list[str]]:
    """A function that splits a text into words as rouge-score does: lower case, only a to z and digits.

    With `stem`, words of more than three letters lose their endings (NLTK's Porter stemmer).
    """
    words = re.compile("[a-z0-9]+").findall
    if not stem:
        return lambda text: words(text.lower())
    from nltk.stem.porter import PorterStemmer

    stemmed = PorterStemmer().stem
    return lambda text: [stemmed(word) if len(word) > 3 else word for word in words(text.lower())]
