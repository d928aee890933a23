"""ClearNLP dependencies as Universal Dependencies."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.headline.clear_labels import to_universal

# One word a line: word/TAG head-position label, then what is expected.
CASES = {
    "objects": """
        he PRON 1 nsubj | 1 nsubj
        give VERB 1 ROOT | 1 root
        rebels NOUN 1 dative | 1 iobj
        money NOUN 1 dobj | 1 obj
        in ADP 1 prep | 5 case
        Paris PROPN 4 pobj | 1 obl
        of ADP 5 prep | 7 case
        France PROPN 6 pobj | 5 nmod
    """,
    "passive": """
        house NOUN 2 nsubjpass | 2 nsubj:pass
        be AUX 2 auxpass | 2 aux:pass
        build VERB 2 ROOT | 2 root
        by ADP 2 agent | 4 case
        men NOUN 3 pobj | 2 obl:agent
        last ADJ 6 amod | 6 amod
        year NOUN 2 npadvmod | 2 obl:unmarked
    """,
    "copula": """
        he PRON 1 nsubj | 3 nsubj
        be AUX 1 ROOT | 3 cop
        not PART 1 neg | 3 advmod
        king NOUN 1 attr | 3 root
        of ADP 3 prep | 5 case
        Spain PROPN 4 pobj | 3 nmod
        since ADP 1 prep | 7 case
        May PROPN 6 pobj | 3 obl
    """,
    "two complements": """
        who PRON 1 attr | 2 xcomp
        be AUX 1 ROOT | 2 cop
        king NOUN 1 attr | 2 root
    """,
    "other copulas": """
        she PRON 1 nsubj | 1 nsubj
        seem VERB 1 ROOT | 1 root
        happy ADJ 1 acomp | 1 xcomp
    """,
    "auxiliary be is no copula": """
        it PRON 2 nsubj | 2 nsubj
        be AUX 2 aux | 2 aux
        rise VERB 2 ROOT | 2 root
    """,
    "out of the house": """
        go VERB 0 ROOT | 0 root
        out ADP 0 prep | 4 case
        of ADP 1 prep | 4 case
        the DET 4 det | 4 det
        house NOUN 2 pobj | 0 obl
    """,
    "clause after a preposition": """
        plan NOUN 0 ROOT | 0 root
        for ADP 0 prep | 2 mark
        sell VERB 1 pcomp | 0 acl
        oil NOUN 2 dobj | 2 obj
    """,
    "infinitive": """
        want VERB 0 ROOT | 0 root
        to PART 2 aux | 2 mark
        sell VERB 0 xcomp | 0 xcomp
    """,
    "coordination": """
        oil NOUN 0 ROOT | 0 root
        , PUNCT 0 punct | 0 punct
        gas NOUN 0 conj | 0 conj
        and CCONJ 2 cc | 4 cc
        coal NOUN 2 conj | 0 conj
    """,
    "coordinated prepositions": """
        live VERB 0 ROOT | 0 root
        in ADP 0 prep | 2 case
        Rome PROPN 1 pobj | 0 obl
        or CCONJ 1 cc | 5 cc
        near ADP 1 conj | 5 case
        Pisa PROPN 4 pobj | 2 conj
    """,
    "possessive": """
        Iran PROPN 2 poss | 2 nmod:poss
        's PART 0 case | 0 case
        oil NOUN 2 ROOT | 2 root
        that PRON 4 nsubj | 4 nsubj
        rise VERB 2 relcl | 2 acl:relcl
        up ADP 4 prt | 4 compound:prt
    """,
    "preposition alone": """
        go VERB 0 ROOT | 0 root
        by ADP 0 prep | 0 advmod
    """,
    "preposition as root": """
        in ADP 0 ROOT | 1 case
        London PROPN 0 pobj | 1 root
    """,
}


@pytest.mark.parametrize("case", CASES)
def test_by_hand(case: str) -> None:
    rows = [line.split() for line in CASES[case].strip().splitlines()]
    words, tags, heads, labels, _, expected_heads, expected_labels = zip(*rows, strict=True)
    lemmas = [word.lower() for word in words]
    result = to_universal(lemmas, list(tags), list(map(int, heads)), list(labels))
    assert list(zip(words, *result, strict=True)) == list(
        zip(words, map(int, expected_heads), expected_labels, strict=True)
    )


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
    found, relations = to_universal(lemmas, tags, heads, labels)
    assert [list(column) for column in tree] == before
    roots = [token for token, head in enumerate(found) if head == token]
    assert len(roots) == 1
    assert [token for token, relation in enumerate(relations) if relation == "root"] == roots
    for token in range(len(found)):
        for _ in range(len(found)):
            token = found[token]
        assert token == roots[0]
