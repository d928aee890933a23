"""The written form of some words of a document: punctuation between adjacent words, and complete quotations."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from widl.headline.budget import Budget
from widl.headline.casing import capital
from widl.headline.parsing import ParsedDocument
from widl.headline.speakers import announcement
from widl.headline.word_lists import speech_verbs, word_set
from widl.headline.words import ATTRIBUTION, Word, attribution_span, is_below, is_label, is_omitted_and, sentences_of

Letters = Literal["sentence", "title", "capitals"]
_QUOTES = frozenset('"“”')
_DASHES = frozenset("-–—")
_INNER = frozenset(",;:-–—/")
_CURRENCY = frozenset({"dlr", "dlrs"})
_BEFORE_NOUN = frozenset({"det", "amod", "compound", "nmod:poss", "nummod"})
_ASIDES = frozenset({"appos", "acl", "acl:relcl", "amod"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_FRONTED = frozenset({"obl", "advcl", "advmod", "obl:unmarked"})
_BESIDE_COMMAS = frozenset({"DET", "PRON", "ADJ", "AUX"})

Sentences = Sequence[Sequence[Word]] | Mapping[int, Sequence[Word]]
"""The words of sentences, by their numbers."""


@dataclass(frozen=True, slots=True)
class SurfaceWord:
    """A word of a sentence in the form that a headline gives it."""

    word: Word
    sentence: int
    position: int


def written_words(sentence: Sequence[Word], positions: Iterable[int] | None = None) -> list[str]:
    """The words of a sentence, or only the words at some positions, in headline spelling."""
    if positions is None:  # nothing is deleted, so that no mark stands for deleted words
        sentence = [replace(word, relation="obl") if word.relation == ATTRIBUTION else word for word in sentence]
    selected = range(len(sentence)) if positions is None else positions
    return written_words_of([SurfaceWord(sentence[i], 0, i) for i in selected], [sentence])


def truncate_words(words: Sequence[str], budget: Budget) -> list[str]:
    """The longest prefix that fits and does not end in a comma."""
    fitting = budget.truncate(words)
    return [*fitting[:-1], fitting[-1].rstrip(",;:")] if fitting else fitting


def lead(parsed: ParsedDocument, budget: Budget, letters: Letters | None = None) -> str:
    """The first sentence in the given letters, cut to the budget; empty for a document without words."""
    words = written_words(next(iter(sentences_of(parsed)), ()))
    return " ".join(truncate_words(in_letters(words, letters) if letters else words, budget))


def written_words_of(words: Sequence[SurfaceWord], sentences: Sentences) -> list[str]:
    """The words of a headline as printed, except for letter case.

    `sentences` are the sentences of the document from which `words` are taken. `widl.headline.written_length` must
    predict the length of the result without computing it.
    """
    texts = [text_of(said, sentences[said.sentence]) for said in words]
    texts[-1:] = map(last_text, texts[-1:])
    for i, (said, following) in enumerate(pairwise(words)):
        if following.sentence == said.sentence:
            texts[i] += inner_marks(sentences[said.sentence], said.position, following.position)
    return _with_quotations(texts, words)


def last_text(text: str) -> str:
    """A text at the end of a headline, where no period follows a number: "$419.3bn"."""
    return text.rstrip(".") if any(map(str.isdigit, text)) else text


def text_of(said: SurfaceWord, sentence: Sequence[Word]) -> str:
    """A word of a headline before another word, without the punctuation between them."""
    text = said.word.text
    written = sentence[said.position]
    if written.closing.startswith(".") and said.position + 1 < len(sentence):  # "Robert F. Smith"
        text += "."
    if written.relation == "nmod:poss" and text.endswith("s") and written.closing[:1] in {"'", "’"}:
        text += "'"
    # News wires capitalize the word after an abbreviation's period: "U.S. Economy".
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


def inner_marks(sentence: Sequence[Word], before: int, i: int) -> str:
    """The comma or similar mark between two words of a headline; empty if its words were deleted."""
    if i <= before:
        return ""
    between = sentence[before + 1 : i]
    for befores, behind, mark in headline_marks(sentence):
        if before in befores and i in behind:
            return mark
    divided = before < _attribution(sentence, i) or before in _fronted(sentence, i) or _keeps_comma(sentence, before, i)
    if between and divided:
        return ","
    labels = 0
    while labels < len(between) and is_label(between[labels]):
        labels += 1
    last = sentence[before + labels]  # the comma follows "Corp"
    between = between[labels:]
    if not between and "&" in last.closing:
        return " &"
    marks = "".join(mark for mark in last.closing if mark in _INNER)
    named = all(_names(word, i) for word in between)  # Smith, (Jo) Brook
    if not marks or not (named or all(word.tag in _BESIDE_COMMAS for word in between)):
        return ""
    if "," in marks:
        return ","
    if not marks.strip("-–—"):
        dashes = sum(bool(_DASHES & set(word.closing)) for word in sentence[:before])
        return "" if dashes % 2 else f" {marks}"  # the second of two closes a parenthetical
    return marks


def headline_marks(sentence: Sequence[Word]) -> list[tuple[range, range, str]]:
    """Marks that stand for deleted words: *mine to close: company*, *company: mine to close*, *Chile, Peru agree*.

    For each, the ranges of words before and after it.
    """
    found: list[tuple[range, range, str]] = []
    speaker, leads = attribution_span(sentence)
    if leads:
        found.append((speaker, range(speaker.stop, len(sentence)), ":"))
    elif speaker:
        found.append((range(speaker.start), speaker, ":"))
    if (parts := announcement(sentence)) is not None:
        said = parts[2]
        found.append((range(said), range(said + 1, len(sentence)), ":"))
    for i, word in enumerate(sentence):
        if is_omitted_and(sentence, i):
            behind = [k for k in range(i + 1, len(sentence)) if is_below(sentence, k, word.head)]
            found.append((range(i), range(i + 1, max(behind) + 1), ","))
    for span in _asides(sentence):
        found += [(range(span.start), span, ","), (span, range(span.stop, len(sentence)), ",")]
    return found


def _asides(sentence: Sequence[Word]) -> Iterator[range]:
    """The phrases and clauses between two commas that describe the noun before them."""
    for i, word in enumerate(sentence):
        if word.relation not in _ASIDES or word.head >= i or sentence[word.head].tag not in _NOUNS:
            continue
        below = [k for k in range(len(sentence)) if is_below(sentence, k, i)]
        span = range(min(below), max(below) + 1)
        between_commas = "," in sentence[span.start - 1].closing and "," in sentence[span.stop - 1].closing
        if span.start > word.head and len(span) == len(below) and between_commas:
            yield span


def all_inner_marks(sentence: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """The pairs of words with `inner_marks` between them in a headline, and these marks."""
    divided = {
        (before, i): mark
        for befores, behind, mark in reversed(headline_marks(sentence))
        for before in befores
        for i in behind
    }
    yield from ((before, i, mark) for (before, i), mark in divided.items())
    marked = [i for i, word in enumerate(sentence) if _INNER.union("&") & set(word.closing)]
    for i in range(marked[0] + 1 if marked else len(sentence), len(sentence)):
        attribution, begin, fronted = _attribution(sentence, i), _comma_scope(sentence, i), _fronted(sentence, i)
        last_marked = marked[bisect_left(marked, i) - 1]
        for before in range(last_marked + 1):
            stops = before < attribution or before in fronted or before >= begin
            if stops and (before, i) not in divided and (marks := inner_marks(sentence, before, i)):
                yield before, i, marks


def _comma_scope(sentence: Sequence[Word], i: int) -> int:
    """The first word after which a mark may precede word i, not counting attributions."""
    last = i - 1
    while last and sentence[last].is_article:
        last -= 1
    first = last
    if "," in sentence[last].closing:
        while first and "," not in sentence[first - 1].closing and not sentence[first - 1].opening:
            first -= 1
    k = i - 1
    while k and (is_label(sentence[k]) or _names(sentence[k], i) or sentence[k].tag in _BESIDE_COMMAS):
        k -= 1
    return min(first, k)


def _names(word: Word, i: int) -> bool:
    """Whether a word is part of the name that ends in word i."""
    return word.tag == "PROPN" and word.head == i


def _attribution(sentence: Sequence[Word], i: int) -> int:
    """Index of the start of *officials said*, after a comma and the reported clause, if a headline has it from word i
    on; else 0."""
    speaker = i
    while sentence[speaker].relation in _BEFORE_NOUN and sentence[speaker].head != speaker:
        speaker = sentence[speaker].head
    first = min(i, speaker)
    while first and not sentence[first - 1].closing and is_below(sentence, first - 1, speaker):
        first -= 1  # "the" of "the officials said"
    if sentence[speaker].relation not in {"nsubj", "nsubj:pass"} or not first or "," not in sentence[first - 1].closing:
        return 0
    verb = sentence[sentence[speaker].head]
    said_before = any(word.relation == "ccomp" and word.head == sentence[speaker].head for word in sentence[:i])
    speaks = verb.lemma in speech_verbs()
    behind = verb.relation == "parataxis" or (verb.relation == "ccomp" and verb.head < first)
    return first if speaks and (behind or said_before) else 0


def _fronted(sentence: Sequence[Word], i: int) -> range:
    """The phrase or clause in front of a main clause that the last comma before word i closes; empty if none does."""
    end = next((k for k in range(i - 1, -1, -1) if "," in sentence[k].closing), None)
    if end is None:
        return range(0)
    top = end
    while sentence[top].head < i and sentence[top].head != top:
        top = sentence[top].head
    if sentence[top].head < i or sentence[top].relation not in _FRONTED or is_below(sentence, i, top):
        return range(0)
    begin = end
    while begin and is_below(sentence, begin - 1, top):
        begin -= 1
    is_aside = begin > 0 and "," in sentence[begin - 1].closing
    return range(0) if is_aside else range(begin, end + 1)


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


def _with_quotations(texts: Sequence[str], words: Sequence[SurfaceWord]) -> list[str]:
    """The texts with the quotation marks whose words are all present."""
    result = list(texts)
    opened: int | None = None
    for i, said in enumerate(words):
        if opens_quotation(said.word):
            opened = i
        if opened is not None and closes_quotation(said.word):
            positions = [said.position for said in words[opened : i + 1]]
            if positions == list(range(positions[0], positions[-1] + 1)):
                result[opened] = f'"{result[opened]}'
                stripped = result[i].rstrip(",:")
                result[i] = f'{stripped}"{result[i][len(stripped) :]}'
            opened = None
    return result


def opens_quotation(word: Word) -> bool:
    """Whether a quotation mark precedes a word."""
    return any(mark in _QUOTES for mark in word.opening)


def closes_quotation(word: Word) -> bool:
    """Whether a quotation mark follows a word."""
    return any(mark in _QUOTES for mark in word.closing)


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
