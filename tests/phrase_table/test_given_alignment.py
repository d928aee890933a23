"""Alignments made by other programs, and their links when pairs are dropped."""

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.phrase_table.bitext import given_tokens, prepare_bitext
from widl.phrase_table.given_alignment import GivenAlignments, UnparsedLinks
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings

BLANKS = TextSettings(source_language="none")


def write(path: Path, lines: list[str]) -> Path:
    content = "".join(f"{line}\n" for line in lines).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def pair(tmp_path: Path, source: list[str], target: list[str], name: str = "a") -> Path:
    write(tmp_path / f"{name}.zh", source)
    write(tmp_path / f"{name}.en", target)
    return tmp_path / name


def points(text: str, source_length: int = 9, target_length: int = 9) -> str:
    return UnparsedLinks(Path("f"), 3, text).points(source_length, target_length)


def as_set(line: str) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in (point.split("-") for point in line.split())}


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12))))
def test_points_equal_their_definition(found: list[tuple[int, int]]) -> None:
    assert as_set(points(" ".join(f"{i}-{j}" for i, j in found), 13, 13)) == set(found)


@pytest.mark.parametrize("point", ["0", "0-", "-1", "a-b", "1-2-3", "0=1", "0-0:0.9", "0?1", "１-0", "12345678-0"])
def test_malformed_points(point: str) -> None:
    with pytest.raises(InputError) as caught:
        points(f"0-0 {point}")
    assert str(caught.value) == f"f:3: expected links like 0-3, found {point!r}"


@pytest.mark.parametrize("link", ["2-0", "0-3", "3-4"])
def test_points_outside(link: str) -> None:
    with pytest.raises(InputError) as caught:
        points(f"0-0 1-2 {link}", 2, 3)
    assert str(caught.value) == (
        f"f:3: link {link} is outside the pair of 2 source and 3 target tokens; "
        "links are source-target, from 0, of the tokens between blanks"
    )


def test_links_of_dropped_pairs_are_dropped(tmp_path: Path) -> None:
    """Drops empty, duplicate, too long and wrong-script pairs: the remaining pairs keep their links."""
    source = ["a b", "", "a b", "c " * 5, "d e f", "g", "你 好"]
    target = ["w x", "y", "w x", "z", "v", "他 们 好 吗", "u"]
    links = ["0-1 1-0", "", "0-0", "9-9", "2-0 0-0", "0-0", "1-0"]
    prefix = pair(tmp_path, source, target)
    files = GivenAlignments(alignment=(write(tmp_path / "a.align.gz", links),))
    folder = tmp_path / "w"
    prepared = prepare_bitext(
        [prefix], folder, settings=BLANKS, cleaning=Cleaning(max_length=4), tokenized=True, alignments=files
    )
    assert sorted(path.name for path in folder.iterdir()) == ["corpus.source", "corpus.target", "symmetrized.align"]
    assert (folder / "corpus.source").read_text() == "a b\nd e f\n你 好\n"
    assert (folder / "corpus.target").read_text() == "w x\nv\nu\n"
    assert (folder / "symmetrized.align").read_text() == "0-1 1-0\n0-0 2-0\n1-0\n"
    assert prepared.report.dropped == {"duplicate": 1, "empty": 1, "target not en": 1, "too long": 1}


@pytest.mark.slow
def test_two_directions_of_several_texts(tmp_path: Path) -> None:
    item = pair(tmp_path, ["a b"], ["x y"], "one")
    two = pair(tmp_path, ["c", "d"], ["z", "z"], "two")
    forward = write(tmp_path / "1.f", ["1-0"]), write(tmp_path / "2.f", ["0-0", ""])
    reverse = write(tmp_path / "1.r", ["0-0 1-1"]), write(tmp_path / "2.r", ["", "0-0"])
    for threads in (1, 2):
        prepare_bitext(
            [item, two],
            tmp_path / "w",
            settings=BLANKS,
            tokenized=True,
            alignments=GivenAlignments(forward=forward, reverse=reverse),
            threads=threads,
        )
        assert (tmp_path / "w" / "forward.align").read_text() == "1-0\n0-0\n\n"
        assert (tmp_path / "w" / "reverse.align").read_text() == "0-0 1-1\n\n0-0\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "either symmetrized (--alignment) or in two directions"),
        ({"forward": ["s"]}, "--forward without --reverse; alignments of both directions are symmetrized"),
        ({"alignment": ["short"]}, "short has 1 line, {path}/a.zh has 2; every line of the text needs"),
        ({"alignment": ["outside"]}, "outside:2: link 0-1 is outside the pair of 2 source and 1 target tokens"),
    ],
)
def test_files_that_do_not_fit(tmp_path: Path, given: dict[str, list[str]], message: str) -> None:
    prefix = pair(tmp_path, ["a b", "c d"], ["x", "y"])
    write(tmp_path / "s", ["0-0", "0-0"])
    write(tmp_path / "short", ["0-0"])
    write(tmp_path / "outside", ["0-0", "0-1"])
    files = {kind: tuple(tmp_path / name for name in names) for kind, names in given.items()}
    with pytest.raises(InputError) as caught:
        prepare_bitext([prefix], tmp_path / "w", settings=BLANKS, tokenized=True, alignments=GivenAlignments(**files))
    assert message.format(path=tmp_path) in str(caught.value)
    assert not (tmp_path / "w").exists() or not list((tmp_path / "w").iterdir())


def test_alignments_need_tokens(tmp_path: Path) -> None:
    prefix = pair(tmp_path, ["a"], ["x"])
    alignments = GivenAlignments(alignment=(write(tmp_path / "s", ["0-0"]),))
    with pytest.raises(InputError, match="give tokenized text, and say so"):
        prepare_bitext([prefix], tmp_path / "w", settings=BLANKS, alignments=alignments)


def test_given_tokens_keep_their_positions(tmp_path: Path) -> None:
    assert given_tokens(" a\u200bb  １２ “c”\t…… ") == ["ab", "１２", "“c”", "……"]
    assert given_tokens("") == []
    for bad in ("a \u200b b", "a b\u3000c", "a\u00a0b", "a \x1c b"):
        assert given_tokens(bad) is None
    prefix = pair(tmp_path, ["a \u200b b", "c"], ["x", "y"])
    prepared = prepare_bitext([prefix], tmp_path / "w", settings=BLANKS, tokenized=True)
    assert prepared.report.dropped == {"unusable token": 1}


@given(st.text(max_size=20))
def test_given_tokens_come_back_from_their_line(line: str) -> None:
    tokens = given_tokens(line)
    if tokens is not None:
        assert " ".join(tokens).split() == tokens
