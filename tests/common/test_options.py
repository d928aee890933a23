"""Option sets check themselves when they are made, and say in one line what is wrong."""

import dataclasses
import math
import pickle
from pathlib import Path
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from widl.cli.reference import option_sets
from widl.common.errors import InputError
from widl.common.option_values import LARGEST, Limit, Megabytes, Size, WholeNumbers, parse_size, show_size
from widl.common.options import fields_of, option, option_set, read_options_file, same


@option_set
class Part:
    """A part."""

    size: Annotated[int, option("How large.", ge=1, le=6)] = 3

    def __post_init__(self) -> None:
        if self.size == 5:
            raise InputError("five is no size")


@option_set
class Options:
    """Options of all types."""

    count: Annotated[int, option("So many.", ge=0, le=LARGEST)] = 2
    share: Annotated[float, option("A share.", gt=0, le=1, name="the-share")] = 0.5
    seconds: Annotated[float, option("Seconds.", ge=0)] = 0.0
    limit: Annotated[Limit, option("A limit.")] = 6
    memory: Annotated[Size | None, option("Memory.", ge=100)] = None
    budget: Annotated[Megabytes, option("Memory.", ge=0)] = 2_000_000_000
    way: Annotated[Literal["a", "b"] | None, option("How.")] = None
    file: Annotated[Path | None, option("Where.")] = None
    files: Annotated[tuple[Path, ...], option("Where all are.")] = ()
    prune: Annotated[WholeNumbers, option("Numbers.")] = ()
    flag: Annotated[bool, option("Whether.")] = False
    part: Part = Part()
    maybe: Part | None = None


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"count": -1}, "count must not be negative or huge, but is -1"),
        ({"count": "x"}, "count: expected a whole number, found 'x'"),
        ({"share": 0}, "the-share must be above 0 and at most 1, but is 0"),
        ({"seconds": math.nan}, "seconds must not be negative, but is nan"),
        ({"limit": "far"}, "limit: 'far' is neither a number nor 'none'"),
        ({"memory": "5Q"}, "memory: '5Q' is no size; give a number with K, M, G or T, or a percentage like 50%"),
        ({"way": "c"}, "unknown way 'c'; it is one of a, b"),
        ({"prune": "0,x"}, "prune: '0,x' are no numbers; give them with commas between, like 0,0,1"),
        ({"part": {"size": 0}}, "size must be from 1 to 6, but is 0"),
        ({"part": {"size": 5}}, "five is no size"),
        ({"part": {"sise": 1}}, "unknown option 'sise'; did you mean 'size'?"),
        ({"cuont": 1}, "unknown option 'cuont'; did you mean 'count'?"),
    ],
)  # fmt: skip
def test_nonsense_is_refused_in_one_line(values, message) -> None:
    with pytest.raises(InputError) as caught:
        Options(**values)
    assert str(caught.value) == message


def test_replacing_checks_again() -> None:
    options = dataclasses.replace(Options(count=3), share=0.25)
    assert (options.count, options.share) == (3, 0.25)
    with pytest.raises(InputError, match="count must not be negative"):
        dataclasses.replace(options, count=-1)
    with pytest.raises(InputError, match="unknown option"):
        dataclasses.replace(options, cuont=1)


def test_options_do_not_change_and_have_names() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Options().count = 3  # type: ignore[misc]
    with pytest.raises(TypeError, match="Options takes its options by name"):
        Options(3)  # type: ignore[call-arg]


def test_text_means_what_it_says() -> None:
    options = Options(limit="none", memory="2K", budget="3", prune="0, 1 2")  # type: ignore[arg-type]
    assert (options.limit, options.memory, options.budget) == (None, 2048, 3_000_000)
    assert options.prune == (0, 1, 2)


@given(st.integers(0, 1 << 50))
def test_sizes_are_written_as_they_are_read(size: int) -> None:
    assert parse_size(show_size(size)) == size


def test_fields_of_a_model_may_be_those_of_an_option_set() -> None:
    class Model(BaseModel):
        count: int = same(Options, "count")
        seconds: float = same(Options, "seconds", default=3.0)

    assert Model() == Model(count=2, seconds=3.0)
    assert Model.model_fields["count"].description == "So many."
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        Model(count=-1)


ALL_SETS = list(option_sets())


@pytest.mark.parametrize("options", ALL_SETS, ids=lambda one: one.__name__)
def test_each_set_takes_its_own_defaults_and_no_nonsense(options) -> None:
    defaults = {one.name: one.default for one in fields_of(options)}
    if options.__name__ == "GivenAlignments":
        defaults["symmetrized"] = (Path("a"),)
    made = options(**defaults)
    assert pickle.loads(pickle.dumps(made)) == made
    assert dataclasses.replace(made) == made
    for one in fields_of(options):
        wrong = [bound - 1 for name, bound in one.bounds.items() if name == "ge"]
        wrong += [bound for name, bound in one.bounds.items() if name == "gt"]
        wrong += [math.nan] if one.annotation is float and one.bounds else []
        wrong += ["no such choice"] if one.choices else []
        wrong += [object()] if not one.is_part else []
        for value in wrong:
            with pytest.raises(InputError) as caught:
                options(**defaults | {one.name: value})
            assert "\n" not in str(caught.value)
            assert one.cli_name in str(caught.value)
    with pytest.raises(InputError, match="unknown option 'no_such_option'"):
        options(**defaults, no_such_option=1)


def test_files_of_options(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.toml: no such file; a configuration in TOML was expected"):
        read_options_file(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("a = \n")
    with pytest.raises(InputError, match=r"bad\.toml: not TOML: "):
        read_options_file(tmp_path / "bad.toml")
