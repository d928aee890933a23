"""spaCy is imported without its command line, any release somehow; the project wants the releases of its parser."""

import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from widl.headline.parsing import pipeline_meta

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

OTHER_RELEASES = {
    "another function": "from .cli.info import info, other\n",
    "another module": "from .cli import info\nimport spacy.cli.find\n",
    "as it is": "from .cli.info import info\n",
}


def run(code: str, *paths: Path) -> str:
    """The output of a program that has these folders first on its path."""
    start = f"import sys; sys.path[:0] = {[str(path) for path in paths]}\n"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_command_line_is_imported_only_by_those_who_need_it() -> None:
    code = (
        "from widl.headline.spacy_import import import_spacy\n"
        "spacy = import_spacy()\n"
        "print(spacy.__version__, 'httpx' in sys.modules, import_spacy() is spacy, end=' ')\n"
        "import spacy.cli\n"
        "print(callable(spacy.cli.download))\n"
    )
    assert run(code).split()[1:] == ["False", "True", "True"]


@pytest.mark.parametrize("imports", OTHER_RELEASES.values(), ids=OTHER_RELEASES)
def test_another_release(imports: str, tmp_path: Path) -> None:
    files = {
        "__init__": imports + "release = 4\n",
        "cli/__init__": "",
        "cli/info": "info = other = len\n",
        "cli/find": "",
    }
    for name, text in files.items():
        path = tmp_path / "spacy" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    code = "from widl.headline.spacy_import import import_spacy\nprint(import_spacy().release, end=' ')\n"
    code += "import spacy.cli.info\nprint(spacy.cli.info.other is len)\n"
    assert run(code, tmp_path).split() == ["4", "True"]


def test_the_project_allows_the_releases_for_which_the_parser_was_made() -> None:
    meta = pipeline_meta()
    required = map(Requirement, PROJECT["optional-dependencies"]["headline"])
    [wanted] = [item.specifier for item in required if item.name == "spacy"]
    tested = re.search(r"^spacy<=(.*)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    versions = [
        f"{major}.{minor}.{patch}" for major, minor, patch in itertools.product((2, 3, 4), range(12), (0, 5, 99))
    ]
    allowed = list(wanted.filter(versions))
    assert {version.rpartition(".")[0] for version in allowed} == {meta["version"].rpartition(".")[0]}
    assert set(allowed) <= set(SpecifierSet(meta["spacy_version"]).filter(versions))
    assert tested is not None
    assert tested[1] in wanted
