"""√(unigram recall · bigram recall) of a corpus, straight from its definition (Lin 2004, Eq. 1)."""

import math
import re
from collections.abc import Sequence


def ngrams(text: str, order: int) -> list[tuple[str, ...]]:
    words = re.findall("[a-z0-9]+", text.lower())
    return [tuple(words[i : i + order]) for i in range(len(words) - order + 1)]


def recall(texts: Sequence[str], references: Sequence[Sequence[str]], order: int) -> float:
    """Matches divided by the n-grams in all references of all texts; 0 without n-grams."""
    matched = total = 0
    for text, lines in zip(texts, references, strict=True):
        for line in lines:
            left = ngrams(line, order)
            total += len(left)
            for ngram in ngrams(text, order):
                if ngram in left:
                    left.remove(ngram)
                    matched += 1
    return matched / total if total else 0.0


def root_of_recalls(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    return 100 * math.sqrt(recall(texts, references, 1) * recall(texts, references, 2))


def jackknifed_recall(text: str, references: Sequence[str], order: int) -> float:
    """The mean of the best recalls by all references but one, leaving out each in turn (Lin 2004, §2.1)."""
    if len(references) == 1:
        return recall([text], [references], order)
    sets = [[line for j, line in enumerate(references) if j != i] for i in range(len(references))]
    return sum(max(recall([text], [[line]], order) for line in others) for others in sets) / len(sets)
