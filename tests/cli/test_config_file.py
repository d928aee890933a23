"""Options outside of option sets in ``--config`` files."""

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command

from tests.command import toml
from widl.cli.commands import Commands, ManyValues
from widl.cli.json_schemas import schemas
from widl.cli.option_sets import with_options
from widl.cli.parameters import Json, Output, Threads
from widl.cli.reference import parameters
from widl.common.errors import InputError
from widl.decoder import RealizationOptions

PARAMETERS = list(parameters())


def run(*arguments: object) -> dict[str, Any]:
    """What a command is called with when it is run with these arguments."""
    app = Commands()
    calls: list[dict[str, Any]] = []

    @app.command(cls=ManyValues)
    @with_options
    def command(
        files: Annotated[list[Path] | None, typer.Argument()] = None,
        *,
        lm: Annotated[list[Path], typer.Option("--lm")],
        options: RealizationOptions,
        output: Output = None,
        threads: Threads = 3,
        name: str | None = None,
        share: Annotated[float, typer.Option(max=1)] = 0.5,
        overwrite: Annotated[bool, typer.Option(help="Write over it.")] = False,
        as_json: Json = False,
        cluster: Annotated[str | None, typer.Option()] = None,
    ) -> None:
        """Do nothing."""
        calls.append(dict(locals()))

    get_command(app)(list(map(str, arguments)), standalone_mode=False)
    return {name: value for name, value in calls[-1].items() if name != "calls"}


def test_all_kinds_of_options(tmp_path) -> None:
    config = toml(
        tmp_path,
        'lm = ["a.arpa", "/b.arpa"]\nnbest = 7\noutput = "out"\nthreads = 2\nshare = 0.25\noverwrite = true\n'
        "json = true\ncluster = 4\n",
    )
    found = run("text", "--config", config)
    assert found.pop("options") == RealizationOptions(nbest=7)
    assert found == {
        "files": [Path("text")],
        "lm": [tmp_path / "a.arpa", Path("/b.arpa")],
        "output": tmp_path / "out",
        "threads": 2,
        "name": None,
        "share": 0.25,
        "overwrite": True,
        "as_json": True,
        "cluster": "4",
    }


def test_the_command_line_wins(tmp_path) -> None:
    config = toml(tmp_path, 'lm = ["a"]\nthreads = 2\noverwrite = true\noutput = "x"\n')
    found = run("--lm", "b", "--threads", 3, "--no-overwrite", "--config", config, "-o", "y")
    assert (found["lm"], found["threads"], found["overwrite"], found["output"]) == ([Path("b")], 3, False, Path("y"))


def test_a_dash_is_the_standard_stream(tmp_path) -> None:
    found = run("--config", toml(tmp_path, 'lm = ["a"]\noutput = "-"\n'))
    assert found["output"] == Path("-")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("threads = 0", "{config}: threads: "),
        ("threads = true", "{config}: threads: expected text or a number, found a bool"),
        ('lm = "a"', "{config}: lm: expected a list, found a str"),
    ],
)
def test_what_is_wrong_and_where(tmp_path, text, message) -> None:
    config = toml(tmp_path, text)
    with pytest.raises(InputError) as caught:
        run("--lm", "a", "--config", config)
    assert str(caught.value).startswith(message.format(config=config))
    assert "\n" not in str(caught.value)


def test_an_option_that_must_be_given_may_be_in_the_file(tmp_path) -> None:
    with pytest.raises(Exception, match="lm"):
        run("--config", toml(tmp_path, ""))
    assert run("--config", toml(tmp_path, "lm = ['a']"))["lm"] == [tmp_path / "a"]


def test_all_options_of_a_command_are_settable_and_in_its_schema() -> None:
    made = schemas()
    for command in {one.command for one in PARAMETERS if "--config" in one.click.opts}:
        options = [one for one in PARAMETERS if one.command == command and one.click.param_type_name == "option"]
        settable = [one for one in options if one.option is not None or one.alone is not None]
        assert [one.click.name for one in options if one not in settable] == ["config"]
        keys = {one.option.option.key if one.option is not None else one.alone.key for one in settable}
        assert set(made[command.removeprefix("widl ").replace(" ", "-")]["properties"]) == keys
        for one in settable:
            name = one.click.opts[0] if one.option is not None else f"--{one.alone.key.replace('_', '-')}"
            assert name in one.click.opts
            if one.alone is not None:
                assert one.alone.is_many == one.click.multiple
                assert (one.alone.kind is bool) == one.click.is_flag
