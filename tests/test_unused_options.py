"""Options that have no effect are refused, in Python, in files and on the command line."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from widl.cli.reference import option_sets

from tests.command import refused
from widl.common.errors import InputError
from widl.common.options import UnusedOptionError, changed, fields_of, used_options
from widl.decoder import estimate_language_model
from widl.translation import TranslationOptions

ALL_SETS = list(option_sets())


def values_of(one: Any) -> Iterator[Any]:
    """Values of an option besides its default."""
    if one.choices:
        shown = one.default if one.written is None else one.written.show(one.default)
        yield from (choice for choice in one.choices if choice != shown)
    elif "tuple[float" in str(one.annotation):
        yield (0.25, 0.5, 0.75)
    elif one.annotation is bool:
        yield not one.default
    elif one.is_path:
        yield Path("somewhere")
    elif "Sequence" in str(one.annotation):
        yield ["x"]
    elif "float" in str(one.annotation):
        yield 0.375
    else:
        value = max(3, int(one.bounds.get("ge", 0)))
        yield value + (value == one.default)


CONDITIONAL = [
    (options, one)
    for options in ALL_SETS
    for one in fields_of(options)
    if one.command_line.only_with.keys() & {other.name for other in fields_of(options)}
]


@pytest.mark.parametrize(("options", "one"), CONDITIONAL, ids=lambda it: getattr(it, "name", "") or it.__name__)
def test_an_option_without_effect_is_refused_and_one_with_effect_is_taken(options: Any, one: Any) -> None:
    for value in values_of(one):
        taken = 0
        for name, values in one.command_line.only_with.items():
            other = next(other for other in fields_of(options) if other.name == name)
            for chosen in {*values, *other.choices, *values_of(other), other.default}:
                if chosen is None:
                    continue
                try:
                    alone = options(**{name: chosen})
                except InputError:
                    continue  # needs other values itself
                wanted = one.name in used_options(alone)
                made: Any = None
                try:
                    made = options(**{name: chosen, one.name: value})
                except UnusedOptionError as error:
                    assert not wanted
                    assert str(error).startswith(f"{one.cli_name} has no effect here; it is for ")
                else:
                    assert wanted
                    assert dataclasses.replace(made) == made
                    taken += 1
        needed = {other.name for other in fields_of(options) if other.command_line.only_with}
        assert taken or one.command_line.only_with.keys() <= needed


def test_a_copy_forgets_what_has_no_effect() -> None:
    options = TranslationOptions(search="astar-k", k=3, order="estimate", nbest=5, distinct=False)
    with pytest.raises(UnusedOptionError, match="k has no effect here; it is for search astar-k"):
        dataclasses.replace(options, search="cube")
    assert changed(options, search="cube", nbest=1) == TranslationOptions(search="cube")
    with pytest.raises(InputError, match="unknown search"):
        changed(options, search="nosuch")


def test_a_file_is_refused_and_the_command_line_overrides_it(tmp_path: Path, run: Any) -> None:
    model = tmp_path / "a.arpa"
    text = tmp_path / "text"
    text.write_text("the cat sat\n", encoding="utf-8")
    estimate_language_model([text], model)
    config = tmp_path / "c.toml"
    config.write_text("k = 3\n", encoding="utf-8")
    arguments = ["realize", "--lm", model, "--config", config]
    assert refused(run(*arguments, stdin="the\n")) == f"{config}: k has no effect here; it is for search astar-k"
    assert run(*arguments, "--search", "astar-k", stdin="the\n")[:2] == (0, "the\n")
    config.write_text('k = 3\nsearch = "astar-k"\n', encoding="utf-8")
    assert run(*arguments, stdin="the\n")[:2] == (0, "the\n")
    assert run(*arguments, "--search", "cube", stdin="the\n")[:2] == (0, "the\n")
