import gzip
import json
from functools import partial

import pytest

from tests.command import refused
from widl.phrase_table import PhraseTable

TEXT = """\
das ||| it ||| 0.5 1 0.2 0.9 ||| 0-0 ||| 4 10 2 ||| |||
das ||| the ||| 0.75 0.25 0.6 1e-05 ||| 0-0 ||| 8 10 6 ||| |||
das haus ||| the house ||| 1 1 1 0.5 ||| 0-0 1-1 ||| 1 1 1 ||| |||
haus ||| house ||| 1 1 0.75 0.5 ||| 0-0 ||| 3 4 3 ||| |||
"""
# The best option of a phrase comes first in the table.
EXPORTED = "".join(TEXT.splitlines(keepends=True)[i] for i in (1, 0, 2, 3))


@pytest.fixture
def run(run):
    """Runs `widl phrase-table`; returns exit code, stdout and stderr."""
    return partial(run, "phrase-table")


@pytest.fixture
def table(run, tmp_path):
    path = tmp_path / "table"
    code, out, err = run("import", "-", path, stdin=TEXT)
    assert (code, out) == (0, "")
    assert f"{path}: 4 phrase pairs of 3 source phrases\n" in err
    return path


def test_export(run, tmp_path, table):
    assert run("export", table, "--quiet") == (0, EXPORTED, "")
    assert run("export", table, "-", "--quiet") == (0, EXPORTED, "")
    code, out, err = run("export", table, tmp_path / "text.gz")
    assert (code, out) == (0, "")
    assert f"{tmp_path / 'text.gz'}: 4 phrase pairs\n" in err
    assert gzip.decompress((tmp_path / "text.gz").read_bytes()).decode() == EXPORTED
    assert run("import", tmp_path / "text.gz", tmp_path / "again", "--memory", "1M", "--quiet") == (0, "", "")
    assert run("export", tmp_path / "again", "--quiet")[1] == EXPORTED


def test_show(run, table):
    assert run("show", table)[1] == (
        "das:\n"
        "  p(e|f)    p(f|e)    lex(e|f)  lex(f|e)    count\n"
        "  0.6       0.75      1e-05     0.25            6  the  0-0\n"
        "  0.2       0.5       0.9       1               2  it   0-0\n"
        "das haus:\n"
        "  p(e|f)    p(f|e)    lex(e|f)  lex(f|e)    count\n"
        "  1         1         0.5       1               1  the house  0-0 1-1\n"
        "haus:\n"
        "  p(e|f)    p(f|e)    lex(e|f)  lex(f|e)    count\n"
        "  0.75      1         0.5       1               3  house  0-0\n"
    )

    def shown(*arguments):
        return [json.loads(line) for line in run("show", table, *arguments, "--json")[1].splitlines()]

    assert [record["source"] for record in shown()] == ["das", "das haus", "haus"]
    assert [record["source"] for record in shown("das")] == ["das", "das haus"]
    assert [record["source"] for record in shown("das", "haus")] == ["das haus"]
    assert shown("das haus") == shown("das", "haus")
    assert shown("ha") == []
    assert shown("das", "--limit", 1)[0] == {
        "source": "das",
        "options": [
            {
                "target": "the",
                "p_fe": 0.75,
                "p_ef": 0.6,
                "lex_fe": 0.25,
                "lex_ef": 1e-5,
                "count_target": 8,
                "count_source": 10,
                "count": 6,
                "alignment": [[0, 0]],
            }
        ],
    }


def test_query(run, table):
    out = run("query", table, "haus", "das  haus", "nichts", "")[1]
    headers = [line for line in out.splitlines() if not line.startswith(" ")]
    assert headers == ["haus:", "das haus:", "nichts: no entry", ": no entry"]
    lines = run("query", table, "--json", "--limit", 1, stdin="das\nnichts\n")[1].splitlines()
    result = [json.loads(line) for line in lines]
    assert [(record["source"], [o["target"] for o in record["options"]]) for record in result] == [
        ("das", ["the"]),
        ("nichts", []),
    ]


def test_stats(run, table):
    code, out, err = run("stats", table, "--json")
    assert (code, err) == (0, "")
    result = json.loads(out)
    assert result["info"]["phrase_pairs"] == 4
    assert result["options"] == {"1": 2, "2": 1}
    out = run("stats", table, "--quiet")[1]
    for line in (
        "source phrases 3\n",
        "phrase pairs 4\n",
        "history: import <stdin>\n",
        "alignment links a pair 1.25\n",
        "options of a source phrase (mean 1.33, most 2)\n             1              2  66.67%\n",
        "[1e-05, 1e-04)               0             0             0             1\n",
    ):
        assert line in out
    assert "lexical weights" not in out  # made by Moses


def test_stats_of_a_bitext(run, tmp_path):
    for name, text in (("f", "a b\n"), ("e", "x y\n"), ("links", "0-0 1-1\n")):
        (tmp_path / name).write_text(text)
    build = "build", tmp_path / "table", "--source", tmp_path / "f", "--target", tmp_path / "e"
    code, out, err = run(*build, "--alignment", tmp_path / "links")
    assert (code, out) == (0, "")
    assert err.endswith(f"{tmp_path / 'table'}: 3 phrase pairs of 3 source phrases\n")
    assert "sentence pairs 1, occurrences of phrase pairs 3\n" in run("stats", tmp_path / "table", "--quiet")[1]
    both = "--forward", tmp_path / "links", "--reverse", tmp_path / "links", "--symmetrization", "union"
    assert run(*build, *both, "--max-phrase-length", 1, "--quiet") == (0, "", "")
    out = run("stats", tmp_path / "table", "--quiet")[1]
    assert "symmetrization union\n" in out
    assert "phrase pairs 2\n" in out
    for wrong in ([], both[:2], [*both, "--alignment", tmp_path / "links"]):
        assert refused(run(*build, *wrong)) == "give either --alignment, or --forward and --reverse"


@pytest.fixture
def bitext(tmp_path):
    """das-the occurs twice, in the only two sentence pairs with either word; all other pairs occur once."""
    texts = {"f": "das haus\ndas buch\nein\n", "e": "the house\nthe book\na\n", "links": "0-0 1-1\n0-0 1-1\n0-0\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return "--source", tmp_path / "f", "--target", tmp_path / "e"


def test_scoring_options(run, tmp_path, bitext):
    build = ("build", tmp_path / "table", *bitext, "--alignment", tmp_path / "links")
    options = "--max-phrase-length", 1
    folder = tmp_path / "spill"
    folder.mkdir()
    code, _, err = run(*build, *options, "--memory", "2K")
    assert code == 0
    assert err.endswith(f"{tmp_path / 'table'}: 4 phrase pairs of 4 source phrases\n")
    assert "longest phrase 1 words\n" in run("stats", tmp_path / "table", "--quiet")[1]


def test_prune(run, tmp_path, table):
    pruned = tmp_path / "pruned"
    (tmp_path / "text").write_text("das buch\n")
    code, out, err = run("prune", table, pruned, "--text", tmp_path / "text", "--min-count", 3)
    assert (code, out) == (0, "")
    assert err.endswith(f"{pruned}: 4 phrase pairs read, 1 kept of 1 source phrases; gone: 2 by text, 1 by min-count\n")
    with PhraseTable.open(pruned) as opened:
        assert opened.info.history == ("import <stdin>", "prune: phrases of a text, count >= 3")
    assert run("prune", table, pruned, "--text", "-", "--quiet", stdin="haus\n") == (0, "", "")
    assert run("export", pruned, "--quiet")[1].startswith("haus ||| house")
    weights = tmp_path / "weights.toml"
    weights.write_text("p_fe = 0\np_ef = 0.0\nlex_fe = 0\nlex_ef = 1.0\nlm0 = 0.5\n")
    assert run("prune", table, pruned, "--limit", 1, "--weights", weights, "--quiet")[0] == 0
    assert run("export", pruned, "--quiet")[1] == "".join(TEXT.splitlines(keepends=True)[i] for i in (0, 2, 3))
    code, _, err = run("prune", table, pruned, "--min-probability", 0.7)
    assert "gone: 2 by min-probability\n" in err
    code, _, err = run("prune", table, pruned)
    assert "4 kept of 3 source phrases; gone: none\n" in err


def test_bad_input(run, tmp_path, table):
    def fails(message, *arguments, stdin=""):
        assert message in refused(run(*arguments, stdin=stdin))

    fails("<stdin>:1: expected 3 to 7 fields", "import", "-", tmp_path / "new", stdin="a\n")
    fails("nothing: no such file", "import", tmp_path / "nothing", tmp_path / "new")
    fails("new: can't be written (No such file or directory)", "import", "-", tmp_path / "no" / "new", stdin=TEXT)
    fails("there is no phrase table", "prune", tmp_path / "nothing", tmp_path / "new")
    fails("no such file", "prune", table, tmp_path / "new", "--text", tmp_path / "nothing")
    weights = tmp_path / "weights.toml"
    weights.write_text("p_fe = 1\n")
    fails("no weight for p_ef", "prune", table, tmp_path / "new", "--limit", 1, "--weights", weights)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["table", "weights.toml"]


def test_reordering_tables(run, tmp_path):
    for name, text in {"source": "a b c", "target": "A C B", "links": "0-0 1-2 2-1"}.items():
        (tmp_path / name).write_text(f"{text}\n")
    table, text, scores, again = (tmp_path / name for name in ("table", "text", "scores", "again"))
    aligned = ("--source", tmp_path / "source", "--target", tmp_path / "target", "--alignment", tmp_path / "links")
    assert run("build", table, *aligned, "--reordering", "msd-bidirectional-fe", "--quiet")[0] == 0
    assert run("export", table, text, "--reordering-table", scores, "--quiet")[0] == 0
    assert "b c ||| C B ||| 0.6 0.2 0.2 0.6 0.2 0.2 \n" in scores.read_text()
    assert run("import", text, again, "--quiet", "--reordering-table", scores)[0] == 0
    with PhraseTable.open(table) as built, PhraseTable.open(again) as imported:
        assert list(imported.iterate()) == list(built.iterate())
    assert '"reordering": [0.6, 0.2, 0.2, 0.6, 0.2, 0.2]' in run("query", table, "b c", "--json")[1]
    assert "reordering model msd-bidirectional-fe" in run("stats", table, "--quiet")[1]
