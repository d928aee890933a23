"""Words made from tokens: text between spaces, dependency, key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import words
from tests.headline.trees import reaches_root, sentences
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of, words_of
from widl.headline.parsing import ParsedDocument, Sentence, Token
from widl.headline.speakers import ATTRIBUTION
from widl.headline.words import bare, keys_of


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
        ("3.5.", "3.5."),  # like U.S.: a period inside keeps the final period
        ("...", ""),
        ("--", ""),
        ("<OEC>,", "OEC"),
        ("company's", "company's"),
        ("two-for-one", "two-for-one"),
        ("-12", "-12"),
        ("--12", "12"),
        ("<5%,", "<5%"),
        ("<unk>,", "<unk>"),
        ("$5", "$5"),
        ("«Нет»", "Нет"),
        ("「警方」。", "警方"),
        ("", ""),
    ],
)
def test_bare(written: str, found: str) -> None:
    assert bare(written) == found


def test_keys_of_a_headline() -> None:
    assert keys_of('U.S. "WOULD" ... -- BUY (MORE) <OEC>.') == ["u.s.", "would", "buy", "more"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "The company's two-for-one split failed.",
            "the/det>1 company's/nmod:poss>3 two-for-one/nummod>3 split/nsubj>4 failed/root>4",
        ),
        ('"Rain," he said -- twice.', "rain/dep>2 he/nsubj>2 said/root>2 twice/advmod>2"),
        ("Turkey said GNP rose.", "Turkey/nsubj>1 said/root>1 GNP/nsubj>3 rose/ccomp>1"),
        ("--", ""),
    ],
)
def test_words_of_several_tokens(text: str, expected: str) -> None:
    """A word's head is its token's head outside the word; names keep capitals, quotation marks are dropped."""
    result = [f"{word.text}/{word.relation}>{word.head}" for sentence in words(text) for word in sentence]
    assert result == expected.split()


def test_punctuation_around_words() -> None:
    [result] = words('"Rain," he said -- twice.')
    assert [(word.opening, word.closing) for word in result] == [('"', ',"'), ("", ""), ("", "--"), ("", ".")]


@pytest.mark.parametrize(
    ("text", "lemma"), [("OPEC's output fell.", "opec"), ("Prices, fees fell.", "price"), ("$5 is little.", "$5")]
)
def test_lemmas_of_several_tokens(text: str, lemma: str) -> None:
    assert words(text)[0][0].lemma == lemma


def test_two_words_of_tokens_that_depend_on_each_other() -> None:
    """*ab* is under *cd* by its first token, *cd* under *ab* by its first; the cycle is broken with a root."""
    tokens = [("a", 2, True), ("b", 1, False), ("c", 1, True), ("d", 2, False)]
    crossed = tuple(Token(text, text, "X", head, "dep", not glued) for text, head, glued in tokens)
    result = words_of(crossed)
    assert [word.text for word in result] == ["ab", "cd"]
    assert all(reaches_root(result, i) for i in range(2))
    assert all((word.relation == "root") == (word.head == i) for i, word in enumerate(result))


@given(sentences())
def test_words_of_any_tokens_form_trees(tokens: Sentence) -> None:
    result = words_of(tokens)
    written = "".join(token.text + " " * token.space for token in tokens)
    whole = [word for word in map(bare, written.split()) if any(c.isalnum() for c in word)]
    assert [word.text.lower() for word in result if word.text not in "<>"] == [word.lower() for word in whole]
    assert [word.key for word in result] == [word.text.lower() for word in result]
    for i, word in enumerate(result):
        assert 0 <= word.head < len(result)
        assert reaches_root(result, i)
        assert (word.relation == "root") >= (word.head == i)


@pytest.mark.slow
@given(st.lists(sentences(), max_size=4), st.integers(1, 6))
def test_long_sentences_are_cut(found: list[Sentence], longest: int) -> None:
    document = ParsedDocument(Document("1", ""), tuple(found))
    whole = [result for tokens in found if (result := words_of(tokens))]
    cut = sentences_of(document, longest=longest)
    assert [[word.text for word in result] for result in cut] == [
        [word.text for word in result[:longest]] for result in whole
    ]
    for result in cut:
        assert all(word.head < len(result) and reaches_root(result, i) for i, word in enumerate(result))
        assert all(word.relation == "root" for i, word in enumerate(result) if word.head == i)


MISREAD = [
    ("Nokia, the world's biggest handset maker, unveiled on Wednesday a miniature phone.", "Nokia", "unveiled"),
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
        "working",
    ),
]


@pytest.mark.parametrize(("text", "subject", "verb"), MISREAD)
def test_a_subject_that_the_parser_hung_on_another_word_is_found(text: str, subject: str, verb: str) -> None:
    [result] = words(text)
    root = next(i for i, word in enumerate(result) if word.head == i)
    assert result[root].text == verb
    assert subject in [word.text for word in result if word.head == root and word.relation in {"nsubj", ATTRIBUTION}]


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("The owners of Class A stock met in Oslo.", [4]),
        ("An outbreak of hepatitis A has closed two schools.", [4]),
        ("Serie A leader Juventus lost on Monday.", [1]),
        ("A bank met a class of girls.", []),
        ("The class met. A girl lost.", []),
    ],
)
def test_the_letter_of_a_class_is_no_article(text: str, letters: list[int]) -> None:
    for sentence in words(text)[:1]:
        assert [i for i, word in enumerate(sentence) if word.text == "A" and not word.is_article] == letters
        assert all(sentence[i].head == i - 1 and sentence[i - 1].head != i for i in letters)
