"""The written form of some words of a document: punctuation where they stand side by side, whole quotations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from widl.headline.budget import Budget
from widl.headline.casing import capital
from widl.headline.lexicon import word_list, word_set
from widl.headline.parsing import ParsedDocument
from widl.headline.words import Word, is_below, is_label, sentences_of

Letters = Literal["sentence", "title", "capitals"]
_QUOTES = frozenset('"“”')
_DASHES = frozenset("-–—")
_INNER = frozenset(",;:-–—/")
_CURRENCY = frozenset({"dlr", "dlrs"})
_BEFORE_NOUN = frozenset({"det", "amod", "compound", "nmod:poss", "nummod"})


@dataclass(frozen=True, slots=True)
class Said:
    """A word of a sentence in the form that a headline gives it."""

    word: Word
    sentence: int
    position: int


def written_words(sentence: Sequence[Word], positions: Iterable[int] | None = None) -> list[str]:
    """The words of a sentence, or those at some positions, as a headline has them."""
    kept = range(len(sentence)) if positions is None else positions
    return written_words_of([Said(sentence[i], 0, i) for i in kept], [sentence])


def cut_words(words: Sequence[str], budget: Budget) -> list[str]:
    """The longest beginning that fits, which does not end in a comma."""
    kept = budget.cut(words)
    return [*kept[:-1], kept[-1].rstrip(",;:")] if kept else kept


def lead(parsed: ParsedDocument, budget: Budget) -> str:
    """The first sentence, cut to the budget; empty of a document without words."""
    return " ".join(cut_words(written_words(next(iter(sentences_of(parsed)), ())), budget))


def written_words_of(words: Sequence[Said], sentences: Sequence[Sequence[Word]]) -> list[str]:
    """The words of a headline as printed. `sentences` are those of the document, that `words` come from."""
    texts = [_text(said, sentences[said.sentence]) for said in words]
    if texts and any(character.isdigit() for character in texts[-1]):
        texts[-1] = texts[-1].rstrip(".")  # the sentence's full stop behind "$419.3bn"
    for i, said in enumerate(words[:-1]):
        texts[i] += _inner_marks(said, words[i + 1], sentences[said.sentence])
    return _with_quotations(texts, words)


def _text(said: Said, sentence: Sequence[Word]) -> str:
    text = said.word.text
    written = sentence[said.position]
    if written.closing.startswith(".") and said.position + 1 < len(sentence):  # "Robert F. Smith"
        text += "."
    if written.relation == "nmod:poss" and text.endswith("s") and written.closing[:1] in {"'", "’"}:
        text += "'"
    # News wires have a capital after the stop of an abbreviation: "U.S. Economy".
    after_stop = said.position > 0 and sentence[said.position - 1].text.endswith(".")
    following = sentence[said.position + 1].text if said.position + 1 < len(sentence) else ""
    if (
        after_stop
        and text.istitle()
        and (said.word.tag in {"VERB", "AUX"} or not following[:1].isupper())
        and (said.word.tag in {"VERB", "AUX", "ADP"} or said.word.key in _CURRENCY)
    ):
        return text.lower()
    return text


def _inner_marks(said: Said, following: Said, sentence: Sequence[Word]) -> str:
    """The comma or the like between two words; none where something was left out that needed it."""
    if following.sentence != said.sentence or following.position <= said.position:
        return ""
    between = sentence[said.position + 1 : following.position]
    if between and (
        _begins_attribution(sentence, following.position, said.position)
        or _keeps_comma(sentence, said.position, following.position)
    ):
        return ","
    labels = 0
    while labels < len(between) and is_label(between[labels]):
        labels += 1
    last = between[labels - 1] if labels else said.word  # the comma stands behind "Corp"
    between = between[labels:]
    if not between and "&" in last.closing:
        return " &"
    marks = "".join(mark for mark in last.closing if mark in _INNER)
    named = all(word.tag == "PROPN" and word.head == following.position for word in between)  # Smith, (Jo) Brook
    if not marks or not (named or all(word.tag in {"DET", "PRON", "ADJ"} for word in between)):
        return ""
    if "," in marks:
        return ","
    if not marks.strip("-–—"):
        dashes = sum(bool(_DASHES & set(word.closing)) for word in sentence[: said.position])
        return "" if dashes % 2 else f" {marks}"  # the second of two closes an aside
    return marks


def _begins_attribution(sentence: Sequence[Word], i: int, before: int) -> bool:
    """Whether word i, behind word `before` in a headline, begins *officials said*, behind a comma and what was said."""
    speaker = i
    while sentence[speaker].relation in _BEFORE_NOUN and sentence[speaker].head != speaker:
        speaker = sentence[speaker].head
    first = min(i, speaker)
    while first and not sentence[first - 1].closing and is_below(sentence, first - 1, speaker):
        first -= 1  # "the" of "the officials said"
    if sentence[speaker].relation != "nsubj" or first <= before or "," not in sentence[first - 1].closing:
        return False
    verb = sentence[sentence[speaker].head]
    said_before = any(word.relation == "ccomp" and word.head == sentence[speaker].head for word in sentence[:i])
    speaks = verb.lemma in word_list("reporting") | word_list("doubting")
    return speaks and (verb.relation == "parataxis" or said_before)


def _keeps_comma(sentence: Sequence[Word], before: int, i: int) -> bool:
    """Whether the comma between two words of a headline still divides them: "the largest rise (in ten months), a sign".

    Where a comma stands in front of what was left out, too, both went with it.
    """
    last = i - 1
    while last > before and sentence[last].is_article:
        last -= 1
    if last == before or "," not in sentence[last].closing:
        return False
    if any("," in word.closing or word.opening for word in sentence[before:last]):
        return False
    return any(is_below(sentence, i, above) for above in range(before + 1))


def _with_quotations(texts: Sequence[str], words: Sequence[Said]) -> list[str]:
    """The texts with those quotation marks whose words are all there."""
    result = list(texts)
    opened: int | None = None
    for i, said in enumerate(words):
        if any(mark in _QUOTES for mark in said.word.opening):
            opened = i
        if opened is not None and any(mark in _QUOTES for mark in said.word.closing):
            positions = [said.position for said in words[opened : i + 1]]
            if positions == list(range(positions[0], positions[-1] + 1)):
                result[opened] = f'"{result[opened]}'
                stripped = result[i].rstrip(",")
                result[i] = f'{stripped}"{result[i][len(stripped) :]}'
            opened = None
    return result


_SMALL = word_set("a an the and or but nor of in on at to for by from with as vs per")


def in_letters(text: str, letters: Letters) -> str:
    """The text in capitals, in title case, or with a capital at the beginning."""
    if letters == "capitals":
        return text.upper()
    words = text.split(" ")
    if letters == "title":
        words = [word if number and word in _SMALL else capital(word) for number, word in enumerate(words)]
    elif words:
        words[0] = capital(words[0])
    return " ".join(words)
