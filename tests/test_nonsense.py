"""Every public function with invalid arguments: the errors are of one family, take one line, and say what to pass."""

import os
from collections.abc import Callable, Iterator
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
    with pytest.raises(TypeError, match="expected str, bytes or os") as caught:
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
    "enumerate_strings": lambda _: widl.enumerate_strings("a b"),
    "tune": lambda made: widl.tune(made.trained, ["a"], [["a"]], directory=made.folder / "job"),
}


@pytest.mark.parametrize("name", TYPES)
def test_arguments_of_another_type(made, name) -> None:
    with pytest.raises(TypeError) as caught:
        TYPES[name](made)
    assert is_one_line(caught.value)


# --- a list is a list, a path is a path ---


def links(folder: Path) -> Path:
    path = folder / "links"
    path.write_text("0-0 1-1 2-2\n" * len(LINES))
    return path
