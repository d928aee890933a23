"""Verbs in the present tense: which are finite, their forms, and how often headlines take each."""

import pytest

from tests.headline.parses import sentence
from widl.headline.verbs import FiniteVerb, VerbForms, finite_verb, third_person
from widl.headline.words import Word, words_of

PRICES = "Prices/NOUN/nsubj>1 rose/VERB/root>1 and/CCONJ/cc>4 Iran/PROPN/nsubj>4 attacked/VERB/conj>1 them/PRON/obj>4"


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        ("cut", "cuts"),
        ("pass", "passes"),
        ("fix", "fixes"),
        ("buzz", "buzzes"),
        ("reach", "reaches"),
        ("wash", "washes"),
        ("deny", "denies"),
        ("buy", "buys"),
        ("go", "goes"),
        ("have", "has"),
        ("be", "is"),
        ("do", "does"),
    ],
)
def test_third_person(verb: str, form: str) -> None:
    assert third_person(verb) == form


def verb(text: str, i: int) -> FiniteVerb | None:
    return finite_verb(words_of(sentence(text)), i)


def test_finite_verbs_and_their_subjects() -> None:
    several, one = verb(PRICES, 1), verb(PRICES, 4)
    assert several is not None
    assert one is not None
    assert (several.number, several.forms) == ("several", ("rose", "rises", "rise"))
    assert (one.number, one.forms) == ("one", ("attacked", "attacks", "attack"))
    alone = verb("Rose/VERB/root>0", 0)
    assert alone is not None
    assert alone.number == "none"
    assert verb(PRICES, 0) is None


@pytest.mark.parametrize(
    "text",
    [
        "They/PRON/nsubj>2 have/AUX/aux>2 attacked/VERB/root>2",
        "Iraq/PROPN/nsubj:pass>2 was/AUX/aux:pass>2 attacked/VERB/root>2",
        "That/SCONJ/mark>2 Iran/PROPN/nsubj>2 attacked/VERB/root>2",
        "Iran/PROPN/nsubj>2 was/AUX/cop>2 attacked/VERB/root>2",
        "Iran/PROPN/nsubj>1 wants/VERB/root>1 attacked/VERB/xcomp>1",
        "Iran/PROPN/nsubj>2 is/X/x>2 attacking/VERB/root>2",
        "Iran/PROPN/nsubj>2 of/ADP/case>2 attacked/NOUN/root>2",
        "x/X/x>2 x/X/x>2 re-sold/VERB/root>2",  # no lemma of letters
    ],
)
def test_no_finite_verbs(text: str) -> None:
    assert verb(text, 2) is None


def trained() -> VerbForms:
    words = words_of(sentence(PRICES))
    return VerbForms.trained([({"prices", "rise"}, [words]), ({"rise"}, [words]), ({"attacks", "rose"}, [words])])


def test_counts_and_probabilities_by_hand() -> None:
    forms = trained()
    assert forms.counts == {
        "rose": [1, 0, 2],
        ":several": [1, 0, 2],
        "attacked": [0, 1, 0],
        ":one": [0, 1, 0],
    }
    words = words_of(sentence(PRICES))
    found = finite_verb(words, 1)
    assert found is not None
    # Own counts, and eight more in the proportions of verbs with such a subject.
    assert forms.probabilities(found) == pytest.approx([(1 + 8 / 3) / 11, 0, (2 + 16 / 3) / 11])
    assert forms.best(words, 1) == (Word("rise", "rise", "rise", "VERB", 1, "root"), pytest.approx((2 + 16 / 3) / 11))
    assert forms.best(words, 4)[0].text == "attacks"
    assert forms.best(words, 0) == (words[0], 1.0)


def test_without_counts_all_forms_are_alike_and_the_verb_stays() -> None:
    words = words_of(sentence(PRICES))
    word, probability = VerbForms({}).best(words, 1)
    assert word is words[1]
    assert probability == pytest.approx(1 / 3)


def test_through_json() -> None:
    forms = trained()
    assert VerbForms(forms.counts).counts == forms.counts
