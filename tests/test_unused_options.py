"""Options that have no effect are refused, in Python, in files and on the command line; all others have one."""

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.mert.problems import translation_lists
from widl.cli.reference import option_sets, parameters
from widl.common.errors import InputError
from widl.common.options import UnusedOptionError, changed, fields_of, used_options
from widl.decoder import (
    LanguageModel,
    RealizationOptions,
    Realizer,
    bag,
    convert_language_model,
    estimate_language_model,
    parse_expression,
)
from widl.mert import Objective, OptimizerOptions, TuningSet, optimize
from widl.pipeline.demo import sample_corpus
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


# --- what has an effect is tried ---


def effects(
    run: Callable[..., object], base: Mapping[str, Any], values: Mapping[str, list[Any]]
) -> tuple[set[str], set[str]]:
    """The options that change what a run gives, and those that are refused."""
    before = run(**base)
    refused, effective = set(), set()
    for name, choices in values.items():
        if name in base:
            continue
        for choice in choices:
            try:
                after = run(**base, **{name: choice})
            except UnusedOptionError:
                refused.add(name)
            else:
                if after != before:
                    effective.add(name)
    return effective, refused


LINES = (sample_corpus() / "mono.en").read_text(encoding="utf-8").splitlines()[:200]


@pytest.fixture(scope="module")
def realized() -> Callable[..., object]:
    realizer = Realizer([LanguageModel.estimate(LINES)])
    words = [[word for word in line.split() if word.isalpha()][:7] for line in LINES[::25]]
    expressions = [bag(" ".join(line)) for line in words if len(line) > 2]
    expressions += [
        parse_expression("∨{0.4, 0.3, 0.3}(the, a, the)"),
        parse_expression("∥(×(the big), ∨(house, home now), is, red)"),
        parse_expression("∥(a, ×(the cat sat on), ∨(a mat, the), ∨(and so on, or, on))"),
    ]

    def run(**options: Any) -> object:
        try:
            results = list(realizer.realize(expressions, RealizationOptions(**options)))
        except InputError as error:
            if isinstance(error, UnusedOptionError):
                raise
            return str(error)
        shown = [json.loads(result.to_json()) | {"seconds": 0} for result in results]
        lattices = [result.lattice and result.lattice.arcs for result in results]
        return shown, lattices, [repr(result.record) for result in results]

    return run


REALIZATION = {
    "k": [0, 1, 5],
    "k_unit": ["tiles", "positions"],
    "order": ["estimate"],
    "beam": [0.9, 1e-5],
    "stack_size": [1, 3],
    "pop_limit": [1, 5],
    "bound": ["static", "context"],
    "max_words": [2, 3],
    "max_bytes": [8],
    "max_states": [5],
    "nbest": [3],
    "distinct": [True],
    "record": [5],
    "lattice_arcs": [1, 3],
    "lattice_beam": [0.01],
}
OF = {"": set(), "nbest": {"distinct"}, "lattice": {"lattice_arcs", "lattice_beam"}}
ALWAYS = {"bound", "max_words", "max_bytes", "max_states", "nbest", "record"}


@pytest.mark.parametrize("more", [{}, {"nbest": 3}, {"lattice": True}], ids=["one", "nbest", "lattice"])
@pytest.mark.parametrize("search", ["bfs", "astar", "astar-k", "beam", "stack", "cube"])
def test_realization(realized, search: str, more: dict[str, Any]) -> None:
    effective, refused = effects(realized, {"search": search} | more, REALIZATION)
    layers = {"beam", "stack_size"}
    own = {"astar-k": {"k", "k_unit", "order"}, "beam": layers, "stack": layers, "cube": {"pop_limit", *layers}}
    allowed = ALWAYS | own.get(search, set()) | OF[next(iter(more), "")]
    assert refused == REALIZATION.keys() - allowed - more.keys()
    assert not effective & refused
    # These count in larger spaces, or where a budget ends.
    assert effective >= allowed - more.keys() - {"order", "bound"}


OPTIMIZER = {"restarts": [1, 7], "random_directions": [0, 5], "min_gain": [5.0, 0.0], "passes": [1], "c": [1e-4, 5.0]}
OPTIMIZER |= {"seed": [7], "interpolation": [0.5], "normalization": ["none", "l2"]}


@pytest.mark.parametrize("algorithm", ["mert", "mira"])
def test_optimizers(algorithm: Any) -> None:
    lists, references = translation_lists(3)
    data = TuningSet(Objective("bleu", [references]))
    data.add(lists)
    start = {"lm0": 0.2, "noise": 0.3, "word_count": 1.0, "idle": 0.5}

    def run(**options: Any) -> object:
        found = optimize(data, start, OptimizerOptions(**options))
        return found.weights, found.ascents

    effective, refused = effects(run, {"algorithm": algorithm}, OPTIMIZER)
    own = {"mert": {"restarts", "random_directions", "min_gain"}, "mira": {"passes", "c"}}
    always = {"seed", "interpolation", "normalization"}
    assert refused == OPTIMIZER.keys() - always - own[algorithm]
    assert effective | refused == OPTIMIZER.keys()


CONVERSION = {"quantize": [4], "compress_pointers": [3]}
CONVERSION |= {"memory": [1 << 22], "temporary_directory": [Path(".")]}


KINDS = [{"kind": "rest"}, {"kind": "probing"}, {"kind": "trie"}, {"kind": "trie", "quantize": 8}]


@pytest.mark.parametrize("base", KINDS, ids=str)
def test_kinds_of_binaries(tmp_path: Path, base: dict[str, Any]) -> None:
    text = tmp_path / "text"
    text.write_text("\n".join(LINES), encoding="utf-8")
    estimate_language_model([text], tmp_path / "a.arpa")

    def run(**options: Any) -> object:
        convert_language_model(tmp_path / "a.arpa", tmp_path / "a.binary", **options)
        return (tmp_path / "a.binary").read_bytes()

    effective, refused = effects(run, base, CONVERSION)
    places = {"memory", "temporary_directory"}  # a trie's bytes do not depend on them
    if base["kind"] != "trie":
        assert refused == CONVERSION.keys()
    else:
        assert not refused
        assert effective == CONVERSION.keys() - places - base.keys()


# --- the command line and its files ---


@pytest.mark.parametrize(
    "parameter",
    [one for one in parameters() if one.option is not None and one.option.option.command_line.only_with],
    ids=lambda one: f"{one.command}-{one.option.option.key}",
)
def test_commands_refuse_it_also_with_its_default(parameter: Any, tmp_path: Path, monkeypatch: Any, capfd: Any) -> None:
    """Each command with each option that is for others; the command's own arguments are of any kind."""
    from widl.cli import main

    monkeypatch.chdir(tmp_path)
    one_option, owner = parameter.option.option, parameter.option.owner
    flag, default = one_option.annotation is bool, one_option.default
    shown = default if one_option.written is None else one_option.written.show(default)
    other = min(3, one_option.bounds.get("le", 3))
    value = [] if flag else [str(other if default in (None, (), frozenset()) else shown)]
    words = [*parameter.command.split(), f"--{one_option.cli_name}", *value]
    for one in parameters():
        if one.command == parameter.command and one.click.required:
            names = one.click.opts if one.click.param_type_name == "option" else []
            words += [*names[:1], "x"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    problem = f"error: {one_option.cli_name} has no effect here; it is for "
    conditions = one_option.command_line.only_with
    is_own = any(hasattr(owner(), other) for other in conditions)
    used = one_option.name in used_options(owner()) if is_own else "widl" in conditions["system"]
    assert (problem in capfd.readouterr().err) != used


def test_a_file_is_refused_and_the_command_line_overrides_it(tmp_path: Path, run: Any) -> None:
    model = tmp_path / "a.arpa"
    text = tmp_path / "text"
    text.write_text("the cat sat\n", encoding="utf-8")
    estimate_language_model([text], model)
    config = tmp_path / "c.toml"
    config.write_text("k = 3\n", encoding="utf-8")
    arguments = ["realize", "--lm", model, "--config", config]
    code, _, err = run(*arguments, stdin="the\n")
    assert (code, err) == (2, f"error: {config}: k has no effect here; it is for search astar-k\n")
    assert run(*arguments, "--search", "astar-k", stdin="the\n")[:2] == (0, "the\n")
    config.write_text('k = 3\nsearch = "astar-k"\n', encoding="utf-8")
    assert run(*arguments, stdin="the\n")[:2] == (0, "the\n")
    assert run(*arguments, "--search", "cube", stdin="the\n")[:2] == (0, "the\n")


