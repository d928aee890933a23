"""Signals end every search, with every bound, on every space; the searches here would go on for minutes."""

import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Lock, Thread, main_thread
from typing import Any

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import opened
from tests.reference.arpa import ARPA
from widl._core import Order, interrupt_searches
from widl.decoder import CoreRealizer, Realizer, Tiles, Vocabulary
from widl.decoder.search_options import BOUNDS
from widl.expressions import Expression, bag, choice, interleave, lock, seq

pytestmark = pytest.mark.timeout(120)

RANDOM = random.Random(74)
VOCABULARY = Vocabulary([])
MODEL = opened(ARPA)
REALIZER = CoreRealizer(VOCABULARY, [MODEL])
BAG = bag([f"{RANDOM.choice('abcd')}{i}" for i in range(40)])
LOCKS = interleave(*(lock(seq(RANDOM.choice("abcd"), f"w{i}")) for i in range(30)))
SHORT = bag("a b c")


def tiles(length: int) -> Tiles:
    """Tiles of up to three positions, each with 20 alternatives."""
    spans = [
        (begin, end, choice(*(RANDOM.choice("abcd") + f"{begin}.{end}.{i}" for i in range(20))))
        for begin in range(length)
        for end in range(begin + 1, min(length, begin + 3) + 1)
    ]
    return Tiles.compile(Expression.tiles(length, spans, movement_base=0.5), VOCABULARY)


TILES = tiles(60)


@pytest.fixture(autouse=True)
def undisturbed_threads() -> Iterator[None]:
    """No thread takes the lock of the interpreter from another one: it is free only while the core searches."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(before)


def interrupted(search: Callable[[], object], *, steps: int) -> None:
    """Asserts that a signal ends the search; another thread counts `steps` before it sends the signal."""
    begun = Lock()
    begun.acquire()

    def send() -> None:
        with begun:
            for _ in range(steps):
                pass
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)

    sender = Thread(target=send)
    sender.start()
    begun.release()
    finished = []

    def search_and_wait() -> None:
        finished.append(search())
        sender.join()

    with pytest.raises(KeyboardInterrupt):
        search_and_wait()
    sender.join()
    assert not finished


@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize("bound", BOUNDS.values(), ids=BOUNDS)
@pytest.mark.parametrize("expression", [BAG, LOCKS], ids=["bag", "locks"])
@pytest.mark.parametrize("steps", [0, 3_000_000])
def test_expressions(algorithm: Algorithm, bound: object, expression: Expression, steps: int) -> None:
    options = search_options(algorithm=algorithm, bound=bound, beam=0.0, k=100, order=Order.bound)  # type: ignore[arg-type]
    interrupted(lambda: REALIZER.realize_expressions([expression], plain_weights(1), options), steps=steps)


@pytest.mark.parametrize("algorithm", Algorithm)
@pytest.mark.parametrize("limit", [-1, 8])
@pytest.mark.parametrize("steps", [0, 3_000_000])
def test_tiles(algorithm: Algorithm, limit: int, steps: int) -> None:
    """Without a limit of movement, and with one: the bounds of tiles differ."""
    options = search_options(
        algorithm=algorithm, beam=0.0, k=100, order=Order.bound, distortion_limit=limit, gap=0.0
    )
    interrupted(lambda: REALIZER.realize([TILES], plain_weights(1), options), steps=steps)


@pytest.mark.parametrize("order", [[BAG, SHORT], [SHORT, BAG], [BAG, BAG, BAG]])
def test_searches_on_several_threads(order: list[Expression]) -> None:
    """The thread that hears the signal searches, or waits for the others."""
    options = search_options(algorithm=Algorithm.astar)
    search = REALIZER.realize_expressions
    interrupted(lambda: search(order, plain_weights(1), options, threads=2), steps=3_000_000)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_stream_of_results(threads: int) -> None:
    realizer = Realizer([MODEL])
    interrupted(lambda: list(realizer.realize([BAG] * 9, threads=threads)), steps=100_000)
    assert realizer.realize_one(SHORT, threads=threads).optimal  # later searches are not concerned


def test_a_signal_before_the_caller_has_heard_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    submit, searches = ThreadPoolExecutor.submit, list[Future[Any]]()

    def interrupted_submit(pool: ThreadPoolExecutor, *search: Any) -> None:
        searches.append(submit(pool, *search))
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted_submit)
    with pytest.raises(KeyboardInterrupt):
        list(Realizer([MODEL]).realize([BAG] * 3, threads=2))
    wait(searches)
    [search] = searches
    assert search.cancelled() or isinstance(search.exception(), KeyboardInterrupt) or not search.result()


def test_searches_of_other_threads_end_on_request() -> None:
    sys.setswitchinterval(0.001)
    options = search_options(algorithm=Algorithm.astar)
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(REALIZER.realize_expressions, [BAG], plain_weights(1), options) for _ in range(2)]
        while not all(call.done() for call in calls):
            interrupt_searches()
    assert all(isinstance(call.exception(), KeyboardInterrupt) for call in calls)
    [result] = REALIZER.realize_expressions([SHORT], plain_weights(1), options)
    assert result.optimal


@pytest.mark.parametrize("threads", [1, 2])
def test_the_program_ends_without_a_traceback(tmp_path: Path, threads: int) -> None:
    """`widl order` of a bag that would take minutes: exit code 130, whichever thread searches."""
    (tmp_path / "lm.arpa").write_text(ARPA)
    code = (
        "import os, signal, threading; from widl.cli import main; from widl.decoder.realizer import Realizer\n"
        "search = Realizer._realize_batch\n"
        "send = lambda: [sum(range(3_000_000)), os.kill(os.getpid(), signal.SIGINT)]\n"
        "senders = [threading.Thread(target=send)]\n"  # one signal, however many batches there are
        "Realizer._realize_batch = lambda *a: [senders and senders.pop().start(), search(*a)][1]\n"
        "main()"
    )
    bag_of_words = " ".join(f"{letter}{i}" for i in range(12) for letter in "abcd")
    command = [sys.executable, "-c", code, "order", "--lm", "lm.arpa", "--threads", str(threads)]
    done = subprocess.run(
        command, input=f"{bag_of_words}\n" * 3, cwd=tmp_path, text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
