"""Words out of tokens: what stands between blanks, its dependency, its key."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import parsed, sentence
from tests.headline.trees import reaches_root, sentences
from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument, Sentence, Token, parse_documents
from widl.headline.words import TICKER, Word, bare, key_of, keys_of, sentences_of, words_of

TICKER_TOKENS = (
    "Ohio/PROPN/compound>1 Edison/PROPN/nsubj>5 </PUNCT/punct>3+ OEC/PROPN/appos>1+ >/PUNCT/punct>3 sees/VERB/root>5 "
    "gain/NOUN/obj>5+ ./PUNCT/punct>5"
)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ('"Yes,"', "Yes"),
        ("U.S.", "U.S."),
        ('"U.S.,"', "U.S."),
        ("(end.", "end"),
        ("fell.)", "fell"),
        ("Inc.", "Inc"),
        ("3.5", "3.5"),
        ("fell...", "fell"),
        ("3.5.", "3.5."),  # as U.S.: a stop inside keeps that at the end
        ("...", ""),
        ("--", ""),
        ("<OEC>,", "<OEC>"),
        ("company's", "company's"),
        ("two-for-one", "two-for-one"),
        ("-12", "12"),
        ("$5", "$5"),
        ("«Нет»", "Нет"),
        ("「警方」。", "警方"),
        ("", ""),
    ],
)
def test_bare(written: str, found: str) -> None:
    assert bare(written) == found


@pytest.mark.parametrize(
    ("word", "key"),
    [("<OEC>", TICKER), ("<BRK.A>", TICKER), ("<N/A>", TICKER), ("OEC", "oec"), ("<Acme Corp>", "<acme corp>")],
)
def test_key(word: str, key: str) -> None:
    assert key_of(word) == key


def test_keys_of_a_headline() -> None:
    assert keys_of('U.S. "WOULD" ... -- BUY (MORE) <OEC>.') == ["u.s.", "would", "buy", "more", "<x>"]


def test_tickers_quotes_and_full_stops() -> None:
    words = words_of(sentence(TICKER_TOKENS))
    assert [word.text for word in words] == ["Ohio", "Edison", "<OEC>", "sees", "gain"]
    assert [word.key for word in words] == ["ohio", "edison", "<x>", "sees", "gain"]
    assert [(word.head, word.relation) for word in words] == [
        (1, "compound"),
        (3, "nsubj"),
        (1, "appos"),
        (3, "root"),
        (3, "obj"),
    ]


@pytest.mark.parametrize(
    ("tokens", "words"),
    [
        # The head is that of the token whose own lies outside.
        (
            "the/DET/det>1 company/NOUN/nmod:poss>7+ 's/PART/case>1 two/NUM/nummod>7+ -/PUNCT/punct>3+ for/ADP/case>6+ "
            "-one/NUM/nmod>7 split/NOUN/root>7",
            [
                Word("the", "the", "the", "DET", 1, "det"),
                Word("company's", "company's", "company", "NOUN", 3, "nmod:poss"),
                Word("two-for-one", "two-for-one", "two-for-one", "NUM", 3, "nummod"),
                Word("split", "split", "split", "NOUN", 3, "root"),
            ],
        ),
        # Quotation marks and brackets go, the root may be among glued tokens.
        (
            '"/PUNCT/punct>1+ Rain/NOUN/root>1+ ,/PUNCT/punct>1+ "/PUNCT/punct>1 he/PRON/nsubj>5 said/VERB/parataxis>1 '
            "(/PUNCT/punct>7+ again/ADV/advmod>5+ )/PUNCT/punct>7",
            [
                Word("rain", "rain", "rain", "NOUN", 0, "root"),
                Word("he", "he", "he", "PRON", 2, "nsubj"),
                Word("said", "said", "say", "VERB", 0, "parataxis"),
                Word("again", "again", "again", "ADV", 2, "advmod"),
            ],
        ),
        # A word under punctuation hangs on what that hangs on.
        (
            "Talks/NOUN/nsubj>2 :/PUNCT/punct>2 failed/VERB/root>2 today/NOUN/obl>1",
            [
                Word("talks", "talks", "talk", "NOUN", 1, "nsubj"),
                Word("failed", "failed", "fail", "VERB", 1, "root"),
                Word("today", "today", "today", "NOUN", 1, "obl"),
            ],
        ),
        # Names keep their capital at the beginning, and abbreviations.
        (
            "Turkey/PROPN/nsubj>2 GNP/NOUN/nsubj>2 rose/VERB/root>2",
            [
                Word("Turkey", "turkey", "turkey", "PROPN", 2, "nsubj"),
                Word("GNP", "gnp", "gnp", "NOUN", 2, "nsubj"),
                Word("rose", "rose", "rise", "VERB", 2, "root"),
            ],
        ),
        ("--/PUNCT/root>0 ./PUNCT/punct>0", []),
    ],
)
def test_words_of_hard_tokens(tokens: str, words: list[Word]) -> None:
    assert [replace(word, opening="", closing="") for word in words_of(sentence(tokens))] == words


def test_punctuation_around_words() -> None:
    quoted = (
        '"/PUNCT/punct>1+ Rain/NOUN/root>1+ ,/PUNCT/punct>1+ "/PUNCT/punct>1 he/PRON/nsubj>5 said/VERB/parataxis>1 '
        "--/PUNCT/punct>1 twice/ADV/advmod>5+ ./PUNCT/punct>1"
    )
    words = words_of(sentence(quoted))
    assert [(word.opening, word.text, word.closing) for word in words] == [
        ('"', "rain", ',"'),
        ("", "he", ""),
        ("", "said", "--"),
        ("", "twice", "."),
    ]


def test_a_possessive_is_a_form_of_its_noun() -> None:
    words = words_of(sentence("OPEC/PROPN/nmod:poss>2+ 's/PART/case>0 output/NOUN/root>2"))
    assert [word.lemma for word in words] == ["opec", "output"]
    assert [word.text for word in words] == ["OPEC's", "output"]


@pytest.mark.parametrize(
    ("tokens", "lemma"),
    [
        ("Prices/NOUN/nsubj>2+ ,/PUNCT/punct>0 fell/VERB/root>2", "price"),
        ("</PUNCT/punct>1+ OEC/PROPN/root>1+ >/PUNCT/punct>1", "<oec>"),
        ("end/NOUN/compound>2+ -/PUNCT/punct>2+ May/PROPN/root>2", "end-may"),
        ("$/SYM/root>0+ 5/NUM/nummod>0", "$5"),
    ],
)
def test_lemmas_of_several_tokens(tokens: str, lemma: str) -> None:
    assert words_of(sentence(tokens))[0].lemma == lemma


def test_two_words_of_tokens_that_depend_on_each_other() -> None:
    """*ab* is under *cd* by its first token, *cd* under *ab* by its own; where the circle is cut, a root stands."""
    tokens = [("a", 2, True), ("b", 1, False), ("c", 1, True), ("d", 2, False)]
    crossed = tuple(Token(text, text, "X", head, "dep", not glued) for text, head, glued in tokens)
    words = words_of(crossed)
    assert [word.text for word in words] == ["ab", "cd"]
    assert all(reaches_root(words, i) for i in range(2))
    assert all((word.relation == "root") == (word.head == i) for i, word in enumerate(words))


@given(sentences())
def test_words_of_any_tokens_form_trees(tokens: Sentence) -> None:
    words = words_of(tokens)
    written = "".join(token.text + " " * token.space for token in tokens)
    whole = [word for word in map(bare, written.split()) if any(c.isalnum() for c in word)]
    assert [word.text.lower() for word in words] == [word.lower() for word in whole]
    assert [word.key for word in words] == list(map(key_of, (word.text for word in words)))
    for i, word in enumerate(words):
        assert 0 <= word.head < len(words)
        assert reaches_root(words, i)
        assert (word.relation == "root") >= (word.head == i)


@pytest.mark.slow
@given(st.lists(sentences(), max_size=4), st.integers(1, 6))
def test_long_sentences_are_cut(found: list[Sentence], longest: int) -> None:
    document = ParsedDocument(Document("1", ""), tuple(found))
    whole = [words for tokens in found if (words := words_of(tokens))]
    cut = sentences_of(document, longest=longest)
    assert [[word.text for word in words] for words in cut] == [
        [word.text for word in words[:longest]] for words in whole
    ]
    for words in cut:
        assert all(word.head < len(words) and reaches_root(words, i) for i, word in enumerate(words))
        assert all(word.relation == "root" for i, word in enumerate(words) if word.head == i)


def test_sentences_without_words_are_none() -> None:
    assert len(sentences_of(parsed("--/PUNCT/root>0", TICKER_TOKENS))) == 1




def test_the_article_of_a_rate_is_a_preposition() -> None:
    text = "Oil/NOUN/nsubj>1 costs/VERB/root>1 $9/NUM/obj>1 a/DET/det>4 barrel/NOUN/nmod>2"
    assert [word.relation for word in words_of(sentence(text))][3] == "case"
    text = "Nine/NUM/nummod>1 saw/VERB/root>1 a/DET/det>3 barrel/NOUN/obj>1"
    assert [word.relation for word in words_of(sentence(text))][2] == "det"


MISREAD = [
    ("The Norvik Bears on Monday activated point guard John Berg from the injured list.", "Bears", "activated"),
    ("At a hearing in Ghent, Judge Anna Berg green-lighted the outline, which was changed.", "Berg", "green-lighted"),
    ("According to The Net, Anna-Maria Holm and Peter Lund will co-produce a ballet.", "Holm", "co-produce"),
    (
        "For all the fuss over reported use of bribes by Paul Holm, John Berg and Mary Lund, "
        "major league chess probably won't punish them.",
        "chess",
        "punish",
    ),
    (
        "Crews of Norvik engineers are working on the jets at four airports in Chile, including Lima's Jorge and "
        "Callao hubs, Pedro Gomez, a spokesman for the carrier, said.",
        "Gomez",
        "said",
    ),
]


@pytest.mark.parametrize(("text", "subject", "verb"), MISREAD)
def test_a_subject_that_the_parser_hung_on_another_word_is_found(text: str, subject: str, verb: str) -> None:
    [parsed] = parse_documents([Document("1", text)])
    [words] = sentences_of(parsed)
    root = next(i for i, word in enumerate(words) if word.head == i)
    assert words[root].text == verb
    assert subject in [word.text for word in words if word.head == root and word.relation == "nsubj"]


def test_a_participle_of_a_subject() -> None:
    text = (
        "Norway/PROPN/nsubj>2 must/AUX/aux>2 pay/VERB/ccomp>7+ ,/PUNCT/punct>2 experts/NOUN/nsubj>5 "
        "meeting/VERB/advcl>2 Monday/PROPN/obl>5 said/VERB/root>7"
    )
    tokens = [replace(token, form={"meeting": "VBG", "said": "VBD"}.get(token.text, "")) for token in sentence(text)]
    words = words_of(tuple(tokens))
    assert [(word.text, word.relation) for word in words if word.head == 6] == [
        ("pay", "ccomp"),
        ("experts", "nsubj"),
        ("said", "root"),
    ]
    assert words[4].relation == "acl"
