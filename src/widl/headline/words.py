"""Words as budgets count them: separated by spaces, without surrounding punctuation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from widl.headline.word_lists import ARTICLES, counted_words, word_set

_EDGES = "\"'`“”„‟‘’«»<>()[]{},;:!?-–—*…。，、；：？！「」『』《》（）"
_SYMBOL = re.compile(r"<(?!unk>|UNK>)[A-Za-z0-9.&/-]{1,12}>")  # stock symbol, as in *Ohio Edison <OEC>*
_UNKNOWN = re.compile(r"<(?:unk|UNK)>[^\s<>]*")
_SIGN = re.compile(r"(?:[<>]|(?<![-–−])[-–−])(?==?[$€£¥]?\.?[\d#])")
"""A sign that belongs to the number behind it."""
_PLACEHOLDER = re.compile(r"#(?:[.,:/-]?#)*")
"""A number whose digits were replaced: *##.#*."""


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
    place: int = field(default=0, compare=False, repr=False)
    """Its position in the sentence as parsed, before words are left out."""
    lemmas: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The lemmas of all its tokens: *will*, *not*, for *won't*."""
    quotation: int = field(default=0, compare=False)
    """The number of its quotation in the paragraph, negative if that lacks a mark; 0: outside of quotations."""
    verbatim: str = field(default="", compare=False, repr=False)
    """The word as it is printed in its quotation, with all marks there."""
    vector: NDArray[np.float16] | None = field(default=None, compare=False, repr=False)
    """The context vector that the parser computed for the token whose head is in another word."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles a word in half the time: training reads words from files several times."""
        *others, vector = _fields(self)
        return _restored, (None if vector is None else vector.tobytes(), *others)

    @property
    def is_content(self) -> bool:
        """Whether it is a content word."""
        return self.tag in _CONTENT and self.key not in _LIGHT

    @property
    def is_article(self) -> bool:
        """Whether it is an article that headlines omit, so not in a quotation."""
        return self.relation == "det" and self.key in ARTICLES and not self.quotation


_fields = attrgetter(*(field.name for field in fields(Word)))


def _restored(vector: bytes | None, *others: Any) -> Word:
    """A word by the values of its fields, the vector first."""
    values = (*others, None if vector is None else np.frombuffer(vector, dtype=np.float16))
    return Word(*values)


_CONTENT = word_set("NOUN PROPN VERB ADJ NUM X SYM")
_LIGHT = word_set("be is was are were been being have has had do does did said says say told also")


def bare(word: str) -> str:
    """The word without punctuation around it; may be empty. A period stays if the word contains other periods, a sign
    if it belongs to a number.

    >>> bare('"U.S."'), bare("(end."), bare("--"), bare("(<5%)"), bare("-$3")
    ('U.S.', 'end', '', '<5%', '-$3')
    """
    if unknown := _UNKNOWN.search(word):
        return unknown[0].rstrip(_EDGES.replace(">", "."))
    core = word.lstrip(_EDGES)
    sign = _SIGN.search(word)
    signed = sign is not None and sign.start() < len(word) - len(core)
    word = (word[sign.start() :] if sign and signed else core).rstrip(_EDGES)
    if word.endswith(".") and ("." not in word.rstrip(".") or word.endswith((".com.", ".org.", ".net."))):
        word = word.rstrip(".").rstrip(_EDGES)
    return word


def keys_of(text: str) -> list[str]:
    """The lowercase words of a text, as in language models, without stock symbols.

    >>> keys_of('OHIO EDISON <OEC> "SEES" GAIN')
    ['ohio', 'edison', 'sees', 'gain']
    """
    return [key_of(word) for word in map(bare, _SYMBOL.sub("", text).split()) if word]


def key_of(word: str) -> str:
    """The key of a bare word. ``<unk>`` in a text is a word like others, not the language models' own."""
    return word.lower().replace("<unk>", "unk")


LABELS = word_set("inc corp ltd co plc ag sa nv bv gmbh kgaa kk spa bhd pty pte as ab oy lp n.v b.v s.a a.g")
"""Words after a company's name that headlines omit."""


_LONG_LABELS = frozenset({"Company", "Corporation", "Incorporated", "Limited"})


def is_label(word: Word) -> bool:
    """Whether headlines omit this word of a company's name: *Inc*."""
    label = word.key.strip(".") in LABELS and word.tag in {"PROPN", "NOUN", "X"}
    return not word.quotation and (label or word.text in _LONG_LABELS)


def is_title(word: Word) -> bool:
    """Whether news have this word before names of persons: *president*, *coach*."""
    return word.lemma in counted_words("titles")


def has_letters(word: str) -> bool:
    """Whether the word has a letter, a digit, or signs for digits."""
    return any(character.isalnum() for character in word) or _PLACEHOLDER.fullmatch(word) is not None


NOUNS = word_set("NOUN PROPN")
FINITE = word_set("VBD VBZ VBP MD")
"""Fine-grained tags of finite verbs."""


_PAIRING = word_set("between both")


def is_omitted_and(words: Sequence[Word], i: int) -> bool:
    """Whether a word is an *and* between two nouns that headlines replace by a comma."""
    word = words[i]
    second = words[word.head]
    if word.quotation or word.key != "and" or word.relation != "cc" or second.relation != "conj":
        return False
    if not second.head < i < word.head:
        return False
    first = words[second.head]
    paired = any(w.key in _PAIRING and w.head in {word.head, second.head} for w in words)
    named = first.tag == "PROPN" and first.relation in {"compound", "nmod:poss", "nmod"}  # Bell and Howell's
    measured = any(map(str.isdigit, first.text + second.text))  # 512MB and 1GB players
    return first.tag in NOUNS and second.tag in NOUNS and not (paired or named or measured)


SUBJECTS = word_set("nsubj nsubj:pass")


def root_of(words: Sequence[Word]) -> int:
    """The position of the first word of a sentence that has no head."""
    return next(i for i, word in enumerate(words) if word.head == i)


def dependents(words: Sequence[Word], i: int) -> list[int]:
    """The positions of the words whose head is a word, in order."""
    return [k for k, word in enumerate(words) if word.head == i != k]


def hang(words: list[Word], i: int, head: int, relation: str = "") -> None:
    """Hangs a word under another one, in place; it keeps its relation unless it gets a new one."""
    words[i] = replace(words[i], head=head, relation=relation or words[i].relation)


def has_subject(words: Sequence[Word], i: int) -> bool:
    """Whether a word has a subject of any kind."""
    return any(words[k].relation.startswith(("nsubj", "csubj", "expl")) for k in dependents(words, i))


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


def without_owner(text: str) -> str:
    """A name without the sign of an owner: *Acme* for *Acme's*."""
    return text.removesuffix("'s").removesuffix("’s")


def without_vectors(words: Sequence[Word]) -> list[Word]:
    """The same words, using less memory."""
    return [replace(word, vector=None) for word in words]
