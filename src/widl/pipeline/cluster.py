"""Work on a Dask cluster: chunks of a stream are tasks, and their results come in order.

`distributed` is the engine: it finds workers, does a lost worker's tasks again, and runs on plain hosts, SLURM and
Kubernetes alike (docs/cluster.md). What is here cuts the stream, keeps the work in flight bounded, and says what went
wrong in terms of the user's lines.
"""

import json
import logging
import pickle
import re
import signal
import socket
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import resource_tracker
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from widl import __version__
from widl.errors import InputError, InternalError
from widl.options import option, option_set
from widl.pipeline.cluster_worker import run_chunk
from widl.workers import Engine, LocalEngine

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")
R = TypeVar("R")
Tell = Callable[[str], None]

_ADDRESS = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")
_LOOK_SECONDS = 1.0  # between two looks at who is there
_LOST = (CancelledError, OSError)  # what a client says of a scheduler that has gone


@option_set
class ClusterOptions:
    """How to use a cluster.

    A thread of a worker does one task at a time. For `deaths` a scheduler has its own setting, ``allowed-failures``.
    """

    chunk: Annotated[int, option("Lines of a task.", ge=1, hidden=True)] = 16
    connect_seconds: Annotated[
        float, option("Seconds that an address may take to answer.", ge=0, hidden=True)
    ] = 5.0
    patience: Annotated[
        float, option("Seconds without any worker, after there were some, until that is an error.", ge=0, hidden=True)
    ] = 600.0
    deaths: Annotated[
        int,
        option("Of local processes, so many may die of a task before its lines are tried singly.", ge=0, hidden=True),
    ] = 1


@contextmanager
def open_engine(
    cluster: str | None, *, threads: int = 1, tell: Tell = lambda _: None, options: ClusterOptions | None = None
) -> Iterator[Engine]:
    """Where to work: here without a `cluster`, else on one, by number, address or scheduler file.

    A number starts so many worker processes here, which share `threads`; ``tcp://host:8786`` or the path of a scheduler
    file join a cluster that runs, whose workers have threads of their own. `tell` is told of workers that come late or
    are lost. InputError if there's no such cluster, or if it has another version of widl. At the end, an exception
    among others, all that was asked for is cancelled, and what was started here has ended.
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
        yield ClusterEngine(client, name, options, tell)


class ClusterEngine:
    """An `Engine` on the workers of a Dask client."""

    def __init__(self, client: "Client", name: str, options: ClusterOptions, tell: Tell = lambda _: None) -> None:
        self._client, self._options = client, options
        self._workers = _Workers(client, name, options.patience, tell)
        self._tell = tell

    @property
    def address(self) -> str:
        """The scheduler's, which others may join while this engine is in use."""
        return str(self._client.scheduler.address)

    def map(self, work: Callable[[Iterable[T], int], Iterable[R]], items: Iterable[T]) -> Iterator[R]:
        """See `Engine`. So many chunks are under way or wait for their turn as keep all threads of workers busy."""
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
            # Not pure: equal chunks are tasks of their own.
            future = self._client.submit(run_chunk, pickled, __version__, items, pure=False)
        except _LOST as error:
            raise self._workers.gone(f"before {_lines(first, len(items))}") from error
        return _Chunk(first, items, future)

    def _results(self, pickled: bytes, pending: "deque[_Chunk]") -> list[Any]:
        """Of the first chunk, which leaves the queue."""
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
        """Of a chunk whose workers died: each line with nothing beside it, as a neighbour may have been to blame."""
        from distributed.scheduler import KilledWorker

        suspect = pending[0]
        self._tell(f"workers died while they worked on {suspect.lines}; its lines are now tried one by one")
        for chunk in pending:
            self._workers.wait(chunk.future, chunk.lines)
        suspect.future.cancel()  # its error refers to it, so that it would stay
        found: list[Any] = []
        for number, item in enumerate(suspect.items, suspect.first):
            alone = self._submitted(pickled, number, [item])
            try:
                found += self._finished(alone)
            except KilledWorker as error:
                raise InputError(
                    f"{alone.lines}: every worker that worked on it died, {error.last_worker.address} last, perhaps "
                    "for lack of memory; give workers more, or leave the line out"
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
    """Some items of a stream, the number of the first counted from 1, and what becomes of them."""

    first: int
    items: Sequence[Any]
    future: "Future"

    @property
    def lines(self) -> str:
        return _lines(self.first, len(self.items))


def _lines(first: int, count: int) -> str:
    return f"line {first}" if count == 1 else f"lines {first}-{first + count - 1}"


class _Workers:
    """Those of a cluster, as far as one must know of them: how many threads there are, and who is lost."""

    def __init__(self, client: "Client", name: str, patience: float, tell: Tell) -> None:
        self._client, self._name, self._patience, self._tell = client, name, patience, tell
        self._threads: dict[str, int] = {}
        self._looked = self._seen = -float("inf")
        self._waiting = False

    def threads(self) -> int:
        """Of all workers."""
        self._look("before the end")
        return sum(self._threads.values())

    def wait(self, future: "Future", lines: str) -> None:
        """Until a future is done, whatever comes of it; InputError when there is nobody left to do it."""
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
        """What a future gives or raises, a CancelledError among them."""
        patience = max(5 * _LOOK_SECONDS, 0.2)
        while True:
            self.wait(future, lines)
            try:
                return future.result(timeout=patience)
            except TimeoutError:
                if future.status == "error":
                    raise
                # A worker may have been lost with the result; then the task is done again.
                self._look(f"in {lines}")
                patience *= 2  # it may just be large

    def gone(self, where: str) -> InputError:
        """The error of a cluster that has ended."""
        return InputError(f"--cluster {self._name}: the scheduler has ended, {where}; start it and run this again")

    def _look(self, where: str) -> None:
        """At who is there; at most once a second."""
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
    """The client of so many processes, which the stack ends."""
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
                memory_limit=0,  # pages of a mapped model are no memory of the worker's, but would count
                dashboard_address="127.0.0.1:0",
                worker_dashboard_address="127.0.0.1:0",
                local_directory=scratch,
                silence_logs="CRITICAL",
            )
        )
        return stack.enter_context(Client(cluster, set_as_default=False))


@contextmanager
def _not_interrupted() -> Iterator[None]:
    """Ctrl-C waits until the end; threads begun here, and their processes, never get it: who ends them is this one."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as in the background of a shell
    if ignored or threading.current_thread() is not threading.main_thread():
        yield
        return
    resource_tracker.ensure_running()  # begun by the first process, it would let the signal through to that
    came: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
    if came:
        raise KeyboardInterrupt


def _connected(stack: ExitStack, cluster: str, options: ClusterOptions) -> "Client":
    """The client of a running scheduler, which the stack closes."""
    from distributed import Client

    address = _address(cluster)
    _check_answer(address, options.connect_seconds)
    log = logging.getLogger("distributed.client")  # tells of a lost scheduler by tracebacks; we do in a line
    stack.callback(log.setLevel, log.level)
    log.setLevel(logging.CRITICAL)
    with _not_interrupted():
        for attempt in range(3):
            try:
                return stack.enter_context(
                    Client(address, timeout=options.connect_seconds, set_as_default=False)
                )
            except AssertionError:
                # distributed expects the scheduler's greeting alone, and now and then other news comes with it.
                if attempt == 2:
                    raise
            except (OSError, ValueError) as error:
                raise _no_scheduler(address, str(error)) from None
    raise AssertionError("unreachable")


def _address(cluster: str) -> str:
    """Of an address, or of a scheduler file."""
    given = cluster
    if "://" not in cluster and Path(cluster).is_file():
        try:
            given = str(json.loads(Path(cluster).read_text(encoding="utf-8-sig"))["address"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{cluster}: not a file as 'dask scheduler --scheduler-file' writes it") from None
    if not _ADDRESS.fullmatch(given):
        raise InputError(
            f"--cluster {cluster!r}: neither a number of processes, nor an address like tcp://host:8786, nor a "
            "scheduler file that exists"
        )
    return given if "://" in given else f"tcp://{given}"


def _check_answer(address: str, seconds: float) -> None:
    """InputError at once where nobody listens, and for what is no scheduler, of which a client would wait for sense."""
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=seconds) as connection:
            # A scheduler speaks first: the length of its greeting, a number of 8 bytes.
            if scheme == "tcp" and b"\0" not in connection.recv(8):
                raise _no_scheduler(address, "what listens there is something else")
    except TimeoutError:
        raise _no_scheduler(address, f"nothing came in {seconds:g} seconds") from None
    except (OSError, OverflowError) as error:
        raise _no_scheduler(address, getattr(error, "strerror", None) or str(error)) from None


def _no_scheduler(address: str, why: str) -> InputError:
    reason = " ".join(why.split())
    return InputError(f"--cluster: no Dask scheduler answers at {address} ({reason}); 'dask scheduler' starts one")


def _check_versions(client: "Client", name: str) -> None:
    """InputError names a machine whose widl isn't ours."""
    versions: dict[str, Any] = client.get_versions(packages=["widl"])
    for who, one in [(f"the scheduler at {name}", versions["scheduler"]), *versions["workers"].items()]:
        found = (one or {}).get("packages", {}).get("widl")
        if found != __version__:
            has = f"has widl {found}" if found else "has no widl"
            place = who if who.startswith("the ") else f"worker {who}"
            raise InputError(
                f"--cluster {name}: {place} {has}, but here is {__version__}; "
                f"install 'widl[cluster]=={__version__}' there"
            )
