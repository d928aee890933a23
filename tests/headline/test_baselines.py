"""The baselines, on documents parsed by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import parsed, sentence
from tests.reference.webcl import clusters
from widl.headline.baselines import Keyword, hedge_trimmer, keywords_headline, lead, topiary, webcl, webcl_full
from widl.headline.budget import Budget
from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument, Token
from widl.headline.trimming import Tree, chosen_clause, is_time_expression

TEN = Budget(words=10)

FIREWORKS = (
    "Illegal/ADJ/amod>1 fireworks/NOUN/nsubj>2 injured/VERB/root>2 hundreds/NOUN/obj>2 of/ADP/case>5 "
    "people/NOUN/nmod>3 and/CCONJ/cc>7 started/VERB/conj>2 six/NUM/nummod>9 fires/NOUN/obj>7+ ./PUNCT/punct>2"
)
TURKEY = (
    "Turkey/PROPN/nsubj>1 sent/VERB/root>1 10,000/NUM/nummod>3 troops/NOUN/obj>1 to/ADP/case>7 the/DET/det>7 "
    "southeastern/ADJ/amod>7 border/NOUN/obl>1 on/ADP/case>9 Sunday/PROPN/obl>1+ ./PUNCT/punct>1"
)
SHUTTLE = (
    "The/DET/det>4 U.S./PROPN/compound>4 space/NOUN/compound>3 shuttle/NOUN/compound>4 Discovery/PROPN/nsubj>5 "
    "returned/VERB/root>5 home/ADV/advmod>5 Friday/PROPN/obl:unmarked>5 after/ADP/case>10 a/DET/det>10 "
    "mission/NOUN/obl>5 of/ADP/case>13 nine/NUM/nummod>13 days/NOUN/nmod>10+ ./PUNCT/punct>5"
)
OFFICIALS = (
    "Oil/NOUN/compound>1 prices/NOUN/nsubj>2 rose/VERB/ccomp>5+ ,/PUNCT/punct>2 officials/NOUN/nsubj>5 "
    "said/VERB/root>5 in/ADP/case>7 Oslo/PROPN/obl>5+ ./PUNCT/punct>5"
)
MINISTER = (
    "But/CCONJ/cc>8 after/ADP/case>3 long/ADJ/amod>3 talks/NOUN/obl>8+ ,/PUNCT/punct>8 the/DET/det>6 "
    "minister/NOUN/nsubj>8 will/AUX/aux>8 lower/VERB/root>8 taxes/NOUN/obj>8 on/ADP/case>11 oil/NOUN/nmod>9+ "
    ",/PUNCT/punct>13 coal/NOUN/conj>11 and/CCONJ/cc>15 gas/NOUN/conj>11+ ./PUNCT/punct>8"
)


@pytest.mark.parametrize(
    ("budget", "headline"),
    [
        (TEN, "Illegal fireworks injured hundreds of people and started six fires"),
        (Budget(words=3), "Illegal fireworks injured"),
        (Budget(words=0, bytes=20), "Illegal fireworks"),
    ],
)
def test_lead(budget: Budget, headline: str) -> None:
    assert lead(parsed(FIREWORKS, TURKEY), budget) == headline


def test_no_headline_ends_in_a_comma() -> None:
    assert lead(parsed(OFFICIALS), Budget(words=3)) == "Oil prices rose"
    assert hedge_trimmer(parsed(PHRASES[0][0]), Budget(words=1)) == "Shell"
    assert hedge_trimmer(parsed("Oil/NOUN/root>0+ ,/PUNCT/punct>2 gas/NOUN/dep>0"), Budget(words=1)) == "Oil"


def test_lead_skips_what_has_no_words() -> None:
    assert lead(parsed("--/PUNCT/root>0", TURKEY), Budget(words=2)) == "Turkey sent"


@pytest.mark.parametrize(
    ("text", "budget", "headline"),
    [
        # Conjoined verb phrases: the authors' example. At ten words nothing has to go.
        (FIREWORKS, TEN, "Illegal fireworks injured hundreds of people and started six fires"),
        (FIREWORKS, Budget(words=9), "Illegal fireworks injured hundreds of people"),
        (FIREWORKS, Budget(words=5), "Illegal fireworks injured hundreds"),
        (FIREWORKS, Budget(words=2), "Illegal fireworks"),
        # Articles and time expressions go in any case.
        (TURKEY, TEN, "Turkey sent 10,000 troops to southeastern border"),
        (SHUTTLE, TEN, "U.S. space shuttle Discovery returned home after mission"),
        # The prepositional phrase is enough.
        (SHUTTLE, Budget(words=7), "U.S. space shuttle Discovery returned home"),
        # It isn't: it comes back, and the end is cut off.
        (TURKEY, Budget(words=2), "Turkey sent"),
        # The clause to the left of "said".
        (OFFICIALS, TEN, "Oil prices rose"),
        (MINISTER, Budget(words=15), "But after long talks, minister will lower taxes on oil, coal and gas"),
        # Conjuncts from the right, then the noun's prepositional phrase.
        (MINISTER, Budget(words=11), "But after long talks, minister will lower taxes on oil, coal"),
        (MINISTER, Budget(words=10), "But after long talks, minister will lower taxes on oil"),
        (MINISTER, Budget(words=8), "But after long talks, minister will lower taxes"),
        # Preposed adjuncts: all that is before the subject.
        (MINISTER, Budget(words=7), "minister will lower taxes"),
    ],
)
def test_hedge_trimmer(text: str, budget: Budget, headline: str) -> None:
    assert hedge_trimmer(parsed(text), budget) == headline


WARNED = (
    "Banks/NOUN/nsubj>1 cut/VERB/root>1 rates/NOUN/obj>1 in/ADP/case>4 Oslo/PROPN/obl>1 because/SCONJ/mark>7 "
    "demand/NOUN/nsubj>7 fell/VERB/advcl>1 to/ADP/case>11 very/ADV/advmod>10 low/ADJ/amod>11 levels/NOUN/obl>7+ "
    "./PUNCT/punct>1"
)


@pytest.mark.parametrize(
    ("words", "headline"),
    [
        (9, "Banks cut rates in Oslo because demand fell"),  # the last prepositional phrase is enough
        (5, "Banks cut rates in Oslo"),  # prepositional phrases aren't: they come back, and the clause goes
        (4, "Banks cut rates"),  # then prepositional phrases again
    ],
)
def test_prepositional_phrases_come_back_when_they_do_not_suffice(words: int, headline: str) -> None:
    assert hedge_trimmer(parsed(WARNED), Budget(words=words)) == headline


REPORTED = (
    "Officials/NOUN/nsubj>1 said/VERB/root>1 that/SCONJ/mark>4 prices/NOUN/nsubj>4 rose/VERB/ccomp>1 "
    "when/SCONJ/mark>7 demand/NOUN/nsubj>7 grew/VERB/advcl>4"
)


def test_what_was_said_goes_last() -> None:
    assert hedge_trimmer(parsed(REPORTED), Budget(words=7)) == "Officials said that prices rose"
    assert hedge_trimmer(parsed(REPORTED), Budget(words=4)) == "Officials said"


PHRASES = [
    # Relative clause, apposition with its commas, participle.
    (
        "Shell/PROPN/nsubj>8+ ,/PUNCT/punct>3 the/DET/det>3 company/NOUN/appos>0 that/PRON/nsubj>5 "
        "grew/VERB/acl:relcl>3 fast/ADV/advmod>5+ ,/PUNCT/punct>8 closed/VERB/root>8 "
        "plants/NOUN/obj>8 making/VERB/acl>9 soap/NOUN/obj>10",
        ["Shell, company that grew fast, closed plants making soap", "Shell, company that grew fast, closed plants",
         "Shell, company, closed plants", "Shell closed plants"],
        [9, 7, 4, 3],
    ),
    # A clause beside it, and a conjunct with a subject of its own.
    (
        "Rain/NOUN/nsubj>1 fell/VERB/root>1 and/CCONJ/cc>4 snow/NOUN/nsubj>4 melted/VERB/conj>1+ ,/PUNCT/punct>7 "
        "he/PRON/nsubj>7 said/VERB/parataxis>1",
        ["Rain fell and snow melted, he said", "Rain fell and snow melted", "Rain fell"],
        [7, 6, 4],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words", "headline"),
    [(text, words, headline) for text, rows, sizes in PHRASES for headline, words in zip(rows, sizes, strict=True)],
)
def test_double_phrases(text: str, words: int, headline: str) -> None:
    assert hedge_trimmer(parsed(text), Budget(words=words)) == headline


OTHERS = [
    # A possessive is no prepositional phrase, although it has a case mark.
    ("Iran/PROPN/nmod:poss>2+ 's/PART/case>0 exports/NOUN/nsubj>3 fell/VERB/root>3", 2, "Iran's exports"),
    # This "A" is no article.
    (
        "Rent/VERB/compound>4+ -/PUNCT/punct>4+ A/DET/det>4+ -/PUNCT/punct>4+ Car/NOUN/nsubj>5 grew/VERB/root>5",
        5,
        "Rent-A-Car grew",
    ),
    # Auxiliaries and "never" stay in front of the subject.
    (
        "In/ADP/case>1 Oslo/PROPN/obl>5 never/ADV/advmod>5 will/AUX/aux>5 men/NOUN/nsubj>5 pay/VERB/root>5",
        5,
        "never will men pay",
    ),
    # A comma stays when it sets off what is left.
    (
        "But/CCONJ/cc>5+ ,/PUNCT/punct>5 on/ADP/case>3 Monday/PROPN/obl>5 men/NOUN/nsubj>5 left/VERB/root>5",
        9,
        "But, men left",
    ),
]


@pytest.mark.parametrize(("text", "words", "headline"), OTHERS)
def test_what_stays(text: str, words: int, headline: str) -> None:
    assert hedge_trimmer(parsed(text), Budget(words=words)) == headline


@pytest.mark.parametrize(
    ("text", "token", "expected"),
    [
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 yesterday/NOUN/obl:unmarked>1", 2, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 today/ADV/advmod>1", 2, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 last/ADJ/amod>3 week/NOUN/obl:unmarked>1", 3, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 in/ADP/case>3 May/PROPN/obl>1", 3, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 on/ADP/case>4 May/PROPN/nmod:unmarked>4 16/NUM/obl>1", 4, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 since/ADP/case>3 1982/NUM/obl>1", 3, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 for/ADP/case>4 three/NUM/nummod>4 weeks/NOUN/obl>1", 4, True),
        ("Monday/PROPN/nmod:poss>2+ 's/PART/case>0 rain/NOUN/nsubj>3 fell/VERB/root>3", 0, True),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 in/ADP/case>3 Oslo/PROPN/obl>1", 3, False),
        ("man/NOUN/nsubj>3 of/ADP/case>2 year/NOUN/nmod>0 won/VERB/root>3", 2, False),
        ("It/PRON/nsubj>2 may/AUX/aux>2 rain/VERB/root>2", 1, False),
        ("Today/NOUN/nsubj>1 came/VERB/root>1", 0, False),
        ("Rain/NOUN/nsubj>1 fell/VERB/root>1 with/ADP/case>3 July/PROPN/obl>1", 3, False),
        ("He/PRON/nsubj>1 has/VERB/root>1 at/ADP/case>3 250/NUM/obl>1", 3, False),
    ],
)
def test_time_expressions(text: str, token: int, expected: bool) -> None:
    assert is_time_expression(Tree(sentence(text)), token) is expected


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        (FIREWORKS, 2),
        (OFFICIALS, 2),
        ("He/PRON/nsubj>1 said/VERB/root>1 prices/NOUN/nsubj>3 rose/VERB/ccomp>1", 1),  # to the right
        ("Asked/VERB/advcl>3 if/SCONJ/mark>0 he/PRON/nsubj>3 left/VERB/root>3", 3),  # an adverbial clause
        ("Rising/VERB/ccomp>1 said/VERB/root>1", 1),  # no subject
        ("He/PRON/nsubj>1 ill/ADJ/amod>2 men/NOUN/ccomp>3 said/VERB/root>3", 2),  # one further down
        ("One/NUM/nsubj>1 left/VERB/ccomp>3 he/PRON/nsubj>3 said/VERB/ccomp>5 she/PRON/nsubj>5 wrote/VERB/root>5", 1),
        ("No/DET/det>1 comment/NOUN/root>1", 1),
    ],
)
def test_chosen_clause(text: str, clause: int) -> None:
    assert chosen_clause(Tree(sentence(text))) == clause


KEYWORDS = [("Turkey", 0.4), ("Kurdish", 0.3), ("Turkish", 0.2), ("troop", 0.15), ("Syria", 0.1), ("New York", 0.05)]


def test_keywords() -> None:
    assert keywords_headline(KEYWORDS, Budget(words=3)) == "Turkey Kurdish Turkish"
    assert keywords_headline(KEYWORDS, TEN) == "Turkey Kurdish Turkish troop Syria New York"
    assert keywords_headline(KEYWORDS[-2:], Budget(words=0, bytes=13)) == "Syria"
    assert keywords_headline(KEYWORDS[::-1], Budget(words=0, bytes=5)) == "Syria"  # what is too long is passed over
    assert keywords_headline([], TEN) == ""


def test_topiary() -> None:
    # The authors' example. "Turkey" and "troop(s)" are in the sentence.
    document = parsed(TURKEY)
    budget = Budget(words=0, bytes=75)
    assert (
        topiary(document, KEYWORDS[:5], budget)
        == "Kurdish Turkish Syria: Turkey sent 10,000 troops to southeastern border"
    )
    assert topiary(document, KEYWORDS, TEN) == "Kurdish Turkish Syria: Turkey sent 10,000 troops to southeastern border"
    # The sentence is trimmed for the best topic that it lacks; at seven words no second one fits.
    topics = [("home", 1.0), ("crew", 0.5), ("Houston", 0.4)]
    trimmed = "U.S. space shuttle Discovery returned home"
    assert topiary(parsed(SHUTTLE), topics, Budget(words=7)) == f"crew: {trimmed}"
    assert topiary(parsed(SHUTTLE), topics, Budget(words=8)) == f"crew Houston: {trimmed}"


@pytest.mark.parametrize(
    ("keywords", "budget", "headline"),
    [
        ([], TEN, "Turkey sent 10,000 troops to southeastern border"),
        ([("Turkey", 1.0)], TEN, "Turkey sent 10,000 troops to southeastern border"),
        ([("Kurdish", 1.0)], Budget(words=1), "Turkey"),
        ([("Kurdish", 1.0)], Budget(words=0, bytes=9), "Turkey"),
        ([("Kurdish", 1.0)], Budget(words=0, bytes=15), "Kurdish: Turkey"),
        ([("Kurdish rebels", 1.0), ("Syria", 0.5)], Budget(words=2), "Syria: Turkey"),
        ([("Kurdish rebels", 1.0)], Budget(words=8), "Kurdish rebels: Turkey sent 10,000 troops"),
    ],
)
def test_topiary_without_room_or_topics(keywords: list[Keyword], budget: Budget, headline: str) -> None:
    assert topiary(parsed(TURKEY), keywords, budget) == headline


def test_webcl() -> None:
    document = parsed(MINISTER, TURKEY)
    # minister|will ; taxes|on, oil|, ; 10,000|troops|to: function words at the ends go.
    three = [("minister", 1.0), ("tax", 0.9), ("troops", 0.8)]
    assert webcl(document, three, TEN) == "minister / lower taxes / 10,000 troops"
    assert webcl_full(document, three, TEN) == "minister; lower taxes; 10,000 troops"
    # Bigrams that share a word make one cluster: taxes|on, on|oil.
    assert webcl(document, [("taxes", 1.0), ("oil", 1.0)], TEN) == "lower taxes on oil"
    # Side by side without a common word they stay apart.
    assert webcl(document, [("minister", 1.0), ("taxes", 0.5)], TEN) == "minister / lower taxes"
    # Only the first ten keywords count.
    many = [(f"none{number}", 1.0) for number in range(9)]
    assert webcl(document, [*many, ("troops", 0.1), ("minister", 0.1)], TEN) == "10,000 troops"
    assert webcl(document, [], TEN) == webcl_full(document, [], TEN) == ""


def test_a_cluster_that_does_not_fit() -> None:
    document = parsed(MINISTER, TURKEY)
    # minister ; lower taxes on oil ; 10,000 troops: whole clusters, and a slash is a word.
    keywords = [("minister", 1.0), ("taxes", 1.0), ("oil", 1.0), ("troops", 1.0)]
    assert webcl(document, keywords, Budget(words=6)) == "minister / lower taxes on oil"
    assert webcl(document, keywords, Budget(words=5)) == "minister / 10,000 troops"
    assert webcl(document, keywords[1:], Budget(words=3)) == "10,000 troops"
    assert webcl(document, keywords, Budget(words=0, bytes=10)) == "minister"
    assert webcl(document, [("oil", 1.0), ("taxes", 1.0)], Budget(words=3)) == "lower taxes"
    # Cut clusters, and semicolons that cost nothing.
    assert webcl_full(document, keywords, Budget(words=6)) == "minister; lower taxes on oil; 10,000"
    assert webcl_full(document, keywords[1:], Budget(words=3)) == "lower taxes; 10,000"


@given(st.lists(st.booleans(), min_size=1, max_size=20), st.integers(1, 12))
def test_webcl_takes_whole_clusters(marked: list[bool], words: int) -> None:
    """Each cluster that fits beside those before it and their slashes, and no other."""
    document, keywords = marked_words(marked)
    expected: list[str] = []
    for cluster in (" ".join(f"{'best' if marked[i] else 'word'}{i}" for i in one) for one in clusters(marked)):
        if len(" / ".join([*expected, cluster]).split()) <= words:
            expected.append(cluster)
    cut = webcl_full(document, keywords, Budget(words=words))
    assert webcl(document, keywords, Budget(words=words)) == (" / ".join(expected) or cut)


@given(st.lists(st.booleans(), min_size=1, max_size=20))
def test_webcl_joins_overlapping_bigrams(marked: list[bool]) -> None:
    document, keywords = marked_words(marked)
    for system, separator in ((webcl, " / "), (webcl_full, "; ")):
        headline = system(document, keywords, Budget(words=0))
        groups = [[int(word[4:]) for word in cluster.split()] for cluster in headline.split(separator) if cluster]
        assert groups == clusters(marked)


def marked_words(marked: list[bool]) -> tuple[ParsedDocument, list[Keyword]]:
    """A document of one word for each place, and a keyword of those marked."""
    words = [f"{'best' if mark else 'word'}{place}/NOUN/dep>0" for place, mark in enumerate(marked)]
    document = parsed(" ".join([words[0].replace("dep", "root"), *words[1:]]))
    return document, [(" ".join(f"best{place}" for place, mark in enumerate(marked) if mark), 1.0)]


def test_webcl_looks_at_fifty_words_only() -> None:
    filler = "Old/ADJ/amod>1 men/NOUN/nsubj>2 slept/VERB/root>2+ ./PUNCT/punct>2"
    near, far = parsed(*[filler] * 16, TURKEY), parsed(*[filler] * 17, TURKEY)
    assert webcl(near, [("Turkey", 1.0)], TEN) == "Turkey sent"
    assert webcl(far, [("Turkey", 1.0)], TEN) == ""


def test_webcl_does_not_repeat_a_cluster() -> None:
    assert webcl(parsed(TURKEY, TURKEY), [("Turkey", 1.0)], TEN) == "Turkey sent"


EMPTY = ParsedDocument(Document("1", ""), ())


@pytest.mark.parametrize("document", [EMPTY, parsed("?/PUNCT/root>0")])
def test_documents_without_words(document: ParsedDocument) -> None:
    assert lead(document, TEN) == hedge_trimmer(document, TEN) == topiary(document, KEYWORDS, TEN) == ""
    assert webcl(document, KEYWORDS, TEN) == webcl_full(document, KEYWORDS, TEN) == ""


def test_one_word() -> None:
    document = parsed("Rain/NOUN/root>0")
    assert lead(document, TEN) == hedge_trimmer(document, TEN) == topiary(document, [], TEN) == "Rain"
    assert webcl(document, [("rain", 1.0)], TEN) == "Rain"


@pytest.mark.parametrize("length", [249, 251, 2001])
def test_a_very_long_sentence(length: int) -> None:
    """A parse without any end takes bounded time; beyond a limit it is no sentence any more."""
    tokens = [Token("Rain", "rain", "NOUN", 0, "root", True)]
    for position in range(2, length, 2):
        tokens.append(Token("the", "the", "DET", position, "det", True))
        tokens.append(Token("of", "of", "ADP", position - 2, "nmod", True))
    document = ParsedDocument(Document("1", "x"), (tuple(tokens),))
    assert hedge_trimmer(document, Budget(words=3)) == ("Rain of of" if length <= 250 else "Rain the of")
    assert len(webcl(document, [("rain", 1.0)], TEN).split()) == 1


def test_no_verb() -> None:
    text = "No/DET/det>1 comment/NOUN/root>1 from/ADP/case>4 the/DET/det>4 bank/NOUN/nmod>1+ ./PUNCT/punct>1"
    assert hedge_trimmer(parsed(text), TEN) == "No comment from bank"
    assert hedge_trimmer(parsed(text), Budget(words=3)) == "No comment"


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
    st.builds(Budget, words=st.integers(0, 6), bytes=st.integers(0, 25)),
)
def test_no_baseline_goes_over_the_budget(document: ParsedDocument, keywords: list[Keyword], budget: Budget) -> None:
    for headline in (
        lead(document, budget),
        hedge_trimmer(document, budget),
        topiary(document, keywords, budget),
        keywords_headline(keywords, budget),
        webcl(document, keywords, budget),
    ):
        assert budget.fits(headline.split())
        assert headline == " ".join(headline.split())


@pytest.mark.slow
@given(documents(), st.data())
def test_which_part_is_the_last(document: ParsedDocument, data: st.DataObject) -> None:
    def steps(tree: Tree, token: int) -> int:
        head = tree.sentence[token].head
        return 0 if head == token else 1 + steps(tree, head)

    for tokens in document.sentences:
        tree = Tree(tokens)
        tree.kept -= data.draw(st.sets(st.integers(0, len(tokens) - 1), max_size=len(tokens) - 1))
        expected = max(tree.kept, key=lambda token: (max(tree.subtree(token)), steps(tree, token)))
        assert tree.last(tree.kept) == expected
