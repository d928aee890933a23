"""Shorter ways to write the same words: *Ford* for *Ford Motor*, *WTO* for its whole name, *4.5%* for *4.5 percent*."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from widl.headline.shorter_forms import plain_initials, shorter_forms
from widl.headline.word_lists import BUSINESSES, is_common_word, word_set
from widl.headline.words import LABELS, Word, dependents, hang, is_below, is_label, without_owner

_PERCENT = word_set("percent pct")
_ACRONYM = re.compile(r"\b(?:[A-Z]{3,6}|US|UN|EU|UK|U\.S\.|U\.N\.|U\.K\.|E\.U\.)(?!\w)")
"""Initials of a name: *WTO*, *EU*."""
_LINKS = word_set("of for and the on in")
_LONGEST = 8
_BESIDE = 3
"""Words between a name and initials that explain it, with these: *the World Trade Organization, or WTO*."""
_FIGURE = re.compile(r"[<>≤≥≈~±+−–-]?[\d#][\d#.,]*")

Name = tuple[str, ...]


def abbreviate(sentences: Sequence[Sequence[Word]], text: str) -> list[list[Word]]:
    """The words of the sentences of a document's text, with fewer words for the same names and percentages.

    A company's name loses its last words if the document also has it without them. A name whose initials the document
    has becomes these initials; so does one that headlines usually write so, if the document has not these initials for
    another name.
    """
    names = {_name(words, name) for words in sentences for name in _names(words)}
    initials = {found.replace(".", ""): found for found in _ACRONYM.findall(text)}
    sentences = [_usual_initials(list(words), initials) for words in sentences]
    phrases = [list(_phrases(words, initials)) for words in sentences]
    meant = _meant({phrase for found in phrases for _, phrase in found}, text)
    return [
        _percent_signs(_short_names(_acronyms(list(words), [p for p in found if p[1] in meant], initials), names))
        for words, found in zip(sentences, phrases, strict=True)
    ]


def _initials(name: Iterable[str]) -> str:
    return "".join(word[0] for word in name if word[0].isupper())


def _phrases(words: Sequence[Word], initials: Mapping[str, str]) -> Iterator[tuple[range, str]]:
    """The names of a sentence that have some initials: their positions and their text, the last ones first."""
    stop = len(words)
    for begin in range(len(words) - 2, -1, -1):
        for end in range(min(begin + _LONGEST, stop), begin + 1, -1):
            name = words[begin:end]
            acronym = initials.get(_initials(word.text for word in name))
            if not acronym:
                continue
            named = name[0].text[0].isupper() and name[-1].text[0].isupper()
            linked = all(word.text[0].isupper() or word.key in _LINKS for word in name)
            tops = [i for i in range(begin, end) if words[i].head == i or not begin <= words[i].head < end]
            whole = len(tops) == 1 and not any(word.closing or word.opening for word in name[:-1])
            beside = words[max(0, begin - _BESIDE) : end + _BESIDE]  # "US Senator" has the initials of US, too
            explained = any(without_owner(word.text) == acronym for word in beside)
            if named and linked and whole and not explained and not any(word.quotation for word in name):
                yield range(begin, end), " ".join(without_owner(word.text) for word in name)
                stop = begin
                break


def _meant(phrases: Set[str], text: str) -> set[str]:
    """The names that initials stand for: those written before them in brackets, or the only ones that have them."""
    alike: dict[str, set[str]] = {}
    for phrase in phrases:
        alike.setdefault(_initials(phrase.split()), set()).add(phrase)
    meant = set()
    for letters, names in alike.items():
        bracketed = {name for name in names if re.search(rf"{re.escape(name)} \(\W*{letters}\W*\)", text)}
        explained = re.findall(rf"\b{'[.]?'.join(letters)}[.]? \(([^()]+)\)", text)  # US (Union of Sailors)
        explained = [name for name in explained if _initials(name.split()) == letters]
        if explained or f"({letters})" in text:
            meant |= bracketed | names.intersection(explained)
        elif len(names) == 1:
            meant |= names
    return meant


def _acronyms(words: list[Word], names: Iterable[tuple[range, str]], initials: Mapping[str, str]) -> list[Word]:
    """The words with the initials of names for the names, the last ones first."""
    for span, phrase in names:
        last = words[span[-1]]
        text = initials[_initials(phrase.split())]
        written = f"{text}'s" if _is_possessive(last) else text
        name = replace(last, text=written, key=written.lower(), lemma=text.lower(), tag="PROPN", form="NNP")
        words = _merged(words, span, span[-1], name)
    return words


def _usual_initials(words: list[Word], initials: Mapping[str, str]) -> list[Word]:
    """The words with the initials that headlines usually have for a phrase: *U.S.* for *United States*."""
    usual = shorter_forms().initials
    keys = [without_owner(word.key) for word in words]
    for end in range(len(words), 1, -1):
        for begin in range(max(0, end - _LONGEST), end - 1):
            written = usual.get(" ".join(keys[begin:end]))
            if written is None:
                continue
            part, inside = words[begin:end], range(begin, end)
            own = initials.get(plain_initials(written)) if written else None
            tops = [i for i in inside if words[i].head == i or words[i].head not in inside]
            apart = any(word.closing or word.opening for word in part[:-1]) or any(word.quotation for word in part)
            if own is None and len(tops) == 1 and not apart:
                text = f"{written}'s" if _is_possessive(part[-1]) else written
                kind = ("PROPN", "NNP") if part[0].text[0].isupper() else ("NOUN", "NN")
                name = replace(part[-1], text=text, key=text.lower(), lemma=written.lower(), tag=kind[0], form=kind[1])
                return _usual_initials(_merged(words, inside, end - 1, name), initials)
    return words


def _names(words: Sequence[Word]) -> Iterator[range]:
    """The positions of names: adjacent proper nouns, without *Inc* after them."""
    begin = 0
    for i, word in enumerate(words):
        if word.tag != "PROPN" or is_label(word):
            begin = i + 1
            continue
        last = i + 1 == len(words) or word.closing or words[i + 1].tag != "PROPN" or is_label(words[i + 1])
        if last or _is_possessive(word):
            yield range(begin, i + 1)
            begin = i + 1


def _name(words: Sequence[Word], name: Sequence[int]) -> Name:
    return tuple(without_owner(words[i].key).rstrip(".") for i in name)


def _is_possessive(word: Word) -> bool:
    return word.text.endswith(("'s", "’s"))


def _possessive(word: Word) -> Word:
    if word.text.endswith("s"):
        return replace(word, closing="'" + word.closing)
    return replace(word, text=f"{word.text}'s", key=f"{word.key}'s")


def _short_names(words: list[Word], names: Set[Name]) -> list[Word]:
    """The words without the last words of names; their possessive goes to the word before."""
    for name in reversed(list(_names(words))):
        keys = _name(words, name)
        labeled = keys[-1] in LABELS and len(name) > 1 and not (len(name) == 2 and is_common_word(keys[0]))  # News Corp
        known = kept = len(name) - labeled  # Apple's, for Apple Inc's
        while kept > 1 and keys[kept - 1] in BUSINESSES:
            kept -= 1
        kept = kept if keys[:kept] in names else known
        if kept < len(name) and not any(words[i].quotation for i in name):
            last = name[kept - 1]
            short = _possessive(words[last]) if _is_possessive(words[name[-1]]) else words[last]
            words = _merged(words, name[kept - 1 :], last, short)
    return words


def _percent_signs(words: list[Word]) -> list[Word]:
    """The words with *4.5%* for *4.5 percent* and *4.5 per cent*."""
    for i in reversed(range(len(words))):
        following = [word.key for word in words[i + 1 : i + 3]]
        length = 1 if following[:1] and following[0] in _PERCENT else 2 if following == ["per", "cent"] else 0
        parts = words[i : i + length]
        fixed = any(word.closing for word in parts) or any(word.quotation for word in words[i : i + length + 1])
        if length and _FIGURE.fullmatch(words[i].text) and not fixed:
            for k in dependents(words, i):
                hang(words, k, i, "nummod")  # *about* stays with the number
            text = f"{words[i].text}%"
            percent = replace(words[i + length], text=text, key=text, lemma="percent")
            words = _merged(words, range(i, i + length + 1), i + length, percent)
    return words


def _merged(words: Sequence[Word], span: range, kept: int, word: Word) -> list[Word]:
    """The words with a single word in place of several. It has their dependents, and the head of their top.

    `word` is the new form of the word at `kept`.
    """
    tops = [i for i in span if not any(is_below(words, i, k) for k in span if k != i)]
    top = words[kept if kept in tops else tops[0]]

    def moved(head: int) -> int:
        return head if head < span.start else max(span.start, head - len(span) + 1)

    closing = word.closing if kept == span[-1] else word.closing + words[span[-1]].closing
    word = replace(word, head=top.head, relation=top.relation, opening=words[span.start].opening, closing=closing)
    result = [*words[: span.start], word, *words[span.stop :]]
    return [replace(other, head=moved(other.head)) for other in result]
