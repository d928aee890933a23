"""The 2005 paper's preset: only the language model scores, Equation 2 word by word, states by the last two words."""

import random
from collections.abc import Callable
from itertools import permutations

import pytest

from tests.reference.search_readings import PROGRAM, Bag
from widl.common.errors import InputError
from widl.decoder import LanguageModel, RealizationOptions, Realizer
from widl.decoder.search_options import BoundName
from widl.experiments.bags import OrderSystem, default_systems, order
from widl.expressions import bag, parse_expression, seq
from widl.pipeline.demo import sample_corpus

IDL_1 = "∥(finally, ∨(×(the · prisoners), ×(the · captives)) · were · released)"
SYSTEMS = {system["name"]: system for system in default_systems()}
MODEL = LanguageModel.estimate(
    [
        "finally the prisoners were released",
        "the captives were finally free",
        "the prisoners finally ran",
        "were the captives released",
    ]
)


def test_the_language_model_alone_scores() -> None:
    """The shuffles of the first branch have less probability than the only string of the second one."""
    model = LanguageModel.estimate(["he said so", "he said so", "so he says"])
    expression = "∨(∥(he, said, so), so · he · says)"
    strings = [*map(" ".join, permutations(["he", "said", "so"])), "so he says"]
    scores = {string: sum(model.score_words(string.split())) for string in strings}
    best = max(scores, key=scores.__getitem__)
    result = Realizer(model).realize_one(expression, preset="paper-2005")
    assert (result.text, result.optimal) == (best, True)
    assert result.score == pytest.approx(scores[best], abs=1e-4)
    assert Realizer(model).realize_one(expression).text == "so he says" != best
    assert Realizer(model, preset="paper-2005").realize_one(expression).text == best
    for given in ({"weights": {"lm0": 2.0}}, {"language_models": [model, model]}):
        realizer = Realizer(**({"language_models": model} | given))
        with pytest.raises(InputError, match="contradicts the preset paper-2005: a trigram model alone scores"):
            realizer.realize_one(expression, preset="paper-2005")


def log_p(word: str, context: tuple[str, ...], begins: bool) -> float:
    words = [*context, *([word] if word else [])]
    return MODEL.score_words(words, begin=begins, end=not word)[-1]


def equation_2(events: list[list[str]], labels: list[str]) -> float:
    """Σ over the events of max over contexts, at the start: <s>, <s> and a label, two labels; the best branch of ∨."""

    def best(word: str) -> float:
        contexts = [((), True), *(((x,), True) for x in labels), *((pair, False) for pair in permutations(labels, 2))]
        return max(log_p(word, context, begins) for context, begins in contexts)

    return best("") + sum(max(sum(map(best, branch.split())) for branch in branches) for branches in events)


def test_equation_2_takes_words_one_by_one() -> None:
    """IDL-expression 1 has five events besides the sentence's end, and seven labels, including both branches of ∨."""
    labels = "finally the prisoners the captives were released".split()
    expected = equation_2([["finally"], ["the prisoners", "the captives"], ["were"], ["released"]], labels)
    stopped = Realizer(MODEL).realize_one(IDL_1, preset="paper-2005", max_states=1)
    assert not stopped.optimal
    assert stopped.bound == pytest.approx(expected, abs=1e-4)
    phrases = Realizer(MODEL).realize_one(IDL_1, bound="context", max_states=1)
    assert phrases.bound < expected - 0.1  # in a locked phrase, a word's only context is inside the phrase


def test_equation_2_is_refused_where_it_does_not_apply() -> None:
    """It holds for up to 64 different words, and for 500 phrases outside of bags; beyond, it is refused."""
    realizer = Realizer(MODEL)

    def bound(words: int, name: BoundName = "eq2") -> float:
        line = bag([f"w{k}" for k in range(words - 3)] + ["the", "prisoners", "were", "were"])
        return realizer.realize_one(line, bound=name, max_states=1).bound

    assert bound(64) != pytest.approx(bound(64, "loose"), abs=0.1)
    with pytest.raises(InputError, match="eq2, is for lines of up to 64 different words"):
        bound(65)
    with pytest.raises(InputError, match="the preset paper-2005 has no other"):
        realizer.realize_one(bag([f"w{k}" for k in range(65)]), preset="paper-2005")
    long = seq(*["the", "prisoners", "were"] * 167)
    with pytest.raises(InputError, match="except for bags, 500 phrases"):
        realizer.realize_one(long, bound="eq2")
    for other in ("loose", "context"):
        assert realizer.realize_one(long, bound=other).optimal


@pytest.mark.parametrize(
    "text", [IDL_1, "∨(a, ×(b · c))", "∥(×(the · prisoners · were), ∨(released, ×(the · captives)))"]
)
def test_searches_with_equation_2_find_the_best_string(text: str) -> None:
    full, result = (
        Realizer(MODEL).realize_one(parse_expression(text), preset="paper-2005", search=search)
        for search in ("bfs", "astar")
    )
    assert (result.optimal, full.optimal) == (True, True)
    assert result.score == pytest.approx(full.score, abs=1e-5)


@pytest.mark.parametrize(("row", "search"), PROGRAM.items())
def test_states_are_split_by_the_last_two_words(row: str, search: Callable[[Bag], tuple[float, int]]) -> None:
    """The number of edges equals a search in plain Python with the paper's states and its Equation 2.

    The layered search is compared even if the model has not seen most contexts. Best-first search breaks ties among
    states that it cannot distinguish in a different order.
    """
    draw = random.Random(3)
    if row.startswith("A*"):
        lines = [" ".join(draw.sample("abcdefg", 7)) for _ in range(3000)]
    else:
        lines = (sample_corpus() / "train.en").read_text(encoding="utf-8").lower().splitlines()[:400]
    model = LanguageModel.estimate(lines)
    bags = [draw.sample(words, min(6, len(words))) for words in map(str.split, draw.sample(lines, 12))]
    program = order(bags, model, OrderSystem.model_validate({"preset": "paper-2005"} | SYSTEMS[row]))
    for words, result in zip(bags, program, strict=True):
        log_probability, edges = search(Bag(words, model, "pairs", apart=True))
        assert log_probability == pytest.approx(result["log p"], abs=1e-4)
        assert edges == result["edges"]


def test_whole_contexts_are_more_states_of_the_same_scores() -> None:
    expression = parse_expression("∥(the, prisoners, were, released, sat, down)")
    merged, split = (
        Realizer(MODEL).realize_one(expression, RealizationOptions(search="bfs", whole_contexts=whole))
        for whole in (False, True)
    )
    assert split.score == pytest.approx(merged.score, abs=1e-5)
    assert split.edges > merged.edges
