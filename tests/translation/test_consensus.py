"""Minimum-Bayes-risk decoding of translations; the core's arithmetic has tests of its own."""

from dataclasses import replace

import numpy as np
import pytest

from tests.reference import consensus as reference
from tests.reference.lattices import paths
from widl.pipeline.demo import sample_corpus
from widl.translation import TranslationOptions, Translator

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()


def derivations_of(translator, translation, scale):
    lattice = translation.lattice
    weights = np.array(list(translator.weights.values()))
    unit = sum(translator.weights[name] for name in translator.layout.language_models)
    return [
        (tuple(lattice.words_of(path)), scale / unit * float(np.dot(lattice.features_of(path), weights)))
        for path in paths([arc[:2] for arc in lattice.arcs])
    ]


def test_the_choice_is_that_of_all_derivations(translator) -> None:
    """Of short lines all derivations of the lattice can be listed."""
    options = TranslationOptions(mbr=True, mbr_scale=0.5, lattice=True, lattice_arcs=25)
    differ = 0
    for t in translator.translate(LINES[:12], options):
        derivations = derivations_of(translator, t, 0.5)
        gain = reference.linear_gain(derivations, 4, 0.85, 0.72)
        gains = [gain(number) for number in range(len(derivations))]
        texts = [words for words, _ in derivations]
        assert gains[texts.index(tuple(t.best.words))] == pytest.approx(max(gains), abs=1e-6)
        differ += texts[max(range(len(texts)), key=lambda i: derivations[i][1])] != tuple(t.best.words)
    assert differ > 0


def test_what_is_chosen_is_a_derivation(translator) -> None:
    """Its phrases cover the line, its score is that of its features, and nothing is called optimal."""
    lines = [*LINES[:6], "", "总统魑魅魍魉", "".join(LINES) * 2]
    for t in translator.translate(lines, TranslationOptions(mbr=True, nbest=5, unknown="copy", mbr_scale=0.3)):
        assert t.optimal == (not t.source)
        assert t.text == t.texts[0]
        assert len({tuple(one.words) for one in t.nbest}) == len(t.nbest) <= 5
        for one in t.nbest:
            assert one.score == pytest.approx(
                sum(translator.weights[name] * h for name, h in one.features.items()), rel=1e-6
            )
            assert one.score <= t.bound + 1e-4
            assert sorted(i for p in one.phrases for i in range(p.begin, p.end)) == list(range(len(t.source)))
            assert one.features["word_count"] == len(one.words)
            assert one.features["unknown"] == sum(p.unknown for p in one.phrases)
        links = t.best.alignment(lambda phrase, source=t.source: translator.links(source, phrase))
        assert all(0 <= i < len(t.source) and 0 <= j < len(t.best.words) for i, j in links)


def test_the_same_for_any_number_of_threads(translator) -> None:
    options = TranslationOptions(mbr=True)
    one, three = (
        [replace(t, seconds=0.0) for t in translator.translate(LINES, options, threads=n)] for n in (1, 3)
    )
    assert one == three


def test_the_norm_of_weights_makes_no_difference(translator) -> None:
    small = translator.reweighted({name: weight / 8 for name, weight in translator.weights.items()})
    options = TranslationOptions(mbr=True)
    for a, b in zip(translator.translate(LINES[:20], options), small.translate(LINES[:20], options), strict=True):
        assert a.text == b.text


def test_folded_movement(trained) -> None:
    weights = Translator(trained).weights
    sums = sum(weights[name] for name in ("p_fe", "p_ef", "lex_fe", "lex_ef"))
    own = Translator(trained, weights=weights | {"distortion": sums})
    folded = Translator(
        trained, weights={k: v for k, v in weights.items() if k != "distortion"}, distortion="folded"
    )
    options = TranslationOptions(mbr=True)
    for a, b in zip(own.translate(LINES[:10], options), folded.translate(LINES[:10], options), strict=True):
        assert a.text == b.text
        assert a.score == pytest.approx(b.score, rel=1e-6)
