import gzip
import io
import math
import os
from math import exp, log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.phrase_table.bitexts import bitexts, lines
from tests.phrase_table.moses_lines import moses_lines
from tests.phrase_table.tables import contents
from tests.reference import moses_text as slow
from widl.common.errors import InputError
from widl.phrase_table import PhraseTable, build_phrase_table, extract_phrases, moses_text
from widl.phrase_table.entries import in_columns
from widl.phrase_table.moses_text import ExportReport, export_moses, import_moses
from widl.phrase_table.pruning import Pruning, prune_table


def imported(text, path, **options):
    content = text if isinstance(text, bytes) else text.encode()
    return import_moses(io.BytesIO(content), path, **options)


def exported(path):
    output = io.BytesIO()
    with PhraseTable.open(path) as table:
        export_moses(table, output)
    return output.getvalue()


def joined(found):
    return "".join(f"{line}\n" for line in found).encode()


# --- there and back ---


@pytest.mark.parametrize("fields", [3, 4, 5])
@given(st.data(), st.sampled_from([1, 300, 1 << 28]))
def test_lines_come_back(tmp_path, fields, data, memory):
    result = data.draw(moses_lines(fields))
    path = tmp_path / "table"
    info = imported(joined(result), path, memory=memory)
    assert (info.phrase_pairs, info.moses_fields) == (len(result), fields)
    assert slow.told(exported(path)) == slow.told(joined(result))


@given(moses_lines())
def test_contents_against_the_slow_reader(tmp_path, found):
    path = tmp_path / "table"
    info = imported(joined(found), path)
    expected = slow.read(found)
    phrases = contents(path)
    assert [phrase for phrase, _ in phrases] == sorted({f for f, _ in expected}, key=str.encode)
    assert info.source_phrases == len(phrases)
    assert info.target_words == len({word for _, target in expected for word in target.split(" ")})
    assert info.max_length == max(1 + text.count(" ") for pair in expected for text in pair)
    for phrase, options in phrases:
        for option in options:
            entry = expected.pop((phrase, " ".join(option.words)))
            assert option.counts == entry.counts
            assert list(option.alignment) == entry.alignment
            assert option.log_scores == pytest.approx([log(p) for p in entry.scores], abs=1e-9)
        ranks = [(-o.log_scores[1], -o.log_scores[0], " ".join(o.words).encode() + b" ||| ") for o in options]
        assert ranks == sorted(ranks)
    assert expected == {}


@given(moses_lines(), st.randoms(use_true_random=False))
def test_the_order_of_the_lines_and_the_memory_make_no_difference(tmp_path, found, order):
    imported(joined(found), tmp_path / "one")
    order.shuffle(found)
    imported(joined(found), tmp_path / "other", memory=100)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


@given(bitexts())
def test_a_table_of_our_own_comes_back_exactly(tmp_path, bitext):
    # Words with bytes that sort before and after the bars that end a phrase.
    sources, targets, links = lines(bitext)
    targets = [line.replace("the", "~").replace("of", "a!").replace("in", "ab") for line in targets]
    build_phrase_table(tmp_path / "own", extract_phrases(sources, targets, links))
    text = exported(tmp_path / "own")
    if not text:
        return
    imported(text, tmp_path / "again")
    assert contents(tmp_path / "own") == contents(tmp_path / "again")
    assert exported(tmp_path / "again") == text
    with PhraseTable.open(tmp_path / "again") as table:
        prune_table(table, tmp_path / "pruned", Pruning())
    assert contents(tmp_path / "pruned") == contents(tmp_path / "again")


@pytest.mark.parametrize(
    ("rest", "written"),
    [
        ("0.3333333333333 1 1 1", "0.33333334 1 1 1"),
        ("0.0000123 1 1 1", "1.23e-05 1 1 1"),
        ("1e-300 1 1 1", "1e-45 1 1 1"),
        ("1 1 1 1 ||| 0-0 ||| 3 2", "1 1 1 1 ||| 0-0 ||| 3 2 2 ||| |||"),
        (
            "1 1 1 1 ||| 0-0 ||| 1e+06 1.23457e+06 1234567 ||| |||",
            "1 1 1 1 ||| 0-0 ||| 1000000 1234570 1234567 ||| |||",
        ),
        ("1 1 1 1 ||| 0-0 ||| 3 2 1 ||| sparse 0.5 ||| {{Tree [X]}} {{Orient 1}}", "1 1 1 1 ||| 0-0 ||| 3 2 1 ||| |||"),
    ],
)
def test_scores_and_what_follows_them(tmp_path, rest, written):
    imported(f"a ||| b ||| {rest}\n", tmp_path / "table")
    assert exported(tmp_path / "table").decode() == f"a ||| b ||| {written}\n"


@pytest.mark.parametrize("text", ["a ||| b ||| 1 1 1 1", "\ufeffa  |||\tb ||| 1 1 1 1\r\n", " a ||| b ||| 1 1 1 1 \n"])
def test_white_space_is_made_regular(tmp_path, text):
    imported(text, tmp_path / "table")
    assert contents(tmp_path / "table")[0][0] == "a"
    assert exported(tmp_path / "table").split(b" ||| ")[:2] == [b"a", b"b"]


def test_blocks_of_text_end_anywhere(tmp_path, monkeypatch):
    monkeypatch.setattr(moses_text, "_BLOCK", 7)
    result = [f"a{i} ||| b ||| 1 1 1 1" for i in range(9)]
    imported(joined(result)[:-1], tmp_path / "table")
    assert exported(tmp_path / "table") == joined(result)


def test_phrases_that_no_line_can_hold_are_left_out(tmp_path):
    text = ["a |||", "b"], ["x y", "a|||b"], ["0-0 1-1", "0-0"]
    build_phrase_table(tmp_path / "table", extract_phrases(*text, smoothing="none"))
    output = io.BytesIO()
    with PhraseTable.open(tmp_path / "table") as table:
        report = export_moses(table, output)
    assert report == ExportReport(1, 3)
    assert output.getvalue().startswith(b"a ||| x ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n")
    assert output.getvalue().count(b"\n") == 1


def test_import_replaces_only_when_all_is_well(tmp_path):
    imported("a ||| b ||| 1 1 1 1\n", tmp_path / "table")
    before = (tmp_path / "table").read_bytes()
    with pytest.raises(InputError):
        imported("a ||| b ||| 1 1 1 1\nc\n", tmp_path / "table")
    assert (tmp_path / "table").read_bytes() == before
    assert os.listdir(tmp_path) == ["table"]


# --- other scores ---


@st.composite
def other_lines(draw):
    """Lines with a random number of scores, and deleted phrases; returns the number of scores."""
    size = draw(st.sampled_from([1, 2, 3, 4, 5, 6, 12]))
    number = st.integers(1, 999_999).map(lambda n: f"{n / 1000:g}")
    result = []
    pairs = st.tuples(st.sampled_from("abcd"), st.sampled_from(["", "x", "x y"]))
    for source, target in draw(st.sets(pairs, min_size=1)):
        scores = draw(st.lists(number, min_size=size, max_size=size))
        result.append(f"{source} ||| {target} ||| {' '.join(scores)} ||| {'0-0' if target else ''} ||| 2 2 1 ||| |||")
    return size, result


@given(other_lines(), st.sampled_from([1, 300, 1 << 28]))
def test_any_scores(tmp_path, found, memory):
    size, found = found
    names = ",".join(f"n{i}" for i in range(size))
    info = imported(joined(found), tmp_path / "table", scores=names, memory=memory)
    assert in_columns(info.scores) == tuple(names.split(","))
    assert slow.told(exported(tmp_path / "table")) == slow.told(joined(found))
    expected = {tuple(line.split(" ||| ")[:2]): line.split(" ||| ")[2].split() for line in found}
    for source, options in contents(tmp_path / "table"):
        for option in options:
            in_table = dict(zip(info.scores, option.log_scores, strict=True))
            for name, text in zip(in_columns(info.scores), expected.pop((source, " ".join(option.words))), strict=True):
                assert in_table[name] == pytest.approx(log(float(text)), abs=2e-6)
    assert expected == {}
    with PhraseTable.open(tmp_path / "table") as table:
        prune_table(table, tmp_path / "pruned", Pruning())
    assert exported(tmp_path / "pruned") == exported(tmp_path / "table")


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ("0.5", ("score1",)),
        ("0.5 0.25 0.1 1", ("p_fe", "p_ef", "lex_fe", "lex_ef")),
        ("0.5 0.25 0.1 1 2.718 2", ("score1", "score3", "score2", "score4", "score5", "score6")),
    ],
)
def test_names_of_scores(tmp_path, scores, expected):
    info = imported(f"a ||| b ||| {scores}\n", tmp_path / "table")
    assert info.scores == expected
    assert info.has_direct == ("p_ef" in expected)
    with PhraseTable.open(tmp_path / "table") as table:
        assert table.info == info
        ((option,),) = (options for _, options in table.iterate())
    values = [float(text) for text in scores.split()][: len(expected)]
    by_name = dict(zip(in_columns(info.scores), values, strict=True))
    assert option.log_scores == pytest.approx([log(by_name[name]) for name in info.scores])


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("p_fe,,p_ef,x", "'' is none"),
        ("a,b,a,c", "there is a feature 'a' already"),
        ("a,b,c", "<stream>:1: expected 3 scores, as many as were named, found 4"),
    ],
)
def test_names_that_do_not_fit(tmp_path, names, message):
    with pytest.raises(InputError, match=message):
        imported("a ||| b ||| 1 1 1 1\n", tmp_path / "table", scores=names)
    assert not (tmp_path / "table").exists()


def test_pruning_by_other_scores(tmp_path):
    text = "a ||| b ||| 1 2 4 1 8\na ||| c ||| 2 1 1 1 1\na ||| d ||| 4 1 1 1 1\n"
    imported(text, tmp_path / "table")
    with PhraseTable.open(tmp_path / "table") as table:
        prune_table(table, tmp_path / "small", Pruning(limit=1, weights=(1.0, 0, 0, 0, 0.5)))
        assert exported(tmp_path / "small").decode().splitlines() == ["a ||| d ||| 4 1 1 1 1"]
        prune_table(table, tmp_path / "small", Pruning(limit=1, weights=(1.0, 0, 0, 0, 1)))
        assert exported(tmp_path / "small").decode().splitlines() == ["a ||| b ||| 1 2 4 1 8"]
        with pytest.raises(InputError, match=r"4 weights for the table.s scores, score1, score3"):
            prune_table(table, tmp_path / "small", Pruning(limit=1, weights=(1, 1, 1, 1)))
        with pytest.raises(InputError, match="no p"):
            prune_table(table, tmp_path / "small", Pruning(min_probability=0.1))


# --- invalid input ---

GOOD = "a b ||| c ||| 0.5 0.1 0.5 0.1 ||| 0-0 1-0 ||| 2 2 1"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "expected 3 to 7 fields between '|||', found 1"),
        ("a ||| b ||| -1 1 1 1 ||| 0-0 ||| 1 1 1", "score 1 must be a number from 0 on, found '-1'"),
        ("[X][X] a [X] ||| b [X][X] [X] ||| 1 1 1 1 ||| 0-1 ||| 1 1 1", "a hierarchical rule"),
        ("a ||| b ||| 1 1 1 1 ||| 0-1 ||| 1 1 1", "alignment point 0-1 is outside the phrases of 1 and 1 words"),
        (GOOD, r"the phrase pair 'a b \|\|\| c' is already on line 1; remove one of them"),
    ],
)
def test_bad_lines(tmp_path, line, message):
    text = tmp_path / "table.txt"
    text.write_text(f"{GOOD}\nz ||| y ||| 1 1 1 1 |||  ||| 1 1 1\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"^{text}:3: .*{message}") as caught:
        import_moses(text, tmp_path / "table")
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == ["table.txt"]


@pytest.mark.parametrize("more", ["", " 2.718"])
def test_scores_of_zero_and_a_little_above_one_are_taken_as_in_moses(tmp_path, more):
    imported(f"a ||| b ||| 0.5 0 1.0000001 0.2{more}\n", tmp_path / "table")
    [option] = PhraseTable.open(tmp_path / "table").options(["a"])
    assert sorted(option.log_scores[:4]) == pytest.approx([-100, math.log(0.2), math.log(0.5), 0], abs=0.05)


@pytest.mark.parametrize("memory", [500, 1 << 20])
def test_duplicates_far_apart(tmp_path, memory):
    result = [f"f{i % 50} ||| e{i} ||| 1 1 1 1" for i in range(300)]
    result.insert(200, "f7  ||| e107 ||| 1 1 1 1")
    with pytest.raises(InputError, match=r"<stream>:201: the phrase pair 'f7 \|\|\| e107' is already on line 108"):
        imported(joined(result), tmp_path / "table", memory=memory)


def test_other_bad_files(tmp_path):
    with pytest.raises(InputError, match="empty, where a phrase table was expected"):
        imported("", tmp_path / "table")
    with pytest.raises(InputError, match=r"<stream>:2: invalid UTF-8 \(bytes ff\); convert"):
        imported(b"a ||| b ||| 1 1 1 1\na\xff ||| b ||| 1 1 1 1\n", tmp_path / "table")
    text = tmp_path / "text.gz"
    text.write_bytes(gzip.compress(b"a ||| b ||| 1 1 1 1\n" * 3)[:-4])
    with pytest.raises(InputError, match=f"{text}: not a complete compressed file"):
        import_moses(text, tmp_path / "table")
    with pytest.raises(FileNotFoundError, match="nothing: no such file"):
        import_moses(tmp_path / "nothing", tmp_path / "table")
    assert os.listdir(tmp_path) == ["text.gz"]


@example(b"a ||| b ||| 1 1 1 1 ||| 0-0 ||| 0 0 0 |||\n")
@given(
    st.one_of(
        st.binary(max_size=80),
        st.lists(st.sampled_from(["a", "b", "|||", " ", "1", "0.5", "0-0", "\n", "2.718", "e"]), max_size=40).map(
            lambda parts: " ".join(parts).encode()
        ),
    )
)
def test_arbitrary_bytes_are_a_table_or_an_error(tmp_path, content):
    path = tmp_path / "table"
    try:
        imported(content, path)
    except InputError as error:
        assert str(error).startswith("<stream>:")
        assert "\n" not in str(error)
        assert not path.exists()
        return
    again = exported(path)
    imported(again, path)
    assert exported(path) == again
    for _, options in contents(path):
        assert all(exp(score) > 0 for option in options for score in option.log_scores)
    path.unlink()
