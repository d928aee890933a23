"""Patterns of headlines for their judgment (`widl.headline.ranking`): which words a headline has, what it cuts, what
meets where words are left out, and how it ends. Each pattern is a feature of value 1; its name has a colon.

They tell what `widl.headline.ranking_features` can't: that *calls on people* is torn and *calls on Friday* is not.
Names and other words in capitals are no patterns: no place or person makes a headline better.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from widl.headline.kept_units import KeptUnits
from widl.headline.phrase_counts import dependent_type
from widl.headline.punctuation import SurfaceWord
from widl.headline.word_lists import word_set
from widl.headline.words import Word

_FUNCTION_WORDS = word_set("ADP SCONJ CCONJ DET PRON AUX PART")


def headline_patterns(units: KeptUnits, said: Sequence[SurfaceWord]) -> dict[str, float]:
    """The patterns of a headline, made of words `said` of the tree of `units`."""
    sentence = units.tree.words
    patterns = [*_of_words(said), *_of_units(units), *_of_gaps(sentence, said), *_of_end(sentence, said[-1])]
    return dict.fromkeys(patterns, 1.0)


def _of_words(said: Sequence[SurfaceWord]) -> Iterator[str]:
    words = [item.word for item in said]
    for word in filter(_is_plain, words):
        yield f"word:{word.key}"
    for before, after in pairwise(["<", *(word.form for word in words), ">"]):
        yield f"forms:{before} {after}"
    if _is_plain(words[0]):
        yield f"first:{words[0].key}"
    yield f"first:{words[0].form} {words[0].relation}"
    yield f"last:{words[-1].form} {words[-1].relation}"


def _of_units(units: KeptUnits) -> Iterator[str]:
    tree = units.tree
    for number in units.units:
        word = tree.content(number)
        yield f"unit:{word.relation} {word.tag}"
    for number in units.torn:
        head, kind = tree.content(tree.units[number].parent or 0), dependent_type(tree, number)
        yield f"cut:{head.tag} {kind}"
        if _is_plain(head):
            yield f"cut:{head.lemma} {kind.split()[0]}"


def _of_gaps(sentence: Sequence[Word], said: Sequence[SurfaceWord]) -> Iterator[str]:
    """What meets where words of the sentence are left out, and the first word left out."""
    for before, after in pairwise(said):
        if after.position != before.position + 1:
            form, following, lost = before.word.form, after.word, _following(sentence, before)
            yield f"gap:{form} {following.form}"
            yield f"gap:{form} ({lost})"
            yield f"gap:{form} ({lost}) {following.form}"
            yield f"gap:{form} {following.form} {following.relation}"
            if _is_plain(before.word):
                yield f"gap:{before.word.key} ({lost})"


def _of_end(sentence: Sequence[Word], last: SurfaceWord) -> Iterator[str]:
    """The last word, the mark behind it in the text, and the word that follows there."""
    mark, lost = sentence[last.position].closing[:1], _following(sentence, last)
    yield f"end:{mark} ({lost})"
    yield f"end:{last.word.form}{mark} ({lost})"
    if _is_plain(last.word):
        yield f"end:{last.word.key} ({lost})"


def _is_plain(word: Word) -> bool:
    """Whether a word is neither a name, or of a name (*Israeli*), nor has other signs than letters."""
    return word.tag != "PROPN" and word.text.isalpha() and word.text.islower()


def _following(sentence: Sequence[Word], said: SurfaceWord) -> str:
    """The word of the text behind a word: itself if it is a function word, else its form."""
    if said.position + 1 >= len(sentence):
        return ">"
    word = sentence[said.position + 1]
    return word.key if word.tag in _FUNCTION_WORDS else word.form
