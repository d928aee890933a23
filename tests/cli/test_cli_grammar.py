"""`widl realize --grammar` and `widl order --grammar`, run as programs."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.warm import warm_widl
from widl.decoder import estimate_language_model

pytestmark = pytest.mark.slow

GRAMMAR = 'S -> NP "came"  # a sentence\nNP -> "the" N\nN -> "end" | "near" N\n'


@pytest.fixture(scope="module")
def lm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lm")
    (folder / "text").write_text("came near the end\nthe end came\nthe near end\n" * 5)
    estimate_language_model([folder / "text"], folder / "lm.arpa", order=3)
    return folder / "lm.arpa"


def widl(*arguments: str | Path, text: str = "") -> subprocess.CompletedProcess[str]:
    program = [*warm_widl(), *map(str, arguments)]
    return subprocess.run(program, input=text, capture_output=True, check=False, timeout=60, encoding="utf-8")


def test_only_what_the_grammar_accepts(lm: Path, tmp_path: Path) -> None:
    path = tmp_path / "np.cfg"
    path.write_text(GRAMMAR, encoding="utf-8")
    free = widl("order", "--lm", lm, text="came end near the\n")
    assert (free.returncode, free.stdout) == (0, "came near the end\n")
    found = widl("order", "--lm", lm, "--grammar", path, text="came end near the\n")
    assert (found.returncode, found.stderr, found.stdout) == (0, "", "the near end came\n")
    choice = "or(the · end · came, came · near · the · end)\n"
    found = widl("realize", "--lm", lm, "--grammar", path, "--json", text=choice)
    assert (found.returncode, found.stderr) == (0, "")
    result = json.loads(found.stdout)
    assert (result["text"], result["optimal"]) == ("the end came", True)
    tiles = "tiles{3, expmove: 0.5}(0-1: came, 1-3: or(×(the end), ×(near end)), 1-2: the, 2-3: end)\n"
    assert widl("realize", "--lm", lm, "--grammar", path, text=tiles).stdout == "the end came\n"


def test_errors_name_lines(lm: Path, tmp_path: Path) -> None:
    path = tmp_path / "np.cfg"
    path.write_text(GRAMMAR, encoding="utf-8")
    none = widl("realize", "--lm", lm, "--grammar", path, text="the · end · came\n\nthe · end\n")
    assert none.returncode == 1
    assert none.stderr == "error: <stdin>:3: the grammar accepts none of the realizations\n"
    path.write_text("# empty\nS -> NP\n", encoding="utf-8")
    bad = widl("order", "--lm", lm, "--grammar", path, text="the end\n")
    assert bad.returncode == 2
    assert bad.stderr.startswith(f"error: {path}:2: the nonterminal 'NP' has no rule; a word stands in double quotes")
    missing = widl("order", "--lm", lm, "--grammar", tmp_path / "none", text="the end\n")
    assert (missing.returncode, missing.stderr) == (2, f"error: {tmp_path / 'none'}: no such file\n")
