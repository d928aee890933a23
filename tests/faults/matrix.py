"""What happens to results when a command is killed, when a call fails, when the power is lost.

    python -m tests.faults.matrix --deaths 100 --failures 2000        (make crash)

For each command a table's row: how often it was tried, and what went wrong, which should be nothing. Ends with 1 if
something did.
"""

import argparse
import errno
import random
import re
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.faults.commands import COMMANDS, Command
from tests.faults.harness import (
    FAIL_FROM_HERE,
    FAIL_ONCE,
    KILL_AFTER,
    KILL_BEFORE,
    KILL_HALFWAY,
    Outcome,
    Prepared,
    Server,
    same_again,
    serving,
)
from tests.faults.power import power_losses
from tests.faults.recording import read_record

_ERRORS = {
    "create": (errno.ENOSPC, errno.EIO),
    "unnamed": (errno.ENOSPC,),
    "empty": (errno.EIO,),
    "write": (errno.ENOSPC, errno.EIO),
    "truncate": (errno.ENOSPC,),
    "sync": (errno.EIO, errno.ENOSPC),
    "rename": (errno.ENOSPC, errno.EIO),
    "exchange": (errno.EIO,),
    "link": (errno.ENOSPC,),
    "mkdir": (errno.ENOSPC,),
    "map": (errno.ENOMEM,),
    "start": (errno.EAGAIN, errno.ENOMEM),
}
"""What may happen to which calls; removals fail only where the file system is broken."""


@dataclass(frozen=True)
class Numbers:
    """How often a command is killed, a call fails, and power is lost (each time with two disks)."""

    deaths: int
    failures: int
    losses: int


@dataclass
class Row:
    """The findings about a command."""

    name: str
    deaths: int = 0
    failures: int = 0
    losses: int = 0
    seconds: float = 0.0
    """Of the processor."""
    problems: list[str] = field(default_factory=list)

    def add(self, problems: list[str]) -> None:
        """Take problems, and tell them."""
        self.problems += problems
        for problem in problems:
            print(f"{self.name}: {problem}", file=sys.stderr, flush=True)


def deaths(prepared: Prepared, number: int, draw: random.Random) -> Iterator[list[str]]:
    """Kill the command at `number` drawn moments; the problems of each."""
    moments = [(at, how) for at in range(1, prepared.calls + 1) for how in (KILL_BEFORE, KILL_HALFWAY, KILL_AFTER)]
    for at, how in draw.sample(moments, min(number, len(moments))):
        where = f"killed {('before', 'halfway through', 'after')[how - 1]} call {at}"
        prepared.reset()
        prepared.server.run(prepared.command.arguments, at=at, how=how)
        problems = [f"{where}: half a result: {name}" for name in prepared.half_written()]
        yield problems + list(same_again(prepared, where))


def failures(prepared: Prepared, number: int, draw: random.Random) -> Iterator[list[str]]:
    """Let calls of the command fail, each of them once or `number` drawn ones, in a drawn way; the problems of each."""
    calls = {call.number: call.kind for call in read_record(prepared.log) if call.kind in _ERRORS}
    plan = []
    for at, kind in calls.items():
        ways = [(error, FAIL_ONCE) for error in _ERRORS[kind]]
        ways += [(error, FAIL_FROM_HERE) for error in _ERRORS[kind] if error == errno.ENOSPC]
        plan.append((at, kind, *draw.choice(ways)))
    for at, kind, error, how in plan if len(plan) <= number else draw.sample(plan, number):
        which = "fails" if how == FAIL_ONCE else "and all that follow fail"
        where = f"{kind}, call {at}, {which}: {errno.errorcode[error]}"
        prepared.reset()
        outcome = prepared.server.run(prepared.command.arguments, at=at, how=how, error=error)
        problems = [f"{where}: half a result: {name}" for name in prepared.half_written()]
        problems += [f"{where}: left behind: {name}" for name in prepared.leftovers()]
        problems += [f"{where}: {wrong}" for wrong in _wrong_end(outcome)]
        yield problems + list(same_again(prepared, where))


def _wrong_end(outcome: Outcome) -> Iterator[str]:
    """A command that fails says so in one line and ends with 2; one that can do without the call ends as ever."""
    lines = outcome.stderr.strip().splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    if outcome.status == 2 and len(errors) == 1 and lines[-1] == errors[0]:
        return
    if outcome.status != 0:
        yield f"ends with {outcome.status}: {' / '.join(lines[-3:])[-400:] or 'without a word'}"


def examine(server: Server, command: Command, numbers: Numbers, seed: int, row: Row) -> None:
    """All that is tried on a command, half of it where an earlier version of its results is there."""
    before = server.seconds
    for replaces in (False, True) if command.earlier else (False,):
        draw = random.Random(f"{seed} {command.name} {replaces}")
        share = 2 if command.earlier else 1
        prepared = Prepared(server, command, replaces=replaces)
        for problems in deaths(prepared, -(-numbers.deaths // share), draw):
            row.deaths += 1
            row.seconds = server.seconds - before
            row.add(problems)
        for problems in failures(prepared, -(-numbers.failures // share), draw):
            row.failures += 1
            row.add(problems)
        if numbers.losses:
            for problems in power_losses(prepared, -(-numbers.losses // share), draw):
                row.losses += 1
                row.add(problems)
        row.seconds = server.seconds - before


def main() -> None:
    """Run the matrix, and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deaths", type=int, default=100, help="of each command, at most as many as there are moments")
    parser.add_argument("--failures", type=int, default=2000, help="failing calls of each command, at most each once")
    parser.add_argument("--losses", type=int, default=25, help="losses of power of each command; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--whole", action="store_true", help="draw pictures, take the whole sample, as users do")
    parser.add_argument("--only", default="", help="a regular expression that the commands' names hold")
    options = parser.parse_args()
    for stop in (signal.SIGINT, signal.SIGTERM):  # shells start background jobs deaf to the first
        signal.signal(stop, lambda *_: sys.exit(1))
    numbers = Numbers(options.deaths, options.failures, options.losses)
    wrong = 0
    print(f"{'command':32s} {'deaths':>7s} {'failing':>8s} {'power':>6s} {'problems':>9s} {'CPU s':>6s}")
    with serving(whole=options.whole) as server:
        for command in COMMANDS:
            if re.search(options.only, command.name):
                row = Row(command.name)
                try:
                    examine(server, command, numbers, options.seed, row)
                finally:  # also of a row that is cut short
                    wrong += len(row.problems)
                    counts = f"{row.deaths:7d} {row.failures:8d} {row.losses:6d} {len(row.problems):9d}"
                    print(f"{row.name:32s} {counts} {row.seconds:6.0f}", flush=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
