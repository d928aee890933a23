"""Interpolated tables: weights of least perplexity, and the mixture against its definition."""

import io
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from typer.testing import CliRunner

from widl.cli import app
from widl.common.errors import InputError
from widl.phrase_table import (
    Mixture,
    PhraseTable,
    export_moses,
    import_moses,
    interpolate_tables,
    mixture_of_least_perplexity,
)

FIRST = """\
a ||| x ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 2 4 2
a ||| y ||| 0.25 0.5 0.25 0.5 ||| 0-0 ||| 4 4 1
b ||| z ||| 1 1 1 1 ||| 0-0 ||| 1 1 1
"""
SECOND = """\
a ||| y ||| 1 0.5 0.5 0.25 ||| 0-0 ||| 1 2 1
a ||| x w ||| 0.5 0.5 0.5 0.25 ||| 0-1 ||| 2 2 1
a b ||| v ||| 0.5 0.5 0.5 0.25 ||| 0-0 1-0 ||| 2 2 1
"""


def table(path: Path, text: str) -> PhraseTable:
    import_moses(io.BytesIO(text.encode()), path)
    return PhraseTable.open(path)


def text_of(path: Path) -> str:
    output = io.BytesIO()
    with PhraseTable.open(path) as opened:
        export_moses(opened, output)
    return output.getvalue().decode()


def test_a_mixture_by_hand(tmp_path: Path) -> None:
    with table(tmp_path / "1", FIRST) as first, table(tmp_path / "2", SECOND) as second:
        info = interpolate_tables([first, second], tmp_path / "mixed", Mixture.of([0.75, 0.25]))
    assert (info.source_phrases, info.phrase_pairs, info.target_words) == (3, 5, 5)
    assert text_of(tmp_path / "mixed") == """\
a ||| x ||| 0.375 0.375 0.375 0.375 ||| 0-0 ||| 2 4 2 ||| |||
a ||| y ||| 0.4375 0.5 0.3125 0.4375 ||| 0-0 ||| 5 6 2 ||| |||
a ||| x w ||| 0.125 0.125 0.125 0.0625 ||| 0-1 ||| 2 2 1 ||| |||
a b ||| v ||| 0.125 0.125 0.125 0.0625 ||| 0-0 1-0 ||| 2 2 1 ||| |||
b ||| z ||| 0.75 0.75 0.75 0.75 ||| 0-0 ||| 1 1 1 ||| |||
"""
    # The same table as that of its text: the same order of options.
    with PhraseTable.open(tmp_path / "mixed") as mixed:
        entries = list(mixed.iterate())
    with table(tmp_path / "again", text_of(tmp_path / "mixed")) as again:
        assert list(again.iterate()) == entries


def lines_of(pairs: dict[tuple[str, str], tuple[float, int]]) -> str:
    return "".join(f"{f} ||| {e} ||| {p:.6g} 1 {p:.6g} 1 ||| ||| 1 1 {n}\n" for (f, e), (p, n) in pairs.items())


_PAIRS = st.dictionaries(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")),
    st.tuples(st.floats(0.01, 1), st.integers(1, 9)),
    min_size=1,
)


@settings(max_examples=30)
@given(_PAIRS, _PAIRS, _PAIRS)
def test_weights_have_the_least_perplexity(tmp_path_factory, first, second, development) -> None:
    folder = tmp_path_factory.mktemp("tables")
    known = [pair for pair in development if pair in first or pair in second]
    tables = [table(folder / str(i), lines_of(pairs)) for i, pairs in enumerate((first, second))]
    with tables[0], tables[1], table(folder / "dev", lines_of(development)) as dev:
        if not known:
            with pytest.raises(InputError, match="no phrase pair of the development set is in any"):
                mixture_of_least_perplexity(tables, dev)
            return
        mixture = mixture_of_least_perplexity(tables, dev)
    total = sum(development[pair][1] for pair in known)

    def entropy(weight: float) -> float:
        probabilities = [
            weight * first.get(pair, (0.0, 0))[0] + (1 - weight) * second.get(pair, (0.0, 0))[0] for pair in known
        ]
        shares = [development[pair][1] / total for pair in known]
        return -sum(share * math.log(max(p, 1e-300)) for share, p in zip(shares, probabilities, strict=True))

    best = minimize_scalar(entropy, bounds=(1e-6, 1 - 1e-6), method="bounded", options={"xatol": 1e-9})
    assert entropy(mixture.weights[0, 0]) <= best.fun + 1e-4
    assert math.exp(entropy(mixture.weights[0, 0])) == pytest.approx(mixture.perplexities[0], rel=1e-4)
    assert np.allclose(mixture.weights.sum(axis=1), 1)
    assert (mixture.pairs, mixture.known) == (len(development), len(known))


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["phrase-table", "interpolate", *map(str, arguments)])
    return result.exit_code, result.stderr, str(result.exception or "")


def test_on_the_command_line(tmp_path: Path) -> None:
    for name, text in (("1", FIRST), ("2", SECOND)):
        table(tmp_path / name, text).close()
    for name, text in (("dev.f", "a\na b\nb\n"), ("dev.e", "y\nv\nz\n"), ("dev.a", "0-0\n0-0 1-0\n0-0\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    tables = [tmp_path / "1", tmp_path / "2"]
    given = ["--source", tmp_path / "dev.f", "--target", tmp_path / "dev.e", "--alignment", tmp_path / "dev.a"]
    code, told, _ = run(tmp_path / "mixed", *tables, *given)
    assert code == 0
    assert "of 3 phrase pairs of the development set 3 are in a table" in told
    assert text_of(tmp_path / "mixed").count("\n") == 5
    for wrong, message in (
        ([*tables], "give either --source, --target and --alignment of a development set, or --weights"),
        ([*tables, "--weights", "0.5,0.6"], "weights of tables are above 0 and sum to 1, but not 0.5, 0.6"),
        ([*tables, "--weights", "0.5"], "weights of tables are above 0 and sum to 1, but not 0.5"),
        ([*tables, "--weights", "1"], "1 weights for 2 tables"),
        ([*tables, "--weights", "a,b"], "--weights a,b: expected numbers"),
        ([tables[0], "--weights", "1"], "interpolation takes two tables or more"),
    ):
        code, _, found = run(tmp_path / "other", *wrong)
        assert code != 0
        assert found.startswith(message)
        assert not (tmp_path / "other").exists()


def test_tables_of_other_scores(tmp_path: Path) -> None:
    with (
        table(tmp_path / "1", FIRST) as first,
        table(tmp_path / "2", "a ||| b ||| 1 1\n") as second,
        pytest.raises(InputError, match="only tables of p_fe, p_ef, lex_fe, lex_ef are interpolated"),
    ):
        interpolate_tables([first, second], tmp_path / "mixed", Mixture.of([0.5, 0.5]))
