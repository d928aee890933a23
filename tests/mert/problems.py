"""Small tuning problems, random but repeatable."""

import numpy as np

from widl._core import CandidateLists, Metric
from widl.common.arrays import FloatArray, IntArray
from widl.mert.nbest import NbestLists

WORDS = "the a cat dog sat saw on mat . , of 12.5 don't".split()


def bleu_statistics(count: int, random: np.random.Generator) -> FloatArray:
    """Rows in BLEU's layout: matches, n-grams, length, reference length."""
    length = random.integers(0, 12, count)
    ngrams = np.maximum(0, length[:, None] - np.arange(4))
    matches = random.binomial(ngrams, np.array([0.8, 0.6, 0.5, 0.4]))
    matches = np.minimum.accumulate(matches, axis=1)
    return np.column_stack([matches, ngrams, length, random.integers(6, 10, count)]).astype(np.float64)


def bleu_metric() -> Metric:
    metric = Metric()
    metric.add_bleu(1.0)
    return metric


def random_lists(
    random: np.random.Generator, sentences: int, candidates: int, features: int, *, values: int = 5
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Features (small whole numbers, with many ties), statistics and begins."""
    sizes = random.integers(1, candidates + 1, sentences)
    begins = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    matrix = random.integers(-values, values + 1, (begins[-1], features)).astype(np.float64)
    return matrix, bleu_statistics(int(begins[-1]), random), begins


def candidate_lists(problem: tuple[FloatArray, FloatArray, IntArray]) -> CandidateLists:
    return CandidateLists(*problem)


def random_sentence(random: np.random.Generator, shortest: int = 3, longest: int = 12) -> str:
    return " ".join(random.choice(WORDS, random.integers(shortest, longest + 1)))


def distorted(text: str, random: np.random.Generator, rate: float) -> str:
    """Drops, replaces and doubles words with some probability each."""
    words = []
    for word in text.split():
        drawn = random.random()
        if drawn < rate / 3:
            continue
        words.append(str(random.choice(WORDS)) if drawn < 2 * rate / 3 else word)
        if drawn > 1 - rate / 3:
            words.append(word)
    return " ".join(words)


def translation_lists(seed: int, sentences: int = 12, candidates: int = 40) -> tuple[NbestLists, list[str]]:
    """n-best lists with three moderately predictive features and an uninformative fourth, and references."""
    random = np.random.default_rng(seed)
    references = [random_sentence(random) for _ in range(sentences)]
    texts, features = [], []
    for reference in references:
        for _ in range(candidates):
            rate = random.random()
            texts.append(distorted(reference, random, rate))
            length = float(len(texts[-1].split()))
            features.append([-rate + random.normal(0, 0.4), rate + random.normal(0, 0.8), length, random.normal()])
    rows = np.repeat(np.arange(sentences), candidates)
    return NbestLists(("lm0", "noise", "word_count", "idle"), rows, texts, np.array(features)), references


def streams(references):
    """References of each text, one to several, as streams."""
    width = max(map(len, references))
    return [[lines[i] if i < len(lines) else None for lines in references] for i in range(width)]
