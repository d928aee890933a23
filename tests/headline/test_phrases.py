"""Phrases from dependencies: by hand, and whatever the tree."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.headline.parses import sentence
from tests.headline.trees import reaches_root, sentences, trees
from widl.headline.parsing import Sentence
from widl.headline.phrases import SentencePhrases, positions
from widl.headline.speakers import with_speakers
from widl.headline.words import Word, words_of

COMPANY = (
    "Acme/PROPN/compound>1 Corp/PROPN/nsubj>5 </PUNCT/punct>3+ ACM/PROPN/appos>1+ >/PUNCT/punct>3 said/VERB/root>5 "
    "it/PRON/nsubj>8 will/AUX/aux>8 sell/VERB/ccomp>5 three/NUM/nummod>12 old/ADJ/amod>12 oil/NOUN/compound>12 "
    "wells/NOUN/obj>8 in/ADP/case>14 Peru/PROPN/nmod>12+ ./PUNCT/punct>5"
)
SPLIT = (
    "Directors/NOUN/nsubj>1 approved/VERB/root>1 the/DET/det>3 company/NOUN/nmod:poss>9+ 's/PART/case>3 "
    "two/NUM/nummod>8+ -/PUNCT/punct>5+ for/ADP/case>8+ -one/NUM/nummod>9 split/NOUN/obj>1"
)
REFUSAL = (
    "Iran/PROPN/nsubj>3 did/AUX/aux>3 not/PART/advmod>3 attack/VERB/root>3 Iraq/PROPN/obj>3 and/CCONJ/cc>6 "
    "Syria/PROPN/conj>4"
)


def texts(words: list[Word], **limits: int) -> set[str]:
    return {" ".join(words[i].text for i in positions(form)) for _, form in SentencePhrases(words, **limits)}


def test_verbs_objects_compounds_numbers_and_prepositional_phrases() -> None:
    found = texts(with_speakers(words_of(sentence(COMPANY))))
    assert {
        "three oil wells",  # compound and number always
        "three old oil wells",  # the adjective at will
        "three oil wells in Peru",
        "in Peru",
        "Peru",
        "sell three oil wells",
        "sell three old oil wells in Peru",
        "Acme sell three oil wells",  # the pronoun's verb has the speaker, without label and ticker
        "said",  # which has lost its subject
    } <= found
    assert not any("oil wells" not in text and "wells" in text for text in found)
    assert not any({"will", "it"} & set(text.split()) for text in found if " " in text)


def test_possessors_negation_and_coordination() -> None:
    found = texts(words_of(sentence(SPLIT)))
    assert {"directors approved two-for-one split", "company's two-for-one split", "two-for-one split"} <= found
    assert "split" not in found
    found = texts(words_of(sentence(REFUSAL)))
    assert {"Iran not attack Iraq", "not attack Iraq and Syria", "and Syria", "Iraq and Syria"} <= found
    assert not any("attack" in text and "not" not in text for text in found)


def test_company_labels_and_tickers_may_go() -> None:
    found = texts(words_of(sentence(COMPANY)), longest=3)
    assert {"Acme Corp <ACM>", "Acme", "Acme said"} <= found
    assert "Acme Corp said" in texts(words_of(sentence(COMPANY)))


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        (COMPANY, True),
        (COMPANY.replace("it/PRON", "Shell/PROPN"), False),  # somebody else sells
        (COMPANY.replace("Corp/PROPN", "They/PRON"), False),
        (COMPANY.replace("ccomp", "xcomp"), False),
    ],
)
def test_speakers(text: str, moved: bool) -> None:
    words = words_of(sentence(text))
    changed = with_speakers(words)
    assert [w.head for w in words] == [1, 3, 1, 3, 6, 6, 3, 10, 10, 10, 6, 12, 10]
    assert changed[1].head == (6 if moved else 3)
    assert [w for i, w in enumerate(changed) if i != 1] == [w for i, w in enumerate(words) if i != 1]


def test_a_speaker_behind_what_was_said_stays() -> None:
    """*It will sell wells, said Acme*: a phrase in the order of the text would be *sell wells Acme*."""
    words = words_of(
        sentence(
            "It/PRON/nsubj>2 will/AUX/aux>2 sell/VERB/ccomp>4 wells/NOUN/obj>2 said/VERB/root>4 Acme/PROPN/nsubj>4"
        )
    )
    assert with_speakers(words) == words


@pytest.mark.slow
@settings(max_examples=150)
@given(trees(), st.integers(1, 10), st.integers(0, 3), st.integers(1, 12))
def test_phrases_of_any_tree(words: list[Word], longest: int, depth: int, breadth: int) -> None:
    seen = set()
    for head, form in SentencePhrases(words, longest=longest, depth=depth, breadth=breadth):
        assert form not in seen
        seen.add(form)
        places = positions(form)
        assert 1 <= len(places) <= longest
        assert list(places) == sorted(set(places))
        assert places[-1] < len(words)
        assert sum(1 << i for i in places) == form
        # All hang on the head, by words that are there; only labels of companies may have gone.
        for i in places:
            above = i
            while above != head:
                above = words[above].head
                assert form >> above & 1 or words[above].key in {"<x>", "corp"}
    # Every word has its phrase, unless what always goes with it is too long.
    if longest == 10:
        for i, word in enumerate(words):
            assert any(form >> i & 1 for form in seen) or word.key in {"<x>", "corp"}


@pytest.mark.slow
@settings(max_examples=150)
@given(sentences())
def test_phrases_whatever_heads_the_parser_gives(tokens: Sentence) -> None:
    words = with_speakers(words_of(tokens))
    assert all(reaches_root(words, i) for i in range(len(words)))
    for _, form in SentencePhrases(words):
        assert 1 <= form.bit_count() <= 10
        assert positions(form)[-1] < len(words)


@pytest.mark.parametrize("relation", ["conj", "nmod", "compound", "amod", "list", "appos"])
@pytest.mark.parametrize("shape", ["flat", "chain", "comb"])
def test_lists_and_tables_take_no_time(shape: str, relation: str) -> None:
    """Seventy words that hang on the first, on the word before, or on every second one."""
    heads = {"flat": lambda i: 0, "chain": lambda i: max(0, i - 1), "comb": lambda i: max(0, i - 1 - i % 2)}[shape]
    words = [Word("w", "w", "w", "NOUN", heads(i), relation if i else "root") for i in range(70)]
    start = time.process_time()
    count = sum(1 for _ in SentencePhrases(words))
    assert time.process_time() - start < 20  # it is under one; what is exponential would not end
    assert count < 200_000
