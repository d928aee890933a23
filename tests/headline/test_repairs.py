"""Repairs of regular errors of the parser, and shorter ways to write the same words."""

import pytest
from hypothesis import given

from tests.headline.parses import words
from tests.headline.trees import reaches_root, trees
from widl.headline.abbreviations import abbreviate
from widl.headline.repairs import repaired
from widl.headline.words import Word

KINDS = {"NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "IN": "ADP", "CD": "NUM", "JJ": "ADJ", "JJS": "ADJ"}
KINDS |= dict.fromkeys(("VB", "VBD", "VBN", "VBZ"), "VERB")
LEMMAS = {"reported": "report", "told": "tell", "reaches": "reach", "years": "year"}


def tree(rows: str) -> list[Word]:
    """Words of the form word/tag/head/relation; heads count from 1, 0 is the root."""
    result = []
    for i, row in enumerate(rows.split()):
        written, form, head, relation = row.split("/")
        word, place = written.rstrip(",."), int(head) - 1 if int(head) else i
        lemma, tag = LEMMAS.get(word, word.lower()), KINDS.get(form, "X")
        result.append(Word(word, word.lower(), lemma, tag, place, relation, closing=written[len(word) :], form=form))
    return result


def edges(result: list[Word]) -> str:
    """Relations and heads, counted from 1."""
    return " ".join(f"{w.relation}>{0 if w.head == i else w.head + 1}" for i, w in enumerate(result))


REPAIRS = """
# a name is the head of its description
court/NN/2/nsubj fines/VBD/0/root phone/NN/4/compound company/NN/2/obj Telmex/NNP/4/appos
= nsubj>2 root>0 compound>4 compound>5 obj>2

# not before a noun denies that noun
bank/NN/5/nsubj not/RB/1/advmod firm/NN/1/appos has/VBZ/5/aux paid/VBN/0/root
= nsubj>5 advmod>3 appos>1 aux>5 root>0

# a subject behind a phrase of the first one is the noun of that phrase
growth/NN/5/nsubj in/IN/3/case music/NN/1/nmod downloads/NNS/5/nsubj continues/VBZ/0/root
= nsubj>5 case>4 compound>4 nmod>1 root>0

# the figures of a score
Holm/NNP/2/nsubj beat/VBD/0/root Sand/NNP/2/obj 6-2,/CD/2/obl 3-6,/CD/2/obl 6-4/CD/2/obl
= nsubj>2 root>0 obj>2 obl>2 conj>4 conj>4

# the second number of a vote
house/NN/2/nsubj voted/VBD/0/root by/IN/5/case 225/CD/5/nummod votes/NNS/2/obl to/IN/7/case 198/CD/2/obl
= nsubj>2 root>0 case>5 nummod>5 obl>2 case>7 conj>5

# a condition behind a relative clause belongs to the denial
not/RB/2/advmod pays/VBZ/0/root dues/NNS/2/obj promised/VBD/3/acl:relcl unless/IN/6/mark paid/VBD/4/advcl
= advmod>2 root>0 obj>2 acl:relcl>3 mark>6 advcl>2

# a condition of two denied verbs
not/RB/2/advmod pay/VB/0/root or/CC/4/cc sign/VB/2/conj until/IN/6/mark asked/VBN/4/advcl
= advmod>2 root>0 cc>4 conj>2 mark>6 advcl>2

# the time of a superlative
prices/NNS/2/nsubj fell/VBD/0/root by/IN/4/case most/JJS/2/obl in/IN/7/case three/CD/7/nummod years/NNS/2/obl
= nsubj>2 root>0 case>4 obl>2 case>7 nummod>7 nmod>4

# the night of a day
ferry/NN/2/nsubj sank/VBD/0/root on/IN/4/case Tuesday/NNP/2/obl night/NN/2/obj
= nsubj>2 root>0 case>4 obl>2 compound>4

# two subjects side by side
group/NN/3/nsubj ABB/NNP/3/nsubj buys/VBD/0/root rivals/NNS/3/obj
= compound>2 nsubj>3 root>0 obj>3

# a speaker is no object
Chile/NNP/2/nsubj beat/VBD/0/root Peru,/NNP/2/obj agency/NN/2/obj reported/VBN/4/acl
= nsubj>2 root>0 obj>2 nsubj>5 parataxis>2

# a second object behind another phrase is a conjunct
Chile/NNP/2/nsubj sold/VBD/0/root copper/NN/2/obj in/IN/5/case May/NNP/2/obl zinc/NN/2/obj
= nsubj>2 root>0 obj>2 case>5 obl>2 conj>2

# what precedes a title describes it
former/JJ/5/amod Acme/NNP/5/compound chairman/NN/5/compound Jo/NNP/5/compound Smith/NNP/6/nsubj won/VBD/0/root
= amod>3 compound>3 compound>5 compound>5 nsubj>6 root>0

# a speaker is no apposition
Chile/NNP/2/nsubj sold/VBD/0/root copper,/NN/2/obj a/DT/5/det source/NN/3/appos told/VBD/2/advcl
Acme/NNP/6/obj
= nsubj>2 root>0 obj>2 det>5 nsubj>6 parataxis>2 obj>6

# a subject belongs to the verb
price/NN/2/nsubj will/MD/4/aux soon/RB/4/advmod double/VB/0/root
= nsubj>4 aux>4 advmod>4 root>0

# on a day before an object
Chile/NNP/2/nsubj rejected/VBD/0/root on/IN/6/case Monday/NNP/6/compound Acme/NNP/6/compound plans/NNS/2/obl
= nsubj>2 root>0 case>4 obl>2 compound>6 obj>2

# the time of saying
Smith/NNP/2/nsubj said/VBD/0/root on/IN/4/case Monday/NNP/7/obl Acme/NNP/7/nsubj must/MD/7/aux close/VB/2/ccomp
= nsubj>2 root>0 case>4 obl>2 nsubj>7 aux>7 ccomp>2

# a finite verb is no part of its object
miners/NNS/0/root face/VBZ/4/compound long/JJ/4/amod strikes/NNS/1/appos
= nsubj>2 root>0 amod>4 obj>2

# a participle with an object is the verb
a/DT/2/det blast/NN/0/root killed/VBN/2/acl miners/NNS/3/obj
= det>2 nsubj>3 root>0 obj>3

# a noun between a comma and the verb is its subject
in/IN/2/case Peru,/NNP/4/obl Chile/NNP/2/appos wins/VBZ/0/root
= case>2 obl>4 nsubj>4 root>0

# a conjunction right before a clause joins it
Chile/NNP/2/nsubj sells/VBD/0/root copper/NN/2/obj and/CC/3/cc Peru/NNP/6/nsubj buys/VBD/2/conj oil/NN/6/obj
= nsubj>2 root>0 obj>2 cc>6 nsubj>6 conj>2 obj>6

# and Co is a label
Smith/NNP/4/nsubj and/CC/3/cc Co/NNP/1/conj won/VBD/0/root
= nsubj>4 discourse>3 discourse>1 root>0

# two subjects divided by a comma
Ek,/NNP/5/nsubj the/DT/3/det miner/NN/5/nsubj has/VBZ/5/aux won/VBN/0/root
= nsubj>5 det>3 appos>1 aux>5 root>0

# a title before its name
leader,/NN/3/obl:unmarked Ek/NNP/3/nsubj won/VBD/0/root
= nsubj>3 appos>1 root>0

# a time is no title
Friday,/NNP/3/obl:unmarked Ek/NNP/3/nsubj won/VBD/0/root
= obl:unmarked>3 nsubj>3 root>0

# two nouns without and are no list
Ek,/NNP/3/nsubj governor/NN/1/conj said/VBD/0/root
= nsubj>3 appos>1 root>0

# three nouns are a list
Chile,/NNP/5/nsubj Peru/NNP/1/conj and/CC/4/cc Brazil/NNP/1/conj met/VBD/0/root
= nsubj>5 conj>1 cc>4 conj>1 root>0
"""
"""For each repair what it is about, a parse (word/tag/head/relation), and the repaired heads and relations."""


@pytest.mark.parametrize("case", REPAIRS.strip().split("\n\n"), ids=lambda case: case.split("\n")[0][2:])
def test_errors_of_the_parser_are_repaired(case: str) -> None:
    parse, _, expected = case.split("\n", 1)[1].partition("\n= ")
    assert edges(repaired(tree(parse))) == expected


def test_a_group_of_people_is_these_people() -> None:
    parse = tree("a/DT/2/det group/NN/5/nsubj of/IN/4/case miners/NNS/2/nmod reaches/VBZ/0/root Chile/NNP/5/obj")
    result = repaired(parse)
    assert edges(result) == "discourse>4 discourse>4 discourse>4 nsubj>5 root>0 obj>5"
    assert " ".join(word.text for word in result if word.relation != "discourse") == "miners reach Chile"


@given(trees())
def test_repaired_and_compact_words_form_a_tree(parse: list[Word]) -> None:
    for result in (repaired(parse), abbreviate([parse, parse], "ABC DE")[0]):
        assert all(reaches_root(result, i) for i in range(len(result)))
        assert sum(word.head == i for i, word in enumerate(result)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Borealis Motor Co sold cars. Borealis won.", "Borealis Co sold cars"),
        ("Borealis Motor sold cars. The firm won.", "Borealis Motor sold cars"),
        ("Acme Motor's cars sold. Acme won.", "Acme's cars sold"),
        ("Acme Inc's cars sold. The firm won.", "Acme's cars sold"),
        ("Profit rose 4.5 pct in May.", "profit rose 4.5% in May"),
        ("Profit rose 4.5 per cent in May.", "profit rose 4.5% in May"),
        ("Profit rose about 4.5 percent in May.", "profit rose about 4.5% in May"),
        ("Some five percent of the cars were sold.", "some five percent of the cars were sold"),
        ("The World Trade Organization met in May. The WTO is in Geneva.", "the WTO met in May"),
        ("The World Trade Organization (WTO) met in May.", "the WTO met in May"),
        ("The World Trade Organization, or WTO, met.", "the World Trade Organization or WTO met"),
        ("The United States met, as the U.S. law says.", "the U.S. met as the U.S. law says"),
        ("US Senator Joe Smith met the US army.", "US Senator Joe Smith met the US army"),
        ("The Blue Ore Group met. The Big Oil Group (BOG) won.", "the Blue Ore Group met"),
        ("The Blue Ore Group met. The Big Oil Group won. BOG is old.", "the Blue Ore Group met"),
        ("The World Trade Organization met in May. It is in Geneva.", "the World Trade Organization met in May"),
        ("The United States' envoy met Acme. The U.S. is large.", "the U.S. envoy met Acme"),
        ("Acme met the Bank of England's governor. The BoE is old.", "Acme met the Bank of England's governor"),
        ("Acme met the Board of Ore Extraction. BOE is old.", "Acme met the BOE"),
    ],
)
def test_names_and_percentages_become_shorter(text: str, expected: str) -> None:
    assert " ".join(word.text for word in words(text)[0]) == expected
