"""Repairs of regular errors of the parser, and shorter ways to write the same words."""

import pytest
from hypothesis import given

from tests.headline.parses import words
from tests.headline.trees import reaches_root, trees
from widl.headline.compact_words import compact
from widl.headline.sentence_repairs import repaired
from widl.headline.words import Word

LEMMAS = {"reported": "report", "told": "tell", "scored": "score", "weeks": "week", "reaches": "reach"}


def tree(text: str, tags: str, heads: str, relations: str) -> list[Word]:
    """Words with fine-grained tags; heads count from 1, 0 is the root."""
    kinds = {
        "NN": "NOUN",
        "NNS": "NOUN",
        "NNP": "PROPN",
        "VBD": "VERB",
        "VBN": "VERB",
        "IN": "ADP",
        "CD": "NUM",
        "VB": "VERB",
        "VBZ": "VERB",
    }
    rows = zip(text.split(), tags.split(), map(int, heads.split()), relations.split(), strict=True)
    result = []
    for i, (written, form, head, relation) in enumerate(rows):
        word = written.rstrip(",.")
        tag = kinds.get(form, "X")
        place = head - 1 if head else i
        lemma = {"reported": "report", "told": "tell", "scored": "score", "weeks": "week", "reaches": "reach"}.get(
            word, word.lower()
        )
        result.append(Word(word, word.lower(), lemma, tag, place, relation, closing=written[len(word) :], form=form))
    return result


def edges(result: list[Word]) -> str:
    """Relations and heads, counted from 1."""
    return " ".join(f"{w.relation}>{0 if w.head == i else w.head + 1}" for i, w in enumerate(result))


REPAIRS = [
    pytest.param(
        tree("court fines phone company Telmex", "NN VBD NN NN NNP", "2 0 4 2 4", "nsubj root compound obj appos"),
        "nsubj>2 root>0 compound>4 compound>5 obj>2",
        id="a name is the head of its description",
    ),
    pytest.param(
        tree("group ABB buys rivals", "NN NNP VBD NNS", "3 3 0 3", "nsubj nsubj root obj"),
        "compound>2 nsubj>3 root>0 obj>3",
        id="two subjects side by side",
    ),
    pytest.param(
        tree("Chile beat Peru 2-1", "NNP VBD NNP CD", "2 0 2 2", "nsubj root obl:unmarked obl:unmarked"),
        "nsubj>2 root>0 obj>2 obl:unmarked>2",
        id="a name behind a verb is its object",
    ),
    pytest.param(
        tree("Chile won Monday", "NNP VBD NNP", "2 0 2", "nsubj root obl:unmarked"),
        "nsubj>2 root>0 obl:unmarked>2",
        id="a day is no object",
    ),
    pytest.param(
        tree("Chile beat Peru, agency reported", "NNP VBD NNP NN VBN", "2 0 2 2 4", "nsubj root obj obj acl"),
        "nsubj>2 root>0 obj>2 nsubj>5 parataxis>2",
        id="a speaker is no object",
    ),
    pytest.param(
        tree("Chile sold copper in May zinc", "NNP VBD NN IN NNP NN", "2 0 2 5 2 2", "nsubj root obj case obl obj"),
        "nsubj>2 root>0 obj>2 case>5 obl>2 conj>2",
        id="a second object behind another phrase is a conjunct",
    ),
    pytest.param(
        tree(
            "former Acme chairman Jo Smith won",
            "JJ NNP NN NNP NNP VBD",
            "5 5 5 5 6 0",
            "amod compound compound compound nsubj root",
        ),
        "amod>3 compound>3 compound>5 compound>5 nsubj>6 root>0",
        id="what precedes a title describes it",
    ),
    pytest.param(
        tree(
            "Chile sells copper and Peru buys oil",
            "NNP VBD NN CC NNP VBD NN",
            "2 0 2 3 6 2 6",
            "nsubj root obj cc nsubj conj obj",
        ),
        "nsubj>2 root>0 obj>2 cc>6 nsubj>6 conj>2 obj>6",
        id="a conjunction right before a clause joins it",
    ),
    pytest.param(
        tree(
            "deaths caused by storm Jeanne rise",
            "NNS VBN IN NN NNP VBD",
            "6 1 4 2 6 0",
            "nsubj acl case obl nsubj root",
        ),
        "nsubj>6 acl>1 case>5 compound>5 obl>2 root>0",
        id="a name behind the last noun of the subject",
    ),
    pytest.param(
        tree(
            "Smith said on Monday Acme must close",
            "NNP VBD IN NNP NNP MD VB",
            "2 0 5 5 2 7 2",
            "nsubj root case compound obl aux ccomp",
        ),
        "nsubj>2 root>0 case>4 obl>2 nsubj>7 aux>7 ccomp>2",
        id="a name behind the day is the subject of the reported clause",
    ),
    pytest.param(
        tree("Acme Monday bought Borealis", "NNP NNP VBD NNP", "2 3 0 3", "compound nsubj root obj"),
        "nsubj>3 obl:unmarked>3 root>0 obj>3",
        id="a day behind the subject is a time",
    ),
    pytest.param(
        tree(
            "Chile lost hope on Monday of peace",
            "NNP VBD NN IN NNP IN NN",
            "2 0 2 5 2 7 5",
            "nsubj root obj case obl case nmod",
        ),
        "nsubj>2 root>0 obj>2 case>5 obl>2 case>7 nmod>3",
        id="a phrase behind the day belongs to the noun before it",
    ),
    pytest.param(
        tree(
            "miner trapped in shaft called for help",
            "NN VBN IN NN VBN IN NN",
            "0 1 4 2 1 7 5",
            "root acl case obl acl case obl",
        ),
        "nsubj>5 acl>1 case>4 obl>2 root>0 case>7 obl>5",
        id="the last of two participles is the verb",
    ),
    pytest.param(
        tree(
            "founder and chairman Jo Smith left",
            "NN CC NN NNP NNP VBD",
            "6 3 1 5 1 0",
            "nsubj cc conj compound appos root",
        ),
        "compound>5 cc>3 conj>1 compound>5 nsubj>6 root>0",
        id="two titles of one person",
    ),
    pytest.param(
        tree(
            "Chile sold copper, a source told Acme",
            "NNP VBD NN DT NN VBD NNP",
            "2 0 2 5 3 2 6",
            "nsubj root obj det appos advcl obj",
        ),
        "nsubj>2 root>0 obj>2 det>5 nsubj>6 parataxis>2 obj>6",
        id="a speaker is no apposition",
    ),
    pytest.param(
        tree("miners face long strikes", "NNS VBZ JJ NNS", "0 4 4 1", "root compound amod appos"),
        "nsubj>2 root>0 amod>4 obj>2",
        id="a finite verb is no part of its object",
    ),
    pytest.param(
        tree("price will soon double", "NN MD RB VB", "2 4 4 0", "nsubj aux advmod root"),
        "nsubj>4 aux>4 advmod>4 root>0",
        id="a subject belongs to the verb",
    ),
    pytest.param(
        tree("Smith scored points", "NNP VBD NNS", "2 0 2", "nsubj root obl:unmarked"),
        "nsubj>2 root>0 obj>2",
        id="points are scored",
    ),
    pytest.param(
        tree("in January Acme closed", "IN NNP NNP VBD", "4 3 4 0", "advmod compound nsubj root"),
        "case>2 obl>4 nsubj>4 root>0",
        id="in January before a subject",
    ),
    pytest.param(
        tree(
            "Chile fears theft and brutal assault",
            "NNP VBZ NN CC JJ NN",
            "2 0 6 3 6 2",
            "nsubj root compound cc amod obj",
        ),
        "nsubj>2 root>0 obj>2 cc>6 amod>6 conj>3",
        id="a first conjunct",
    ),
    pytest.param(
        tree(
            "blast killed miners as rescuer came",
            "NN VBD NNS IN NN VBD",
            "2 0 6 5 3 2",
            "nsubj root nsubj case nmod advcl",
        ),
        "nsubj>2 root>0 obj>2 mark>6 nsubj>6 advcl>2",
        id="an object is not the subject of the clause after it",
    ),
    pytest.param(
        tree("Smith and chairman Hill won", "NNP CC NN NNP VBD", "5 3 1 1 0", "nsubj cc conj conj root"),
        "nsubj>5 cc>4 compound>4 conj>1 root>0",
        id="a title and a name are one conjunct",
    ),
    pytest.param(
        tree("a blast killed miners", "DT NN VBN NNS", "2 0 2 3", "det root acl obj"),
        "det>2 nsubj>3 root>0 obj>3",
        id="a participle with an object is the verb",
    ),
    pytest.param(
        tree(
            "Chile rejected on Monday Acme plans",
            "NNP VBD IN NNP NNP NNS",
            "2 0 6 6 6 2",
            "nsubj root case compound compound obl",
        ),
        "nsubj>2 root>0 case>4 obl>2 compound>6 obj>2",
        id="on a day before an object",
    ),
    pytest.param(
        tree("business daily said Chile won", "NN RB VBD NNP VBD", "3 3 0 5 3", "nsubj advmod root nsubj ccomp"),
        "compound>2 nsubj>3 root>0 nsubj>5 ccomp>3",
        id="a daily is a newspaper",
    ),
    pytest.param(
        tree(
            "man died two weeks after surgery",
            "NN VBD CD NNS IN NN",
            "2 0 4 2 6 2",
            "nsubj root nummod obl:unmarked case obl",
        ),
        "nsubj>2 root>0 nummod>4 obl:unmarked>6 case>6 obl>2",
        id="a time before after",
    ),
]


@pytest.mark.parametrize(("parse", "expected"), REPAIRS)
def test_errors_of_the_parser_are_repaired(parse: list[Word], expected: str) -> None:
    assert edges(repaired(parse)) == expected


def test_a_group_of_people_is_these_people() -> None:
    parse = tree(
        "a group of miners reaches Chile", "DT NN IN NNS VBZ NNP", "2 5 4 2 0 5", "det nsubj case nmod root obj"
    )
    result = repaired(parse)
    assert edges(result) == "discourse>4 discourse>4 discourse>4 nsubj>5 root>0 obj>5"
    assert " ".join(word.text for word in result if word.relation != "discourse") == "miners reach Chile"


def test_such_as_is_one_preposition() -> None:
    [sentence] = words("Managers such as Jo Brook left the firm.")
    such = next(word for word in sentence if word.key == "such")
    assert (such.relation, sentence[such.head].key) == ("case", "brook")


@given(trees())
def test_repaired_and_compact_words_form_a_tree(parse: list[Word]) -> None:
    for result in (repaired(parse), compact([parse, parse], "ABC DE")[0]):
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
        ("Profit rose 4.5 percent in May.", "profit rose 4.5% in May"),
        ("Some five percent of the cars were sold.", "some five percent of the cars were sold"),
        ("The World Trade Organization met in May. The WTO is in Geneva.", "the WTO met in May"),
        ("The World Trade Organization (WTO) met in May.", "the WTO met in May"),
        ("The World Trade Organization met in May. It is in Geneva.", "the World Trade Organization met in May"),
        ("The United States' envoy met Acme. The U.S. is large.", "the U.S. envoy met Acme"),
        ("Acme met the Bank of England's governor. The BoE is old.", "Acme met the Bank of England's governor"),
        ("Acme met the Board of Ore Extraction. BOE is old.", "Acme met the BOE"),
    ],
)
def test_names_and_percentages_become_shorter(text: str, expected: str) -> None:
    assert " ".join(word.text for word in words(text)[0]) == expected
