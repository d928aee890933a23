import os

import pytest

from widl.common.errors import InputError
from widl.phrase_table import PhraseTable, build_phrase_table, extract_phrases
from widl.phrase_table.building import build_from_files
from widl.phrase_table.extraction import ExtractionOptions
from widl.phrase_table.symmetrization import symmetrize

SOURCE = ["das haus", "das buch", "ein haus"]
TARGET = ["the house", "the book", "a house"]
FORWARD = ["0-0 1-1", "0-0", "0-0 1-1"]
REVERSE = ["0-0", "0-0 1-1", "0-0 1-1"]


@pytest.fixture
def texts(tmp_path):
    """Writes the files; returns a function that replaces one file and returns all paths."""

    def write(**changed):
        contents = {"source": SOURCE, "target": TARGET, "forward": FORWARD, "reverse": REVERSE} | changed
        for name, result in contents.items():
            (tmp_path / name).write_text("".join(f"{line}\n" for line in result), encoding="utf-8")
        return [tmp_path / name for name in contents]

    return write


def entries(path):
    with PhraseTable.open(path) as table:
        return table.info, list(table.iterate())


@pytest.mark.parametrize("method", ["union", "intersection"])
def test_two_directions(tmp_path, texts, method):
    source, target, forward, reverse = texts()
    info = build_from_files(
        tmp_path / "table",
        source,
        target,
        (forward, reverse),
        symmetrization=method,
        options=ExtractionOptions(max_phrase_length=1),
    )
    links = symmetrize(FORWARD, REVERSE, method)
    build_phrase_table(
        tmp_path / "other", extract_phrases(SOURCE, TARGET, links, max_phrase_length=1), symmetrization=method
    )
    assert (info, entries(tmp_path / "table")[1]) == entries(tmp_path / "other")
    assert info.symmetrization == method


def test_all_options_of_extraction(tmp_path, texts):
    source, target, forward, _ = texts()
    options = {"max_phrase_length": 2, "reordering": "msd-bidirectional-fe"}
    folder = tmp_path / "folder"
    folder.mkdir()
    memory = {"memory": 2_000, "temporary_directory": folder}
    extraction = ExtractionOptions(**options)
    info = build_from_files(tmp_path / "table", source, target, forward, options=extraction, **memory, threads=1)
    build_phrase_table(tmp_path / "other", extract_phrases(SOURCE, TARGET, FORWARD, **options))
    assert (info, entries(tmp_path / "table")[1]) == entries(tmp_path / "other")
    assert (info.max_length, info.reordering) == (2, "msd-bidirectional-fe")
    none = tmp_path / "none"
    for path, directory, what in ((tmp_path / "new", none, "temporary files were"), (none / "new", None, "the .* was")):
        with pytest.raises(FileNotFoundError, match=f"^{none}: no such directory, where {what} to go$"):
            build_from_files(path, source, target, forward, memory=2_000, temporary_directory=directory)
    assert not (tmp_path / "new").exists()


def test_bad_files(tmp_path, texts):
    source, target, forward, reverse = texts(target=TARGET[:2])
    table = tmp_path / "table"
    with pytest.raises(InputError, match=f"^{target}: 2 lines, but {source} has 3; line N"):
        build_from_files(table, source, target, forward)
    texts(forward=["0-0", "x", "0-0"])
    with pytest.raises(InputError, match=f"^{forward}:2: expected alignment points like 0-3, found 'x'"):
        build_from_files(table, source, target, forward)
    with pytest.raises(InputError, match=f"^{forward}:2 or {reverse}:2: expected alignment points"):
        build_from_files(table, source, target, (forward, reverse))
    texts(forward=["0-0", "0-0", "0-2"])
    with pytest.raises(InputError, match=f"^{forward}:3: alignment point 0-2 is outside the sentences"):
        build_from_files(table, source, target, forward)
    with pytest.raises(FileNotFoundError, match="nothing"):
        build_from_files(table, source, target, tmp_path / "nothing")
    with pytest.raises(InputError, match="unknown symmetrization 'x'"):
        build_from_files(table, source, target, (forward, reverse), symmetrization="x")
    assert sorted(os.listdir(tmp_path)) == ["forward", "reverse", "source", "target"]
