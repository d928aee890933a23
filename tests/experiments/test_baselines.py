"""The baselines, on sentences parsed by the shipped parser."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.webcl import clusters
from widl.experiments.baselines import (
    BASELINES,
    Keyword,
    hedge_trimmer,
    keywords_headline,
    topiary,
    webcl,
)
from widl.experiments.hedge_trimmer import Tree
from widl.headline.casing import capital
from widl.headline.documents import Document
from widl.headline.length_options import LengthLimit
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument, Token, parse_documents
from widl.headline.punctuation import lead
from widl.headline.words import has_letters

TEN = LengthLimit(words=10)
EMPTY = ParsedDocument(Document("1", ""), ())

FIREWORKS = "Illegal fireworks injured hundreds of people and started six fires."
TURKEY = "Turkey sent 10,000 troops to the southeastern border on Sunday."
SHUTTLE = "The U.S. space shuttle Discovery returned home on Friday after a mission of nine days."
OFFICIALS = "Oil prices rose, officials said in Oslo."
MINISTER = "But after long talks, the minister will lower taxes on oil, coal and gas."
BANKS = "Banks cut rates in Oslo because demand fell to very low levels."
REPORTED = "Officials said that prices rose when demand grew."
SHELL = "Shell, the company that grew fast, closed plants making soap."
RAIN = "Rain fell and snow melted, he said."
ASKED = "Asked whether he had left, the minister smiled."


@cache
def parsed(*paragraphs: str) -> ParsedDocument:
    [result] = parse_documents([Document("1", "\n".join(paragraphs))])
    return result


@pytest.mark.parametrize(
    ("limit", "headline"),
    [
        (TEN, "illegal fireworks injured hundreds of people and started six fires"),
        (LengthLimit(words=3), "illegal fireworks injured"),
        (LengthLimit(words=0, bytes=20), "illegal fireworks"),
    ],
)
def test_lead(limit: LengthLimit, headline: str) -> None:
    assert lead(parsed(FIREWORKS, TURKEY), limit) == headline


def test_no_headline_ends_in_a_comma() -> None:
    assert lead(parsed(OFFICIALS), LengthLimit(words=3)) == "oil prices rose"
    assert hedge_trimmer(parsed(SHELL), [], LengthLimit(words=1)) == "Shell"


def test_lead_skips_what_has_no_words() -> None:
    assert lead(parsed("--", TURKEY), LengthLimit(words=2)) == "Turkey sent"


TRIMMED = [
    # Conjoined verb phrases: the authors' example. All ten words fit.
    (FIREWORKS, 10, "illegal fireworks injured hundreds of people and started six fires"),
    (FIREWORKS, 9, "illegal fireworks injured hundreds of people"),
    (FIREWORKS, 5, "illegal fireworks injured hundreds"),
    (FIREWORKS, 2, "illegal fireworks"),
    # Articles and time expressions are dropped in any case.
    (TURKEY, 10, "Turkey sent 10,000 troops to southeastern border"),
    (SHUTTLE, 10, "U.S. space shuttle Discovery returned home after mission"),
    ("The bank closed its branches last week.", 10, "bank closed its branches"),
    ("The bank closed its branches yesterday.", 10, "bank closed its branches"),
    ("The club lost its captain in May.", 10, "club lost its captain"),
    ("The firm has sold ships since 1982.", 10, "firm has sold ships"),
    ("The rain lasted for three weeks.", 10, "rain lasted"),
    ("Monday's rain flooded the valley.", 10, "rain flooded valley"),
    ("The man of the year won the prize.", 10, "man of year won prize"),
    # This is not enough: the time expression is restored, and the end is truncated.
    (TURKEY, 2, "Turkey sent"),
    # The clause to the left of "said", not one to the right, and no adverbial clause.
    (OFFICIALS, 10, "Oil prices rose"),
    (ASKED, 10, "Asked whether he had left, minister smiled"),
    (ASKED, 4, "minister smiled"),
    # Drops conjuncts from the right, then words before the subject, then the noun's prepositional phrase.
    (MINISTER, 15, "But after long talks, minister will lower taxes on oil, coal and gas"),
    (MINISTER, 12, "But after long talks, minister will lower taxes on oil, coal"),
    (MINISTER, 8, "minister will lower taxes on oil"),
    (MINISTER, 5, "minister will lower taxes"),
    # Prepositional phrases are restored if dropping them does not suffice and a clause is dropped; then they are
    # dropped again.
    (BANKS, 9, "Banks cut rates in Oslo because demand fell"),
    (BANKS, 5, "Banks cut rates in Oslo"),
    (BANKS, 4, "Banks cut rates"),
    # Reported speech is dropped last.
    (REPORTED, 7, "Officials said that prices rose"),
    (REPORTED, 4, "Officials said"),
    # Drops participles, and a conjunct that has a subject.
    (SHELL, 9, "Shell, company that grew fast, closed plants making soap"),
    (SHELL, 7, "Shell, company that grew fast, closed plants"),
    (RAIN, 7, "Rain fell and snow melted"),
    (RAIN, 3, "Rain fell"),
    # A possessive is not a prepositional phrase, although it has a case mark.
    ("Iran's exports fell.", 2, "Iran's exports"),
    # Without a verb, no verb can be lost.
    ("No comment from the bank.", 10, "No comment from bank"),
]


@pytest.mark.parametrize(("text", "words", "headline"), TRIMMED)
def test_hedge_trimmer(text: str, words: int, headline: str) -> None:
    assert capital(hedge_trimmer(parsed(text), [], LengthLimit(words=words))) == capital(headline)


KEYWORDS = [("Turkey", 0.4), ("Kurdish", 0.3), ("Turkish", 0.2), ("troop", 0.15), ("Syria", 0.1), ("New York", 0.05)]


def test_keywords() -> None:
    assert keywords_headline(EMPTY, KEYWORDS, LengthLimit(words=3)) == "Turkey Kurdish Turkish"
    assert keywords_headline(EMPTY, KEYWORDS, TEN) == "Turkey Kurdish Turkish troop Syria New York"
    assert keywords_headline(EMPTY, KEYWORDS[-2:], LengthLimit(words=0, bytes=13)) == "Syria"
    assert keywords_headline(EMPTY, KEYWORDS[::-1], LengthLimit(words=0, bytes=5)) == "Syria"  # the others are too long
    assert keywords_headline(EMPTY, [], TEN) == ""


def test_topiary() -> None:
    # The authors' example. "Turkey" and "troop(s)" are in the sentence.
    document = parsed(TURKEY)
    limit = LengthLimit(words=0, bytes=75)
    assert (
        topiary(document, KEYWORDS[:5], limit)
        == "Kurdish Turkish Syria: Turkey sent 10,000 troops to southeastern border"
    )
    assert topiary(document, KEYWORDS, TEN) == "Kurdish Turkish Syria: Turkey sent 10,000 troops to southeastern border"


@pytest.mark.parametrize(
    ("keywords", "limit", "headline"),
    [
        ([], TEN, "Turkey sent 10,000 troops to southeastern border"),
        ([("Turkey", 1.0)], TEN, "Turkey sent 10,000 troops to southeastern border"),
        ([("Kurdish", 1.0)], LengthLimit(words=1), "Turkey"),
        ([("Kurdish", 1.0)], LengthLimit(words=0, bytes=9), "Turkey"),
        ([("Kurdish", 1.0)], LengthLimit(words=0, bytes=15), "Kurdish: Turkey"),
        ([("Kurdish rebels", 1.0), ("Syria", 0.5)], LengthLimit(words=2), "Syria: Turkey"),
        ([("Kurdish rebels", 1.0)], LengthLimit(words=8), "Kurdish rebels: Turkey sent 10,000 troops"),
    ],
)
def test_topiary_without_room_or_topics(keywords: list[Keyword], limit: LengthLimit, headline: str) -> None:
    assert topiary(parsed(TURKEY), keywords, limit) == headline


def test_webcl() -> None:
    document = parsed(MINISTER, TURKEY)
    # minister|will ; taxes|on, oil|, ; 10,000|troops|to: function words at the ends are dropped.
    three = [("minister", 1.0), ("taxes", 0.9), ("troops", 0.8)]
    assert webcl(document, three, TEN) == "minister / lower taxes / 10,000 troops"
    # Bigrams that share a word make one cluster: taxes|on, on|oil.
    assert webcl(document, [("taxes", 1.0), ("oil", 1.0)], TEN) == "lower taxes on oil"
    # Adjacent bigrams without a common word stay separate.
    assert webcl(document, [("minister", 1.0), ("taxes", 0.5)], TEN) == "minister / lower taxes"
    # Only the first ten keywords count.
    many = [(f"none{number}", 1.0) for number in range(9)]
    assert webcl(document, [*many, ("troops", 0.1), ("minister", 0.1)], TEN) == "10,000 troops"
    assert webcl(document, [], TEN) == ""


def test_a_cluster_that_does_not_fit() -> None:
    document = parsed(MINISTER, TURKEY)
    # minister ; lower taxes on oil ; 10,000 troops: whole clusters, and a slash counts as a word.
    keywords = [("minister", 1.0), ("taxes", 1.0), ("oil", 1.0), ("troops", 1.0)]
    assert webcl(document, keywords, LengthLimit(words=6)) == "minister / lower taxes on oil"
    assert webcl(document, keywords, LengthLimit(words=5)) == "minister / 10,000 troops"
    assert webcl(document, keywords[1:], LengthLimit(words=3)) == "10,000 troops"
    assert webcl(document, keywords, LengthLimit(words=0, bytes=10)) == "minister"
    assert webcl(document, [("oil", 1.0), ("taxes", 1.0)], LengthLimit(words=3)) == ""


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.integers(1, 12))
def test_webcl_takes_whole_clusters(marked: list[bool], words: int) -> None:
    """Adds each cluster that fits after the earlier clusters and their slashes, and no other."""
    document, keywords = marked_words(marked)
    expected: list[str] = []
    for cluster in (" ".join(f"{'best' if marked[i] else 'word'}{i}" for i in item) for item in clusters(marked)):
        if len(" / ".join([*expected, cluster]).split()) <= words:
            expected.append(cluster)
    assert webcl(document, keywords, LengthLimit(words=words)) == " / ".join(expected)


@given(st.lists(st.booleans(), min_size=1, max_size=20))
def test_webcl_joins_overlapping_bigrams(marked: list[bool]) -> None:
    document, keywords = marked_words(marked)
    headline = webcl(document, keywords, LengthLimit(words=0))
    groups = [[int(word[4:]) for word in cluster.split()] for cluster in headline.split(" / ") if cluster]
    assert groups == clusters(marked)


def marked_words(marked: list[bool]) -> tuple[ParsedDocument, list[Keyword]]:
    """A document with one word per position, and a keyword for each marked word."""
    words = [f"{'best' if mark else 'word'}{place}" for place, mark in enumerate(marked)]
    tokens = tuple(Token(word, word, "NOUN", 0, "dep", True) for word in words)
    return ParsedDocument(Document("1", "x"), (tokens,)), [(" ".join(w for w in words if w.startswith("best")), 1.0)]


def test_webcl_looks_at_fifty_words_only() -> None:
    filler = "Old men slept."
    near, far = parsed(*[filler] * 16, TURKEY), parsed(*[filler] * 17, TURKEY)
    assert webcl(near, [("Turkey", 1.0)], TEN) == "Turkey sent"
    assert webcl(far, [("Turkey", 1.0)], TEN) == ""


def test_webcl_does_not_repeat_a_cluster() -> None:
    assert webcl(parsed(TURKEY, TURKEY), [("Turkey", 1.0)], TEN) == "Turkey sent"


@pytest.mark.parametrize("document", [EMPTY, parsed("?")])
def test_documents_without_words(document: ParsedDocument) -> None:
    assert lead(document, TEN) == hedge_trimmer(document, [], TEN) == topiary(document, KEYWORDS, TEN) == ""
    assert webcl(document, KEYWORDS, TEN) == ""


def test_one_word() -> None:
    document = parsed("Rain")
    assert lead(document, TEN) == hedge_trimmer(document, [], TEN) == topiary(document, [], TEN) == "rain"
    assert webcl(document, [("rain", 1.0)], TEN) == "rain"


def test_a_very_long_sentence() -> None:
    """Parsing an endless sentence takes bounded time; a sentence has at most seventy words."""
    tokens = [Token("Rain", "rain", "NOUN", 0, "root", True)]
    for position in range(2, 2001, 2):
        tokens.append(Token("the", "the", "DET", position, "det", True))
        tokens.append(Token("of", "of", "ADP", position - 2, "nmod", True))
    document = ParsedDocument(Document("1", "x"), (tuple(tokens),))
    assert hedge_trimmer(document, [], LengthLimit(words=3)) == "rain of of"
    assert len(webcl(document, [("rain", 1.0)], TEN).split()) == 1


RELATIONS = (
    "nsubj obj obl nmod nmod:poss obl:unmarked case det amod compound punct conj cc advcl acl acl:relcl ccomp xcomp "
    "mark appos parataxis advmod aux cop"
).split()
WORDS = ["Rain", "fell", "in", "May", "the", ",", "-", "'s", "1987", "yesterday", '"', "(", ")", "said", ".", "é"]


@st.composite
def documents(draw: st.DrawFn) -> ParsedDocument:
    sentences = []
    for _ in range(draw(st.integers(0, 3))):
        size = draw(st.integers(1, 14))
        order = draw(st.permutations(range(size)))
        heads = [order[0]] * size
        for place in range(1, size):
            heads[order[place]] = order[draw(st.integers(0, place - 1))]
        tokens = []
        for position in range(size):
            word = draw(st.sampled_from(WORDS))
            relation = "root" if heads[position] == position else draw(st.sampled_from(RELATIONS))
            tag = draw(st.sampled_from(["NOUN", "VERB", "ADP", "DET", "PUNCT", "NUM", "PROPN"]))
            tokens.append(Token(word, word.lower(), tag, heads[position], relation, draw(st.booleans())))
        sentences.append(tuple(tokens))
    return ParsedDocument(Document("1", "x"), tuple(sentences))


@pytest.mark.slow
@given(
    documents(),
    st.lists(st.tuples(st.sampled_from(["Rain", "fell in", "May", "Oslo", "é", " ", ""]), st.just(1.0)), max_size=12),
    st.builds(LengthLimit, words=st.integers(0, 6), bytes=st.integers(0, 25)),
)
def test_no_baseline_goes_over_the_limit(document: ParsedDocument, keywords: list[Keyword], limit: LengthLimit) -> None:
    for headline in (
        lead(document, limit),
        *(system(document, keywords, limit) for system in BASELINES.values()),
    ):
        said = [word for word in headline.split() if has_letters(word)]  # a dash between two words is not a word
        assert replace(limit, bytes=0).fits(said)
        assert len(headline.encode()) <= (limit.bytes or len(headline.encode()))
        assert headline == " ".join(headline.split())


@pytest.mark.slow
@given(documents(), st.data())
def test_which_part_is_the_last(document: ParsedDocument, data: st.DataObject) -> None:
    def steps(tree: Tree, token: int) -> int:
        head = tree.sentence[token].head
        return 0 if head == token else 1 + steps(tree, head)

    for words in sentences_of(document):
        tree = Tree(words)
        below = tree.subtree(tree.root)
        tree.kept = data.draw(st.sets(st.sampled_from(sorted(below)), min_size=1))
        expected = max(tree.kept, key=lambda token: (max(tree.subtree(token)), steps(tree, token)))
        assert tree.last(tree.kept) == expected
