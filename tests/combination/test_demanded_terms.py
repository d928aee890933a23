"""Required and forbidden terms of a combination, with hand-computed results; random terms are in `tests/proofs`."""

import random

import pytest

from widl.combination import CombinationOptions, Combiner
from widl.combination.tokens import words_of
from widl.common.errors import InputError
from widl.decoder import Outcome
from widl.expressions import enumerate_strings

NEWSPAPERS = ["The New York Times said so.", "The New Yorker said it so."]


def combined(outputs: list[str], *must: str, without: tuple[str, ...] = (), **options: object) -> str:
    """The proved result with these terms."""
    result = Combiner().combine_one(outputs, must=must, without=without, **options)
    assert (result.failure, result.optimal, result.outcome) == ("", True, Outcome.found)
    return result.text


def test_terms_may_say_a_word_twice() -> None:
    """Otherwise no word of four letters is repeated if only one output has it."""
    outputs = ["It is really really good.", "It is really good.", "It is really nice."]
    assert combined(outputs).count("really") == 1
    assert combined(outputs, "really really") == "It is really really good."
    apart = ["really good and really bad", "really good or really bad", "good and bad"]
    assert combined(apart, "really good", "really bad") in apart


def test_what_an_output_has_is_possible() -> None:
    """Names in a single output are suppressed, and few outputs set the order, unless a term requires more."""
    outputs = ["He lives in Rome now.", "He lives in a town now.", "He lives in the town now.", "Now Ann phoned."]
    assert combined(outputs, "Rome") == "He lives in Rome now."
    assert "ow Ann phoned." in combined(outputs, "Ann phoned")
    negated = ["They will not win it.", "They will not win it.", "They will win it."]
    assert combined(negated, "will win") == "They will win it."


def test_any_output_is_possible_as_a_whole() -> None:
    rng = random.Random(0)
    words = "not Ann saw the 7 cats cats .".split()
    for _ in range(100):
        outputs = [" ".join(rng.choices(words, k=rng.randint(1, 6))) for _ in range(4)]
        term = rng.choice(outputs)
        result = Combiner().combine_one(outputs, must=(term,))
        assert not result.failure
        assert f" {term} " in f" {' '.join(word.text for word in result.words)} "


def test_unwanted_terms_are_words_in_a_row() -> None:
    outputs = ["I love New York.", "I love new Jersey.", "I love old York."]
    without = Combiner().combine_one(outputs, without=("new york",))
    assert "new york" not in without.text.lower()
    assert without.optimal
    assert "York" in combined(outputs, "York", without=("New York",))
    impossible = Combiner().combine_one(["a b c", "a b d"], without=("a b",))
    assert (impossible.text, impossible.outcome) == ("", Outcome.proved_empty)
    assert impossible.failure == "the outputs' words make no string without 'a b', in the order of any output"
    assert Combiner().combine_one(["a b c", "a b d"], without=("A",)).text in ("b c", "b d")


@pytest.mark.parametrize(
    ("word", "spellings"),
    [("İstanbul", ["İstanbul", "İSTANBUL"]), ("straße", ["Straße", "STRASSE"]), ("ΟΔΟΣ", ["οδος", "οδοσ"])],
)
def test_words_that_must_not_occur_are_found_in_every_case(word: str, spellings: list[str]) -> None:
    for spelling in spellings:
        outputs = [f"we saw {spelling} today", f"we saw {spelling} early today", "we saw the city today"]
        assert spelling in combined(outputs)
        assert combined(outputs, without=(word,)) in ("we saw the city today", "we saw today", "we saw the today")
        assert spelling not in combined(outputs, without=(f"saw {word}",))


def test_a_combination_keeps_no_lattice() -> None:
    """What can't be done is refused."""
    assert Combiner().combine_one(["a b", "a c"], lattice=False).text
    for options in ({"lattice": True}, {"lattice": True, "lattice_arcs": 5}):
        with pytest.raises(InputError, match="lattice: combinations have no lattice; leave it out"):
            Combiner().combine_one(["a b", "a c"], **options)
    for name in ("lattice_arcs", "lattice_beam"):
        with pytest.raises(InputError, match="a search without a lattice does not read it"):
            Combiner().combine_one(["a b", "a c"], **{name: 5})


def test_outputs_without_words_have_no_term() -> None:
    result = Combiner().combine_one(["", ""], must=("a",))
    assert (result.text, result.failure) == ("", "no output has 'a' of the term 'a'")
    assert Combiner().combine_one(["", ""], without=("a",)).failure == ""
    for terms in ({"must": (" ",)}, {"without": ("",)}):
        with pytest.raises(InputError, match="has no words; remove it"):
            Combiner().combine_one(["a", "b"], **terms)


def test_a_second_search_never_takes_an_answer_away() -> None:
    """The best string repeats a word; the line's budget ends before the second search."""
    outputs = ["today Acme fell again", "Acme fell again today", "again Acme fell today"]
    combiner = Combiner(weights={"words": 3.0})
    whole = combiner.combine_one(outputs)
    for most in range(1, whole.states + 1):
        result = combiner.combine_one(outputs, max_states=most)
        assert result.text
        assert result.bound >= whole.score - 1e-6
        assert result.optimal or result.stopped == "max_states"
        assert not result.optimal or result.text == whole.text
    assert combiner.combine_one(outputs, max_states=whole.states + 1).optimal


def test_words_said_often_are_counted_within_the_budget() -> None:
    """Four outputs of 100 words, with six distinct words: too many counts to list."""
    rng = random.Random(0)
    words = ["alpha", "bravo", "delta", "gamma", "kappa", "sigma"]
    outputs = [" ".join(rng.choices(words, k=100)) for _ in range(4)]
    result = Combiner().combine_one(outputs, max_states=20_000, max_seconds=0)
    assert result.text
    assert (result.stopped, result.optimal, result.outcome) == ("max_states", False, Outcome.found)
    assert result.gap is not None


def test_what_is_promised_is_what_is_printed() -> None:
    """The expression with terms has the required words; with --skeletons 0 --support 1, it has all outputs."""
    outputs = ["He met Ann in town.", "He met her in a town.", "He met her in town."]
    strings = {item.string for item in enumerate_strings(Combiner().expression(outputs, must=("Ann",)))}
    assert any("Ann" in words_of(string) for string in strings)
    widest = CombinationOptions(skeletons=0, support=1)
    strings = {item.string for item in enumerate_strings(Combiner().expression(outputs, widest))}
    assert {" ".join(words_of(output)) for output in outputs} <= strings
