"""Schedulers that speak TLS only: Dask's configuration names the certificates."""

import shutil
import subprocess
from pathlib import Path

import dask
import distributed
import pytest

from tests.pipeline.cluster_work import double
from widl.common.errors import InputError
from widl.pipeline import cluster as module
from widl.pipeline.cluster import open_engine

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl"),
]


def certificate(folder: Path) -> dict[str, str]:
    """Dask's settings of a new certificate, which is its own authority."""
    folder.mkdir()
    cert, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert]
    command += ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    tls = "distributed.comm.tls"
    sides = {f"{tls}.{side}.{kind}": str(path) for side in ("scheduler", "worker", "client")
             for kind, path in (("cert", cert), ("key", key))}
    return {f"{tls}.ca-file": str(cert), **sides}


@pytest.fixture
def scheduler(tmp_path):
    """The address of a scheduler with a worker, and the settings of those who may use it."""
    ours = certificate(tmp_path / "ours")
    with dask.config.set(ours | {"distributed.comm.require-encryption": True}):
        security = distributed.Security()
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls",
        security=security,
        dashboard_address="127.0.0.1:0",
        silence_logs="CRITICAL",
        local_directory=str(tmp_path),
    ) as cluster:
        yield cluster.scheduler_address, ours


def test_who_has_the_certificates_may_work(scheduler) -> None:
    address, ours = scheduler
    assert address.startswith("tls://")
    with dask.config.set(ours), open_engine(address) as engine:
        assert list(engine.map(double, range(40))) == [2 * item for item in range(40)]


def test_others_are_refused(scheduler, tmp_path, monkeypatch) -> None:
    address, _ = scheduler
    with pytest.raises(InputError, match=r"no certificates; Dask's configuration names them"), open_engine(address):
        pass
    others = certificate(tmp_path / "others")
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 1.0)
    for settings, where in ((others, address), ({}, address.replace("tls://", "tcp://"))):
        with (
            dask.config.set(settings),
            pytest.raises(InputError, match="no Dask scheduler answers at") as error,
            open_engine(where),
        ):
            pass
        assert "\n" not in str(error.value)
