"""Verbs in the present tense: which are finite, their forms, and how often headlines take each."""

from functools import cache

import pytest

from widl.headline.documents import Document
from widl.headline.headline_forms import VerbForms, finite_forms, third_person
from widl.headline.parsing import SHIPPED, Parser
from widl.headline.words import Word, sentences_of

PRICES = "Prices rose sharply and Iran attacked the rebels."


@cache
def words_of(text: str) -> list[Word]:
    [parsed] = Parser("english", SHIPPED).parse([Document("1", text)])
    return sentences_of(parsed)[0]


@pytest.mark.parametrize(
    ("verb", "form"),
    [
        *(("cut", "cuts"), ("pass", "passes"), ("fix", "fixes"), ("buzz", "buzzes"), ("reach", "reaches")),
        *(("wash", "washes"), ("deny", "denies"), ("buy", "buys"), ("go", "goes"), ("have", "has"), ("be", "is")),
    ],
)
def test_third_person(verb: str, form: str) -> None:
    assert third_person(verb) == form


@pytest.mark.parametrize(
    ("text", "verb", "expected"),
    [
        (PRICES, "rose", ("several", ("rose", "rises", "rise"))),
        (PRICES, "attacked", ("one", ("attacked", "attacks", "attack"))),
        (PRICES, "prices", None),
        ("They have attacked the port.", "attacked", None),
        ("The port was attacked by rebels.", "attacked", None),
        ("The man was held and released on Friday.", "released", None),
        ("He says that rebels attacked the port.", "attacked", None),
        ("The general wants to attack the port.", "attack", None),
        ("The rebels are attacking the port.", "attacking", None),
    ],
)
def test_finite_verbs_and_their_subjects(text: str, verb: str, expected: object) -> None:
    words = words_of(text)
    assert finite_forms(words, next(i for i, word in enumerate(words) if word.key == verb)) == expected


def test_counts_and_probabilities_by_hand() -> None:
    words = words_of(PRICES)
    forms = VerbForms.trained([({"prices", "rise"}, [words]), ({"rise"}, [words]), ({"attacks", "rose"}, [words])])
    assert forms.counts == {"rose": [1, 0, 2], ":several": [1, 0, 2], "attacked": [0, 1, 0], ":one": [0, 1, 0]}
    rose, attacked = (next(i for i, word in enumerate(words) if word.key == key) for key in ("rose", "attacked"))
    # Own counts, and eight more in the proportions of verbs with such a subject.
    assert forms.present(words, rose) == pytest.approx((2 + 16 / 3) / 11)
    assert forms.present(words, attacked) == pytest.approx(1.0)
    assert forms.present(words, 0) == 0.0
    assert VerbForms({}).present(words, rose) == 0.0  # all forms are alike: the verb stays
