"""docs/papers.md has every item of the papers, with commands that exist; citations name what the papers have."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from tests.cli.test_help import commands
from widl.cli import app

ROOT = Path(__file__).resolve().parents[1]

ITEMS = {
    "2005": {"Table": 3, "Figure": 6, "Equation": 2, "Theorem": 2},
    "2006": {"Table": 1, "Figure": 6, "Equation": 2, "Theorem": 1},
}
"""How many of each kind the papers have, numbered from 1."""
ALGORITHMS = {
    "2005": ["IDL-NGLM-BFS", "IDL-NGLM-A*", "IDL-NGLM-BEAM", "A*_k"],
    "2006": ["WIDL-NGLM-A*", "WIDL-NGLM-A*_2"],
}
SECTIONS = {
    "2005": {"1", "2", "2.1", "2.2", "2.3", "3", "3.1", "3.2", "3.3", "3.4", "4", "5"},
    "2006": {"1", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "5", "6"},
}

COMMANDS = dict(commands(get_command(app)))


def rows(year: str) -> Iterator[list[str]]:
    """Item, description, command and outcome of each row of a paper's table."""
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8").replace("\\*", "*")
    section = text.split(f"## Soricut and Marcu ({year})")[1].split("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] not in {"item", "---"}:
            assert len(cells) == 4, line
            yield cells


@pytest.mark.parametrize("year", ITEMS)
def test_every_item_has_a_row(year: str) -> None:
    names = [item for item, *_ in rows(year)]
    assert len(set(names)) == len(names)
    expected = {f"{kind} {number}" for kind, count in ITEMS[year].items() for number in range(1, count + 1)}
    assert {name for name in names if not name.startswith("Section")} == expected
    descriptions = " ".join(f"{item} {description}" for item, description, *_ in rows(year))
    assert [name for name in ALGORITHMS[year] if name not in descriptions] == []
    assert {name.split()[1].rstrip(",") for name in names if name.startswith("Section")} <= SECTIONS[year]


@pytest.mark.parametrize("year", ITEMS)
def test_every_item_has_a_command_and_an_outcome(year: str) -> None:
    for item, _, command, outcome in rows(year):
        found = re.findall(r"`widl ([^`]+)`", command)
        assert found or command.startswith("not yet"), item
        assert "](" in outcome or "not yet" in outcome, item
        for words in map(str.split, found):
            path = tuple(word for word in words[:2] if not word.startswith("-"))
            options = {option for parameter in COMMANDS[path].params for option in parameter.opts}
            assert {word for word in words if word.startswith("--")} <= options, (item, words)


KIND = r"(§|Sections?|Tables?|Fig(?:ures?|\.)|Eq(?:uations?|\.)|Theorem) ?"
NUMBERS = r"([0-9](?:\.[0-9])?(?:(?: and |, )§?[0-9](?:\.[0-9])?)*)"
PAPER = r"(?:Marcu \(?|the )(2005|2006)\)?(?: paper(?:'s)?)?"


def citations(text: str) -> Iterator[tuple[str, str, str]]:
    """Year, kind and number of what is cited of the two papers."""
    text = re.sub(r"\s+(?:(?:///?|#) )?", " ", text)
    forms = (rf"{PAPER},? {KIND}{NUMBERS}", "y k n"), (rf"{KIND}{NUMBERS}(?: of| in) {PAPER}", "k n y")
    for form, order in forms:
        for match in re.finditer(form, text):
            found = dict(zip(order.split(), match.groups(), strict=True))
            for number in re.findall(r"[0-9](?:\.[0-9])?", found["n"]):
                kind = {"§": "Section", "F": "Figure", "E": "Equation", "S": "Section"}.get(found["k"][0])
                yield found["y"], kind or found["k"].rstrip("s"), number


def test_citations_are_found() -> None:
    first = "# (Soricut & Marcu 2005, Tables 2 and\n    # 3), Figure 1 of the 2006 paper"
    assert set(citations(f"{first}, Soricut and Marcu (2006, §4.1), Marcu 2006, Eq. 2")) == {
        ("2005", "Table", "2"),
        ("2005", "Table", "3"),
        ("2006", "Figure", "1"),
        ("2006", "Section", "4.1"),
        ("2006", "Equation", "2"),
    }


def test_citations_name_what_the_papers_have() -> None:
    files = [ROOT / "README.md", ROOT / "CHANGELOG.md"]
    for folder in ("src/widl", "core", "docs", "benchmarks", "tests"):
        for ending in ("py", "pyi", "md", "hpp", "cpp"):
            files += (ROOT / folder).rglob(f"*.{ending}")
    count, wrong = 0, []
    for path in files:
        if path == Path(__file__).resolve():
            continue
        for year, kind, number in citations(path.read_text(encoding="utf-8")):
            count += 1
            known = number in SECTIONS[year] if kind == "Section" else 1 <= float(number) <= ITEMS[year][kind]
            if not known:
                wrong.append(f"{path.relative_to(ROOT)}: {kind} {number} of {year}")
    assert wrong == []
    assert count > 30
