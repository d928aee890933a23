"""The tokens that ROUGE counts, and the metric that combines two of its recalls."""

import re
from collections.abc import Callable

from widl._core import Metric

ROOT_OF_RECALLS = "rouge1x2_recall"
"""√(ROUGE-1 recall · ROUGE-2 recall) of a corpus: the Rouge₂ of Soricut & Marcu (2006)."""


def add_root_of_recalls(metric: Metric, coefficient: float) -> None:
    """Add the root to a metric of the core, of (matches, n-grams of the references) of orders 1 and 2, and two zeros.

    The score is BLEU without a brevity penalty.
    """
    metric.add_bleu(coefficient, max_order=2, smoothing="none", smooth_value=0.0)


def rouge_tokenizer(stem: bool = False) -> Callable[[str], list[str]]:
    """A function that splits a text into words as rouge-score does: lower case, only a to z and digits.

    If `stem`, words of more than three letters lose their endings (NLTK's Porter stemmer).

    >>> rouge_tokenizer()("Die Mühle, 24")
    ['die', 'm', 'hle', '24']
    """
    words = re.compile("[a-z0-9]+").findall
    if not stem:
        return lambda text: words(text.lower())
    from nltk.stem.porter import PorterStemmer

    stemmed = PorterStemmer().stem
    return lambda text: [stemmed(word) if len(word) > 3 else word for word in words(text.lower())]


def first_words(text: str, most: int) -> str:
    """Truncates a text after the first `most` words, not counting tokens without letters and digits; 0: no limit.

    >>> first_words("Rain / stops - play again", 3)
    'Rain / stops - play'
    """
    words, left = [], most
    for word in text.split() if most else ():
        left -= any(map(str.isalnum, word))
        if left < 0:
            break
        words.append(word)
    return " ".join(words) if most else text
