"""Forms of verbs: base forms in spite of the lemmatizer, numbers of subjects."""

import pytest

from tests.headline.parses import sentence
from widl.headline.sentence_tree import SentenceTree
from widl.headline.verb_groups import base_form, is_plural
from widl.headline.words import Word, words_of


@pytest.mark.parametrize(
    ("form", "lemma", "base"),
    [
        ("agreed", "agre", "agree"),
        ("totalled", "totalle", "total"),
        ("called", "calle", "call"),
        ("loaned", "loane", "loan"),
        ("traded", "trad", "trade"),
        ("acquired", "acquir", "acquire"),
        ("quoted", "quote", "quote"),
        ("created", "creat", "create"),
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
        ("the/DET/det>1 Democrats/PROPN/nsubj>2 won/VERB/root>2", False),
    ],
)
def test_numbers_of_subjects(text: str, plural: bool) -> None:
    tree = SentenceTree(words_of(sentence(text)))
    subject = next(i for i, word in enumerate(tree.words) if word.relation == "nsubj")
    assert is_plural(tree, subject) is plural
