"""Pages of LMDB files that were made to hurt: what the check lets pass, LMDB reads to its end."""

import os
import random
import struct
import subprocess
import sys

import lmdb
import pytest

from tests.phrase_table.lmdb_image import HEADER, PAGE, Image, hurt_table
from tests.phrase_table.test_storage import BITEXT
from widl._core import check_lmdb_pages
from widl.errors import InputError
from widl.phrase_table import PhraseTable, build_phrase_table, extract_phrases

READ_ALL = """
import sys, lmdb
for path in map(str.strip, sys.stdin):
    print(path, flush=True)
    try:
        environment = lmdb.open(path, subdir=False, readonly=True, lock=False, create=False, max_dbs=2)
        for name in (b"phrases", b"info"):
            database = environment.open_db(name, create=False)
            with environment.begin(db=database, buffers=True) as transaction:
                found = [(bytes(key), sum(bytes(value))) for key, value in transaction.cursor()]
                assert len(found) == transaction.stat(database)["entries"]
                assert [key for key, _ in found] == sorted(key for key, _ in found)
                for key, _ in found:
                    assert transaction.get(key) is not None, "a key in its place is found"
                    transaction.cursor().set_range(key + b"!")
                [key for key, _ in transaction.cursor().iterprev()]
        environment.close()
    except lmdb.Error:
        pass
"""
"""Reads each file that is named on its input, and says before which one it is."""


def make(path, entries, more):
    with lmdb.open(str(path), subdir=False, lock=False, max_dbs=2, map_size=1 << 26) as environment:
        for name, items in ((b"phrases", entries), (b"info", more)):
            database = environment.open_db(name)
            with environment.begin(db=database, write=True) as transaction:
                transaction.cursor().putmulti(sorted(items.items()))
        size = (environment.info()["last_pgno"] + 1) * environment.stat()["psize"]
    os.truncate(path, size)
    return Image(bytearray(path.read_bytes()))


def sound(tmp_path, draw, entries=250, longest=300):
    """Keys long enough that branches lead to branches, and values that have pages of their own."""
    keys = {draw.randbytes(draw.randint(longest // 2, longest)) for _ in range(entries)}
    sizes = (0, 1, 7, 30, 100, 3000, 9000)
    image = make(tmp_path / "file", {key: bytes(draw.choice(sizes)) for key in sorted(keys)}, {b"facts": b"{}" * 5000})
    assert image.number(image.names["phrases"] + 6, "H") >= 3, "its depth"
    return image


@pytest.fixture
def image(tmp_path):
    return sound(tmp_path, random.Random(1))


def test_sound_files(tmp_path, image):
    check_lmdb_pages(bytes(image.content))
    check_lmdb_pages(bytes(image.content) + b"a seal")
    check_lmdb_pages(bytes(make(tmp_path / "empty", {}, {}).content))
    check_lmdb_pages(bytes(make(tmp_path / "one", {b"k": b"v"}, {}).content))
    path = tmp_path / "table"
    build_phrase_table(path, extract_phrases(*BITEXT))
    check_lmdb_pages(path.read_bytes())


def leaf(image):
    """The leftmost leaf of the phrases."""
    page = image.root("phrases")
    while image.kind(page) == 1:
        page = image.number(image.nodes(page)[0], "I")
    return page


def long_value(image):
    """A node whose value has pages of its own, and the first of these."""
    (node,) = [node for node in image.nodes(image.root("info")) if image.number(node + 4, "H") == 1]
    return node, image.number(image.value(node), "Q")


def second_node(image, page):
    return image.nodes(page)[1]


FAULTS = {
    "its page size is none": lambda i: i.put(HEADER + 24, "I", 1000),
    "page 1: this is no meta page": lambda i: i.put(PAGE + 10, "H", 0),
    "page 1: its magic number": lambda i: i.put(PAGE + HEADER, "I", 1),
    "page 0: another version": lambda i: i.put(HEADER + 4, "I", 999),
    "page 1: the meta pages have two page sizes": lambda i: i.put(PAGE + HEADER + 24, "I", 8192),
    "page 0: it chooses its own address": lambda i: i.put(HEADER + 28, "H", 1),
    "it has fewer pages than it states": lambda i: i.put(i.meta + 120, "Q", len(i.content) // PAGE),
    "it has no meta pages": lambda i: i.put(i.meta + 120, "Q", 0),
    "has no page 1234567": lambda i: i.put(i.meta + 72 + 40, "Q", 1234567),
    "it is used twice": lambda i: i.put(i.nodes(i.root("phrases"))[0], "I", i.root("phrases")),
    "page 0: it is used twice": lambda i: i.put(i.meta + 72 + 40, "Q", 0),
    "another order of keys, or duplicates": lambda i: i.put(i.names["phrases"] + 4, "H", 4),
    "deeper than LMDB can read": lambda i: i.put(i.names["phrases"] + 6, "H", 33),
    "of no depth has pages": lambda i: i.put(i.names["phrases"] + 6, "H", 0),
    "or one of no pages a depth": lambda i: i.put(i.names["phrases"] + 40, "Q", (1 << 64) - 1),
    "another number of entries": lambda i: i.put(i.names["phrases"] + 32, "Q", 1),
    "it has another number": lambda i: i.put(leaf(i) * PAGE, "Q", 1 << 40),
    "it is of another kind": lambda i: i.put(leaf(i) * PAGE + 10, "H", 0x22),
    "it has no nodes": lambda i: i.put(leaf(i) * PAGE + 12, "H", HEADER),
    "a node lies outside": lambda i: i.put(leaf(i) * PAGE + HEADER, "H", PAGE - 6),
    "a key lies outside": lambda i: i.put(i.nodes(leaf(i))[0] + 6, "H", 5000),
    "a value lies outside": lambda i: i.put(i.nodes(leaf(i))[0], "I", 5000),
    "its keys are not in order": lambda i: i.put(second_node(i, leaf(i)) + 8, "H", 0),
    "are not in order": lambda i: i.put(second_node(i, i.root("phrases")) + 8, "H", 0),
    "a name is not that of a database": lambda i: i.put(i.names["info"] - 8 - 4 + 4, "H", 0),
    "a node of an unknown kind": lambda i: i.put(i.nodes(leaf(i))[0] + 4, "H", 2),
    "a long value has too few pages": lambda i: i.put(long_value(i)[0], "I", 1 << 31),
    "of another kind": lambda i: i.put(long_value(i)[1] * PAGE + 10, "H", 2),
    r"page \d\d+: it is used twice": lambda i: i.put(long_value(i)[1] * PAGE + 12, "I", 1 << 31),
}


@pytest.mark.parametrize("message", FAULTS)
def test_each_fault(image, message):
    FAULTS[message](image)
    with pytest.raises(InputError, match=message) as caught:
        check_lmdb_pages(bytes(image.content))
    assert "\n" not in str(caught.value)


def test_every_length(image):
    content = bytes(image.content)
    for size in {*range(0, len(content), 1013), *range(2 * PAGE + 200)}:
        with pytest.raises(InputError):
            check_lmdb_pages(content[:size])


def hurt(image, content, draw):
    """Change a number that LMDB goes by: of a meta page, a page's header, a node, a database."""
    page = draw.randrange(len(content) // PAGE)
    begin = page * PAGE
    places = [begin + at for at in (0, 8, 10, 12, 14)]
    if page < 2:
        places += [begin + HEADER + 2 * draw.randrange(68) for _ in range(10)]
    elif image.kind(page) in (1, 2):
        node = draw.choice(image.nodes(page))
        places += [begin + HEADER + 2 * draw.randrange(20), node, node + 2, node + 4, node + 6, node + 8]
        places.append(image.value(node) + 2 * draw.randrange(4))
    if draw.random() < 0.2:
        places = [at + 2 * draw.randrange(24) for at in image.names.values()]
    at = min(draw.choice(places), len(content) - 2)
    (old,) = struct.unpack_from("<H", content, at)
    near = [0, 1, 2, 3, 4, 8, 16, 0x20, 0xFFFF, 0x8000, old ^ 1, old + 1, old - 1, old + 2, old + 8]
    struct.pack_into("<H", content, at, draw.choice([*near, draw.randrange(1 << 16)]) % (1 << 16))


def let_pass(image, draw, tries):
    """What the check lets pass of so many hurt files."""
    for _ in range(tries):
        content = bytearray(image.content)
        for _ in range(draw.randint(1, 3)):
            hurt(image, content, draw)
        try:
            check_lmdb_pages(bytes(content))
        except InputError:
            continue
        yield bytes(content)


def read_all(paths):
    """LMDB reads them in a process of its own, which must live and find what it is told."""
    files = "".join(f"{path}\n" for path in paths)
    done = subprocess.run([sys.executable, "-c", READ_ALL], input=files, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, (done.stdout.splitlines()[-1:], done.stderr)
    assert done.stdout == files


@pytest.mark.parametrize(
    ("seed", "tries"), [(1, 1000), *(pytest.param(seed, 5000, marks=pytest.mark.slow) for seed in (2, 3, 4))]
)
def test_what_passes_can_be_read(tmp_path, seed, tries):
    draw = random.Random(seed)
    image = sound(tmp_path, draw, entries=150, longest=500)
    passed = 0
    paths = []
    for passed, content in enumerate(let_pass(image, draw, tries), 1):
        paths.append(tmp_path / f"{passed}")
        paths[-1].write_bytes(content)
        if len(paths) == 200:
            read_all(paths)
            for path in paths:
                path.unlink()
            paths.clear()
    read_all(paths)
    assert 0.05 * tries < passed < 0.8 * tries


# --- tables ---


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table"
    build_phrase_table(path, extract_phrases(*BITEXT))
    return path


def test_a_table_that_was_made_to_hurt(table):
    """Its checksum is right: only its pages tell."""
    hurt_table(table, lambda image: image.put(image.nodes(image.root("phrases"))[2], "I", 1 << 30))
    with pytest.raises(InputError, match=r"table: damaged phrase table: page \d+: a value lies outside; make it again"):
        PhraseTable.open(table, verify=True)
