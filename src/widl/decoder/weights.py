"""Weights λ of the log-linear model, by feature name, and their TOML files."""

import json
import math
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of, texts_in
from widl.common.errors import InputError, WrongTypeError
from widl.common.files import read_toml
from widl.common.toml_locations import toml_location
from widl.decoder.features import CROSSING, REORDERING_FEATURES, TRANSLATION_FEATURES, UNKNOWN, check_known, check_names

_BARE_KEY = re.compile("[A-Za-z0-9_-]+")


def weight_names(components: int) -> list[str]:
    """Names of an expression's WIDL features, one per component.

    >>> weight_names(1), weight_names(2)
    (['widl'], ['widl1', 'widl2'])
    """
    return ["widl"] if components == 1 else [f"widl{j + 1}" for j in range(components)]


_OF_REORDERING = 0.1
_OF_CROSSING = -1.0
_OF_UNKNOWN = -100.0  # weight of a word that is passed through untranslated, as in Moses
_OF_ORIGINS = {"dictionary": -0.5, "name": 2.0, "pinyin": -3.0, "rule": 1.0, "split": -0.3}


_OF_TABLE = {"p_fe": 0.45, "p_ef": 0.2, "lex_fe": 0.2, "lex_ef": 0.05}
_FURTHER_TABLE = re.compile("t[0-9]+_")


@checked
def default_translation_weights(
    language_models: int = 1,
    origins: Sequence[str] = (),
    scores: Sequence[str] = TRANSLATION_FEATURES,
    reordering: Sequence[str] = (),
    *,
    crossing: bool = False,
) -> dict[str, float]:
    """Default weights of translation before tuning, from coordinate ascent on 400 lines of Chinese news.

    ``unknown`` is the cost of a word that is passed through untranslated. `origins`: the model's `ORIGIN_FEATURES`; if
    words that the table lacks are split, more words come out, and count less. `scores`: scores of the phrase tables;
    scores of unknown meaning have weight 0 or, if there are no others, equal weights. `reordering`: the features of the
    reordering model. `crossing`: whether the model has this feature.
    """
    defaults = {name: _OF_TABLE.get(_FURTHER_TABLE.sub("", name)) for name in scores}
    other = 0.0 if any(defaults.values()) else sum(_OF_TABLE.values()) / max(len(defaults), 1)
    weights = {name: other if weight is None else weight for name, weight in defaults.items()}
    check_known(origins, list(_OF_ORIGINS), where="origins")
    weights |= {name: _OF_ORIGINS[name] for name in origins}
    weights |= {f"lm{m}": 0.5 / max(language_models, 1) for m in range(language_models)}
    word_count = 0.86 if "split" in origins else 1.0
    weights |= {"word_count": word_count, "phrase_count": 0.2, "distortion": 0.5, UNKNOWN: _OF_UNKNOWN}
    return weights | dict.fromkeys(reordering, _OF_REORDERING) | ({CROSSING: _OF_CROSSING} if crossing else {})


@checked
def read_weights(path: PathLike, expected: Sequence[str]) -> dict[str, float]:
    """Weights from a TOML file of lines ``name = value``, checked against the model's feature names."""
    return checked_weights(path, with_origins(read_entries(path), expected), expected)


def checked_weights(path: PathLike, entries: Mapping[str, Any], expected: Sequence[str]) -> dict[str, float]:
    """The entries of a file as weights of the expected features."""
    unknown = [name for name in entries if name not in expected]
    check_names(entries, expected, where=toml_location(path, unknown[:1]) if unknown else os.fspath(path))
    weights = {name: _finite(path, name, value) for name, value in entries.items()}
    for name in expected:
        if name.startswith("lm") and weights[name] < 0:
            location = toml_location(path, [name])
            raise InputError(f"{location}: {name} is negative; search needs language-model weights >= 0")
    return weights


def changed_weights(
    weights: Mapping[str, float], changes: Mapping[str, float], names: Sequence[str] | None = None
) -> dict[str, float]:
    """Weights with those that a call gives, a mapping by feature; weights that it does not name stay.

    `names`: those that may be given; by default those of the weights.

    Raises:
        InputError: A name is unknown, a weight is no finite number, or a language model's weight is negative.

    >>> changed_weights({"lm0": 0.5, "words": 1.0}, {"words": 2})
    {'lm0': 0.5, 'words': 2.0}
    """
    return {**weights, **checked_changes(changes, list(weights) if names is None else names)}


def checked_changes(changes: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """A call's weights, as `changed_weights` takes them."""
    if not isinstance(changes, Mapping):
        raise WrongTypeError(f"weights: found {kind_of(changes)}; pass a mapping by feature: {{'lm0': 0.5}}")
    check_known(changes, names, where="weights")
    for name, weight in changes.items():
        if isinstance(weight, bool) or not isinstance(weight, Real) or not math.isfinite(weight):
            raise InputError(f"weights: the weight of {name} must be a finite number, not {weight!r}")
        if name.startswith("lm") and weight < 0:
            raise InputError(f"weights: {name} is negative; search needs language-model weights >= 0")
    return {name: float(weight) for name, weight in changes.items()}


@checked
def with_origins(weights: Mapping[str, Any], expected: Iterable[str]) -> dict[str, Any]:
    """The weights, with defaults for expected features that files may lack: origins, reordering, crossing, unknown
    words."""
    defaults = _OF_ORIGINS | dict.fromkeys(REORDERING_FEATURES, _OF_REORDERING)
    defaults |= {CROSSING: _OF_CROSSING, UNKNOWN: _OF_UNKNOWN}
    names = texts_in(expected, "expected", "a list of names")
    return {name: defaults[name] for name in names if name in defaults} | dict(weights)


def read_table_weights(path: PathLike, scores: Sequence[str] = TRANSLATION_FEATURES) -> dict[str, float]:
    """The weights of a phrase table's scores, from a file that may contain other features' weights too."""
    entries = read_entries(path)
    weights = {name: _finite(path, name, entries[name]) for name in scores if name in entries}
    check_names(weights, scores, where=os.fspath(path))
    return weights


def read_entries(path: PathLike) -> dict[str, object]:
    """The names and values in a file of weights, unchecked."""
    return read_toml(path, "lines like 'lm0 = 0.5'")


def read_finite_entries(path: PathLike) -> dict[str, float]:
    """The weights in a file whose names are not known here."""
    return {name: _finite(path, name, value) for name, value in read_entries(path).items()}


def _finite(path: PathLike, name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InputError(f"{toml_location(path, [name])}: the weight of {name} must be a finite number, not {value!r}")
    return float(value)


@checked
def format_weights(weights: Mapping[str, float]) -> str:
    """The TOML text that `read_weights` reads."""
    # Keys with other characters need quotes; a JSON string is a valid TOML key.
    keys = {name: name if _BARE_KEY.fullmatch(name) else json.dumps(name, ensure_ascii=False) for name in weights}
    return "".join(f"{keys[name]} = {value!r}\n" for name, value in weights.items())
