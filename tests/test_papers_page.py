"""docs/papers.md has every item of the papers, with commands that run; citations name what the papers have."""

import shlex
from pathlib import Path
from typing import Any

import pytest

from widl.cli.papers import EXPRESSIONS, PAPERS, Item, page
from widl.decoder import estimate_language_model
from widl.pipeline.demo import sample_corpus

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
WEIGHTS = "widl1 = 0.25\nwidl2 = 0.25\nwidl3 = 0.25\nwidl4 = 0.25\nlm0 = 1.0\nword_count = 0.0\nphrase_count = 0.5\n"
CONFIGS = {
    "word-order.toml": 'lm = "lm.binary"\nbags = ["bags.txt"]\nresamples = 10\n',
    "headline.toml": 'model = "headlines"\ntest = ["documents.jsonl"]\nresamples = 10\n',
    "translation.toml": """model = "model"
resamples = 10
[tuning]
replications = 1
max_iterations = 1
[dev]
source = "dev.zh"
references = ["dev.en"]
[[test]]
name = "test"
source = "test.zh"
references = ["test.en"]
""",
}
YEARS = {year: next(items for paper, items in PAPERS.items() if year in paper) for year in ITEMS}
ITEMS_OF_BOTH = [pytest.param(item, id=f"{year}-{item.name}") for year in YEARS for item in YEARS[year]]


@pytest.mark.parametrize("year", ITEMS)
def test_every_item_has_a_row(year: str) -> None:
    names = [item.name for item in YEARS[year]]
    assert len(set(names)) == len(names)
    expected = {f"{kind} {number}" for kind, count in ITEMS[year].items() for number in range(1, count + 1)}
    assert {name for name in names if not name.startswith("Section")} == expected
    descriptions = " ".join(f"{item.name} {item.what}" for item in YEARS[year])
    assert [name for name in ALGORITHMS[year] if name not in descriptions] == []
    assert {name.split()[1].rstrip(",") for name in names if name.startswith("Section")} <= SECTIONS[year]


def test_the_page_is_made_of_the_table(pytestconfig: pytest.Config) -> None:
    path = ROOT / "docs" / "papers.md"
    text = path.read_text(encoding="utf-8")
    rest = text[text.index("## Presets") :]
    if pytestconfig.getoption("update_docs"):
        path.write_text(f"{page()}\n{rest}", encoding="utf-8")
    else:
        assert text == f"{page()}\n{rest}"


@pytest.fixture(scope="module")
def folder(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that the page's commands read."""
    made = tmp_path_factory.mktemp("papers")
    for name in ("model", "headlines"):
        (made / name).symlink_to(demo / name)
    for name in ("dev.zh", "dev.en", "test.zh", "test.en"):
        lines = (sample_corpus() / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (made / name).write_text("".join(lines[:5]), encoding="utf-8")
    stories = (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (made / "documents.jsonl").write_text("".join(stories[:3]), encoding="utf-8")
    for name, expression in EXPRESSIONS.items():
        (made / name).write_text(f"{expression}\n", encoding="utf-8")
    (made / "text.txt").write_text("".join(f"{line}\n" for line in LINES), encoding="utf-8")
    (made / "bags.txt").write_text("".join(f"{line}\n" for line in LINES[:3]), encoding="utf-8")
    (made / "weights.toml").write_text(WEIGHTS + "distortion = 1.0\nunknown = 0.0\n", encoding="utf-8")
    for name, config in CONFIGS.items():
        (made / name).write_text(config, encoding="utf-8")
    estimate_language_model(made / "text.txt", made / "lm.binary", order=3)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("item", ITEMS_OF_BOTH)
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
    assert [one for one in item.gives if one not in printed] == []


