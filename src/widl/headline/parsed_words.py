"""The words of parsed sentences: tokens between spaces are one word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from widl.headline.parsing import ParsedDocument, Sentence
from widl.headline.repairs import repaired
from widl.headline.word_lists import CLASSES, PEOPLES, word_set
from widl.headline.words import Word, bare, dependents, hang, has_letters, is_below, key_of


def word_groups(sentence: Sentence) -> list[list[int]]:
    """The positions of each word's tokens, punctuation included."""
    groups: list[list[int]] = []
    for position in range(len(sentence)):
        if position and not sentence[position - 1].space:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


@dataclass
class _Entry:
    """A word or a sign, and the marks around it."""

    text: str
    tokens: list[int]
    before: str = ""
    after: str = ""
    behind: list[int] = field(default_factory=list)
    """Tokens of marks between spaces after it."""
    owner: int = 0
    """Distance to the word that a sign belongs to; 0: the entry is a word."""


_SIGNS = re.compile(r"[<>]=?|[≤≥≈≃~±∓+−=≠×÷№$€£¥]+|#")
_UNITS = word_set("% ‰ °")


def words_of(sentence: Sentence) -> list[Word]:
    """The words of a parsed sentence; punctuation alone is not a word, but a sign before or after a number is."""
    entries = _entries(sentence)
    word_of_token = {t: n + entry.owner for n, entry in enumerate(entries) for t in entry.tokens}
    words = [_word(sentence, entry, number, word_of_token) for number, entry in enumerate(entries)]
    marked = [replace(word, opening=e.before, closing=e.after) for word, e in zip(words, entries, strict=True)]
    tree = _with_classes(_without_cycles(_with_initials(_without_cycles(marked))))
    return repaired(_with_quotations(tree, sentence, entries))


def _entries(sentence: Sentence) -> list[_Entry]:
    """The words and signs of a sentence."""
    groups = word_groups(sentence)
    texts = ["".join(sentence[t].text for t in tokens) for tokens in groups]
    entries: list[_Entry] = []
    for number, (tokens, written) in enumerate(zip(groups, texts, strict=True)):
        text = bare(written)
        following = next((other for other in texts[number + 1 :] if not _SIGNS.fullmatch(other)), "")
        if _is_sign(written, bare(following), is_first=not entries):
            entries.append(_Entry(written, tokens, owner=1))
        elif has_letters(text):
            before, _, after = written.partition(text)
            entries.append(_Entry(text, tokens, before, after))
        elif (text := written.rstrip(".,;:")) in _UNITS and entries:
            entries.append(_Entry(text, tokens, after=written[len(text) :], owner=-1))
        elif entries:
            entries[-1].after += written
            entries[-1].behind += tokens
    return entries


def _is_sign(written: str, following: str, *, is_first: bool) -> bool:
    """Whether a group of marks is a sign of the next word: *<*, in *< 3 percent*. *#* is one only before a digit."""
    if is_first and written == ">":
        return False  # a quoted mail
    numbered = following[:1].isdigit() if written == "#" else has_letters(following)
    return _SIGNS.fullmatch(written) is not None and numbered


def _with_initials(words: list[Word]) -> list[Word]:
    """The words; initials are part of the name behind them: the *A* of *A. C. Green* is no article."""
    result = list(words)
    name = len(words)
    for i in reversed(range(len(words))):
        word, following = words[i], words[i + 1] if i + 1 < len(words) else None
        abbreviated = word.closing == "." and len(word.text) == 1 and word.text.isalpha()
        in_row = word.text == "A" and following is not None and _INITIAL.fullmatch(following.text) is not None
        if following is None or not (abbreviated or in_row):
            name = i
        elif not is_below(words, name, i):
            head = words[name].head if words[name].relation == "compound" else name  # Jo A. Smith Jr.
            result[i] = replace(word, head=head, relation="compound", tag="PROPN", form="NNP")
    return result


def _with_classes(words: list[Word]) -> list[Word]:
    """The words; the *A* of *Serie A* and *hepatitis A* is no article, and stays with the word before it."""
    result = list(words)
    for i in range(1, len(words)):
        before, word = result[i - 1], result[i]
        if word.text != "A" or before.text.title() not in CLASSES or before.closing:
            continue
        if is_below(result, i - 1, i):
            head = i - 1 if word.head == i else word.head
            for k in dependents(result, i):
                hang(result, k, i - 1)
            hang(result, i - 1, head, word.relation)
        result[i] = replace(word, head=i - 1, relation="punct", tag="SYM", form="SYM")
    return result


_INITIAL = re.compile(r"[A-Z]")
_SINGLE = ("‘", "’", "'", "`")


def _with_quotations(words: list[Word], sentence: Sentence, entries: Sequence[_Entry]) -> list[Word]:
    """The words with the number of their quotation, and with their form there."""
    numbers = [next((n for t in entry.tokens if (n := sentence[t].quotation)), 0) for entry in entries]
    result = list(words)
    for number, run in groupby(range(len(words)), key=numbers.__getitem__):
        if number:
            places = list(run)
            verbatim = _verbatim(sentence, [entries[i] for i in places], number)
            for i, text in zip(places, verbatim, strict=True):
                result[i] = replace(result[i], quotation=number, verbatim=text)
    return result


def _verbatim(sentence: Sentence, entries: Sequence[_Entry], number: int) -> list[str]:
    """The words of a quotation as printed, with its marks, if both are known."""
    quoted = [t for entry in entries for t in (*entry.tokens, *entry.behind) if sentence[t].quotation == number]
    opening = "".join(token.text for token in sentence[: quoted[0]])[-2:]
    closing = "".join(token.text for token in sentence[quoted[-1] + 1 :])[:2]
    single = (opening[-1:] in _SINGLE and opening != "``") or (closing[:1] in _SINGLE and closing != "''")
    mark = "'" * (number > 0) if single else '"' * (number > 0)
    texts = [
        "".join(sentence[t].text + " " * sentence[t].space for t in (*e.tokens, *e.behind) if t in quoted).rstrip()
        for e in entries
    ]
    last = texts[-1].rstrip(" ,;:")
    texts[-1] = last if entries[-1].text.endswith(".") or last.endswith("..") else last.removesuffix(".")
    before = "".join(sentence[t].text for t in entries[0].tokens if t < quoted[0])
    after = "".join(sentence[t].text for t in entries[-1].tokens if t > quoted[-1])
    texts[0] = (before.strip("\"“„«‘'`") if has_letters(before) else "") + mark + texts[0]
    texts[-1] += mark + (after.strip("\"”“»’'`,.;:") if has_letters(after) else "")
    return texts


def sentences_of(parsed: ParsedDocument, *, longest: int = 70) -> list[list[Word]]:
    """The words of each nonempty sentence, at most `longest`, because tables may be parsed as sentences."""
    sentences = (words_of(sentence) for sentence in parsed.sentences)
    return [_shorten(words, longest) for words in sentences if words]


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


def _word(sentence: Sentence, entry: _Entry, number: int, word_of_token: dict[int, int]) -> Word:
    text, tokens = entry.text, entry.tokens
    if entry.owner:  # a function word of the word beside it
        return Word(text, text, text, "SYM", number + entry.owner, "punct", place=number)
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
    form = token.form
    if tag == "PROPN" and sentence[main].text.islower():
        tag, form = "NOUN", form.replace("NNP", "NN")  # drug lord
    lemmas = frozenset(sentence[t].lemma for t in tokens)
    return Word(
        *(text, key_of(text), lemma, tag, head, relation),
        form=form,
        place=number,
        vector=token.vector,
        lemmas=lemmas,
    )


_FIGURE = re.compile(r"[<>≤≥≈~±+−–-]?[$€£]?[\d#][\d#.,]*(m|mn|bn|k|tn)?")
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
