"""Words as budgets count them: separated by spaces, without surrounding punctuation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from widl.headline.parsing import ParsedDocument, Sentence
from widl.headline.word_lists import ARTICLES, DAYS, PEOPLES, word_set

_EDGES = "\"'`“”‘’«»<>()[]{},;:!?-–—*…。，、；：？！「」『』《》（）"
_SYMBOL = re.compile(r"<[A-Za-z0-9.&/-]{1,12}>")  # stock symbol, as in *Ohio Edison <OEC>*


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a parsed sentence. Its dependency comes from the token whose head is in another word."""

    text: str
    key: str
    """The lowercase form for language models."""
    lemma: str
    tag: str
    head: int
    """Position of the head in the sentence; the word's own position at the root."""
    relation: str
    opening: str = ""
    """Punctuation written before it, such as an opening quotation mark."""
    closing: str = ""
    """Punctuation written after it, up to the next word."""
    form: str = ""
    """The pipeline's fine-grained tag, or empty: VBD, NNS."""
    vector: NDArray[np.float16] | None = field(default=None, compare=False, repr=False)
    """The context vector that the parser computed for that token."""

    @property
    def is_content(self) -> bool:
        """Whether it is a content word."""
        return self.tag in _CONTENT and self.key not in _LIGHT

    @property
    def is_article(self) -> bool:
        """Whether it is an article, which headlines omit."""
        return self.relation == "det" and self.key in ARTICLES


_CONTENT = word_set("NOUN PROPN VERB ADJ NUM X SYM")
_LIGHT = word_set("be is was are were been being have has had do does did said says say told also")


def bare(word: str) -> str:
    """The word without punctuation around it; may be empty. A period stays if the word contains other periods.

    >>> bare('"U.S."'), bare("(end."), bare("--")
    ('U.S.', 'end', '')
    """
    word = word.strip(_EDGES)
    if word.endswith(".") and "." not in word.rstrip("."):
        word = word.rstrip(".").rstrip(_EDGES)
    return word


def keys_of(text: str) -> list[str]:
    """The lowercase words of a text, as in language models, without stock symbols.

    >>> keys_of('OHIO EDISON <OEC> "SEES" GAIN')
    ['ohio', 'edison', 'sees', 'gain']
    """
    return [word.lower() for word in map(bare, _SYMBOL.sub("", text).split()) if word]


_COUNTED = word_set("percent pct cents cts dollars dlrs euros pounds yen times million billion mln bln")
_COMPANY = word_set("inc corp ltd co plc ag sa nv bv gmbh kgaa kk spa bhd pty pte as ab oy lp n.v b.v s.a a.g")


def is_label(word: Word) -> bool:
    """Whether headlines omit this word of a company's name: *Inc*."""
    return word.key.strip(".") in _COMPANY and word.tag in {"PROPN", "NOUN", "X"}


def has_letters(word: str) -> bool:
    """Whether the word has a letter or a digit."""
    return any(character.isalnum() for character in word)


def word_groups(sentence: Sentence) -> list[list[int]]:
    """The positions of each word's tokens, punctuation included."""
    groups: list[list[int]] = []
    for position in range(len(sentence)):
        if position and not sentence[position - 1].space:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


_FINITE = word_set("VBD VBZ VBP MD")
_AUXILIARIES = word_set("aux aux:pass cop")
_SUBJECTS = ("nsubj", "csubj", "expl")
NOUNS = word_set("NOUN PROPN")


def words_of(sentence: Sentence) -> list[Word]:
    """The words of a parsed sentence; punctuation alone is not a word."""
    word_of_token: dict[int, int] = {}
    entries: list[tuple[str, list[int]]] = []
    marks: list[tuple[str, str]] = []
    for tokens in word_groups(sentence):
        written = "".join(sentence[t].text for t in tokens)
        text = bare(written)
        if not has_letters(text):
            if marks:
                marks[-1] = (marks[-1][0], marks[-1][1] + written)
            continue
        for t in tokens:
            word_of_token[t] = len(entries)
        entries.append((text, tokens))
        before, _, after = written.partition(text)
        marks.append((before, after))
    words = [_word(sentence, text, tokens, number, word_of_token) for number, (text, tokens) in enumerate(entries)]
    marked = [replace(word, opening=a, closing=b) for word, (a, b) in zip(words, marks, strict=True)]
    return repair_tokens(_without_cycles(marked))


def repair_tokens(words: list[Word]) -> list[Word]:
    """Corrects regular errors of parsers in a sentence; the words form a tree before and after."""
    for mend in (_per, _say_dates, _verb_for_adjective, _verb_for_participle, _subject_for_apposition):
        words = mend(words)
    return words


def _per(words: list[Word]) -> list[Word]:
    """The article of *$1 a barrel* and *5 percent a year* is a preposition."""
    result = list(words)
    for i, (before, word) in enumerate(pairwise(words), 1):
        counted = before.key in _COUNTED or any(map(str.isdigit, before.text)) and not before.closing
        if word.key in {"a", "an"} and word.relation == "det" and word.head == i + 1 and counted:
            result[i] = replace(word, relation="case")
    return result


def _say_dates(words: list[Word]) -> list[Word]:
    """*On Monday* after *said* and before the subject of the reported clause is the time of saying."""
    result = list(words)
    for i, word in enumerate(words):
        verb = words[word.head]
        if word.key not in DAYS or verb.relation != "ccomp" or not verb.head < i < word.head:
            continue
        subjects = [k for k, other in enumerate(words) if other.head == word.head and other.relation[:5] == "nsubj"]
        close = all(other.key == "on" for other in words[verb.head + 1 : i]) and not words[verb.head].closing
        if close and subjects and min(subjects) > i:
            result[i] = replace(word, head=verb.head)
    return result


def _verb_for_adjective(words: list[Word]) -> list[Word]:
    """A verb with a subject, parsed as part of the noun after it, the root: *the crew boarded shuttle Endeavour*."""
    for i, word in enumerate(words):
        top = word.head
        while words[top].relation == "compound":
            top = words[top].head
        noun = words[top]
        joined = word.relation in {"amod", "compound"} and noun.relation == "root" and noun.tag in NOUNS
        if not joined or word.tag != "VERB":
            continue
        if _has_subject(words, i) and not _has_subject(words, top):
            result = [replace(w, head=i) if w.head == top and k < i else w for k, w in enumerate(words)]
            result[i] = replace(word, head=i, relation="root")
            result[top] = replace(noun, head=i, relation="obj")
            return result
    return words


def _verb_for_participle(words: list[Word]) -> list[Word]:
    """A verb behind an aside, parsed as a participle of the noun, the root: *Norvik, a port, opened a museum*."""
    root = next((i for i, word in enumerate(words) if word.head == i), 0)
    if not words or words[root].tag not in NOUNS or any(w.form in _FINITE and w.head == root for w in words):
        return words
    for i, word in enumerate(words):
        divided = i > root + 1 and words[i - 1].closing.endswith(",") and words[root].closing.endswith(",")
        if divided and word.head == root and word.relation == "acl" and word.form == "VBN":
            result = list(words)
            result[i] = replace(word, head=i, relation="root", form="VBD")
            result[root] = replace(words[root], head=i, relation="nsubj")
            return result
    return words


def _subject_for_apposition(words: list[Word]) -> list[Word]:
    """A finite verb without a subject right after a comma and a noun: *after talks with Peru, Chile has agreed*.

    Parsers label the noun as an apposition of the noun before the comma, as its conjunct, or as the subject of
    a participle: *the mine must close, experts meeting in Oslo said*.
    """
    if not words:
        return words
    root = next(i for i, word in enumerate(words) if word.head == i)
    beside = [word for i, word in enumerate(words) if word.head == root != i]
    finite = words[root].form in _FINITE or any(w.form in _FINITE and w.relation in _AUXILIARIES for w in beside)
    if words[root].tag not in {"VERB", "AUX"} or not finite or _has_subject(words, root):
        return words
    for i, word in enumerate(words[:root]):
        participle = word.relation == "nsubj" and words[word.head].form == "VBG"
        if word.tag not in NOUNS or not (participle or word.relation in {"appos", "conj"}):
            continue
        top = word.head if participle else i
        below = [k for k in range(len(words)) if is_below(words, k, top)]
        behind_comma = min(below) > 0 and words[min(below) - 1].closing.endswith(",")
        if behind_comma and all(other.head == root for other in words[max(below) + 1 : root]):
            result = list(words)
            result[i] = replace(word, head=root, relation="nsubj")
            if participle:
                result[top] = replace(words[top], head=i, relation="acl")
            return result
    return words


_PAIRING = word_set("between both")


def is_omitted_and(words: Sequence[Word], i: int) -> bool:
    """Whether a word is an *and* between two nouns that headlines replace by a comma."""
    word = words[i]
    second = words[word.head]
    if word.key != "and" or word.relation != "cc" or second.relation != "conj" or not second.head < i < word.head:
        return False
    first = words[second.head]
    paired = any(w.key in _PAIRING and w.head in {word.head, second.head} for w in words)
    named = first.tag == "PROPN" and first.relation in {"compound", "nmod:poss", "nmod"}  # Bell and Howell's
    return first.tag in NOUNS and second.tag in NOUNS and not paired and not named


def _has_subject(words: Sequence[Word], i: int) -> bool:
    return any(word.head == i and word.relation.startswith(_SUBJECTS) for k, word in enumerate(words) if k != i)


def is_below(words: Sequence[Word], i: int, above: int) -> bool:
    """Whether a word of a tree is another word or its descendant."""
    while i != above and words[i].head != i:
        i = words[i].head
    return i == above


def span_of(words: Sequence[Word], i: int) -> range:
    """The positions of a word and of the words below it, without gaps."""
    begin = end = i
    while begin and is_below(words, begin - 1, i):
        begin -= 1
    while end + 1 < len(words) and is_below(words, end + 1, i):
        end += 1
    return range(begin, end + 1)


def sentences_of(parsed: ParsedDocument, *, longest: int = 70) -> list[list[Word]]:
    """The words of each nonempty sentence, at most `longest`, because tables may be parsed as sentences."""
    sentences = (words_of(sentence) for sentence in parsed.sentences)
    return [_shorten(words, longest) for words in sentences if words]


def without_vectors(words: Sequence[Word]) -> list[Word]:
    """The same words, using less memory."""
    return [replace(word, vector=None) for word in words]


def _shorten(words: list[Word], longest: int) -> list[Word]:
    if len(words) <= longest:
        return words
    return [replace(w, head=i, relation="root") if w.head >= longest else w for i, w in enumerate(words[:longest])]


def _without_cycles(words: list[Word]) -> list[Word]:
    """Cut cycles in the dependencies: words of several tokens may depend on each other."""
    safe: set[int] = set()
    for start in range(len(words)):
        path: list[int] = []
        at = start
        while at not in safe and at not in path:
            path.append(at)
            at = words[at].head
        if at not in safe and words[at].head != at:
            words[at] = replace(words[at], head=at, relation="root")
        safe.update(path)
    return words


def _word(sentence: Sentence, text: str, tokens: list[int], number: int, word_of_token: dict[int, int]) -> Word:
    inside = set(tokens)
    tops = [t for t in tokens if sentence[t].head not in inside or sentence[t].head == t]
    main = next((t for t in tops if sentence[t].tag != "PUNCT"), tops[0] if tops else tokens[0])
    head = _head(sentence, main, number, word_of_token)
    relation = "root" if head == number else sentence[main].relation
    lower = text[1:].islower() and text.lower() not in PEOPLES
    if tokens[0] == 0 and sentence[main].tag not in {"PROPN", "X"} and lower:
        text = text.lower()  # spelled as in the middle of a sentence
    lemma = sentence[main].lemma if _is_form_of(sentence, main, tokens, text) else text.lower()
    token = sentence[main]
    lemma = _with_e(text.lower(), lemma.lower())
    tag = "NUM" if _FIGURE.fullmatch(text) else token.tag
    return Word(text, text.lower(), lemma, tag, head, relation, form=token.form, vector=token.vector)


_FIGURE = re.compile(r"[$€£]?\d[\d.,]*(m|mn|bn|k|tn)?")
_SHORT_STEM = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]")


def _with_e(key: str, lemma: str) -> str:
    """The lemma of a form in *-ed* or *-ing*; the pipeline may give a stem whose last letter would have been doubled.

    >>> _with_e("fined", "fin"), _with_e("banned", "ban"), _with_e("voted", "vote")
    ('fine', 'ban', 'vote')
    """
    return f"{lemma}e" if key in {f"{lemma}ed", f"{lemma}ing"} and _SHORT_STEM.fullmatch(lemma) else lemma


def _is_form_of(sentence: Sentence, main: int, tokens: list[int], text: str) -> bool:
    """Whether a word is its main token alone, or with a possessive *'s*."""
    if len(tokens) == 1 or sentence[main].text.lower() == text.lower():
        return True
    beside = [sentence[t] for t in tokens if t != main and has_letters(sentence[t].text)]
    possessive = (token.tag == "PART" and token.head == main and token.relation == "case" for token in beside)
    return bool(beside) and all(possessive)


def _head(sentence: Sentence, token: int, number: int, word_of_token: dict[int, int]) -> int:
    """The nearest word above a token; punctuation is skipped."""
    seen = {token}
    while (above := sentence[token].head) not in seen:
        if (word := word_of_token.get(above)) is not None and word != number:
            return word
        seen.add(above)
        token = above
    return number
