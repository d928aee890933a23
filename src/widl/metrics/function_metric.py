"""User-defined metrics: a Python function that scores outputs, such as a neural metric.

    # comet.py
    def score(hypotheses, references, sources):
        data = [{"src": s, "mt": h, "ref": r[0]} for s, h, r in zip(sources, hypotheses, references)]
        return model.predict(data).scores

is the metric ``comet:score``. Scores that another program has written are a metric, too: ``comet:scores.tsv`` has a
line for each text, its source, the text and its score, separated by tabs; without sources, the text and its score.

A function of hypotheses and references alone has sacreBLEU's form: it takes streams of references, and returns the
number, or an object with a `score`, of a whole corpus. ``sacrebleu:corpus_bleu`` is one. Reports have its value of the
corpus. This is no sum over sentences, so that tuning maximizes the mean of the function's values of single sentences.
"""

import hashlib
import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import Any, cast

import numpy as np
from typing_extensions import override

from widl._core import Metric
from widl.common.arguments import called, kind_of, numbers_of
from widl.common.arrays import FloatArray, IntArray
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.streams import number_in
from widl.metrics.function_source import fingerprint, load
from widl.metrics.metric import MetricPart, References, lines_of_sentences

ScoreFunction = Callable[[list[str], list[list[str]], list[str] | None], Sequence[float]]
"""Takes hypotheses, the references of each, and the source of each, or None; returns a number for each hypothesis."""
CorpusFunction = Callable[[list[str], list[list[str]]], Any]
"""Takes hypotheses and streams of references; returns a number, or an object that has it as `score`."""
MetricFunction = ScoreFunction | CorpusFunction


def is_function(name: str) -> bool:
    """Whether a metric's name is ``module:function`` or ``name:scores.tsv``."""
    return ":" in name


def name_of_function(function: MetricFunction) -> str:
    """The name of a metric that is given as a function."""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return f"{getattr(function, '__module__', None) or 'here'}:{name}"


def is_of_corpora(function: MetricFunction) -> bool:
    """Whether a function takes hypotheses and references of a corpus, and no sources.

    >>> is_of_corpora(lambda hypotheses, references: 0.0), is_of_corpora(lambda h, references, sources=None: [0.0])
    (True, False)
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # of a function in C
        return False
    positional = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    needed = [one for one in positional if one.default is one.empty or one.name == "sources"]
    return len(needed) == 2 and not any(one.kind is one.VAR_POSITIONAL for one in parameters)


def load_function(name: str, folder: Path | None = None) -> MetricFunction:
    """The function ``module:function``, or one that looks scores up in the file of ``name:scores.tsv``.

    Modules and files are found in `folder`, modules in the working directory, too; installed ones come last.

    Raises:
        InputError: There is no such module, function or file.
    """
    here = Path.cwd()
    _, _, function = name.partition(":")
    if function.endswith(".tsv"):
        return _ScoresOfFile((folder or Path()) / function)
    return load(name, [folder or here, here])


class _ScoresOfFile:
    """Looks up the scores of texts in a file with the columns source, text and score, or text and score."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scores: dict[tuple[str, ...], float] = {}
        """By source and text, or by text."""
        self._keys = 0
        self.digest = hashlib.sha256()
        for number, line in enumerate(read_lines(path), 1):
            self.digest.update(f"{line}\n".encode())
            *key, written = line.split("\t")
            if len(key) not in (1, 2) or len(key) != (self._keys or len(key)):
                expected = {0: "two or three columns", 1: "two columns", 2: "three columns"}[self._keys]
                raise InputError(f"{path}:{number}: expected {expected}: source, text and score, or text and score")
            self._keys = len(key)
            score = number_in(written)
            if not math.isfinite(score):
                raise InputError(f"{path}:{number}: score {written!r} is not a finite number")
            if self._scores.setdefault(tuple(key), score) != score:
                raise InputError(f"{path}:{number}: a second score of the same text; keep one of them")

    def __call__(self, hypotheses: list[str], _: list[list[str]], sources: list[str] | None) -> list[float]:
        keys: Iterable[tuple[str, ...]] = zip(hypotheses, strict=True)
        if self._keys == 2:
            if sources is None:
                raise InputError(f"{self._path}: has sources, which are not available here; remove that column")
            keys = zip(sources, hypotheses, strict=True)
        scores = []
        for key in keys:
            if key not in self._scores:
                raise InputError(f"{self._path}: no score of {key[-1]!r}; score all texts, those of n-best lists, too")
            scores.append(self._scores[key])
        return scores


class FunctionMetric(MetricPart):
    """The mean of a function's values, in the function's units; of a function of corpora, its value of the corpus."""

    def __init__(
        self, name: str, function: MetricFunction, references: References, sources: Sequence[str] | None
    ) -> None:
        self._of_corpora = is_of_corpora(function)
        self.is_summed = not self._of_corpora
        code = function.digest.hexdigest()[:12] if isinstance(function, _ScoresOfFile) else fingerprint(function)
        self.signature = f"function:{name}|{'corpus' if self._of_corpora else 'mean'}|code:{code}"
        self._name, self._function = name, cast("Callable[..., Any]", function)
        self._streams = references
        self._references = lines_of_sentences(references)
        self._sources = sources

    @override
    def add_to(self, metric: Metric, coefficient: float) -> None:
        metric.add_ratio(coefficient)  # in percent

    @override
    def statistics(self, sentences: IntArray, texts: Sequence[str]) -> FloatArray:
        return np.column_stack([np.array(self._scores(sentences, texts)) / 100, np.ones(len(texts))])

    @override
    def points_of(self, rows: FloatArray) -> FloatArray:
        return 100 * rows[:, 0]

    @override
    def reported(self, texts: Sequence[str]) -> float:
        if self._of_corpora:
            return self._of_corpus(list(texts), [list(stream) for stream in self._streams])
        return math.fsum(self._scores(np.arange(len(texts)), texts)) / len(texts)

    def _of_corpus(self, texts: list[str], references: list[list[Any]]) -> float:
        value = called(f"metric {self._name!r}", self._function, texts, references)
        number = getattr(value, "score", value)
        if isinstance(number, bool) or not isinstance(number, Real):
            raise InputError(
                f"metric {self._name!r}: returned {kind_of(number)}; a function of hypotheses and references returns "
                "the number of the corpus, one of hypotheses, references and sources a number for each hypothesis"
            )
        if not math.isfinite(number):
            raise InputError(f"metric {self._name!r}: returned {number}; numbers must be finite")
        return float(number)

    def _scores(self, sentences: IntArray, texts: Sequence[str]) -> list[float]:
        numbers = sentences.tolist()
        if self._of_corpora:
            alone = ([[reference] for reference in self._references[number]] for number in numbers)
            return [self._of_corpus([text], streams) for text, streams in zip(texts, alone, strict=True)]
        sources = None if self._sources is None else [self._sources[number] for number in numbers]
        references = [self._references[number] for number in numbers]
        values = called(f"metric {self._name!r}", self._function, list(texts), references, sources)
        scores = self._numbers(values)
        if len(scores) != len(texts):
            raise InputError(f"metric {self._name!r}: {len(scores)} numbers for {len(texts)} texts; one each is needed")
        if bad := next((score for score in scores if not math.isfinite(score)), None):
            raise InputError(f"metric {self._name!r}: returned {bad}; numbers must be finite")
        return scores

    def _numbers(self, values: Any) -> list[float]:
        expected = (
            "return a list with a number for each hypothesis, or take hypotheses and references only and return the "
            "number of the corpus"
        )
        return numbers_of(values, f"metric {self._name!r}: returned", expected)
