"""Named features h of the log-linear model, in one layout that Python and the core share."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

from widl._core import WeightVector, count_features, reordering_features
from widl.common.argument_types import checked
from widl.common.errors import InputError

TRANSLATION_FEATURES = ("p_fe", "p_ef", "lex_fe", "lex_ef")
"""WIDL features of a phrase table: ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f)."""

ORIGIN_FEATURES = ("dictionary", "name", "pinyin", "rule", "split")
"""WIDL features of translations that are not from the phrase table. They count phrases from a dictionary, names made
by rule, dates and numbers made by rule, characters spelled in pinyin, and single characters split off from a word
that the table lacks."""

REORDERING_FEATURES = tuple(reordering_features())
"""Features of a lexicalized reordering model: ln p of each phrase's orientation relative to the phrase before it
(backward) or after it (forward).
"""

DISTORTION = "distortion"
CROSSING = "crossing"
"""Feature of translation models: the number of clause marks that movement passes over."""

UNKNOWN = "unknown"

_COUNTS = tuple(count_features())


@dataclass(frozen=True)
class FeatureLayout:
    """The names of a model's features, in the order of their values in every vector.

    widl: the WIDL features, one per component of the probability vectors. language_models: one per language model.
    reordering: the features of a reordering model. `crossing` follows them, if the model has it.

    >>> layout = FeatureLayout.of(["p"], language_models=1)
    >>> layout.names
    ('p', 'lm0', 'word_count', 'phrase_count', 'distortion', 'unknown')
    >>> layout.index("lm0"), layout.without(["lm0", "unknown"]).names
    (1, ('p', 'word_count', 'phrase_count', 'distortion'))
    """

    names: tuple[str, ...]
    widl: tuple[str, ...] = ()
    language_models: tuple[str, ...] = ()
    reordering: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, widl: Sequence[str], language_models: int, reordering: Sequence[str] = (), *, crossing: bool = False
    ) -> "FeatureLayout":
        """The core's layout: WIDL features, language models, the counts that every model has, a reordering model."""
        models = tuple(f"lm{m}" for m in range(language_models))
        last = (CROSSING,) if crossing else ()
        return cls((*widl, *models, *_COUNTS, *reordering, *last), tuple(widl), models, tuple(reordering))

    def without(self, hidden: Collection[str]) -> "FeatureLayout":
        """The same order without some of the features."""
        groups = self.names, self.widl, self.language_models, self.reordering
        return FeatureLayout(*(tuple(name for name in group if name not in hidden) for group in groups))

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The place of a feature; KeyError for a name that the layout does not have."""
        return self._places[name]

    def columns(self, names: Iterable[str]) -> list[int]:
        """Column indices of named features."""
        return [self._places[name] for name in names]

    def zeros(self) -> "FeatureVector":
        """All features 0."""
        return FeatureVector(self, (0.0,) * len(self.names))

    def vector(self, values: Mapping[str, float]) -> tuple[float, ...]:
        """The values of the layout's features, in its order; KeyError if a feature has no value."""
        return tuple(values[name] for name in self.names)

    def mapping(self, vector: Sequence[float]) -> dict[str, float]:
        """The values of a vector by name."""
        return dict(zip(self.names, vector, strict=True))

    def weight_vector(self, weights: Mapping[str, float]) -> WeightVector:
        """The core's form of the weights λ: one weight per feature of the layout. Other features have weight 0."""
        check_names(weights, self.names, where="weights")
        counts = dict.fromkeys(_COUNTS, 0.0) | {name: weights[name] for name in _COUNTS if name in weights}
        return WeightVector(
            widl=[weights[name] for name in self.widl],
            language_models=[weights[name] for name in self.language_models],
            reordering=[weights[name] for name in self.reordering],
            crossing=weights.get(CROSSING),
            **counts,
        )


class FeatureVector(Mapping[str, float]):
    """Values of the features of a layout: a mapping by name, and `row`, in the layout's order.

    >>> h = FeatureVector(FeatureLayout(("p", "lm0")), (-1.0, -2.5))
    >>> h["lm0"], dict(h)
    (-2.5, {'p': -1.0, 'lm0': -2.5})
    """

    __slots__ = ("layout", "row")

    def __init__(self, layout: FeatureLayout, row: Iterable[float]) -> None:
        self.layout = layout
        self.row = tuple(row)

    def __getitem__(self, name: str) -> float:
        return self.row[self.layout.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.layout.names)

    def __len__(self) -> int:
        return len(self.row)

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __add__(self, other: "FeatureVector") -> "FeatureVector":
        """The concatenated features of two derivations."""
        return FeatureVector(self.layout, [a + b for a, b in zip(self.row, other.row, strict=True)])

    def __repr__(self) -> str:
        return f"<{len(self)} features: {', '.join(f'{name} {value:.6g}' for name, value in self.items())}>"


def check_known(names: Iterable[str], expected: Sequence[str], *, where: str) -> None:
    """Raise InputError for unexpected names, with the closest expected name of the first."""
    unknown = [name for name in names if name not in expected]
    if unknown:
        close = get_close_matches(unknown[0], expected, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        named = f"feature{'s' * (len(unknown) > 1)} {', '.join(map(repr, unknown))}"
        raise InputError(f"{where}: unknown {named}; this model has {', '.join(expected)}{hint}")


@checked
def check_names(given: Iterable[str], expected: Sequence[str], *, where: str) -> None:
    """Raise InputError for an unexpected name, with the closest expected name, or for missing names."""
    names = list(given)
    check_known(names, expected, where=where)
    missing = [name for name in expected if name not in names]
    if missing:
        raise InputError(f"{where}: no weight for {', '.join(missing)}")
