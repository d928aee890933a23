"""Combinations compared with all strings of their expressions."""

import json
import math
import random

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from widl.combination import CombinationOptions, Combiner, combine
from widl.combination.combiner import default_weights
from widl.combination.output_ngrams import ORDER, SEAMS, Agreement, agreement_names
from widl.common.errors import InputError
from widl.common.workers import LocalEngine
from widl.decoder import LanguageModel
from widl.pipeline.tuning import CombinationTask
from widl.pipeline.tuning_decoders import combination_decoder

OUTPUTS = ["The cat sat on a mat.", "A cat sat on the mat.", "The cat sits on the mat."]


def test_what_most_have_wins() -> None:
    result = Combiner().combine_one(OUTPUTS)
    assert (result.text, result.optimal, result.stopped) == ("The cat sat on the mat.", True, "")
    everybody = (1, 2, 3)
    votes = [word.outputs for word in result.words]
    assert votes == [(1, 3), everybody, (1, 2), everybody, (2, 3), everybody, everybody]
    assert result.skeleton in (1, 2, 3)
    assert result.score == pytest.approx(result.bound)
    weights = default_weights(3)
    assert result.score == pytest.approx(sum(weights[name] * value for name, value in result.features.items()))
    assert json.loads(json.dumps(result.as_dict()))["words"][2] == {"text": "sat", "outputs": [1, 2]}


@given(
    st.lists(st.lists(st.sampled_from("a b c d".split()), min_size=1, max_size=6), min_size=2, max_size=4),
    st.integers(0, 9),
)
def test_agreement_is_the_worth_of_shared_ngrams(outputs: list[list[str]], seed: int) -> None:
    """Compares the model's ln p and the features with n-grams searched for in each output."""
    rng = random.Random(seed)
    trust = [1.0 + k for k in range(len(outputs))]
    weights = {name: rng.uniform(-1, 0 if name == SEAMS else 2) for name in agreement_names(len(outputs))}
    agreement = Agreement(outputs, trust)
    model, constant = agreement.model(weights)
    shares = [item / sum(trust) for item in trust]
    padded_outputs = [["<s>", *words, "</s>"] for words in outputs]

    def has(k: int, ngram: list[str]) -> bool:
        padded = padded_outputs[k]
        return any(padded[i : i + len(ngram)] == ngram for i in range(len(padded)))

    def is_new(ngram: list[str]) -> bool:
        return not any(has(k, ngram) for k in range(len(outputs)))

    for words in [*outputs, ["d", "c", "b"]]:
        padded = ["<s>", *words, "</s>"]
        features = dict.fromkeys(weights, 0.0)
        for end in range(2, len(padded) + 1):
            for n in range(1, min(ORDER, end) + 1):
                for k, share in enumerate(shares):
                    if has(k, padded[end - n : end]):
                        features[f"agreement{k + 1}"] += share * (0.2, 0.5, 0.7, 0.8)[n - 1]
                        features[f"shared{n}"] += share
            for n in range(2, min(ORDER, end) + 1):
                features["seams"] += is_new(padded[end - n : end]) and (n == 2 or not is_new(padded[end - n : end - 1]))
        assert agreement.features(words) == pytest.approx(list(features.values()))
        score = sum(weights[name] * value for name, value in features.items())
        assert sum(model.score_words(words)) + constant * (len(words) + 1) == pytest.approx(score, abs=1e-4)


def test_a_result_is_no_shorter_than_the_shortest_output() -> None:
    """All outputs differ in wording. With split votes, the best-scoring string is *by the coast*."""
    outputs = [
        "this boat was lost near the coast",
        "by the coast at night a boat sank",
        "the boat was seen to sink near the coast",
        "this boat has sunk by the coast at night",
        "off the coast the old boat sank",
    ]
    result = Combiner().combine_one(outputs)
    assert (result.text, result.optimal) == ("by the coast at night a boat sank", True)
    assert Combiner().combine_one(outputs, must=("by the coast",)).text == "by the coast at night"
    without = Combiner().combine_one(outputs, without=("the", "a"))
    assert (len(without.text.split()), without.optimal) == (5, True)  # as many as *off coast old boat sank*


@pytest.mark.parametrize("search", ["stack", "cube", "beam", "astar-k"])
def test_other_searches_find_no_better_combination(search: str) -> None:
    best = Combiner().combine_one(OUTPUTS)
    result = Combiner().combine_one(OUTPUTS, search=search)
    assert result.score <= best.score + 1e-9 <= result.bound + 2e-9
    assert not result.optimal or result.score == pytest.approx(best.score)


def test_terms_of_each_line() -> None:
    lines = [OUTPUTS, OUTPUTS]
    result = list(Combiner().combine(lines, terms=[["a mat"], []]))
    assert [item.text for item in result] == ["The cat sat on a mat.", "The cat sat on the mat."]


def test_equal_outputs_are_the_result() -> None:
    result = Combiner().combine_one(["It  rains.", "It rains."])
    assert (result.text, result.optimal, result.skeleton, result.states) == ("It rains.", True, 0, 0)
    assert [word.outputs for word in result.words] == [(1, 2)] * 3


def test_results_do_not_depend_on_threads() -> None:
    lines = [OUTPUTS, OUTPUTS[1:], ["a b c", "a c", "b c"]] * 4
    first, second = ([item.text for item in combine(lines, threads=threads)] for threads in (1, 3))
    assert first == second


def test_terms_that_must_be_there_and_words_that_must_not() -> None:
    combiner = Combiner()
    assert combiner.combine_one(OUTPUTS, must=("a mat",)).text == "The cat sat on a mat."
    assert combiner.combine_one(OUTPUTS, without=("sat",)).text == "The cat sits on the mat."
    nowhere = combiner.combine_one(OUTPUTS, must=("dog",))
    assert (nowhere.text, nowhere.optimal) == ("", False)
    assert nowhere.failure == "no output has 'dog' of the term 'dog'"
    unplaced = combiner.combine_one(OUTPUTS, must=("mat sat",))
    assert unplaced.failure == "the outputs' words make no string with 'mat sat', in the order of any output"
    assert (nowhere.as_dict()["score"], nowhere.as_dict()["bound"]) == (None, None)


def test_the_best_string_that_says_nothing_twice_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = ["today Acme fell again", "Acme fell again today", "again Acme fell today"]
    combiner = Combiner(weights={"words": 3.0})
    result = combiner.combine_one(outputs)
    assert (result.text, result.optimal, result.bound) == ("Acme fell again today", True, result.score)
    monkeypatch.setattr("widl.combination.search.OutputLimits.limits", lambda *_: {})
    everything = combiner.combine_one(outputs, nbest=300)
    assert everything.text == "today Acme fell again today"
    once = [item for item in everything.nbest if max(map(item.text.split().count, item.text.split())) == 1]
    assert (once[0].text, once[0].score) == (result.text, pytest.approx(result.score))


def test_a_language_model_and_weights_have_a_say() -> None:
    model = LanguageModel.estimate(["the cat sits on a mat", "the cat sits"] * 3)
    outputs = ["the cat sat", "the cat sat", "the cat sits"]
    assert Combiner((model,), {"lm0": 5.0}).combine_one(outputs).text == "the cat sits"
    with pytest.raises(InputError, match="weights: unknown feature 'lm1'; this model has votes1, votes2"):
        Combiner((model,), {"lm1": 1.0}).combine_one(["a", "b"])
    with pytest.raises(InputError, match="weights: lm0 is negative; search needs language-model weights >= 0"):
        Combiner((model,), {"lm0": -1.0}).combine_one(["a", "b"])
    trusted = Combiner(weights={"votes1": 0.0, "votes2": 9.0, "agreement1": 0.0, "agreement2": 0.0, "words": 0.0})
    assert trusted.combine_one(["a red car", "the blue car"]).text == "the blue car"


@pytest.mark.parametrize(
    "outputs", [["", ""], ["", "a b"], ["a b", "", ""], ["a", "b"], ["<b>x</b>", "x"], ["机器翻译", "机器的翻译"]]
)
def test_odd_outputs_have_a_result(outputs: list[str]) -> None:
    result = Combiner().combine_one(outputs)
    assert result.optimal
    assert all(word.outputs for word in result.words)
    assert bool(result.text) == any(outputs)


def test_long_outputs_end_within_their_budget() -> None:
    texts = [" ".join(f"w{(k * step) % 7}x" for k in range(500)) for step in (1, 3)]
    result = Combiner().combine_one(texts, max_states=2000)
    assert result.words
    assert result.stopped in ("", "max_states")
    assert math.isfinite(result.score)


def test_wrong_inputs() -> None:
    with pytest.raises(InputError, match="1 output to combine; at least two are needed"):
        Combiner().combine_one(["alone"])
    with pytest.raises(TypeError, match="outputs: found the string 'text'; pass a list of texts"):
        Combiner().combine_one("text")


def test_tuning_begins_with_what_outputs_were_worth() -> None:
    """Start weights are multiplied by exp(0.2 times the distance from the mean BLEU); user weights are unchanged."""
    lines = [("the cat sat on the mat .", "the cat lay on a rug ."), ("it rains in the town .", "it pours in a town .")]
    references = [[line[0] for line in lines]]
    bleu = [sacrebleu.corpus_bleu([line[k] for line in lines], references).score for k in (0, 1)]
    weights = CombinationTask(Combiner(), lines, references).weights
    assert math.log(weights["votes1"] / weights["votes2"]) == pytest.approx(0.2 * (bleu[0] - bleu[1]))
    assert weights["agreement1"] / weights["agreement2"] == pytest.approx(weights["votes1"] / weights["votes2"])
    assert weights["words"] == default_weights(2)["words"]
    own = Combiner(weights={"votes2": 2.0})
    assert CombinationTask(own, lines, references).weights == own.weights_of(2)


def test_tuning_on_lines_whose_outputs_are_equal() -> None:
    """Such a line has no features and offers no choice."""
    lines = [("a cat", "a cat"), ("the dog", "a dog")]
    combiner = Combiner()
    decode = combination_decoder(combiner, lines, CombinationOptions(), engine=LocalEngine())
    equal, _ = decode(combiner.weights_of(2), 5)
    assert [(item.text, set(item.features)) for item in equal] == [("a cat", {0.0})]
