"""The written form of some words of a document: punctuation between adjacent words, and complete quotations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Literal

from widl.headline.casing import capital
from widl.headline.length_options import LengthLimit
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.speakers import announcement, attribution_span
from widl.headline.word_lists import speech_verbs, word_set
from widl.headline.words import (
    NOUNS,
    SUBJECTS,
    Word,
    dependents,
    has_subject,
    is_below,
    is_label,
    is_omitted_and,
    is_title,
    span_of,
)

Letters = Literal["sentence", "title", "capitals"]
_DASHES = frozenset("-–—")
_INNER = frozenset(",;:-–—/")
_ASIDES = frozenset({"appos", "acl", "acl:relcl", "amod", "nmod", "nmod:unmarked"})
_PHRASES = frozenset({"obl", "obl:agent", "nmod", "advcl", "acl"})
_FRONTED = frozenset({"obl", "advcl", "advmod", "obl:unmarked"})
_LISTED = frozenset({"conj", "appos", "nmod:unmarked"})
_DIVIDED = _FRONTED | _ASIDES | SUBJECTS
_BESIDE_COMMAS = frozenset({"DET", "PRON", "ADJ", "AUX"})

Sentences = Sequence[Sequence[Word]] | Mapping[int, Sequence[Word]]
"""The words of sentences, by their numbers."""


@dataclass(frozen=True, slots=True)
class SurfaceWord:
    """A word of a sentence in the form that a headline gives it."""

    word: Word
    sentence: int
    position: int
    stands_alone: bool = False
    """Whether it belongs to a name in place of its description, which no comma divides from other words."""


def kept_mark(said: SurfaceWord, following: SurfaceWord, mark: str) -> str:
    """A mark between two words, unless it is a comma beside a name in place of its description."""
    return "" if mark == "," and said.stands_alone != following.stands_alone else mark


def written_words(sentence: Sequence[Word], positions: Iterable[int] | None = None) -> list[str]:
    """The words of a sentence, or only the words at some positions, in headline spelling."""
    selected = range(len(sentence)) if positions is None else positions
    return written_words_of([SurfaceWord(sentence[i], 0, i) for i in selected], [sentence])


def truncate_words(words: Sequence[str], limit: LengthLimit) -> list[str]:
    """The longest prefix that fits and does not end in a comma."""
    return without_last_comma(limit.truncate(words))


def without_last_comma(words: Sequence[str]) -> list[str]:
    """The words, of which the last one has no comma or similar mark."""
    return [*words[:-1], words[-1].rstrip(",;:")] if words else []


def lead(parsed: ParsedDocument, limit: LengthLimit, letters: Letters | None = None) -> str:
    """The first sentence in the given letters, cut to the limit; empty for a document without words.

    A quotation that is cut has no marks.
    """
    sentence = next(iter(sentences_of(parsed)), [])
    fitting = written_words(sentence)
    for _ in range(2):  # without its marks, a quotation that is cut is shorter
        words = written_words(sentence, range(len(fitting)))
        fitting = truncate_words(in_letters(words, letters) if letters else words, limit)
    return " ".join(fitting)


def written_words_of(words: Sequence[SurfaceWord], sentences: Sentences) -> list[str]:
    """The words of a headline as printed, except for letter case.

    `sentences` are the sentences of the document from which `words` are taken. A whole quotation is printed as it
    stands; if words of it are missing, the others have no quotation marks. `widl.headline.printing` must predict the
    length of the result without computing it.
    """
    whole = _whole_quotations(words, sentences)
    texts = [text_of(said, sentences[said.sentence], quoted=i in whole) for i, said in enumerate(words)]
    texts[-1:] = map(last_text, texts[-1:])
    marks = {number: SentenceMarks(sentences[number]) for number in {said.sentence for said in words}}
    for i, (said, following) in enumerate(pairwise(words)):
        if following.sentence == said.sentence and not (i in whole and in_one_quotation(said, following)):
            texts[i] += kept_mark(said, following, marks[said.sentence].between(said.position, following.position))
    return texts


def _whole_quotations(words: Sequence[SurfaceWord], sentences: Sentences) -> set[int]:
    """The places of words whose quotation is there with all its words."""
    whole: set[int] = set()
    for (number, quotation), run in groupby(range(len(words)), lambda i: (words[i].sentence, words[i].word.quotation)):
        places = list(run)
        if quotation:
            every = [i for i, word in enumerate(sentences[number]) if word.quotation == quotation]
            if [words[k].position for k in places] == every:
                whole.update(places)
    return whole


def in_one_quotation(said: SurfaceWord, following: SurfaceWord) -> bool:
    """Whether two words of a sentence stand in the same quotation."""
    return bool(said.word.quotation) and said.word.quotation == following.word.quotation


def last_text(text: str) -> str:
    """A text at the end of a headline, where no period follows a number: "$419.3bn"."""
    return text.rstrip(".") if any(map(str.isdigit, text)) else text


def text_of(said: SurfaceWord, sentence: Sequence[Word], *, quoted: bool) -> str:
    """A word of a headline before another word, without the punctuation between them; `quoted`: as in its quotation."""
    if quoted:
        return said.word.verbatim
    text = said.word.text
    written = sentence[said.position]
    if written.closing.startswith(".") and said.position + 1 < len(sentence):  # "Robert F. Smith"
        text += "."
    if written.relation == "nmod:poss" and text.endswith("s") and written.closing[:1] in {"'", "’"}:
        text += "'"
    return text


class SentenceMarks:
    """The commas and similar marks between the words that a headline keeps of a sentence."""

    def __init__(self, sentence: Sequence[Word]) -> None:
        self._sentence = sentence
        self._spans = [*_headline_marks(sentence), *_dividing_commas(sentence), *_undivided(sentence)]

    def between(self, before: int, i: int) -> str:
        """The mark between two words; empty if its words were deleted."""
        sentence = self._sentence
        for befores, behind, mark in self._spans:
            if before in befores and i in behind:
                return mark
        between = sentence[before + 1 : i]
        undivided = _needs_no_comma(sentence, before, i)
        if between and not undivided and (_keeps_comma(sentence, before, i) or _joins_list(sentence, before, i)):
            return ","
        labels = 0
        while labels < len(between) and is_label(between[labels]):
            labels += 1
        last = sentence[before + labels]  # the comma follows "Corp"
        between = between[labels:]
        if not between and "&" in last.closing:
            return " &"
        marks = "".join(mark for mark in last.closing if mark in _INNER)
        named = all(word.tag == "PROPN" and word.head == i for word in between)  # Smith, (Jo) Brook
        if not marks or not (named or all(word.tag in _BESIDE_COMMAS for word in between)):
            return ""
        if "," in marks:
            return "" if undivided else ","
        if not marks.strip("-–—"):
            dashes = sum(bool(_DASHES & set(word.closing)) for word in sentence[:before])
            return "" if dashes % 2 else f" {marks}"  # the second of two closes a parenthetical
        return marks

    def all(self) -> Iterator[tuple[int, int, str]]:
        """All pairs of words with a mark between them, and the mark."""
        sentence = self._sentence
        spanned = {(before, i) for befores, behind, _ in self._spans for before in befores for i in behind}
        opening = [bool(word.closing) or is_label(word) for word in sentence]
        for i in range(1, len(sentence)):
            last = i - 1
            while last and sentence[last].is_article:
                last -= 1
            for before in range(i):
                marked = opening[before] or opening[before + 1] or "," in sentence[last].closing
                if (marked or (before, i) in spanned) and (mark := self.between(before, i)):
                    yield before, i, mark


Span = tuple[range, range, str]
"""The positions of words before and after a mark, and the mark."""


def _headline_marks(sentence: Sequence[Word]) -> Iterator[Span]:
    """Marks that stand for deleted words: *mine to close: company*, *company: mine to close*, *Chile, Peru agree*."""
    speaker, leads = attribution_span(sentence)
    if leads:
        yield speaker, range(speaker.stop, len(sentence)), ":"
    elif speaker:
        yield range(speaker.start), speaker, ":"
    if (parts := announcement(sentence)) is not None:
        said = parts[2]
        yield range(said), range(said + 1, len(sentence)), ":"
    for i, word in enumerate(sentence):
        if is_omitted_and(sentence, i):
            yield range(i), range(i + 1, span_of(sentence, word.head).stop), ","


def _dividing_commas(sentence: Sequence[Word]) -> Iterator[Span]:
    """Commas that stay although words beside them are deleted.

    They divide asides about a noun or between subject and verb, phrases in front of a main clause, and speakers behind
    what they allege. The commas of an aside come in pairs: it ends with one, also where the text has none.
    """
    count = len(sentence)
    for i, word in enumerate(sentence):
        if word.relation not in _DIVIDED or word.head == i:
            continue
        span = span_of(sentence, i)
        opened = span.start > 0 and "," in sentence[span.start - 1].closing
        if word.relation in _ASIDES and (end := _end_of_aside(sentence, i, span, opened=opened)) is not None:
            mark = "" if _names(sentence, i, span) else ","
            yield range(span.start), span, mark
            yield span, range(end, count), mark
        if word.relation in _FRONTED and span.stop <= word.head:
            siblings = dependents(sentence, word.head)
            behind_subject = any(k < span.start and sentence[k].relation in SUBJECTS for k in siblings)
            if opened and behind_subject:
                yield range(span.start), span, ","
            if opened == behind_subject and (opened or "," in sentence[span.stop - 1].closing):
                yield span, range(span.stop, count), ","
        if word.relation in SUBJECTS and opened and _alleges(sentence, word.head, span.start):
            yield range(span.start), span, ","


def _names(sentence: Sequence[Word], i: int, span: range) -> bool:
    """Whether an apposition is a name right behind its description, which headlines do not divide: *mayor, Jo Ek*."""
    name, noun = sentence[i], sentence[sentence[i].head]
    described = noun.form == "NN" or is_title(noun)
    owned = any(sentence[k].relation == "nmod:poss" for k in dependents(sentence, name.head))
    named = name.relation == "appos" and all(word.tag == "PROPN" for word in sentence[span.start : span.stop])
    return named and described and not owned and span.start == name.head + 1


def _end_of_aside(sentence: Sequence[Word], i: int, span: range, *, opened: bool) -> int | None:
    """The end of an aside, with later phrases of its noun up to a comma: *home to kings (for a century), was*.

    None if no comma divides the phrase of the word from its noun, or neither another comma nor the verb follows it.
    """
    word, noun = sentence[i], sentence[sentence[i].head]
    if word.head >= span.start or noun.tag not in NOUNS:
        return None
    titled = word.relation == "appos" and noun.tag == "PROPN" and sentence[span.start].is_article  # Rice the minister
    if not (opened or titled):
        return None
    end = span_of(sentence, word.head).stop
    if end < span.stop or "," in sentence[span.stop - 1].closing or not _precedes_verb(sentence, word.head, end):
        end = span.stop
    if "," in sentence[end - 1].closing:
        return end
    listed = any(sentence[k].relation == "conj" for k in dependents(sentence, i))
    is_list = listed and not sentence[span.start].is_article
    return None if is_list or not _precedes_verb(sentence, word.head, end) else end


def _precedes_verb(sentence: Sequence[Word], subject: int, end: int) -> bool:
    """Whether the verb of a subject follows right behind its phrases: *Jo Ek, a miner from Peru has won a race*."""
    if sentence[subject].relation not in SUBJECTS or end >= len(sentence):
        return False
    verb = sentence[subject].head
    return sentence[end].tag in {"AUX", "VERB"} and verb in {end, sentence[end].head}


def _undivided(sentence: Sequence[Word]) -> Iterator[Span]:
    """No comma divides a subject from its verb if all asides between them are deleted: *Jo Ek, (a miner,) has won*."""
    for i, subject in enumerate(sentence):
        if subject.relation not in SUBJECTS or subject.head <= i:
            continue
        span = span_of(sentence, i)
        last = next((k for k in range(i, span.stop) if "," in sentence[k].closing), span.stop - 1)
        for k in range(span.stop, subject.head + 1):
            if k == subject.head or (sentence[k].head == subject.head and sentence[k].tag == "AUX"):
                yield range(span.start, last + 1), range(k, k + 1), ""


def _needs_no_comma(sentence: Sequence[Word], before: int, i: int) -> bool:
    """Whether headlines have no comma here: before *and* without a clause, and before a phrase with a preposition."""
    word = sentence[i]
    if word.relation == "cc":
        return word.key == "and" and not has_subject(sentence, word.head)
    top = i
    while sentence[top].head != top and sentence[top].head > before:
        top = sentence[top].head
    begins = word.relation in {"case", "mark"} and word.tag == "ADP" and word.head == top
    return begins and sentence[top].relation in _PHRASES and sentence[top].head <= before


def _alleges(sentence: Sequence[Word], verb: int, begin: int) -> bool:
    """Whether a verb of saying or thinking, with its subject from word `begin` on, follows what is said."""
    word = sentence[verb]
    inside = word.relation == "parataxis" or (word.relation == "ccomp" and word.head < begin)
    before = any(other.relation == "ccomp" and other.head == verb for other in sentence[:begin])
    return (inside or before) and word.lemma in speech_verbs()


def _keeps_comma(sentence: Sequence[Word], before: int, i: int) -> bool:
    """Whether the comma between two words of a headline still divides them: "the largest rise (in ten months), a sign".

    If a comma also precedes the deleted words, both commas are deleted with them.
    """
    last = i - 1
    while last > before and sentence[last].is_article:
        last -= 1
    if last == before or "," not in sentence[last].closing:
        return False
    if any("," in word.closing or word.opening for word in sentence[before:last]):
        return False
    top = i
    while sentence[top].head not in {top, before}:
        top = sentence[top].head
    if sentence[top].relation == "ccomp":
        return False  # insists (that although he is ill,) he will
    return any(is_below(sentence, i, above) for above in range(before + 1))


def _joins_list(sentence: Sequence[Word], before: int, i: int) -> bool:
    """Whether two words are items of a list whose items between them were deleted: "Acme, (Borealis,) Norvik"."""
    if "," not in sentence[i - 1].closing:
        return False
    item, top = _name_of(sentence, before), _name_of(sentence, i)
    if sentence[top].relation != "conj" or sentence[top].tag not in NOUNS:
        return False
    ends = next((k for k in range(before, i) if "," in sentence[k].closing), i)
    labels = all(is_label(word) for word in sentence[before + 1 : ends + 1])
    items = {k for k in _listed(sentence, top) if k != top}
    return labels and (item in items or (sentence[item].relation == "conj" and sentence[item].head in items))


def _listed(sentence: Sequence[Word], item: int) -> list[int]:
    """An item of a list and the items above it."""
    items = [item]
    while sentence[items[-1]].relation in _LISTED and sentence[items[-1]].head not in items:
        items.append(sentence[items[-1]].head)
    return items


def _name_of(sentence: Sequence[Word], i: int) -> int:
    """The last word of the name that a word belongs to."""
    while sentence[i].relation == "compound" and sentence[i].head > i:
        i = sentence[i].head
    return i


_SMALL = word_set("a an the and or but nor of in on at to for by from with as vs per")


def in_letters(words: Sequence[str], letters: Letters) -> list[str]:
    """Words of a headline in all caps, title case or sentence case."""
    return [word_in_letters(word, letters, is_first=not number) for number, word in enumerate(words)]


def word_in_letters(word: str, letters: Letters, *, is_first: bool = False) -> str:
    """One word in this letter case, with surrounding marks, which do not affect its length."""
    if letters == "capitals":
        return word.upper()
    if is_first or (letters == "title" and word.partition(" ")[0] not in _SMALL):
        return capital(word)
    return word
