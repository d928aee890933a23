"""Search under constraints, checked by hand; random constraints are in `tests/proofs`."""

import itertools
import math
import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core_options import Algorithm, plain_weights, search_options
from tests.proofs.models import opened
from tests.proofs.terms import Demands, has_term
from tests.reference.arpa import ARPA
from widl.common.errors import InputError
from widl.decoder import (
    Constraint,
    CoreRealizer,
    LanguageModel,
    Outcome,
    Realizer,
    Scoring,
    Tiles,
    Vocabulary,
    at_least,
    at_most,
    avoiding,
    containing,
    exactly,
    order,
    realize,
)
from widl.expressions import Expression, bag, parse_expression

close = pytest.approx
NONE_ACCEPTED = "no string of the expression has what it must: proved"
NEVER = containing([["z"]])


def test_by_hand() -> None:
    """The log10 scores (see ARPA) <s> b = -0.1, b a = -0.2, c = -0.2 - 0.9, </s> = -0.6 make 'b a c' best, -2.0. 'a'
    first: a after <s> -0.3 - 0.5; then b -0.2 - 0.7, c -0.2 - 0.9, </s> -0.6: -3.4. Or c -0.2 - 0.9, b -0.7, </s> -0.2
    - 0.6: also -3.4.
    """
    realizer = Realizer([opened(ARPA)])
    assert realizer.realize_one(bag("a b c")).text == "b a c"
    a_first = Constraint([(False, {"a": 1}, None), (True, {}, 1)])
    result = Realizer([opened(ARPA)], constraint=a_first).realize_one(bag("a b c"))
    assert result.text in ("a b c", "a c b")
    assert result.features["lm0"] == close(-3.4 * math.log(10), abs=1e-5)
    assert result.optimal


def test_prefixes_that_lead_nowhere_are_not_followed() -> None:
    """The constraint allows a single one of the orders of 12 words."""
    words = [f"w{k}" for k in range(12)]
    realizer = CoreRealizer(Vocabulary([]), [LanguageModel.estimate([" ".join(reversed(words))])])
    [result] = realizer.realize_expressions([bag(words)], plain_weights(), search_options(), constraint=exactly(words))
    assert result.words == words
    assert result.statistics.states < 2 * len(words)


@pytest.mark.slow
def test_nothing_found_says_why() -> None:
    vocabulary = Vocabulary([])
    realizer = CoreRealizer(vocabulary, [LanguageModel.estimate(["a b c"])])
    small, large = bag("a b c"), bag(f"w{k}" for k in range(20))
    for algorithm in Algorithm:
        options = search_options(algorithm=algorithm)
        [result] = realizer.realize_expressions([small], plain_weights(), options, constraint=NEVER)
        assert (result.outcome, result.failure) == (Outcome.proved_empty, NONE_ACCEPTED)
        assert (result.nbest, result.bound, result.optimal) == ([], -math.inf, False)
    limited = search_options(algorithm=Algorithm.bfs, max_states=1_000)
    [result] = realizer.realize_expressions([large], plain_weights(), limited, constraint=NEVER)
    assert (result.outcome, result.stopped) == (Outcome.out_of_budget, "max_states")
    assert result.failure == "max_states ran out before a string was found, and one may exist; raise it"
    assert (result.nbest, result.optimal) == ([], False)
    assert result.bound > -math.inf
    narrow = search_options(algorithm=Algorithm.astar_k, k=0)
    [result] = realizer.realize_expressions([large], plain_weights(), narrow, constraint=NEVER)
    assert (result.outcome, result.stopped) == (Outcome.undecided, "")
    assert result.failure == "the search pruned all strings that it tried, and one may exist; search with astar or bfs"
    with pytest.raises(IndexError, match="the search pruned all"):
        assert result.score
    spans = [(0, 1, Expression.word("a")), (1, 2, Expression.word("b"))]
    tiles = Tiles.compile(Expression.tiles(2, spans, movement_base=0.5), vocabulary)
    [result] = realizer.realize([tiles], plain_weights(0), search_options(), constraint=NEVER)
    assert (result.outcome, result.bound) == (Outcome.proved_empty, -math.inf)
    assert result.failure == "no string of the tiles within the distortion limit has what it must: proved"


def test_results_say_how_the_search_ended() -> None:
    """Results are the same in Python and as JSON, including proofs of emptiness and exhausted budgets."""
    realizer = Realizer([LanguageModel.estimate(["a b c"])], constraint=NEVER)
    empty, stopped = realizer.realize([bag("a b c"), bag(f"w{k}" for k in range(20))], max_states=1_000)
    assert (empty.outcome, empty.failure, empty.text) == (Outcome.proved_empty, NONE_ACCEPTED, "")
    assert (stopped.outcome, stopped.stopped, stopped.gap) == (Outcome.out_of_budget, "max_states", None)
    for result, name in ((empty, "proved_empty"), (stopped, "out_of_budget")):
        record = result.as_dict()
        assert (record["outcome"], record["score"], record["optimal"]) == (name, None, False)
        assert (record["failure"], record["phrases"]) == (result.failure, [])
        with pytest.raises(IndexError):
            assert result.score
    scored = realizer.realize([bag("a b c")], scoring=Scoring(lambda texts: [0.0 for _ in texts]))
    assert next(scored).outcome is Outcome.proved_empty
    long = Realizer([LanguageModel.estimate(["a b c"])]).realize_one(bag("a b c"), words=2)
    assert long.failure == "no string of the expression fits 2 words: proved"


def test_threads_share_a_constraint() -> None:
    constraint = containing([["a", "left"], ["b"]])
    realizer = Realizer([LanguageModel.estimate(["a left b c", "b a left c"])], constraint=constraint)
    bags = [bag(["left", "a", "b", *"abcabc"[k % 3 : k % 3 + 2]]) for k in range(200)]
    item, two = (list(realizer.realize(bags, threads=threads)) for threads in (1, 2))
    assert [r.text for r in item] == [r.text for r in two]
    assert all(constraint.accepts(r.text.split()) for r in item)


terms = st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=3), max_size=3)


def all_strings() -> Iterator[tuple[str, ...]]:
    for length in range(8):
        yield from itertools.product("abx" if length < 6 else "ab", repeat=length)


@given(terms, terms, st.integers(0, 3), st.integers(0, 4))
def test_an_intersection_is_what_all_accept(
    wanted: list[list[str]], unwanted: list[list[str]], most: int, least: int
) -> None:
    demands = Demands(wanted, unwanted, [("a", most)], least)
    for words in all_strings():
        assert demands.core.accepts(words) == demands.accepts(words)


def test_other_forms_of_a_word_are_avoided_too() -> None:
    constraint = avoiding([["a", "a", "b"]], {"a": ["A"], "b": ["B"]})
    for words in itertools.product("aAbBx", repeat=5):
        assert constraint.accepts(words) == (not has_term("".join(words).lower(), "aab"))


def test_many_terms() -> None:
    """There are 3^20 states, too many to list in advance. Search creates only the reachable states."""
    words = [f"w{k}" for k in range(21)]
    pairs = list(itertools.pairwise(words))
    realizer = Realizer([LanguageModel.estimate([" ".join(reversed(words))])], constraint=containing(pairs))
    result = realizer.realize_one(parse_expression("∥(" + ", ".join((f"×({' '.join(words[:15])})", *words[15:])) + ")"))
    assert result.text.split() == words
    assert result.optimal


def test_a_constraint_is_pickled_with_all_its_parts() -> None:
    constraint = pickle.loads(pickle.dumps(containing(["a b"]) & at_most("a", 1)))
    assert [constraint.accepts(words) for words in ("a b", "a b a", "b")] == [True, False, False]


def test_a_string_is_one_term() -> None:
    """Its words are those between blanks, not its characters."""
    for text, words in (("said", ["said"]), (" new  york ", ["new", "york"]), ("", [])):
        for make in (containing, avoiding, lambda terms: exactly(terms[0])):
            one, same = make([text]), make([words])
            for string in ("he said so", "in new york", "new york", "said", "n e w", ""):
                assert one.accepts(string) == same.accepts(string.split())
    result = Realizer(LanguageModel.estimate(["he said so"]), constraint=avoiding(["said"])).realize_one(
        "he · said · so"
    )
    assert (result.text, result.outcome) == ("", Outcome.proved_empty)
    assert avoiding(["new york"], {"york": "York Yorke"}).accepts("new yorkshire")
    assert not avoiding(["new york"], {"york": "York Yorke"}).accepts("new Yorke")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: containing("new york"), "terms: found the string 'new york'; pass a list of terms"),
        (lambda: avoiding("said"), "terms: found the string 'said'; pass a list of terms"),
        (lambda: containing([["new york"]]), "a term: the word 'new york' has white space; pass its parts as words"),
        (lambda: avoiding([["a"]], {"a": [""]}), "forms of 'a': the word '' is empty; remove it"),
        (lambda: avoiding(["new york"], ["New"]), "forms: found a list; pass a mapping by word"),
        (lambda: avoiding(["new york"], {"old": ["New"]}), "forms: no term has the word 'old'"),
        (lambda: containing(["a"]) and avoiding(["b"]), "write first & second, not 'and', for both"),
        (lambda: not containing(["a"]), "write first & second, not 'and', for both"),
        (lambda: exactly([7]), "words: found an int among the words; pass strings"),
        (lambda: containing([7]), "a term: found an int; pass a list of words, or a string of words"),
        (lambda: at_most("very old", 1), "word: the word 'very old' has white space"),
        (lambda: at_most("very", -1), "a count of -1 words; it is at least 0"),
        (lambda: at_least(-1), "a count of -1 words; it is at least 0"),
        (lambda: avoiding(["a" + 15 * " b"], {"b": ["a"]}), "its words are forms of each other too often; shorten it"),
    ],
)
def test_what_is_no_term(make, message: str) -> None:
    with pytest.raises((TypeError, InputError)) as caught:
        make()
    assert message in str(caught.value)


words_of_forms = st.lists(st.sampled_from("ab"), max_size=4)


@given(words_of_forms, st.dictionaries(st.sampled_from("ab"), st.lists(st.sampled_from("abAB"), max_size=2)))
def test_forms_may_be_words_of_the_term(term: list[str], forms: dict[str, list[str]]) -> None:
    forms = {word: more for word, more in forms.items() if word in term}
    constraint = avoiding([term], forms)
    for length in range(7):
        for words in itertools.product("abAx" if length < 5 else "ab", repeat=length):
            windows = [words[i : i + len(term)] for i in range(length - len(term) + 1)]
            pairs = [list(zip(window, term, strict=True)) for window in windows]
            has = any(all(w == t or w in forms.get(t, ()) for w, t in window) for window in pairs)
            assert constraint.accepts(words) != has


def test_terms_by_name() -> None:
    """The options `must` and `without`, with other constraints and scorers, for expressions and bags."""
    model = LanguageModel.estimate(["the cat sat on the mat"])
    words = "the cat sat on the mat"
    for must, without in itertools.product(
        [(), ("mat on",), ("mat on", "sat")], [(), ("the cat",), ("the cat", "dog")]
    ):
        [result] = order([words], model, must=must, without=without)
        expected = Realizer(model, constraint=containing(must) & avoiding(without)).realize_one(bag(words))
        assert (result.text, result.score, result.optimal) == (expected.text, expected.score, True)
    own = Realizer(model, constraint=containing(["cat on"]))
    both = own.realize_one(bag(words), must=["mat cat"], scoring=Scoring(lambda texts: [0.0 for _ in texts]))
    assert "mat cat on" in both.text
    [none] = realize(["∥(the, cat)"], model, must=["dog"])
    assert (none.outcome, none.failure) == (Outcome.proved_empty, NONE_ACCEPTED)
    with pytest.raises(InputError, match="the term ' ' has no words; remove it"):
        order([words], model, must=[" "])
    with pytest.raises(InputError, match="must: expected a list, found 'cat'"):
        order([words], model, must="cat")
