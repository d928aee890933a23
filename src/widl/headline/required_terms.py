"""Words that a headline must contain."""

from collections.abc import Sequence
from itertools import permutations

from widl.decoder import Grammar
from widl.headline.words import keys_of

MOST_TERMS = 5
"""Terms that a headline must contain, at most: the grammar has a rule for each of their orders."""

_ANY = "any"


def terms_grammar(terms: Sequence[str]) -> Grammar:
    """A grammar of the strings of keys that have all terms, in any order and apart from each other.

    >>> grammar = terms_grammar(["Lisbon", "Daniel Kiplagat"])
    >>> grammar.accepts("daniel kiplagat wins lisbon marathon".split())
    True
    >>> grammar.accepts("kiplagat wins lisbon marathon".split())
    False
    """
    nonterminal, word, any_word = Grammar.Kind.nonterminal, Grammar.Kind.word, Grammar.Kind.any_word
    rules: list[tuple[str, Sequence[tuple[Grammar.Kind, str]]]] = []
    for order in permutations(map(keys_of, terms)):
        right: list[tuple[Grammar.Kind, str]] = [(nonterminal, _ANY)]
        for keys in order:
            right += [*((word, key) for key in keys), (nonterminal, _ANY)]
        rules.append(("headline", right))
    rules += [(_ANY, []), (_ANY, [(any_word, ""), (nonterminal, _ANY)])]
    return Grammar(rules)
