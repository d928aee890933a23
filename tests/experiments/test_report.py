"""Pages of results: whole HTML, nothing from outside, every figure in its place."""

import json
import re

import pytest

from tests.experiments.found import OUTPUTS, make_experiment, make_set
from tests.page import Page
from widl.common.errors import InputError
from widl.experiments.experiment import pairs_of
from widl.experiments.page import marked, pair_matrix, report_page, result_table, samples
from widl.experiments.results import (
    RESULTS,
    Column,
    Measured,
    PairTest,
    Results,
    Row,
    SystemRun,
    Table,
    TestSet,
    read_results,
)
from widl.experiments.text import pair_lines, results_text


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Results:
    return make_experiment(tmp_path_factory.mktemp("report") / "out")


@pytest.mark.slow
def test_the_page_is_whole_and_needs_nothing_else(results: Results) -> None:
    page = Page(report_page(results))
    text = "\n".join(page.texts)
    for shown in ("Made <up>", "All & everything", "A <note>.", "Nobody (1999)", "<second>"):
        assert shown in text
    assert page.count("article") == 4
    assert page.count("meta", name="viewport") == 1
    assert {found["scope"] for tag, found in page.tags if tag == "th"} == {"col", "row"}
    # What is wider than a phone scrolls within itself, also by keyboard.
    tables = page.count("table")
    assert sum(tag == "div" and "scroll" in (found.get("class") or "").split() for tag, found in page.tags) >= tables
    assert all(found.get("tabindex") == "0" for tag, found in page.tags if "scroll" in (found.get("class") or ""))
    sections = [found["id"] for tag, found in page.tags if tag == "section" and "id" in found]
    assert sections == ["tables", "scores", "significance", "outputs", "systems", "provenance"]


def test_sections_without_content_are_left_out(results: Results) -> None:
    bare = results.model_copy(update={"sets": [], "pairs": [], "intervals": [], "systems": []})
    page = Page(report_page(bare))
    assert [found["id"] for tag, found in page.tags if tag == "section"] == ["tables", "provenance"]


@pytest.mark.slow
def test_results_are_read_as_they_were_written(results: Results, tmp_path_factory) -> None:
    directory = tmp_path_factory.mktemp("again") / "out"
    made = make_experiment(directory)
    assert read_results(directory) == made
    assert report_page(read_results(directory)) == (directory / "report.html").read_text(encoding="utf-8")
    assert results_text(made) == (directory / "results.txt").read_text(encoding="utf-8")
    assert made.tables == results.tables


def damage(found: dict) -> dict:
    del found["tables"]
    return found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: "{", "damaged"),
        (lambda found: [], "not the results of an experiment of this version"),
        (lambda found: found | {"format": "x"}, "not the results of an experiment of this version"),
        (lambda found: found | {"version": 99}, r"made by a newer widl \(format 99\); update widl"),
        (damage, "tables: missing; run the experiment again"),
        (lambda found: found | {"more": 1}, "more: unknown key; run the experiment again"),
    ],
)
def test_damaged_results_are_named(results: Results, tmp_path, change, message: str) -> None:
    changed = change(json.loads(results.model_dump_json()))
    (tmp_path / RESULTS).write_text(changed if isinstance(changed, str) else json.dumps(changed), encoding="utf-8")
    with pytest.raises(InputError, match=rf"results\.json: .*{message}"):
        read_results(tmp_path)


def cells(html: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [[re.sub("<.*?>", "", cell) for cell in re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row)] for row in rows]


def test_a_table_beside_the_papers() -> None:
    table = Table(
        name="t", title="T", paper="P", of="words",
        columns=[
            Column(name="a", digits=2, paper_digits=1, better="lower"), Column(name="b"), Column(name="c", digits=0),
        ],
        rows=[
            Row(label="x", cells=[Measured(value=2.5, deviation=0.25), "given", 1000], paper=[3.25, None, 7]),
            Row(label="y", cells=[1.5, None, 2000]),
            Row(label="z", paper=[9, None, None]),
        ],
    )
    html = result_table(table)
    assert cells(html) == [
        ["words", "a", "", "b", "c", ""],
        ["x", "2.50 ±0.25", "(3.2)", "given", "1,000", "(7)"],
        ["y", "1.50", "", "-", "2,000", ""],
        ["z", "-", "(9.0)", "-", "-", ""],
    ]
    assert re.findall(r'<span class="best">(.*?)</span>', html) == ["1.50"]
    # Heads stand over their own cells, which they sort by, not over the paper's.
    assert re.findall(r'data-cell="(\d)"', html) == ["0", "1", "3", "4"]
    assert "colspan" not in html
    assert re.findall(r'data-value="(.*?)"', html) == ["2.5", "1000", "1.5", "2000"]
    with pytest.raises(ValueError, match="row 'x' has 1 cells, not 3"):
        Table(name="t", title="T", columns=table.columns, rows=[Row(label="x", cells=[1])])


def test_a_matrix_of_pairs() -> None:
    """a is better than b at 5 %, and not by both tests than c; lower is better."""
    def pair(first: str, second: str, difference: float, *p: float) -> PairTest:
        return PairTest(
            set="s", metric="ter", first=first, second=second, difference=difference,
            bootstrap_p=p[0], randomization_p=p[1],
        )

    pairs = [pair("a", "b", 2, 0.01, 0.0004), pair("a", "c", 1, 0.01, 0.06), pair("b", "c", -1, 0.049, 0.049)]
    html = pair_matrix(pairs, "lower", 1, "ter")
    assert cells(html) == [
        ["", "a", "b", "c"],
        ["a", "", "▲ -2.0.010 / &lt;.001", "-1.0.010 / .060"],
        ["b", "▼ +2.0.010 / &lt;.001", "", "▼ +1.0.049 / .049"],
        ["c", "+1.0.010 / .060", "▲ -1.0.049 / .049", ""],
    ]
    assert re.findall(r'<td class="(.*?)">', html) == ["better", "worse", "worse", "better"]
    # What is neither good nor bad has no colour.
    assert "class=\"better\"" not in pair_matrix(pairs, None, 1, "ter")


def test_outputs_side_by_side() -> None:
    test = make_set()
    page = Page("<!DOCTYPE html>\n" + "\n".join(samples(test)))
    rows = [found for tag, found in page.tags if tag == "article"]
    assert [(row["data-row"], row["data-same"]) for row in rows] == [("0", "0"), ("1", "0"), ("2", "0"), ("3", "0")]
    text = "\n".join(page.texts)
    assert "seconds 1e-06" in text
    scores = json.loads(page.raw[0])
    assert scores["length"] == {"first": [6, 3, 3, 0], "<second>": [4, 3, 4, 1], "third": [1, 1, 1, 1]}
    of_second = test.metric("ter").scorer()(test.statistics("<second>", "ter")[0])
    assert scores["ter"]["<second>"] == pytest.approx([float(x) for x in of_second], abs=1e-4)
    assert scores["ter"]["first"][1] == 0
    options = [found for tag, found in page.tags if tag == "option"]
    assert len(options) == 1 + 3 + 2 * len(OUTPUTS)
    # Of many items some, evenly.
    page = Page("<!DOCTYPE html>\n" + "\n".join(samples(test, shown=2)))
    assert [text for text in page.texts if text in "1234"] == ["1", "3"]
    assert "2 of 4 items, evenly spread; all are in results.json." in page.texts
    assert json.loads(page.raw[0])["length"]["first"] == [6, 3]


def test_names_of_systems_cannot_end_a_script() -> None:
    test = make_set("lines", {"</script><p>": OUTPUTS["first"], "b": OUTPUTS["third"]})
    page = Page("<!DOCTYPE html>\n" + "\n".join(samples(test)))
    assert list(json.loads(page.raw[0])["bleu"]) == ["</script><p>", "b"]


def test_of_many_pairs_the_text_has_the_best_systems() -> None:
    """By TER, where less is better: 5 systems make 10 pairs, 6 make 15."""
    texts = {f"s{i}": [line.replace("a", "b" * i) for line in OUTPUTS["first"]] for i in (5, 4, 0, 3, 2, 1)}
    for count, expected in ((5, 10), (6, 5)):
        names = list(texts)[:count]
        test = make_set("lines", {name: texts[name] for name in names})
        ter = test.model_copy(update={"metrics": [test.metric("ter")]})
        pairs = list(pairs_of(ter, resamples=5, seed=1))
        lines = list(pair_lines(ter, pairs))[2:]
        shown = [line.split()[:3] for line in lines if " - " in line]
        assert len(shown) == expected
        if count == 6:
            best = min(names, key=lambda name: sum(ter.scores(name, "ter")))
            assert [first for first, _, _ in shown] == [name for name in names if name != best]
            assert {second for _, _, second in shown} == {best}
            by_name = {line.split()[0]: float(line.split()[3]) for line in lines if " - " in line}
            for name, difference in by_name.items():
                theirs, own = (sum(ter.scores(one, "ter")) / 2 for one in (name, best))
                assert difference == pytest.approx(theirs - own, abs=0.006)
            assert "The other 10 pairs are in report.html." in lines


def test_marks() -> None:
    assert marked("a b", "a b") == "a b"
    assert marked("a <b>", "a <c> d") == "a <del>&lt;b&gt;</del> <ins>&lt;c&gt; d</ins>"
    assert marked("", "a") == "<ins>a</ins>"
    assert marked("a", "") == "<del>a</del>"


def test_items_may_have_fewer_references_than_others() -> None:
    test = TestSet.of(
        "x", inputs=["a", "b"], references=[["one", "two"], [None, "three"], ["", "four"]], metrics=[], systems={}
    )
    assert [item.references for item in test.items] == [["one"], ["two", "three", "four"]]


def test_sets_must_fit_together() -> None:
    test = make_set()
    run = test.systems["third"][0]
    short = run.model_copy(update={"outputs": run.outputs[:3]})
    without = run.model_copy(update={"statistics": {"ter": run.statistics["ter"]}})
    facts = run.model_copy(update={"facts": {"seconds": [1.0]}})
    for runs, message in (
        (short, "third, seed-1: outputs of 3 items, not 4"),
        (without, "third, seed-1: no statistics of 'bleu'"),
        (facts, "third, seed-1: seconds of 1 items, not 4"),
    ):
        with pytest.raises(ValueError, match=message):
            TestSet.of(
                "x", inputs=["a"] * 4, references=[["a"] * 4], metrics=test.metrics, systems={"third": [runs]}
            )
    assert SystemRun.model_validate_json(run.model_dump_json()) == run


def test_as_text(results: Results) -> None:
    lines = results_text(results).splitlines()
    table = next(i for i, line in enumerate(lines) if line == "All & everything")
    assert lines[table + 1].split() == ["bleu", "n"]
    assert re.fullmatch(r"first +\d+\.\d\d ±\d+\.\d\d \(31\.50\)  0", lines[table + 2])
    assert re.fullmatch(r"Lead-10 +- \(20\.80\)  -", lines[table + 5])
    pairs = [line for line in lines if " - " in line and "(" in line and "Lead" not in line]
    assert [pair.split("  ")[0] for pair in pairs] == ["<second> - first", "third - first", "third - <second>"]
    assert lines[-1] == "All <made up>."
