"""The tokens that ROUGE counts, and the metric that combines two of its recalls."""

import re
import sys
import unicodedata
from collections.abc import Callable
from functools import cache

import numpy as np

from widl._core import Metric
from widl.mert.nbest import FloatArray, IntArray
from widl.text.normalization import HAN, normal_form

ROOT_OF_RECALLS = "rouge1x2_recall"
"""√(ROUGE-1 recall · ROUGE-2 recall) of a corpus: the Rouge₂ of Soricut & Marcu (2006)."""


def add_root_of_recalls(metric: Metric, coefficient: float) -> None:
    """Add the root to a metric of the core, of (matches, n-grams of the references) of orders 1 and 2, and two zeros.

    The score is BLEU without a brevity penalty.
    """
    metric.add_bleu(coefficient, max_order=2, smoothing="none", smooth_value=0.0)


def rouge_tokenizer(stem: bool = False, any_script: bool = False) -> Callable[[str], list[str]]:
    """A function that splits a text into words as rouge-score does: lower case, only a to z and digits.

    If `any_script`, words are letters, marks and digits of any script, and each Chinese character is a word. If `stem`,
    words of more than three letters lose their endings (NLTK's Porter stemmer).

    >>> rouge_tokenizer()("Die Mühle, 今天"), rouge_tokenizer(any_script=True)("Die Mühle, 今天")
    (['die', 'm', 'hle'], ['die', 'mühle', '今', '天'])
    """
    words = _words_of_any_script if any_script else re.compile("[a-z0-9]+").findall
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


def _words_of_any_script(text: str) -> list[str]:
    return _word_of_any_script().findall(normal_form(text))


@cache
def _word_of_any_script() -> re.Pattern[str]:
    marks = "".join(c for c in map(chr, range(0x300, sys.maxunicode + 1)) if unicodedata.category(c).startswith("M"))
    return re.compile(f"[{HAN}]|(?:(?![{HAN}])[^\\W_]|[{marks}])+")


def dropped_letters(text: str) -> set[str]:
    """The letters and digits of a text that rouge-score drops: all except a to z and 0 to 9.

    >>> sorted(dropped_letters("Die Mühle, 今天"))
    ['ü', '今', '天']
    """
    return {character for character in text if not character.isascii() and character.isalnum()}


def jackknifed(scores: FloatArray, counts: IntArray) -> FloatArray:
    """The mean, over each text's references, of its best score against the other references (Lin 2004, Section 2.1).

    `scores` has shape (references, texts), with -1 for missing references; `counts` are the numbers of references of
    each text. A text's only reference is not omitted.

    >>> jackknifed(np.array([[0.5, 0.2], [0.1, -1.0], [0.3, -1.0]]), np.array([3, 1]))
    array([0.43333333, 0.2       ])
    """
    ordered: FloatArray = np.sort(scores, axis=0)
    best, second = ordered[-1], ordered[-2 if len(ordered) > 1 else -1]
    # Every leave-one-out set has the overall best score, except the set without it; that set has the second best.
    means: FloatArray = np.where(counts > 1, ((counts - 1) * best + second) / counts, best)
    return means
