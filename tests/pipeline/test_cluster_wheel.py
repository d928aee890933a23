"""A wheel on workers and where the command is: each has an environment of its own, which has nothing of the source."""

import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import distributed
import pytest

import widl
from tests.waiting import running, wait_until
from widl.pipeline.demo import sample_corpus

WHEELS = sorted((Path(__file__).parents[2] / "dist").glob(f"*-cp{sys.version_info[0]}{sys.version_info[1]}-*.whl"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(len(WHEELS) != 1, reason="needs the wheel of make wheel"),
]


def installed(wheel: Path, folder: Path) -> Path:
    """The programs of a new environment with the wheel. Other packages are those of the tests."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=120)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True, timeout=120)
    [packages] = folder.glob("lib/python*/site-packages")
    # Paths alone: the installation for development is a file that only Python's own folders may have.
    others = [path for path in sys.path if Path(path).name == "site-packages"] or [sysconfig.get_path("purelib")]
    (packages / "others.pth").write_text("\n".join(others))
    return folder / "bin"


def with_version(wheel: Path, version: str, folder: Path) -> Path:
    """The same wheel of another version."""
    folder.mkdir()
    old = widl.__version__
    copy = folder / wheel.name.replace(f"-{old}-", f"-{version}-")
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(copy, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "widl/__init__.py":
                content = content.replace(f'__version__ = "{old}"'.encode(), f'__version__ = "{version}"'.encode())
            elif name.endswith("/METADATA"):
                content = content.replace(f"\nVersion: {old}".encode(), f"\nVersion: {version}".encode())
            elif name.endswith("/RECORD"):
                content = content.replace(f"widl-{old}.dist-info".encode(), f"widl-{version}.dist-info".encode())
            target.writestr(name.replace(f"widl-{old}.dist-info", f"widl-{version}.dist-info"), content)
    return copy


@contextmanager
def worker_of(programs: Path, folder: Path) -> Iterator[str]:
    """The address of a scheduler with a worker that these programs begin."""
    here = {"n_workers": 0, "processes": False, "dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with distributed.LocalCluster(**here, protocol="tcp", host="127.0.0.1", local_directory=str(folder)) as cluster:
        address = cluster.scheduler_address
        command = [programs / "python", "-m", "distributed.cli.dask_worker", address, "--no-nanny", "--no-dashboard"]
        options = {"env": {"PATH": str(programs)}, "cwd": folder}
        with running(command, **options, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
            wait_until(lambda: cluster.scheduler.workers, "a worker")
            yield address


def called(programs: Path, folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """What `widl` of these programs says."""
    return subprocess.run(
        [programs / "python", "-m", "widl", *arguments],
        env={"PATH": str(programs)},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_model_of_one_wheel_on_two_environments(tmp_path) -> None:
    worker, command = (installed(WHEELS[0], tmp_path / name) for name in ("worker", "command"))
    for suffix in ("zh", "en"):
        lines = (sample_corpus() / f"train.{suffix}").read_text(encoding="utf-8").splitlines(keepends=True)
        (tmp_path / f"text.{suffix}").write_text("".join(lines[:150]), encoding="utf-8")
    (tmp_path / "one.zh").write_text("".join((tmp_path / "text.zh").read_text(encoding="utf-8").splitlines(True)[:20]))
    with worker_of(worker, tmp_path) as address:
        with distributed.Client(address) as client:
            [place] = client.run(lambda: __import__("widl").__file__).values()
        assert Path(place).is_relative_to(tmp_path / "worker")
        for model, options in (("many", ["--cluster", address]), ("one", [])):
            training = called(command, tmp_path, "train", "--bitext", "text", model, "--quiet", *options)
            assert (training.returncode, training.stdout, training.stderr) == (0, "", "")
        models = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "many")]
        assert models[0] == models[1]
        there = called(command, tmp_path, "translate", "many", "one.zh", "--cluster", address, "--quiet")
    here = called(command, tmp_path, "translate", "one", "one.zh", "--quiet")
    assert (there.returncode, there.stdout, there.stderr) == (0, here.stdout, "")
    assert there.stdout.count("\n") == 20


def test_wheels_of_two_versions_are_refused(tmp_path) -> None:
    worker = installed(with_version(WHEELS[0], "0.0.9", tmp_path / "old"), tmp_path / "worker")
    command = installed(WHEELS[0], tmp_path / "command")
    for suffix in ("zh", "en"):
        (tmp_path / f"text.{suffix}").write_text("a b\n")
    with worker_of(worker, tmp_path) as address:
        refused = called(command, tmp_path, "train", "--bitext", "text", "model", "--cluster", address)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f" has widl 0.0.9, but here is {widl.__version__}; " in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not (tmp_path / "model.work").exists()
