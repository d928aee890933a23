"""Work on a cluster of two processes gives the same results as local work, even when processes fail."""

import os
import signal
import socket
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import distributed
import pytest

from tests.common.test_decoding import Doubling
from tests.pipeline.cluster_work import (
    DieTwiceAtFive,
    FailOn,
    WaitAtSeven,
    die_at_five,
    double,
    thread_count,
    too_few,
)
from tests.waiting import wait_until
from widl.common.decoding import decode, decode_and_reduce
from widl.common.errors import InputError, InternalError
from widl.common.workers import LocalEngine, not_interrupted, opened_once
from widl.pipeline import cluster as module
from widl.pipeline.cluster import ClusterEngine, open_engine


@pytest.mark.parametrize(
    "count",
    [
        0,
        3,
        100,
    ],
)
def test_results_come_in_order(cluster, count) -> None:
    assert list(cluster.map(double, range(count))) == [2 * item for item in range(count)]
    assert list(LocalEngine().map(double, range(count))) == [2 * item for item in range(count)]


def test_a_task_has_a_thread(cluster) -> None:
    assert set(cluster.map(thread_count, range(10))) == {1}
    assert set(LocalEngine(3).map(thread_count, range(10))) == {3}


def test_streams_are_read_a_little_ahead(cluster) -> None:
    taken = 0

    def items():
        nonlocal taken
        for item in range(1000):
            taken += 1
            yield item

    ahead = 2 * 2 + 8  # chunks of three, with two threads
    results = cluster.map(double, items())
    for number in range(100):
        assert next(results) == 2 * number
        assert taken <= number + 3 * ahead
    assert taken > 100
    results.close()


def tasks_of(engine: ClusterEngine) -> int:
    return engine.client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


def wait_for_no_tasks(engine: ClusterEngine) -> None:
    wait_until(lambda: not tasks_of(engine), "no tasks")


def test_who_stops_listening_cancels_the_rest(cluster, tmp_path) -> None:
    results = cluster.map(WaitAtSeven(tmp_path), range(100))
    assert next(results) == (0, None)
    (tmp_path / "go").touch()
    results.close()
    wait_for_no_tasks(cluster)


def test_a_killed_workers_chunk_is_done_again(cluster, tmp_path) -> None:

    def kill() -> int:
        wait_until((tmp_path / "pid").exists, "a worker at the item 7")
        process = int((tmp_path / "pid").read_text())
        os.kill(process, signal.SIGKILL)
        (tmp_path / "go").touch()
        return process

    with ThreadPoolExecutor(1) as pool:
        killed = pool.submit(kill)
        result = list(cluster.map(WaitAtSeven(tmp_path), range(100)))
    assert [item for item, _ in result] == list(range(100))
    assert result[7][1] not in (None, killed.result())


@pytest.mark.slow
def test_lines_that_kill_every_worker_are_named(cluster) -> None:
    """Five is the sixth item, in the second chunk."""
    results = cluster.map(die_at_five, range(30))
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(InputError, match=r"^lines 4-6: every worker that worked on this died, tcp://.* last, perhaps"):
        next(results)
    wait_for_no_tasks(cluster)


@pytest.mark.slow
def test_lines_that_are_blamed_for_other_lines_are_tried_again(cluster, tmp_path) -> None:
    """Dask gives up on lines after two dead workers, although other lines may have killed them."""
    assert list(cluster.map(DieTwiceAtFive(tmp_path), range(30))) == list(range(30))
    assert len(list(tmp_path.iterdir())) == 2


def test_errors(cluster) -> None:
    with pytest.raises(InternalError, match=r"lines 1-3: 2 results of 3 items"):
        list(cluster.map(too_few, range(9)))
    with pytest.raises(ZeroDivisionError) as result:
        list(cluster.map(FailOn(5, ZeroDivisionError("five")), range(90)))
    assert result.value.__notes__ == ["while working on lines 4-6"]
    wait_for_no_tasks(cluster)  # although the error's traceback holds their futures
    missing = FileNotFoundError(2, "No such file or directory", "some/where")
    mended = [(InputError("bad"), "bad"), (missing, "some/where: No such file"), (OSError("disk"), "disk")]
    for error, message in mended:
        with pytest.raises(InputError, match=f"^worker tcp://127.0.0.1:[0-9]+: {message}"):
            list(cluster.map(FailOn(0, error), range(9)))
    assert list(cluster.map(double, [1])) == [2]


def test_an_error_comes_behind_the_outputs_before_it(cluster) -> None:
    """As on one machine, where tests/common/test_decoding.py has the same front end: of a stage, and of the source."""

    def numbers():
        yield from range(17)
        raise InputError("no 17 there")

    failing, refused = Doubling(InputError, search=(17, 18, 25)), r"^worker tcp://127.0.0.1:[0-9]+: search of \[17\]"
    for front_end, items, message in ((failing, lambda: range(40), refused), (Doubling(), numbers, "^no 17")):
        outputs = decode(front_end, items(), "", cluster)
        reduced = decode_and_reduce(front_end, items(), "", cluster, int)
        for stream in (outputs, reduced):
            assert [int(next(stream)) for _ in range(17)] == [2 * number for number in range(17)]
            with pytest.raises(InputError, match=message):
                next(stream)


def test_versions(cluster, monkeypatch) -> None:
    monkeypatch.setattr(module, "__version__", "9.9")
    with pytest.raises(InputError, match=r"^worker tcp://.* has widl .*, but this work is of 9.9; install the same"):
        list(cluster.map(double, [1]))


def test_workers_that_come_late(tmp_path, told) -> None:
    told.clear()
    with (
        distributed.LocalCluster(
            n_workers=0,
            processes=False,
            dashboard_address="127.0.0.1:0",
            silence_logs="CRITICAL",
            threads_per_worker=1,
            local_directory=str(tmp_path),
        ) as workers,
        distributed.Client(workers, set_as_default=False) as client,
    ):
        engine = ClusterEngine(client, "X", told.append)
        with ThreadPoolExecutor(1) as pool:
            results = pool.submit(lambda: list(engine.map(double, range(100))))
            wait_until(lambda: told, "news of workers")
            workers.scale(1)
            assert results.result(60) == [2 * item for item in range(100)]
    assert told == ["waiting for workers of X"]


class Gone:
    """A client without workers, with a scheduler that then ends."""

    ended = False

    def nthreads(self) -> dict[str, int]:
        if self.ended:
            raise OSError("closed")
        return {}

    def wait_for_workers(self, count: int, timeout: float) -> None:
        assert (count, timeout) == (1, 600)
        raise TimeoutError


def test_workers_that_do_not_come() -> None:
    heard: list[str] = []
    client = Gone()
    engine = ClusterEngine(client, "X", heard.append)
    with pytest.raises(InputError, match=r"^--cluster X: no workers for 600 seconds; start some, and run this again"):
        list(engine.map(double, [1]))
    assert heard == ["waiting for workers of X"]
    client.ended = True
    with pytest.raises(InputError, match=r"^--cluster X: the scheduler has ended; start it and run this again"):
        list(engine.map(double, [1]))


def test_ctrl_c_waits_while_workers_start() -> None:
    """Unless this process ignores it."""
    before = signal.getsignal(signal.SIGINT)
    done: list[int] = []

    def interrupted() -> None:
        with not_interrupted():
            signal.raise_signal(signal.SIGINT)
            done.append(1)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    with not_interrupted():
        done.append(2)
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert done == [1, 2]
    assert signal.getsignal(signal.SIGINT) is before
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        interrupted()
    finally:
        signal.signal(signal.SIGINT, before)
    assert done == [1, 2, 1]


# --- without a cluster ---


def refused(cluster: str) -> str:
    with pytest.raises(InputError) as error, open_engine(cluster):
        pass
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("says", "reason"), [(b"", "timed out"), (b"SSH-2.0-OpenSSH\r\n", "what listens there is something else")]
)
def test_who_is_no_scheduler(monkeypatch, says: bytes, reason: str) -> None:
    """Another program answers at the scheduler's address, or a silent one."""
    monkeypatch.setattr(module, "_CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        open_connections: list[socket.socket] = []

        def answer() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                connection.sendall(says)
                open_connections.append(connection)

        thread = threading.Thread(target=answer)
        thread.start()
        port = server.getsockname()[1]
        assert f"no Dask scheduler answers at tcp://127.0.0.1:{port} ({reason})" in refused(f"127.0.0.1:{port}")
        server.shutdown(socket.SHUT_RDWR)
        thread.join(60)
        for connection in open_connections:
            connection.close()


@pytest.mark.parametrize(
    ("cluster", "message"),
    [
        ("0", "--cluster 0: at least one worker process is needed"),
        ("127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1 (Connection refused)"),
        ("tcp://host", "--cluster 'tcp://host': neither a number of processes, nor an address like"),
        ("tls://127.0.0.1:1", "--cluster tls://127.0.0.1:1: no certificates; Dask's configuration names them"),
    ],
)
def test_bad_addresses(cluster, message) -> None:
    assert message in refused(cluster)


@pytest.mark.parametrize("text", ["", '{"address": 3}'])
def test_bad_scheduler_files(tmp_path, text) -> None:
    file = tmp_path / "scheduler.json"
    file.write_text(text)
    assert str(file) in refused(str(file))


def test_dask_is_an_extra(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert refused("2") == "this needs distributed; install it with: pip install 'widl[cluster]'"
    with open_engine(None, threads=3) as engine:
        assert engine == LocalEngine(3)


# --- files by path ---


def test_files_are_opened_once(tmp_path) -> None:
    file = tmp_path / "file"
    file.write_text("1")
    result: list[object] = []

    def make() -> object:
        result.append(object())
        return result[-1]

    assert opened_once("a", make, [file]) is opened_once("a", make, [file]) is result[0]
    assert opened_once("b", make, [file]) is result[1]
    os.utime(file, ns=(1, 1))  # another version of the file
    assert opened_once("b", make, [file]) is opened_once("b", make, [file]) is result[2]
    # two are kept
    assert opened_once("c", make) is result[3]
    assert opened_once("b", make, [file]) is result[2]
    assert opened_once("a", make, [file]) is result[4]
    file.unlink()
    with pytest.raises(InputError, match=r"file: no such file; it must have the same path on every machine"):
        opened_once("a", make, [file])


@pytest.mark.slow
def test_threads_open_a_file_once() -> None:
    result: list[object] = []
    together = threading.Barrier(4, timeout=60)

    def make() -> object:
        result.append(object())
        return result[-1]

    def opened(_: int) -> object:
        together.wait()
        return opened_once("x", make)

    with ThreadPoolExecutor(4) as pool:
        assert len({id(item) for item in pool.map(opened, range(4))}) == 1
    assert len(result) == 1
