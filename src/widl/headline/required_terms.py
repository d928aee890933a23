"""Words that a headline must contain or must not."""

from collections.abc import Collection, Sequence
from itertools import permutations

from widl.decoder import Grammar
from widl.headline.pieces import Leaf, Options, Piece, Row
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


def without_words(piece: Piece, keys: Collection[str]) -> Piece | None:
    """What is left of a piece without all strings that have one of these words; None if nothing is."""
    if isinstance(piece, Leaf):
        return None if any(said.word.key in keys for said in piece.words) else piece
    if isinstance(piece, Row):
        parts = [without_words(part, keys) for part in piece.parts]
        kept = tuple(part for part in parts if part is not None)
        return Row(kept) if len(kept) == len(parts) else None
    alternatives = [(without_words(option, keys), prior) for option, prior in piece.options]
    left = tuple((option, prior) for option, prior in alternatives if option is not None)
    return Options(left) if left else None
