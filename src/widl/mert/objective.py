"""Objectives of tuning, and the sufficient statistics of candidates that they are computed from.

Scores equal the scores of sacrebleu and rouge-score. Statistics of candidates are counted in the core.
"""

import hashlib
import json
import logging
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from itertools import accumulate, pairwise
from statistics import fmean
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import numpy.typing as npt
from cyclopts import Parameter
from pydantic import AfterValidator

from widl._core import Metric, ReferenceMatcher
from widl.common.arguments import encodable, reject_text
from widl.common.errors import InputError
from widl.common.option_values import Count
from widl.common.options import option_set
from widl.common.workers import chunked, map_in_order
from widl.mert.function_metric import FunctionMetric, is_function
from widl.mert.nbest import FloatArray, IntArray
from widl.mert.rouge import (
    ROOT_OF_RECALLS,
    add_root_of_recalls,
    dropped_letters,
    first_words,
    jackknifed,
    rouge_tokenizer,
)

if TYPE_CHECKING:
    from rouge_score.scoring import Score as RougeScore
    from sacrebleu.metrics.chrf import CHRF

logger = logging.getLogger(__name__)

_ROUGE = ("rouge1", "rouge2", "rougeL")
METRICS = ("bleu", "ter", "chrf", "chrf++", *_ROUGE, ROOT_OF_RECALLS)
"""Names of metrics; `rouge1`, `rouge2` and `rougeL` also with ``_recall``, for recall instead of F."""

References = Sequence[Sequence[Any]]
"""Streams of a line or None for each sentence; sacrebleu's type hints do not allow None."""

_TERM = re.compile(r"\s*([+-])?\s*(?:([0-9.]+)\s*\*\s*)?(chrf\+\+|[\w.]+:(?:[\w./-]+\.tsv|\w+)|\w+)\s*")
_LOWER_IS_BETTER = frozenset({"ter"})
_PARALLEL_FROM = 2000  # texts; for fewer texts, starting processes takes longer than it saves


def _known_tokenizer(name: str) -> str:
    from sacrebleu.metrics.bleu import BLEU

    if name not in BLEU.TOKENIZERS:
        raise InputError(f"unknown tokenizer {name!r}; choose one of {', '.join(BLEU.TOKENIZERS)}")
    return name


@option_set
class MetricOptions:
    """Options of metrics: tokenization and smoothing, with sacrebleu's names and defaults."""

    tokenize: Annotated[str, AfterValidator(_known_tokenizer), Parameter(metavar="NAME")] = "13a"
    "bleu: sacrebleu's tokenizer; none for tokenized text."
    smooth_method: Annotated[Literal["none", "floor", "add-k", "exp"], Parameter(parse=False)] = "exp"
    "bleu: exp, floor, add-k or none."
    smooth_value: Annotated[float | None, Parameter(parse=False)] = None
    "bleu: the value that floor or add-k adds."
    lowercase: bool = False
    "bleu, chrf: ignore case."
    any_script: Annotated[bool, Parameter(parse=False)] = False
    "rouge: count words of any script, Chinese by characters; rouge-score counts only a to z and digits."
    stem: bool = False
    "rouge: compare words by their stems."
    jackknife: bool = False
    "rouge: average over leaving one reference out in turn, as in DUC; else the best reference counts."
    pooled: Annotated[bool, Parameter(parse=False)] = False
    "rouge: matches and n-grams of several references are summed, as ROUGE 1.5.5 does."
    first_words: Annotated[Count, Parameter(parse=False)] = 0
    "rouge: number of first words of a text that count, as with -l of ROUGE 1.5.5; 0: all."

    def __post_init__(self) -> None:
        if self.jackknife and self.pooled:
            raise InputError("jackknife and pooled exclude each other; give one of them")


def parse_objective(text: str) -> list[tuple[float, str]]:
    """Coefficients and names of a linear combination; a single metric gets the sign that makes higher better.

    >>> parse_objective("0.5*bleu-0.5*ter"), parse_objective("ter")
    ([(0.5, 'bleu'), (-0.5, 'ter')], [(-1.0, 'ter')])
    """
    terms: list[tuple[float, str]] = []
    position = 0
    while position < len(text):
        match = _TERM.match(text, position)
        if match is None or (terms and match[1] is None) or not _is_metric(match[3]):
            raise InputError(
                f"metric {text!r}: expected one of {', '.join(METRICS)}, or a sum like 0.5*bleu-0.5*ter"
                + (f"; {match[3]!r} is none" if match and not _is_metric(match[3]) else "")
            )
        try:
            size = float(match[2] or 1)
        except ValueError:
            raise InputError(f"metric {text!r}: {match[2]} is not a number") from None
        terms.append((-size if match[1] == "-" else size, match[3]))
        position = match.end()
    if not terms:
        raise InputError(f"no metric to tune on; there are {', '.join(METRICS)}")
    names = [name for _, name in terms]
    if len(set(names)) < len(names):
        raise InputError(f"metric {text!r}: a metric appears twice")
    if len(terms) == 1 and text.strip() == terms[0][1] in _LOWER_IS_BETTER:
        return [(-1.0, terms[0][1])]
    return terms


def _is_metric(name: str) -> bool:
    return name in METRICS or name.removesuffix("_recall") in _ROUGE or is_function(name)


class Objective:
    """A linear combination of corpus metrics against given references, in points (0 to 100).

    `references` are streams of one line per sentence, in sacrebleu's form; None represents a missing reference of a
    sentence. `sources` are for metrics that are functions (`widl.mert.function_metric`). `sets`: the numbers of
    sentences of consecutive sets; each metric is the mean of its values on the sets. InputError for streams of
    different lengths.
    """

    def __init__(
        self,
        text: str,
        references: References,
        options: MetricOptions | None = None,
        *,
        sources: Sequence[str] | None = None,
        sets: Sequence[int] = (),
        threads: int = 1,
    ) -> None:
        options = options or MetricOptions()
        self.text = text
        self.terms = parse_objective(text)
        self.sentences = _check_references(references)
        ends = list(accumulate(sets or [self.sentences], initial=0))
        if ends[-1] != self.sentences:
            raise InputError(f"sets of {ends[-1]} sentences, but references of {self.sentences}")
        compared = [list(stream) for stream in references]
        of_several = [compared, list(sets)] if len(sets) > 1 else compared
        self.digest = hashlib.sha256(json.dumps(of_several).encode()).hexdigest()
        """SHA-256 of the references, and of the sizes of several sets."""
        self.metric = Metric()
        """The core's metric, over the columns of `statistics`."""
        self._parts: list[_SetPart] = []
        """The sets of each term, term by term."""
        for coefficient, name in self.terms:
            for begin, end in pairwise(ends):
                of_set = [stream[begin:end] for stream in references]
                part = _part(name, of_set, options, sources and sources[begin:end], threads)
                first = self.metric.statistics
                part.add_to(self.metric, coefficient / (len(ends) - 1))
                self._parts.append(_SetPart(name, part, begin, end, slice(first, self.metric.statistics)))

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        """A row for each text, shape (texts, statistics); `sentences` says whose references count.

        The columns of other sets than the sentence's are 0.
        """
        rows = np.zeros((len(texts), self.metric.statistics))
        for one in self._parts:
            own = np.flatnonzero((one.begin <= sentences) & (sentences < one.end))
            if own.size:
                of_set = [texts[row] for row in own.tolist()]
                rows[own, one.columns] = one.part.statistics(sentences[own] - one.begin, of_set)
        return rows

    def score(self, totals: FloatArray) -> float:
        """The linear combination, computed from statistics summed over a corpus."""
        return self.metric.score(totals)

    def values(self, totals: FloatArray) -> dict[str, float]:
        """The individual metrics by name."""
        return self._means(self.metric.term_values(totals))

    def reported(self, texts: Sequence[str]) -> dict[str, float]:
        """Each metric by name, for one text per sentence, as sacrebleu or rouge-score itself computes it."""
        return self._means([one.part.reported(texts[one.begin : one.end]) for one in self._parts])

    def signatures(self) -> dict[str, str]:
        """The metrics' signatures, in sacrebleu's form."""
        return {one.name: one.part.signature for one in self._parts}

    def _means(self, values: Sequence[float]) -> dict[str, float]:
        return {
            name: fmean(value for one, value in zip(self._parts, values, strict=True) if one.name == name)
            for _, name in self.terms
        }


def _check_references(references: References) -> int:
    expected = "a list of streams, each with a line for every sentence: [lines]"
    for stream in reject_text(references, "references", expected):
        for line in reject_text(stream, "references", expected):
            if line is not None:
                encodable(line, "references")
    if not references or not references[0]:
        raise InputError("no references to tune against")
    lengths = [len(stream) for stream in references]
    if len(set(lengths)) > 1:
        raise InputError(f"references of {' and '.join(map(str, lengths))} lines; all need one line a sentence")
    for number, lines in enumerate(zip(*references, strict=True), 1):
        if all(line is None for line in lines):
            raise InputError(f"no reference of line {number}")
    return lengths[0]


class _Part(ABC):
    """One metric: its statistics, and how the core computes it from them."""

    signature: str

    @abstractmethod
    def add_to(self, metric: Metric, coefficient: float) -> None:
        """Add this term to a metric of the core."""

    @abstractmethod
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        """A row for each text."""

    @abstractmethod
    def reported(self, texts: Sequence[str]) -> float:
        """The score of one text per sentence, computed by the metric's own library."""


@dataclass(frozen=True)
class _SetPart:
    """A metric on one of the sets: its sentences [begin, end), and its columns of the statistics."""

    name: str
    part: "_Part | FunctionMetric"
    begin: int
    end: int
    columns: slice


def _part(
    name: str, references: References, options: MetricOptions, sources: Sequence[str] | None, threads: int
) -> "_Part | FunctionMetric":
    if is_function(name):
        return FunctionMetric(name, references, sources)
    if name == "bleu":
        return _Bleu(references, options, threads)
    if name == "ter":
        return _Ter(references, threads)
    if name.startswith("chrf"):
        from sacrebleu.metrics.chrf import CHRF

        words = 2 if name == "chrf++" else 0
        return _Chrf(partial(CHRF, word_order=words, lowercase=options.lowercase, references=references), threads)
    if name == ROOT_OF_RECALLS:
        return _RootOfRecalls(references, options, threads)
    return _Rouge(name, references, options, threads)


if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def forget_lines(tokenizer: object) -> None:
    """Empty the caches of a tokenizer and of the tokenizers that it uses.

    Each of sacrebleu's tokenizers caches 65,536 lines until the process ends, so memory would grow with many tuning
    runs.
    """
    for part in (tokenizer, *vars(tokenizer).values()):
        for method in vars(type(part)).values():
            if hasattr(method, "cache_clear"):
                method.cache_clear()


class TokenCache(dict[str, str]):
    """Caches the tokens of words: n-best lists repeat the same words, and the regular expressions are slow."""

    def __init__(self, bleu: "BLEU") -> None:
        self._bleu = bleu

    def __missing__(self, word: str) -> str:
        tokens = self[word] = self._bleu._preprocess_segment(word)
        return tokens


class _Bleu(_Part):
    """BLEU: tokenized by sacrebleu, counted and matched in the core."""

    def __init__(self, references: References, options: MetricOptions, threads: int) -> None:
        from sacrebleu.metrics.bleu import BLEU

        self._bleu = BLEU(
            lowercase=options.lowercase,
            tokenize=options.tokenize,
            smooth_method=options.smooth_method,
            smooth_value=options.smooth_value,
            force=True,
            references=references,
        )
        self.signature = str(self._bleu.get_signature())
        self._threads = threads
        self._tokens = TokenCache(self._bleu)
        tokenized = [
            [self._tokenize(line) for line in lines if line is not None] for lines in zip(*references, strict=True)
        ]
        self._matcher = ReferenceMatcher(tokenized, max_order=self._bleu.max_ngram_order)
        forget_lines(self._bleu.tokenizer)

    def _tokenize(self, text: str) -> str:
        if self._bleu.tokenizer.signature() == "13a" and "\n" not in text:
            # Its rules look at one character on each side, and treat a space like the end of the line (`TokenCache`).
            return " ".join([self._tokens[word] for word in text.split()])
        # sacrebleu splits its tokenizers' output at any Unicode white space; the core splits only at the space.
        return " ".join(self._bleu._preprocess_segment(text).split())

    def add_to(self, metric: Metric, coefficient: float) -> None:
        method, value = self._bleu.smooth_method, self._bleu.smooth_value
        if value is None:
            value = self._bleu.SMOOTH_DEFAULTS[method]
        metric.add_bleu(
            coefficient,
            max_order=self._bleu.max_ngram_order,
            smoothing=method,
            smooth_value=float(value or 0),
        )

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        tokens = [self._tokenize(text) for text in texts]
        forget_lines(self._bleu.tokenizer)
        return self._matcher.bleu(sentences, tokens, threads=self._threads)

    def reported(self, texts: Sequence[str]) -> float:
        return float(self._bleu.corpus_score(texts, None).score)


class _Ter(_Part):
    """TER: tokenized by sacrebleu, edits counted in the core (sacrebleu takes a tenth of a second a candidate)."""

    def __init__(self, references: References, threads: int) -> None:
        from sacrebleu.metrics.ter import TER

        self._ter = TER(references=references)
        self.signature = str(self._ter.get_signature())
        self._threads = threads
        # sacrebleu's cache has each line's reference words in the form used for comparison.
        tokenized = [[" ".join(words) for words in line["ref_words"]] for line in self._ter._ref_cache or ()]
        self._matcher = ReferenceMatcher(tokenized, max_order=1)
        forget_lines(self._ter.tokenizer)

    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        tokens = [" ".join(self._ter._preprocess_segment(text).split()) for text in texts]
        forget_lines(self._ter.tokenizer)
        return self._matcher.ter(sentences, tokens, threads=self._threads)

    def reported(self, texts: Sequence[str]) -> float:
        return float(self._ter.corpus_score(texts, None).score)


class _Chrf(_Part):
    """chrF; sacrebleu's own code counts the statistics, in worker processes if there are many."""

    def __init__(self, make: "partial[CHRF]", threads: int) -> None:
        self._make, self._threads = make, threads
        self._known: dict[tuple[int, str], list[float]] = {}
        self._chrf = make()
        self._counter = _ChrfCounter(make)
        self.signature = str(self._chrf.get_signature())

    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_chrf(coefficient, orders=self._chrf.order, beta=self._chrf.beta)

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        keys = list(zip(sentences.tolist(), texts, strict=True))
        new = [key for key in dict.fromkeys(keys) if key not in self._known]
        if self._threads > 1 and len(new) >= _PARALLEL_FROM:
            make = partial(_ChrfCounter, self._make)
            counted = map_in_order(make, chunked(new, 500), threads=self._threads)
        else:
            counted = iter([self._counter(new)])
        rows = (row for chunk in counted for row in chunk)
        self._known.update(zip(new, rows, strict=True))
        return np.array([self._known[key] for key in keys], dtype=np.float64)

    def reported(self, texts: Sequence[str]) -> float:
        return float(self._chrf.corpus_score(texts, None).score)


class _ChrfCounter:
    """Statistics of (sentence, text) pairs by sacrebleu's own methods."""

    def __init__(self, make: "partial[CHRF]") -> None:
        self._metric: Any = make()

    def __call__(self, pairs: Sequence[tuple[int, str]]) -> list[list[float]]:
        metric = self._metric
        return [
            metric._compute_segment_statistics(metric._preprocess_segment(text), metric._ref_cache[sentence])
            for sentence, text in pairs
        ]


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


class _RougePart(_Part):
    """Texts and references as the words of rouge-score, with each reference's matches counted in the core."""

    def __init__(self, references: References, options: MetricOptions, threads: int, *, max_order: int) -> None:
        self._threads = threads
        words = rouge_tokenizer(options.stem, options.any_script)
        if not options.any_script:
            _warn_of_lost_letters(references)
        self._tokens = lru_cache(maxsize=1 << 18)(lambda text: " ".join(words(text)))
        tokenized = [
            [self._tokens(line) for line in lines if line is not None] for lines in zip(*references, strict=True)
        ]
        self._references = max(map(len, tokenized))
        self._counts = np.array([len(lines) for lines in tokenized])
        self._matcher = ReferenceMatcher(tokenized, max_order=max_order)
        self._lines = [[line for line in lines if line is not None] for lines in zip(*references, strict=True)]
        self._options, self._most = options, options.first_words
        script = "|script:any" * options.any_script
        self._how = f"stem:{'yes' if options.stem else 'no'}{script}|nrefs:{self._references}"
        self._how += f"|rouge-score:{version('rouge-score')}" + f"|words:{self._most}" * bool(self._most)

    def _counted(
        self, sentences: IntArray, texts: Sequence[str], order: int
    ) -> Iterator[tuple[FloatArray, npt.NDArray[np.bool_]]]:
        """For each reference, (matches, n-grams of the text, n-grams of the reference) by row, and the rows that have
        the reference.
        """
        tokens = [self._tokens(first_words(text, self._most)) for text in texts]
        for reference in range(self._references):
            counts = self._matcher.rouge(sentences, tokens, order=order, reference=reference, threads=self._threads)
            yield counts, reference < self._counts[sentences]

    def _scored(self, kind: str, texts: Sequence[str]) -> Iterator[list[tuple["RougeScore", int, int]]]:
        """For each text, rouge-score's scores by reference, each with the n-grams of the reference and of the text."""
        from rouge_score.rouge_scorer import RougeScorer
        from rouge_score.tokenizers import DefaultTokenizer

        tokenizer: Any = DefaultTokenizer(self._options.stem)
        if self._options.any_script:
            tokenizer = SimpleNamespace(tokenize=rouge_tokenizer(self._options.stem, any_script=True))
        scorer, tokens = RougeScorer([kind], tokenizer=tokenizer), tokenizer.tokenize
        shorter = 0 if kind == "rougeL" else int(kind.removeprefix("rouge")) - 1
        cut = [first_words(text, self._most) for text in texts]
        for text, lines in zip(cut, self._lines, strict=True):
            length = max(0, len(tokens(text)) - shorter)
            yield [(scorer.score(line, text)[kind], max(0, len(tokens(line)) - shorter), length) for line in lines]


class _RootOfRecalls(_RougePart):
    """√(unigram recall · bigram recall) of the corpus, the Rouge₂ of Soricut & Marcu (2006), Table 1.

    A recall covers all documents together: the number of matched n-grams divided by the number in the references,
    summed over several references (Lin 2004, Eq. 1). The statistics are those of BLEU of order 2, with the references'
    n-grams instead of the text's and without lengths. The core computes the root from them.
    """

    def __init__(self, references: References, options: MetricOptions, threads: int) -> None:
        super().__init__(references, options, threads, max_order=2)
        self.signature = f"sqrt(rouge1*rouge2)|recall|corpus|{self._how}"

    def add_to(self, metric: Metric, coefficient: float) -> None:
        add_root_of_recalls(metric, coefficient)

    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        rows = np.zeros((len(texts), 6))
        for order in (1, 2):
            for counts, present in self._counted(sentences, texts, order):
                rows[present, order - 1] += counts[present, 0]
                rows[present, order + 1] += counts[present, 2]
        return rows

    def reported(self, texts: Sequence[str]) -> float:
        recalls = []
        for kind in ("rouge1", "rouge2"):
            scores = [value for of_text in self._scored(kind, texts) for value in of_text]
            matches = sum(score.recall * count for score, count, _ in scores)
            recalls.append(100 * matches / max(1, sum(count for _, count, _ in scores)))
        return math.sqrt(recalls[0] * recalls[1])


class _Rouge(_RougePart):
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

    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)

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
