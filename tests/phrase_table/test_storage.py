import contextlib
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.tables import contents
from widl.common.errors import InputError
from widl.phrase_table import PhraseTable, build_phrase_table, entries, extract_phrases, storage

BITEXT = ["das haus", "das buch", "ein haus"], ["the house", "the book", "a house"], ["0-0 1-1"] * 3


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "phrase-table"
    build_phrase_table(path, extract_phrases(*BITEXT, smoothing="none"), symmetrization="union")
    return path


def test_info(path):
    with PhraseTable.open(path) as table:
        assert table.info == entries.TableInfo(
            sentences=3,
            source_phrases=7,
            phrase_pairs=7,
            occurrences=9,
            target_words=4,
            max_length=7,
            symmetrization="union",
        )
        words = [table.target_vocabulary.word(i) for i in range(4)]
    assert words == ["house", "the", "a", "book"]  # by decreasing frequency, then bytes


def test_lookup_from_several_threads(path):
    phrases = ["das", "haus", "buch", "ein", "nichts", "das haus"] * 200
    with PhraseTable.open(path) as table:
        expected = table.values(phrases).items
        assert [phrase for phrase, _ in expected[:5]] == [b"das", b"haus", b"buch", b"ein", b"das haus"]
        with ThreadPoolExecutor(4) as pool:
            assert all(result == expected for result in pool.map(lambda _: table.values(phrases).items, range(40)))


def test_links_of_a_pair_are_those_of_its_option(path):
    """Against a search among all options, of all pairs of phrases."""
    with PhraseTable.open(path) as table:
        sources = [phrase.split() for phrase, _ in contents(path)]
        targets = {option.words for source in sources for option in table.options(source)} | {("no",), ("the", "a"), ()}
        for source in [*sources, ["nichts"], []]:
            for target in targets:
                found = [list(option.alignment) for option in table.options(source) if option.words == target]
                assert table.links(source, target) == (found[0] if found else None)
        assert sum(len(table.options(source)) for source in sources) == 7


@pytest.mark.parametrize(
    "words",
    [
        ["語" * 60] * 4,
        ["\0metadata"],
        ["a", "a\x01", "\x7f"],
    ],
)
def test_unusual_phrases(tmp_path, words):
    targets = [f"t{i}" for i in range(len(words))]
    diagonal = " ".join(f"{i}-{i}" for i in range(len(words)))
    path = tmp_path / "table"
    build_phrase_table(path, extract_phrases([" ".join(words)], [" ".join(targets)], [diagonal]))
    with PhraseTable.open(path) as table:
        assert tuple(targets) in [option.words for option in table.options(words)]
        assert " ".join(words) in [f for f, _ in table.iterate()]
        assert len(list(table.iterate())) == table.info.source_phrases


def test_empty_bitext(tmp_path):
    build_phrase_table(tmp_path / "table", extract_phrases([], [], []))
    with PhraseTable.open(tmp_path / "table") as table:
        assert len(table) == 0
        assert len(table.target_vocabulary) == 0
        assert list(table.iterate()) == []
        assert table.options(["das"]) == []


@pytest.mark.parametrize(
    "first",
    [
        ["das"],
        ["das", "haus"],
        [],
        ["x" * 600, "b"],
    ],
)
def test_phrases_that_begin_with_some_words(tmp_path, first, monkeypatch):
    monkeypatch.setattr(storage, "_BATCH", 2)
    sources = ["das haus", "dass das haus", "da s", "das\x01 a", "\0 a", "x" * 600 + " b", "x" * 600 + "b"]
    targets = [" ".join("abc"[: source.count(" ") + 1]) for source in sources]
    links = [" ".join(f"{i}-{i}" for i in range(source.count(" ") + 1)) for source in sources]
    build_phrase_table(tmp_path / "table", extract_phrases(sources, targets, links))
    with PhraseTable.open(tmp_path / "table") as table:
        phrases = [phrase for phrase, _ in table.iterate()]
        assert phrases == sorted(phrases, key=lambda phrase: phrase.encode().split(b" "))
        assert [phrase.decode() for batch in table.batches() for phrase, _ in batch.items] == phrases
        result = list(table.phrases(first=first))
        assert result == [phrase for phrase in phrases if phrase.split(" ")[: len(first)] == first]


# --- files that can't be opened ---


def test_missing(tmp_path):
    with pytest.raises(InputError, match=r"none: there is no phrase table; make it again with `widl train`"):
        PhraseTable.open(tmp_path / "none")


@given(st.data())
def test_truncated(path, data):
    whole = path.read_bytes()
    cut = path.with_name("cut")
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(InputError, match=r"cut: (not a|truncated|a) phrase table.*widl train"):
        PhraseTable.open(cut)


@given(st.binary(max_size=300))
def test_foreign(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"foreign: (not )?a phrase table.*; make it again with `widl train`"):
        PhraseTable.open(path)


def test_another_version(path):
    path.write_bytes(path.read_bytes().replace(b"widl phrases 6", b"widl phrases 5", 1))
    with pytest.raises(InputError, match="a phrase table from a different version of widl; make it again"):
        PhraseTable.open(path)


def test_closed(path):
    table = PhraseTable.open(path)
    table.close()
    for use in (lambda: table.options(["das"]), table.batches, table.phrases, lambda: table.target_vocabulary):
        with pytest.raises(InputError, match="phrase-table: this phrase table is closed; open it again"):
            use()


def test_no_damage_ends_the_process(path):
    """Changing any byte gives an error or other numbers."""
    whole = path.read_bytes()
    draw = random.Random(1)
    damaged = path.with_name("damaged")
    for at in draw.sample(range(len(whole)), 400):
        content = bytearray(whole)
        content[at] ^= 1 << draw.randrange(8)
        damaged.write_bytes(content)
        with contextlib.suppress(InputError, UnicodeDecodeError), PhraseTable.open(damaged) as table:
            assert len(list(table.iterate())) <= 100_000
            table.options(["das"])


# --- places that can't be written ---


FULL_DISK = """
import resource, sys
from widl import InputError
from widl.phrase_table import build_phrase_table, extract_phrases
phrases = extract_phrases([f"w{i} x{i}" for i in range(5000)], ["a b"] * 5000, ["0-0 1-1"] * 5000)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    build_phrase_table(sys.argv[1], phrases)
except OSError as error:
    print(isinstance(error, InputError), error.strerror)
"""


@pytest.mark.parametrize("old", [False, True])
def test_a_full_disk_leaves_nothing_half_written(tmp_path, old):
    path = tmp_path / "table"
    if old:
        build_phrase_table(path, extract_phrases(*BITEXT))
    before = contents(path) if old else None
    result = subprocess.run(
        [sys.executable, "-c", FULL_DISK, path], capture_output=True, text=True, check=True, timeout=60
    )
    assert result.stdout == "False File too large\n"  # the system's error, not the input's
    assert [p.name for p in tmp_path.iterdir()] == (["table"] if old else [])
    if old:
        assert contents(path) == before


def test_an_error_while_scoring_leaves_nothing(tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_phrase_table(tmp_path / "table", extract_phrases(*BITEXT), progress=interrupted)
    assert list(tmp_path.iterdir()) == []
