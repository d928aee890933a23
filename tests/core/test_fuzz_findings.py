"""Fuzzer seeds and findings are read without a crash: a result, or a one-line error."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from widl._core import AlignmentModel, symmetrize
from widl.common.errors import InputError
from widl.decoder import LanguageModel
from widl.phrase_table.moses_text import import_moses

FOLDER = Path(__file__).parents[1] / "data" / "fuzz"
WORDS = "a b c unknown b a a c b c".split()


def read_language_model(path: Path, _scratch: Path) -> None:
    model = LanguageModel.load(path)
    assert not any(map(math.isnan, [*model.bound_words(WORDS), *model.score_words(WORDS)]))
    assert all(length <= model.order for _score, length, _known in model.full_score_words(WORDS))


def read_alignment(path: Path, _scratch: Path) -> None:
    content = path.read_text(errors="replace")
    if content.startswith("widl"):
        model = AlignmentModel.parse(content, lambda word: [word[:1]], lambda word: [word[:1]])
        assert model.text() == content
    else:
        symmetrize(content, content, "union")


READERS: dict[str, Callable[[Path, Path], object]] = {
    "alignment": read_alignment,
    "arpa": read_language_model,
    "moses_table": lambda path, scratch: import_moses(path, scratch / "table"),
}
# Valid seeds: only these get past a fuzzer's first check.
SOUND = [
    "alignment/model.txt",
    "alignment/links.txt",
    "arpa/trigram.arpa",
    "moses_table/full.txt",
    "moses_table/scores.txt",
]


def test_every_kind_has_a_reader_and_seeds() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(READERS)
    fuzzers = (FOLDER.parents[2] / "core" / "fuzz").glob("*.cpp")
    assert {path.stem for path in fuzzers} == set(READERS)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*/*")), ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_it_is_read_or_refused(path: Path, tmp_path: Path) -> None:
    name = path.relative_to(FOLDER).as_posix()
    try:
        READERS[path.parent.name](path, tmp_path)
    except InputError as error:
        assert "\n" not in str(error)
        assert name not in SOUND, error
