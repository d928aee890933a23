"""Lattices of headlines: their paths are derivations, and MERT over them agrees with n-best lists."""

from dataclasses import replace

import numpy as np
import pytest

from tests.mert.lattices import pairs_of
from tests.pipeline.news import stories
from tests.reference.lattices import paths
from widl.common.workers import LocalEngine
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document
from widl.mert import LatticeSet, TuningOptions
from widl.pipeline.tuning import tune
from widl.pipeline.tuning_decoders import headline_lattice_decoder

DOCUMENTS = [Document(story["id"], story["text"], (story["headline"].title(),)) for story in stories(4, seed=5)]
FAST = TuningOptions(max_iterations=2, restarts=1, random_directions=1)
SYSTEMS = ["widl", "widl-paper"]


def options_of(system, **changes):
    unranked = {"ranked": 0} if system == "widl" else {}  # the other system does not rank
    return HeadlineOptions(system=system, max_seconds=0, **unranked, **changes)


@pytest.fixture(scope="module", params=SYSTEMS)
def opened(headlines, request):
    with Headliner(headlines, system=request.param) as headliner:
        yield headliner, list(headliner.parse(DOCUMENTS))


def test_the_best_path_is_the_best_candidate_with_its_features(opened) -> None:
    headliner, parsed = opened
    for document in parsed:
        headline = headliner.generate_one(
            document, options_of(headliner.system, nbest=10, lattice=True, lattice_arcs=60)
        )
        assert len(headline.lattice.arcs) <= 60
        weights = np.array(headliner.layout.vector(headliner.weights))
        words, features = LatticeSet([headline.lattice]).best(weights)[0]
        assert features @ weights == pytest.approx(headline.best.score, abs=1e-4)
        best = [item for item in headline.nbest if item.score > headline.best.score - 1e-4]  # as good as each other
        [result] = [item for item in best if " ".join(item.phrases) == " ".join(words)]
        assert features == pytest.approx(list(result.features.row), abs=1e-4)


def test_all_candidates_are_in_the_whole_lattice(opened) -> None:
    headliner, parsed = opened
    options = options_of(headliner.system, search="stack", stack_size=2, nbest=5, lattice=True, lattice_arcs=0)
    weights = np.array(headliner.layout.vector(headliner.weights))
    headline = headliner.generate_one(parsed[0], options)
    lattice = headline.lattice
    rows = lattice.features
    result = {}
    for path in paths(pairs_of(lattice)):
        features = rows[path].sum(axis=0)
        words = tuple(word for arc in path for word in lattice.arcs[arc][5])
        assert features[headliner.layout.index("word_count")] == len(words)
        assert features @ weights <= headline.bound + 1e-4
        result.setdefault(words, []).append(features)
    assert len(headline.nbest) > 1
    for candidate in headline.nbest:
        rows_of_string = result[tuple(word for phrase in candidate.phrases for word in phrase.split())]
        assert any(row == pytest.approx(list(candidate.features.row), abs=1e-4) for row in rows_of_string)


def test_a_document_without_phrases_has_one_path(headlines) -> None:
    with Headliner(headlines) as headliner:
        parsed = list(headliner.parse([Document("short", "It will sell wells in Peru.")]))
        options = options_of("widl", words=0, bytes=2)
        decoder = headline_lattice_decoder(headliner, parsed, options, LocalEngine())
        [lattice] = decoder.decode(headliner.weights)
        assert len(lattice.arcs) == 1
        assert not lattice.features.any()
        assert headliner.generate_one(parsed[0], options).text == ""
        assert decoder.text(lattice.arcs[0][5]) == headliner.generate_one(parsed[0], options).text


def test_tuning_over_lattices(opened, tmp_path) -> None:
    headliner, _ = opened
    by_lattices = replace(FAST, algorithm="lattice-mert")
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
