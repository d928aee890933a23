"""Text for the language models of the word-ordering experiment, as its test sentences are."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.experiments.word_order import without_final_punctuation
from widl.text.normalization import visible

_SYMBOLS = frozenset(["<s>", "</s>", "<unk>"])


def training_lines(file: Path) -> Iterator[str]:
    """Language-model text as the test sentences are: Penn tokens in lower case, without final punctuation."""
    for line in read_lines(file):
        if words := penn_words(line):
            yield " ".join(words)


def penn_words(line: str) -> list[str]:
    """The words of a line as those of the paper's test sentences."""
    words = [word for word in _TOKENIZER.tokenize(line) if word not in _SYMBOLS]
    return without_final_punctuation([word.lower() for word in words])


def sample_lines(lines: Sequence[str], words: int, *, seed: int) -> list[str]:
    """Lines drawn at random until they have so many words; a larger sample of the same seed contains a smaller one."""
    drawn = list(lines)
    random.Random(f"{seed} sample").shuffle(drawn)
    for count, total in enumerate(accumulate(len(line.split(" ")) for line in drawn), 1):
        if total >= words:
            return drawn[:count]
    raise InputError(f"a sample of {words:,} words: the texts have fewer; leave this size out")


# --- tokens as those of the Penn Treebank, of which the test sentences are ---

# Apostrophes and dashes of print as the Treebank has them; NLTK knows the quotes.
_KEYBOARD = str.maketrans({"’": "'", "‘": "'", "–": " -- ", "—": " -- ", "…": " ... "})
_TREEBANK = {"“": "``", "”": "''", "-": "--"}
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
# What NLTK would split, AT&T and '80s, goes past it with other characters in its place.
_WHOLE = re.compile(r"(?<=\w)&(?=\w)|(?<!\w)'(?=[0-9]0s\b)")
_LETTER = re.compile(r"\w")
_CONTRACTED = frozenset(["cannot", "gimme", "gonna", "gotta", "lemme", "wanna"])
_MOST_KNOWN = 1_000_000  # stretches
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

    def __init__(self) -> None:
        self._known: dict[str, list[str]] = {}

    @cached_property
    def _nltk(self) -> Any:
        from nltk.tokenize.destructive import NLTKWordTokenizer  # takes a second to import

        return NLTKWordTokenizer()

    def tokenize(self, line: str) -> list[str]:
        """The tokens of a line.

        They are those of its stretches between blanks, of which text has few different ones.
        """
        stretches = directed_quotes(visible(line).translate(_KEYBOARD).split())
        if not stretches or not _LETTER.search(stretches[-1]):
            return self.tokenize_whole(stretches)
        tokens = [token for stretch in stretches[:-1] for token in self._within(stretch)]
        last = stretches[-1]
        if last.endswith(".") and _is_plain(last[:-1]):
            return [*tokens, last[:-1], "."]
        return tokens + self.tokenize_whole(["a", last])[1:]

    def _within(self, stretch: str) -> list[str]:
        """The tokens of a stretch that does not end its line."""
        if _is_plain(stretch):
            return [stretch]
        tokens = self._known.get(stretch)
        if tokens is None:
            tokens = self.tokenize_whole([stretch, "a"])[:-1]
            if len(self._known) < _MOST_KNOWN:
                self._known[stretch] = tokens
        return tokens

    def tokenize_whole(self, stretches: list[str]) -> list[str]:
        """The tokens of a line's stretches, all rules applied to the whole of it."""
        text = " ".join(stretches)
        text = _WHOLE.sub(lambda match: _HIDDEN[match[0]], text)
        tokens = [_TREEBANK.get(token, token).translate(_SHOWN) for token in self._nltk.tokenize(text)]
        if tokens[-1:] == ["."] and len(tokens) > 1 and _INITIALS.fullmatch(tokens[-2]):
            tokens[-2] += "."
        return tokens


def _is_plain(stretch: str) -> bool:
    """Whether it is a token as it is."""
    return stretch.isalnum() and stretch.lower() not in _CONTRACTED


def directed_quotes(stretches: list[str]) -> list[str]:
    """The stretches of a line between blanks; a quote that stands alone gets its direction, of " every other closes."""
    is_open = False
    for k, stretch in enumerate(stretches):
        if stretch in ('"', "``", "''", "“", "”"):
            is_open = stretch in ("``", "“") or (stretch == '"' and not is_open)
            stretches[k] = "“" if is_open else "”"
    return stretches


_TOKENIZER = PennTokenizer()
