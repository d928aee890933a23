"""Runs every search on random spaces, with and without budgets: are its claims of proof true?

    python benchmarks/proofs.py [--cases 100000] [--lattices 10000] [--wide-cases 10000] [--scorers 1000]
                                [--combinations 10000] [--headlines 10000] [--stories 10000] [--long-cases 10000]
                                [--numbers 10000] [--seed 0] [--group N | --lattice N | --wide N | --scorer N |
                                 --combination N | --headline N | --story N | --long-group N | --number N]

A case is one search (bfs, astar, astar-k, beam; for tiles also stack and cube; under every bound where bounds differ)
of one space (an expression, tiles) under one to three language models of orders 2 to 6, weights, and limits. All
derivations are listed: no bound may be below the best score, no result called optimal may be worse than it, and each
score must belong to a derivation. A search without a result must not deny existing strings (`outcome`), and none may
spend more states, memory or work than its limits allow. Cases that share a space are a group; a counterexample is
printed with the command that runs its group again. Exits with status 1 if any claim is false.

Long cases have spaces of 40 to 200 positions, too large to list; budgets of memory, time (units of work) and states end
their searches at any point. Bounds must not exclude any derivation found by another search, nor the best score where
dynamic programming gives it (`tests/proofs/long.py`). Lattices are random acyclic acceptors, searched like small
spaces. Wide cases are tiles over more positions than a coverage has bits. Scorers are random, combined with a model,
for random bags of up to six words; some forbid strings. Combinations have random outputs with many common words and
overlapping terms; they are compared with all strings of the printed expression. Headlines come from real sentences,
within budgets of bytes: the printed headlines are compared with all strings, each written and measured
(`tests/proofs/headlines.py`). Stories are written from parts with quotations, signs, datelines and credits: no
candidate may print a part of a quotation, a number without its sign, or what stands around a story
(`tests/proofs/printed.py`). Numbers are values in random notations inside of Chinese sentences, translated by a
model of the sample corpus: the English is right, or nothing was read (`tests/proofs/numbers.py`).
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.proofs.check import DRAWS, check_group
from tests.proofs.combinations import check_combination
from tests.proofs.headlines import check_headlines
from tests.proofs.long import LongPool, check_long_group
from tests.proofs.models import Pool
from tests.proofs.numbers import check_numbers, sample_translator
from tests.proofs.printed import check_printed
from tests.proofs.scorers import complaints_of
from tests.proofs.spaces import random_lattice, wide_tiles

SEARCHES = 6  # of each draw

Check = Callable[[int], Iterator[list[str]]]
"""Yields the errors in the cases of a group."""


@dataclass
class Tally:
    """Counts of the checks so far."""

    cases: int = 0
    wrong: int = 0


def main() -> int:
    """Runs the cases; the exit status depends on the number of counterexamples."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000, help="searches of small spaces to check")
    parser.add_argument("--lattices", type=int, default=10_000, help="random acyclic acceptors to check")
    parser.add_argument("--wide-cases", type=int, default=10_000, help="searches of more than 64 positions to check")
    parser.add_argument("--scorers", type=int, default=1_000, help="random bags and scorers to check")
    parser.add_argument("--combinations", type=int, default=10_000, help="random outputs to combine")
    parser.add_argument("--headlines", type=int, default=10_000, help="headlines within budgets of bytes to check")
    parser.add_argument("--stories", type=int, default=10_000, help="stories whose printed headlines are checked")
    parser.add_argument("--long-cases", type=int, default=10_000, help="searches of long spaces to check")
    parser.add_argument("--numbers", type=int, default=10_000, help="notations of numbers to translate")
    parser.add_argument("--seed", type=int, default=0, help="of models, spaces and settings")
    parser.add_argument("--group", type=int, help="only the cases of this group of small spaces")
    parser.add_argument("--lattice", type=int, help="only the cases of this acceptor")
    parser.add_argument("--wide", type=int, help="only the cases of this group of more than 64 positions")
    parser.add_argument("--scorer", type=int, help="only the case of this bag and scorer")
    parser.add_argument("--combination", type=int, help="only the case of these outputs")
    parser.add_argument("--headline", type=int, help="only the headlines of this text")
    parser.add_argument("--story", type=int, help="only the headlines of this story")
    parser.add_argument("--long-group", type=int, help="only the cases of this group of long spaces")
    parser.add_argument("--number", type=int, help="only the notations of this group")
    parser.add_argument("--most", type=int, default=10, help="stop after so many counterexamples")
    arguments = parser.parse_args()
    start, tally = time.process_time(), Tally()
    with suppress(KeyboardInterrupt):  # the finished checks count
        run(arguments, tally)
    seconds = time.process_time() - start
    print(f"{tally.cases} cases, {tally.wrong} counterexamples; {tally.cases / seconds:.0f} cases a CPU second")
    return 1 if tally.wrong else 0


def run(arguments: argparse.Namespace, tally: Tally) -> None:
    """Prints each counterexample, and counts."""
    seed, pool = arguments.seed, Pool(arguments.seed)
    kinds: list[tuple[str, int | None, int, Callable[[], Check]]] = [
        ("--group", arguments.group, arguments.cases, lambda: partial(check_group, pool, seed)),
        (
            *("--lattice", arguments.lattice, DRAWS * SEARCHES * arguments.lattices),
            lambda: partial(check_group, pool, seed, make=random_lattice),
        ),
        (
            *("--wide", arguments.wide, arguments.wide_cases),
            lambda: partial(check_group, pool, seed, make=wide_tiles),
        ),
        ("--scorer", arguments.scorer, arguments.scorers, lambda: lambda case: iter([complaints_of(case)])),
        ("--headline", arguments.headline, arguments.headlines, lambda: partial(check_headlines, seed)),
        ("--story", arguments.story, arguments.stories, lambda: partial(check_printed, seed)),
        (
            *("--combination", arguments.combination, arguments.combinations),
            lambda: partial(check_combination, seed),
        ),
        (
            *("--long-group", arguments.long_group, arguments.long_cases),
            lambda: partial(check_long_group, LongPool(seed), seed),
        ),
        (
            *("--number", arguments.number, arguments.numbers),
            lambda: partial(check_numbers, sample_translator(), seed),
        ),
    ]
    named = [option for option, only, _, _ in kinds if only is not None]
    for option, only, most, make in kinds:
        if not named or option in named:
            _run(option, only, make(), most, arguments, tally)


def _run(option: str, only: int | None, check: Check, most: int, arguments: argparse.Namespace, tally: Tally) -> None:
    first = tally.cases
    for group in count() if only is None else [only]:
        if tally.cases - first >= most or tally.wrong >= arguments.most:
            break
        for complaints in check(group):
            tally.cases += 1
            for complaint in complaints:
                tally.wrong += 1
                again = f"python benchmarks/proofs.py --seed {arguments.seed} {option} {group}"
                print(f"{complaint}\n  {again}\n", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
