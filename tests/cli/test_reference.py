"""Command line, Python, TOML files and documentation say the same of every option, which is declared once."""

import ast
import importlib
import json
import pkgutil
from pathlib import Path
from types import UnionType
from typing import Any, get_args

import pytest

import widl
from widl.cli.json_schemas import result_schema, schemas
from widl.cli.option_sets import is_many, shown_default
from widl.cli.parameters import CORES
from widl.cli.reference import option_sets, page, parameters, write_reference
from widl.common.options import fields_of, is_option_set

PACKAGE = Path(widl.__file__).parent
DOCS = Path(__file__).resolve().parents[2] / "docs"
SETS = list(option_sets())
PARAMETERS = list(parameters())

def modules() -> list[str]:
    return [found.name for found in pkgutil.walk_packages([str(PACKAGE)], "widl.") if found.name != "widl._core"]


def test_all_option_sets_are_in_the_reference() -> None:
    found = {
        one
        for name in modules()
        for one in vars(importlib.import_module(name)).values()
        if is_option_set(one) and one.__module__ == name
    }
    assert found == set(SETS)


def test_the_command_line_says_what_the_set_says() -> None:
    for one in PARAMETERS:
        if one.option is not None:
            option = one.option.option
            assert one.click.help == option.help
            assert f"--{option.cli_name}" in one.click.opts
            assert one.click.default == shown_default(option)
            assert one.click.multiple == is_many(option)
            if option.annotation is bool:
                assert one.click.secondary_opts == [f"--no-{option.cli_name}"]


@pytest.mark.parametrize("options", SETS, ids=lambda options: options.__name__)
def test_the_set_says_what_python_has(options) -> None:
    made = options() if options.__name__ != "GivenAlignments" else options(symmetrized=("a",))
    for one in fields_of(options):
        if one.is_part:
            assert one.default is None or one.default == one.annotation()
            assert not one.help
        else:
            assert one.help.endswith((".", "…"))
            assert options.__name__ == "GivenAlignments" or getattr(made, one.name) == one.default
    assert options.__doc__


def defaults_of(path: Path, function: str) -> dict[str, ast.expr | None]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    return dict(zip((arg.arg for arg in found.args.kwonlyargs), found.args.kw_defaults, strict=True))


@pytest.mark.parametrize(
    ("module", "function", "options"),
    [
        ("decoder/lm_estimation.py", "estimate_language_model", "LanguageModelOptions"),
        ("decoder/language_model.py", "convert_language_model", "ConversionOptions"),
        ("decoder/enumeration.py", "enumerate_strings", "EnumerationOptions"),
        ("decoder/acceptor.py", "make_acceptor", "EnumerationOptions"),
        ("phrase_table/extraction.py", "extract_phrases", "ExtractionOptions"),
        ("phrase_table/moses_text.py", "import_moses", "ImportOptions"),
        ("experiments/search.py", "compare_searches", "SearchComparisonOptions"),
        ("experiments/comparison.py", "compare_experiments", "SignificanceOptions"),
    ],
)
def test_functions_have_the_defaults_of_their_option_sets(module, function, options) -> None:
    known = next(one for one in SETS if one.__name__ == options)
    names = {one.name for one in fields_of(known) if one.default is not None}
    for name, default in defaults_of(PACKAGE / module, function).items():
        if name in names:
            assert default is not None
            assert ast.unparse(default) == f"{options}.{name}"


def test_the_documentation_is_what_is_made(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("update_docs"):
        write_reference(DOCS / "options.md")
    made = (DOCS / "options.md").read_text(encoding="utf-8")
    assert made == page(), f"run pytest {__file__} --update-docs"


def test_schemas_say_what_a_file_may_hold() -> None:
    made = schemas()
    translate = made["translate"]["properties"]
    assert "cube" in translate["search"]["enum"]
    assert translate["k"] | {"description": ""} == {
        "type": "integer", "minimum": 0, "maximum": 2**31 - 1, "default": 2, "description": "",
    }  # fmt: skip
    for one in PARAMETERS:
        if one.option is not None:
            name = one.command.removeprefix("widl ").replace(" ", "-")
            found = made[name]["properties"][one.option.option.key]
            assert found["description"] == one.option.option.help
            if isinstance(one.option.option.annotation, UnionType):
                assert {"type": "null"} not in get_args(found)
    system = made["experiment-translation"]["$defs"]["SystemConfig"]
    assert {"name", "weights", "decoder", "pop_limit"} <= set(system["properties"])
    assert "CORES" not in str(made)
    assert CORES >= 1


@pytest.mark.parametrize("words", [("experiment", "translation"), ("result",)])
def test_a_command_prints_schemas(words: tuple[str, ...], run: Any) -> None:
    code, out, _ = run("schema", *words)
    assert code == 0
    printed = json.loads(out)
    assert printed == (result_schema() if words == ("result",) else schemas()["-".join(words)])
    assert printed["$schema"].startswith("https://json-schema.org/")


def test_a_schema_of_no_command(run: Any) -> None:
    message = "error: no command 'translat' has options in a file; did you mean 'translate'?\n"
    assert run("schema", "translat") == (2, "", message)
