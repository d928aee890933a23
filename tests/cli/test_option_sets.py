"""Options of option sets on the command line, in TOML files, and both together."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command

from tests.command import toml
from widl.alignment.given import GivenAlignments
from widl.cli.commands import Commands, ManyValues
from widl.cli.option_sets import Only, options_of, with_options
from widl.common.errors import InputError
from widl.common.options import option, option_set
from widl.mert import OptimizerOptions, TuningOptions
from widl.pipeline.training import TrainingOptions
from widl.translation import TranslationOptions


@option_set
class Named:
    """Options with names of their own."""

    most: Annotated[int, option("So many.", ge=1, name="phrases")] = 5
    files: Annotated[tuple[Path, ...], option("Where.", name="file")] = ()


@dataclass
class Run:
    """What a command was called with."""

    calls: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, *arguments: object) -> dict[str, Any]:
        """Run the command as the shell does."""
        app = Commands()
        calls = self.calls

        @app.command(cls=ManyValues)
        @with_options
        def command(
            path: str,
            *,
            training: TrainingOptions,
            translation: Annotated[
                TranslationOptions, Only("decoder", "search", "distortion_limit", "nbest", "distinct")
            ],
            tuning: TuningOptions,
            named: Named,
            alone: Annotated[int, typer.Option()] = 3,
        ) -> None:
            """Do nothing."""
            calls.append(
                {
                    "path": path,
                    "training": training,
                    "translation": translation,
                    "tuning": tuning,
                    "named": named,
                    "alone": alone,
                }
            )

        get_command(app)(list(map(str, arguments)), standalone_mode=False)
        return calls[-1]


@pytest.fixture
def run() -> Run:
    return Run()


def test_without_options_there_are_the_defaults(run) -> None:
    assert run("x") == {
        "path": "x",
        "training": TrainingOptions(),
        "translation": TranslationOptions(),
        "tuning": TuningOptions(),
        "named": Named(),
        "alone": 3,
    }


def test_options_of_sets_and_of_parts_on_the_command_line(run) -> None:
    found = run(
        "x", "--order", 4, "--source-language", "de", "--no-check-content", "--max-length", 9, "--distortion-limit",
        "none", "--search", "astar", "--no-distinct", "--nbest", 2, "--candidates", 7, "--restarts", 2,
        "--fix", "lm0", "lm1",
        "--bound", "lm2=0:1", "--phrases", 2, "--file", "a", "b", "--alone", 4, "--alignment", "links",
    )  # fmt: skip
    training = found["training"]
    assert (training.order, training.text.source_language) == (4, "de")
    assert (training.cleaning.content, training.cleaning.max_length) == (False, 9)
    assert training.alignments == GivenAlignments(symmetrized=(Path("links"),))
    assert found["translation"] == TranslationOptions(search="astar", distortion_limit=None, nbest=2, distinct=False)
    optimizer = OptimizerOptions(restarts=2, fixed=frozenset({"lm0", "lm1"}), bounds={"lm2": (0.0, 1.0)})
    assert found["tuning"] == TuningOptions(nbest=7, optimizer=optimizer)
    assert (found["named"], found["alone"]) == (Named(most=2, files=(Path("a"), Path("b"))), 4)


def test_a_file_says_the_same(run, tmp_path) -> None:
    config = toml(
        tmp_path,
        """
        order = 4
        target_language = "de"
        check_content = false
        distortion_limit = "none"
        candidates = 7
        fix = ["lm0"]
        bound = ["lm2=0:1"]
        phrases = 2
        file = ["a", "/b"]
        user_dictionary = "words"
        """,
    )
    found = run("x", "--config", config)
    assert (found["training"].order, found["training"].text.target_language) == (4, "de")
    assert not found["training"].cleaning.content
    assert found["training"].text.user_dictionary == tmp_path / "words"
    assert found["translation"].distortion_limit is None
    assert (found["tuning"].nbest, found["tuning"].optimizer.fixed) == (7, {"lm0"})
    assert found["tuning"].optimizer.bounds == {"lm2": (0.0, 1.0)}
    assert found["named"] == Named(most=2, files=(tmp_path / "a", Path("/b")))


def test_the_command_line_wins_over_the_file_and_the_file_over_defaults(run, tmp_path) -> None:
    config = toml(
        tmp_path,
        "order = 4\nnbest = 2\ndistinct = false\nphrases = 2\ndistortion_limit = 3\nbound = {lm0 = [0, 1]}\n",
    )
    found = run("x", "--config", config, "--order", 3, "--distinct", "--distortion-limit", 6)  # the last is the default
    assert found["training"].order == 3
    assert (found["translation"], found["named"].most) == (TranslationOptions(nbest=2), 2)
    assert found["tuning"].optimizer.bounds == {"lm0": (0.0, 1.0)}


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        ("ordr = 4\n", [], "{config}: unknown option 'ordr'; did you mean 'order'?"),
        ("order = 9\n", [], "{config}: order must be from 2 to 6, but is 9"),
        ("order = 9\n", ["--order", 8], "order must be from 2 to 6, but is 8"),
        ("max_length = 0\n", ["--order", 3], "{config}: max-length must be at least 1, but is 0"),
        ("= 3\n", [], "{config}: not TOML"),
    ],
)
def test_what_is_wrong_and_where(run, tmp_path, text, arguments, message) -> None:
    config = toml(tmp_path, text)
    with pytest.raises(InputError) as caught:
        run("x", "--config", config, *arguments)
    assert str(caught.value).startswith(message.format(config=config))
    assert "\n" not in str(caught.value)


def test_two_options_of_a_command_have_two_names() -> None:
    def command(*, named: Named, again: Named) -> None:
        """Both have the same options."""

    with pytest.raises(ValueError, match="phrases"):
        with_options(command)


def test_a_command_has_the_options_that_it_asks_for() -> None:
    def command(*, translation: Annotated[TranslationOptions, Only("k", "search")]) -> None:
        """Two options."""

    assert [one.option.name for one in options_of(command)] == ["search", "k"]
