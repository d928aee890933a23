"""Results read from files, as text and as a page: well-formed HTML without external resources."""

import ast
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from tests.experiments.found import OUTPUTS, make_experiment, make_set
from tests.page import Page
from widl import pages
from widl.common.errors import InputError
from widl.experiments import headline, significance, translation
from widl.experiments.report import marked, report_page, results_latex, results_text, results_tsv, samples
from widl.experiments.results import RESULTS, Results, TestSet, read_results
from widl.experiments.significance import pair_table
from widl.pages.tables import Column, Figure, Row, Table, latex_lines, latex_text, text_lines


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Results:
    return make_experiment(tmp_path_factory.mktemp("report") / "out")


def test_the_page_is_whole_and_needs_nothing_else(results: Results) -> None:
    page = Page(report_page(results))
    text = "\n".join(page.texts)
    for shown in ("Made <up>", "All & everything", "A <note>.", "Nobody (1999)", "<second>"):
        assert shown in text
    assert page.count("article") == 4
    # Elements wider than a phone scroll within themselves, also by keyboard.
    scrolling = [result for tag, result in page.tags if tag == "div" and "scroll" in (result.get("class") or "")]
    assert len(scrolling) == page.count("table")
    assert all(result.get("tabindex") == "0" for result in scrolling)
    sections = [result["id"] for tag, result in page.tags if tag == "section" and "id" in result]
    assert sections == ["results", "scores", "significance", "systems", "outputs", "provenance"]
    bare = results.model_copy(update={"sets": [], "tables": results.tables[:1]})
    sections = [result["id"] for tag, result in Page(report_page(bare)).tags if tag == "section"]
    assert sections == ["results", "provenance"]


def test_results_are_read_as_they_were_written(results: Results, tmp_path_factory) -> None:
    directory = tmp_path_factory.mktemp("again") / "out"
    result = make_experiment(directory)
    assert read_results(directory) == result
    assert report_page(read_results(directory)) == (directory / "report.html").read_text(encoding="utf-8")
    assert results_text(result) == (directory / "results.txt").read_text(encoding="utf-8")
    assert result.tables == results.tables


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: "{", "damaged"),
        (lambda found: found | {"format": "x"}, "format: expected one of 'widl experiment results 4', found 'x'"),
        (lambda found: found | {"more": 1}, "more: unknown key; run the experiment again"),
    ],
)
def test_damaged_results_are_named(results: Results, tmp_path, change, message: str) -> None:
    changed = change(json.loads(results.model_dump_json()))
    (tmp_path / RESULTS).write_text(changed if isinstance(changed, str) else json.dumps(changed), encoding="utf-8")
    with pytest.raises(InputError, match=rf"results\.json: .*{message}"):
        read_results(tmp_path)


def test_outputs_side_by_side() -> None:
    test = make_set("lines", {"</script><p>": OUTPUTS["first"], "<second>": OUTPUTS["<second>"]})
    page = Page("<!DOCTYPE html>\n" + "\n".join(samples(test)))
    rows = [result for tag, result in page.tags if tag == "article"]
    assert [(row["data-row"], row["data-same"]) for row in rows] == [("0", "0"), ("1", "1"), ("2", "0"), ("3", "0")]
    assert "seconds 1e-06" in "\n".join(page.texts)
    scores = json.loads(page.raw[0])
    assert scores["length"] == {"</script><p>": [6, 3, 3, 0], "<second>": [4, 3, 4, 1]}
    of_second = test.metric("ter").scorer()(test.statistics("<second>", "ter")[0])
    assert scores["ter"]["<second>"] == pytest.approx([float(x) for x in of_second], abs=1e-4)
    # An even sample of many items.
    page = Page("<!DOCTYPE html>\n" + "\n".join(samples(test, most=2)))
    assert [text for text in page.texts if text in "1234"] == ["1", "3"]
    assert json.loads(page.raw[0])["length"]["<second>"] == [4, 4]


def test_the_text_has_the_pairs_of_the_baseline() -> None:
    """Pairs by TER, where lower is better."""
    texts = {f"s{i}": [line.replace("a", "b" * i) for line in OUTPUTS["first"]] for i in (5, 4, 0, 3, 2, 1)}
    for count in (3, 5):
        names = list(texts)[:count]
        test: TestSet = make_set("lines", {name: texts[name] for name in names})
        ter = test.model_copy(update={"metrics": [test.metric("ter")]})
        table = pair_table(ter, baseline="s0", resamples=5, seed=1)
        assert len(table.rows) == count * (count - 1) // 2
        labels = [line.split("  ")[0] for line in text_lines(table) if " - " in line]
        assert labels == [f"{name} - s0" for name in names if name != "s0"]
        for row in table.rows:
            first, second = (sum(ter.scores(name, "ter")) / 2 for name in row.label.split(" - "))
            assert row.cells["ter"].value == pytest.approx(first - second)


def test_marks() -> None:
    assert marked("a <b>", "a <c> d") == "a <del>&lt;b&gt;</del> <ins>&lt;c&gt; d</ins>"
    assert marked("", "a") == "<ins>a</ins>"
    assert marked("a", "") == "<del>a</del>"


def test_as_text(results: Results) -> None:
    lines = results_text(results).splitlines()
    table = next(i for i, line in enumerate(lines) if line == "All & everything")
    assert lines[table + 1].split() == ["bleu", "n"]
    assert re.fullmatch(r"first +\d+\.\d\d ±\d+\.\d\d \(31\.50\)  0", lines[table + 2])
    assert re.fullmatch(r"Lead-10 +- \(20\.80\)  -", lines[table + 5])
    assert lines[-2:] == ["All <made up>.", "Test sets: lines (4 items)."]


def test_all_files_have_the_same_tables(results: Results) -> None:
    """Titles, rows and arrows: of the text, of LaTeX, and of tab-separated values."""
    text, latex, tsv = results_text(results), results_latex(results), results_tsv(results)
    titles = [table.title for table in results.tables if table.section in ("Results", "Significance")]
    assert any("paired bootstrap" in title for title in titles)
    assert re.findall("^% (.*)$", latex, re.MULTILINE)[0] == r"\usepackage{booktabs,amssymb}"
    for title in titles:
        assert f"\n{title}\n" in text
        assert f"\n% {title}\n" in latex
        assert f"# {title}\n" in tsv
    signatures = [f"{metric.name}: {metric.signature}" for metric in results.sets[0].metrics if metric.signature]
    assert len(signatures) == 2
    corrected = "p is not corrected for the number of pairs."
    for found, comment in ((text, ""), (latex, "% "), (tsv, "# ")):
        assert all(f"\n{comment}{signature}\n" in found for signature in signatures)
        assert found.count(corrected) == 1
        assert "Test sets: lines (4 items)." in found
    pairs = next(table for table in results.tables if table.section == "Significance")
    assert sum(" - first &" in line for line in latex.splitlines()) == pairs.brief
    assert {"bleu p bootstrap", "bleu p randomization", "bleu doubt"} <= set(
        next(line for line in tsv.splitlines() if line.startswith("pair\t")).split("\t")
    )


def test_latex_has_no_sign_that_it_cannot_set(results: Results) -> None:
    lines = [line for line in results_latex(results).splitlines() if not line.startswith("%")]
    assert all(line.isascii() for line in lines)
    notes = [note for module in (headline, translation, significance) for note in texts_in(module)]
    assert len(notes) > 20
    assert [note for note in notes if not latex_text(note).isascii()] == []


def texts_in(module: ModuleType) -> list[str]:
    """The strings in a module's code, its docstrings left out: notes and heads of tables are among them."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    described = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in described
    ]


def test_the_reader_of_a_paper_has_the_legends() -> None:
    """Notes are text below the table; minus signs are signs; differences are never bold, equal numbers all are."""
    columns = [Column(name="bleu", digits=1, better="higher")]
    scores = {"a": 20.04, "b": 25.02, "c": 25.04}
    table = Table(
        name="t",
        title="T",
        columns=columns,
        rows=[Row(label=name, cells={"bleu": Figure(value=value)}) for name, value in scores.items()],
        notes=["Mean of 3 runs ± standard deviation."],
    )
    lines = list(latex_lines(table))
    assert lines[4:7] == [r"a & 20.0 \\", r"b & \textbf{25.0} \\", r"c & \textbf{25.0} \\"]
    after = lines[lines.index(r"\end{tabular}") + 1 :]
    assert r"Mean of 3 runs $\pm$ standard deviation.\par" in after
    assert any(line.startswith("Bold: the best number of a column") for line in after)
    differences = [Figure(value=value, deviation=0.1, p=(0.3, 0.4)) for value in (-1.5, 2.5)]
    rows = [Row(label=f"s-{i}", cells={"bleu": cell}) for i, cell in enumerate(differences)]
    pairs = list(latex_lines(table.model_copy(update={"rows": rows})))
    assert pairs[4] == r"s-0 & $-$1.5 $\pm$0.1 (.300, .400) \\"
    assert not any("textbf" in line for line in pairs)
    assert not any("<strong>" in str(pages.table(table.model_copy(update={"rows": rows}))) for _ in pairs)


def test_arrows_and_marks_are_in_all_forms() -> None:
    better = Figure(value=1.5, deviation=0.25, p=(0.01, 0.02))
    cells = {"bleu": better, "ter": better, "chrf": better.model_copy(update={"doubt": "1 replication"})}
    columns = [
        Column(name="bleu", better="higher"),
        Column(name="ter", better="lower"),
        Column(name="chrf", better="higher"),
    ]
    table = Table(name="t", title="T", columns=columns, rows=[Row(label="b - a", cells=cells)])
    expected = ["▲ +1.5 ±0.2 (.010, .020)", "▼ +1.5 ±0.2 (.010, .020)", "+1.5 ±0.2 (.010, .020) †"]
    assert re.split(" {2,}", list(text_lines(table))[2]) == ["b - a", *expected]
    row = next(line for line in latex_lines(table) if line.startswith("b - a"))
    pm = [text.replace("±", r"$\pm$") for text in expected]
    pm[0], pm[1] = pm[0].replace("▲", r"$\blacktriangle$"), pm[1].replace("▼", r"$\blacktriangledown$")
    assert row == rf"b - a & {' & '.join(pm).replace('†', chr(36) + chr(92) + 'dagger$')} \\"
    cells_of_page = Page(f"<!DOCTYPE html>\n{pages.table(table)!s}").texts
    assert "▲ +1.5" in cells_of_page
    assert "▼ +1.5" in cells_of_page
    assert "±0.2 (.010, .020) †" in cells_of_page
