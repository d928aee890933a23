"""Pydantic's errors in one line."""

import pytest
from pydantic import BaseModel, Field, ValidationError, field_validator

from widl.common.options import option_set
from widl.common.validation_messages import first_problem


class Part(BaseModel, extra="forbid"):
    size: int = Field(default=1, ge=0)
    name: str = "a"

    @field_validator("name")
    @classmethod
    def _known(cls, name: str) -> str:
        if name != "a":
            raise ValueError(f"Nobody knows {name}")
        return name


@option_set
class Chosen:
    """Options."""

    count: int = 1
    "So many."


class Whole(BaseModel, extra="forbid"):
    options: Chosen = Chosen()
    part: Part | None = None
    parts: list[Part] = Field(default=[])
    named: dict[str, Part] = Field(default={})
    several: list[str] = Field(default=["a"], min_length=1)
    needed: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"need": 1}, "need: unknown key; did you mean 'needed'?"),
        ({}, "needed: missing; add it"),
        ({"needed": 1, "nmaed": {}}, "nmaed: unknown key; did you mean 'named'?"),
        ({"needed": 1, "parts": [{}, {"zzz": 2}]}, "parts.1.zzz: unknown key; there are size, name"),
        ({"needed": 1, "part": {"size": -2}}, "part.size: expected at least 0, found -2"),
        ({"needed": 1, "part": {"name": "b"}}, "part.name: Nobody knows b"),
        ([], "the file: expected a table, found a list"),
    ],
)
def test_what_where_and_how_to_mend_it(value: object, expected: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate(value)
    assert first_problem(caught.value, Whole) == expected


@pytest.mark.parametrize("text", ['{"needed": 1 "part": {}}', '{"needed": {0}', "{needed}", '{"needed": 1', "[", ""])
def test_damaged_json_is_one_line(text: str) -> None:
    """The parser's message quotes braces of the input."""
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate_json(text)
    line = first_problem(caught.value, Whole, "run it again")
    assert line.startswith("the file: invalid JSON: ")
    assert line.endswith("; run it again")
    assert "\n" not in line


@pytest.mark.parametrize("value", ["{0}", "{ge}", "{", "}", "{}{name}"])
def test_braces_of_a_value_are_text(value: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate({"needed": value, "part": {"name": value}})
    assert first_problem(caught.value, Whole) == f"part.name: Nobody knows {value}"
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate({"needed": value})
    assert first_problem(caught.value, Whole) == f"needed: expected a whole number, found {value!r}"


def test_what_people_do_not_write_is_made_again() -> None:
    with pytest.raises(ValidationError) as caught:
        Whole.model_validate({})
    assert first_problem(caught.value, Whole, "run it again") == "needed: missing; run it again"
