"""What is denied, banned, permitted or said of all keeps what restricts it; *may* for *will* on a condition."""

import pytest

from tests.headline.parses import parsed, sentence
from tests.headline.piece_strings import texts
from tests.headline.test_clause_restrictions import headlines
from widl.headline.budget import Budget
from widl.headline.clause_expression import document_clauses
from widl.headline.denials import Denials
from widl.headline.expression import PhraseOptions
from widl.headline.fallback import beginning
from widl.headline.sentence_tree import SentenceTree
from widl.headline.words import sentences_of, words_of

PRICES = (
    "Acme/PROPN/nsubj>3 will/AUX/aux>3 {}/PART/advmod>3 raise/VERB/root>3 prices/NOUN/obj>3 of/ADP/case>6 "
    "phones/NOUN/nmod>4 with/ADP/case>9 folding/ADJ/amod>9 screens/NOUN/nmod>6"
)
SMOKING = (
    "Chile/PROPN/nsubj>1 {}/VERB/root>1 smoking/NOUN/obj>1 in/ADP/case>4 cars/NOUN/nmod>2 with/ADP/case>6 "
    "children/NOUN/nmod>4"
)
PLANS = (
    "Acme/PROPN/nsubj>1 had/VERB/root>1 {}/DET/det>3 plans/NOUN/obj>1 to/PART/mark>5 close/VERB/acl>3 "
    "branches/NOUN/obj>5 in/ADP/case>8 towns/NOUN/obl>5"
)
KNOWN = (
    "Smith/PROPN/nsubj>1 {}/VERB/root>1 that/SCONJ/mark>4 she/PRON/nsubj>4 knew/VERB/ccomp>1 about/ADP/case>7 "
    "the/DET/det>7 payments/NOUN/obl>4 before/ADP/case>10 the/DET/det>10 election/NOUN/nmod>7"
)
MOST = "Chile/PROPN/nsubj>1 lowered/VERB/root>1 {}/ADJ/amod>3 taxes/NOUN/obj>1 for/ADP/case>5 wood/NOUN/nmod>3"
ALL = (
    "Acme/PROPN/nsubj>1 recalled/VERB/root>1 {}/DET/det>3 cars/NOUN/obj>1 made/VERB/acl>3 in/ADP/case>6 "
    "Chile/PROPN/obl>4"
)
TRAINS = (
    "Trains/NOUN/nsubj>4 to/ADP/case>2 Turin/PROPN/nmod>0 {}/AUX/aux>4 run/VERB/root>4 on/ADP/case>6 Sunday/PROPN/obl>4"
)
CONDITION = (
    "Smith/PROPN/nsubj>2 {}/AUX/aux>2 miss/VERB/root>2 the/DET/det>4 race/NOUN/obj>2 {}/SCONJ/mark>7 "
    "doctors/NOUN/nsubj>7 operate/VERB/advcl>2 on/ADP/case>9 knee/NOUN/obl>7"
)
TOLD = (
    "Smith/PROPN/nsubj:pass>3 was/AUX/aux:pass>3 {}/PART/advmod>3 told/VERB/root>3 about/ADP/case>6 the/DET/det>6 "
    "raid/NOUN/obl>3 before/SCONJ/mark>9 it/PRON/nsubj>9 happened/VERB/advcl>3"
)
HURT = (
    "No/DET/det>1 driver/NOUN/nsubj:pass>4 {}/AUX/{}>4 been/AUX/aux:pass>4 hurt/VERB/root>4 when/ADV/advmod>8 "
    "a/DET/det>7 bus/NOUN/nsubj>8 {}/VERB/advcl>4"
)
CLAUSE = (
    "Acme/PROPN/nsubj>1 {}/VERB/root>1 software/NOUN/obj>1 that/PRON/nsubj>4 reads/VERB/acl:relcl>2 maps/NOUN/obj>4"
)


def said(text: str, words: int = 10) -> set[str]:
    """The headlines of a sentence that fit, from the first reading that has any."""
    clauses = document_clauses(sentences_of(parsed(text)), None, PhraseOptions(), Budget(words=words, bytes=0))
    found = {made for clause in clauses for made in texts(clause.piece)}
    return {made for made in found if len(made.split()) <= words}


@pytest.mark.parametrize(("adverb", "free"), [("not", False), ("never", False), ("also", True)])
def test_what_is_not_done_is_limited_by_all_that_stands_behind(adverb: str, free: bool) -> None:
    found = headlines(PRICES.format(adverb))
    assert any(text.endswith("with folding screens") for text in found)
    assert any("folding" not in text for text in found) == free


@pytest.mark.parametrize(
    ("auxiliary", "relation", "verb", "free"),
    [
        ("had", "aux:pass", "overturned", True),
        ("will", "aux", "overturned", False),
        ("had", "aux:pass", "overturns", False),
    ],
)
def test_when_something_was_restricts_no_denial(auxiliary: str, relation: str, verb: str, free: bool) -> None:
    found = headlines(HURT.format(auxiliary, relation, verb))
    assert any("bus" not in text for text in found) == free


@pytest.mark.parametrize(("verb", "free"), [("bans", False), ("forbids", False), ("sees", True)])
def test_what_is_banned_is_not_banned_everywhere(verb: str, free: bool) -> None:
    found = headlines(SMOKING.format(verb), tight=True)
    assert any(text.endswith("in cars with children") for text in found)
    assert any("children" not in text for text in found) == free


@pytest.mark.parametrize(("determiner", "free"), [("no", False), ("the", True)])
def test_no_plans_are_none_of_one_kind(determiner: str, free: bool) -> None:
    found = headlines(PLANS.format(determiner))
    assert any("towns" in text for text in found)
    assert any("towns" not in text for text in found) == free


@pytest.mark.parametrize(("verb", "free"), [("denied", False), ("admitted", True)])
def test_who_denies_it_of_one_time_may_not_deny_it_of_another(verb: str, free: bool) -> None:
    found = headlines(KNOWN.format(verb))
    assert any("election" in text for text in found)
    assert any("election" not in text for text in found) == free


def test_what_was_not_told_before_may_have_been_told_later() -> None:
    assert not any(text.endswith("raid") for text in headlines(TOLD.format("not")))
    assert any(text.endswith("raid") for text in headlines(TOLD.format("also")))


@pytest.mark.parametrize(("word", "free"), [("most", False), ("new", True)])
def test_most_of_one_kind_is_not_most_of_all(word: str, free: bool) -> None:
    found = headlines(MOST.format(word))
    assert any("wood" in text for text in found)
    assert any("wood" not in text for text in found) == free


@pytest.mark.parametrize(("word", "free"), [("all", False), ("some", True)])
def test_all_that_were_made_somewhere_are_not_all(word: str, free: bool) -> None:
    found = headlines(ALL.format(word))
    assert any("Chile" in text for text in found)
    assert any("Chile" not in text for text in found) == free


@pytest.mark.parametrize(("verb", "free"), [("will", False), ("did", True)])
def test_which_ones_will_do_it(verb: str, free: bool) -> None:
    found = headlines(TRAINS.format(verb))
    assert any("Turin" in text for text in found)
    assert any("Turin" not in text for text in found) == free


@pytest.mark.parametrize("mark", ["if", "unless"])
def test_what_will_be_on_a_condition_that_does_not_fit_may_be(mark: str) -> None:
    whole = said(CONDITION.format("will", mark))
    assert "Smith to miss race" not in whole
    assert all(text.endswith(f"{mark} doctors operate on knee") for text in whole)
    assert said(CONDITION.format("will", mark), words=6) == {"Smith may miss race"}
    assert said(CONDITION.format("could", mark), words=6) == {"Smith could miss race"}


@pytest.mark.parametrize(("modal", "mark"), [("will", "until"), ("should", "if"), ("would", "if")])
def test_not_of_a_time_or_of_what_should_be(modal: str, mark: str) -> None:
    assert not said(CONDITION.format(modal, mark), words=6)


def test_a_beginning_does_not_deny_more_than_the_text() -> None:
    text = PRICES.format("not").replace("Acme/PROPN/nsubj>3", "Acme/PROPN/dep>3")
    assert beginning(parsed(text), Budget(words=7, bytes=0)) == "Acme"
    assert beginning(parsed(text.replace("not/", "now/")), Budget(words=7, bytes=0)).endswith("phones")


def test_a_relative_clause_that_says_what_is_new() -> None:
    found = headlines(CLAUSE.format("sees"))
    assert {text.split("software")[1] for text in found} == {"", " that reads maps"}


def test_what_a_denial_covers() -> None:
    words = words_of(sentence(KNOWN.format("denied")))
    denials = Denials(SentenceTree(words))
    assert [denials.covers(i) for i in range(len(words))] == [i > 1 for i in range(len(words))]
    assert not any(Denials(SentenceTree(words_of(sentence(KNOWN.format("knew"))))).covers(i) for i in range(9))


def test_one_thing_that_was_made_before_is_not_of_a_kind() -> None:
    text = (
        "Smith/PROPN/nsubj>1 refused/VERB/root>1 to/PART/mark>3 retract/VERB/xcomp>1 {} made/VERB/acl>5 on/ADP/case>8 "
        "air/NOUN/obl>6"
    )
    assert "Smith refused to retract insult" in headlines(text.format("an/DET/det>5 insult/NOUN/obj>3"))
    assert "Smith refused to retract insults" not in headlines(text.format("big/ADJ/amod>5 insults/NOUN/obj>3"))
