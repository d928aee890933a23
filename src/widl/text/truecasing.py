"""Truecasing: sentence-initial words get their usual casing; output sentences get capitals again."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, reject_text
from widl.common.errors import InputError
from widl.common.files import read_lines, write_text

# After these, every word is capitalized. After a colon it may or may not be, so such a word is not counted, and its
# case is neither changed nor restored.
SENTENCE_ENDS = frozenset(".?!")
_UNCERTAIN = SENTENCE_ENDS | {":"}
# Opening quotation marks come before the first word of a sentence. So do brackets at the start of a line; a bracket
# after a period mostly follows an abbreviation.
_QUOTES = frozenset("\"'")
_OPENINGS = frozenset("\"'([")
# The remainder of an address after its first letter: https://, www.example.org, a@example.org.
_ADDRESS = re.compile(r"^ww\.\w|://|\w@\w|^@\w")


@checked
class Truecaser:
    """The truecaser of Moses (after Lita et al. 2003): words that begin a sentence get their usual casing.

    Usual is the casing that a word mostly has where it does not begin a sentence; a word never seen
    there keeps its own, and so does an acronym. Deviations from Moses' scripts: elsewhere in a sentence
    a word keeps its casing, because its writer chose it (Moses changes casings not seen in training, so
    rare names lose their capitals), but in a line all in capitals every word gets its usual casing, and
    such lines are not counted. Ties between casings go to the casing with more lowercase letters; in Moses they are
    arbitrary.

    >>> caser = Truecaser.train([["Yes", ",", "the", "dog"], ["In", "Rome", ",", "the", "Pope", "slept"]])
    >>> caser.apply(["The", "Pope", "left", "The", "Hague", "."])
    ['the', 'Pope', 'left', 'The', 'Hague', '.']
    >>> caser.apply(["POPE", "LEFT", "ROME"])
    ['Pope', 'LEFT', 'Rome']
    """

    def __init__(self, usual: dict[str, str]) -> None:
        """`usual`: for each lowercased word, its usual casing."""
        self._usual = usual

    @classmethod
    def train(cls, sentences: Iterable[Sequence[str]]) -> "Truecaser":
        """Count the casings in tokenized sentences."""
        total: Counter[str] = Counter()
        expected = "a list of sentences, each a list of words: [line.split()]"
        for tokens in reject_text(sentences, "sentences", expected):
            reject_text(tokens, "a sentence", "a list of words: line.split()")
            if _all_capitals(tokens):
                continue
            start = True
            for token in tokens:
                if token in _OPENINGS:
                    continue
                if not start:
                    total[token] += 1
                start = token in _UNCERTAIN
        usual: dict[str, str] = {}
        for form in total:
            lower = form.lower()
            if lower != form.upper():
                usual[lower] = max(usual.get(lower, form), form, key=lambda spelling: (total[spelling], spelling))
        return cls(usual)

    def apply(self, tokens: Sequence[str]) -> list[str]:
        """The tokens with the usual casing of sentence-initial words, or of all words of an all-caps line."""
        reject_text(tokens, "tokens", "a list of words: line.split()")
        if _all_capitals(tokens):
            return [self._usual.get(token.lower(), token) for token in tokens]
        result = list(tokens)
        for index in sentence_starts(tokens):
            token = tokens[index]
            lower = token.lower()
            if token[1:] == lower[1:]:  # otherwise an acronym, which is always uppercase
                result[index] = self._usual.get(lower, token)
        return result

    def restore(self, tokens: Sequence[str]) -> list[str]:
        """Lowercased tokens in their usual casing."""
        reject_text(tokens, "tokens", "a list of words: line.split()")
        return [self._usual.get(token, token) for token in tokens]

    def save(self, path: PathLike) -> None:
        """One word per line: ``word<TAB>casing``."""
        with write_text(path) as file:
            file.writelines(f"{lower}\t{form}\n" for lower, form in sorted(self._usual.items()))

    @classmethod
    def load(cls, path: PathLike) -> "Truecaser":
        """A saved model; InputError names the malformed line."""
        usual: dict[str, str] = {}
        for number, line in enumerate(read_lines(path), 1):
            lower, _, form = line.partition("\t")
            if not form or form.lower() != lower:
                raise InputError(
                    f"{os.fspath(path)}:{number}: expected 'word<TAB>casing', found {line[:60]!r}; "
                    "train the model again"
                )
            usual[lower] = form
        return cls(usual)


def sentence_starts(tokens: Sequence[str]) -> list[int]:
    """The indices of the first words of the sentences in a line.

    >>> sentence_starts("' No ! ' He left Co. . ( the firm )".split())
    [1, 4]
    """
    starts: list[int] = []
    openings, start = _OPENINGS, True
    for index, token in enumerate(tokens):
        if token in SENTENCE_ENDS:
            openings, start = _QUOTES, True
        elif start and token not in openings:
            start = False
            if token not in _OPENINGS:
                starts.append(index)
    return starts


def capitalize_sentences(tokens: Sequence[str]) -> list[str]:
    """Tokens with a capital at the start of every sentence; iPhone and addresses are unchanged.

    >>> capitalize_sentences("iPhone sales . they fell . www.apple.com".split())
    ['iPhone', 'sales', '.', 'They', 'fell', '.', 'www.apple.com']
    """
    result = list(tokens)
    for index in sentence_starts(tokens):
        rest = tokens[index][1:]
        if rest == rest.lower() and not _ADDRESS.search(rest):
            result[index] = tokens[index][:1].upper() + rest
    return result


def _all_capitals(tokens: Sequence[str]) -> bool:
    """Whether a line of more than one word is all caps; a single acronym does not count."""
    text = " ".join(tokens)
    return text.isupper() and sum(map(str.isalpha, tokens)) > 1
