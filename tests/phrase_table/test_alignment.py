import pytest

from widl.errors import InputError
from widl.phrase_table.alignment import align_words

WORDS = [f"w{i}" for i in range(12)]


def test_words_that_always_go_together_are_aligned(tmp_path):
    # Sentences of three words out of twelve, word by word, the last two exchanged.
    source = [[WORDS[i % 12], WORDS[(i * 5 + 1) % 12], WORDS[(i * 7 + 3) % 12]] for i in range(200)]
    target = [[a.upper(), c.upper(), b.upper()] for a, b, c in source]
    calls = []
    files = align_words(
        map(" ".join, source), map(" ".join, target), tmp_path, progress=lambda *call: calls.append(call)
    )
    assert files == (tmp_path / "forward.align", tmp_path / "reverse.align")
    assert calls == [("align", 0, 200), ("align", 200, 200)]
    for file in files:
        lines = file.read_text().splitlines()
        assert len(lines) == 200
        points = [tuple(map(int, point.split("-"))) for line in lines for point in line.split()]
        right = sum(point in {(0, 0), (1, 2), (2, 1)} for point in points)
        assert right > 0.8 * 600


def test_nothing_to_align(tmp_path):
    for file in align_words([], [], tmp_path):
        assert file.read_text() == ""


def test_different_numbers_of_lines(tmp_path):
    with pytest.raises(InputError, match="2 source lines and 1 target lines"):
        align_words(["a", "b"], ["c"], tmp_path)


def test_an_empty_line(tmp_path):
    with pytest.raises(InputError, match=r"^line 2: an empty line can't be aligned"):
        align_words(["a", " "], ["c", "d"], tmp_path)
    assert list(tmp_path.iterdir()) == []
