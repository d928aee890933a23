"""Option sets validate themselves on construction and explain errors in one line."""

import dataclasses
import importlib
import math
import pickle
import pkgutil
from pathlib import Path
from typing import Annotated, Literal, get_origin

import pytest
from cyclopts import Parameter
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from pydantic.dataclasses import is_pydantic_dataclass

import widl
from widl.common.errors import InputError, InternalError
from widl.common.option_values import Count, Limit, Size, WholeNumbers, parse_size, show_size
from widl.common.options import adjust, given_names, option_name, option_set, replace, same, set_in
from widl.common.validation_messages import types_in


@option_set
class Part:
    """A part."""

    size: Annotated[int, Field(ge=1, le=6)] = 3
    "How large."

    def __post_init__(self) -> None:
        if self.size == 5:
            raise InputError("five is not a size")


@option_set
class Options:
    """Options of all types."""

    count: Count = 2
    "How many."
    share: Annotated[float, Field(gt=0, le=1), Parameter(name="--the-share")] = 0.5
    "A share."
    seconds: Annotated[float, Field(ge=0)] = 0.0
    limit: Limit = 6
    memory: Annotated[Size | None, Field(ge=100)] = None
    budget: Annotated[Size, Field(ge=0)] = 2 << 30
    way: Literal["a", "b"] | None = None
    file: Path | None = None
    files: tuple[Path, ...] = ()
    prune: WholeNumbers = ()
    flag: bool = False
    part: Part = Part()
    maybe: Part | None = None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": -1}, "count: expected at least 0, found -1"),
        ({"count": "x"}, "count: expected a whole number, found 'x'"),
        ({"share": 0}, "the-share: expected more than 0, found 0"),
        ({"seconds": math.nan}, "seconds: expected at least 0, found nan"),
        ({"limit": "far"}, "limit: 'far' is neither a number nor 'none'"),
        ({"memory": "5Q"}, "memory: '5Q' is not a size; give a number with K, M, G or T, or a percentage like 50%"),
        ({"way": "c"}, "way: expected one of 'a' or 'b', found 'c'"),
        ({"prune": "0,x"}, "prune: '0,x' is not a list of numbers; separate them by commas, like 0,0,1"),
        ({"part": {"size": 0}}, "size: expected at least 1, found 0"),
        ({"part": {"size": 5}}, "five is not a size"),
        ({"part": {"sise": 1}}, "unknown option 'sise'; did you mean 'size'?"),
        ({"cuont": 1}, "unknown option 'cuont'; did you mean 'count'?"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(values, message) -> None:
    with pytest.raises(InputError) as caught:
        Options(**values)
    assert str(caught.value) == message


def test_options_of_an_inner_set_are_given_by_name() -> None:
    """As on the command line, where all of them are of one command."""

    @option_set
    class Outer:
        """An outer set."""

        part: Part = Part()
        more: int = 1
        "More."

    assert Outer(size=4) == Outer(part=Part(size=4))
    assert given_names(Outer(size=4, more=2)) == {"size", "more"}
    assert replace(Outer(more=2), size=4) == Outer(size=4, more=2)
    assert Outer(size=4, part=Part()).part.size == 4
    for values, message in (
        ({"size": 9}, "size: expected at most 6, found 9"),
        ({"sise": 4}, "unknown option 'sise'; did you mean 'size'"),
        ({"part": 3}, r"part: found an int; pass Part\(…\)"),
        ({"part": 3, "size": 4}, "unknown option 'size'|part: found an int"),
    ):
        with pytest.raises(InputError, match=message):
            Outer(**values)


def test_replacing_checks_again() -> None:
    options = dataclasses.replace(Options(count=3), share=0.25)
    assert (options.count, options.share) == (3, 0.25)
    with pytest.raises(InputError, match="count: expected at least 0"):
        dataclasses.replace(options, count=-1)
    with pytest.raises(InputError, match="unknown option"):
        dataclasses.replace(options, cuont=1)


def test_options_do_not_change_and_have_names() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Options().count = 3  # type: ignore[misc]
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        Options(3)  # type: ignore[call-arg]


def test_text_means_what_it_says() -> None:
    options = Options(limit="none", memory="2K", budget="3", prune="0, 1 2")  # type: ignore[arg-type]
    assert (options.limit, options.memory, options.budget) == (None, 2048, 3)
    assert options.prune == (0, 1, 2)


@given(st.integers(0, 1 << 50))
def test_sizes_are_written_as_they_are_read(size: int) -> None:
    assert parse_size(show_size(size)) == size


NINES = "9" * 400


@pytest.mark.parametrize("text", [NINES, "9" * 5000, f"{NINES}T", f"{NINES}%", "1٢", "²K", "8388608T", "1e999"])
def test_sizes_that_no_machine_has_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a size|is too large a size") as caught:
        parse_size(text)
    assert len(str(caught.value)) < 300


def test_the_program_adjusts_only_options_that_there_are() -> None:
    """A misspelled name would be an attribute that nobody reads."""
    options = adjust(Options(count=3), count=4, share=0.25)
    assert (options.count, options.share, given_names(options)) == (4, 0.25, {"count"})
    for name in ("cuont", "size"):  # the latter is of an inner set
        with pytest.raises(InternalError, match=f"Options has no option '{name}'"):
            adjust(options, **{name: 1})


def test_fields_of_a_model_may_be_those_of_an_option_set() -> None:
    class Model(BaseModel):
        count: int = same(Options, "count")
        seconds: float = same(Options, "seconds")

    assert Model() == Model(count=2, seconds=0.0)
    assert Model.model_fields["count"].description == "How many."
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        Model(count=-1)


MODULES = [
    importlib.import_module(module.name)
    for module in pkgutil.walk_packages(widl.__path__, "widl.")
    if not module.name.startswith(("widl.cli", "widl.web", "widl._core", "widl.__main__"))
]
ALL_SETS = sorted(
    {kind for module in MODULES for kind in vars(module).values() if is_pydantic_dataclass(kind)}, key=str
)


@pytest.mark.parametrize("options", ALL_SETS, ids=lambda one: one.__name__)
def test_each_set_takes_its_own_defaults_and_no_nonsense(options) -> None:
    fields = options.__pydantic_fields__
    defaults = {name: info.get_default(call_default_factory=True) for name, info in fields.items()}
    if options.__name__ == "GivenAlignments":
        defaults["alignment"] = (Path("a"),)
    result = options(**defaults)
    assert pickle.loads(pickle.dumps(result)) == result
    assert dataclasses.replace(result) == result
    for name, info in fields.items():
        if set_in(info.annotation) is not None:
            continue
        assert (info.description or "").endswith((".", "…", ",")), f"{name} has no help"
        wrong: list[object] = [bound.ge - 1 for bound in info.metadata if hasattr(bound, "ge")]
        wrong += [bound.gt for bound in info.metadata if hasattr(bound, "gt")]
        wrong += [math.nan] if info.annotation is float and wrong else []
        wrong += ["no such choice"] if any(get_origin(kind) is Literal for kind in types_in(info.annotation)) else []
        for value in [*wrong, object()]:
            with pytest.raises(InputError) as caught:
                options(**defaults | {name: value})
            assert "\n" not in str(caught.value)
            assert option_name(name, info) in str(caught.value)
    with pytest.raises(InputError, match="unknown option 'no_such_option'"):
        options(**defaults, no_such_option=1)


# Numbers that are too large, no numbers, or no digits of ours: as values in Python and in files, and as text.
STRANGE_NUMBERS: list[object] = [10**400, -(10**400), 2**63, -(2**63) - 1, math.nan, math.inf, -math.inf, 1e308]
STRANGE_NUMBERS += ["9" * 400, "9" * 5000, f"-{'9' * 5000}", "nan", "inf", "-inf", "1e999", "-1e999", "1" * 400 + "T"]
STRANGE_NUMBERS += ["٣", "３", "²", "½", "1_000", "0x10", "", " ", f"0,{'9' * 5000}", "1.5", f"1.{'9' * 5000}"]
NUMERIC = [
    pytest.param(kind, name, id=f"{kind.__name__}-{name}")
    for kind in ALL_SETS
    for name, info in kind.__pydantic_fields__.items()
    if set_in(info.annotation) is None and not {int, float}.isdisjoint(types_in(info.annotation))
]


@pytest.mark.parametrize(("options", "name"), NUMERIC)
def test_each_numeric_option_takes_a_sensible_number_or_says_what_is_wrong(options, name) -> None:
    """What is taken is finite (or a deliberate infinity) and fits the core's integers."""
    others = {"alignment": (Path("a"),)} if options.__name__ == "GivenAlignments" else {}
    for value in STRANGE_NUMBERS:
        for given_value in (value, (value,)):
            try:
                taken = getattr(options(**others, **{name: given_value}), name)
            except InputError as error:
                assert "\n" not in str(error)
                assert len(str(error)) < 600, value
                continue
            for number in taken if isinstance(taken, tuple) else (taken,):
                if isinstance(number, int):
                    assert -(2**63) <= number < 2**63, value
                if isinstance(number, float):
                    assert not math.isnan(number), value
