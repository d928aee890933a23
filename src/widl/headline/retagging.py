"""Parts of speech that the order of words corrects: names by their capitals, verbs behind pronouns and *will*."""

from collections.abc import Sequence
from dataclasses import replace

from widl.headline.lexicon import word_set
from widl.headline.words import Word, is_label

MODALS = word_set("will would can could may might must should shall")
PRONOUNS = word_set("it he she they")
_LIKE_PREPOSITIONS = word_set("following concerning regarding")
_OF_NAMES = word_set("de van von der den del della di da du la le bin ibn al el")
_UNITS = word_set("dlrs dlr cts ct mln bln stg pct francs marks yen lire guilders crowns tonnes barrels")


def capital_beside(words: Sequence[Word], i: int) -> bool:
    """Whether a word stands between two with capitals: *Louw de Graaf*."""
    inside = 0 < i < len(words) - 1 and not words[i - 1].closing
    return inside and words[i - 1].text[:1].isupper() and words[i + 1].text[:1].isupper()


def retagged(words: Sequence[Word]) -> list[Word]:
    """The words without heads, and with the tags that capitals and pronouns before them call for."""
    result = []
    for i, word in enumerate(words):
        tag = word.tag
        capital = i > 0 and word.text[:1].isupper() and word.text[1:2].islower() and not words[i - 1].text.endswith(".")
        if (
            capital
            and tag in {"ADJ", "NOUN", "VERB", "ADV", "X"}
            and i + 1 < len(words)
            and (words[i + 1].tag == "PROPN" or words[i - 1].tag == "PROPN")
        ):
            tag = "PROPN"
        if word.key in _OF_NAMES and capital_beside(words, i):
            tag = "PROPN"
        if i == 0 and len(words) > 1 and is_label(words[1]):
            tag = "PROPN"
        after_pronoun = i > 0 and words[i - 1].key in PRONOUNS
        if i > 0 and words[i - 1].key in MODALS and tag == "NOUN" and word.key == word.lemma:
            tag = "VERB"
        if after_pronoun and tag in {"NOUN", "ADJ"} and word.key.endswith(("s", "ed")):
            tag = "VERB"
        if word.key in _UNITS:
            tag = "NOUN"
        if word.key in _LIKE_PREPOSITIONS:
            tag = "ADP"
        relation = "dep" if word.relation == "root" else word.relation
        result.append(replace(word, head=i, relation=relation, tag=tag))
    return result
