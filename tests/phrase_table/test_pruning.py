import io
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.phrase_table.moses_lines import moses_lines, phrases
from tests.reference import moses_text as slow
from widl.common.errors import InputError
from widl.phrase_table import PhraseTable
from widl.phrase_table.moses_text import export_moses, import_moses
from widl.phrase_table.pruning import Pruning, phrases_of, prune_table

TABLE = """\
das ||| it ||| 0.5 1 0.2 0.9 ||| 0-0 ||| 4 10 2
das ||| that ||| 0.5 1 0.2 0.1 ||| 0-0 ||| 4 10 2
das ||| the ||| 0.9 1 0.6 0.5 ||| 0-0 ||| 8 10 6
das haus ||| the house ||| 1 1 1 0.5 ||| 0-0 1-1 ||| 1 1 1
haus ||| house ||| 1 1 0.75 0.5 ||| 0-0 ||| 3 4 3
haus ||| the house ||| 1 1 0.01 0.5 ||| 0-0 ||| 3 4 1
"""


def pruned(text, tmp_path, pruning):
    import_moses(io.BytesIO(text.encode()), tmp_path / "table")
    with PhraseTable.open(tmp_path / "table") as table:
        report = prune_table(table, tmp_path / "pruned", pruning)
    output = io.BytesIO()
    with PhraseTable.open(tmp_path / "pruned") as table:
        assert table.info == report.info
        export_moses(table, output)
    return report, output.getvalue().decode().split("\n")[:-1]


@given(
    moses_lines(max_size=20),
    st.sets(phrases, max_size=30) | st.none(),
    st.sampled_from([0, 1e-3, 0.05, 0.5, 1]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.lists(st.integers(-2, 2), min_size=4, max_size=4).map(tuple) | st.none(),
)
def test_against_the_slow_reference(tmp_path, lines, wanted, min_probability, min_count, limit, weights):
    text = "".join(f"{line}\n" for line in lines)
    entries = slow.read(lines)
    options = {
        "phrases": wanted,
        "min_probability": min_probability,
        "min_count": min_count,
        "limit": limit,
        "weights": weights if limit else None,
    }
    expected, gone = slow.prune(entries, **options)
    pruning = Pruning(**(options | {"phrases": None if wanted is None else frozenset(wanted)}))
    report, result = pruned(text, tmp_path, pruning)
    assert {tuple(line.split(" ||| ")[:2]) for line in result} == expected
    messages, before = slow.told("".join(f"{line}\n" for line in result).encode()), slow.told(text.encode())
    assert messages == {pair: before[pair] for pair in messages}
    assert dict(report.gone) == gone
    assert report.info.source_phrases == len({f for f, _ in expected})


def test_a_table_may_be_pruned_in_place(tmp_path):
    path = tmp_path / "table"
    import_moses(io.BytesIO(TABLE.encode()), path)
    with PhraseTable.open(path) as table:
        prune_table(table, path, Pruning(limit=1))
        assert len(table.options(["das"])) == 3
    with PhraseTable.open(path) as table:
        assert len(table.options(["das"])) == 1
        assert table.info.history == ("import <stream>", "prune: 1 best")
    assert os.listdir(tmp_path) == ["table"]


def test_what_makes_no_sense(tmp_path):
    import_moses(io.BytesIO(b"a ||| b ||| 1 1 1 1 ||| 0-0\n"), tmp_path / "table")
    with PhraseTable.open(tmp_path / "table") as table:
        for pruning, message in (
            ({"min_count": 1}, "imported without counts"),
            ({"min_probability": 1.1}, "min-probability: expected at most 1, found 1.1"),
            ({"limit": -1}, "limit: expected at least 0, found -1"),
            ({"min_count": 2**32}, "min-count: expected at most"),
            ({"weights": (1, 1, 1, 1)}, "give one"),
        ):
            with pytest.raises(InputError, match=message):
                prune_table(table, tmp_path / "pruned", Pruning(**pruning))
    assert os.listdir(tmp_path) == ["table"]


def test_phrases_of_a_text():
    assert phrases_of([["a", "b"], [], ["b", "c", "a", "b"]], 3) == {
        *("a", "b", "c", "a b", "b c", "c a", "b c a", "c a b"),
    }
