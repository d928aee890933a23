"""Every search on random small spaces against enumeration: is what it claims to have proved true?

    python benchmarks/proofs.py [--cases 100000] [--seed 0] [--group N]

A case is one search (bfs, astar, astar-k, beam; for tiles also stack and cube; under every bound where bounds differ)
of one space (an expression, tiles, a packing) under one to three language models of orders 2 to 6, weights, and limits.
The derivations are listed: no bound may be below the best score, nothing that is called optimal may be worse than it,
and each score must be that of a derivation. Cases that share a space are a group; a counterexample is printed with the
command that runs its group again. Exits with status 1 if there is one.
"""

import argparse
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.proofs.check import check_group
from tests.proofs.models import Pool


@dataclass
class Tally:
    """What was checked so far."""

    cases: int = 0
    wrong: int = 0


def main() -> int:
    """Run the cases; the number of counterexamples decides the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000, help="searches to check")
    parser.add_argument("--seed", type=int, default=0, help="of models, spaces and settings")
    parser.add_argument("--group", type=int, help="only the cases of this group")
    parser.add_argument("--most", type=int, default=10, help="stop after so many counterexamples")
    arguments = parser.parse_args()
    start, tally = time.process_time(), Tally()
    with suppress(KeyboardInterrupt):  # what was done until then counts
        run(arguments, tally)
    seconds = time.process_time() - start
    print(f"{tally.cases} cases, {tally.wrong} counterexamples; {tally.cases / seconds:.0f} cases a CPU second")
    return 1 if tally.wrong else 0


def run(arguments: argparse.Namespace, tally: Tally) -> None:
    """Print each counterexample, and count."""
    pool = Pool(arguments.seed)
    for group in count() if arguments.group is None else [arguments.group]:
        for complaints in check_group(pool, arguments.seed, group):
            tally.cases += 1
            for complaint in complaints:
                tally.wrong += 1
                again = f"python benchmarks/proofs.py --seed {arguments.seed} --group {group}"
                print(f"{complaint}\n  {again}\n", flush=True)
        if tally.cases >= arguments.cases or tally.wrong >= arguments.most:
            break


if __name__ == "__main__":
    raise SystemExit(main())
