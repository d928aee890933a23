import contextlib
import hashlib
import json
import os
import random
import subprocess
import sys
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from math import log
from pathlib import Path

import lmdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import bitexts, lines
from tests.phrase_table.tables import contents
from tests.reference import extraction as slow
from tests.waiting import running
from widl.errors import InputError
from widl.phrase_table import (
    PhraseTable,
    build_phrase_table,
    checksums,
    entries,
    extract_phrases,
    source_key,
    storage,
    writing,
)

BITEXT = ["das haus", "das buch", "ein haus"], ["the house", "the book", "a house"], ["0-0 1-1"] * 3


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "phrase-table"
    build_phrase_table(path, extract_phrases(*BITEXT), symmetrization="union")
    return path


def test_options_by_hand(path):
    with PhraseTable.open(path) as table:
        assert len(table) == 7  # das, haus, buch, ein, das haus, das buch, ein haus
        (option,) = table.options(["das"])
        assert option.words == ("the",)
        assert option.counts == (2, 2, 2)
        assert option.alignment == ((0, 0),)
        assert option.log_scores == pytest.approx((0, 0, 0, 0))
        assert table.options(["das", "haus"])[0].counts == (1, 1, 1)
        assert table.options(["haus", "das"]) == []
        assert table.options([]) == []


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
    assert words == ["house", "the", "a", "book"]  # by falling frequency, then bytes


@pytest.mark.slow
@given(bitexts())
def test_round_trip(tmp_path, bitext):
    path = tmp_path / "table"
    info = build_phrase_table(path, extract_phrases(*lines(bitext)))
    expected = slow.score(bitext, 7)
    found = {(tuple(f.split()), option.words): option for f, options in contents(path) for option in options}
    assert found.keys() == expected.keys()
    assert info.phrase_pairs == len(expected)
    assert info.source_phrases == len({f for f, _ in expected})
    for pair, option in found.items():
        assert option.counts == expected[pair].counts
        assert set(option.alignment) == expected[pair].alignment
        assert option.log_scores == pytest.approx([log(p) for p in expected[pair].scores], rel=1e-5, abs=1e-6)


def test_source_phrases_come_in_the_order_of_their_keys(path):
    assert [f for f, _ in contents(path)] == [
        "buch",
        "das",
        "das buch",
        "das haus",
        "ein",
        "ein haus",
        "haus",
    ]


def test_lookup_answers_in_the_order_of_the_keys(path):
    keys = [source_key(words) for words in (["das"], ["nichts"], ["ein", "haus"], ["das"])]
    with PhraseTable.open(path) as table:
        values = table.lookup(keys)
        assert [value is None for value in values] == [False, True, False, False]
        assert values[0] == values[3] != values[2]
        assert table.lookup([]) == []


def test_lookup_from_several_threads(path):
    keys = [source_key([word]) for word in ("das", "haus", "buch", "ein", "nichts")] * 200
    with PhraseTable.open(path) as table:
        expected = [value and bytes(value) for value in table.lookup(keys)]
        with ThreadPoolExecutor(4) as pool:
            for found in pool.map(lambda _: table.lookup(keys), range(40)):
                assert [value and bytes(value) for value in found] == expected


@pytest.mark.parametrize(
    "words",
    [
        ["語" * 200],  # 600 bytes
        ["語" * 60] * 4,  # single words that fit, a phrase of all four that doesn't
        ["x" * 511],
        ["x" * 512],
        ["\0metadata"],
        ["\0" + "x" * 32],
        ["a", "a\x01", "\x7f"],
        ["\x02", "a"],
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


@pytest.mark.slow
def test_the_map_grows_with_the_table(tmp_path, monkeypatch):
    bitext = [f"w{i} x{i} y{i}" for i in range(2000)], ["a b c"] * 2000, ["0-0 1-1 2-2"] * 2000
    build_phrase_table(tmp_path / "once", extract_phrases(*bitext))
    monkeypatch.setattr(writing, "_FIRST_MAP", 1 << 16)
    build_phrase_table(tmp_path / "grown", extract_phrases(*bitext))
    assert (tmp_path / "grown").stat().st_size > 1 << 16
    assert contents(tmp_path / "once") == contents(tmp_path / "grown")


def test_the_file_is_no_larger_than_its_content(path):
    assert path.stat().st_size < 100_000


def test_empty_bitext(tmp_path):
    build_phrase_table(tmp_path / "table", extract_phrases([], [], []))
    with PhraseTable.open(tmp_path / "table") as table:
        assert len(table) == 0
        assert len(table.target_vocabulary) == 0
        assert list(table.iterate()) == []
        assert table.lookup([b"das"]) == [None]


def test_readers_keep_the_table_that_they_opened(path):
    with PhraseTable.open(path) as old:
        before = list(old.iterate())
        build_phrase_table(path, extract_phrases(["neu"], ["new"], ["0-0"]))
        assert list(old.iterate()) == before
        assert old.options(["neu"]) == []
    assert [f for f, _ in contents(path)] == ["neu"]


READER = """
import hashlib, sys
from widl.phrase_table import PhraseTable
with PhraseTable.open(sys.argv[1]) as table:
    while True:
        content = repr([(table.info, *table.iterate()), [table.options([w]) for w in ("das", "neu", "w7")]])
        print(hashlib.sha256(content.encode()).hexdigest(), flush=True)
        if not sys.stdin.readline():
            break
"""

BUILDER = """
import sys
from widl.phrase_table import build_phrase_table, extract_phrases
for n in range(5):
    texts = [f"w{i} neu" for i in range(2000 * n)], ["a new"] * 2000 * n, ["0-0 1-1"] * 2000 * n
    build_phrase_table(sys.argv[1], extract_phrases(*texts))
"""


def test_a_table_opened_twice(path):
    """The first one's end leaves the second alone, and when both are closed the file is no longer mapped."""
    first, second = PhraseTable.open(path), PhraseTable.open(path)
    expected = [options for _, options in second.iterate()]
    assert [options for _, options in first.iterate()] == expected
    first.options(["a"])  # leaves a transaction behind
    first.close()
    first.close()
    assert [options for _, options in second.iterate()] == expected
    name = str(path)
    maps = Path("/proc/self/maps")
    if maps.exists():
        assert name in maps.read_text()
    second.close()
    if maps.exists():
        assert name not in maps.read_text()
    with PhraseTable.open(path) as again:
        assert [options for _, options in again.iterate()] == expected


def content_hash(path):
    with PhraseTable.open(path) as table:
        content = repr([(table.info, *table.iterate()), [table.options([w]) for w in ("das", "neu", "w7")]])
    return hashlib.sha256(content.encode()).hexdigest()


@pytest.mark.slow
def test_processes_keep_the_table_that_they_opened(path):
    """Two read it again and again while a third replaces it several times."""
    old = content_hash(path)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with contextlib.ExitStack() as stack:
        command = [sys.executable, "-c", READER, path]
        readers = [stack.enter_context(running(command, **pipes)) for _ in range(2)]
        assert [reader.stdout.readline().strip() for reader in readers] == [old, old]
        builder = stack.enter_context(running([sys.executable, "-c", BUILDER, path]))
        rounds = 0
        while builder.poll() is None or rounds == 0:
            for reader in readers:
                reader.stdin.write("\n")
                reader.stdin.flush()
            assert [reader.stdout.readline().strip() for reader in readers] == [old, old]
            rounds += 1
        assert builder.returncode == 0
        new = content_hash(path)
        assert new != old
        for reader in readers:
            assert reader.communicate("\n", timeout=30)[0].strip() == old
            assert reader.returncode == 0
    with PhraseTable.open(path) as table:
        assert table.info.sentences == 8000
        assert table.options(["das"]) == []
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize("first", [["das"], ["das", "haus"], ["da"], [], ["ü"], ["x" * 600], ["x" * 600, "b"]])
def test_items_that_begin_with_some_words(tmp_path, first, monkeypatch):
    monkeypatch.setattr(storage, "_BATCH", 2)
    sources = ["das haus", "dass das haus", "da s", "das\x01 a", "\0 a", "x" * 600 + " b", "x" * 600 + "b"]
    targets = [" ".join("abc"[: source.count(" ") + 1]) for source in sources]
    links = [" ".join(f"{i}-{i}" for i in range(source.count(" ") + 1)) for source in sources]
    build_phrase_table(tmp_path / "table", extract_phrases(sources, targets, links))
    with PhraseTable.open(tmp_path / "table") as table:
        phrases = [phrase for phrase, _ in table.iterate()]
        assert phrases == sorted(phrases, key=str.encode)
        found = [phrase.decode() for batch in table.items(first=first) for phrase, _ in batch]
        assert found == [phrase for phrase in phrases if phrase.split(" ")[: len(first)] == first]


def test_progress(tmp_path):
    calls = []
    build_phrase_table(
        tmp_path / "table", extract_phrases(*BITEXT), progress=lambda *call: calls.append(call)
    )
    assert calls[0] == ("score", 0, 9)
    assert calls[-1] == ("score", 9, 9)


# --- files that can't be opened ---


def test_missing(tmp_path):
    with pytest.raises(InputError, match=r"none: there is no phrase table; make it again with `widl train`"):
        PhraseTable.open(tmp_path / "none")


def test_a_folder(tmp_path):
    with pytest.raises(InputError, match=f"^{tmp_path}: the phrase table can't be read: Is a directory"):
        PhraseTable.open(tmp_path)


@given(st.data())
def test_truncated(path, data):
    whole = path.read_bytes()
    cut = path.with_name("cut")
    cut.write_bytes(whole[: data.draw(st.integers(0, len(whole) - 1))])
    with pytest.raises(InputError, match=r"cut: (not a|truncated) phrase table.*widl train"):
        PhraseTable.open(cut)


@given(st.binary(max_size=300))
def test_foreign(tmp_path, content):
    path = tmp_path / "foreign"
    path.write_bytes(content)
    with pytest.raises(InputError, match="foreign: not a phrase table; make it again with `widl train`"):
        PhraseTable.open(path)


def test_another_lmdb_file(tmp_path):
    path = tmp_path / "other"
    with lmdb.open(str(path), subdir=False, lock=False) as environment, environment.begin(write=True) as t:
        t.put(b"key", b"value")
    with pytest.raises(InputError, match="other: not a phrase table, or a damaged one"):
        PhraseTable.open(path)


def overwrite(path, database, key, value):
    with lmdb.open(str(path), subdir=False, lock=False, max_dbs=2) as environment:
        handle = environment.open_db(database)
        with environment.begin(db=handle, write=True) as transaction:
            transaction.put(key, value)
        size = (environment.info()["last_pgno"] + 1) * environment.stat()["psize"]
    os.truncate(path, size)
    checksums.append_checksum(path)


def test_a_newer_version(path):
    overwrite(path, b"info", b"metadata", b'{"format": "widl phrase table", "version": 4, "news": true}')
    with pytest.raises(
        InputError, match=r"written by a newer version of widl \(format 4, this one reads up to 3\)"
    ):
        PhraseTable.open(path)


@pytest.mark.parametrize("metadata", [b"", b"{", b"[]", b"{}", b"\xff", b'{"format": "widl phrase table"}'])
def test_damaged_metadata(path, metadata):
    overwrite(path, b"info", b"metadata", metadata)
    with pytest.raises(InputError, match="phrase-table: not a phrase table"):
        PhraseTable.open(path)


def test_a_vocabulary_that_lost_words(path):
    overwrite(path, b"info", b"vocabulary", b"the\nhouse")
    with pytest.raises(InputError, match="phrase-table: damaged phrase table: words are missing"):
        PhraseTable.open(path)


def test_a_damaged_value(path):
    overwrite(path, b"phrases", b"das", b"\x01\x01\x63")
    with (
        PhraseTable.open(path) as table,
        pytest.raises(InputError, match="phrase-table: damaged phrase-table entry: it announces more"),
    ):
        table.options(["das"])


def test_a_table_of_version_1(path):
    """It has no checksum, and its facts lack what came later."""
    with PhraseTable.open(path) as table:
        before = list(table.iterate())
        facts = asdict(table.info)
    later = ("moses_fields", "moses_penalty", "moses_tail", "history")
    old = {"format": entries.FORMAT, "version": 1} | {name: facts[name] for name in facts if name not in later}
    overwrite(path, b"info", b"metadata", json.dumps(old).encode())
    os.truncate(path, path.stat().st_size - checksums.SEAL.size)
    with PhraseTable.open(path, verify=True) as table:
        assert not table.has_checksum
        assert list(table.iterate()) == before
        assert table.info.moses_fields == 7


# --- checksums ---


def test_an_undamaged_table(path):
    with PhraseTable.open(path, verify=True) as table:
        assert table.has_checksum
        assert len(table.options(["das"])) == 1


@pytest.mark.slow
def test_every_damaged_byte_is_found(path):
    whole = path.read_bytes()
    generator = random.Random(1)
    last = range(len(whole) - checksums.SEAL.size, len(whole))
    for at in [0, *generator.sample(range(len(whole)), 150), *last]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << generator.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"phrase-table: (damaged|truncated|not a) phrase table.*widl train"):
            PhraseTable.open(path, verify=True).close()


@pytest.mark.parametrize("block", [1, 1000, 1 << 30])
def test_the_checksum_is_that_of_all_bytes(path, monkeypatch, block):
    monkeypatch.setattr(checksums, "_BLOCK", block)
    content = path.read_bytes()
    for size in (0, 1, 3000, len(content)):
        assert checksums.checksum_of(path, size) == zlib.crc32(content[:size])


def test_bytes_that_were_added(path):
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(InputError, match="truncated phrase table, or one changed by another program"):
        PhraseTable.open(path)


def test_a_seal_of_another_table(path):
    content = path.read_bytes()
    path.write_bytes(content[: -checksums.SEAL.size] + content)
    with pytest.raises(InputError, match="damaged phrase table: its checksum"):
        PhraseTable.open(path, verify=True)


# --- places that can't be written ---


def test_no_such_folder(tmp_path):
    path = tmp_path / "none" / "table"
    with pytest.raises(
        OSError, match=rf"^{path}: can't be written \(No such file or directory\); make the directory"
    ):
        build_phrase_table(path, extract_phrases(*BITEXT))


FULL_DISK = """
import resource, sys
from widl.phrase_table import build_phrase_table, extract_phrases
phrases = extract_phrases([f"w{i} x{i}" for i in range(5000)], ["a b"] * 5000, ["0-0 1-1"] * 5000)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    build_phrase_table(sys.argv[1], phrases)
except OSError as error:
    print(error)
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
    assert result.stdout.startswith(f"{path}: the phrase table can't be written: ")
    assert result.stdout.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == (["table"] if old else [])
    if old:
        assert contents(path) == before


def test_an_error_while_scoring_leaves_nothing(tmp_path):
    def interrupted(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_phrase_table(tmp_path / "table", extract_phrases(*BITEXT), progress=interrupted)
    assert list(tmp_path.iterdir()) == []


# --- damage that LMDB finds ---


class DamagedPages:
    """An environment or a transaction whose pages LMDB finds damaged."""

    def begin(self, **_options):
        raise lmdb.CorruptedError("mdb_get: MDB_CORRUPTED: Located page was wrong type")

    def get(self, _key):
        return self.begin()


@pytest.mark.parametrize(
    "use",
    [
        lambda table: table.options(["das"]),
        lambda table: table.lookup([b"das"]),
        lambda table: list(table.items()),
        lambda table: list(table.iterate()),
        lambda table: table.values([b"das"]),
    ],
)
def test_damage_found_later_names_the_table(path, use):
    with PhraseTable.open(path) as table:
        whole, table._environment = table._environment, DamagedPages()
        with pytest.raises(InputError, match=rf"^{path}: the phrase table can't be read \(.*CORRUPTED.*\); copy"):
            use(table)
        table._environment = whole
