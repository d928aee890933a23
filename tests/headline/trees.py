"""Sentences that no parser would produce: random words under random heads, including cycles."""

from hypothesis import strategies as st

from widl.headline.parsing import Sentence, Token
from widl.headline.words import Word

TEXTS = ["Ohio", "Edison", "rose", "the", "<", ">", "OEC", "'s", "-", "U.S.", "he", "said", "3", ".", '"', "İ", "價"]
LEMMAS = ["a", "b", "c", "be", "rise"]
TAGS = ["NOUN", "PROPN", "VERB", "ADJ", "NUM", "DET", "ADP", "PRON", "AUX", "PUNCT", "X"]
RELATIONS = ["root", "compound", "nsubj", "obj", "obl", "amod", "case", "cc", "conj", "ccomp", "nmod:poss"]
RELATIONS += ["mark", "acl:relcl", "punct", "nummod", "advmod", "appos", "csubj", "xcomp", "acl", "compound:prt"]


@st.composite
def sentences(draw: st.DrawFn, *, most: int = 12) -> Sentence:
    """Tokens with arbitrary heads, with or without spaces between them."""
    count = draw(st.integers(1, most))
    heads = draw(st.lists(st.integers(0, count - 1), min_size=count, max_size=count))
    tokens = []
    for head in heads:
        text, lemma = draw(st.sampled_from(TEXTS)), draw(st.sampled_from(LEMMAS))
        tag, relation = draw(st.sampled_from(TAGS)), draw(st.sampled_from(RELATIONS))
        tokens.append(Token(text, lemma, tag, head, relation, draw(st.booleans())))
    return tuple(tokens)


@st.composite
def trees(draw: st.DrawFn, *, most: int = 10) -> list[Word]:
    """Words in a tree, in any order; each depends on a word drawn earlier."""
    count = draw(st.integers(1, most))
    order = draw(st.permutations(range(count)))
    words: dict[int, Word] = {}
    for place, i in enumerate(order):
        head = i if place == 0 else order[draw(st.integers(0, place - 1))]
        relation = "root" if head == i else draw(st.sampled_from(RELATIONS[1:]))
        text = draw(st.sampled_from(["Ohio", "oil", "rose", "the", "not", "corp", "he", "3"]))
        lemma = draw(st.sampled_from([*LEMMAS, text.lower()]))
        closing = draw(st.sampled_from(["", "", ",", '"']))
        words[i] = Word(text, text.lower(), lemma, draw(st.sampled_from(TAGS)), head, relation, closing=closing)
    return [words[i] for i in range(count)]


def reaches_root(words: list[Word], i: int) -> bool:
    """Whether the chain of heads above a word ends."""
    for _ in words:
        i = words[i].head
    return words[i].head == i
