"""The words of parsed sentences: tokens between spaces are one word."""

import re
from dataclasses import replace

from widl.headline.parsing import ParsedDocument, Sentence
from widl.headline.repairs import repaired
from widl.headline.word_lists import PEOPLES
from widl.headline.words import Word, bare, has_letters


def word_groups(sentence: Sentence) -> list[list[int]]:
    """The positions of each word's tokens, punctuation included."""
    groups: list[list[int]] = []
    for position in range(len(sentence)):
        if position and not sentence[position - 1].space:
            groups[-1].append(position)
        else:
            groups.append([position])
    return groups


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
    return repaired(_without_cycles(marked))


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
    return Word(text, text.lower(), lemma, tag, head, relation, form=token.form, place=number, vector=token.vector)


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
