"""ROUGE: the tokens that count, and ROUGE-N, ROUGE-L and the root of two recalls, counted in the core."""

import logging
import math
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.metadata import version
from statistics import fmean
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from typing_extensions import override

from widl._core import Metric, MetricStatistics
from widl.common.arrays import FloatArray, IntArray
from widl.common.extras import optional_packages
from widl.metrics.metric import MetricOptions, MetricPart, References, lines_of_sentences
from widl.text.normalization import HAN

if TYPE_CHECKING:
    from rouge_score.rouge_scorer import RougeScorer
    from rouge_score.scoring import Score as RougeScore

logger = logging.getLogger(__name__)

ROUGE = ("rouge1", "rouge2", "rougeL")

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
    with optional_packages():
        from nltk.stem.porter import PorterStemmer

    stemmed = PorterStemmer().stem
    return lambda text: [stemmed(word) if len(word) > 3 else word for word in words(text.lower())]


def rouge_score_version() -> str:
    """The version of rouge-score."""
    with optional_packages():
        return version("rouge-score")


def rouge_scorer(kinds: Sequence[str], tokenizer: Any = None) -> "RougeScorer":
    """rouge-score's scorer of these kinds."""
    with optional_packages():
        from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(kinds, tokenizer=tokenizer)


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
    return _word_of_any_script().findall(unicodedata.normalize("NFC", text))


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


def _warn_of_lost_letters(references: References) -> None:
    """Warn if at least a tenth of the references have letters that rouge-score drops."""
    lines = [line for stream in references for line in stream if line is not None]
    lost = [letters for line in lines if (letters := dropped_letters(line))]
    if 10 * len(lost) > len(lines):
        examples = " ".join(sorted(set().union(*lost))[:5])
        logger.warning(
            "%d of %d references have letters that ROUGE drops (%s); any-script counts them",
            len(lost), len(lines), examples,
        )  # fmt: skip


class _RougePart(MetricPart):
    """Texts and references as the words of rouge-score, with each reference's matches counted in the core."""

    def __init__(self, references: References, options: MetricOptions, threads: int, *, max_order: int) -> None:
        self._threads = threads
        words = rouge_tokenizer(options.stem, options.any_script)
        if not options.any_script:
            _warn_of_lost_letters(references)
        self._tokens = lru_cache(maxsize=1 << 18)(lambda text: " ".join(words(text)))
        self._lines = lines_of_sentences(references)
        tokenized = [list(map(self._tokens, lines)) for lines in self._lines]
        self._references = max(map(len, tokenized))
        self._counts = np.array([len(lines) for lines in tokenized])
        self._statistics = MetricStatistics(tokenized, max_order=max_order)
        self._options, self._most = options, options.first_words
        script = "|script:any" * options.any_script
        self._how = f"stem:{'yes' if options.stem else 'no'}{script}|nrefs:{self._references}"
        self._how += f"|rouge-score:{rouge_score_version()}" + f"|words:{self._most}" * bool(self._most)

    def _counted(
        self, sentences: IntArray, texts: Sequence[str], order: int
    ) -> Iterator[tuple[FloatArray, npt.NDArray[np.bool_]]]:
        """For each reference, (matches, n-grams of the text, n-grams of the reference) by row, and the rows that have
        the reference.
        """
        tokens = [self._tokens(first_words(text, self._most)) for text in texts]
        for reference in range(self._references):
            counts = self._statistics.rouge(sentences, tokens, order=order, reference=reference, threads=self._threads)
            yield counts, reference < self._counts[sentences]

    def _scored(self, kind: str, texts: Sequence[str]) -> Iterator[list[tuple["RougeScore", int, int]]]:
        """For each text, rouge-score's scores by reference, each with the n-grams of the reference and of the text."""
        with optional_packages():
            from rouge_score.tokenizers import DefaultTokenizer

        tokenizer: Any = DefaultTokenizer(self._options.stem)
        if self._options.any_script:
            tokenizer = SimpleNamespace(tokenize=rouge_tokenizer(self._options.stem, any_script=True))
        scorer, tokens = rouge_scorer([kind], tokenizer), tokenizer.tokenize
        shorter = 0 if kind == "rougeL" else int(kind.removeprefix("rouge")) - 1
        cut = [first_words(text, self._most) for text in texts]
        for text, lines in zip(cut, self._lines, strict=True):
            length = max(0, len(tokens(text)) - shorter)
            yield [(scorer.score(line, text)[kind], max(0, len(tokens(line)) - shorter), length) for line in lines]


class RootOfRecalls(_RougePart):
    """√(unigram recall · bigram recall) of the corpus, the Rouge₂ of Soricut & Marcu (2006), Table 1.

    A recall covers all documents together: the number of matched n-grams divided by the number in the references,
    summed over several references (Lin 2004, Eq. 1). The statistics are those of BLEU of order 2, with the references'
    n-grams instead of the text's and without lengths. The core computes the root from them.
    """

    def __init__(self, references: References, options: MetricOptions, threads: int) -> None:
        super().__init__(references, options, threads, max_order=2)
        self.signature = f"sqrt(rouge1*rouge2)|recall|corpus|{self._how}"

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        add_root_of_recalls(metric, coefficient)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        rows = np.zeros((len(texts), 6))
        for order in (1, 2):
            for counts, present in self._counted(sentences, texts, order):
                rows[present, order - 1] += counts[present, 0]
                rows[present, order + 1] += counts[present, 2]
        return rows

    @override
    def reported(self, texts: Sequence[str]) -> float:
        recalls = []
        for kind in ("rouge1", "rouge2"):
            scores = [value for of_text in self._scored(kind, texts) for value in of_text]
            matches = sum(score.recall * count for score, count, _ in scores)
            recalls.append(100 * matches / max(1, sum(count for _, count, _ in scores)))
        return math.sqrt(recalls[0] * recalls[1])


class Rouge(_RougePart):
    """Mean ROUGE-N or ROUGE-L: tokenized as by rouge-score, counted in the core.

    With several references, the reference with the highest F counts, even for recall, as in rouge-score's
    ``score_multi``. Alternatively, each reference is omitted in turn (`jackknifed`), or matches and n-grams are summed
    over references.
    """

    def __init__(self, name: str, references: References, options: MetricOptions, threads: int) -> None:
        self._kind = kind = name.removesuffix("_recall")
        self._recall = kind != name
        self._order = 0 if kind == "rougeL" else int(kind.removeprefix("rouge"))
        super().__init__(references, options, threads, max_order=max(1, self._order))
        self._jackknife, self._pooled = options.jackknife, options.pooled
        how = self._how + "|jackknife" * options.jackknife + "|pooled" * options.pooled
        self.signature = f"{kind}|{'recall' if self._recall else 'F'}|{how}"

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        counted = self._counted(sentences, texts, self._order)
        if self._pooled:
            total = sum(np.where(present[:, None], counts, 0.0) for counts, present in counted)
            counted = iter([(np.asarray(total), np.ones(len(texts), dtype=bool))])
        fs, recalls = [], []
        for counts, present in counted:
            precision = counts[:, 0] / np.maximum(counts[:, 1], 1)
            recall = counts[:, 0] / np.maximum(counts[:, 2], 1)
            f = 2 * precision * recall / np.where(precision + recall > 0, precision + recall, 1)
            fs.append(np.where(present, f, -1.0))
            recalls.append(np.where(present, recall, -1.0))
        scores = np.array(recalls if self._recall else fs)
        if self._jackknife:
            mean = jackknifed(scores, self._counts[sentences])
        else:
            mean = scores[np.argmax(fs, axis=0), np.arange(len(texts))]
        return np.column_stack([mean, np.ones(len(texts))])

    @override
    def reported(self, texts: Sequence[str]) -> float:
        return 100 * fmean(map(self._of_references, self._scored(self._kind, texts)))

    def _of_references(self, scores: Sequence[tuple["RougeScore", int, int]]) -> float:
        if self._pooled:
            matches = sum(score.recall * count for score, count, _ in scores)
            of_references, of_text = (max(1, sum(row[place] for row in scores)) for place in (1, 2))
            return float(matches / of_references if self._recall else 2 * matches / (of_references + of_text))
        values = [score.recall if self._recall else score.fmeasure for score, _, _ in scores]
        if self._jackknife and len(values) > 1:
            return fmean(max(values[:i] + values[i + 1 :]) for i in range(len(values)))
        best = max(range(len(scores)), key=lambda i: scores[i][0].fmeasure)
        return float(values[best])
