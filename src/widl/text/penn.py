"""Penn Treebank tokenization of English, as in the word-order test sets."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from widl.common.extras import optional_packages
from widl.common.files import read_lines
from widl.text.normalization import visible

# Tokens removed at the ends of sentences; quotes are included, because they may close after a period.
_FINAL = frozenset([".", "!", "?", "…", "...", ";", ":", ",", "--", "-", "''", "``", '"', "'", "`"])
_SYMBOLS = frozenset(["<s>", "</s>", "<unk>"])
# Typographic apostrophes and dashes in the Treebank's form; NLTK handles the quotes.
_KEYBOARD = str.maketrans({"’": "'", "‘": "'", "–": " -- ", "—": " -- ", "…": " ... "})
_TREEBANK = {"“": "``", "”": "''", "-": "--"}
_INITIALS = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
# AT&T and '80s, which NLTK would split, are protected by replacing characters.
_WHOLE = re.compile(r"(?<=\w)&(?=\w)|(?<!\w)'(?=[0-9]0s\b)")
_LETTER = re.compile(r"\w")
_CONTRACTED = frozenset(["cannot", "gimme", "gonna", "gotta", "lemme", "wanna"])
_HIDDEN = {"&": "\ue000", "'": "\ue001"}
_SHOWN = str.maketrans({hidden: shown for shown, hidden in _HIDDEN.items()})


def training_lines(file: Path) -> Iterator[str]:
    """Language model text in the form of the test sentences: lowercase Penn tokens without final punctuation."""
    for line in read_lines(file):
        if words := penn_words(line):
            yield " ".join(words)


def penn_words(line: str) -> list[str]:
    """The words of a line, tokenized like the paper's test sentences."""
    words = [word for word in penn_tokens(line) if word not in _SYMBOLS]
    return without_final_punctuation([word.lower() for word in words])


def without_final_punctuation(tokens: Sequence[str]) -> list[str]:
    """The tokens without sentence and clause punctuation at the end.

    >>> without_final_punctuation(["``", "no", ".", "''"])
    ['``', 'no']
    """
    end = len(tokens)
    while end and tokens[end - 1] in _FINAL:
        end -= 1
    return list(tokens[:end])


def penn_tokens(line: str) -> list[str]:
    """The tokens of a raw line, or of a line with space-separated tokens of any style: NLTK's Treebank tokenizer.

    Deviations from NLTK, for the Treebank's tokens: ``AT&T`` and ``'80s`` are one, initials keep their period before
    the sentence's period, dashes become ``--``, and isolated quotes open and close alternately. The tokens are computed
    for each stretch between spaces, because text has few distinct stretches.

    >>> " ".join(penn_tokens('"It isn’t AT&T\\'s – yet," he said of the U.S.'))
    "`` It is n't AT&T 's -- yet , '' he said of the U.S. ."
    >>> " ".join(penn_tokens("The jury's \\" big \\" mistake"))
    "The jury 's `` big '' mistake"
    """
    stretches = directed_quotes(visible(line).translate(_KEYBOARD).split())
    if len(stretches) < 2 or not _LETTER.search(stretches[-1]):
        return tokens_of_whole(stretches)
    first, *within, last = stretches
    # NLTK treats '' as an opening quote only after a space.
    tokens = tokens_of_whole([first, "a"])[:-1] if first.startswith("''") else list(_tokens_within(first))
    tokens += [token for stretch in within for token in _tokens_within(stretch)]
    if last.endswith(".") and _is_plain(last[:-1]):
        return [*tokens, last[:-1], "."]
    return tokens + tokens_of_whole(["a", last])[1:]


@lru_cache(maxsize=1_000_000)
def _tokens_within(stretch: str) -> list[str]:
    """The tokens of a stretch inside a line."""
    return [stretch] if _is_plain(stretch) else tokens_of_whole(["a", stretch, "a"])[1:-1]


def tokens_of_whole(stretches: Sequence[str]) -> list[str]:
    """The tokens of a line's stretches, with all rules applied to the entire line."""
    text = " ".join(stretches)
    text = _WHOLE.sub(lambda match: _HIDDEN[match[0]], text)
    tokens = [_TREEBANK.get(token, token).translate(_SHOWN) for token in _nltk().tokenize(text)]
    if tokens[-1:] == ["."] and len(tokens) > 1 and _INITIALS.fullmatch(tokens[-2]):
        tokens[-2] += "."
    return tokens


@cache
def _nltk() -> Any:
    with optional_packages():
        from nltk.tokenize.destructive import NLTKWordTokenizer  # the import takes a second

    return NLTKWordTokenizer()


def _is_plain(stretch: str) -> bool:
    """Whether the stretch is a single token, unchanged."""
    return stretch.isalnum() and stretch.lower() not in _CONTRACTED


def directed_quotes(stretches: list[str]) -> list[str]:
    """The stretches of a line between spaces; isolated quotes get a direction: every second " closes."""
    is_open = False
    for k, stretch in enumerate(stretches):
        if stretch in ('"', "``", "''", "“", "”"):
            is_open = stretch in ("``", "“") or (stretch == '"' and not is_open)
            stretches[k] = "“" if is_open else "”"
    return stretches
