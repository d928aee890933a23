"""Converting raw files into cleaned token files."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.waiting import wait_until
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.streams import count_lines
from widl.common.workers import map_in_order
from widl.phrase_table import bitext
from widl.phrase_table.bitext import prepare_bitext, prepare_text
from widl.text.cleaning import Cleaning
from widl.text.source_and_target import TextSettings
from widl.text.truecasing import Truecaser

BLANKS = TextSettings(source_language="none")


def write_pair(prefix: Path, source: list[str], target: list[str]) -> Path:
    for suffix, lines in (("zh", source), ("en", target)):
        prefix.with_name(f"{prefix.name}.{suffix}").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return prefix


@pytest.mark.slow
def test_a_pair_by_hand(tmp_path: Path) -> None:
    prefix = write_pair(tmp_path / "a", ["我是学生。", "这是一只猫。"], ["I am a student.", "This is a cat."])
    seen: list[tuple[str, int, int]] = []
    prepared = prepare_bitext([prefix], tmp_path / "work", progress=lambda *call: seen.append(call))
    work = tmp_path / "work"
    assert (work / "corpus.source").read_text(encoding="utf-8") == "我 是 学生 。\n这是 一只 猫 。\n"
    # "This" occurs only at the start of its sentence, so its casing is unknown.
    assert (work / "corpus.target").read_text(encoding="utf-8") == "I am a student .\nThis is a cat .\n"
    assert sorted(path.name for path in work.iterdir()) == ["corpus.source", "corpus.target"]
    assert prepared.report.summary() == ("2 sentence pairs read, 2 kept (8 source and 10 target tokens); dropped: none")
    assert seen == [("tokenize", 2, 2), ("truecase", 2, 2)]


def test_casing_is_learnt_from_the_kept_target_side(tmp_path: Path) -> None:
    target = ["The cat saw the dog", "see The The The The"]
    prefix = write_pair(tmp_path / "a", ["a b c", "a " * 50], target)
    prepare_bitext([prefix], tmp_path, settings=BLANKS)
    assert (tmp_path / "corpus.target").read_text() == "the cat saw the dog\n"
    lower = prepare_bitext([prefix], tmp_path, settings=replace(BLANKS, casing="lower"))
    assert (tmp_path / "corpus.target").read_text() == "the cat saw the dog\n"
    assert lower.truecaser.restore(["the"]) == ["the"]


def test_cleaning(tmp_path: Path) -> None:
    source = ["a", "", "b", "c " * 10, "d", "a", "\u200b \u3000", "e " * 11]
    target = ["x", "x", " ", "x", "x " * 10, "x", "x", "x " * 9]
    prefix = write_pair(tmp_path / "a", source, target)
    cleaning = Cleaning(max_length=10, max_ratio=9)
    report = prepare_bitext([prefix, prefix], tmp_path, settings=BLANKS, cleaning=cleaning).report
    assert report.model_dump() == {
        "pairs": 16,
        "kept": 1,
        "dropped": {"duplicate": 3, "empty": 6, "length ratio": 4, "too long": 2},
        "source_tokens": 1,
        "target_tokens": 1,
        "in_domain": 0,
    }
    assert report.summary() == (
        "16 sentence pairs read, 1 kept (1 source and 1 target tokens); "
        "dropped: 3 duplicate, 6 empty, 4 length ratio, 2 too long"
    )
    cleaning = Cleaning(max_length=10, max_ratio=10, duplicates=True)
    report = prepare_bitext([prefix], tmp_path, settings=BLANKS, cleaning=cleaning).report
    assert (report.kept, report.dropped) == (4, {"empty": 3, "too long": 1})


def test_lines_end_at_line_feeds_only(tmp_path: Path) -> None:
    (tmp_path / "a.zh").write_bytes("\ufeffa\u2028b\r\nc\x0bd\x85e".encode())
    (tmp_path / "a.en").write_bytes(b"x\ry\nz\n")
    prepare_bitext([tmp_path / "a"], tmp_path / "work", settings=BLANKS)
    assert (tmp_path / "work" / "corpus.source").read_text() == "a b\nc d e\n"
    assert (tmp_path / "work" / "corpus.target").read_text() == "x y\nz\n"


def test_compressed_and_plain_files_mix(tmp_path: Path) -> None:
    prefix = write_pair(tmp_path / "a", ["a"], ["x"])
    with gzip.open(tmp_path / "a.zh.gz", "wb") as file:
        file.write((tmp_path / "a.zh").read_bytes())
    (tmp_path / "a.zh").unlink()
    assert prepare_bitext([prefix], tmp_path / "work", settings=BLANKS).report.kept == 1


def truncated_gzip(tmp_path: Path) -> Path:
    prefix = write_pair(tmp_path / "a", ["a"], ["x"])
    (tmp_path / "a.zh").unlink()
    (tmp_path / "a.zh.gz").write_bytes(gzip.compress(b"abc\n" * 1000)[:-10])
    return prefix


def bad_bytes(tmp_path: Path) -> Path:
    prefix = write_pair(tmp_path / "a", ["a", "b"], ["x", "y"])
    (tmp_path / "a.en").write_bytes(b"x\ny \xff\xfe z\n")
    return prefix


BAD_INPUT: list[tuple[Callable[[Path], Path | str], type[Exception], str]] = [
    (
        lambda path: write_pair(path / "a", ["a"] * 1001, ["x"]),
        InputError,
        "{path}/a.zh has 1,001 lines, {path}/a.en has 1",
    ),
    (
        lambda path: path / "b",
        FileNotFoundError,
        "{path}/b.zh: no such file",
    ),
    (
        bad_bytes,
        InputError,
        "{path}/a.en:2: invalid UTF-8 (bytes ff at byte 3 of the line)",
    ),
    (
        truncated_gzip,
        InputError,
        "{path}/a.zh.gz: not a complete compressed file",
    ),
]


@pytest.mark.parametrize(("make", "kind", "message"), BAD_INPUT)
def test_bad_input_is_named_and_leaves_nothing(
    tmp_path: Path, make: Callable[[Path], Path | str], kind: type[Exception], message: str
) -> None:
    prefix = make(tmp_path)
    with pytest.raises(kind) as caught:
        prepare_bitext([prefix], tmp_path / "work", settings=BLANKS)
    assert str(caught.value).startswith(message.format(path=tmp_path))
    assert not (tmp_path / "work").exists() or not list((tmp_path / "work").iterdir())


def test_no_prefix_at_all(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^no parallel text given; name at least one prefix of a pair of files$"):
        prepare_bitext([], tmp_path)


def test_nothing_left_to_train_on(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^no sentence pair is left to train on"):
        prepare_bitext([write_pair(tmp_path / "a", [""], [""])], tmp_path / "work", settings=BLANKS)


@pytest.mark.slow
def test_errors_of_workers_arrive(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("a b c d\n")
    settings = TextSettings(user_dictionary=tmp_path / "words")
    prefix = write_pair(tmp_path / "a", ["a"], ["x"])
    with pytest.raises(InputError, match=r"words:1: expected 'word'"):
        prepare_bitext([prefix], tmp_path / "work", settings=settings, threads=2)
    assert list((tmp_path / "work").iterdir()) == []


@pytest.mark.slow
def test_parallel_is_serial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitext, "_CHUNK", 7)
    source = [f"第{i}个句子，说的是第{i % 5}件事。" for i in range(100)]
    target = [f"Sentence {i} is about the {'Thing' if i % 3 else 'thing'} {i % 5}." for i in range(100)]
    prefix = write_pair(tmp_path / "a", source, target)
    serial = prepare_bitext([prefix, prefix], tmp_path / "1")
    parallel = prepare_bitext([prefix, prefix], tmp_path / "2", threads=2)
    assert serial.report == parallel.report
    assert serial.report.dropped == {"duplicate": 100}
    for name in ("corpus.source", "corpus.target"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()
    prepare_text([tmp_path / "a.en"], tmp_path / "lm.en", truecaser=serial.truecaser, threads=2)
    assert (tmp_path / "lm.en").read_bytes() == (tmp_path / "1/corpus.target").read_bytes()


def first_last(folder: Path) -> Callable[[int], int]:
    """Makes a function that finishes item 0 after item 3."""

    def work(item: int) -> int:
        if item == 0:
            wait_until((folder / "3").exists, "another worker at the item 3")
        (folder / str(item)).touch()
        return item

    return work


@pytest.mark.slow
def test_two_workers_keep_the_order_and_take_few_items_ahead(tmp_path: Path) -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(20):
            taken.append(item)
            yield item

    results = map_in_order(partial(first_last, tmp_path), items(), threads=2)
    assert next(results) == 0
    assert len(taken) <= 6
    assert list(results) == list(range(1, 20))


def test_monolingual_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The cat.\n\n \nYes, the dog.\n")
    with gzip.open(tmp_path / "b.txt.gz", "wt") as file:
        file.write("THE END")
    caser = Truecaser.train([["x", "the", "end"]])
    seen: list[tuple[str, int, int]] = []
    prepare_text(
        [tmp_path / "a.txt", tmp_path / "b.txt.gz"],
        tmp_path / "lm.en",
        truecaser=caser,
        progress=lambda *call: seen.append(call),
    )
    assert (tmp_path / "lm.en").read_text() == "the cat .\nYes , the dog .\nthe end\n"
    assert seen == [("tokenize", 5, 5)]
    with pytest.raises(FileNotFoundError) as caught:
        prepare_text([tmp_path / "no.txt"], tmp_path / "lm2.en", truecaser=caser)
    assert str(caught.value) == f"{tmp_path}/no.txt: no such file"
    assert not (tmp_path / "lm2.en").exists()


INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from widl.phrase_table.bitext import prepare_bitext
from widl.text.source_and_target import TextSettings

def progress(stage, done, total):
    print(stage, flush=True)
    os.kill(os.getpid(), signal.SIGINT)

if __name__ == "__main__":
    prepare_bitext([sys.argv[1]], Path(sys.argv[2]), threads=2, settings=TextSettings(source_language="none"),
                   progress=progress)
"""


@pytest.mark.slow
def test_an_interrupted_run_leaves_nothing(tmp_path: Path) -> None:
    prefix = write_pair(tmp_path / "a", [f"a {i}" for i in range(20_000)], [f"x {i}" for i in range(20_000)])
    (tmp_path / "run.py").write_text(INTERRUPTED)
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "corpus.source").write_text("of an earlier run\n")
    result = subprocess.run(
        [sys.executable, tmp_path / "run.py", prefix, tmp_path / "work"],
        capture_output=True,
        timeout=60,
        encoding="utf-8",
    )
    assert result.stdout == "tokenize\n"
    assert result.stderr.rstrip().endswith("KeyboardInterrupt")
    assert result.returncode == -signal.SIGINT
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["corpus.source"]
    assert (tmp_path / "work" / "corpus.source").read_text() == "of an earlier run\n"


KILLED = """
import os, signal
from widl.common.workers import map_in_order

def make():
    return lambda item: os.getpid()

if __name__ == "__main__":
    for pid in map_in_order(make, range(100), threads=1 + 1):
        print(pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_workers_do_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    (tmp_path / "run.py").write_text(KILLED)
    process = subprocess.run([sys.executable, tmp_path / "run.py"], stdout=subprocess.PIPE, timeout=60)
    worker = Path("/proc") / process.stdout.decode().strip()

    def ended() -> bool:
        try:
            return "\nState:\tZ" in (worker / "status").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return True

    try:
        wait_until(ended, "the end of a worker without its parent")
    finally:
        if not ended():
            os.kill(int(worker.name), signal.SIGKILL)


@given(content=st.binary(max_size=60))
def test_lines_are_counted_as_they_are_read(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    path.write_bytes(content)
    try:
        assert len(list(read_lines(path))) == count_lines(path)
    except InputError as error:
        assert str(error).startswith(f"{path}:")
