"""Relation support: by hand, of whole sentences, and whatever the parse."""

from collections.abc import Iterable, Iterator

from hypothesis import given

from tests.headline.parses import parsed, sentence
from tests.headline.trees import sentences
from widl.headline.documents import Document
from widl.headline.headline_sentence import as_sentence
from widl.headline.parsing import ParsedDocument, Sentence
from widl.headline.support import support

REFUSAL = (
    "A/DET/det>1 court/NOUN/nsubj>2 refused/VERB/root>2 to/PART/mark>4 extradite/VERB/xcomp>2 a/DET/det>6 "
    "hacker/NOUN/obj>4 to/ADP/case>8 Norway/PROPN/obl>4"
)
CLOSED = (
    "The/DET/det>1 bridge/NOUN/nsubj:pass>3 was/AUX/aux:pass>3 closed/VERB/root>3 by/ADP/case>5 police/NOUN/obl:agent>3"
)
SPEAKER = (
    "Acme/PROPN/nsubj>1 said/VERB/root>1 it/PRON/nsubj>4 will/AUX/aux>4 sell/VERB/ccomp>1 a/DET/det>6 mine/NOUN/obj>4 "
    "and/CCONJ/cc>8 ships/NOUN/conj>6"
)
NEGATED = "Acme/PROPN/nsubj>3 did/AUX/aux>3 not/PART/advmod>3 sell/VERB/root>3 ships/NOUN/obj>3"


def supported(headline: str, *document: str) -> tuple[int, int]:
    """Support of a headline given as a parse."""
    parse = ParsedDocument(Document("headline", ""), (sentence(headline),))
    [counts] = support(["…"], [parsed(*document)], lambda _: [parse])
    return counts


def test_sides_of_a_verb() -> None:
    assert supported("court/NOUN/nsubj>1 extradites/VERB/root>1 hacker/NOUN/obj>1", REFUSAL)[1] == 2
    assert supported("court/NOUN/nsubj>1 extradite/VERB/root>1 hacker/NOUN/obj>1", REFUSAL) == (2, 2)
    assert supported("court/NOUN/nsubj>1 extradite/VERB/root>1 Norway/PROPN/obj>1", REFUSAL) == (1, 2)
    assert supported("hacker/NOUN/nsubj>1 extradite/VERB/root>1 court/NOUN/obj>1", REFUSAL) == (0, 2)


def test_active_and_passive_are_one() -> None:
    assert supported("police/NOUN/nsubj>1 closed/VERB/root>1 bridge/NOUN/obj>1", CLOSED) == (2, 2)
    assert supported("bridge/NOUN/nsubj>1 closed/VERB/root>1 police/NOUN/obj>1", CLOSED) == (0, 2)
    assert (
        supported("bridge/NOUN/nsubj:pass>1 closed/VERB/root>1 by/ADP/case>3 police/NOUN/obl:agent>1", CLOSED)[0] >= 2
    )


def test_the_speaker_and_members_of_a_list() -> None:
    assert supported("Acme/PROPN/nsubj>1 sell/VERB/root>1 ships/NOUN/obj>1", SPEAKER) == (2, 2)
    assert supported("mine/NOUN/nsubj>1 sell/VERB/root>1 ships/NOUN/obj>1", SPEAKER) == (1, 2)


def test_a_negation_counts() -> None:
    negated = "Acme/PROPN/nsubj>3 did/AUX/aux>3 not/PART/advmod>3 sell/VERB/root>3 ships/NOUN/obj>3"
    assert supported(negated, NEGATED) == (3, 3)
    assert supported(negated, SPEAKER) == (2, 3)


def test_prepositions() -> None:
    assert supported("hacker/NOUN/root>0 to/ADP/case>2 Norway/PROPN/nmod>0", REFUSAL) == (1, 1)
    assert supported("hacker/NOUN/root>0 from/ADP/case>2 Norway/PROPN/nmod>0", REFUSAL) == (0, 1)
    assert supported("police/NOUN/root>0 to/ADP/case>2 Norway/PROPN/nmod>0", REFUSAL) == (0, 1)


def test_a_phrase_may_belong_to_any_word_above() -> None:
    """The headline's parser may hang a phrase lower than the document's; what the phrase says has to be there."""
    document = "In/ADP/case>1 Norway/PROPN/obl>3 Acme/PROPN/nsubj>3 sold/VERB/root>3 ships/NOUN/obj>3"
    headline = "Acme/PROPN/nsubj>1 sold/VERB/root>1 ships/NOUN/obj>1 in/ADP/case>4 {}/PROPN/nmod>2"
    assert supported(headline.format("Norway"), document) == (3, 3)
    assert supported(headline.format("Sweden"), document) == (2, 3)


def test_participles_before_nouns_are_their_verbs() -> None:
    document = "Acme/PROPN/nsubj>1 announced/VERB/root>1 planned/VERB/amod>4 share/NOUN/compound>4 sales/NOUN/obj>1"
    assert supported("Acme/PROPN/nsubj>1 planned/VERB/root>1 sales/NOUN/obj>1", document) == (1, 2)
    falling = "Acme/PROPN/nsubj>1 announced/VERB/root>1 falling/VERB/amod>3 sales/NOUN/obj>1"
    assert supported("sales/NOUN/nsubj>1 falling/VERB/root>1", falling) == (1, 1)
    assert supported("Acme/PROPN/nsubj>1 falling/VERB/root>1", falling) == (0, 1)


def test_a_word_that_the_text_has_but_never_as_a_verb_is_none() -> None:
    document = "Acme/PROPN/nsubj>1 sold/VERB/root>1 ships/NOUN/obj>1"
    assert supported("Acme/PROPN/nsubj>1 ships/VERB/root>1 sold/NOUN/obj>1", document) == (0, 0)
    assert supported("Acme/PROPN/nsubj>1 bought/VERB/root>1 ships/NOUN/obj>1", document) == (0, 2)


def test_a_sum_of_money_stands_for_what_it_is_a_sum_of() -> None:
    document = "Acme/PROPN/nsubj>1 sold/VERB/root>1 two/NUM/nummod>3 dlrs/NOUN/obj>1 of/ADP/case>5 notes/NOUN/nmod>3"
    assert supported("Acme/PROPN/nsubj>1 sold/VERB/root>1 notes/NOUN/obj>1", document) == (2, 2)
    assert supported("Acme/PROPN/nsubj>1 sold/VERB/root>1 ships/NOUN/obj>1", document) == (1, 2)


def test_headlines_in_capitals_get_the_letters_of_the_text() -> None:
    document = parsed(SPEAKER)
    assert as_sentence("ACME TO SELL SHIPS", document) == "Acme to sell ships."
    assert as_sentence("Acme sells ships.", document) == "Acme sells ships."


def test_articles_and_auxiliaries_of_the_text_are_put_back() -> None:
    assert as_sentence("Court refuses to extradite hacker", parsed(REFUSAL)) == "A court refuses to extradite a hacker."
    assert as_sentence("Bridge closed by police", parsed(CLOSED)) == "The bridge was closed by police."
    assert as_sentence("Police closed bridge", parsed(CLOSED)) == "Police closed bridge."
    assert as_sentence("Bridge and court closed", parsed(CLOSED)) == "The bridge and court closed."
    assert as_sentence("", parsed(CLOSED)) == "."


def test_what_is_put_back_makes_nothing_true() -> None:
    assert as_sentence("Hacker refuses court", parsed(REFUSAL)) != "A hacker refuses a court."
    assert as_sentence("Hacker to court", parsed(REFUSAL)) == "A hacker to court."


@given(sentences())
def test_a_sentence_supports_itself(tokens: Sentence) -> None:
    """All relations that a sentence has as a headline it has as a document."""
    document = ParsedDocument(Document("1", ""), (tokens,))

    def parse(_: Iterable[Document]) -> Iterator[ParsedDocument]:
        yield document

    [(found, relations)] = support(["…"], [document], parse)
    assert found == relations
