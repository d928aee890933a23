"""The examples of docs/cluster.md for SLURM and Kubernetes, as far as a machine without either can check them."""

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


def assert_shell_script(text: str) -> None:
    subprocess.run(["bash", "-n"], input=text.encode(), check=True, timeout=60)


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


def test_the_jobs_of_dask_jobqueue() -> None:
    jobqueue = pytest.importorskip("dask_jobqueue")
    code = example("from dask_jobqueue")
    call = re.search(r"with (SLURMCluster\(.*?\)) as cluster:", code, re.DOTALL)
    assert call is not None
    compile(code, "docs/cluster.md", "exec")

    def cluster(**options):
        here = {"host": "127.0.0.1", "port": 0, "dashboard_address": "127.0.0.1:0"}
        return jobqueue.SLURMCluster(**options, scheduler_options=here)

    with eval(call[1], {"SLURMCluster": cluster}) as made:
        script = made.job_script()
    assert_shell_script(script)
    for part in ("#SBATCH -n 1", "#SBATCH --cpus-per-task=16", "#SBATCH --mem=30G", "#SBATCH -t 04:00:00"):
        assert f"{part}\n" in script
    command = script.splitlines()[-1] if script.splitlines()[-1] else script.splitlines()[-2]
    assert "--nworkers 4" in command
    assert "--nthreads 4" in command
    assert command.split().count("--memory-limit") == 2  # the last one counts
    assert command.rstrip().endswith("--memory-limit 0")


@pytest.mark.parametrize("version", ["1.28", "latest"])
def test_the_manifest_for_kubernetes(version) -> None:
    validate = pytest.importorskip("kubernetes_validate")
    import yaml

    number = validate.latest_version() if version == "latest" else version
    documents = list(yaml.safe_load_all(example("apiVersion")))
    for document in documents:
        validate.validate(document, number, strict=True)
    assert [document["kind"] for document in documents] == ["Service", "Deployment", "Deployment", "Job"]
    service, *makers = documents
    pods = [maker["spec"]["template"] for maker in makers]
    images = {container["image"] for pod in pods for container in pod["spec"]["containers"]}
    assert len(images) == 1
    for maker in makers[:2]:
        labels = maker["spec"]["template"]["metadata"]["labels"]
        assert maker["spec"]["selector"]["matchLabels"] == labels
    assert service["spec"]["selector"] == pods[0]["metadata"]["labels"]
    # Worker and command have the same volume at the same path, and find the scheduler by the service's name.
    worker, command = (pod["spec"] for pod in pods[1:])
    assert worker["volumes"] == command["volumes"]
    assert worker["containers"][0]["volumeMounts"] == command["containers"][0]["volumeMounts"]
    address = f"tcp://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"
    assert address in worker["containers"][0]["args"]
    assert address in command["containers"][0]["args"]


def test_a_wrong_manifest_is_noticed() -> None:
    """The check is one: a misspelt key of the manifest fails."""
    validate = pytest.importorskip("kubernetes_validate")
    import yaml

    _, deployment, *_ = yaml.safe_load_all(example("apiVersion").replace("containers:", "container:"))
    with pytest.raises(validate.ValidationError):
        validate.validate(deployment, validate.latest_version(), strict=True)
