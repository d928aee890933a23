"""`from widl import …`: the public names, which cost no time or memory before their first use."""

import importlib
import inspect
import logging
import pickle
import subprocess
import sys
import tomllib
import typing
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sacrebleu

import widl
from tests.cli.test_commands import ALL, LEAVES
from widl import (
    Document,
    HeadlineOptions,
    Headliner,
    HeadlineTraining,
    InputError,
    LanguageModel,
    Realizer,
    TranslationOptions,
    Translator,
    TuningOptions,
    parse,
    train_headlines,
    tune,
)
from widl.common.lazy import places_of
from widl.common.options import fields_of, on_command_line, set_in
from widl.expressions import parse_expression
from widl.phrase_table import learn_and_align
from widl.pipeline.demo import sample_corpus
from widl.pipeline.tuning_decoders import CLAUSE_BOUNDS

ROOT = Path(__file__).resolve().parents[1]
LINES = ["the cat sat on the mat", "the dog sat on the cat"]
FAST = TuningOptions(nbest=20, max_iterations=2, algorithm="mert", restarts=1, random_directions=1)

HEAVY = (
    "numpy", "scipy", "spacy", "pydantic", "typer", "rich", "sacrebleu", "rjieba", "sacremoses", "widl._core"
)  # fmt: skip


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    return set(done.stdout.split())


# --- names ---


def test_importing_widl_loads_nothing() -> None:
    assert modules_after("import widl; widl.__version__; dir(widl)") == set()


def test_a_name_loads_what_it_needs() -> None:
    assert modules_after("from widl import InputError") == {"widl._core"}
    assert not modules_after("from widl import parse, Realizer, LanguageModel") & {"spacy", "typer"}
    assert not modules_after("import widl.text.source_and_target, widl.phrase_table.bitext") & {"rjieba", "sacremoses"}


def test_every_public_name_is_there() -> None:
    assert sorted(widl.__all__) == sorted(places_of(widl.__file__))
    for name in widl.__all__:
        assert getattr(widl, name).__doc__, name
        assert not name.startswith("_"), name
    assert set(widl.__all__) <= set(dir(widl))
    assert parse is parse_expression
    assert (Realizer.__name__, Realizer.__module__) == ("Realizer", "widl.decoder.realizer")


ROOMS = (
    *(
        "text",
        "phrase_table",
        "expressions",
        "decoder",
        "metrics",
        "mert",
        "translation",
        "headline",
        "pipeline",
        "experiments",
    ),
    "web",
)


@pytest.mark.parametrize("name", ROOMS)
def test_the_names_of_a_room(name) -> None:
    room = importlib.import_module(f"widl.{name}")
    assert len(set(room.__all__)) == len(room.__all__)
    for public in room.__all__:
        result = getattr(room, public)
        if isinstance(result, type) or inspect.isroutine(result):
            assert result.__doc__, public
    assert set(room.__all__) <= set(dir(room))
    if places := places_of(room.__file__):
        assert sorted(room.__all__) == sorted(places)


def test_public_names_belong_to_a_room() -> None:
    """Each public name of `widl` exists in a subpackage, under the same name or its import alias."""
    for module, name in places_of(widl.__file__).values():
        assert name in importlib.import_module(module).__all__, (module, name)


def test_what_is_sent_to_other_processes() -> None:
    """Documents, expressions and errors can be pickled for use on a cluster or with multiprocessing."""
    sent = [
        Document("1", "text", ("headline",)),
        widl.UnreadableDocument("1", "message"),
        parse("∥{2 1: 0.8, perms: 0.2}(×(the · captives), finally)"),
        widl.enumerate_strings(parse("a b"))[0],
        widl.PhraseOption(("a",), (0.0, 0.0, 0.0, 0.0), (1, 1, 1), ((0, 0),)),
        next(widl.score_lines(["the cat"], LanguageModel.estimate(LINES))),
    ]
    for item in sent:
        assert pickle.loads(pickle.dumps(item)) == item, item
    for error in (InputError("a: b"), widl.FileError("a: b"), widl.MissingFileError("a: b")):
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy)) == (type(error), "a: b")
        assert isinstance(type(error).__new__(type(error)), InputError)  # as in a cluster's pickles
    for function in (parse, widl.realize, widl.order, widl.tokenize, widl.train, tune):
        assert pickle.loads(pickle.dumps(function)) is function


# --- errors and messages ---


def test_a_missing_file_with_a_name_like_it(tmp_path) -> None:
    (tmp_path / "news.txt.gz").touch()
    with pytest.raises(widl.MissingFileError, match=r"news.txt: no such file; did you mean 'news.txt.gz'\?"):
        widl.estimate_language_model(tmp_path / "news.txt", tmp_path / "lm.arpa")


def test_messages_go_to_the_logger_widl(tmp_path, caplog, capfd) -> None:
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("widl").handlers)
    (tmp_path / "text").write_text("".join(f"{line}\n" for line in LINES))
    with caplog.at_level(logging.INFO, logger="widl"):
        widl.estimate_language_model(tmp_path / "text", tmp_path / "lm.arpa")
        LanguageModel.load(tmp_path / "lm.arpa")
        learn_and_align([" ".join(["a"] * 1001), "b"], ["a", "b"])
    levels = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert all(record.name.startswith("widl.") for record in caplog.records)
    assert ("INFO", f"{tmp_path / 'lm.arpa'}: opened a language model of order 3") in levels
    assert ("WARNING", "1 pairs with more than 1,000 tokens on a side were left unaligned") in levels
    assert any(level == "WARNING" and "using 0.5, 1 and 1.5" in message for level, message in levels)
    assert capfd.readouterr() == ("", "")


# --- translating and tuning ---


@pytest.fixture(scope="module")
def dev() -> tuple[list[str], list[str]]:
    lines = [(sample_corpus() / f"dev.{side}").read_text(encoding="utf-8").splitlines() for side in ("zh", "en")]
    return lines[0][:6], lines[1][:6]


def test_one_line(translator, trained) -> None:
    [expected] = translator.translate(["总统在北京。"])
    assert translator.translate_one("总统在北京。").text == expected.text
    weights = translator.weights | {"word_count": 2.0}
    assert Translator(trained, weights=weights).weights["word_count"] == 2.0
    with pytest.raises(InputError, match="unknown feature 'word_cont'"):
        Translator(trained, weights=translator.weights | {"word_cont": 2.0})


@pytest.mark.slow
def test_tuning_a_translator(translator, trained, dev, tmp_path) -> None:
    seen = []
    options = TranslationOptions(distortion_limit=2, pop_limit=50)
    result = tune(
        translator, *([dev[0], [dev[1]]]), directory=str(tmp_path / "job"), decoding=options, options=FAST,
        on_iteration=seen.append,
    )  # fmt: skip
    assert [iteration.number for iteration in seen] == [1, 2]
    assert result.score == max(iteration.score for iteration in seen)
    assert result.values.keys() == {"bleu"}
    assert list(result.weights) == translator.features
    assert result.weights["unknown"] == translator.weights["unknown"]
    # The score equals decoding with the tuned weights, which are in the file too.
    texts = [item.text for item in translator.reweighted(result.weights).translate(dev[0], options)]
    assert sacrebleu.corpus_bleu(texts, [dev[1]]).score == pytest.approx(result.score, abs=1e-6)
    assert Translator(trained, weights=tmp_path / "job" / "weights.toml").weights == result.weights
    assert translator.weights == Translator(trained).weights


@pytest.mark.slow
def test_tuning_goes_on(translator, dev, tmp_path) -> None:
    def run(**options: object):
        options = {"directory": tmp_path / "job", "metric": "chrf", "options": FAST} | options
        return tune(translator, dev[0], [dev[1]], **options)

    first = run()
    assert first.values.keys() == {"chrf"}
    assert run(threads=2) == first
    with pytest.raises(InputError, match='has objective = "chrf", not "bleu"; run the original command to resume'):
        run(metric="bleu")
    with pytest.raises(InputError, match=r"has decoding\.distortion_limit = \d+, not 2"):
        run(decoding=TranslationOptions(distortion_limit=2))
    with pytest.raises(InputError, match="was started with different inputs"):
        tune(translator, dev[0][::-1], [dev[1]], directory=tmp_path / "job", metric="chrf", options=FAST)
    fresh = run(directory=tmp_path / "new", metric=None)
    assert (tmp_path / "new" / "weights.toml").read_text() == "".join(
        f"{name} = {value!r}\n" for name, value in fresh.weights.items()
    )


@pytest.mark.slow
def test_options_of_translation_by_name(translator, dev) -> None:
    [expected] = translator.translate(dev[0][:1], TranslationOptions(nbest=3))
    for result in (
        next(translator.translate(dev[0][:1], nbest=3)),
        next(translator.translate(dev[0][:1], TranslationOptions(pop_limit=1500), nbest=3)),
        translator.translate_one(dev[0][0], nbest=3),
    ):
        assert result.texts == expected.texts
    assert len(expected.nbest) == 3
    assert type(expected.features) is type(expected.nbest[1].features)
    with pytest.raises(InputError, match="unknown option 'nbset'; did you mean 'nbest'"):
        translator.translate(dev[0], nbset=3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"references": ["a line"]}, "references: found the string 'a line'; pass a list of streams"),
        ({"references": [["a line"]]}, "inputs: 6 lines, but the references have 1"),
        ({"options": replace(FAST, fixed=frozenset({"x"}))}, "no feature 'x'"),
    ],
)
def test_what_cannot_be_tuned(translator, dev, tmp_path, change, message) -> None:
    arguments = {"inputs": dev[0], "references": [dev[1]], "options": FAST} | change
    with pytest.raises((InputError, TypeError), match=message):
        tune(translator, directory=tmp_path / "job", **arguments)
    assert not (tmp_path / "job").exists()


def test_lines_that_are_read_once_are_tuned(translator, dev, tmp_path) -> None:
    """Generators of inputs and of references are as lists of them."""
    once = tune(
        translator, iter(dev[0]), (iter(stream) for stream in [dev[1]]), directory=tmp_path / "once", options=FAST
    )
    assert once.weights == tune(translator, dev[0], [dev[1]], directory=tmp_path / "job", options=FAST).weights


# --- headlines ---

STORIES = [
    Document(str(i), text, (headline,))
    for i, (text, headline) in enumerate(
        [
            ("Iran attacked three tankers in the Gulf on Monday, officials said.", "Iran attacks tankers in Gulf"),
            ("The Bank of Japan raised its interest rate on Friday.", "Bank of Japan raises interest rate"),
            ("A storm hit the coast of Spain and two people died.", "Storm kills two in Spain"),
        ],
        start=1,
    )
]


@pytest.fixture(scope="module")
def headliner(tmp_path_factory) -> Headliner:
    folder = tmp_path_factory.mktemp("headlines")
    (folder / "text").write_text("".join(f"{story.text}\n" for story in STORIES), encoding="utf-8")
    train_headlines(HeadlineTraining(pairs=(), lm_text=[folder / "text"]), folder / "model")
    return Headliner(str(folder / "model"))


def test_models_of_the_other_kind_are_named(headliner, trained) -> None:
    with pytest.raises(InputError, match=r"model: this is a translation model; the command needs a headline model"):
        Headliner(trained)
    with pytest.raises(InputError, match=r"model: this is a headline model; the command needs a translation model"):
        Translator(headliner.directory)


def test_headline_weights(headliner) -> None:
    weights = headliner.weights | {"word_count": -1.0}
    assert Headliner(headliner.directory, weights=weights).weights == weights
    assert Headliner(headliner.directory, weights={"word_count": -1.0}).weights == weights


@pytest.mark.slow
def test_tuning_a_headliner(headliner, tmp_path) -> None:
    options = HeadlineOptions(max_seconds=0)
    own = tune(headliner, STORIES, directory=tmp_path / "own", decoding=options, options=FAST)
    assert own.values.keys() == {"rouge1"}
    assert all(low <= own.weights[name] <= high for name, (low, high) in CLAUSE_BOUNDS.items() if name in own.weights)
    written = tmp_path / "own" / "weights.toml"
    assert written.exists() == own.moved
    assert not own.moved or tomllib.loads(written.read_text()) == own.weights
    assert headliner.reweighted(own.weights).generate_one(STORIES[0].text, options).text
    # Texts with references are the same task as documents with these headlines.
    texts, references = [story.text for story in STORIES], [[story.headlines[0] for story in STORIES]]
    given = tune(headliner, texts, references, directory=tmp_path / "given", decoding=options, options=FAST)
    assert given.weights == own.weights


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inputs": []}, "inputs: no documents"),
        ({"inputs": ["text"]}, "document 1 has no headline"),
        ({"decoding": TranslationOptions()}, "with HeadlineOptions"),
    ],
)
def test_what_headlines_cannot_be_tuned_on(headliner, tmp_path, change, message) -> None:
    arguments = {"inputs": STORIES, "options": FAST} | change
    with pytest.raises(InputError, match=message):
        tune(headliner, directory=tmp_path / "job", **arguments)


# --- commands and functions ---

FUNCTIONS: dict[str, Callable[..., object]] = {
    "train": widl.train,
    "align": widl.align,
    "translate": Translator.translate,
    "tune translation": tune,
    "tune headline": tune,
    "enumerate": widl.enumerate_strings,
    "realize": widl.realize,
    "order": widl.order,
    "combine": widl.combine,
    "headline train": train_headlines,
    "headline generate": Headliner.generate,
    "lm estimate": widl.estimate_language_model,
    "lm convert": widl.convert_language_model,
    "phrase-table build": widl.build_from_files,
    "phrase-table prune": widl.prune_table,
    "phrase-table import": widl.import_moses,
}
"""Maps each command with option sets to the equivalent function."""
WITHOUT_ONE = {"tune combination", "tune nbest", "import-moses"}
"""Commands that take a few calls in Python; docs/python.md shows the first two."""


def options_in(function: Callable[..., object]) -> set[str]:
    """Keyword options of a function, including the fields of its option sets."""
    hints = typing.get_type_hints(function, include_extras=True)
    names: set[str] = set()
    for name in inspect.signature(function).parameters:
        kind = set_in(hints.get(name))
        names |= {name} if kind is None else fields_of(kind).keys()
    return names


def sets_of_command(function: Callable[..., object]) -> set[str]:
    """Options of a command's option sets that are available on the command line, without those of commands alone."""
    kinds = map(set_in, typing.get_type_hints(function, include_extras=True).values())
    kinds = [kind for kind in kinds if kind is not None and not kind.__module__.startswith("widl.cli")]
    result = [item for kind in kinds for item in fields_of(kind).items()]
    return {name for name, info in result if on_command_line(info).parse is not False}


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_each_command_has_a_function_with_the_same_options(path: tuple[str, ...]) -> None:
    command = ALL[path].default_command
    expected, name = sets_of_command(command), " ".join(path)
    if not expected or name in WITHOUT_ONE:
        assert name not in FUNCTIONS
        return
    assert expected <= options_in(FUNCTIONS[name])


def test_options_by_name_reach_sets_inside_of_sets(demo: Path, tmp_path: Path) -> None:
    headliner = Headliner(demo / "headlines")
    text = "The mayor of Springfield opened a new school on Monday. The building cost four million dollars."
    assert len(headliner.generate_one(text, bytes=30).text.encode()) <= 30
    with pytest.raises(InputError, match="unknown option 'byte'; did you mean 'bytes'"):
        headliner.generate_one(text, byte=30)
    lines, references = ["我们明天出发。", "天气很好。"], [["We leave tomorrow .", "The weather is good ."]]
    more = {"algorithm": "mert", "restarts": 0, "random_directions": 0, "lowercase": True, "pop_limit": 20}
    translator = Translator(demo / "model")
    result = tune(translator, lines, references, directory=tmp_path / "job", nbest=5, max_iterations=2, **more)
    assert 1 <= len(result.iterations) <= 2
    assert len(repr(result)) < 80
    assert {"number", "score", "bleu", "lm0"} <= result.records()[0].keys()
    assert result._repr_html_().startswith("<")
    with pytest.raises(InputError, match="unknown option 'iterations'"):
        tune(translator, lines, references, directory=tmp_path / "other", iterations=2)


def test_results_are_records_and_tables() -> None:
    [result] = widl.order(["sat the cat"], [LanguageModel.estimate(LINES)], nbest=3)
    first, *_ = result.records()
    assert (first["text"], first["score"]) == (result.text, result.score)
    assert "lm0" in first
    assert "the cat sat" in result._repr_html_()


def test_a_text_is_cleaned_as_one_of_a_file_is(headliner) -> None:
    text = "<p>The bank&amp;union <b>called</b> for a strike.</p>"
    [of_list] = headliner.generate([text])
    assert headliner.generate_one(text).text == of_list.text
    assert "<" not in of_list.text
    assert "&amp;" not in of_list.text
