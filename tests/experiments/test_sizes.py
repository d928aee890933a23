"""Sizes by formula against explicit constructions."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from widl.experiments import run_times
from widl.experiments.report import results_text
from widl.experiments.results import Results
from widl.experiments.run_times import FAMILIES, run_time_table
from widl.experiments.sizes import SpanPhrase, bag_sizes, halving_rules, measure_sizes, tile_sizes
from widl.expressions import bag, enumerate_strings, make_acceptor
from widl.expressions.widl_graph import EdgeKind, widl_graph
from widl.pages.tables import Column, shown
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator


def minimal_lattice(strings: Iterable[Sequence[str]]) -> tuple[int, int]:
    """States and edges of the smallest deterministic acceptor of a finite set of strings."""
    edges: list[dict[str, int]] = [{}]
    final = [False]
    for string in strings:
        state = 0
        for word in string:
            if word not in edges[state]:
                edges[state][word] = len(edges)
                edges.append({})
                final.append(False)
            state = edges[state][word]
        final[state] = True
    merged: dict[tuple[bool, tuple[tuple[str, int], ...]], int] = {}
    representative = [0] * len(edges)
    for state in reversed(range(len(edges))):  # targets have higher numbers
        key = final[state], tuple(sorted((word, representative[to]) for word, to in edges[state].items()))
        representative[state] = merged.setdefault(key, state)
    return len(merged), sum(len(targets) for _, targets in merged)


def halving_grammar(words: Iterable[str]) -> dict[frozenset[str], list[tuple[frozenset[str], ...] | str]]:
    """The grammar itself, as a map from nonterminals; the start symbol is the whole set."""
    grammar: dict[frozenset[str], list[tuple[frozenset[str], ...] | str]] = {}
    open_sets = [frozenset(words)]
    while open_sets:
        left = open_sets.pop()
        if left in grammar:
            continue
        if len(left) == 1:
            grammar[left] = list(left)
            continue
        halves = [frozenset(half) for half in combinations(sorted(left), len(left) // 2)]
        grammar[left] = [(half, left - half) for half in halves]
        open_sets += [part for half in halves for part in (half, left - half)]
    return grammar


@pytest.mark.parametrize("words", ["a", "a a", "a b", "a b a", "a b c d", "a b c a b", "a b c d e f", "a a a b b c"])
def test_bags_against_the_minimal_acceptor_of_their_strings(words: str) -> None:
    expression = bag(words)
    counts = [words.split().count(word) for word in sorted(set(words.split()))]
    result = bag_sizes(counts)
    lattice = minimal_lattice(item.string.split() for item in enumerate_strings(expression))
    assert (result["word lattice, states"], result["word lattice, edges"]) == lattice
    graph = widl_graph(expression)
    assert (result["WIDL-graph, vertices"], result["WIDL-graph, edges"]) == (len(graph.vertices), len(graph.edges))
    assert graph.count(EdgeKind.fork) == graph.count(EdgeKind.join) == len(words.split())
    assert result["expression, nodes"] == len(words.split()) + 1


@pytest.mark.parametrize("n", range(1, 7))
def test_the_halving_grammar_has_the_rules_counted(n: int) -> None:
    assert sum(map(len, halving_grammar("abcdef"[:n]).values())) == halving_rules(n)


def test_of_both_grammars_the_smaller_counts() -> None:
    small, large = bag_sizes([1] * 4), bag_sizes([1] * 30)
    assert (small["grammar, rules"], small["word lattice, edges"]) == (22, 32)
    assert large["grammar, rules"] == large["word lattice, edges"] == 30 * 2**29


@st.composite
def tilings(draw: st.DrawFn) -> tuple[int, list[SpanPhrase]]:
    n = draw(st.integers(1, 7))
    spans = [(i, j) for i in range(n) for j in range(i + 1, min(n, i + 4) + 1)]
    some = draw(st.lists(st.sampled_from(spans), max_size=12))
    some += [(0, n)]
    return n, [(i, j, ["w"] * draw(st.integers(1, 3))) for i, j in some]


@given(tilings())
def test_candidates_are_the_derivations_written_out(case: tuple[int, list[SpanPhrase]]) -> None:
    n, alternatives = case

    def orders(covered: int) -> int:
        """Derivations from here on, tile by tile."""
        if covered == (1 << n) - 1:
            return 1
        masks = ((1 << end) - (1 << begin) for begin, end, _ in alternatives)
        return sum(orders(covered | mask) for mask in masks if not covered & mask)

    assume(len(alternatives) <= 9)
    assert tile_sizes(n, alternatives)["candidates"] == orders(0)


def test_candidates_of_a_long_sentence() -> None:
    """One segmentation, 40! orders, 9 alternatives a tile: 10^86, exactly, and in the table."""
    result = tile_sizes(40, [(i, i + 1, [f"w{k}"]) for i in range(40) for k in range(9)])["candidates"]
    assert result == math.factorial(40) * 9**40
    assert shown(result, Column(name="n", digits=0, short=True)) == "1.2e86"


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_breadth_first_search_makes_all_states_of_the_weighted_acceptor(n: int, monkeypatch) -> None:
    """States counted by hand: the acceptor's states, each with every two last words; the strings' ends are merged."""
    families = [replace(family, sizes=[n]) for family in FAMILIES]
    monkeypatch.setattr(run_times, "FAMILIES", families)
    for family, row in zip(families, run_time_table().rows, strict=True):
        acceptor = make_acceptor(family.make([f"w{k}" for k in range(n)]))
        assert (row.label, row.cells["acceptor's states"]) == (family.name, acceptor.states)
        contexts: dict[int, set[tuple[str, ...]]] = {0: {()}}
        edges = 0
        for arc in acceptor.arcs:  # a state's number is higher than the numbers of its predecessors
            before = contexts[arc.source]
            edges += len(before)
            contexts.setdefault(arc.target, set()).update((*words, arc.word)[-2:] for words in before)
        split = sum(len(words) for state, words in contexts.items() if state != acceptor.final)
        assert (row.cells["BFS states"], row.cells["BFS edges"]) == (split + 1, edges)
        assert row.cells["A* edges"] <= edges


def test_short_work_is_repeated_until_a_slow_clock_can_measure_it() -> None:
    """The clock has ticks of 10 ms, and the work takes 3 µs."""
    done = []
    mean = run_times._mean_seconds(lambda: done.append(None), lambda: 0.01 * (len(done) * 3e-6 // 0.01))
    assert mean == pytest.approx(3e-6, rel=0.1)
    assert len(done) * 3e-6 < 0.5


@pytest.fixture
def _without_run_times(monkeypatch) -> None:
    monkeypatch.setattr(run_times, "FAMILIES", ())


@pytest.mark.usefixtures("_without_run_times")
def test_results_have_all_figures_exactly() -> None:
    results = measure_sizes([2, 12, 1000])
    bags, _ = results.tables
    assert bags.rows[-1].cells["strings"] == math.factorial(1000)
    assert [row.label for row in bags.rows] == ["2", "12", "1,000"]
    text = results_text(results)
    assert "4.0e2567" in text
    rows = [line.split() for line in results_text(measure_sizes([3, 4])).splitlines()]
    assert "3 6 4 8 9 8 12 12".split() in rows
    assert "4 24 5 10 12 16 32 22".split() in rows
    assert Results.model_validate_json(results.model_dump_json()) == results


@pytest.mark.slow
@pytest.mark.usefixtures("_without_run_times")
def test_inputs_of_a_model(trained: Path) -> None:
    translator = Translator(trained)
    lines = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()[:3]
    result = measure_sizes([2], translator=translator, lines=["", *lines[:2]])
    (table,) = [table for table in result.tables if table.name == "inputs"]
    assert [row.label for row in table.rows] == ["input", "input", "mean"]
    for row, line in zip(table.rows[:2], lines[:2], strict=True):
        tiles = translator.tiles(line, TranslationOptions(table_limit=10))
        assert row.cells["words"] == sum(map(len, tiles))
        assert row.cells["tiles"] == len({(b, e) for b, e, *_ in tiles[0].alternatives})
