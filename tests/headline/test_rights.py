"""`training/README.md` lists the package's models with their sources; `NOTICE` credits them."""

import hashlib
import json
import re
from pathlib import Path

import pytest

import widl.headline
from widl.common.manifests import MANIFEST
from widl.headline.model import READY_MODEL

ROOT = Path(__file__).resolve().parents[2]
TABLES = (ROOT / "training" / "README.md").read_text(encoding="utf-8")
PACKAGE = Path(widl.headline.__file__).parent
NOTICE = (PACKAGE.parent / "NOTICE").read_text(encoding="utf-8")


def rows(first: str) -> list[list[str]]:
    """The cells of the table whose head begins with this cell."""
    table = TABLES[TABLES.index(f"| {first} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table]


FILES = {row[0].strip("`"): row for row in rows("file")}
SOURCES = {row[0]: row for row in rows("source")}
SUM = re.compile(r"[0-9a-f]{64}")


def test_every_learned_file_of_the_package_is_listed() -> None:
    learned = {path.name for path in PACKAGE.glob("*.gz")} | {f"ready/{MANIFEST}", "english/SHA256SUMS"}
    assert FILES.keys() == learned


@pytest.mark.parametrize("name", FILES)
def test_files_are_those_that_the_scripts_made(name: str) -> None:
    assert FILES[name][-1] == f"`{hashlib.sha256((PACKAGE / name).read_bytes()).hexdigest()}`"
    assert (ROOT / "training" / FILES[name][1].strip("`")).is_file()


def test_the_ready_model_is_what_its_manifest_lists() -> None:
    listed = json.loads((READY_MODEL / MANIFEST).read_text(encoding="utf-8"))["sha256"]
    there = {path.name: path for path in READY_MODEL.iterdir() if path.name != MANIFEST}
    assert listed == {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in there.items()}
    assert sum(path.stat().st_size for path in READY_MODEL.iterdir()) < 12_000_000


def test_inputs_have_checksums_and_no_file_learns_from_others() -> None:
    inputs = [name for row in rows("input") for name in re.findall(r"`([^`]+)`", row[0])]
    assert all(SUM.search(row[1]) for row in rows("input"))
    for name, (_, _, learned_from, licence, _) in FILES.items():
        if name != "english/SHA256SUMS":
            assert set(re.findall(r"`([^`]+)`", learned_from)) <= {*inputs}
            assert licence == "open"


def test_the_judgments_are_those_listed() -> None:
    [row] = [row for row in rows("input") if row[0] == "`judged.jsonl`"]
    judged = (ROOT / "training" / "ranking" / "judged.jsonl").read_bytes()
    assert row[1] == f"`{hashlib.sha256(judged).hexdigest()}`"
    sources = {json.loads(line)["id"].partition("-")[0] for line in judged.splitlines()}
    assert sources <= {"wikinews", "kremlin", "auspm", "us"}


@pytest.mark.parametrize("source", SOURCES)
def test_the_notice_and_the_page_credit_every_source(source: str) -> None:
    _, _, licence, attribution, _ = SOURCES[source]
    page = (ROOT / "docs" / "rights.md").read_text(encoding="utf-8")
    for text in (NOTICE, page):
        flat = " ".join(text.split())
        for part in source.removeprefix("members of the ").replace("US ", "").split(", "):
            assert part in flat
        assert attribution in flat or attribution == "none due"
        assert licence.split(";")[0].removeprefix("public domain ") in flat
    if licence.startswith("CC BY"):
        assert "SA" not in licence
        assert re.search(r"creativecommons\.org/licenses/by/\d", NOTICE)
