"""What must stay so that a headline says what its text says, and what stands there where no clause fits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline import piece_strings
from tests.headline.parses import parsed, sentence
from tests.headline.piece_strings import texts
from tests.headline.trees import sentences
from widl.headline.budget import Budget
from widl.headline.clauses import ClauseGrammar
from widl.headline.cuts import can_cut
from widl.headline.documents import Document
from widl.headline.fallback import beginning, noun_phrase
from widl.headline.language import latin_part
from widl.headline.parsing import ParsedDocument
from widl.headline.pieces import Leaf, Piece, Said, options, row, strings
from widl.headline.sentence_tree import SentenceTree
from widl.headline.shallow_parse import shallow_parse
from widl.headline.short_names import ShortNames
from widl.headline.words import sentences_of, words_of

LATEST = (
    "Rivers/PROPN/nsubj>1 became/VERB/root>1 the/DET/det>4 latest/ADJ/amod>4 guest/NOUN/xcomp>1 to/PART/mark>7 "
    "be/AUX/aux:pass>7 evicted/VERB/acl:relcl>4"
)
KIND = (
    "Courts/NOUN/nsubj>2 {}/AUX/aux>2 fined/VERB/root>2 drivers/NOUN/obj>2 who/PRON/nsubj>5 drink/VERB/acl:relcl>3 "
    "beer/NOUN/obj>5"
)
YEAR = (
    "Success/NOUN/nsubj>1 came/VERB/root>1 after/ADP/case>4 a/DET/det>4 year/NOUN/obl>1 in/ADP/case>6 "
    "which/PRON/obl>8 they/PRON/nsubj>8 toured/VERB/acl:relcl>4"
)
ASIDE = (
    "Sale/NOUN/nsubj>5+ ,/PUNCT/punct>0 at/ADP/case>3 Halls/PROPN/nmod>0+ ,/PUNCT/punct>0 raised/VERB/root>5 "
    "money/NOUN/obj>5"
)
COVERING = (
    "Acme/PROPN/nsubj>1 filed/VERB/root>1 a/DET/det>3 statement/NOUN/obj>1 covering/VERB/acl>3 shares/NOUN/obj>4 "
    "of/ADP/case>7 stock/NOUN/nmod>5"
)
AGAIN = (
    "Acme/PROPN/nsubj>1 earned/VERB/root>1 seven/NUM/nummod>3 dollars/NOUN/obj>1+ ,/PUNCT/punct>3 or/CCONJ/cc>7 "
    "two/NUM/nummod>7 cents/NOUN/conj>3"
)
COMPANIES = (
    "Acme/PROPN/nsubj>1 sued/VERB/root>1 Alden/PROPN/compound>3 Corp/PROPN/obj>1 and/CCONJ/cc>6 Brook/PROPN/compound>6 "
    "Inc/PROPN/conj>3"
)
JOINT_NAME = (
    "Acme/PROPN/nsubj>1 sued/VERB/root>1 Alden/PROPN/obj>1 and/CCONJ/cc>5 Brook/PROPN/compound>5 Inc/PROPN/conj>2"
)
AFTER_AND = "Prices/NOUN/nsubj>1 rose/VERB/root>1 on/ADP/case>3 hopes/NOUN/obl>1 and/CCONJ/cc>3 silver/NOUN/obj>1"
FORECAST = (
    "Sales/NOUN/nsubj>2 will/AUX/aux>2 fall/VERB/ccomp>6+ ,/PUNCT/punct>2 the/DET/det>5 {}/NOUN/nsubj>6 "
    "said/VERB/root>6"
)
INSISTED = (
    "Smith/PROPN/nsubj>2 should/AUX/aux>2 resign/VERB/ccomp>6+ ,/PUNCT/punct>2 Mayor/PROPN/nsubj>6 has/AUX/aux>6 "
    "insisted/VERB/root>6"
)
DEGREE = (
    "Ministers/NOUN/nsubj>1 raised/VERB/root>1 prices/NOUN/obj>1 by/ADP/case>7 as/ADV/advmod>7 much/ADJ/amod>7 "
    "as/ADP/advmod>7 30%/NOUN/obl>1"
)
MOST = (
    "{}/ADJ/amod>1 children/NOUN/nsubj>2 have/VERB/root>2 the/DET/det>6 {}/ADJ/amod>6 annual/ADJ/amod>6 "
    "income/NOUN/obj>2 in/ADP/case>8 Europe/PROPN/nmod>6"
)
REMINDED = "Rivers/PROPN/nsubj>1 reminded/VERB/root>1 sprinters/NOUN/obj>1 of/ADP/case>4 sloth/NOUN/nmod>2"
CALLED = (
    "Rivers/PROPN/nsubj>1 called/VERB/root>1 rivalry/NOUN/obj>1 between/ADP/case>4 teams/NOUN/{} "
    '"/PUNCT/punct>6+ bitter/ADJ/dep>1'
)


def headlines(text: str, *, tight: bool = False, number: int = 0) -> set[str]:
    words = words_of(sentence(text))
    grammar = ClauseGrammar(words, number, ShortNames([words]), None, present_tense=False, tight=tight)
    return {made for clause in grammar.clauses() for made in texts(clause.piece)}


def test_the_latest_keeps_its_infinitive() -> None:
    assert headlines(LATEST) == {"Rivers became latest guest to be evicted"}


@pytest.mark.parametrize(("modal", "free"), [("may", False), ("have", True)])
def test_what_may_happen_to_some_does_not_happen_to_all(modal: str, free: bool) -> None:
    found = headlines(KIND.format(modal))
    assert any("drivers who drink beer" in text for text in found)
    assert any(text.endswith("drivers") for text in found) == free


def test_a_time_that_only_a_relative_clause_tells() -> None:
    assert headlines(YEAR) == {"success came after a year in which they toured"}


def test_what_says_how_much_is_not_torn() -> None:
    assert headlines(DEGREE) == {
        "ministers raised prices",
        "ministers raised prices by as much as 30%",
    }


def test_what_is_the_most_is_so_of_something() -> None:
    found = headlines(MOST.format("Young", "highest"))
    assert found
    assert all("highest" in text and "in Europe" in text for text in found)
    steady = headlines(MOST.format("Young", "steady"))
    assert any("steady" not in text for text in steady)
    assert any("in Europe" not in text for text in steady)


def test_a_people_keeps_its_capital_and_is_named() -> None:
    assert all("British children" in text for text in headlines(MOST.format("British", "steady")))
    assert any("young" not in text for text in headlines(MOST.format("Young", "steady")))


def test_a_verb_that_takes_of_keeps_it() -> None:
    for tight in (False, True):
        assert headlines(REMINDED, tight=tight) == {"Rivers reminded sprinters of sloth"}


@pytest.mark.parametrize("relation", ["nmod>2", "obl>1"])
def test_what_something_is_called_is_not_lost(relation: str) -> None:
    assert not any(text.startswith("Rivers called rivalry") for text in headlines(CALLED.format(relation)))


def test_asides_between_commas_go() -> None:
    assert headlines(ASIDE) == {"sale raised money"}


def test_what_a_participle_takes_may_be_shortened() -> None:
    found = headlines(COVERING, tight=True)
    assert {"Acme filed statement covering shares of stock", "Acme filed statement"} <= found


def test_a_figure_in_another_measure_goes() -> None:
    assert headlines(AGAIN) == {"Acme earned seven dollars"}


def test_of_companies_one_may_be_named_and_no_name_is_torn() -> None:
    assert headlines(COMPANIES) == {"Acme sued Alden", "Acme sued Alden and Brook"}
    assert headlines(JOINT_NAME) == {"Acme sued Alden and Brook"}


def test_no_object_follows_and() -> None:
    assert not headlines(AFTER_AND)


@pytest.mark.parametrize(("speaker", "free"), [("analyst", False), ("minister", True)])
def test_forecasts_name_the_forecaster(speaker: str, free: bool) -> None:
    found = headlines(FORECAST.format(speaker))
    assert any(speaker in text for text in found)
    assert any(speaker not in text for text in found) == free


def test_who_has_insisted_is_named() -> None:
    assert headlines(INSISTED) == {"Smith should resign Mayor has insisted"}


def test_advice_further_down_is_someones() -> None:
    text = "Firms/NOUN/nsubj>2 should/AUX/aux>2 wait/VERB/root>2"
    assert headlines(text)
    assert not headlines(text, number=1)


@pytest.mark.parametrize(
    ("text", "at", "possible"),
    [
        ("allow/VERB/root>0 banks/NOUN/obj>0 to/PART/mark>3 merge/VERB/xcomp>0", 1, False),
        ("allow/VERB/root>0 banks/NOUN/obj>0 in/ADP/case>3 Chile/PROPN/obl>0", 1, True),
        ("buy/VERB/root>0 ten/NUM/nummod>4 to/PART/dep>3 twelve/NUM/nummod>4 tonnes/NOUN/obj>0", 1, False),
        ("soar/VERB/root>0 thanks/NOUN/obl>0 to/ADP/case>3 rain/NOUN/nmod>1", 1, False),
        ("declared/VERB/root>0 effective/ADJ/xcomp>0", 0, False),
        ("use/VERB/root>0 maps/NOUN/obj>0 differently/ADV/advmod>0", 1, False),
        ("use/VERB/root>0 maps/NOUN/obj>0 soon/ADV/advmod>0", 1, True),
        ("steer/VERB/root>0 away/ADV/advmod>0 from/ADP/case>3 rocks/NOUN/obl>0", 1, False),
        ("due/ADJ/root>0 to/PART/mark>2 turn/VERB/xcomp>0 out/ADP/case>5 at/ADP/case>5 meets/NOUN/obl>2", 2, False),
        ("seek/VERB/root>0 to/PART/mark>2 assess/VERB/xcomp>0 how/ADV/advmod>4 far/ADV/advmod>2", 2, False),
        ("held/VERB/root>0 in/ADP/case>2 connection/NOUN/obl>0 with/ADP/case>4 theft/NOUN/nmod>2", 2, False),
        ("launch/VERB/root>0 £2m/NUM/nummod>2 bid/NOUN/obj>0", 1, False),
        ("rise/VERB/root>0 in/ADP/case>2 1986/NUM/obl>0 to/ADP/case>5 two/NUM/nummod>5 tonnes/NOUN/obl>0", 2, True),
        ("gain/VERB/root>0 ten/NUM/nummod>2 barrels/NOUN/obj>0 per/ADP/case>4 day/NOUN/nmod>2", 2, False),
        ("join/VERB/root>0 View/PROPN/obj>0 From/ADP/case>3 Above/PROPN/nmod>1", 1, False),
        ("talks/NOUN/root>0 between/ADP/case>2 Peru/PROPN/nmod>0 and/CCONJ/cc>4 Chile/PROPN/conj>2", 2, False),
    ],
)
def test_where_words_may_be_cut(text: str, at: int, possible: bool) -> None:
    assert can_cut(SentenceTree(words_of(sentence(text))), at) == possible


def test_word_order_does_not_overrule_what_the_parser_knows() -> None:
    spent = (
        "Money/NOUN/nsubj:pass>7 spent/VERB/{} on/ADP/case>3 roads/NOUN/obl>1 should/AUX/aux>7 have/AUX/aux>7 "
        "been/AUX/aux:pass>7 saved/VERB/root>7"
    )
    assert shallow_parse(words_of(sentence(spent.format("acl>0")))) is None
    claimed = "Smith/PROPN/nsubj>1 claimed/VERB/root>1 the/DET/det>3 plan/NOUN/nsubj>5 was/AUX/cop>5 dead/ADJ/{}>1"
    assert shallow_parse(words_of(sentence(claimed.format("ccomp")))) is None
    assert shallow_parse(words_of(sentence(claimed.format("dep")))) is not None


def test_a_noun_phrase_instead_of_a_torn_beginning() -> None:
    document = parsed(
        "In/ADP/case>2 second/ADJ/amod>2 place/NOUN/obl>3 was/AUX/root>3 a/DET/det>8 fast/ADJ/amod>8 "
        "Danish/ADJ/amod>8 weather/NOUN/compound>8 computer/NOUN/nsubj>3 of/ADP/case>10 Norvik/PROPN/nmod>8"
    )
    assert noun_phrase(document, Budget()) == "fast Danish weather computer of Norvik"
    assert noun_phrase(document, Budget(words=2)) == ""
    table = parsed("Net/NOUN/root>0 two/NUM/nummod>2 dollars/NOUN/nmod>0")
    assert noun_phrase(table, Budget()) == ""


@given(st.lists(sentences(), max_size=3), st.integers(1, 8), st.integers(0, 40))
def test_noun_phrases_have_the_words_of_the_text_and_fit(
    parses: list[tuple[object, ...]], most: int, size: int
) -> None:
    document = ParsedDocument(Document("1", ""), tuple(parses))  # type: ignore[arg-type]
    text = noun_phrase(document, Budget(words=most, bytes=size))
    assert len(text.split()) <= most
    assert not size or len(text.encode()) <= size
    known = " ".join(word.opening + word.text + word.closing for words in sentences_of(document) for word in words)
    assert all(word.strip("\"“”'") in known for word in text.split())


@st.composite
def pieces(draw: st.DrawFn, depth: int = 2) -> Piece:
    words = tuple(Said(word, 0, 0) for word in words_of(sentence("rain/NOUN/root>0 fell/VERB/conj>0")))
    if not depth or draw(st.booleans()):
        return Leaf(draw(st.sampled_from([words, words[:1], words[1:]])))
    parts = draw(st.lists(pieces(depth - 1), min_size=1, max_size=3))
    made = row(parts) if draw(st.booleans()) else options([(part, -1.0) for part in parts])
    assert made is not None
    return made


@given(pieces())
def test_all_strings_come_in_order(piece: Piece) -> None:
    assert list(strings(piece)) == [words for words, _ in piece_strings.strings(piece)]


def test_an_infinitive_with_its_own_subject_may_lose_its_day() -> None:
    found = headlines(
        "Courts/NOUN/nsubj>1 let/VERB/root>1 the/DET/det>3 mayor/NOUN/nsubj>5 to/PART/mark>5 open/VERB/ccomp>1 "
        "bridges/NOUN/obj>5 on/ADP/case>8 Friday/PROPN/obl>5"
    )
    assert found == {"courts let mayor to open bridges on Friday", "courts let mayor to open bridges"}


def test_a_sentence_ends_where_another_script_begins() -> None:
    words = words_of(sentence("Rain/NOUN/nsubj>1 fell/VERB/root>1 市长/NOUN/obl>1 today/NOUN/obl>2"))
    assert [word.text for word in latin_part(words)] == ["rain", "fell"]
    assert latin_part(words[:2]) == words[:2]
    assert latin_part(words[2:3]) == []


@pytest.mark.parametrize(("word", "free"), [("lowest", False), ("low", True)])
def test_the_lowest_says_since_when(word: str, free: bool) -> None:
    found = headlines(
        f"Rates/NOUN/nsubj>1 hit/VERB/root>1 a/DET/det>4 {word}/ADJ/amod>4 level/NOUN/obj>1 in/ADP/case>7 "
        "ten/NUM/nummod>7 years/NOUN/nmod>4"
    )
    assert any("years" in text for text in found)
    assert any("years" not in text for text in found) == free


def test_a_mine_is_no_pronoun() -> None:
    text = "Acme/PROPN/nsubj>1 bought/VERB/root>1 a/DET/det>4 tin/NOUN/compound>4 mine/NOUN/obj>1"
    assert headlines(text) == {"Acme bought tin mine"}


def test_a_beginning_is_a_whole_sentence_or_ends_with_a_clause() -> None:
    whole = parsed("We/PRON/nsubj>2 may/AUX/aux>2 win/VERB/ccomp>5+ ,/PUNCT/punct>5 he/PRON/nsubj>5 said/VERB/root>5")
    assert beginning(whole, Budget()) == "We may win, he said"
    long = parsed(
        "The/DET/det>1 bank/NOUN/nsubj>2 said/VERB/root>2 that/SCONJ/mark>5 prices/NOUN/nsubj>5 rose/VERB/ccomp>2 "
        "and/CCONJ/cc>9 the/DET/det>8 bank/NOUN/nsubj>9 said/VERB/conj>2 that/SCONJ/mark>12 prices/NOUN/nsubj>12 "
        "rose/VERB/ccomp>9"
    )
    assert beginning(long, Budget()) == "the bank said that prices rose"
