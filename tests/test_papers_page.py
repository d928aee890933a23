"""docs/papers.md covers every item of the papers, with commands that run; citations name items of the papers."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.sample import TEXT_SETS, write_sample
from widl.decoder import estimate_language_model

PAGE = Path(__file__).resolve().parents[1] / "docs" / "papers.md"

ITEMS = {
    "2005": {"Table": 3, "Figure": 6, "Equation": 2, "Theorem": 2},
    "2006": {"Table": 1, "Figure": 6, "Equation": 2, "Theorem": 1},
}
"""Number of items of each kind in the papers, numbered from 1."""
ALGORITHMS = {
    "2005": ["IDL-NGLM-BFS", "IDL-NGLM-A*", "IDL-NGLM-BEAM", "A*_k"],
    "2006": ["WIDL-NGLM-A*", "WIDL-NGLM-A*_2"],
}
SECTIONS = {
    "2005": {"1", "2", "2.1", "2.2", "2.3", "3", "3.1", "3.2", "3.3", "3.4", "4", "5"},
    "2006": {"1", "2", "2.1", "2.2", "3", "3.1", "3.2", "4", "5", "6"},
}

EXPRESSIONS = {
    "idl-1.widl": "∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)",
    "section-2.widl": (
        "∨{0.8, 0.2}(a, b)\n∨{0.8, 0.2}(a, b) · ∨{0.6, 0.4}(c, d)\n"
        "∥{1 2: 0.80, perms: 0.15, shuffles: 0.05}(a · b, c)\n∥{1 2: 0.80, perms: 0.20}(×(a · b), c)"
    ),
    "figure-1.widl": (
        "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}(×(turkish · government), "
        "∨{0.65, 0.35}(×(rebels · fighting), ×(attacked · rebels)), in · iraq)"
    ),
    "six-keywords.widl": "∥(" + ", ".join(["∨(a, b, c, d)"] * 6) + ")",
    "figure-6.widl": (
        "∥{expmove: 0.5}("
        "∨{scores: 0.35 0.03 0.19 0.25, 0.35 0.10 0.32 0.36, 0.30 0.87 0.49 0.39}(gunman, ×(the · gunmen), gunmen), "
        "∨{scores: 0.13 0.14 0.18 0.07, 0.47 0.15 0.30 0.46, 0.14 0.11 0.18 0.07, 0.16 0.27 0.24 0.24, "
        "0.10 0.33 0.10 0.16}(×(have · been), being, ×(had · been), were, was), ×(by · police), "
        "∨{scores: 0.65 0.33 0.25 0.63, 0.23 0.50 0.53 0.26, 0.12 0.16 0.22 0.11}(kill, killed, killing), .)"
    ),
}
"""The papers' expressions, by input file."""
PRINTED = {
    ("2005", "Equation 1"): [
        "finally the prisoners were released\n",
        "the captives finally were released\n",
        "the prisoners were finally released\n",
    ],
    ("2005", "Figure 2"): ["vs\tv0 v2\tε\n", "v0 v2\tv1 v2\tfinally\n", "v0 v2\tv0 v3\tε\n", "v0 v4\tv0 v5\tthe\n"],
    **{("2005", f"Figure {number}"): ["finally the prisoners were released\n"] for number in (4, 5, 6)},
    ("2005", "Section 4, A*_k"): ["finally the prisoners were released\n"],
    ("2005", "Section 4, L and G"): ["was police gunman by arrested .\n", "she was killed by a bomb .\n"],
    ("2005", "Theorem 1"): ['"optimal": true'],
    ("2006", "Section 2.1"): [
        "0.8\ta\n0.2\tb\n",
        "0.48\ta c\n0.32\ta d\n",
        "0.8\ta b c\n0.15\tc a b\n0.05\ta c b\n",
        "0.8\ta b c\n0.2\tc a b\n",
    ],
    ("2006", "Figure 1"): [
        "0.13\trebels fighting turkish government in iraq\n",
        "0.049\tin iraq attacked rebels turkish government\n",
        "0.00541666666667\tin turkish government iraq rebels fighting\n",
    ],
    ("2006", "Section 4, size"): ["2949120\n"],
    ("2006", "Figure 6"): ["gunman was killed by police .\n"],
}
"""Outputs of the commands that the papers print too, by year and item."""
NOT_PRINTED = {("2005", "Figure 2"): ["v0 v5\tv1 v5"]}
"""Text that the papers exclude."""
DRAWN = {
    ("2005", "Figure 1"): [("idl-1.dot", 23)],
    ("2006", "Figure 2"): [("figure-2a.dot", 26)],
}
"""Graphs drawn by commands, with as many vertices as in the paper."""
LINES = [
    "gunman was arrested by police .",
    "a gunman was shot dead .",
    "she was killed by a bomb .",
    "two men were killed by soldiers .",
    "he was killed by police .",
    "police have been killing time .",
    "they kill .",
    "finally the prisoners were released",
]
WEIGHTS = "widl1 = 0.25\nwidl2 = 0.25\nwidl3 = 0.25\nwidl4 = 0.25\nlm0 = 1.0\nword_count = 0.0\nphrase_count = 0.0\n"
CONFIGS = {
    "word-order.toml": 'lm = "lm.binary"\nbags = ["bags.txt"]\nresamples = 10\n',
    "headline.toml": 'model = "headlines"\ntest = ["documents.jsonl"]\nresamples = 10\n',
    "translation.toml": f'model = "model"\nresamples = 10\n{TEXT_SETS}[tuning]\nreplications = 1\nmax_iterations = 2\n',
}


@dataclass(frozen=True)
class Item:
    """A row of the page."""

    year: str
    name: str
    what: str
    commands: tuple[str, ...]
    outcome: str


def items() -> list[Item]:
    result, year = [], ""
    for line in PAGE.read_text(encoding="utf-8").replace(r"\*", "*").splitlines():
        if line.startswith("## "):
            year = next((year for year in ITEMS if year in line), "")
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if year and line.startswith("| ") and "`widl " in line:
            result.append(Item(year, cells[0], cells[1], tuple(re.findall("`(.*?)`", cells[2])), cells[3]))
    return result


ROWS = items()


@pytest.mark.parametrize("year", ITEMS)
def test_every_item_has_a_row(year: str) -> None:
    rows = [item for item in ROWS if item.year == year]
    names = [item.name for item in rows]
    assert len(set(names)) == len(names)
    expected = {f"{kind} {number}" for kind, count in ITEMS[year].items() for number in range(1, count + 1)}
    assert {name for name in names if not name.startswith("Section")} == expected
    descriptions = " ".join(f"{item.name} {item.what}" for item in rows)
    assert [name for name in ALGORITHMS[year] if name not in descriptions] == []
    assert {name.split()[1].rstrip(",") for name in names if name.startswith("Section")} <= SECTIONS[year]
    assert all(item.outcome.startswith(("the same", "differs: ", "runs: ")) for item in rows)
    assert {name for of, name in PRINTED if of == year} <= set(names)


@pytest.mark.parametrize("item", [pytest.param(item, id=f"{item.year}-{item.name}") for item in ROWS])
def test_the_same_is_what_a_test_compares(item: Item) -> None:
    """ "The same" requires a command that prints or draws the item, or an existing test named in the row."""
    named = re.findall(r"\[(test_\w+)\]\((.*?)\)", item.outcome)
    for test, path in named:
        file = PAGE.parent / path
        assert file.stem == test or f"def {test}(" in file.read_text(encoding="utf-8")
    key = (item.year, item.name)
    assert not item.outcome.startswith("the same") or named or key in PRINTED or key in DRAWN


@pytest.fixture(scope="module")
def folder(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all input files of the page's commands."""
    result = tmp_path_factory.mktemp("papers")
    for name in ("model", "headlines"):
        (result / name).symlink_to(demo / name)
    write_sample(result, 5)
    write_sample(result, 3, "documents.jsonl")
    for name, expression in EXPRESSIONS.items():
        (result / name).write_text(f"{expression}\n", encoding="utf-8")
    (result / "text.txt").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    (result / "bags.txt").write_text("".join(f"{line}\n" for line in LINES[:3]), encoding="utf-8")
    (result / "weights.toml").write_text(WEIGHTS, encoding="utf-8")
    for name, config in CONFIGS.items():
        (result / name).write_text(config, encoding="utf-8")
    estimate_language_model(result / "text.txt", result / "lm.binary", order=3)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("item", [pytest.param(item, id=f"{item.year}-{item.name}") for item in ROWS])
def test_commands_run_and_print_what_the_paper_does(
    item: Item, folder: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert item.commands
    printed = ""
    for command in item.commands:
        name, *words = shlex.split(command)
        assert name == "widl"
        code, out, err = run(*words)
        assert code == 0, (command, err)
        printed += out
    assert [element for element in PRINTED.get((item.year, item.name), []) if element not in printed] == []
    assert [element for element in NOT_PRINTED.get((item.year, item.name), []) if element in printed] == []
    for file, vertices in DRAWN.get((item.year, item.name), []):
        assert (folder / file).read_text(encoding="utf-8").count("tooltip") == vertices
