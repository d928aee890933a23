"""Names for descriptions of later sentences, in texts whose meaning is known because they are made from it."""

from itertools import product

import pytest

from tests.headline.parses import parsed, words
from widl.headline.names_for_descriptions import named
from widl.headline.parsed_words import sentences_of
from widl.headline.units import UnitTree

CASES = [
    ("Norvik Inc closed a mine in Peru. The company will hire 500 workers.", "Norvik will hire 500 workers"),
    ("Norvik Inc closed a mine in Peru. It also sold a plant in Chile.", "Norvik also sold a plant in Chile"),
    ("Norvik Inc closed a mine in Peru. Its shares fell in May.", "Norvik's shares fell in May"),
    ("U.S. carmaker Ford closed a plant. The carmaker said sales fell.", "Ford said sales fell"),
    ("Norvik Inc closed a mine. The Oslo-based company said sales fell.", "Norvik said sales fell"),
    ("General Electric Co closed a plant. The company said sales fell.", "General Electric said sales fell"),
    ("The Supreme Court freed two men. The court said they were innocent.", "Supreme Court said they were innocent"),
    ("Norvik's Corp closed a mine. It also sold a plant in Chile.", "Norvik's also sold a plant in Chile"),
    ("Maria Silva won a race in Peru. She will run in Chile in May.", "Maria Silva will run in Chile in May"),
    ("President Maria Silva went to Peru. She will meet farmers.", "Maria Silva will meet farmers"),
    ("Robert F. Smith died on Monday. He was 81.", "Robert F Smith was 81"),
    ("James Rhodes opened a mine. His brother said it is safe.", "James Rhodes's brother said it is safe"),
    ("Jim Rossi opened a mine. His brother said it is safe.", "Jim Rossi's brother said it is safe"),
]


def second(text: str) -> str:
    return " ".join(word.text for word in words(text)[1])


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_names_in_second_sentences(text: str, expected: str) -> None:
    assert second(text) == expected


UNCERTAIN = [
    "Norvik Inc sued Acme Corp in Peru. The company closed a mine.",
    "Norvik Inc sued a rival bank in Peru. The bank closed a branch.",
    "Norvik Inc closed a mine. The bank said sales fell.",
    "Norvik Inc closed a mine. It is raining in Peru.",
    "Norvik Inc closed a mine. It took three weeks to reach the men.",
    "Prices fell at Norvik Inc in May. It was the fourth fall in a row.",
    "Maria Silva met Ana Lopez in Peru. She will run in May.",
    "Maria Silva and Jim Rossi opened a mine. He will run it.",
    "Maria Silva met a lawyer in Peru. She will run in May.",
    "Pier 1 Imports Inc lost money. The company said sales fell.",
    "The miners met Maria Silva in Peru. They will strike in May.",
    'Norvik Inc closed a mine. "The company is dead," a miner said.',
    "The economist Jim Rossi was the son of the writer Carlo Rossi. He will run in May.",
    "Jim Rossi will run in May, a source said. He declined to give details.",
    "A woman died at Saint Anne's Hospital. The hospital said sales fell.",
]


@pytest.mark.parametrize("text", UNCERTAIN)
def test_sentences_stay_where_another_may_be_meant(text: str) -> None:
    sentences = sentences_of(parsed(text))
    assert named(sentences, sentences)[1] == sentences[1]


COMPANIES = ["Norvik Inc", "Acme Corp", "Borealis Ltd"]
PERSONS = [("Maria Silva", "she"), ("John Brook", "he"), ("Robert Ekman", "he")]
SAID = ["said sales fell", "will close two mines in Chile", "sold a plant in May"]


@pytest.mark.parametrize(("name", "said"), list(product(COMPANIES, SAID)))
def test_made_texts_about_a_company(name: str, said: str) -> None:
    """A text made from *who does what*: the description means who, unless somebody else stands before it."""
    alone = f"{name} opened a bridge in Peru. The company {said}."
    rival = next(other for other in COMPANIES if other != name)
    assert second(alone) == f"{name.split()[0]} {said}"
    assert second(f"{name} beat {rival} in Peru. The company {said}.") == f"the company {said}"


@pytest.mark.parametrize(("person", "said"), list(product(PERSONS, SAID[1:])))
def test_made_texts_about_a_person(person: tuple[str, str], said: str) -> None:
    name, pronoun = person
    assert second(f"{name} opened a bridge in Peru. {pronoun.title()} {said}.") == f"{name} {said}"
    rival = next(other for other, _ in PERSONS if other != name)
    assert second(f"{name} met {rival} in Peru. {pronoun.title()} {said}.") == f"{pronoun} {said}"


def test_a_named_sentence_is_a_tree_with_one_root() -> None:
    for text, _ in CASES:
        sentence = words(text)[1]
        roots = [i for i, word in enumerate(sentence) if word.head == i]
        assert len(roots) == 1
        assert sorted(UnitTree(sentence).positions(UnitTree(sentence).below(0))) == list(range(len(sentence)))


def test_the_name_stands_at_the_place_of_the_description() -> None:
    text = "Norvik Inc closed a mine in Peru. On Monday the company hired 500 workers."
    places = [word.place for word in words(text)[1]]
    assert places == [0, 1, 3, 4, 5, 6]


def test_first_sentences_and_late_sentences_stay() -> None:
    text = "Norvik Inc closed a mine. " + "Sales fell. " * 4 + "The company said sales fell."
    sentences = sentences_of(parsed(text))
    assert named(sentences, sentences) == sentences
