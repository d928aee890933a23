"""No option is dropped in silence: what a mode does not read is refused by name, wherever it is set."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import pytest
from cyclopts import Parameter
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from tests.command import refused, toml, widl_text
from tests.common.test_options import ALL_SETS
from widl.cli.combine import EXPRESSION_READS as COMBINED
from widl.cli.enumerate import READS as ENUMERATED
from widl.cli.headline import EXPRESSION_READS as OF_HEADLINES
from widl.cli.train import TABLES_ALONE
from widl.cli.translate import EXPRESSION_READS as OF_TRANSLATIONS
from widl.combination import CombinationOptions
from widl.common.errors import InputError
from widl.common.options import (
    Modes,
    adjust,
    fields_of,
    for_model,
    given,
    modes_of,
    option_name,
    replace,
    set_in,
    unread_options,
)
from widl.common.validation_messages import types_in
from widl.decoder import RealizationOptions
from widl.experiments.bags import OrderSystem
from widl.experiments.config import read_config
from widl.experiments.headline_config import HeadlineSystem
from widl.experiments.translation_config import TranslationExperimentConfig
from widl.expressions.enumeration import EnumerationOptions
from widl.headline import HeadlineOptions
from widl.mert import TuningOptions
from widl.phrase_table.extraction import ExtractionResources
from widl.phrase_table.given_alignment import GivenAlignments
from widl.pipeline.training_files import TrainingFiles
from widl.pipeline.training_options import TrainingOptions
from widl.text.source_and_target import TextSettings
from widl.translation import TranslationOptions
from widl.web.request_bodies import Form

CHOSEN: dict[tuple[str, Any], dict[str, Any]] = {
    ("links", "given"): {"alignments": GivenAlignments(alignment=(Path("a"),))},
    ("links", "own"): {},
    ("words", "Chinese"): {},
    ("words", "other"): {"tokenized": True},
    ("search", "stack"): {"search": "stack", "decoder": "stack"},
}
"""How modes are chosen that are no options of their own, or need others."""


def other_value(name: str, info: FieldInfo) -> Any:
    """A value of an option that is not its default."""
    default = info.get_default(call_default_factory=True)
    kinds = list(types_in(info.annotation))
    if bool in kinds:
        return not default
    if choices := [get_args(kind) for kind in kinds if get_origin(kind) is Literal]:
        return next(choice for choice in itertools.chain(*choices) if choice != default)
    if Path in kinds or str in kinds:
        return ("x",) if get_origin(info.annotation) is not None and type(None) not in kinds else "x"
    return 0.25 if float in kinds else 3 if default is None else default + 1 if isinstance(default, int) else (1,)


def table() -> Iterator[tuple[type[Any], Modes, Any, str]]:
    """All modes of all option sets, with each option that some of them do not read."""
    for kind in ALL_SETS:
        for modes in modes_of(kind):
            for value, name in itertools.product(modes.reads, sorted({*itertools.chain(*modes.reads.values())})):
                yield kind, modes, value, name


@pytest.mark.parametrize(
    ("kind", "modes", "value", "name"), [*table()], ids=lambda part: getattr(part, "__name__", None) or str(part)[:20]
)
def test_every_mode_reads_an_option_or_refuses_it(kind: type[Any], modes: Modes, value: Any, name: str) -> None:
    chosen = CHOSEN.get((modes.option, value), {modes.option: value})
    chosen = {option: setting for option, setting in chosen.items() if option in kind.__pydantic_fields__}
    if kind is TranslationOptions and value == "stack" and "decoder" not in chosen:
        return
    info = fields_of(kind)[name]
    values = {**chosen, name: other_value(name, info)}
    try:
        options = kind(**chosen)
    except InputError:  # this set has no such mode
        assert modes.option == "search" or (kind is CombinationOptions and value is True)
        return
    if name not in modes.unread(getattr(options, modes.option)):
        if name not in unread_options(kind, values):  # another mode may refuse it
            assert given(kind(**values)).keys() >= {name}
        return
    with pytest.raises(InputError) as caught:
        kind(**values)
    assert option_name(name, info) in str(caught.value).split(":")[0]
    assert "does not read it; leave it out, or choose " in str(caught.value)
    assert modes.name(value) in str(caught.value) or (kind is HeadlineOptions and modes.option != "system")
    if (default := getattr(kind, name)) is not None:
        with pytest.raises(InputError):
            kind(**{**chosen, name: default})  # it is set, to the default


COMMANDS: list[tuple[list[str], str, type[Any], Any]] = [
    (["translate", "m", "--expression"], "--expression", TranslationOptions, OF_TRANSLATIONS),
    (["headline", "generate", "m", "--expression"], "--expression", HeadlineOptions, OF_HEADLINES),
    (["combine", "a", "b", "--expression"], "--expression", CombinationOptions, COMBINED),
    (["order", "--lm", "l", "--baseline", "G"], "baseline G", RealizationOptions, ("preset",)),
    *((["enumerate", f"--{name}"], f"--{name}", EnumerationOptions, reads) for name, reads in ENUMERATED.items()),
    *(
        (["train", "new", "--phrase-table", "t", "--lm", "l"], "a model without --bitext", kind, TABLES_ALONE)
        for kind in (TrainingFiles, TrainingOptions, ExtractionResources)
    ),
]


@pytest.mark.parametrize(("words", "mode", "kind", "reads"), COMMANDS, ids=lambda part: getattr(part, "__name__", None))
def test_every_command_refuses_what_it_does_not_read(
    words: list[str], mode: str, kind: type[Any], reads: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refusals = 0
    for name, info in fields_of(kind).items():
        is_hidden = any(isinstance(part, Parameter) and part.parse is False for part in info.metadata)
        if is_hidden or name in reads or name in ("bitext", "in_domain", "system"):
            continue
        if set_in(info.annotation) is GivenAlignments or name in fields_of(GivenAlignments):
            continue
        line = refused(_run(*words, *_as_words(name, info)))
        if "choose" not in line:  # as for pop-limit, which its default search reads
            assert line.startswith(f"{option_name(name, info)}: {mode} does not read it"), line
        refusals += 1
    assert refusals


def _as_words(name: str, info: FieldInfo) -> list[str]:
    value = other_value(name, info)
    if isinstance(value, bool):
        return [f"--{'' if value else 'no-'}{option_name(name, info)}"]
    if name == "memory":
        value = "900M"
    return [f"--{option_name(name, info)}", str(value[0] if isinstance(value, tuple) else value)]


def _run(*words: str) -> tuple[int, str, str]:
    done = widl_text(*words)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", [("--order", "3"), ("--prune", "1"), ("--symmetrization", "union")])
def test_training_without_text(words: tuple[str, ...]) -> None:
    line = refused(_run("train", "new", "--phrase-table", "t", "--lm", "l", *words))
    assert line == f"{words[0][2:]}: a model without --bitext does not read it; leave it out"


def test_options_of_a_training() -> None:
    assert "text that is tokenized or not Chinese" in _message(TrainingOptions, tokenized=True, rare_words=1)
    german = TextSettings(source_language="de")
    assert "rare-words: " in _message(TrainingOptions, text=german, rare_words=1)
    links = GivenAlignments(forward=(Path("a"),), reverse=(Path("b"),))
    assert TrainingOptions(alignments=links, symmetrization="union").symmetrization == "union"


def _message(kind: type[Any], **values: Any) -> str:
    with pytest.raises(InputError) as caught:
        kind(**values)
    return str(caught.value)


def test_the_same_refusal_everywhere(tmp_path: Path) -> None:
    message = "beam: search cube does not read it; leave it out, or choose search beam or search stack"
    assert _message(TranslationOptions, beam=0.5) == message
    assert refused(_run("translate", "m", "--beam", "0.5")) == message
    config = toml(tmp_path, "distortion_limit = 4\nbeam = 0.5\n")
    assert refused(_run("translate", "m", "--config", str(config))) == f"{config}:2: {message}"
    form: Form[str, Any] = Form("line", "lines", TranslationOptions, lambda line, _: line, "a")
    with pytest.raises(InputError, match=f"^options: {message}$"):
        form.parse(json.dumps({"line": "a", "options": {"beam": 0.5}}).encode(), most=1)
    assert form.parse(b'{"line": "a", "options": {"beam": 0.5, "search": "beam"}}', most=1).options.beam == 0.5


EXPERIMENT = """model = "m"
{shared}
[[test]]
name = "t"
source = "m"
[[system]]
name = "a"
weights = "m"
search = "astar"
[[system]]
name = "b"
weights = "m"
{own}
"""


@pytest.mark.parametrize(
    ("shared", "own", "message"),
    [
        ("beam = 0.5", "", ":2: system: beam: no system of this file reads it; leave it out"),
        ("", "beam = 0.5", ":13: system.1: beam: search cube does not read it"),
        ("pop_limits = 3", "", ":2: pop_limits: unknown key; there are "),
        ("", "pop_limits = 3", ":13: system.1: unknown option 'pop_limits'; did you mean 'pop_limit'?"),
        ("", "pop_limit = -3", ":13: system.1: pop-limit: expected at least 0, found -3"),
        ("pop_limit = -3", "", ":2: system.1: pop-limit: expected at least 0, found -3"),
        ("seed = 'x'", "", ":2: seed: expected a whole number, found 'x'"),
        ("", "glossary = 'none'", ":13: system.1: "),
    ],
)
def test_systems_of_an_experiment(tmp_path: Path, shared: str, own: str, message: str) -> None:
    (tmp_path / "m").write_text("")
    path = tmp_path / "config.toml"
    path.write_text(EXPERIMENT.format(shared=shared, own=own))
    with pytest.raises(InputError) as caught:
        read_config(path, TranslationExperimentConfig)
    assert f"{path}{message}".replace("system: beam", "the file: beam") in str(caught.value)


def test_options_of_all_systems_are_given_to_those_that_read_them(tmp_path: Path) -> None:
    (tmp_path / "m").write_text("")
    path = tmp_path / "config.toml"
    path.write_text(EXPERIMENT.format(shared="pop_limit = 7\nnbest = 3", own=""))
    exact, cube = read_config(path, TranslationExperimentConfig).system
    assert (exact.options, cube.options) == (
        TranslationOptions(search="astar", nbest=3),
        TranslationOptions(pop_limit=7, nbest=3),
    )


@pytest.mark.parametrize(
    ("kind", "keys", "message"),
    [
        (HeadlineSystem, {"system": "topiary", "nbest": 3}, "nbest: system topiary does not read it"),
        (HeadlineSystem, {"system": "lead", "nbest": 3}, "nbest: system lead does not read it"),
        (HeadlineSystem, {"system": "keywords", "bytes": 75}, ""),
        (OrderSystem, {"baseline": "G", "search": "astar"}, "search: baseline G does not read it"),
        (OrderSystem, {"baseline": "L"}, ""),
    ],
)
def test_baselines_of_experiments(kind: type[Any], keys: dict[str, Any], message: str) -> None:
    if not message:
        assert kind(name="a", **keys).name == "a"
        return
    with pytest.raises(ValidationError, match=message):
        kind(name="a", **keys)
    first = next(iter(keys))
    shared = kind.with_shared({"name": "a", first: keys[first]}, {"nbest": 3, "search": "astar"})
    assert shared.keys() == {"name", first}


# --- which options are set ---


def test_options_that_are_not_set_stay_so() -> None:
    options = HeadlineOptions(nbest=3)
    assert given(options) == {"nbest": 3}
    assert (options.words, replace(options, bytes=75).words, HeadlineOptions(bytes=75).words) == (12, 0, 0)
    assert (replace(HeadlineOptions(bytes=75), bytes=0).words, HeadlineOptions(bytes=75, words=10).words) == (12, 10)
    preset = TranslationOptions(preset="paper-2006")
    assert (preset.search, preset.k, preset.table_limit) == ("astar-k", 2, 10)
    assert replace(preset, search="astar") == TranslationOptions(preset="paper-2006", search="astar")
    assert replace(preset, decoder="stack").search == "stack"
    assert replace(replace(preset, decoder="stack"), decoder="widl") == preset
    assert replace(TranslationOptions(nbest=3), preset="paper-2006").nbest == 3
    assert given(TranslationOptions(preset=None, search=None)) == {}


def test_values_that_the_program_chooses_are_not_set() -> None:
    options = adjust(HeadlineOptions(system="lead"), max_seconds=1.0)
    assert (options.max_seconds, given(options)) == (1.0, {"system": "lead"})
    exact = adjust(TranslationOptions(preset="paper-2006"), search="astar")
    assert for_model(exact, entities="constraint") == exact  # the preset has its own
    exact = adjust(TranslationOptions(decoder="stack", beam=0.5), decoder="widl", search="astar")
    assert for_model(exact, entities="none").search == "astar"  # whoever sets the beam has not chosen this search


def test_what_a_model_determines_comes_before_defaults_alone() -> None:
    assert for_model(TranslationOptions(nbest=3), entities="constraint").entities == "constraint"
    assert for_model(TranslationOptions(entities="none"), entities="constraint").entities == "none"
    assert for_model(TuningOptions(passes=3), algorithm="mira").algorithm == "mira"
    with pytest.raises(InputError, match=r"passes: algorithm mert does not read it; .*choose algorithm mira"):
        for_model(TuningOptions(passes=3), algorithm="mert")
    assert for_model(TuningOptions(algorithm="mert"), algorithm="mira").algorithm == "mert"
    once = for_model(TuningOptions(), algorithm="mira")
    assert for_model(adjust(once, seed=3), algorithm="mert").algorithm == "mira"
