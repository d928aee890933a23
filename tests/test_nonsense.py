"""Every public function with invalid arguments: the errors are of one family, take one line, and say what to pass."""

import math
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import widl
from widl import (
    FileError,
    Headliner,
    HeadlineTraining,
    InputError,
    LanguageModel,
    MissingFileError,
    Objective,
    PhraseTable,
    Realizer,
    Translator,
    parse,
    train_headlines,
)
from widl.common.options import fields_of
from widl.common.validation_messages import types_in
from widl.experiments import TranslationExperimentConfig as Config
from widl.experiments import read_config
from widl.mert import write_nbest
from widl.phrase_table.building import build_from_files
from widl.text import content_faults

LINES = ["the cat sat", "the dog ran"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> SimpleNamespace:
    """Files of all kinds, and models."""
    folder = tmp_path_factory.mktemp("nonsense")
    (folder / "directory").mkdir()
    (folder / "text").write_text("".join(f"{line}\n" for line in LINES))
    (folder / "binary").write_bytes(bytes(range(256)) * 20)
    train_headlines(HeadlineTraining(pairs=(), lm_text=[folder / "text"]), folder / "headlines")
    model = LanguageModel.estimate(LINES)
    return SimpleNamespace(
        folder=folder,
        trained=trained,
        text=folder / "text",
        links=links(folder),
        headliner=Headliner(folder / "headlines"),
        translator=Translator(trained),
        model=model,
        realizer=Realizer([model]),
        table=PhraseTable.open(trained / "phrase-table.binary"),
        expression=parse("a b"),
        objective=Objective("bleu", [["a"]]),
        phrases=widl.extract_phrases(["a"], ["b"], ["0-0"]),
    )


def use(found: object) -> None:
    """Consumes a result that is produced item by item."""
    if isinstance(found, Iterator):
        for _ in found:
            pass
    elif hasattr(found, "__enter__") and not isinstance(found, PhraseTable):
        with found:
            pass


def is_one_line(error: BaseException) -> bool:
    return "\n" not in str(error) and "incompatible function arguments" not in str(error)


# --- files that can't be read ---

READERS: dict[str, Callable[[Any, Any], object]] = {
    "LanguageModel.load": lambda path, _: LanguageModel.load(path),
    "PhraseTable.open": lambda path, _: PhraseTable.open(path),
    "build_from_files": lambda path, made: build_from_files(made.folder / "t", path, made.text, made.text),
    "read_config": lambda path, _: read_config(path, Config),
    "Translator, weights": lambda path, made: Translator(made.trained, weights=path),
}


def unreadable(folder: Path) -> dict[str, tuple[str | Path, type[Exception]]]:
    return {
        "missing": (folder / "missing", MissingFileError),
        "in no directory": (folder / "none" / "missing", MissingFileError),
        "a directory": (folder / "directory", FileError),
        "too long a name": (folder / ("x" * 300), FileError),
        "no name": (f"{folder}/a\0b", FileError),
    }


@pytest.mark.parametrize("name", READERS)
def test_files_that_cannot_be_read(made, name) -> None:
    for path, error in unreadable(made.folder).values():
        with pytest.raises(error) as caught:
            use(READERS[name](path, made))
        assert isinstance(caught.value, InputError)
        assert is_one_line(caught.value)
        assert os.fspath(path).split("\0")[0][:200] in str(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_files_of_another_kind(made, name) -> None:
    with pytest.raises(InputError, match="binary") as caught:
        use(READERS[name](made.folder / "binary", made))
    assert is_one_line(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_path(made, name) -> None:
    with pytest.raises(TypeError, match=r"pass a path|pass a mapping") as caught:
        use(READERS[name](7, made))
    assert is_one_line(caught.value)


# --- directories without models ---

DIRECTORIES: dict[str, Callable[[Any, Any], object]] = {
    "Headliner": lambda path, _: Headliner(path),
    "Translator": lambda path, _: Translator(path),
}


@pytest.mark.parametrize("kind", ["missing", "a directory", "too long a name", "no name", "a file"])
@pytest.mark.parametrize("name", DIRECTORIES)
def test_directories_of_no_model(made, name, kind) -> None:
    path = made.text if kind == "a file" else unreadable(made.folder)[kind][0]
    for spelled in {path, str(path)}:
        with pytest.raises(InputError) as caught:
            use(DIRECTORIES[name](spelled, made))
        assert is_one_line(caught.value)
    if kind == "missing":
        assert isinstance(caught.value, MissingFileError)
    if kind == "a file":
        assert "a file, where the directory of a model" in str(caught.value)


# --- outputs that can't be written ---

WRITERS: dict[str, Callable[[Any, Any], object]] = {
    "build_phrase_table": lambda path, made: widl.build_phrase_table(path, made.phrases),
    "estimate_language_model": lambda path, made: widl.estimate_language_model(made.text, f"{os.fspath(path)}.arpa"),
    "write_nbest": lambda path, _: write_nbest(path, [], {}),
}


@pytest.mark.parametrize("kind", ["in no directory", "too long a name", "no name", "in a file"])
@pytest.mark.parametrize("name", WRITERS)
def test_outputs_that_cannot_be_written(made, name, kind) -> None:
    path = made.text / "x" if kind == "in a file" else unreadable(made.folder)[kind][0]
    with pytest.raises(FileError) as caught:
        use(WRITERS[name](path, made))
    assert is_one_line(caught.value)


# --- a string where many were expected ---

MANY: dict[str, Callable[[Any, Any], object]] = {
    "Combiner.combine": lambda value, _: widl.Combiner().combine(value),
    "Combiner.combine_one": lambda value, _: widl.Combiner().combine_one(value),
    "Constraint, avoiding": lambda value, _: widl.avoiding(value),
    "Constraint, containing": lambda value, _: widl.containing(value),
    "Headliner.parse": lambda value, made: made.headliner.parse(value),
    "TokenConstraint": lambda value, _: widl.TokenConstraint("a", value),
    "TokenConstraint, joined": lambda value, _: widl.TokenConstraint("a", [b"a"], joined=value),
    "combine": lambda value, _: widl.combine(value),
    "greedy_order": lambda value, made: widl.greedy_order(value, made.model),
    "order": lambda value, made: widl.order(value, made.model),
    "read_expressions": lambda value, _: list(widl.read_expressions(value, name="lines")),
    "realize": lambda value, made: widl.realize(value, made.model),
    "realize, language models": lambda value, _: widl.realize(["a"], value) if value == 7 else widl.realize(value, []),
    "Headliner.generate": lambda value, made: made.headliner.generate(value),
    "LanguageModel.estimate": lambda value, _: LanguageModel.estimate(value),
    "Realizer.realize": lambda value, made: made.realizer.realize(value),
    "Translator.translate": lambda value, made: made.translator.translate(value),
    "content_faults": lambda value, _: content_faults(value, "zh", "en"),
    "extract_phrases": lambda value, _: widl.extract_phrases(value, ["a"], ["0-0"]),
    "symmetrize": lambda value, _: widl.symmetrize(["0-0"], value),
    "tune": lambda value, made: widl.tune(made.translator, value, [["a"]], directory=made.folder / "job"),
}


@pytest.mark.parametrize("nonsense", ["a b", 7])
@pytest.mark.parametrize("name", MANY)
def test_one_where_many_were_expected(made, name, nonsense) -> None:
    try:
        result = MANY[name](nonsense, made)  # at the call, not when the first result is read
    except TypeError as error:
        assert is_one_line(error)
        assert "pass a" in str(error) or "pass an" in str(error), error
    else:
        pytest.fail(f"no error, but {result!r}")


# --- arguments of a wrong type ---

TYPES: dict[str, Callable[[Any], object]] = {
    "Translator.translate_one": lambda made: made.translator.translate_one(["a"]),
    "enumerate_strings": lambda _: widl.enumerate_strings(["a b"]),
    "TokenConstraint": lambda _: widl.TokenConstraint(7, [b"a"]),
    "count_derivations": lambda _: widl.count_derivations(7),
    "to_json": lambda _: widl.to_json("a b"),
    "train": lambda _: widl.train("own", "m"),
    "train, options": lambda _: widl.train(widl.TrainingFiles(), "m", {"threads": 2}),
    "train_headlines": lambda _: train_headlines("own", "m"),
    "translate, options": lambda made: made.translator.translate(["a"], 3),
    "realize, options": lambda made: widl.realize(["a"], made.model, {"nbest": 3}),
    "generate, options": lambda made: made.headliner.generate(["a"], {"nbest": 3}),
    "combine, options": lambda _: widl.combine([["a", "b"]], (), {"nbest": 3}),
    "Realizer, weights": lambda made: Realizer(made.model, [1.0]),
    "Realizer, constraint": lambda made: Realizer(made.model, constraint="the cat"),
    "realize, constraint": lambda made: widl.realize(["a"], made.model, constraint=["the cat"]),
    "realize, scorer": lambda made: widl.realize(["a"], made.model, scorer=3),
    "choice": lambda _: widl.choice(["a", "b"]),
    "choice, probabilities": lambda _: widl.choice("a", "b", probabilities=[0.2, 0.8]),
    "interleave": lambda _: widl.interleave(["a", "b"]),
    "combine, a text": lambda _: list(widl.combine([[None, "a"]])),
    "LanguageModel.estimate": lambda _: LanguageModel.estimate([["a", "b"]]),
    "LanguageModel.score_words": lambda made: made.model.score_words("the cat"),
    "LanguageModel.full_score_words": lambda made: made.model.full_score_words([7]),
    "LanguageModel.bound_words": lambda made: made.model.bound_words("the cat"),
    "TokenConstraint.allowed": lambda _: widl.TokenConstraint("a", [b"a"]).allowed(None),
    "TokenConstraint.mask": lambda _: widl.TokenConstraint("a", [b"a"]).mask("0"),
    "TokenConstraint.bias": lambda _: widl.TokenConstraint("a", [b"a"]).bias(1.5),
    "TokenConstraint.advance": lambda _: widl.TokenConstraint("a", [b"a"]).advance(0, None),
    "Translator, weights": lambda made: Translator(made.trained, weights=[1.0]),
    "Translator.reweighted": lambda made: made.translator.reweighted([1.0]),
    "Headliner, weights": lambda made: Headliner(made.headliner.directory, weights=[1.0]),
    "Combiner, weights": lambda _: widl.Combiner(weights=[1.0]),
    "a result by its number": lambda made: widl.realize(["a"], made.model)[0],
    "a headline by its number": lambda made: made.headliner.generate(["A text."])[0],
    "tune": lambda made: widl.tune(made.trained, ["a"], [["a"]], directory=made.folder / "job"),
}


@pytest.mark.parametrize("name", TYPES)
def test_arguments_of_another_type(made, name) -> None:
    with pytest.raises(TypeError) as caught:
        TYPES[name](made)
    assert is_one_line(caught.value)


def test_messages_say_how_it_is_written(made) -> None:
    for name, hint in {
        "choice": r"choice: .*f\(first, second\)|f\(first, second\)",
        "choice, probabilities": r"choice\(\('a', 0.2\), \('b', 0.8\)\)",
        "realize, constraint": r"containing\(\['the cat'\]\)",
    }.items():
        with pytest.raises(TypeError, match=hint):
            TYPES[name](made)


# --- what would have no effect ---

UNUSED: dict[str, tuple[Callable[[Any], object], str]] = {
    "scorer_weight": (lambda made: widl.realize(["a"], made.model, scorer_weight=3.0), "are of a scorer; pass scorer="),
    "scorer_candidates": (lambda made: widl.realize(["a"], made.model, scorer_candidates=2), "are of a scorer"),
    "slots": (lambda _: widl.TokenConstraint("a", [b"a"], slots={"blue": "a+"}), "slot 'blue': the expression has no"),
    "forms": (lambda _: widl.avoiding(["a"], {"b": ["c"]}), "forms: no term has the word 'b'"),
    "nbest of decoding": (
        lambda made: tune(made, decoding=widl.TranslationOptions(nbest=5)),
        "decoding: nbest: tuning chooses it; nbest=",
    ),
    "lattice of decoding": (lambda made: tune(made, decoding=widl.TranslationOptions(lattice=True)), "tuning chooses"),
    "system": (lambda _: Headliner(system="banana"), "no system 'banana'; there are widl, widl-paper, lead"),
    "one iteration": (lambda made: tune(made, max_iterations=1), "max-iterations: expected at least 2, found 1"),
    "iterations": (lambda made: tune(made, iterations=3), "did you mean 'max_iterations'"),
    "replications": (lambda made: tune(made, replications=3), "call tune for each seed"),
}


def tune(made, **options: Any) -> object:
    return widl.tune(made.translator, ["猫"], [["cat"]], directory=made.folder / "job", **options)


@pytest.mark.parametrize("name", UNUSED)
def test_what_has_no_effect_is_refused(made, name) -> None:
    call, message = UNUSED[name]
    with pytest.raises(InputError, match=message) as caught:
        call(made)
    assert is_one_line(caught.value)


@pytest.mark.parametrize("end", ["<s>", "</s>"])
def test_no_end_of_a_sentence_is_put_in_order(made, end: str) -> None:
    words = ["the", end, "cat"]
    for call in (
        lambda: list(widl.order([" ".join(words)], made.model)),
        lambda: widl.greedy_order(words, made.model),
        lambda: widl.inverse_lexicographic_order(words),
    ):
        with pytest.raises(InputError, match=f"{end} is an end of the sentence, which the language model adds"):
            call()


# --- functions of users ---


def fails(*_: object) -> Any:
    raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize(
    ("scorer", "message"),
    [
        (fails, r"scorer fails raised an error \(ZeroDivisionError: division by zero\)"),
        (lambda texts: -1.0, "gave a float; give a list with a number for each string"),
        (lambda texts: ["x"] * len(texts), "gave a list with 'x' in it; give a list with a number"),
        (lambda texts: ["0.5"] * len(texts), "gave a list with '0.5' in it"),
        (lambda texts: None, "gave None; give a list"),
    ],
)
def test_a_scorer_that_fails_is_an_error_of_the_call(made, scorer, message: str) -> None:
    """Not an empty result."""
    for use_it in (
        lambda: list(widl.realize(["∥(the, cat)"], made.model, scorer=scorer)),
        lambda: list(widl.rescore(widl.realize(["∥(the, cat)"], made.model), scorer)),
    ):
        with pytest.raises(InputError, match=message) as caught:
            use_it()
        assert is_one_line(caught.value)
        if scorer is fails:
            assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_a_metric_that_fails_is_named() -> None:
    for metric in (lambda h, r, s: fails(), lambda h, r: fails()):
        with pytest.raises(InputError, match=r"metric '.*' raised an error \(ZeroDivisionError") as caught:
            Objective(metric, [["a"]]).reported(["a"])
        assert is_one_line(caught.value)


# --- weights: one rule for all ---

WEIGHTED: dict[str, Callable[[Any, Any], Any]] = {
    "Translator": lambda made, weights: Translator(made.trained, weights=weights).weights,
    "Translator.reweighted": lambda made, weights: made.translator.reweighted(weights).weights,
    "Realizer": lambda made, weights: Realizer(made.model, weights).weights_of(made.expression),
    "Combiner": lambda made, weights: widl.Combiner(made.model, weights).weights_of(2),
    "Headliner": lambda made, weights: Headliner(made.headliner.directory, weights=weights).weights,
    "Headliner.reweighted": lambda made, weights: made.headliner.reweighted(weights).weights,
}


@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_that_are_given_change_and_others_stay(made, name) -> None:
    change = WEIGHTED[name]
    before = change(made, {})
    assert change(made, {"lm0": 0.25}) == {**before, "lm0": 0.25}
    assert before["lm0"] != 0.25
    for weights, message in {
        "nan": ({"lm0": float("nan")}, "the weight of lm0 must be a finite number, not nan"),
        "a truth value": ({"lm0": True}, "must be a finite number, not True"),
        "text": ({"lm0": "1"}, "must be a finite number, not '1'"),
        "negative": ({"lm0": -0.5}, "lm0 is negative"),
        "unknown": ({"lmo": 1.0}, "unknown feature 'lmo'.*did you mean 'lm[01]'"),
    }.values():
        with pytest.raises(InputError, match=message) as caught:
            change(made, weights)
        assert is_one_line(caught.value)


# --- numbers ---

NUMBERS: dict[str, Callable[[Any, Any], object]] = {
    "Translator.translate, threads": lambda n, made: made.translator.translate(["a"], threads=n),
    "realize, threads": lambda n, made: widl.realize(["a"], made.model, threads=n),
    "Headliner.generate, threads": lambda n, made: made.headliner.generate(["a"], threads=n),
    "combine, threads": lambda n, _: widl.combine([["a", "b"]], threads=n),
    "enumerate_strings, limit": lambda n, _: widl.enumerate_strings("a", limit=n),
    "TokenConstraint.advance": lambda n, _: widl.TokenConstraint("a", [b"a"]).advance(0, n),
    "TokenConstraint.mask": lambda n, _: widl.TokenConstraint("a", [b"a"]).mask(n),
}


@pytest.mark.parametrize("number", [-1, True, 1.5, "2"])
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_of_something(made, name, number) -> None:
    with pytest.raises((InputError, TypeError)) as caught:
        NUMBERS[name](number, made)
    assert is_one_line(caught.value)


def option_sets() -> list[type[Any]]:
    found = {value for value in (getattr(widl, name) for name in widl.__all__) if hasattr(value, "__pydantic_fields__")}
    return sorted((kind for kind in found if is_dataclass(kind)), key=lambda kind: kind.__name__)


@pytest.mark.parametrize("kind", option_sets(), ids=lambda kind: kind.__name__)
def test_a_truth_value_is_no_number_in_any_option(kind: type[Any]) -> None:
    for name, info in fields_of(kind).items():
        types = set(types_in(info.annotation))
        if types & {int, float} and not types & {bool, Any} and name in kind.__pydantic_fields__:
            with pytest.raises(InputError, match="found True"):
                kind(**{name: True})


def test_names_of_the_package() -> None:
    assert {name for name in dir(widl) if not name.startswith("__")} == set(widl.__all__)


# --- a list is a list, a path is a path ---


def links(folder: Path) -> Path:
    path = folder / "links"
    path.write_text("0-0 1-1 2-2\n" * len(LINES))
    return path


# --- a string where words, or an expression, were expected: the same as its words, or as the expression ---

SAME: dict[str, Callable[[Any], tuple[object, object]]] = {
    "Constraint.accepts": lambda _: (
        widl.exactly("the cat").accepts("the cat"),
        widl.exactly(["the", "cat"]).accepts(["the", "cat"]),
    ),
    "avoiding": lambda _: (
        [widl.avoiding(["said"]).accepts(text) for text in ("he said so", "s a i d")],
        [widl.avoiding([["said"]]).accepts(text) for text in (["he", "said", "so"], ["s", "a", "i", "d"])],
    ),
    "bag": lambda _: (widl.bag("the cat"), widl.bag(["the", "cat"])),
    "enumerate_strings": lambda _: (widl.enumerate_strings("∨(a, b c)"), widl.enumerate_strings(parse("∨(a, b c)"))),
    "count_derivations": lambda _: (widl.count_derivations("∥(a, b)"), widl.count_derivations(parse("∥(a, b)"))),
    "written_size": lambda _: (widl.written_size("∥(a, b)"), widl.written_size(parse("∥(a, b)"))),
    "make_acceptor": lambda _: (widl.make_acceptor("∥(a, b)"), widl.make_acceptor(parse("∥(a, b)"))),
    "draw_expression": lambda _: (
        widl.draw_expression("∥(a, b)").source,
        widl.draw_expression(parse("∥(a, b)")).source,
    ),
    "draw_graph": lambda _: (widl.draw_graph("∥(a, b)").source, widl.draw_graph(parse("∥(a, b)")).source),
    "interpolate_strings": lambda made: (
        widl.interpolate_strings("∥(cat, the)", made.model),
        widl.interpolate_strings(parse("∥(cat, the)"), made.model),
    ),
    "realize": lambda made: (
        [result.text for result in widl.realize(["∥(cat, the)"], made.model)],
        [result.text for result in widl.realize([parse("∥(cat, the)")], made.model)],
    ),
    "TokenConstraint": lambda _: tuple(
        widl.TokenConstraint(given, [b"a", b"b"]).allowed(0) for given in ("∨(a, b)", parse("∨(a, b)"))
    ),
    "Headliner.generate": lambda made: tuple(
        [result.text for result in made.headliner.generate([text])]
        for text in ("The cat sat down.", widl.Document("1", "The cat sat down."))
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_a_string_is_its_words_or_its_expression(made, name) -> None:
    given, expected = SAME[name](made)
    assert given == expected
    assert given


def test_all_unknown_weights_are_named(made) -> None:
    with pytest.raises(InputError, match=r"weights: unknown features 'lm1', 'words'; this model has .*'lm0'"):
        Realizer(made.model, {"lm1": 1.0, "words": 1.0, "widl3": 1.0})
    with pytest.raises(InputError, match="weights: the weight of lm0 must be a finite number, not nan"):
        Realizer(made.model, {"lm0": float("nan")})


def test_results_are_made_one_by_one(made) -> None:
    results = widl.realize(["a", "b"], made.model)
    with pytest.raises(TypeError, match=r"write list\(results\)\[0\], next\(results\) or a for loop"):
        results[0]
    assert [next(results).text, *(result.text for result in results)] == ["a", "b"]


def test_a_result_shows_why_it_is_none(made) -> None:
    good, empty = made.headliner.generate(["The cat sat on the mat on Monday, officials said.", ""])
    assert re.fullmatch(r"<Headline '.+' (headline|doubtful) score .*>", repr(good))
    assert repr(empty) == "<Headline '' none: the document has no words>"
    [forbidden] = widl.realize(["a"], made.model, constraint=widl.containing(["b"]))
    assert re.fullmatch(r"<RealizationResult '' proved_empty bound .*: .+>", repr(forbidden))


def test_headlines_have_the_same_keys_of_every_kind(made) -> None:
    texts = ["The cat sat on the mat on Monday, officials said.", "", "…", "no verb here"]
    keys = [result.as_dict().keys() - {"failure"} for result in made.headliner.generate(texts)]
    assert all(one == keys[0] for one in keys)
    assert {"kind", "confidence", "message", "id"} <= keys[0]


def test_models_that_are_none(made) -> None:
    """Weights where the models belong, and words to put in order under no model; a lattice has features of its own."""
    for nothing in ({}, {"lm0": 1.0}, set()):
        for run in (widl.realize, widl.order):
            with pytest.raises(TypeError, match=r"language_models: found .*; pass a list of language models"):
                run(["a b"], nothing)
    with pytest.raises(InputError, match="language_models: none; words are put in order under a language model"):
        widl.order(["a b"], [])


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, "1", None, True])
def test_weights_of_a_bias_are_finite_numbers(weight) -> None:
    constraint = widl.TokenConstraint("a", [b"a", b"<end>"], 1)
    with pytest.raises((InputError, TypeError), match=r"weight: found .*; pass a (finite )?number"):
        constraint.bias(constraint.start(), weight)
