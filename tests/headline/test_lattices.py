"""Lattices of headlines: their paths are derivations, and MERT over them agrees with n-best lists."""

from dataclasses import replace

import numpy as np
import pytest

from tests.mert.lattices import pairs_of
from tests.pipeline.news import stories
from tests.reference.lattices import paths
from widl.common.options import changed
from widl.common.workers import LocalEngine
from widl.headline import HeadlineOptions, Headliner
from widl.headline.budget import Budget
from widl.headline.documents import Document
from widl.mert import LatticeSet, Objective, OptimizerOptions, TuningOptions
from widl.pipeline.tuning import HeadlineTask, tune
from widl.pipeline.tuning_decoders import headline_decoder, headline_lattice_decoder

DOCUMENTS = [Document(story["id"], story["text"], (story["headline"].title(),)) for story in stories(4, seed=5)]
FAST = TuningOptions(nbest=20, max_iterations=2, optimizer=OptimizerOptions(restarts=1, random_directions=1))
SYSTEMS = ["widl", "widl-paper"]


def options_of(system, **changes):
    return HeadlineOptions(system=system, max_seconds=0, **changes)


@pytest.fixture(scope="module", params=SYSTEMS)
def opened(headlines, request):
    with Headliner(headlines, system=request.param) as headliner:
        yield headliner, list(headliner.parse(DOCUMENTS))


@pytest.mark.parametrize("search", ["astar", "beam", "stack", "cube"])
def test_candidates_are_paths_with_their_features(opened, search) -> None:
    headliner, parsed = opened
    own = {"beam": {"stack_size": 10}, "stack": {"stack_size": 10}, "cube": {"pop_limit": 20}}.get(search, {})
    options = options_of(headliner.system, search=search, **own, nbest=10, lattice=True)
    for document in parsed:
        headline = headliner.of_parsed(document, replace(options, lattice_arcs=60))
        lattice = headline.lattice
        assert len(lattice.arcs) <= 60
        weights = np.array(headliner.layout.vector(headliner.weights))
        words, features = LatticeSet([lattice]).best(weights)[0]
        assert features @ weights == pytest.approx(headline.best.score, abs=1e-4)
        best = [one for one in headline.nbest if one.score > headline.best.score - 1e-4]  # as good as each other
        [found] = [one for one in best if " ".join(one.phrases) == " ".join(words)]
        assert features == pytest.approx(list(found.features.row), abs=1e-4)


def test_all_candidates_are_in_the_whole_lattice(opened) -> None:
    headliner, parsed = opened
    options = options_of(headliner.system, search="stack", stack_size=2, nbest=5, lattice=True, lattice_arcs=0)
    weights = np.array(headliner.layout.vector(headliner.weights))
    headline = headliner.of_parsed(parsed[0], options)
    lattice = headline.lattice
    rows = lattice.features
    found = {}
    for path in paths(pairs_of(lattice)):
        features = rows[path].sum(axis=0)
        words = tuple(word for arc in path for word in lattice.arcs[arc][5])
        assert features[headliner.layout.index("word_count")] == len(words)
        assert features @ weights <= headline.bound + 1e-4
        found.setdefault(words, []).append(features)
    assert len(headline.nbest) > 1
    for candidate in headline.nbest:
        rows_of_string = found[tuple(word for phrase in candidate.phrases for word in phrase.split())]
        assert any(row == pytest.approx(list(candidate.features.row), abs=1e-4) for row in rows_of_string)


def test_both_decoders_give_the_same_best_headlines(opened) -> None:
    headliner, parsed = opened
    options = options_of(headliner.system)
    lists, lattices = (make(headliner, parsed, options) for make in (headline_decoder, headline_lattice_decoder))
    objective = Objective("rouge2_recall", [[document.headlines[0] for document in DOCUMENTS]])
    for factor in (1.0, 0.5, 2.0):
        weights = {name: weight * (factor if name == "lm0" else 1) for name, weight in headliner.weights.items()}
        best = [candidates[0] for candidates in lists(weights, 1)]
        row = np.array(list(weights.values()))
        found = LatticeSet(list(lattices.decode(weights))).best(row)
        texts = [lattices.text(words) for words, _ in found]
        assert texts == [candidate.text for candidate in best]
        numbers = np.arange(len(texts))
        statistics = [objective.statistics(numbers, lines) for lines in (texts, [one.text for one in best])]
        assert np.array_equal(*statistics)
        for (_, features), candidate in zip(found, best, strict=True):
            assert features == pytest.approx(candidate.features, abs=1e-4)


def test_a_document_without_phrases_has_one_path(headlines) -> None:
    with Headliner(headlines) as headliner:
        parsed = list(headliner.parse([Document("short", "It will sell wells in Peru.")]))
        options = options_of("widl", budget=Budget(words=0, bytes=2))
        decoder = headline_lattice_decoder(headliner, parsed, options)
        [lattice] = decoder.decode(headliner.weights)
        assert len(lattice.arcs) == 1
        assert not lattice.features.any()
        assert headliner.of_parsed(parsed[0], options).text == "It"
        assert decoder.text(lattice.arcs[0][5]) == headliner.of_parsed(parsed[0], options).text


def test_tuning_over_lattices(opened, tmp_path) -> None:
    headliner, _ = opened
    by_lattices = changed(FAST, optimizer=replace(FAST.optimizer, algorithm="lattice-mert"))
    results = {
        name: tune(
            headliner, DOCUMENTS, directory=tmp_path / name, decoding=options_of(headliner.system), options=options
        )
        for name, options in (("lists", FAST), ("lattices", by_lattices))
    }
    starts = [result.iterations[0].score for result in results.values()]
    assert starts[0] == starts[1]
    assert results["lattices"].score >= starts[0]
    assert results["lattices"].weights.keys() == headliner.weights.keys()


def test_decoding_with_an_engine_gives_the_same_lattices(opened) -> None:
    headliner, parsed = opened
    task = HeadlineTask(headliner, DOCUMENTS, options=options_of(headliner.system))
    optimizer = OptimizerOptions(algorithm="lattice-mert")
    here = list(task.decoder(LocalEngine(1), optimizer).decode(headliner.weights))
    remote = headline_lattice_decoder(headliner, parsed, options_of(headliner.system), engine=LocalEngine(1))
    for one, other in zip(here, remote.decode(headliner.weights), strict=True):
        assert one.arcs == other.arcs
        assert np.array_equal(one.features, other.features)
