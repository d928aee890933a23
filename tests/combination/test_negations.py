"""Does a combination deny exactly if most outputs do? Compared with sentences made from known meanings."""

import random
from itertools import permutations

import pytest

from widl.combination import CombinationOptions, Combiner
from widl.combination.negations import NegationLimits, is_negation
from widl.combination.tokens import words_of
from widl.decoder import Outcome

MEANINGS = [
    (
        ["Talks took place .", "The talks took place .", "Talks did take place today ."],
        ["No talks took place .", "Talks did not take place .", "Talks didn't take place .", "Talks never took place"],
    ),
    (
        ["The talks were held .", "The talks are held .", "They held the talks ."],
        ["The talks were not held .", "The talks were never held .", "They weren’t held .", "Hardly any were held ."],
    ),
    (
        ["They will pay .", "They are going to pay .", "All of them will pay ."],
        ["They won't pay .", "They will not pay .", "They never pay .", "None of them will pay .", "Nobody will pay ."],
    ),
    (
        ["He can go to Lyon .", "He may go to Lyon now .", "He is able to go to Lyon ."],
        ["He cannot go to Lyon .", "He can't go to Lyon .", "He can not go to Lyon .", "He is n't able to go ."],
    ),
    (
        ["He left and paid 7 euros .", "He paid 7 euros and left .", "Then he left and paid 7 euros ."],
        ["He left without paying 7 euros .", "He left and paid nothing .", "He never paid and left ."],
    ),
]  # fmt: skip
DENIALS = {
    *(
        "no",
        "not",
        "didn't",
        "isn't",
        "never",
        "weren’t",
        "hardly",
        "won't",
        "none",
        "nobody",
        "cannot",
        "can't",
        "n't",
        "without",
    ),
    "nothing",
}  # of these sentences


def denies(text: str) -> bool:
    return not DENIALS.isdisjoint(text.lower().split())


def random_outputs(rng: random.Random) -> list[str]:
    positive, negative = rng.choice(MEANINGS)
    number = rng.randint(3, 7)
    denying = rng.randint(0, number)
    outputs = [*rng.choices(negative, k=denying), *rng.choices(positive, k=number - denying)]
    rng.shuffle(outputs)
    return outputs


def check(outputs: list[str], result_texts: list[str], note: str) -> None:
    """Each result denies if most outputs do; on a tie, all follow one output, which the note names."""
    number = sum(map(denies, outputs))
    if 2 * number == len(outputs):
        lead = int(note.rpartition(" ")[2]) if note else 1
        assert note == f"{number} of {len(outputs)} outputs deny; the result follows output {lead}"
        expected = denies(outputs[lead - 1])
    else:
        assert note == ""
        expected = 2 * number > len(outputs)
    for text in result_texts:
        negations = [word for word in text.lower().split() if word in DENIALS]
        assert len(negations) == expected, (outputs, text)


def test_no_majority_is_reversed() -> None:
    """2,000 random sets of outputs, under random options; the best three strings of each."""
    rng = random.Random(0)
    combiner = Combiner()
    for _ in range(2000):
        outputs = random_outputs(rng)
        options = CombinationOptions(
            nbest=rng.choice([1, 3]),
            skeletons=rng.choice([0, 1, 2, 3]),
            support=rng.choice([2, 2, 3]),
            search=rng.choice(["astar", "bfs", "stack", "cube", "beam", "astar-k"]),
            max_states=rng.choice([0, 0, 0, 1, 5, 50]),
            max_seconds=0,
        )
        result = combiner.combine_one(outputs, options)
        assert result.outcome is Outcome.found
        if len(set(outputs)) > 1:
            check(outputs, [item.text for item in result.nbest], result.note)


@pytest.mark.parametrize("numbers", [(1, 2), (2, 1), (2, 2), (3, 1), (1, 3)])
def test_the_order_of_outputs_decides_nothing_but_ties(numbers: tuple[int, int]) -> None:
    for positive, negative in MEANINGS:
        for outputs in permutations([*positive[: numbers[0]], *negative[: numbers[1]]]):
            result = Combiner().combine_one(outputs)
            assert result.optimal
            check(list(outputs), [result.text], result.note)


def test_weights_and_terms_do_not_reverse_a_majority() -> None:
    outputs = ["He isn't there .", "He is there .", "He is not there .", "He isn't there now .", "He is there ."]
    trusted = Combiner(weights={"votes2": 90.0, "agreement2": 90.0, "votes5": 90.0})
    result = trusted.combine_one(outputs, nbest=100)
    assert result.optimal
    check(outputs, [item.text for item in result.nbest], result.note)
    with_term = Combiner().combine_one(outputs, must=("there now",))
    check(outputs, [with_term.text], with_term.note)
    without = Combiner().combine_one(outputs, without=("isn't",))
    assert (without.text, without.note) == ("He is not there .", "")


def test_what_terms_reverse_is_told() -> None:
    outputs = ["They will not win it.", "They will not win it.", "They will win it."]
    for terms in ({"must": ("will win",)}, {"without": ("not",)}):
        result = Combiner().combine_one(outputs, **terms)
        assert (result.text, result.optimal) == ("They will win it.", True)
        assert result.note == "the terms leave no string with as many negations as the outputs have"
        assert result.as_dict()["note"] == result.note
    assert "note" not in Combiner().combine_one(outputs).as_dict()


def test_support_of_1_allows_every_denial() -> None:
    outputs = ["He did come .", "He did not come .", "He never came ."]
    free = Combiner().combine_one(outputs, nbest=100, support=1)
    assert len({denies(item.text) for item in free.nbest}) == 2
    assert free.note == ""


def test_sentences_with_several_negations_keep_their_number() -> None:
    """Where most outputs deny in two places, both stay, though only one output denies in both."""
    twice = "No one who is not ill may stay ."
    outputs = [twice, "Nobody who is not ill may stay .", "No one who is ill may stay ."]
    assert sum(map(is_negation, words_of(Combiner().combine_one(outputs).text))) == 2
    both = "He did not come and did not pay ."
    parts = [both, "He did not come and did pay .", "He did come and did not pay ."]
    assert {Combiner().combine_one(order).text for order in permutations(parts)} == {both}


def test_not_only_denies_nothing() -> None:
    outputs = ["It is not only cheap but good .", "It isn't just cheap but good .", "It is cheap and good ."]
    for order in permutations(outputs):
        result = Combiner().combine_one(order, nbest=100)
        assert result.optimal
        assert result.note == ""
        for item in result.nbest:
            words = item.text.split()
            follows = [words[at + 1] for at, word in enumerate(words) if is_negation(word)]
            assert all(word in ("only", "just") for word in follows), item.text
    denied = ["It is not cheap .", "It is not only cheap .", "It is never cheap ."]
    for order in permutations(denied):
        text = Combiner().combine_one(order).text
        assert "only" not in text
        assert sum(map(is_negation, text.split())) == 1


@pytest.mark.parametrize(
    ("counts", "limits"),
    [
        ([0, 0, 0], (0, 0, 0)), ([1, 1, 0], (1, 1, 0)), ([0, 0, 1], (0, 0, 0)), ([2, 1, 0], (1, 1, 0)),
        ([2, 2, 0], (2, 2, 0)), ([1, 2], (1, 2, 0)), ([1, 0], (1, 1, 1)), ([0, 1], (0, 0, 1)),
        ([3, 2, 0, 0], (2, 2, 2)),
    ],
)  # fmt: skip
def test_limits_are_medians(counts: list[int], limits: tuple[int, int, int]) -> None:
    outputs = [["it", *["not"] * count] for count in counts]
    found = NegationLimits.of([*outputs, []], 0, 0)
    assert (found.least, found.most, found.tie) == limits
