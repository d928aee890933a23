"""The script of docs/cluster.md for SLURM, as far as a machine without it can check it."""

import os
import re
import signal
import subprocess
import sys
from itertools import groupby
from pathlib import Path

import pytest

from tests.waiting import running
from widl.pipeline.demo import sample_corpus

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cluster.md"


def example(start: str) -> str:
    """The indented block of the page that begins so."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for indented, group in groupby(lines, lambda line: not line or line.startswith("    ")):
        text = "\n".join(line[4:] for line in group).strip() + "\n"
        if indented and text.startswith(start):
            return text
    raise AssertionError(f"no example begins with {start}")


@pytest.mark.slow
def test_the_script_for_slurm(tmp_path) -> None:
    """It runs, with an `srun` that begins a single task on this machine."""
    script = example("#!/bin/bash")
    options = re.findall(r"--[\w-]+=\S+", script.partition("#SBATCH")[2].partition("\n")[0])
    assert options == ["--nodes=4", "--ntasks-per-node=1", "--cpus-per-task=16", "--time=04:00:00"]
    for name in ("zh", "en"):
        lines = (sample_corpus() / f"train.{name}").read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / f"news.{name}").write_text("".join(lines[:60]), encoding="utf-8")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, code in (
        ("srun", 'exec "$@"'),
        ("dask", 'exec python -m dask "$@"'),
        ("widl", 'exec python -m widl "$@"'),
        ("python", f'exec {sys.executable} "$@"'),
    ):
        (programs / name).write_text(f"#!/bin/sh\n{code}\n")
        (programs / name).chmod(0o755)
    # Four nodes of sixteen cores are more than this machine may have.
    (tmp_path / "script").write_text(script.replace("--nworkers 4 --nthreads 4", "--nworkers 1 --nthreads 1"))
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    with running(
        ["bash", "script"], cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:  # fmt: skip
        try:
            code = process.wait(timeout=110)
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # as the end of a job does
    assert code == 0
    assert (tmp_path / "MODEL_DIR" / "manifest.json").is_file()
