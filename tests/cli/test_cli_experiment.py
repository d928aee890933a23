"""`widl experiment`, run as a program."""

import json
import math
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import widl_text
from tests.experiments.conftest import ARPA
from tests.experiments.test_word_order import toml
from tests.pipeline.stopping import stopping

pytestmark = pytest.mark.slow


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "tiny.arpa").write_text(ARPA, encoding="utf-8")
    (tmp_path / "three.txt").write_text("a b c\nc b a\nb a c\n", encoding="utf-8")
    file = tmp_path / "config.toml"
    file.write_text('bags = ["three.txt"]\nlm = "tiny.arpa"\nlimit = 2\n' + toml("L", "BFS", "A*"))
    return file


def test_word_order(config: Path) -> None:
    out = config.parent / "out"
    done = widl_text("experiment", "word-order", config, "--output", out)
    assert done.returncode == 0
    assert done.stdout.startswith("Word order\n\nthree: 2 bags of 3 to 3 words\n")
    assert "(67.1)" not in done.stdout  # the paper's bags are others
    assert "systems/BFS/three.run: done (2)" in done.stderr
    assert done.stdout == (out / "results.txt").read_text("utf-8")
    again = widl_text("experiment", "word-order", config, "--output", out)
    assert again.stdout == done.stdout
    assert [line for line in again.stderr.splitlines() if not line.startswith("results:")] == []


def test_a_killed_run_goes_on(config: Path) -> None:
    """Killed after a row, without any cleanup, and started again."""
    sentences = ["a b c a b c a b c", "b a c b a c a c b", "c a b b a c c b a"] * 8
    (config.parent / "three.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    config.write_text(config.read_text().replace("limit = 2", "") + toml("B_0.1"))
    whole, out = config.parent / "whole", config.parent / "out"
    assert widl_text("experiment", "word-order", config, "--output", whole, "--quiet").returncode == 0
    command = [
        *stopping("systems/A*/three.run: finished", signal.SIGKILL),
        "experiment",
        "word-order",
        config,
        "--output",
        out,
    ]
    assert subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == -signal.SIGKILL
    assert not (out / "results.json").exists()
    assert widl_text("experiment", "word-order", config, "--output", out, "--quiet").returncode == 0
    assert "A*/three.run: started" in (out / "job.log").read_text("utf-8")
    assert (out / "job.log").read_text("utf-8").count("systems/A*/three.run: started") == 1
    result, expected = (json.loads((path / "results.json").read_text("utf-8")) for path in (out, whole))
    pairs = [[table for table in item["tables"] if table["section"] == "Significance"] for item in (result, expected)]
    assert pairs[0] == pairs[1]
    outputs = [[runs[0]["outputs"] for runs in item["sets"][0]["systems"].values()] for item in (result, expected)]
    assert outputs[0] == outputs[1]


def test_interrupted(config: Path) -> None:
    """Ctrl-C prints one line, with no traceback and no partial results."""
    out = config.parent / "out"
    text = "import os, signal; from widl.experiments import word_order as w; "
    text += "w.order = lambda *a, **k: os.kill(os.getpid(), signal.SIGINT) or iter(()); "
    text += "from widl.cli import main; main()"
    command = [sys.executable, "-c", text, "experiment", "word-order", config, "--output", out]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, text=True)
    assert done.returncode == 130
    assert "Traceback" not in done.stderr
    assert "interrupted; run the same command again to resume" in done.stderr
    assert "interrupted" in (out / "job.log").read_text("utf-8")
    assert not (out / "results.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["word-order", "nowhere.toml"], "nowhere.toml: no such file"),
        (
            ["sizes", "nowhere"],
            "nowhere: no such directory; the directory of a model made by 'widl train' was expected",
        ),
    ],
)
def test_bad_input(arguments: list[str], message: str) -> None:
    done = widl_text("experiment", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_sizes() -> None:
    done = widl_text("experiment", "sizes")
    assert done.stdout.startswith("Sizes of expressions, lattices and grammars\n\nBags of different words\n")
    as_json = json.loads(widl_text("experiment", "sizes", "--json").stdout)
    bags, _ = as_json["tables"]
    assert bags["rows"][-1]["cells"]["strings"] == math.factorial(12)
    assert bags["rows"][-1]["cells"]["word lattice, edges"] == 12 * 2**11
