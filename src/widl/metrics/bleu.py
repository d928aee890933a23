"""BLEU in tuning: the tokens are sacrebleu's, the core counts and matches them."""

from collections.abc import Callable, Sequence

from typing_extensions import override

from widl._core import Metric, MetricStatistics
from widl.common.arrays import FloatArray, IntArray
from widl.common.extras import optional_packages
from widl.metrics.metric import MetricOptions, MetricPart, References, forget_lines, lines_of_sentences

with optional_packages():
    from sacrebleu.metrics.bleu import BLEU


class TokenCache(dict[str, str]):
    """Caches the tokens of words: n-best lists repeat the same words, and the regular expressions are slow."""

    def __init__(self, tokenize: Callable[[str], str]) -> None:
        self._tokenize = tokenize

    def __missing__(self, word: str) -> str:
        tokens = self[word] = self._tokenize(word)
        return tokens


class Bleu(MetricPart):
    """Matched n-grams of each text, and its lengths."""

    def __init__(self, references: References, options: MetricOptions, threads: int) -> None:
        self._bleu = BLEU(lowercase=options.lowercase, tokenize=options.tokenize, force=True, references=references)
        self.signature = str(self._bleu.get_signature())
        self._threads = threads
        self._tokens = TokenCache(self._uncached)
        tokenized = [[self.tokenize(line) for line in lines] for lines in lines_of_sentences(references)]
        self._statistics = MetricStatistics(tokenized, max_order=self._bleu.max_ngram_order)
        forget_lines(self._bleu.tokenizer)

    def tokenize(self, text: str) -> str:
        """The tokens of a text, separated by single spaces."""
        if self._bleu.tokenizer.signature() == "13a" and "\n" not in text:
            # Its rules look at one character on each side, and treat a space like the end of the line (`TokenCache`).
            return " ".join([self._tokens[word] for word in text.split()])
        # sacrebleu splits its tokenizers' output at any Unicode white space; the core splits only at the space.
        return " ".join(self._uncached(text).split())

    def _uncached(self, text: str) -> str:
        return str(self._bleu.tokenizer((text.lower() if self._bleu.lowercase else text).rstrip()))

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_bleu(
            coefficient, max_order=self._bleu.max_ngram_order, smoothing=self._bleu.smooth_method, smooth_value=0.0
        )

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        tokens = [self.tokenize(text) for text in texts]
        forget_lines(self._bleu.tokenizer)
        return self._statistics.bleu(sentences, tokens, threads=self._threads)

    @override
    def reported(self, texts: Sequence[str]) -> float:
        return float(self._bleu.corpus_score(texts, None).score)
