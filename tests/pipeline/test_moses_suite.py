"""benchmarks/moses_suite.py on a made-up suite in the layout of Moses' own."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.pipeline.test_moses_model import INI, LM, SECOND, TABLE

PROGRAM = Path(__file__).resolve().parents[2] / "benchmarks" / "moses_suite.py"
# Of "the small house", added up as in tests/pipeline/test_moses_model.py.
SCORE = -1.3145


def suite(folder: Path, truth: str, ini: str = INI) -> Path:
    for name in ("models/toy", "lm", "tests/toy/truth", "tests/empty"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    ini = "".join(line for line in ini.splitlines(keepends=True) if "LexicalReordering" not in line)
    # A penalty that differs between tables would be told as left out.
    ini = ini.replace("path=table.txt", "path=${MODEL_PATH}/toy/table.txt").replace("0.15 0.4", "0.15 0")
    ini = ini.replace("path=second.txt", "path=${MODEL_PATH}/toy/second.txt").replace("lm.arpa", "${LM_PATH}/lm.arpa")
    for name, text in (
        ("models/toy/table.txt", TABLE.replace("1e-04", "0.6")), ("models/toy/second.txt", SECOND), ("lm/lm.arpa", LM),
        ("tests/toy/moses.ini", ini), ("tests/toy/to-translate.txt", "das klein haus\n\n"),
        ("tests/toy/truth/results.txt", truth),
    ):
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, PROGRAM, folder, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("search", ["stack", "cube", "astar"])
def test_what_is_equal_higher_lower_and_different(tmp_path: Path, search: str) -> None:
    text = "TRANSLATION_1=the small house \nTRANSLATION_2=\nSCORE_1 = {}\nSCORE_2 = 0.000\nTOTAL_WALLTIME ~ 1\n"
    assert run(suite(tmp_path, text.format(SCORE)), "--search", search) == (0, "toy: 2 equal\n")
    assert run(suite(tmp_path, text.format(SCORE - 1))) == (0, "toy: 1 equal, 1 higher\n")
    assert run(suite(tmp_path, text.format(SCORE + 1))) == (1, "toy: 1 LOWER, 1 equal\n")
    assert run(suite(tmp_path, text.format(SCORE).replace("small", "tiny"))) == (1, "toy: 1 DIFFERENT, 1 equal\n")
    nbest = f"0 ||| the small house ||| LM0= 0 ||| {SCORE}\n"
    assert run(suite(tmp_path, text.format(SCORE) + nbest)) == (0, "toy: 3 equal\n")


@pytest.mark.slow
def test_what_can_not_be_compared(tmp_path: Path) -> None:
    folder = suite(tmp_path, "", INI.replace("KENLM", "OpSequenceModel name=OSM0\nKENLM"))
    code, told = run(folder)
    assert code == 0
    assert "toy: not compared: " in told
    assert "left out: OSM0: an operation sequence model" in told
    code, told = run(suite(tmp_path, "", INI.replace("[feature]", "[nothing]")))
    assert code == 0
    assert "toy: not read: " in told
