"""Language-specific parts of alignment: the spelling of words for alignment, and their sub-word pieces."""

import unicodedata

_STEM = 4
_MAX_PIECES = 16  # pieces of a word; a word pair's cost is the product of its words' numbers of pieces
# Penn treebank's names of signs.
_PENN_SIGNS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}", "``": '"', "''": '"'}


def alignment_spelling(token: str) -> str:
    """The spelling of a token for alignment: lower case, NFKC, and Penn Treebank's names of brackets replaced.

    >>> alignment_spelling("（"), alignment_spelling("-LRB-"), alignment_spelling("President")
    ('(', '(', 'president')
    """
    lower = token.lower() if token.isascii() else "".join(unicodedata.normalize("NFKC", token).lower().split())
    return _PENN_SIGNS.get(lower, lower) or token


def pieces(word: str) -> list[str]:
    """Sub-word pieces, which related words share: the characters of a Chinese word, the first letters of others.

    >>> pieces("新闻"), pieces("reiterated")
    (['新', '闻'], ['reit'])
    """
    if any(character >= "\u2e80" for character in word):
        return list(word[:_MAX_PIECES])
    return [word[:_STEM]]
