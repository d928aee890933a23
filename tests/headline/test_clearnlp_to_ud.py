"""ClearNLP dependencies as Universal Dependencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.headline.parses import words
from widl.headline.clearnlp_to_ud import to_universal

SENTENCES = [
    ("He gave the rebels money in Paris.", "nsubj>1 root>1 det>3 iobj>1 obj>1 case>6 obl>1"),
    ("It was built by men last year.", "nsubj:pass>2 aux:pass>2 root>2 case>4 obl:agent>2 amod>6 obl:unmarked>2"),
    ("He has not been king of Spain since May.", "nsubj>4 aux>4 advmod>4 cop>4 root>4 case>6 nmod>4 case>8 obl>4"),
    ("She seems happy.", "nsubj>1 root>1 xcomp>1"),
    ("He went out of the house.", "nsubj>1 root>1 case>5 case>5 det>5 obl>1"),
    ("Plans for selling oil failed.", "nsubj>4 mark>2 acl>0 obj>2 root>4"),
    ("He wants to sell gas and coal.", "nsubj>1 root>1 mark>3 xcomp>1 obj>3 cc>6 conj>4"),
    ("Oil, gas and coal fell.", "nsubj>4 conj>0 cc>3 conj>0 root>4"),
    ("He lives in Rome or near Pisa.", "nsubj>1 root>1 case>3 obl>1 cc>6 case>6 conj>3"),
    ("Iran's oil that rose up failed.", "nmod:poss>1 nsubj>5 nsubj>3 acl:relcl>1 compound:prt>3 root>5"),
    ("In London.", "case>1 root>1"),
    ("He called on voters to stay at home.", "nsubj>1 root>1 case>3 obl>1 mark>5 xcomp>1 case>7 obl>5"),
]


@pytest.mark.parametrize(("text", "expected"), SENTENCES)
def test_real_sentences(text: str, expected: str) -> None:
    assert [f"{word.relation}>{word.head}" for word in words(text)[0]] == expected.split()


CLEAR = (
    "acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj csubjpass dative dep "
    "det dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj "
    "predet prep prt punct quantmod relcl xcomp ROOT"
).split()


@st.composite
def trees(draw: st.DrawFn) -> tuple[list[str], list[str], list[int], list[str]]:
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))
    heads = [order[0]] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    labels = [draw(st.sampled_from(CLEAR)) for _ in range(size)]
    labels[order[0]] = "ROOT"
    lemmas = [draw(st.sampled_from(["be", "to", "x"])) for _ in range(size)]
    tags = [draw(st.sampled_from(["NOUN", "VERB", "ADP", "AUX"])) for _ in range(size)]
    return lemmas, tags, heads, labels


@given(trees())
def test_of_a_tree_comes_a_tree(
    tree: tuple[list[str], list[str], list[int], list[str]],
) -> None:
    lemmas, tags, heads, labels = tree
    before = [list(column) for column in tree]
    result, relations = to_universal(lemmas, tags, heads, labels)
    assert [list(column) for column in tree] == before
    roots = [token for token, head in enumerate(result) if head == token]
    assert len(roots) == 1
    assert [token for token, relation in enumerate(relations) if relation == "root"] == roots
    for token in range(len(result)):
        for _ in range(len(result)):
            token = result[token]
        assert token == roots[0]
