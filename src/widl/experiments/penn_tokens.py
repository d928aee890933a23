"""Tokens as those of the Penn Treebank's Wall Street Journal, of which the test sentences of word ordering are."""

import re
from functools import cached_property
from typing import Any

from widl.text.normalization import visible

# Apostrophes and dashes of print as the Treebank has them; NLTK knows the quotes.
_KEYBOARD = str.maketrans({"’": "'", "‘": "'", "–": " -- ", "—": " -- ", "…": " ... "})
_TREEBANK = {"“": "``", "”": "''", "-": "--"}
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
# What NLTK would split, AT&T and '80s, goes past it with other characters in its place.
_WHOLE = re.compile(r"(?<=\w)&(?=\w)|(?<!\w)'(?=[0-9]0s\b)")
_HIDDEN = {"&": "\ue000", "'": "\ue001"}
_SHOWN = str.maketrans({hidden: shown for shown, hidden in _HIDDEN.items()})


class PennTokenizer:
    """NLTK's Treebank tokenizer, for raw lines and for lines that have blanks between tokens of any style.

    Deviations from NLTK's, so that tokens are the Treebank's: ``AT&T`` and ``'80s`` are one, initials keep their full
    stop before that of a sentence, dashes become ``--``, and quotes that stand alone open and close by turns.

    >>> " ".join(PennTokenizer().tokenize('"It isn’t AT&T\\'s – yet," he said of the U.S.'))
    "`` It is n't AT&T 's -- yet , '' he said of the U.S. ."
    >>> " ".join(PennTokenizer().tokenize("The jury's \\" big \\" mistake"))
    "The jury 's `` big '' mistake"
    """

    @cached_property
    def _nltk(self) -> Any:
        from nltk.tokenize.destructive import NLTKWordTokenizer  # takes a second to import

        return NLTKWordTokenizer()

    def tokenize(self, line: str) -> list[str]:
        """The tokens of a line."""
        text = " ".join(_directed_quotes(visible(line).translate(_KEYBOARD).split()))
        text = _WHOLE.sub(lambda match: _HIDDEN[match[0]], text)
        tokens = [_TREEBANK.get(token, token).translate(_SHOWN) for token in self._nltk.tokenize(text)]
        if tokens[-1:] == ["."] and len(tokens) > 1 and _INITIALS.fullmatch(tokens[-2]):
            tokens[-2] += "."
        return tokens


def _directed_quotes(stretches: list[str]) -> list[str]:
    """The stretches of a line between blanks; a quote that stands alone gets its direction, of " every other closes."""
    is_open = False
    for k, stretch in enumerate(stretches):
        if stretch in ('"', "``", "''", "“", "”"):
            is_open = stretch in ("``", "“") or (stretch == '"' and not is_open)
            stretches[k] = "“" if is_open else "”"
    return stretches
