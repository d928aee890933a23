"""pydantic's validation errors as one line: the location, the error, and the remedy."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from widl.common.arguments import kind_of
from widl.common.option_values import FINITE, shortened


def first_problem(
    error: ValidationError, model: type[BaseModel], mend: str | None = None, *, whole: str = "the file"
) -> str:
    """``location: error; remedy`` for the first problem; `whole` is the location of a problem of the whole value.

    `mend` replaces the advice for files that people don't write themselves.

    >>> class Tuning(BaseModel, extra="forbid"):
    ...     metric: str = "bleu"
    >>> try:
    ...     Tuning.model_validate({"metrc": "ter"})
    ... except ValidationError as error:
    ...     first_problem(error, Tuning)
    "metrc: unknown key; did you mean 'metric'?"
    """
    errors = error.errors()
    # A misspelled key is missing under its right name, too: the key that is written says more.
    first = next((one for one in errors if one["type"] in _UNKNOWN_KEY), errors[0])
    location = shortened(".".join(map(str, first["loc"]))) or whole
    problem, remedy = problem_of(first), "add it" if first["type"] == "missing" else ""
    if first["type"] in _UNKNOWN_KEY:
        problem, remedy = "unknown key", did_you_mean(str(first["loc"][-1]), _keys(model, first["loc"][:-1]))
    return f"{location}: {problem}; {mend or remedy}".removesuffix("; ")


_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
_EXPECTED = {
    "int": "a whole number",
    "float": "a number",
    "finite_number": "a finite number",
    "bool": "true or false",
    "string": "text",
    "path": "a path",
    **dict.fromkeys(("list", "tuple", "set", "frozen_set", "iterable", "sequence"), "a list"),
    **dict.fromkeys(("dict", "mapping", "model", "dataclass"), "a table"),
    "greater_than_equal": "at least {ge:.10g}",
    "greater_than": "more than {gt:.10g}",
    "less_than_equal": "at most {le:.10g}",
    "less_than": "less than {lt:.10g}",
    "literal_error": "one of {expected}",
    "string_too_short": "at least {min_length} characters",
    "string_too_long": "at most {max_length} characters",
    "string_pattern_mismatch": "text that matches {pattern}",
    "too_short": "at least {min_length} in the list",
    "too_long": "at most {max_length} in the list",
}
"""Descriptions of the values expected by pydantic, by the type of its error or the beginning of the type."""


def problem_of(problem: ErrorDetails) -> str:
    """The expected value, and the value found; or the message of a check of our own."""
    kind, value = problem["type"], problem["input"]
    if kind == "value_error":
        return problem["msg"].removeprefix("Value error, ")
    if kind.startswith("missing"):
        return "missing"
    if problem.get("ctx", {}).get("le") == FINITE:
        kind = "finite_number"
    beginnings = (name for name in _EXPECTED if kind == name or kind.startswith(f"{name}_"))
    best = max(beginnings, key=len, default="")
    message = problem["msg"][:1].lower() + problem["msg"][1:]
    if kind == "json_invalid":  # the parser's message has the location
        return message
    # Only our own texts are templates: pydantic's may quote the input, braces and all.
    expected = _EXPECTED[best].format(**problem.get("ctx", {})) if best else message
    if best.startswith(("too_", "string_too_")):
        shown = str(len(value))
    elif best.startswith(("greater_", "less_", "finite_")):
        shown = shortened(str(value))  # on the command line the value is text
    elif value is None or isinstance(value, str | int | float):
        shown = shortened(repr(value))
    else:
        shown = kind_of(value)
    return f"expected {expected}, found {shown}"


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Advice about an unknown name: the most similar known name, or all of them.

    >>> did_you_mean("beam_sise", ["beam_size", "k"]), did_you_mean("x", ["beam_size", "k"])
    ("did you mean 'beam_size'?", 'there are beam_size, k')
    """
    names = list(candidates)
    close = get_close_matches(name, names, 1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"


def _keys(model: Any, location: Sequence[int | str]) -> list[str]:
    """The keys of the part of a model at `location`."""
    fields: dict[str, FieldInfo] = model.__pydantic_fields__
    for part in location:
        if part in fields:  # else an item of a list or dictionary
            inner = (getattr(kind, "__pydantic_fields__", None) for kind in types_in(fields[str(part)].annotation))
            fields = next(filter(None, inner), {})
    return [field.alias or name for name, field in fields.items()]


def types_in(annotation: Any) -> Iterator[Any]:
    """A type and the types inside it."""
    yield annotation
    if get_origin(annotation) is not Literal:
        for inner in get_args(annotation):
            yield from types_in(inner)
