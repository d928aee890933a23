"""Every command and group: help, a misspelled option, a bad value, a missing file; options in TOML files."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cyclopts import App

from tests.command import refused, toml, widl_text
from widl.cli import COMMANDS, program
from widl.cli.commands import arranged
from widl.cli.options_file import OptionsFile, take_config
from widl.common.validation_messages import types_in
from widl.translation import TranslationOptions


def commands(app: App, *path: str) -> Iterator[tuple[tuple[str, ...], App]]:
    """All commands and groups of an app, by their command words."""
    yield path, app
    for name in app:
        if not name.startswith("-"):
            yield from commands(app[name], *path, name)


ALL = dict(commands(program(*COMMANDS)))
LEAVES = [path for path, app in ALL.items() if app.default_command is not None and path]


@pytest.mark.parametrize("path", ALL, ids=lambda path: " ".join(path) or "widl")
def test_help(path: tuple[str, ...]) -> None:
    done = widl_text(*path, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: widl" + "".join(f" {word}" for word in path))
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert widl_text(*path, "-h").stdout == done.stdout == widl_text("help", *path).stdout
    if path in LEAVES:
        options = [argument for argument in ALL[path].assemble_argument_collection() if argument.show]
        words = done.stdout.split()
        assert all(name in words for argument in options for name in argument.parameter.name if name.startswith("--"))


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_examples_of_the_help_are_commands(path: tuple[str, ...]) -> None:
    for example in re.findall(r"(?m)^ +(?:echo .*\| )?widl ([^<>|&\n]*)", ALL[path].help):
        words, _ = take_config(shlex.split(example.rstrip("\\")))
        app = program(words[0])
        app.parse_args(arranged(app, words), exit_on_error=False, print_error=False)


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_a_misspelled_option_is_one_line_with_advice(path: tuple[str, ...]) -> None:
    options = (item for item in ALL[path].assemble_argument_collection() if item.parameter.parse is not False)
    names = [name for item in options for name in item.names if name.startswith("--")]
    wrong = f"{names[0]}q" if names else "--nosuch"
    line = refused(_as_result(*path, wrong))
    assert wrong in line
    assert not names or f"did you mean {names[0]}" in line
    assert line.lower().endswith(f"see 'widl {' '.join(path)} --help'")


OF_OTHER_PROGRAMS = {"--icsv", "--ojsonl", "--scheduler-file"}  # mlr's and Dask's


def test_the_package_names_no_option_that_no_command_has() -> None:
    arguments = [argument for path in LEAVES for argument in ALL[path].assemble_argument_collection()]
    known = {name for argument in arguments if argument.parameter.parse is not False for name in argument.names}
    known |= {"--help", "--config", "--version", "--install-completion"} | OF_OTHER_PROGRAMS
    root = Path(__file__).resolve().parents[2] / "src" / "widl"
    for file in root.rglob("*.py"):
        named = set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*\b(?!-)", file.read_text(encoding="utf-8")))
        assert named <= known, file


def _as_result(*words: str) -> tuple[int, str, str]:
    done = widl_text(*words)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("translate", "m", "--pop-limit", "-3"), "pop-limit: expected at least 0, found -"),
        (("translate", "m", "--search", "astr"), "search: expected one of 'bfs', 'astar'"),
        (("lm", "estimate", "--order", "9", "-o", "x"), "order: expected at most 6, found 9"),
        (("lm", "estimate", "--memory", "much", "-o", "x"), "memory: 'much' is not a size"),
        (("headline", "generate", "m", "--words", "-1"), "words: expected at least 0, found -1"),
        (("train", "new", "--threads", "0"), "--threads"),
        (("realize", "--nbest", "x"), "nbest: expected a whole number, found 'x'"),
        (("tarin",), "train"),
        (("lm", "estimat"), "estimate"),
    ],
)
def test_a_bad_value_is_one_line(words: tuple[str, ...], message: str) -> None:
    assert message in refused(_as_result(*words))


STRANGE_NUMBERS = ["9" * 400, "9" * 5000, "nan", "-inf", "1e999", "²", "1_0x", "9" * 400 + "T", f"0,{'9' * 5000}"]


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_a_strange_number_is_one_line(path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each option that is a number; files are missing, so that a number that is taken ends in one line, too."""
    monkeypatch.chdir(tmp_path)
    arguments = list(ALL[path].assemble_argument_collection())
    files: list[str] = []
    for argument in arguments:
        if argument.required:
            files += [*([argument.names[0]] if argument.names[0].startswith("--") else []), "none"]
    for argument in arguments:
        if argument.parameter.parse is False or not argument.names[0].startswith("--"):
            continue
        if {int, float}.isdisjoint(types_in(argument.hint)):
            continue
        for number in STRANGE_NUMBERS:
            line = refused(_as_result(*path, *(files or ["none"]), f"{argument.names[0]}={number}"))
            assert len(line) < 900, line
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("path", [path for path in LEAVES if path not in [("demo",), ("presets",)]], ids=" ".join)
def test_a_missing_file_is_one_line(path: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words: list[str] = []
    for argument in ALL[path].assemble_argument_collection():
        if argument.required:
            words += [*([argument.names[0]] if argument.names[0].startswith("--") else []), "none"]
    refused(_as_result(*path, *words, *([] if words else ["none"])))
    assert not any(tmp_path.iterdir())


def test_options_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b\na c\n")
    config = toml(tmp_path, 'order = 2\noutput = "lm.arpa"\n')
    assert widl_text("lm", "estimate", tmp_path / "text", "--config", config).returncode == 0
    assert "ngram 2=" in (tmp_path / "lm.arpa").read_text()
    done = widl_text("lm", "estimate", tmp_path / "text", "--order", 1, f"--config={config}")  # the command line wins
    assert done.returncode == 0
    assert "ngram 2=" not in (tmp_path / "lm.arpa").read_text()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("order = 9", "options.toml:1: order: expected at most 6, found 9"),
        ("ordr = 2", "options.toml:1: unknown option 'ordr'; did you mean 'order'?"),
        ("order = [[1]]", "options.toml:1: order: expected text, a number, true or false, found a list"),
        ("# none\n\nprune = [\n  0,\n]\norder = 'x'", "options.toml:6: order: expected a whole number, found 'x'"),
        ("order 2", "options.toml: not TOML"),
        ("order = [1, 2]", "options.toml:1: order: expected one value, found a list"),
        ("output = 'a'\nno-order = 1", "options.toml:2: unknown option 'no-order'"),
    ],
)
def test_a_wrong_file_of_options_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    config = toml(tmp_path, text)
    line = refused(_as_result("lm", "estimate", "x", "-o", "y", "--config", str(config)))
    assert message in line
    assert "none: no such file" in refused(_as_result("lm", "estimate", "--config", str(tmp_path / "none")))
    assert refused(_as_result("lm", "estimate", "--config")) == "--config: expected one argument"


def test_switches_in_a_file_are_off_where_they_are_false(tmp_path: Path) -> None:
    app = program("translate")
    app.config = (OptionsFile(toml(tmp_path, "names = false\n")),)
    _, bound, _ = app.parse_args(["translate", "model"], exit_on_error=False, print_error=False)
    assert bound.arguments["options"] == TranslationOptions(names=False)
    config = toml(tmp_path, "no-names = true\n")
    assert "unknown option 'no-names'" in refused(_as_result("translate", "model", "--config", str(config)))


def test_a_dash_is_a_stream_or_the_value_of_an_option(tmp_path: Path) -> None:
    for name, text in (("a", "well - known cat"), ("b", "well - known cat"), ("c", "well - known dog")):
        (tmp_path / name).write_text(f"{text}\n")
    files = [tmp_path / name for name in "abc"]
    assert widl_text("combine", *files, "--without", "-").stdout == widl_text("combine", *files, "--without=-").stdout
    assert widl_text("combine", *files, "-o", "-").stdout == "well - known cat\n"
    assert widl_text("lm", "estimate", "-", "-o", tmp_path / "lm.arpa", text="a b\n").returncode == 0


def test_options_may_stand_between_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"{name} c\n")
    first, second = tmp_path / "a", tmp_path / "b"
    result = []
    for words in ((first, "--order", 2, second), ("--order", 2, first, second), (first, second, "--order=2")):
        assert widl_text("lm", "estimate", "-o", tmp_path / "lm.arpa", *words).returncode == 0
        result.append((tmp_path / "lm.arpa").read_text())
    assert result[0] == result[1] == result[2]
    assert "pop-limit: expected at least 0, found -" in refused(
        _as_result("translate", "m", "--pop-limit", "-1", "text")
    )


def test_a_commands_own_help_is_its_docstring() -> None:
    assert "empty line between" in " ".join(widl_text("realize", "--help").stdout.split())


def test_every_command_is_listed() -> None:
    assert {path[0] for path in ALL if path} == COMMANDS.keys()


def test_the_reference_is_made_from_the_commands(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["widl"])  # usage lines show the name of the running program
    page = Path(__file__).resolve().parents[2] / "docs" / "options.md"
    result = program(*COMMANDS).generate_docs("markdown", max_heading_level=2, usage_name="widl")
    result = result.replace("# widl\n", "# Options of all commands\n", 1)
    if pytestconfig.getoption("update_docs"):
        page.write_text(result, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == result, f"run pytest {__file__} --update-docs"
