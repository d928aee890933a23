"""Lowercases all-caps text before it is parsed: a parser finds no nouns in *FREIGHT TRAIN DERAILS*.

Some newspapers begin a text in capitals, too: *FORMER manager Jacques Santini said*.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, takewhile

from widl.headline.words import Word, bare

_MIN_WORDS = 4  # words of an all-caps paragraph; fewer may be a name
_MIN_FORMS = 2  # minimum occurrences of a word within sentences
_SUFFIX = 3
_SHORT = 3  # maximum length of an uppercase word that may be an abbreviation even if it has a usual form: US, IT, WHO
_ENDS = (".", "!", "?", ":")


class Casing:
    """The usual written form of words within sentences.

    An unknown word is capitalized if most words with its last letters are.
    """

    def __init__(self, forms: Mapping[str, str]) -> None:
        """`forms`: the usual form of each lowercased word."""
        self.forms = forms
        names: Counter[str] = Counter()
        for lower, form in forms.items():
            names[lower[-_SUFFIX:]] += 1 if form != lower else -1
        self._names = names

    @classmethod
    def trained(cls, sentences: Iterable[Sequence[Word]]) -> "Casing":
        """Count the forms of words that do not begin a sentence; skip all-caps sentences."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for words in sentences:
            if all(word.text.upper() == word.text for word in words):
                continue
            for before, word in pairwise(words):
                if word.text.lower() != word.text.upper() and not before.closing.strip("\"'”’)").endswith(_ENDS):
                    counts[word.text.lower()][word.text] += 1
        frequent = {lower: forms for lower, forms in counts.items() if forms.total() >= _MIN_FORMS}
        return cls({lower: max(sorted(forms), key=forms.__getitem__) for lower, forms in sorted(frequent.items())})

    def recased(self, text: str) -> str:
        """The text with its all-caps paragraphs lowercased, except names; other paragraphs are unchanged.

        Restores the usual form, if known, of uppercase words at the beginning of the text.

        >>> casing = Casing({"train": "train", "derails": "derails", "in": "in", "ghent": "Ghent"})
        >>> casing.recased("A TRAIN DERAILS IN GHENT, BELGIUM.")
        'A train derails in Ghent, Belgium.'
        >>> casing.recased("TRAIN accidents in Ghent"), casing.recased("GHENT TRAIN, Belgium")
        ('Train accidents in Ghent', 'GHENT TRAIN, Belgium')
        """
        lines = text.split("\n")
        if not any(map(_in_capitals, lines)):
            return self._with_small_beginning(text)
        casing = Casing({**self.forms, **_forms_within(line for line in lines if not _in_capitals(line))})
        return "\n".join(casing._paragraph(line) if _in_capitals(line) else line for line in lines)

    def _with_small_beginning(self, text: str) -> str:
        words = text.split(" ")
        first = list(takewhile(lambda word: word.isupper() and bare(word) == word, words))
        if len(first) < len(words) and bare(words[len(first)]).isupper():
            return text  # "FORT WORTH, Texas" is a place
        if len(first) > 1 and all(len(word) > _SHORT and word.isalpha() for word in first):  # MARIA SILVA won
            return " ".join([*(capital(self._form(word)) for word in first), *words[len(first) :]])
        for i, word in enumerate(first):
            if word.lower() not in self.forms or (len(word) <= _SHORT and word != "THE"):
                break
            words[i] = self._form(word) if i else capital(self._form(word))
        return " ".join(words)

    def _paragraph(self, text: str) -> str:
        written = []
        begins = True
        for word in text.split(" "):
            form = "-".join(map(self._form, word.split("-")))
            written.append(capital(form) if begins else form)
            begins = word.endswith((".", "!", "?")) and "." not in bare(word)
        return " ".join(written)

    def _form(self, word: str) -> str:
        core = bare(word).removesuffix("'S").removesuffix("’S")
        lower = core.lower()
        if lower in self.forms:
            form = self.forms[lower]
        elif any(map(str.isdigit, core)) or "." in core or "&" in core:
            form = core  # U.S., AT&T, 747
        else:
            form = capital(lower) if self._names[lower[-_SUFFIX:]] >= 0 else lower
        begin, _, end = word.partition(core)
        return begin + form + end.lower() if core else word


def _forms_within(lines: Iterable[str]) -> dict[str, str]:
    """The forms of words within the sentences of a text."""
    words = [pair for line in lines for pair in pairwise(line.split(" "))]
    within = (bare(word) for before, word in words if not before.rstrip("\"'”’)").endswith(_ENDS))
    return {word.lower(): word for word in within if word}


def _in_capitals(line: str) -> bool:
    return line.isupper() and line.count(" ") + 1 >= _MIN_WORDS


def capital(word: str) -> str:
    """The word with its first letter capitalized, after any quotation mark."""
    at = next((i for i, character in enumerate(word) if character.isalnum() or character == "#"), 0)
    return word[:at] + word[at : at + 1].upper() + word[at + 1 :]
