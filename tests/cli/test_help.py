"""`--help` on a terminal of 80 columns."""

import re
from collections.abc import Iterator

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from widl.cli import app


def commands(command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from commands(inner, (*path, name))


COMMANDS = dict(commands(get_command(app)))


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


