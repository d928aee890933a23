"""Work on a Dask cluster: chunks of a stream are tasks, and their results come in order.

`distributed` schedules: it finds workers, repeats the tasks of a lost worker, and runs on plain hosts, SLURM and
Kubernetes (docs/cluster.md). This module cuts the stream into tasks, bounds the number of tasks in flight, and
reports errors with the numbers of the user's lines.
"""

import logging
import pickle
import signal
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from widl import __version__
from widl.errors import InputError, InternalError
from widl.options import option, option_set
from widl.pipeline.cluster_address import check_answer, no_scheduler, scheduler_address
from widl.pipeline.cluster_worker import run_chunk
from widl.workers import Engine, LocalEngine

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")
Tell = Callable[[str], None]

_LOOK_SECONDS = 1.0  # between two queries for the list of workers
_LOST = (CancelledError, OSError)  # errors of a client whose scheduler has ended


@option_set
class ClusterOptions:
    """How to use a cluster.

    A worker thread runs a single task at a time. `deaths` is for local processes; a running scheduler has its own
    setting, ``allowed-failures``.
    """

    chunk: Annotated[int, option("Lines of a task.", ge=1, hidden=True)] = 16
    connect_seconds: Annotated[
        float, option("Seconds to wait for an address to answer.", ge=0, hidden=True)
    ] = 5.0
    patience: Annotated[
        float, option("Seconds without a worker, after there were some, before an error is raised.", ge=0, hidden=True)
    ] = 600.0
    deaths: Annotated[
        int,
        option("Local processes that may die of a task before its lines are tried one by one.", ge=0, hidden=True),
    ] = 1


@contextmanager
def open_engine(
    cluster: str | None,
    *,
    threads: int = 1,
    tell: Tell = lambda _: None,
    options: ClusterOptions | None = None,
    unit: str = "line",
) -> Iterator[Engine]:
    """The engine that does the work: this process, or a `cluster` by number, address or scheduler file.

    A number starts so many local worker processes, which share `threads`; ``tcp://host:8786`` or the path of a
    scheduler file connects to a running cluster, whose workers have their own threads. `tell` is called with messages
    about missing and lost workers, which call an item a `unit`. InputError if there is no such cluster, or if it has
    another version of widl. At the end, also after an exception, submitted tasks are cancelled and local processes have
    ended.
    """
    if cluster is None:
        yield LocalEngine(threads)
        return
    options = options or ClusterOptions()
    _need_distributed()
    with ExitStack() as stack:
        if cluster.isdecimal():
            client = _local_client(stack, int(cluster), threads, options)
            name = f"{cluster} local workers"
        else:
            client, name = _connected(stack, cluster, options), cluster
            _check_versions(client, name)
        yield ClusterEngine(client, name, options, tell, unit)


class ClusterEngine:
    """An `Engine` on the workers of a Dask client."""

    def __init__(
        self,
        client: "Client",
        name: str,
        options: ClusterOptions,
        tell: Tell = lambda _: None,
        unit: str = "line",
    ) -> None:
        self._client, self._options, self._unit = client, options, unit
        self._workers = _Workers(client, name, options.patience, tell)
        self._tell = tell

    @property
    def address(self) -> str:
        """The scheduler's address, to which workers and other clients may connect while the engine is open."""
        return str(self._client.scheduler.address)

    def map(self, work: Callable[[Iterable[T], int], Iterable[R]], items: Iterable[T]) -> Iterator[R]:
        """See `Engine`. As many chunks are in flight as keep all threads of the workers busy."""
        pickled = pickle.dumps(work, protocol=pickle.HIGHEST_PROTOCOL)
        stream = iter(items)
        pending: deque[_Chunk] = deque()
        first = 1
        try:
            while True:
                ahead = 2 * self._workers.threads() + 8
                while len(pending) < ahead and (part := list(islice(stream, self._options.chunk))):
                    pending.append(self._submitted(pickled, first, part))
                    first += len(part)
                if not pending:
                    return
                yield from self._results(pickled, pending)
        finally:
            for chunk in pending:
                chunk.future.cancel()

    def _submitted(self, pickled: bytes, first: int, items: Sequence[Any]) -> "_Chunk":
        try:
            # Not pure: equal chunks are separate tasks.
            future = self._client.submit(run_chunk, pickled, __version__, items, pure=False)
        except _LOST as error:
            raise self._workers.gone(f"before {_numbered(self._unit, first, len(items))}") from error
        return _Chunk(first, items, future, self._unit)

    def _results(self, pickled: bytes, pending: "deque[_Chunk]") -> list[Any]:
        """The results of the first chunk, which is removed from the queue."""
        from distributed.scheduler import KilledWorker

        chunk = pending[0]
        try:
            found = self._finished(chunk)
        except KilledWorker:
            found = self._one_by_one(pickled, pending)
        pending.popleft()
        chunk.future.release()  # now, whoever still refers to it
        return found

    def _one_by_one(self, pickled: bytes, pending: "deque[_Chunk]") -> list[Any]:
        """The results of a chunk whose workers died: each line is a separate task, to find the line at fault."""
        from distributed.scheduler import KilledWorker

        suspect = pending[0]
        self._tell(f"workers died while they worked on {suspect.lines}; its {self._unit}s are now tried one by one")
        for chunk in pending:
            self._workers.wait(chunk.future, chunk.lines)
        suspect.future.cancel()  # its error refers to the future and would keep it alive
        found: list[Any] = []
        for number, item in enumerate(suspect.items, suspect.first):
            alone = self._submitted(pickled, number, [item])
            try:
                found += self._finished(alone)
            except KilledWorker as error:
                raise InputError(
                    f"{alone.lines}: every worker that worked on it died, {error.last_worker.address} last, perhaps "
                    f"for lack of memory; give workers more, or leave the {self._unit} out"
                ) from None
            finally:
                alone.future.cancel()
        return found

    def _finished(self, chunk: "_Chunk") -> list[Any]:
        try:
            found: list[Any] = self._workers.result(chunk.future, chunk.lines)
        except CancelledError as error:
            raise self._workers.gone(f"in {chunk.lines}") from error
        except InputError:
            raise
        except Exception as error:
            error.add_note(f"while working on {chunk.lines}")
            raise
        if len(found) != len(chunk.items):
            raise InternalError(f"{chunk.lines}: {len(found)} results of {len(chunk.items)} items")
        return found


@dataclass(frozen=True)
class _Chunk:
    """Some items of a stream, the number of the first, counted from 1, and the future of their results."""

    first: int
    items: Sequence[Any]
    future: "Future"
    unit: str

    @property
    def lines(self) -> str:
        return _numbered(self.unit, self.first, len(self.items))


def _numbered(unit: str, first: int, count: int) -> str:
    return f"{unit} {first}" if count == 1 else f"{unit}s {first}-{first + count - 1}"


class _Workers:
    """The workers of a cluster: the number of their threads, and messages about lost ones."""

    def __init__(self, client: "Client", name: str, patience: float, tell: Tell) -> None:
        self._client, self._name, self._patience, self._tell = client, name, patience, tell
        self._threads: dict[str, int] = {}
        self._looked = self._seen = -float("inf")
        self._waiting = False

    def threads(self) -> int:
        """The number of threads of all workers."""
        self._look("before the end")
        return sum(self._threads.values())

    def wait(self, future: "Future", lines: str) -> None:
        """Wait until a future is done, with a result or an error; InputError when no workers are left."""
        from distributed import wait

        while future.status == "pending":
            try:
                with self._client.as_current():
                    wait([future], timeout=max(_LOOK_SECONDS, 0.05))
            except TimeoutError:
                self._look(f"in {lines}")
            except CancelledError:
                return

    def result(self, future: "Future", lines: str) -> Any:
        """The result of a future, or its exception, which may be a CancelledError."""
        patience = max(5 * _LOOK_SECONDS, 0.2)
        while True:
            self.wait(future, lines)
            try:
                return future.result(timeout=patience)
            except TimeoutError:
                if future.status == "error":
                    raise
                # The result may be lost with its worker; then the task is repeated.
                self._look(f"in {lines}")
                patience *= 2  # or the result is large

    def gone(self, where: str) -> InputError:
        """The error of a cluster that has ended."""
        return InputError(f"--cluster {self._name}: the scheduler has ended, {where}; start it and run this again")

    def _look(self, where: str) -> None:
        """Query the scheduler for its workers; at most once a second."""
        now = monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return
        self._looked = now
        try:
            found = self._client.nthreads()
        except _LOST as error:
            raise self.gone(where) from error
        for address in self._threads.keys() - found.keys():
            self._tell(f"lost worker {address}; what it was at is done again")
        had_some = self._seen > 0
        self._threads = dict(found)
        if found:
            self._seen, self._waiting = now, False
        elif had_some and now - self._seen > self._patience:
            raise InputError(
                f"--cluster {self._name}: no workers for {self._patience:.0f} seconds, {where}; see why they ended, "
                "start some, and run this again"
            )
        elif not self._waiting:
            self._waiting = True
            self._tell(f"waiting for workers of {self._name}")


def _need_distributed() -> None:
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise InputError(f"--cluster needs Dask ({error}); install it with: pip install 'widl[cluster]'") from None


def _local_client(stack: ExitStack, processes: int, threads: int, options: ClusterOptions) -> "Client":
    """The client of so many new local processes; closing the stack ends them."""
    import dask
    from distributed import Client, LocalCluster

    if processes < 1:
        raise InputError("--cluster 0: at least one worker process is needed")
    scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="widl-cluster.", ignore_cleanup_errors=True))
    settings = {"distributed.scheduler.allowed-failures": options.deaths, "temporary-directory": scratch}
    with dask.config.set(settings), _not_interrupted():
        cluster = stack.enter_context(
            LocalCluster(
                n_workers=processes,
                threads_per_worker=max(1, threads // processes),
                processes=True,
                memory_limit=0,  # pages of a memory-mapped model would count, though they can be dropped
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                local_directory=scratch,
                silence_logs="CRITICAL",
            )
        )
        return stack.enter_context(Client(cluster, set_as_default=False))


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Delay Ctrl-C until the end of the block; threads and processes started in it never receive the signal."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as in the background of a shell
    if ignored or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # started together with the first process, it would unblock the signal there
    received: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: received.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if received:
        raise KeyboardInterrupt


def _connected(stack: ExitStack, cluster: str, options: ClusterOptions) -> "Client":
    """The client of a running scheduler, which the stack closes."""
    import dask
    from distributed import Client

    address = scheduler_address(cluster)
    if address.startswith("tls:") and not dask.config.get("distributed.comm.tls.client.cert", None):
        raise InputError(f"--cluster {address}: no certificates; Dask's configuration names them (docs/cluster.md)")
    check_answer(address, options.connect_seconds)
    log = logging.getLogger("distributed.client")  # logs a lost scheduler as a traceback; our message is one line
    stack.callback(log.setLevel, log.level)
    log.setLevel(logging.CRITICAL)
    with _not_interrupted():
        for attempt in range(3):
            try:
                return stack.enter_context(
                    Client(address, timeout=options.connect_seconds, set_as_default=False)
                )
            except AssertionError:
                # distributed asserts that the scheduler's greeting comes alone; sometimes other messages come with it.
                if attempt == 2:
                    raise
            except (OSError, ValueError) as error:
                raise no_scheduler(address, str(error)) from None
    raise AssertionError("unreachable")


def _check_versions(client: "Client", name: str) -> None:
    """InputError for a machine with another version of widl."""
    versions: dict[str, Any] = client.get_versions(packages=["widl"])
    for address, packages in [(f"the scheduler at {name}", versions["scheduler"]), *versions["workers"].items()]:
        version = (packages or {}).get("packages", {}).get("widl")
        if version != __version__:
            has = f"has widl {version}" if version else "has no widl"
            place = address if address.startswith("the ") else f"worker {address}"
            raise InputError(
                f"--cluster {name}: {place} {has}, but here is {__version__}; "
                f"install 'widl[cluster]=={__version__}' there"
            )
