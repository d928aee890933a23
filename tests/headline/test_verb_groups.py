"""Forms of verbs: base forms in spite of the lemmatizer, numbers of subjects."""

import pytest

from tests.headline.parses import sentence
from tests.headline.piece_strings import texts
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_groups import VerbGroups, base_form, is_plural
from widl.headline.words import Word, words_of


@pytest.mark.parametrize(
    ("form", "lemma", "base"),
    [
        ("agreed", "agre", "agree"),
        ("totalled", "totalle", "total"),
        ("called", "calle", "call"),
        ("recalled", "recall", "recall"),
        ("installed", "instal", "install"),
        ("cancelled", "cancel", "cancel"),
        ("controlled", "controll", "control"),
        ("fuelled", "fuel", "fuel"),
        ("loaned", "loane", "loan"),
        ("traded", "trad", "trade"),
        ("acquired", "acquir", "acquire"),
        ("quoted", "quote", "quote"),
        ("created", "creat", "create"),
        ("recreated", "recreat", "recreate"),
        ("guided", "guide", "guide"),
        ("hoped", "hop", "hope"),
        ("hopped", "hop", "hop"),
        ("passed", "passe", "pass"),
        ("carried", "carry", "carry"),
        ("planned", "plan", "plan"),
        ("visited", "visit", "visit"),
        ("formalised", "formalis", "formalise"),
        ("tumbled", "tumbl", "tumble"),
        ("sold", "sell", "sell"),
        ("jumped", "leap", None),
        ("rose", "x", None),
    ],
)
def test_base_forms(form: str, lemma: str, base: str | None) -> None:
    assert base_form(Word(form, form, lemma, "VERB", 0, "root")) == base


@pytest.mark.parametrize(
    ("text", "plural"),
    [
        ("Prices/NOUN/nsubj>1 rose/VERB/root>1", True),
        ("Congress/NOUN/nsubj>1 met/VERB/root>1", False),
        ("Police/NOUN/nsubj>1 came/VERB/root>1", True),
        ("Acme/PROPN/compound>2 Industries/PROPN/compound>2 Inc/PROPN/nsubj>3 rose/VERB/root>3", False),
        ("Acme/PROPN/nsubj>3 and/CCONJ/cc>2 Borealis/PROPN/conj>0 rose/VERB/root>3", True),
        ("Acme/PROPN/nsubj>3 or/CCONJ/cc>2 Borealis/PROPN/conj>0 rose/VERB/root>3", False),
        ("the/DET/det>1 Democrats/PROPN/nsubj>2 won/VERB/root>2", True),
    ],
)
def test_numbers_of_subjects(text: str, plural: bool) -> None:
    tree = SentenceTree(words_of(sentence(text)))
    subject = next(i for i, word in enumerate(tree.words) if word.relation == "nsubj")
    assert is_plural(tree, subject) is plural


def test_a_past_that_says_when_or_shares_its_object_stays() -> None:
    ago = "Acme/PROPN/nsubj>1 vanished/VERB/root>1 ten/NUM/nummod>3 years/NOUN/obl:unmarked>4 ago/ADV/advmod>1"
    shared = "Floods/NOUN/nsubj>1 killed/VERB/root>1 or/CCONJ/cc>3 wounded/VERB/conj>1 cows/NOUN/obj>3"
    alone = "Floods/NOUN/nsubj>1 killed/VERB/root>1 cows/NOUN/obj>1"
    forms = []
    for text in (ago, shared, alone):
        tree = SentenceTree(words_of(sentence(text)))
        forms.append(texts(VerbGroups(tree, None, present_tense=True).form(1, True)))
    assert forms == [{"vanished"}, {"killed"}, {"kill"}]


def test_a_team_is_plural_and_a_country_is_not() -> None:
    for name, plural in (("Tigers", True), ("Netherlands", False)):
        tree = SentenceTree(words_of(sentence(f"The/DET/det>1 {name}/PROPN/nsubj>2 won/VERB/root>2")))
        assert is_plural(tree, 1) == plural
