"""Compares claimed proofs with lists of all derivations; `benchmarks/proofs.py` runs more cases."""

import random
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.check import check_group
from tests.proofs.combinations import check_combination
from tests.proofs.long import LongPool, check_long_group
from tests.proofs.models import Pool, opened
from tests.proofs.spaces import (
    Space,
    free_tiles,
    random_bag,
    random_expression,
    random_lattice,
    random_tiles,
    wide_tiles,
)
from tests.reference.arpa import arpa_text
from widl.decoder import Bound, CoreRealizer, Vocabulary
from widl.expressions import parse_expression

CASES = 1500


def require_no_complaint(check: Callable[[int], Iterator[list[str]]], least: int) -> None:
    """Checks groups, starting with 0, until there are enough cases."""
    cases, group = 0, 0
    while cases < least:
        for complaints in check(group):
            cases += 1
            assert not complaints, complaints[0]
        group += 1


SPACES = [random_expression, random_bag, random_tiles, free_tiles, wide_tiles, random_lattice]


@pytest.mark.parametrize("space", SPACES, ids=lambda space: space.__name__)
def test_no_claim_is_refuted_by_enumeration(space: Callable[[random.Random], Space]) -> None:
    """Compares every search, with random options, budgets and constraints, with all derivations of each space."""
    require_no_complaint(partial(check_group, Pool(0), 0, make=space), CASES)


def test_no_claim_about_combinations_is_refuted() -> None:
    require_no_complaint(partial(check_combination, 0), CASES // 5)


REFUTED = {
    "a tail that was left again earned nobody's price, and bounds were lost in rounding": (111, 847),
    "of models of different orders, the shorter ones' words were taken for the longest one's": (111, 62),
    "bounds of a whole bag lacked the score of the choice that it is the only branch of": (7, 959),
}


@pytest.mark.parametrize(("seed", "group"), REFUTED.values(), ids=list(REFUTED))
def test_what_was_refuted_once(seed: int, group: int) -> None:
    for complaints in check_group(Pool(seed), seed, group):
        assert not complaints, complaints[0]


LONG_CASES = 200


def test_no_claim_about_long_spaces_is_refuted() -> None:
    require_no_complaint(partial(check_long_group, LongPool(0), 0), LONG_CASES)


REFUTED_LONG = {
    "memory ran out where the root was offered, nothing was given up, and all that followed was proved": (1, 4),
}


@pytest.mark.parametrize(("seed", "group"), REFUTED_LONG.values(), ids=list(REFUTED_LONG))
def test_what_was_refuted_once_of_long_spaces(seed: int, group: int) -> None:
    for complaints in check_long_group(LongPool(seed), seed, group):
        assert not complaints, complaints[0]


ENDS = arpa_text(
    ["-2\t<unk>\t0", "-99\t<s>\t0", "-2\t</s>", "-1\ta\t0", "-1\td\t0", "-1\te\t0"],
    ["-1\ta d\t0", "-1\td a\t0", "-2\ta </s>", "-2\td </s>"],
    ["-0.1\ta d </s>", "-1\td a </s>"],
)


@pytest.mark.parametrize("bound", list(Bound))
def test_a_choice_may_be_all_that_stands_between_the_history_and_the_end(bound: Bound) -> None:
    # After `a` comes d or e, so </s> comes after `a d`, not after two more words.
    [result] = CoreRealizer(Vocabulary([]), [opened(ENDS)]).realize_expressions(
        [parse_expression("∥(∨{0.5, 0.5}(d, e), a)")],
        plain_weights(widl=0.0),
        search_options(algorithm=Algorithm.astar, bound=bound),
    )
    assert (result.words, result.optimal) == (["a", "d"], True)
