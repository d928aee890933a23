"""`make results`: the commands of claims are repeated, and every figure is compared."""

import itertools
import re
import sys
from pathlib import Path

import pytest
from benchmarks import results

from tests.command import refused
from tests.refusals import Change, assert_refused, changes
from widl.common.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
TEXT = ["the dog sees a cat", "a cat hears the dog", "the tree and a house", "the cat sees the house"]
SHARED = """tuned = "nothing."
size = "small"
date = 2026-11-01
commit = "0000000"
cpu_seconds = 1
"""
CLAIMS = f"""
readme = []

[claim.small]
title = "Small"
conditions = ["four bags"]
{SHARED}commands = ["widl experiment word-order small.toml --output out"]
results = "out"
table = "bags"
needs = ["lm"]
columns = ["proved %", "BLEU"]
rows = {{"A*" = ["99.9", "-"]}}

[claim.printed]
title = "Printed"
conditions = ["none"]
{SHARED}commands = ["echo first 3.5 s of 7"]
columns = ["seconds", "number"]
rows = {{"first" = ["3.0", "7"]}}
patterns = {{"first" = 'first ([\\d.]+) s of (\\d+)'}}
"""


@pytest.mark.slow
def test_claims_are_made_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, configurations, claims = tmp_path / "data", tmp_path / "configurations", tmp_path / "claims.toml"
    (data / "lm").mkdir(parents=True)
    configurations.mkdir()
    (data / "lm" / "text.txt").write_text("".join(f"{line}\n" for line in TEXT * 3))
    (data / "lm" / "bags.txt").write_text("".join(f"{line}\n" for line in TEXT))
    (configurations / "small.toml").write_text('bags = ["lm/bags.txt"]\ntexts = ["lm/text.txt"]\nresamples = 10\n')
    claims.write_text(CLAIMS, encoding="utf-8")
    monkeypatch.setattr(results, "CONFIGURATIONS", configurations)

    def again(*arguments: object) -> tuple[int, str, str]:
        options = ["--file", claims, "--output", tmp_path / "made"]
        monkeypatch.setattr(sys, "argv", ["results.py", "make", *map(str, [*arguments, *options])])
        code = results.main()
        captured = capsys.readouterr()
        progress = [line for line in captured.err.splitlines() if not line.startswith("error: ")]
        return code, captured.out, captured.err if len(progress) != len(captured.err.splitlines()) else ""

    code, out, _ = again("--data", data)
    assert code == 1
    lines = [re.sub(r"in \d+ CPU s", "in N CPU s", line) for line in out.splitlines()]
    assert lines == [
        "small: 2 figures in N CPU s, 2 differ",
        "  A*, proved %: recorded 99.9, made 100.0",
        f"  A*, BLEU: recorded -, made {lines[2].split()[-1]}",
        "printed: 2 figures in N CPU s, 0 differ",  # times may differ by half
    ]
    assert again("small", "--data", data, "--update")[0] == 0
    assert again("--data", data)[0] == 0
    assert results.read_claims(claims).figure("small/A*/proved %") == "100.0"
    code, out, _ = again("small")
    assert (code, out) == (0, "small: left out; no data folder has lm\n")
    for arguments, message in ((("smal",), "no claim 'smal'"), (("--data", tmp_path / "none"), "no such directory")):
        code, out, err = again(*arguments)
        assert message in refused((code, out, err))


@changes(
    ('["99.9", "-"]', '["99.9"]', r"row 'A\*' has 1 figures for 2 columns"),
    ('tuned = "nothing."', "", "claim.small.tuned"),
    ('conditions = ["four bags"]', "conditions = []", "claim.small.conditions"),
    (
        'needs = ["lm"]',
        'needs = []\nbeside = {source = "They", rows = {B = ["1", "2"]}}',
        "beside 'B', which is no row",
    ),
    ('needs = ["lm"]', 'beside = {source = "They", rows = {"A*" = ["1"]}}', r"row 'A\*' has 1 figures for 2 columns"),
    ('results = "out"', "", "give either `results` with `table`, or `patterns`"),
)
def test_a_claim_without_its_conditions_is_refused(tmp_path: Path, change: Change) -> None:
    file = tmp_path / "claims.toml"
    file.write_text(CLAIMS, encoding="utf-8")
    assert_refused(file, change, lambda: results.read_claims(file))


def test_figures_of_a_publication_stand_beside_ours(tmp_path: Path) -> None:
    file = tmp_path / "claims.toml"
    beside = 'beside = {source = "They (1999)", rows = {"A*" = ["98", "-"]}}\nneeds = ["lm"]'
    file.write_text(CLAIMS.replace('needs = ["lm"]', beside), encoding="utf-8")
    lines = results.claim_table(results.read_claims(file).claim["small"])
    assert "| A* | 99.9 (98) | - |" in lines
    assert "- in parentheses: They (1999)" in lines


def test_figures_of_sentences_are_those_of_the_claims(tmp_path: Path) -> None:
    file = tmp_path / "claims.toml"
    file.write_text(CLAIMS, encoding="utf-8")
    claims = results.read_claims(file)
    quote = results.Quote(page="page.md", text="A* (exact) proves {small/A*/proved %:0} to {small/A*/proved %} %,")
    assert claims.filled(quote.text) == "A* (exact) proves 100 to 99.9 %,"
    page = "5 %. A* (exact) proves 1,024.5 to 7 %, 3 more."
    assert results.with_quotes(page, [quote], claims) == "5 %. A* (exact) proves 100 to 99.9 %, 3 more."
    for text, places in ((page + page, 2), (page.replace("proves", "shows"), 0)):
        with pytest.raises(InputError, match=f"^page.md: {places} places with the quote"):
            results.with_quotes(text, [quote], claims)
    with pytest.raises(InputError, match=r"'small/A\*/BLEU' has not been made"):
        claims.filled("{small/A*/BLEU:1}")
    with pytest.raises(InputError, match="no figure 'small/B/proved %'"):
        claims.filled("{small/B/proved %}")


def test_a_picture_has_a_point_for_each_figure() -> None:
    """Times are logarithms: 1 and 100 s are at the ends, 10 s in the middle; a row without a figure has no point."""
    beside = results.Beside(source="They", rows={"b": ["10", "50"]})
    picture = results.Picture(file="x.svg", x="s/line", y="errors %")
    claim = results.Claim.model_validate(
        {
            "title": "T", "conditions": ["none"], "tuned": "nothing", "commands": ["x"], "results": "out", "table": "t",
            "date": "2026-11-01", "commit": "unknown", "cpu_seconds": 1, "columns": ["s/line", "errors %"],
            "rows": {"a": ["1", "100"], "b": ["100", "0"], "c": ["-", "3"], "d": ["0.0", "3"]},
            "beside": beside, "picture": picture,
        }
    )  # fmt: skip
    svg = results.drawn(claim, picture)
    circles = re.findall(r'class="(\w+)" cx="([\d.]+)" cy="([\d.]+)"', svg)
    assert circles == [("ours", "60.0", "60.0"), ("ours", "580.0", "260.0"), ("theirs", "320.0", "160.0")]


def test_the_tables_of_the_pages_are_those_of_the_claims() -> None:
    claims = results.read_claims()
    for page, text in results.page_texts(claims):
        assert page.read_text(encoding="utf-8") == text, "run python benchmarks/results.py pages"
    assert all("<!-- results: " in page.read_text(encoding="utf-8") for page in results.PAGES)
    for claim in claims.claim.values():
        if claim.picture:
            picture = (results.PICTURES / claim.picture.file).read_text(encoding="utf-8")
            assert picture == results.drawn(claim, claim.picture), "run python benchmarks/results.py pages"
    shown = re.findall(r"<!-- results: ([\w-]+) -->", "".join(p.read_text(encoding="utf-8") for p in results.PAGES))
    assert set(shown) == {"readme", *claims.claim}
    for row in claims.readme:
        assert not row.claim or row.claim in claims.claim


def test_labels_of_pictures_cover_neither_points_nor_each_other() -> None:
    points = [("A*_1", 200.0, 150.0), ("A*_2", 203.0, 153.0), ("B_0.1", 204.0, 149.0), ("a long name", 600.0, 40.0)]
    boxes = []
    for (label, *_), (x, y) in zip(points, results.label_places(points), strict=True):
        boxes.append((x, y - 10, x + 6.6 * len(label), y + 2))
        assert 0 <= x <= x + 6.6 * len(label) <= 640
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for left, top, right, bottom in boxes:
        assert not any(left < x < right and top < y < bottom for _, x, y in points)


@pytest.mark.parametrize("top", [0.03, 0.9, 1.0, 1.4, 9.0, 10.0, 75.2, 99.9, 100.0, 52_000.0])
def test_ticks_are_few_and_round(top: float) -> None:
    numbers = results.ticks(top)
    step = numbers[1]
    assert 3 <= len(numbers) <= 6
    assert numbers[0] == 0
    assert numbers[-1] <= top < numbers[-1] + step
    assert f"{step:e}"[0] in "125"
