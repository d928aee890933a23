"""Every public function, class and method with arguments of wrong types: success, or one line of the package's own."""

import importlib
import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from enum import Enum
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from pydantic import BaseModel

import widl
from widl import InputError, mert
from widl.common.argument_types import checked, described
from widl.common.errors import WrongTypeError
from widl.decoder import CoreRealizer
from widl.experiments import TranslationExperimentConfig, measure_sizes, run_translation_experiment
from widl.text import LanguageIdentifier, SourceText, TargetText

LINES = ["the cat sat", "the dog ran"]
ROOMS = (
    *("text", "phrase_table", "expressions", "decoder", "mert", "translation", "headline", "combination", "pipeline"),
    *("experiments", "metrics"),
)

NONSENSE: dict[str, Callable[[], object]] = {
    "None": lambda: None,
    "3": lambda: 3,
    "-1.5": lambda: -1.5,
    "nan": lambda: float("nan"),
    "text": lambda: "x",
    "list of text": lambda: ["x"],
    "list of lists": lambda: [["x"]],
    "list of numbers": lambda: [7],
    "list of None": lambda: [None],
    "empty list": list,
    "mapping": lambda: {"x": "y"},
    "empty mapping": dict,
    "object": object,
    "generator": lambda: (["x"] for _ in range(2)),
    "bytes": lambda: b"x",
    "function": lambda: len,
    "class": lambda: int,
}

WRITERS = ("build", "import", "write", "Truecaser.save", "WordAligner.save")
STAGES = {"prepare", "search", "finish", "failed"}
"""Methods that only `widl.common.decoding` calls."""
LEFT_OUT = {
    **dict.fromkeys(("RealizedString", "HeadlineCandidate", "ResultCandidate", "Candidate"), "items of results"),
    **dict.fromkeys(("HeadlineSearch", "LatticeSource", "LatticeDecoder", "Problem"), "made by the package"),
    **dict.fromkeys(("Sentence", "SentenceReader", "Tiler", "ExtractedPhrases", "SearchRecord"), "made by the package"),
    **dict.fromkeys(("NGramModel", "TrainingText"), "of the core, made by the package"),
    **dict.fromkeys(("FeatureLayout", "FeatureVector"), "made by the package"),
    "run_demo": "makes all models of the demo when its other arguments are right",
    "measure_sizes": "measures for minutes when its arguments are right",
    "open_experiment": "the context of the package's experiments",
    "Tokenizer": "a protocol",
    "ClusterEngine": "needs a cluster; `open_engine` makes it",
    "check": "its single argument is a path, and a wrong one may be a directory of models",
}
"""Public names without the walk, and why."""


class Valid:
    """Valid arguments by name of the parameter, or by `name:parameter`, and objects by name of their class."""

    def __init__(self, folder: Path, demo: Path) -> None:
        self.folder, self.numbers = folder, count()
        text, links = folder / "text", folder / "links"
        text.write_text("".join(f"{line}\n" for line in LINES))
        links.write_text("0-0 1-1 2-2\n" * len(LINES))
        (folder / "lm.arpa").write_bytes(b"")
        model = widl.LanguageModel.estimate(LINES)
        realizer = widl.Realizer([model])
        translator, headliner = widl.Translator(demo / "model"), widl.Headliner(demo / "headlines")
        table = widl.PhraseTable.open(demo / "model" / "phrase-table.binary")
        result = realizer.realize_one("∥(the, cat)", lattice=True, search="bfs", record=100)
        objective = widl.Objective("bleu", [["a b"]])
        lists = mert.NbestLists(("lm0",), np.zeros(1, np.int64), ["a b"], np.zeros((1, 1)))
        tuning_set = mert.TuningSet(objective)
        tuning_set.add(lists)
        source = SourceText(widl.TextSettings(source_language="de"))
        truecaser = widl.Truecaser.train([line.split() for line in LINES])
        self.fixed: dict[str, Any] = {
            "source": text,
            "target": text,
            "Cleaning.fault:source": ["a"],
            "Cleaning.fault:target": ["a"],
            "PhraseTable.links:target": ["the"],
            "lines": LINES,
            "Combiner.combine:lines": [["a b", "a c"]],
            "combine:lines": [["a b", "a c"]],
            "Combiner.combine_one:outputs": ["a b", "a c"],
            "Combiner.expression:outputs": ["a b", "a c"],
            "outputs": 2,
            "inputs": ["猫"],
            "references": [["cat"]],
            "metric": "bleu",
            "words": ["the", "cat"],
            "HeadlineOptions.fits:words": 3,
            "tokens": ["the", "cat"],
            "texts": ["a b"],
            "question": "true",
            "phrase": "the",
            "documents": ["The cat sat on the mat."],
            "parse_documents:documents": [widl.Document("1", "The cat sat on the mat.")],
            "read_with_references:documents": [folder / "text"],
            "read_duc:documents": [folder / "text"],
            "document": "The cat sat on the mat.",
            "weights": {"lm0": 0.5},
            "path": text,
            "sentences": LINES,
            "Truecaser.train:sentences": [["the", "cat"]],
            "Objective.statistics:sentences": np.zeros(1, np.int64),
            "phrases_of:sentences": [["the", "cat"]],
            "sentence": LINES[0],
            "statistics": np.zeros((1, 10)),
            "begins": np.zeros(2, np.int64),
            "phrases": ["the"],
            "build_phrase_table:phrases": widl.extract_phrases(["a"], ["b"], ["0-0"]),
            "expression": "∥(the, cat)",
            "expressions": ["∥(the, cat)"],
            "to_json:expression": widl.parse("a b"),
            "ExpressionSpace:expression": widl.parse("a b"),
            "state": 0,
            "token": 0,
            "line": "猫",
            "text": "a b",
            "parse_objective:text": "bleu",
            "forward": ["0-0"],
            "reverse": ["0-0"],
            "count": 2,
            "word": "the",
            "lattice": result.lattice,
            "realizer": realizer,
            "best": result,
            "terms": ["the cat"],
            "alignment": links,
            "arpa": folder / "lm.arpa",
            "acceptor": widl.make_acceptor("a b"),
            "record": result.record,
            "sources": [text],
            "table": table,
            "schema": {"type": "object", "properties": {"a": {"type": "boolean"}}},
            "source_lines": ["a"],
            "target_lines": ["b"],
            "alignments": ["0-0"],
            "model": model,
            "tune:model": translator,
            "language_models": [model],
            "default_realization_weights:language_models": 1,
            "read_realization_weights:language_models": 1,
            "fst": str(folder / "text"),
            "language": "en",
            "cluster": None,
            "max_length": 3,
            "pruning": widl.Pruning(min_count=2),
            "models": [text],
            "name": "lines",
            "results": [result],
            "scorer": lambda texts: [0.0 for _ in texts],
            "language_model": model,
            "length": 2,
            "spans": {(0, 1): "a", (1, 2): "b"},
            "expmove": 0.5,
            "files": widl.TrainingFiles(bitext=[folder / "none"]),
            "training": widl.HeadlineTraining(lm_text=[folder / "none"]),
            "picture": widl.draw_expression("a b"),
            "file": folder / "picture.svg",
            "pairs": [("a", "b")],
            "source_language": "zh",
            "target_language": "en",
            "n": 3,
            "base": 0.5,
            "names": ["lm0"],
            "given": ["lm0"],
            "expected": ["lm0"],
            "where": "weights",
            "components": 1,
            "config": folder / "none.toml",
            "read_config:path": folder / "none.toml",
            "read_config:model": TranslationExperimentConfig,
            "kind": "translation",
            "multiplicities": [1, 2],
            "positions": 2,
            "alternatives": [(0, 1, ["a"])],
            "results_text:results": None,
            "write_experiment:results": None,
            "lists": [[mert.Candidate("a", (1.0,))]],
            "CandidatePool.add:lists": lists,
            "TuningSet.add:lists": lists,
            "start": {"lm0": 1.0},
            "data": tuning_set,
            "decode": lambda weights, size: [[mert.Candidate("a b", (1.0,))]],
            "objective": objective,
            "result": result,
            "seeds": [1],
            "states": 2,
            "final": 1,
            "arcs": (),
            "vocabulary": [b"a", b"b", b" "],
            "TokenConstraint:expression": "a b",
            "rows": [(True, {}, 0)],
            "usual": {"the": "the"},
            "settings": widl.TextSettings(),
            "truecaser": truecaser,
            "languages": ["en"],
            "string": "a",
            "probability": 0.5,
            "score": 0.5,
            "log_probabilities": (0.0,),
            "identifier": "1",
            "message": "m",
        }
        self.objects: dict[str, object] = {
            "Acceptor": widl.make_acceptor("a b"),
            "Cleaning": widl.Cleaning(),
            "Combiner": widl.Combiner(),
            "Constraint": widl.containing(["a"]),
            "Detokenizer": widl.Detokenizer(),
            "Headline": headliner.generate_one("The cat sat on the mat."),
            "Headliner": headliner,
            "LanguageModel": model,
            "LengthLimit": widl.LengthLimit(),
            "HeadlineOptions": widl.HeadlineOptions(),
            "Objective": objective,
            "PhraseTable": table,
            "Realizer": realizer,
            "TokenConstraint": widl.TokenConstraint("a b", [b"a", b"b", b" "]),
            "Translation": translator.translate_one("猫", nbest=2),
            "Translator": translator,
            "Truecaser": truecaser,
            "WordAligner": widl.WordAligner.load(demo / "model" / "alignment.gz"),
            "LanguageIdentifier": LanguageIdentifier(["en", "de"]),
            "SourceText": source,
            "TargetText": TargetText(widl.TextSettings(), truecaser),
            "Tokenizer": widl.make_tokenizer("en"),
            "NbestLists": lists,
            "CandidatePool": mert.CandidatePool(),
            "TuningSet": tuning_set,
            "Vocabulary": table.target_vocabulary,
            "Expression": widl.parse("a b"),
            "Lattice": result.lattice,
            "Scoring": widl.Scoring(lambda texts: [0.0 for _ in texts]),
            "CoreRealizer": CoreRealizer(table.target_vocabulary, [model]),
        }

    def of(self, name: str, parameter: str) -> Any:
        """A valid argument of a function."""
        is_output = parameter in ("directory", "output") or (parameter == "path" and name.startswith(WRITERS))
        if is_output and f"{name}:{parameter}" not in self.fixed:
            return self.folder / f"new{next(self.numbers)}"
        return self.fixed.get(f"{name}:{parameter}", self.fixed.get(parameter))


@pytest.fixture(scope="module")
def valid(tmp_path_factory: pytest.TempPathFactory, demo: Path) -> Valid:
    """Valid arguments, in a folder of their own."""
    return Valid(tmp_path_factory.mktemp("types"), demo)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where files with wrong names are written."""
    monkeypatch.chdir(tmp_path)


# --- the walk ---


NO_CALLS = (Exception, Enum, BaseModel)
"""Kinds of classes that callers do not make, or that pydantic checks."""


def public_names() -> dict[str, Any]:
    """Public functions, and classes, once each."""
    found: dict[str, Any] = {}
    for room in (widl, *(importlib.import_module(f"widl.{room}") for room in ROOMS)):
        for name in room.__all__:
            value = getattr(room, name)
            is_ours = inspect.isfunction(value) or (isinstance(value, type) and not issubclass(value, NO_CALLS))
            if is_ours and name not in LEFT_OUT and value not in found.values():
                found[name] = value
    return found


def is_option_set(kind: type) -> bool:
    """Whether a class has options, which it checks itself; its methods are for searches."""
    return hasattr(kind, "__pydantic_fields__")


def methods_of(kind: type) -> Iterator[str]:
    """The public methods that a class or a base of it in this package defines."""
    for name in dir(kind):
        owner = next(base for base in kind.__mro__ if name in vars(base)) if not name.startswith("_") else object
        member = inspect.getattr_static(kind, name)
        is_method = inspect.isroutine(member) or isinstance(member, classmethod | staticmethod)
        if owner.__module__.startswith("widl") and is_method and name not in STAGES:
            yield name


def calls() -> Iterator[tuple[str, Any, str]]:
    """Each public function, class and method: its name, itself or its class, and the method's name."""
    for name, value in public_names().items():
        if not isinstance(value, type):
            yield name, value, ""
            continue
        if value.__module__ != "widl._core" or name in widl.__all__:  # the core makes its own objects
            yield name, value, ""
        if not is_option_set(value):
            yield from ((f"{name}.{method}", value, method) for method in methods_of(value))


def parameters_of(function: Any) -> list[inspect.Parameter]:
    try:
        return [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    except ValueError:  # of the core: any number of arguments
        return []


def is_of_core(function: Any) -> bool:
    """Whether only the core knows the arguments."""
    try:
        inspect.signature(function)
    except ValueError:
        return True
    return False


def use(result: object) -> None:
    """Consumes what is made item by item, and opens what is opened."""
    if isinstance(result, Iterator):
        for _ in result:
            pass
    elif isinstance(result, AbstractContextManager) and type(result).__name__ == "_GeneratorContextManager":
        with result:
            pass


def problem_of_call(function: Any, arguments: list[Any], named: dict[str, Any]) -> str:
    """What is wrong with the error of a call; empty if there is nothing."""
    try:
        use(function(*arguments, **named))
    except InputError as error:
        text = str(error)
        return "" if "\n" not in text and "incompatible function" not in text else f"lines: {text}"
    except TypeError as error:
        own = "missing" in str(error) or "unexpected keyword" in str(error) or "positional" in str(error)
        return "" if own and error.__traceback__.tb_next is None else f"{type(error).__name__}: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


CALLS = {name: (value, method) for name, value, method in calls()}


def called_with(parameters: Sequence[inspect.Parameter], given: Callable[[str], Any], wrong: str, value: object) -> Any:
    """The positional and named arguments of a call: valid ones, and the wrong value of one parameter."""
    arguments: list[Any] = []
    named: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL and parameter.name == wrong:
            arguments, named = [*named.values(), value], {}
        elif parameter.name == wrong:
            named[wrong] = value
        elif parameter.default is parameter.empty and parameter.kind not in VARIABLE:
            named[parameter.name] = given(parameter.name)
    return arguments, named


VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def takes(parameter: inspect.Parameter, kind: str) -> bool:
    """Whether a wrong value says something: a function of another signature may raise whatever it likes."""
    is_function = "Callable" in str(parameter.annotation) and kind in ("function", "class")
    return parameter.kind is not parameter.VAR_KEYWORD and not is_function


def bound(valid: Valid, name: str) -> Any:
    """The function, class, or method of an object; None for a method without arguments."""
    value, method = CALLS[name]
    if not method:
        return value
    if isinstance(inspect.getattr_static(value, method), classmethod | staticmethod):
        return getattr(value, method)
    owner = name.partition(".")[0]
    if owner not in valid.objects and not parameters_of(getattr(value, method)):
        return None
    return getattr(valid.objects[owner], method)


@pytest.mark.parametrize("name", CALLS)
def test_wrong_types_are_named(valid: Valid, name: str) -> None:
    function = bound(valid, name)
    if function is None:
        return
    parameters = parameters_of(function)
    problems = []
    for parameter in parameters:
        for kind, make in NONSENSE.items():
            if takes(parameter, kind):
                arguments, named = called_with(parameters, lambda of: valid.of(name, of), parameter.name, make())
                if problem := problem_of_call(function, arguments, named):
                    problems.append(f"{name}({parameter.name}={kind}): {problem}")
    if CALLS[name][1] and is_of_core(function):
        for make in NONSENSE.values():
            found = [problem_of_call(function, [make() for _ in range(number)], {}) for number in (1, 2)]
            problems += [f"{name}: {problem}" for problem in found if problem]
    assert not problems, "\n".join(problems)


# --- what the messages say ---

MESSAGES: dict[str, tuple[Callable[[Valid], object], str]] = {
    "lists of words": (
        lambda v: list(widl.order([["cat"]], v.fixed["model"])),
        "lines: item 1 is a list; pass strings",
    ),
    "a sentence": (lambda v: v.fixed["model"].score(["the"]), "sentence: found a list; pass a string"),
    "a count": (lambda v: widl.at_least("3"), "count: found a str; pass a whole number"),
    "two constraints": (lambda v: widl.containing(["a"]) & "b", "second: found a str; write first & second"),
    "slots": (lambda v: widl.TokenConstraint("a", [b"a"], slots=["a"]), "slots: found a list; pass a mapping from a"),
    "a function of the core": (lambda v: v.objects["Vocabulary"].find(3), r"find: found \(int\); pass \(word: str\)"),
    "the demo": (lambda v: widl.run_demo(None), "directory: found None; pass a path"),
    "a check": (lambda v: list(widl.check(None)), "path: found None; pass a path"),
    "sizes": (lambda v: measure_sizes(3), "bags: found an int; pass a list of whole numbers"),
    "pairs": (
        lambda v: widl.tiles(2, {"a": "b"}, expmove=0.6),
        r"spans: found a str in a dict; pass a mapping from \(a whole number, a whole number\) to an Expression or",
    ),
    "a path": (lambda v: widl.Translator(3), "directory: found an int; pass a path"),
    "an expression": (lambda v: widl.Expression("a"), r"not made by a call; parse\(text\), seq"),
    "of a function inside": (lambda v: widl.audit_lattice(None, None, None), "lattice: found None; pass a Lattice"),
    "a configuration": (
        lambda v: run_translation_experiment({"model": "m"}, "out"),
        "config: found a dict; pass a TranslationExperimentConfig or a path",
    ),
    "a document": (lambda v: widl.Document("1", None), "text: found None; pass a string"),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_say_what_to_pass(valid: Valid, name: str) -> None:
    call, message = MESSAGES[name]
    with pytest.raises(InputError, match=message):
        call(valid)


def test_a_wrong_type_is_both_errors() -> None:
    for kind in (InputError, TypeError, ValueError):
        with pytest.raises(kind):
            widl.bag(3)


def test_missing_and_unknown_arguments_are_named_by_python() -> None:
    with pytest.raises(TypeError, match="'language_models'"):
        widl.realize(["a"])
    with pytest.raises(TypeError, match="'wrong'"):
        widl.at_least(count=1, wrong=2)


# --- the comparison with declared types ---


def test_what_fits_its_declaration_keeps_its_error() -> None:
    """A fault of ours is not blamed on the caller."""

    @checked
    def fails(words: Sequence[str], size: int | None = None, *more: float, **others: Any) -> None:
        raise AttributeError("inside")

    for arguments in ((["a"],), (("a",), 3), ([], np.int64(3), 1, 0.5)):
        with pytest.raises(AttributeError, match="inside"):
            fails(*arguments, other=object())
    for arguments, message in (
        (("a",), "words: found the string 'a'; pass a list of strings"),
        ((["a", 3],), "words: found an int in a list; pass a list of strings"),
        ((["a"], True), "size: found a bool; pass a whole number"),
        ((["a"], 1, "x"), r"more\[0\]: found the string 'x'; pass a number"),
    ):
        with pytest.raises(WrongTypeError, match=message) as caught:
            fails(*arguments)
        assert isinstance(caught.value.__cause__, AttributeError)


def test_a_generator_function_stays_one() -> None:
    @checked
    def lengths(lines: list[str]) -> Iterator[int]:
        for line in lines:
            yield len(line.split())

    assert list(lengths(["a b"])) == [2]
    with pytest.raises(WrongTypeError, match="lines: found bytes in a list"):
        list(lengths([b"a", 3]))


@pytest.mark.parametrize(
    ("hint", "value", "fits"),
    [
        (list[str] | None, None, True),
        (Mapping[str, float], {"a": 1}, True),
        (Mapping[str, float], {"a": "1"}, False),
        (Mapping[tuple[int, ...], float], {(1, 2): 0.5}, True),
        (tuple[str, int], ("a", 1), True),
        (tuple[str, int], ("a", "b"), False),
        (Callable[[str], int], len, True),
        (Callable[[str], int], 3, False),
        (Literal["a", "b"], "b", True),
        (Literal["a", "b"], "c", False),
        (Literal["a", "b"], ["c"], False),
        (Annotated[int, "at least 1"], 1, True),
        (type[int], int, True),
        (Any, object(), True),
        (Iterable[str], iter([1]), True),  # not consumed
        (float, np.float32(1), True),
        (float, "1", False),
        (str | os.PathLike[str], Path("a"), True),
        (str | os.PathLike[str], b"a", False),
    ],
)
def test_values_are_compared_with_types(hint: Any, value: object, fits: bool) -> None:
    def use_it(argument: Any) -> None:
        raise ValueError("inside")

    use_it.__annotations__["argument"] = hint
    with pytest.raises(ValueError, match="inside" if fits else "argument: found .*; pass ") as caught:
        checked(use_it)(value)
    assert isinstance(caught.value, WrongTypeError) is not fits
    assert described(hint)
