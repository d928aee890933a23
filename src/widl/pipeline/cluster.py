"""Work on a Dask cluster: chunks of a stream are tasks, and their results come in order.

`distributed` schedules: it finds workers, repeats the tasks of a lost worker, and runs on plain hosts, SLURM and
Kubernetes (docs/cluster.md). This module cuts the stream into tasks, bounds the number of tasks in flight, and
reports errors with the numbers of the user's lines.
"""

import json
import logging
import math
import pickle
import re
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from widl import __version__
from widl.common.argument_types import checked
from widl.common.errors import InputError, InternalError
from widl.common.extras import optional_packages
from widl.common.option_values import is_whole_number, shortened
from widl.common.workers import Ended, Engine, LocalEngine, not_interrupted, up_to_end

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")
Notify = Callable[[str], None]

CHUNK = 16
"""Lines of a task."""
_CONNECT_SECONDS = 5.0  # seconds for an address to answer
_LOOK_SECONDS = 10.0  # check the workers after this many seconds without a result
_PATIENCE = 600.0  # a command ends after this many seconds without a worker
_MAX_PROCESSES = 4096
_DEATHS = 1  # allowed worker deaths per task; a running scheduler uses its own allowed-failures setting
_ADDRESS = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")


@contextmanager
@checked
def open_engine(
    cluster: str | None, *, threads: int = 1, notify: Notify = lambda _: None, chunk: int = CHUNK, unit: str = "line"
) -> Iterator[Engine]:
    """The engine that does the work: this process, or a `cluster` given as a number, an address or a scheduler file.

    A number starts that many local worker processes, which share `threads`; ``tcp://host:8786`` or the path of a
    scheduler file connects to a running cluster, whose workers have their own threads. A task has `chunk` items.
    `notify` gets messages about missing workers; messages call an item a `unit`. InputError if the cluster does
    not exist; each task checks that its worker has the same version of widl. At the end, even after an exception,
    submitted tasks are canceled and local processes are stopped.
    """
    if cluster is None:
        yield LocalEngine(threads)
        return
    with optional_packages():
        import dask  # noqa: F401
        import distributed  # noqa: F401
    with ExitStack() as stack:
        if is_whole_number(cluster):
            client = _local_client(stack, int(cluster), threads)
            name = f"{cluster} local workers"
        else:
            client, name = _connected(stack, cluster), cluster
        yield ClusterEngine(client, name, notify=notify, chunk=chunk, unit=unit)


@dataclass(frozen=True)
class ClusterEngine:
    """An `Engine` on the workers of a Dask client."""

    client: "Client"
    name: str
    notify: Notify = lambda _: None
    chunk: int = CHUNK
    unit: str = "line"

    @property
    def address(self) -> str:
        """The scheduler's address, to which workers and other clients may connect while the engine is open."""
        return str(self.client.scheduler.address)

    def map(self, work: Callable[[Iterable[T], int], Iterable[R]], items: Iterable[T]) -> Iterator[R]:
        """See `Engine`. The number of chunks in flight keeps all threads of the workers busy."""
        pickled = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        stream, first = iter(items), 1
        pending: deque[_Chunk] = deque()
        try:
            ahead, looked = 0, -math.inf
            while True:
                if monotonic() - looked >= _LOOK_SECONDS:  # asks the scheduler once, not for each chunk
                    ahead, looked = 2 * sum(self._workers().values()) + 8, monotonic()
                while len(pending) < ahead and (part := list(islice(stream, self.chunk))):
                    pending.append(self._submitted(pickled, first, part))
                    first += len(part)
                if not pending:
                    return
                results = self._finished(pending[0])
                if results is None:
                    killed = pending[0]
                    killed.future.release()
                    pending[0] = self._submitted(pickled, killed.first, killed.items, is_retry=True)
                    continue
                pending.popleft().future.release()  # released now, even if other references remain
                yield from results
        finally:
            for chunk in pending:
                chunk.future.cancel()

    def _submitted(self, pickled: bytes, first: int, items: Sequence[Any], *, is_retry: bool = False) -> "_Chunk":
        with self._scheduler():
            # Not pure: equal chunks are separate tasks.
            future = self.client.submit(run_chunk, pickled, __version__, items, pure=False)
        return _Chunk(first, items, future, self.unit, is_retry)

    def _finished(self, chunk: "_Chunk") -> list[Any] | None:
        """The results of a chunk; None if workers died and the chunk should be tried again.

        Dask blames all chunks of a worker that dies. Only a retry shows which chunk killed it.
        """
        from distributed.scheduler import KilledWorker

        try:
            results: list[Any] = self._result(chunk.future)
        except KilledWorker as error:
            if not chunk.is_retry:
                return None
            raise InputError(
                f"{chunk.lines}: every worker that worked on this died, {error.last_worker.address} last, perhaps for "
                "lack of memory; give workers more"
            ) from None
        except InputError:
            raise
        except Exception as error:
            error.add_note(f"while working on {chunk.lines}")
            raise
        if len(results) != len(chunk.items) and not (results and isinstance(results[-1], Ended)):
            raise InternalError(f"{chunk.lines}: {len(results)} results of {len(chunk.items)} items")
        return results

    def _result(self, future: "Future") -> Any:
        """The result of a future; waits without a limit while there are workers."""
        while True:
            with self._scheduler():
                try:
                    return future.result(timeout=_LOOK_SECONDS)
                except TimeoutError:
                    self._workers()

    def _workers(self) -> dict[str, int]:
        """The threads of each worker; waits until there are workers."""
        with self._scheduler():
            threads: dict[str, int] = self.client.nthreads()
            if not threads:
                self.notify(f"waiting for workers of {self.name}")
                try:
                    self.client.wait_for_workers(1, timeout=_PATIENCE)
                except TimeoutError:
                    raise InputError(
                        f"--cluster {self.name}: no workers for {_PATIENCE:.0f} seconds; start some, and run this again"
                    ) from None
                threads = self.client.nthreads()
            return threads

    @contextmanager
    def _scheduler(self) -> Iterator[None]:
        """InputError if the scheduler ends; `run_chunk` uses other types for errors of the work itself."""
        try:
            yield
        except (CancelledError, OSError) as error:
            raise InputError(f"--cluster {self.name}: the scheduler has ended; start it and run this again") from error


@dataclass(frozen=True)
class _Chunk:
    """Some items of a stream, the number of the first item, from 1, and the future with their results."""

    first: int
    items: Sequence[Any]
    future: "Future"
    unit: str
    is_retry: bool = False

    @property
    def lines(self) -> str:
        if len(self.items) == 1:
            return f"{self.unit} {self.first}"
        return f"{self.unit}s {self.first}-{self.first + len(self.items) - 1}"


def run_chunk(work: bytes, version: str, items: Sequence[Any]) -> list[Any]:
    """On a worker: the results of pickled work (see `widl.common.workers.Engine`) on the items, on this thread.

    Errors that the user can fix are InputErrors with the worker's address.
    """
    from distributed import get_worker

    worker = get_worker().address
    if version != __version__:
        raise InputError(
            f"worker {worker} has widl {__version__}, but this work is of {version}; install the same version on all"
        )
    try:
        results = list(up_to_end(pickle.loads(work)(items, 1)))
    except (InputError, OSError) as error:
        raise _of_worker(worker, error) from None
    if results and isinstance(results[-1], Ended):
        results[-1] = Ended(_of_worker(worker, results[-1].error))
    return results


def _of_worker(worker: str, error: Exception) -> Exception:
    """InputError with the worker's address for an error that the user can fix; any other error as it is."""
    if isinstance(error, InputError):
        return InputError(f"worker {worker}: {error}")
    if isinstance(error, OSError):
        text = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
        return InputError(f"worker {worker}: {text}")
    return error


def _local_client(stack: ExitStack, processes: int, threads: int) -> "Client":
    """The client of `processes` new local worker processes; closing the stack ends them."""
    import dask
    from distributed import Client, LocalCluster
    from distributed.gc import disable_gc_diagnosis

    if processes < 1:
        raise InputError("--cluster 0: at least one worker process is needed")
    if processes > _MAX_PROCESSES:
        found = shortened(str(processes))
        raise InputError(f"--cluster {found}: at most {_MAX_PROCESSES} worker processes can be started")
    scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="widl-cluster.", ignore_cleanup_errors=True))
    settings = {"distributed.scheduler.allowed-failures": _DEATHS, "temporary-directory": scratch}
    with dask.config.set(settings), not_interrupted():
        cluster = stack.enter_context(
            LocalCluster(
                n_workers=processes,
                threads_per_worker=max(1, threads // processes),
                processes=True,
                memory_limit=0,  # Dask would count a memory-mapped model's pages, although they can be dropped
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                local_directory=scratch,
                silence_logs="CRITICAL",
            )
        )
        client = stack.enter_context(Client(cluster, set_as_default=False))
    disable_gc_diagnosis(force=True)  # Ctrl-C would be lost in its callback, which ignores all errors
    return client


def _connected(stack: ExitStack, cluster: str) -> "Client":
    """The client of a running scheduler, which the stack closes."""
    import dask
    from distributed import Client

    address = _scheduler_address(cluster)
    if address.startswith("tls:") and not dask.config.get("distributed.comm.tls.client.cert", None):
        raise InputError(f"--cluster {address}: no certificates; Dask's configuration names them (docs/cluster.md)")
    log = logging.getLogger("distributed.client")  # logs a lost scheduler as a traceback; our message is one line
    stack.callback(log.setLevel, log.level)
    log.setLevel(logging.CRITICAL)
    try:
        _check_answer(address)
        with not_interrupted():
            return stack.enter_context(Client(address, timeout=_CONNECT_SECONDS, set_as_default=False))
    except (OSError, ValueError, OverflowError) as error:
        reason = " ".join(str(getattr(error, "strerror", None) or error).split())
        raise InputError(
            f"--cluster: no Dask scheduler answers at {address} ({reason}); 'dask scheduler' starts one"
        ) from None


def _check_answer(address: str) -> None:
    """OSError if no scheduler listens at an address; a client would wait forever for a reply from any other program."""
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS) as connection:
        # A scheduler sends the first message: the length of its greeting, as 8 bytes.
        if scheme == "tcp" and b"\0" not in connection.recv(8):
            raise OSError("what listens there is something else")


def _scheduler_address(cluster: str) -> str:
    """The scheduler's address, from an address or a scheduler file."""
    address = cluster
    if "://" not in cluster and Path(cluster).is_file():
        try:
            address = str(json.loads(Path(cluster).read_text(encoding="utf-8-sig"))["address"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{cluster}: not a file as 'dask scheduler --scheduler-file' writes it") from None
    if not _ADDRESS.fullmatch(address):
        raise InputError(
            f"--cluster {shortened(cluster)!r}: neither a number of processes, nor an address like tcp://host:8786, "
            "nor a scheduler file that exists"
        )
    return address if "://" in address else f"tcp://{address}"
