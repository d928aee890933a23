"""Every public function, fed with nonsense: the errors are of one family, in one line, and say what to pass."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import widl
from widl import (
    FileError,
    HeadlineOptions,
    Headliner,
    HeadlineTraining,
    InputError,
    LanguageModel,
    MissingFileError,
    Objective,
    PhraseTable,
    Realizer,
    Translator,
    Truecaser,
    parse,
    train_headlines,
)
from widl.alignment import WordAligner, prepare_bitext
from widl.common.files import read_toml
from widl.decoder import (
    read_weights,
)
from widl.experiments import TranslationExperimentConfig as Config
from widl.experiments import compare_experiments, read_bags, read_config, read_results
from widl.mert import read_nbest, write_nbest
from widl.phrase_table.building import build_from_files
from widl.text import content_faults
from widl.text.test_sets import read_test_set
from widl.translation.manifest import read_manifest

LINES = ["the cat sat", "the dog ran"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, trained: Path) -> SimpleNamespace:
    """Files of all kinds, and models."""
    folder = tmp_path_factory.mktemp("nonsense")
    (folder / "directory").mkdir()
    (folder / "text").write_text("".join(f"{line}\n" for line in LINES))
    (folder / "binary").write_bytes(bytes(range(256)) * 20)
    train_headlines(HeadlineTraining(pairs=(), text=[folder / "text"]), folder / "headlines")
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
    """Read a result that comes item by item."""
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
    "WordAligner.load": lambda path, _: WordAligner.load(path),
    "build_from_files": lambda path, made: build_from_files(made.folder / "t", path, made.text, made.text),
    "interpolate_language_models": lambda path, made: widl.interpolate_language_models(
        [path], made.folder / "lm.arpa", weights=[1]
    ),
    "estimate_language_model, vocabulary": lambda path, made: widl.estimate_language_model(
        made.text, made.folder / "lm.arpa", vocabulary=path
    ),
    "read_bags": lambda path, _: read_bags(path),
    "read_config": lambda path, _: read_config(path, Config),
    "read_nbest": lambda path, _: read_nbest([path]),
    "read_toml": lambda path, _: read_toml(path),
    "read_weights": lambda path, _: read_weights(path, ["lm0"]),
    "score_lines": lambda path, _: widl.score_lines(["a"], path),
    "Translator, language_models": lambda path, made: Translator(
        made.trained, weights=made.translator.weights | {"lm1": 0.1}, language_models=[path]
    ),
    "Translator, weights": lambda path, made: Translator(made.trained, weights=path),
    "Headliner, weights": lambda path, made: Headliner(made.headliner.directory, weights=path),
}
ANY_TEXT = {"count_lines"}  # takes any bytes


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


@pytest.mark.parametrize("name", [name for name in READERS if name not in ANY_TEXT])
def test_files_of_another_kind(made, name) -> None:
    with pytest.raises(InputError, match="binary") as caught:
        use(READERS[name](made.folder / "binary", made))
    assert is_one_line(caught.value)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_path(made, name) -> None:
    with pytest.raises(TypeError, match="pass a") as caught:
        use(READERS[name](7, made))
    assert is_one_line(caught.value)


# --- directories that are no models ---

DIRECTORIES: dict[str, Callable[[Any, Any], object]] = {
    "Headliner": lambda path, _: Headliner(path),
    "Translator": lambda path, _: Translator(path),
    "align": lambda path, made: widl.align(path, made.text, made.text),
    "read_manifest": lambda path, _: read_manifest(path),
    "read_results": lambda path, _: read_results(path),
    "compare_experiments": lambda path, made: compare_experiments([path, made.folder]),
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
    "PhraseTable: build_phrase_table": lambda path, made: widl.build_phrase_table(path, made.phrases),
    "build_from_files": lambda path, made: build_from_files(path, made.text, made.text, made.links),
    "estimate_language_model": lambda path, made: widl.estimate_language_model(made.text, f"{os.fspath(path)}.arpa"),
    "prune_table": lambda path, made: widl.prune_table(made.table, path, widl.Pruning()),
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
    "Objective": lambda value, _: Objective("bleu", value),
    "PhraseTable.options": lambda value, made: made.table.options(value),
    "Realizer, models": lambda value, _: Realizer(value),
    "Realizer.realize": lambda value, made: made.realizer.realize(value),
    "Translator.translate": lambda value, made: made.translator.translate(value),
    "Truecaser.restore": lambda value, _: Truecaser({}).restore(value),
    "content_faults": lambda value, _: content_faults(value, "zh", "en"),
    "extract_phrases, source": lambda value, _: widl.extract_phrases(value, ["a"], ["0-0"]),
    "extract_phrases, alignments": lambda value, _: widl.extract_phrases(["a"], ["a"], value),
    "order": lambda value, made: widl.order(value, [made.model]),
    "prepare_bitext": lambda value, made: prepare_bitext(value, made.folder / "bitext"),
    "read_expressions": lambda value, _: widl.read_expressions(value, name="text"),
    "read_test_set, references": lambda value, made: read_test_set(made.text, value),
    "realize, models": lambda value, made: widl.realize([made.expression], value),
    "symmetrize, reverse": lambda value, _: widl.symmetrize(["0-0"], value),
    "train, text": lambda value, made: widl.train(["a"], value, made.folder / "new"),
    "tune": lambda value, made: widl.tune(made.translator, value, [["a"]], directory=made.folder / "job"),
    "read_documents": lambda value, _: widl.read_documents(value),
}
OR_ONE = {"Realizer, models", "realize, models"}  # the path of a language model is one


@pytest.mark.parametrize("nonsense", ["a b", 7])
@pytest.mark.parametrize("name", MANY)
def test_one_where_many_were_expected(made, name, nonsense) -> None:
    if isinstance(nonsense, str) and name in OR_ONE:
        return
    try:
        found = MANY[name](nonsense, made)  # at the call, not when the first result is read
    except (TypeError, InputError) as error:
        assert isinstance(error, TypeError) or name.startswith("train_headlines"), error
        assert is_one_line(error)
        assert "pass a" in str(error) or "pass an" in str(error), error
    else:
        pytest.fail(f"no error, but {found!r}")
    assert not (made.folder / "new").exists()


# --- values ---

VALUES: dict[str, Callable[[Any], object]] = {
    "LanguageModel.estimate, order": lambda _: LanguageModel.estimate(LINES, order=99),
    "Realizer, weights": lambda made: Realizer([made.model], {"lmo": 1.0}).realize_one(made.expression),
    "Translator, distortion": lambda made: Translator(made.trained, distortion="sideways"),
    "Headliner.generate, search": lambda made: made.headliner.generate([], HeadlineOptions(search="x")),
    "enumerate_strings": lambda made: widl.enumerate_strings(made.expression, shuffle_count="x"),
    "estimate, memory": lambda made: widl.estimate_language_model(made.text, made.folder / "lm.arpa", memory=1),
    "score_lines": lambda made: widl.score_lines(["a <s>"], made.model),
    "word": lambda _: widl.word("a b"),
    "Objective": lambda _: Objective("blue", [["a"]]),
    "open_engine": lambda _: widl.open_engine("no address"),
    "estimate_language_model": lambda made: widl.estimate_language_model([_Stream()], made.folder / "a.arpa"),
}


class _Stream:
    name = "stream"

    def __init__(self) -> None:
        self._parts = [b"a <s> b\n"]

    def read(self, _size: int) -> bytes:
        return self._parts.pop() if self._parts else b""


@pytest.mark.parametrize("name", VALUES)
def test_values_out_of_range(made, name) -> None:
    with pytest.raises(InputError) as caught:
        use(VALUES[name](made))
    if not name.startswith("parse"):  # which point at the fault in a second line
        assert is_one_line(caught.value)


TYPES: dict[str, Callable[[Any], object]] = {
    "Translator.translate_one": lambda made: made.translator.translate_one(["a"]),
    "enumerate_strings": lambda _: widl.enumerate_strings("a b"),
    "from_json": lambda _: widl.from_json({}),
    "seq": lambda _: widl.seq("a", 7),
    "tune": lambda made: widl.tune(made.trained, ["a"], [["a"]], directory=made.folder / "job"),
    "word": lambda _: widl.word(7),  # type: ignore[arg-type]
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
