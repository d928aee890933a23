"""What headlines print of quotations, initials, signs, datelines and unwanted terms."""

import json
import re

import pytest

from tests.headline.parses import parsed, words
from tests.headline.searches import searched
from tests.proofs.printed import PLAIN, UNWANTED, TellingModel, check_printed, complaints_of_text
from widl.headline.datelines import without_datelines
from widl.headline.model import CLAUSE_WEIGHTS
from widl.headline.options import HeadlineOptions
from widl.headline.unwanted_terms import Unwanted
from widl.pipeline.demo import sample_corpus

STORIES = 200
GROUPS = 20
SAMPLE = [
    json.loads(line)["text"] for line in (sample_corpus() / "documents.jsonl").read_text(encoding="utf-8").splitlines()
]


def candidates(text: str, **options: object) -> list[str]:
    """The candidates for the headline of a text, the best first."""
    chosen = HeadlineOptions(bytes=0, nbest=30, ranked=0, max_seconds=0, **options)  # type: ignore[arg-type]
    headline = searched(TellingModel(text), parsed(without_datelines(text)), chosen, CLAUSE_WEIGHTS)
    return [item.text for item in headline.nbest] or [headline.text]


@pytest.mark.parametrize("group", range(GROUPS))
def test_a_story_is_printed_as_its_writer_made_it(group: int) -> None:
    for number in range(group, STORIES, GROUPS):
        for complaints in check_printed(0, number):
            assert not complaints, complaints[0]


@pytest.mark.parametrize("text", SAMPLE)
def test_quotations_and_numbers_of_the_sample_stand_in_the_text(text: str) -> None:
    for headline in candidates(text):
        assert not list(complaints_of_text(headline, text))


@pytest.mark.parametrize(
    ("text", "headline"),
    [
        ('"He was innocent," his lawyer said after the execution on Monday.', '"He was innocent": his lawyer'),
        ("“I was a spy,” the teacher told the court on Monday.", '"I was a spy": teacher'),
        ("``We lost the war,'' the general said on Monday.", '"We lost the war": general'),
        ("'We will win,' the coach said on Monday.", "'We will win': coach"),
        ("It will rain tomorrow, the weather bureau said on Monday.", "It will rain: weather bureau"),
        ("He was shot by police in Ohio on Monday.", "He was shot by police"),
        ("A man wanted by the police for murder left Ohio on Monday.", "Man wanted by police for murder leaves Ohio"),
        ("Man wanted by the police for the murder of a clerk.", "Man wanted by police for murder of clerk"),
        ("Inflation was <3 percent in May, the bank said on Monday.", "Inflation was <3% in May: bank"),
        ("Prices at Acme fell ##.# percent on Monday.", "Prices at Acme fall ##.#%"),
        ("A. C. Green sold the team on Monday.", "A. C. Green sells team"),
        ("A C Green sold the team on Monday.", "A C Green sells team"),
        ("BAGHDAD, Iraq Two bombs killed 30 people on Sunday.", "Two bombs kill 30 people"),
        ("WASHINGTON The White House sold a yacht on Friday.", "White House sells yacht"),
    ],
)
def test_some_headlines(text: str, headline: str) -> None:
    assert headline in candidates(text, words=10)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ('The mayor said he "would resign" if the council rejected the budget.', "will resign"),
        ('The firm called it "a group of miners" on Monday and left.', r"(?<!of )miners"),
        ('The senate "passed a bill" and left the town on Monday.', "passes"),
        ('The fee rose "by 5 percent a year" and the Yard Company paid it.', "5%"),
        ('The bank said that "people familiar with the matter were wrong" on Monday.', "sources"),
        ('He sold "Robert and Jo" to Acme on Monday.', "Robert, Jo"),
        ('The firm said "it will close the mine" on Monday.', "firm will|firm to"),
    ],
)
def test_nothing_changes_inside_of_a_quotation(text: str, changed: str) -> None:
    assert not any(re.search(changed, headline) for headline in candidates(text, words=20))


@pytest.mark.parametrize(
    "text",
    [
        '"Nobody will be left behind, the president said in a speech on Monday.',
        'We will sell all mines," the president said in a speech on Monday.',
        "The general said 'the miners' and the pilots' wives will get a new home' on Monday.",
    ],
)
def test_a_quotation_without_an_end_keeps_its_words_and_has_no_marks(text: str) -> None:
    for headline in candidates(text, words=30):
        assert not re.search(r'["“”]|to be left|to sell|to get', headline)


@pytest.mark.parametrize("term", UNWANTED)
@pytest.mark.parametrize("letters", ["sentence", "title", "capitals"])
def test_no_form_of_an_unwanted_word_is_printed(term: str, letters: str) -> None:
    for text in (*PLAIN, *SAMPLE[:4]):
        for headline in candidates(text, without=(term,), letters=letters):
            for form in UNWANTED[term].split():
                assert not re.search(rf"(?<!\w){re.escape(form)}(?!\w)", headline, re.IGNORECASE)


@pytest.mark.parametrize(
    ("terms", "text", "allowed"),
    [
        (["World Trade Organization"], "The WTO met.", "met"),
        (["U.S."], "US stocks fell.", "stocks fell"),
        (["pct"], "It rose 5% and three percent.", "it rose and three"),
        (["old mine", "mine"], "The old mine was closed.", "the old was closed"),
        (["old mines"], "The old mine was closed.", "the old was closed"),
        (["sell off", "off"], "He sold it off.", "he sold it"),
    ],
)
def test_terms_in_other_forms_are_avoided(terms: list[str], text: str, allowed: str) -> None:
    [sentence] = words(text)
    constraint = Unwanted(terms).constraint(sentence)
    assert not constraint.accepts([word.key for word in sentence])
    assert constraint.accepts(allowed.split())


def test_a_negation_that_nobody_wants_is_not_just_left_out() -> None:
    text = "The court said the bank has not sold its unit in Chile, and the mayor left."
    assert not any("sold" in headline or "sells" in headline for headline in candidates(text, without=("not",)))
