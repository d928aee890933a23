"""Realization of expressions and lattices: the most probable derivation under language models, with a certificate."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, TypeAlias

from typing_extensions import override

from widl import _core
from widl._core import Certificate, Expression, Lattice, Outcome, Vocabulary
from widl.common import presets
from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of, reject_text
from widl.common.decoding import FrontEnd, decode
from widl.common.errors import InputError, WrongTypeError
from widl.common.options import adjust, merge_options
from widl.common.presets import PresetOf2005
from widl.common.workers import LocalEngine
from widl.decoder.constraint import Constraint, avoiding, containing
from widl.decoder.features import FeatureLayout
from widl.decoder.language_model import LanguageModel
from widl.decoder.realization_options import EXACT_SEARCHES, RealizationOptions
from widl.decoder.realization_results import RealizationResult, RealizedString, realization_result
from widl.decoder.realization_weights import COMPONENT, checked_realization_weights, default_realization_weights
from widl.decoder.rescoring import Scorer, Scoring
from widl.decoder.weights import weight_names
from widl.expressions.parsing import parse_expression

SearchSpace: TypeAlias = Expression | Lattice
"""Input of a realizer. A path of a lattice is a derivation, its arcs' features are the WIDL features."""

LanguageModels: TypeAlias = LanguageModel | PathLike | Sequence[LanguageModel | PathLike]
"""One or more language models, opened or as files."""


@dataclass(frozen=True)
class Request:
    """Options of a realization, the scorer of whole strings, and the allowed strings, if not all."""

    options: RealizationOptions
    scoring: Scoring | None
    constraint: Constraint | None
    preset: PresetOf2005 | None


@checked
class Realizer(FrontEnd[SearchSpace, Any, Request, RealizationResult]):
    """Language models and weights, ready to realize expressions.

    >>> from widl.decoder import LanguageModel
    >>> realizer = Realizer(LanguageModel.estimate(["the cat sat", "the cat ran"]))
    >>> realizer.realize_one("∥(sat, the, cat)").text
    'the cat sat'
    """

    prepares_in_processes: ClassVar[bool] = False

    def __init__(
        self,
        language_models: LanguageModels,
        weights: Mapping[str, float] | None = None,
        *,
        constraint: Constraint | None = None,
        preset: PresetOf2005 | None = None,
    ) -> None:
        """Takes one or more language models, opened or as files. A `constraint` restricts the strings. By default, the
        most probable derivation is the best; `weights` changes that. A `preset` uses only its features; it takes no
        weights, and one language model."""
        self._models = models_of(language_models)
        self._core = _core.Realizer(Vocabulary([]), self._models)
        self._weights = checked_realization_weights(weights, len(self._models))
        self._constraint = constraint
        self._preset = preset
        _check_constraint(constraint)
        self._check_preset(preset)

    def _check_preset(self, preset: PresetOf2005 | None) -> None:
        """InputError if the models or weights are not the preset's."""
        if preset is not None and (self._weights or len(self._models) != 1):
            name = "weights" if self._weights else "lm"
            raise InputError(f"{name} contradicts the preset {preset}: a trigram model alone scores (§4)")
        for model in self._models:
            presets.check_order(preset, model.order, "lm")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the constructor's arguments; language models are pickled as files, or as the text from which they
        were estimated."""
        constructor = partial(Realizer, constraint=self._constraint, preset=self._preset)
        return constructor, (self._models, self._weights)

    def __repr__(self) -> str:
        count = len(self._models)
        constraint = "" if self._constraint is None else " and a constraint"
        return f"<Realizer with {count} language model{'s' * (count != 1)}{constraint}>"

    def realize_one(
        self, expression: SearchSpace | str, options: RealizationOptions | None = None, **more: Any
    ) -> RealizationResult:
        """The best derivations of one lattice or expression, which may be given as text."""
        return next(iter(self.realize([expression], options, **more)))

    def realize(
        self,
        expressions: Iterable[SearchSpace | str],
        options: RealizationOptions | None = None,
        *,
        scoring: Scoring | None = None,
        threads: int = 1,
        **more: Any,
    ) -> Iterator[RealizationResult]:
        """The best derivations of each expression or lattice, in order, searched on `threads` threads.

        With `scoring`, the results are the best strings under the model and the scorer together: the model's best
        strings are listed until the scorer cannot lift any later string above the best known string. A result is
        `optimal` if that point was reached; else its `gap` bounds the advantage of other strings.

        Expressions may be in their text form. Options may also be given by name: ``nbest=3``.
        """
        chosen = merge_options(RealizationOptions, options, more)
        preset = self._preset or chosen.preset
        self._check_preset(preset)
        if scoring is not None:
            scoring.check(chosen.nbest)
        constraint = self._constraint
        if chosen.must or chosen.without:
            terms = _constraint_of(chosen)
            constraint = terms if constraint is None else constraint & terms
        stream = _expressions(reject_text(expressions, "expressions", "a list of expressions: [parse(text)]"))
        return decode(self, stream, Request(chosen, scoring, constraint, preset), LocalEngine(threads))

    @override
    def prepare(self, spaces: Sequence[SearchSpace], request: Request) -> Sequence[SearchSpace]:
        """Expressions and lattices, which are searched as they are."""
        return spaces

    @override
    def search(self, spaces: Sequence[Any], request: Request, threads: int) -> list[RealizationResult]:
        """The results of the searches, in order."""
        if request.scoring is None:
            return list(self._realize_batch(spaces, request, request.options.core_options(), threads))
        return self._realize_scored(spaces, request, request.scoring, threads)

    @override
    def finish(self, result: Any, request: Request) -> RealizationResult:
        """The result of a search."""
        realized: RealizationResult = result
        return realized

    @override
    def failed(self, space: SearchSpace, request: Request, failure: str) -> RealizationResult:
        """No result, since a stage raised an unexpected error."""
        return RealizationResult(
            text="", nbest=(), outcome=Outcome.undecided, failure=failure, bound=math.inf, optimal=False, memory=0
        )

    def weights_of(self, space: SearchSpace) -> dict[str, float]:
        """The weights used for realization."""
        return self._weights_for(space, self._preset)

    def _weights_for(self, space: SearchSpace, preset: PresetOf2005 | None) -> dict[str, float]:
        names, given = self._names(space), dict(self._weights)
        if names == ["widl"] and "widl1" in given:
            given["widl"] = given.pop("widl1")  # the same probability
        elif "widl" in given and len(names) > 1:
            raise InputError(f"weights: no weight for {', '.join(names)}; widl is the weight of a single probability")
        if isinstance(space, Expression):  # missing components have probability 1, so their weights have no effect
            given = {name: w for name, w in given.items() if name in names or not COMPONENT.fullmatch(name)}
        if preset is not None:
            counted = presets.preset_of(preset).features["order"]
            return {name: float(name in counted) for name in default_realization_weights(len(names), 1)}
        return default_realization_weights(len(names), len(self._models)) | given

    def score_of(self, derivation: RealizedString, space: SearchSpace) -> float:
        """Σ λ h of a derivation that was realized without language models, or with other models."""
        weights = self.weights_of(space)
        words = derivation.text.split(" ") if derivation.text else []
        models = (weights[f"lm{m}"] * sum(model.score_words(words)) for m, model in enumerate(self._models))
        features = derivation.features
        others = (weights[name] * features[name] for name in features if name not in features.layout.language_models)
        return math.fsum((*models, *others))

    def _realize_scored(
        self, batch: Sequence[SearchSpace], request: Request, scoring: Scoring, threads: int
    ) -> list[RealizationResult]:
        """Lists of increasing size, until the scorer can lift no later string above the best known one."""
        results: dict[int, RealizationResult] = {}
        score_caches: list[dict[str, float]] = [{} for _ in batch]
        waiting = list(range(len(batch)))
        for size in scoring.lists(request.options.nbest):
            listing = replace(request, options=adjust(request.options, nbest=size, distinct=size > 1))
            lists = self._listed([batch[i] for i in waiting], listing, [results.get(i) for i in waiting], threads)
            left = []
            for i, nbest_list in zip(waiting, lists, strict=True):
                earlier = results.get(i)
                if isinstance(nbest_list, str):  # the exhausted budget
                    results[i] = scoring.stopped(results[i], nbest_list)
                    continue
                scored, done = _scored(nbest_list, request.options, scoring, score_caches[i], size)
                results[i] = scored if earlier is None else _together(earlier, scored)
                if not done:
                    left.append(i)
            waiting = left
            if not waiting:
                break
        return [results[i] for i in range(len(batch))]

    def _listed(
        self, batch: list[SearchSpace], request: Request, earlier: Sequence[RealizationResult | None], threads: int
    ) -> Iterator[RealizationResult | str]:
        """Searches with the remaining budgets of each input; returns the exhausted budget instead of a result."""
        options = request.options
        if not (options.max_states or options.max_seconds) or not any(earlier):
            yield from self._realize_batch(batch, request, options.core_options(), threads)
            return
        for space, before in zip(batch, earlier, strict=True):
            left, used_up = options.after(before.states, before.seconds) if before else (options, "")
            yield used_up or next(self._realize_batch([space], request, left.core_options(), threads))

    def _realize_batch(
        self, batch: Sequence[SearchSpace], request: Request, search: _core.SearchOptions, threads: int
    ) -> Iterator[RealizationResult]:
        results: dict[int, RealizationResult] = {}
        alike: dict[tuple[type[SearchSpace], tuple[str, ...]], list[int]] = {}
        for i, space in enumerate(batch):
            alike.setdefault((type(space), tuple(self._names(space))), []).append(i)
        for (kind, widl), numbers in alike.items():
            layout = FeatureLayout.of(widl, len(self._models))
            realize: Any = self._core.realize_lattices if kind is Lattice else self._core.realize_expressions
            vector = layout.weight_vector(self._weights_for(batch[numbers[0]], request.preset))
            realizations = realize(
                [batch[i] for i in numbers], vector, search, threads=threads, constraint=request.constraint
            )
            results |= {i: realization_result(result, layout) for i, result in zip(numbers, realizations, strict=True)}
        for i in range(len(batch)):
            yield results[i]

    def _names(self, space: SearchSpace) -> list[str]:
        if isinstance(space, Lattice):
            return weight_names(space.width)
        weighted = [int(name.removeprefix("widl") or 1) for name in self._weights if COMPONENT.fullmatch(name)]
        most = max(weighted, default=1)
        if isinstance(space, Expression) and 1 < space.components < most:
            most = space.components  # the other components are 1 everywhere
        return weight_names(most if most > 1 else max(1, space.components))


@checked
def realize(
    expressions: Iterable[SearchSpace | str],
    language_models: LanguageModels,
    options: RealizationOptions | None = None,
    *,
    weights: Mapping[str, float] | None = None,
    constraint: Constraint | None = None,
    scorer: Scorer | None = None,
    scorer_weight: float = Scoring.weight,
    scorer_bound: float = Scoring.bound,
    scorer_candidates: int = Scoring.candidates,
    threads: int = 1,
    **more: Any,
) -> Iterator[RealizationResult]:
    """The best derivation of each expression (an `Expression` or its text form) or lattice under language models.

    Takes the arguments of `Realizer` and of its `realize`. A `scorer` of strings, its weight, the most that it gives,
    and how many strings it is asked about make a `Scoring`.

    >>> model = LanguageModel.estimate(["the cat sat"])
    >>> [result.text for result in realize(["∥(sat, ×(the cat))"], model)]
    ['the cat sat']
    >>> found = next(realize(["∥(sat, ×(the cat))"], model, scorer=lambda texts: [-float(t[0] == "t") for t in texts]))
    >>> found.text, found.optimal
    ('the cat sat', True)
    """
    realizer = Realizer(language_models, weights, constraint=constraint)
    of_scorer = (scorer_weight, scorer_bound, scorer_candidates)
    if scorer is None and of_scorer != (Scoring.weight, Scoring.bound, Scoring.candidates):
        raise InputError(
            "scorer_weight, scorer_bound and scorer_candidates are of a scorer; pass scorer=, or leave them out"
        )
    scoring = Scoring(scorer, scorer_weight, scorer_bound, scorer_candidates) if scorer is not None else None
    return realizer.realize(expressions, options, scoring=scoring, threads=threads, **more)


def _check_constraint(constraint: Constraint | None) -> None:
    if constraint is not None and not isinstance(constraint, Constraint):
        raise WrongTypeError(
            f"constraint: found {kind_of(constraint)}; pass a Constraint: containing(['the cat']), avoiding([…]), "
            "or both by first & second"
        )


def _constraint_of(options: RealizationOptions) -> Constraint:
    """The strings with and without the terms of the options."""
    for term in (*options.must, *options.without):
        if not term.split():
            raise InputError(f"the term {term!r} has no words; remove it")
    return containing(options.must) & avoiding(options.without)


def _scored(
    listed: RealizationResult, options: RealizationOptions, scoring: Scoring, cache: dict[str, float], size: int
) -> tuple[RealizationResult, bool]:
    """A list of at most `size` strings with the scorer's numbers, and whether no longer list can change the best."""
    if not listed.nbest:
        return scoring.nothing_found(listed), True
    scoring.add_scores(cache, listed.nbest)
    ends = len(listed.nbest) < size
    unlisted = listed.bound
    if options.search in EXACT_SEARCHES and listed.nbest_complete:
        unlisted = min(unlisted, -math.inf if ends else listed.nbest[-1].score)
    scored, done = scoring.result(listed, cache, options.nbest, unlisted=unlisted)
    return scored, done or ends or bool(listed.stopped)


def _together(earlier: RealizationResult, later: RealizationResult) -> RealizationResult:
    """The better result of two searches of one input, with the tighter bound and the work of both. If a later search
    runs out of budget, its result may be worse.
    """
    best = max((result for result in (later, earlier) if result.nbest), key=lambda result: result.score, default=later)
    bound = min(earlier.bound, later.bound)
    if best.nbest:
        bound = max(bound, best.score)
    return replace(
        best,
        bound=bound,
        optimal=bool(best.nbest) and Certificate(best.score, bound).optimal,
        stopped=later.stopped,
        nbest_complete=later.nbest_complete,
        states=earlier.states + later.states,
        edges=earlier.edges + later.edges,
        memory=max(earlier.memory, later.memory),
        seconds=earlier.seconds + later.seconds,
    )


def models_of(language_models: LanguageModels) -> list[LanguageModel]:
    """The language models, opened; a single model needs no list."""
    expected = "a list of language models or their files: [path]"
    if isinstance(language_models, Mapping | Set):  # such as weights, an argument too early
        raise WrongTypeError(f"language_models: found {kind_of(language_models)}; pass {expected}")
    alone = isinstance(language_models, _core.LanguageModel | str | os.PathLike)
    given: Any = [language_models] if alone else reject_text(language_models, "language_models", expected)
    models = []
    for model in given:
        if isinstance(model, str | os.PathLike):
            models.append(LanguageModel.load(model))
        elif isinstance(model, LanguageModel):
            models.append(model)
        else:
            raise WrongTypeError(f"language_models: found {type(model).__name__}; pass {expected}")
    return models


def _expressions(expressions: Iterable[SearchSpace | str]) -> Iterator[SearchSpace]:
    for number, expression in enumerate(expressions, 1):
        if isinstance(expression, str):
            yield parse_expression(expression, where=f"expression {number}")
        elif isinstance(expression, Expression | Lattice):
            yield expression
        else:
            raise WrongTypeError(f"expressions: found {expression!r}; pass expressions, or their text")
