"""What `widl realize`, `widl order` and `widl lm score` do, as functions over any number of inputs."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from widl._core import Expression
from widl.common.arguments import PathLike, strings
from widl.common.errors import InputError
from widl.decoder.constraint import Constraint
from widl.decoder.language_model import LanguageModel, words_to_score
from widl.decoder.realization import LanguageModels, RealizationOptions, Realized, Realizer, Space, models_of
from widl.decoder.rescoring import Scorer, Scoring
from widl.expressions.expressions import bag


def realize(
    expressions: Iterable[Space | str],
    language_models: LanguageModels,
    options: RealizationOptions | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    constraint: Constraint | None = None,
    scorer: Scorer | None = None,
    scorer_weight: float = 1.0,
    scorer_bound: float = 0.0,
    scorer_candidates: int = 1000,
    threads: int = 1,
    **more: Any,
) -> Iterator[Realized]:
    """The best derivation of each expression (an `Expression` or its text form) or lattice under language models.

    Arguments are those of `Realizer` and of its `realize`. A `scorer` of strings, its weight, the most that it gives,
    and how many strings it is asked about make a `Scoring`.

    >>> model = LanguageModel.estimate(["the cat sat"])
    >>> [result.text for result in realize(["∥(sat, ×(the cat))"], model)]
    ['the cat sat']
    >>> found = next(realize(["∥(sat, ×(the cat))"], model, scorer=lambda texts: [-float(t[0] == "t") for t in texts]))
    >>> found.text, found.optimal
    ('the cat sat', True)
    """
    realizer = Realizer(language_models, weights, constraint=constraint)
    scoring = Scoring(scorer, scorer_weight, scorer_bound, scorer_candidates) if scorer is not None else None
    return realizer.realize(expressions, options, scoring=scoring, threads=threads, **more)


def order(
    lines: Iterable[str],
    language_models: LanguageModels,
    options: RealizationOptions | None = None,
    *,
    threads: int = 1,
    **more: Any,
) -> Iterator[Realized]:
    """The words of each line (between blanks) in their most probable order under language models.

    Raises InputError for a line without words.

    >>> model = LanguageModel.estimate(["the cat sat"])
    >>> [result.text for result in order(["sat the cat"], model)]
    ['the cat sat']
    """
    bags = _bags(strings(lines, "lines", "a list of lines: [line]"))
    return realize(bags, language_models, options, threads=threads, **more)


def _bags(lines: Iterator[str]) -> Iterator[Expression]:
    for number, line in enumerate(lines, 1):
        if not line.split():
            raise InputError(f"line {number}: no words to put in order; leave empty lines out")
        yield bag(line)


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """The words of a line; for each word (and ``</s>``, with boundaries) ln p, n-gram length, whether it is known."""

    words: tuple[str, ...]
    scores: tuple[tuple[float, int, bool], ...]

    @property
    def log_prob(self) -> float:
        """ln p of the line."""
        return math.fsum(log_prob for log_prob, _, _ in self.scores)


def score_lines(
    lines: Iterable[str], language_model: LanguageModel | PathLike, *, boundaries: bool = True, name: str = "lines"
) -> Iterator[ScoredLine]:
    """The ln probability of each line, word by word; with `boundaries`, lines stand between ``<s>`` and ``</s>``.

    Raises InputError, which calls the lines by `name`, for one that holds ``<s>`` or ``</s>`` itself.

    >>> model = LanguageModel.estimate(["the cat sat", "the cat ran"])
    >>> [round(line.log_prob, 2) for line in score_lines(["the cat sat"], model)]
    [-1.86]
    """
    checked = strings(lines, "lines", "a list of lines: [line]")
    [model] = models_of([language_model])
    return (_scored(f"{name}:{number}", line, model, boundaries) for number, line in enumerate(checked, 1))


def _scored(where: str, line: str, model: LanguageModel, boundaries: bool) -> ScoredLine:
    words = words_to_score(line, where)
    return ScoredLine(tuple(words), tuple(model.full_score_words(words, begin=boundaries, end=boundaries)))
