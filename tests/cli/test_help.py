"""`--help` on a terminal of 80 columns."""

import re
from collections.abc import Iterator

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from widl.cli import app
from widl.cli.short_help import ABOUT, FIRST


def commands(command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


COMMANDS = dict(commands(get_command(app)))


def test_there_are_commands() -> None:
    assert {("train",), ("headline", "generate"), ("experiment", "translation")} <= COMMANDS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "widl")
def test_help_fits_and_nothing_is_cut_off(path) -> None:
    shows_all = [] if path in (name for name in COMMANDS if hasattr(COMMANDS[name], "commands")) else ["--help-all"]
    done = CliRunner().invoke(app, [*path, *(shows_all or ["--help"])], terminal_width=80)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert "\\b" not in done.output, "the mark of a block that is not to be wrapped, in a raw docstring"
    assert not re.search(r"[][{}<>][][{}<>]|[{}]", lines[0]), "brackets in brackets, or of some versions of typer only"
    assert max(map(len, lines)) <= 80
    words = {word.strip(",") for line in lines for word in line.split()}
    for parameter in COMMANDS[path].params:
        assert all(name in words for name in parameter.opts if name.startswith("--"))
        if parameter.param_type_name == "option" and "--help" not in parameter.opts:
            assert parameter.help.endswith((".", "…", ","))
    if "Commands:" in lines:  # one sentence each, whole
        listed = lines[lines.index("Commands:") + 1 :]
        assert len(listed) == len(COMMANDS[path].commands)
        assert all(line.endswith(".") and not line.endswith("...") for line in listed)


@pytest.mark.parametrize("name", FIRST)
def test_help_of_a_command_with_many_options_is_short(name) -> None:
    """The options that matter first, in their order, and a line for each group of the others."""
    command = COMMANDS[tuple(name.split())]
    options = {one for parameter in command.params for one in parameter.opts}
    assert set(FIRST[name]) < options
    assert 8 <= len(FIRST[name]) <= 12
    done = CliRunner().invoke(app, [*name.split(), "--help"], terminal_width=80)
    shown, _, more = done.output.partition(" more options, with --help-all:\n")
    listed = [re.findall(r"--[a-z-]+", line)[0] for line in shown.splitlines() if re.match(r"  (-., )?--[a-z]", line)]
    assert listed == [*FIRST[name], "--help", "--help-all"]
    groups = [line.strip() for line in more.splitlines() if line.strip()]
    assert all("(" in line or line.endswith(".") for line in groups)
    left_out = sum(parameter.param_type_name == "option" for parameter in command.params) - len(FIRST[name])
    assert int(shown.rsplit(None, 1)[-1]) == left_out - sum("--help" in one.opts for one in command.params)
    assert sum(map(int, re.findall(r"\((\d+)\)", more))) == int(shown.rsplit(None, 1)[-1])


def test_every_group_of_these_commands_says_what_it_is_for() -> None:
    for name in FIRST:
        for parameter in COMMANDS[tuple(name.split())].params:
            if parameter.param_type_name == "option":
                assert (getattr(parameter, "rich_help_panel", None) or "Options") in ABOUT


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: " ".join(path) or "widl")
def test_commands_with_few_options_show_all(path) -> None:
    options = [one for one in COMMANDS[path].params if one.param_type_name == "option"]
    assert len(options) <= 17 or " ".join(path) in FIRST
