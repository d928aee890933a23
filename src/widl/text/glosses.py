"""Entries of bilingual dictionaries, and their glosses without the lexicographer's notes."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.text.normalization import HAN_CHARACTER

_CEDICT = re.compile(r"(\S+) (\S+) \[([^\]]*)\] /(.+)/")
_NOTE = re.compile(r"\s*(?:\([^()]*\)|（[^（）]*）|\[[^\[\]]*\])")
# The rest refers to another entry, or describes a word's function instead of its meaning.
_REMARK = re.compile(
    r"CL:|see\b|also (?:written|pr\.|called|known)|(?:Taiwan |old |Beijing |coll\. |also )?pr\. |abbr\. |cf\. |lit\. "
    r"|(?:\w+ )?(?:variant|form) (?:of|for)\b|used (?:in|to|as|for|at|before|after|with)\b|equivalent (?:of|to)\b"
    r"|(?:sentence-final |modal |auxiliary |structural )?(?:particle|classifier|interjection|suffix|prefix|marker)\b"
    r"|short for\b|same as\b|indicates?\b|indicating\b|measure word\b|phonetic\b|Kangxi radical\b|radical in\b"
    r"|one of the\b|name of\b|loanword\b|onomatopoeia\b|idiom\b|bound form\b"
)
_OPENING = re.compile(r"^(?:to be |to |fig\. |esp\. |i\.e\. |surname )+")
_SHORT = {"sb": "somebody", "sth": "something", "sb's": "somebody's", "sth's": "something's"}


class Entry(NamedTuple):
    """The spellings of a word in a dictionary, and its glosses, the most common first."""

    words: tuple[str, ...]
    glosses: tuple[str, ...]


def read_dictionary(path: PathLike) -> Iterator[Entry]:
    """The entries of a file, `.gz` by name; each line is in one of two forms.

    ``traditional simplified [pin1 yin1] /gloss/gloss/`` is CC-CEDICT's, where glosses have notes, which are removed.
    ``word<TAB>gloss[<TAB>gloss…]`` has glosses that are used unchanged. Empty lines are skipped, and lines that begin
    with ``#``. Entries whose glosses were all notes have no gloss.

    Raises InputError with the line number for a line in neither form.
    """
    for number, line in enumerate(read_lines(path), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if (entry := _cedict_entry(text) or _column_entry(line)) is None:
            raise InputError(
                f"{path}:{number}: expected CC-CEDICT's 'traditional simplified [pin1 yin1] /gloss/', or "
                f"'word<TAB>gloss[<TAB>gloss…]' with nothing of it empty, found {text[:60]!r}"
            )
        yield entry


def _cedict_entry(text: str) -> Entry | None:
    match = _CEDICT.fullmatch(text)
    if match is None:
        return None
    traditional, simplified, _, glosses = match.groups()
    words = (simplified,) if simplified == traditional else (simplified, traditional)
    cleaned = (part for gloss in glosses.split("/") for part in cleaned_glosses(gloss))
    return Entry(words, tuple(dict.fromkeys(cleaned)))


def _column_entry(line: str) -> Entry | None:
    word, *glosses = (field.strip() for field in line.rstrip("\r\n").split("\t"))
    return Entry((word,), tuple(dict.fromkeys(glosses))) if word and glosses and all(glosses) else None


def cleaned_glosses(gloss: str) -> list[str]:
    """The translations in a gloss of CC-CEDICT; empty for a remark.

    >>> cleaned_glosses("to raise (a flag); to hoist"), cleaned_glosses("CL:個|个[ge4]"), cleaned_glosses("surname Wei")
    (['raise', 'hoist'], [], ['Wei'])
    >>> cleaned_glosses("Xiamen or Amoy, subprovincial city in Fujian"), cleaned_glosses("to thank sb (for help)")
    (['Xiamen', 'Amoy'], ['thank somebody'])
    """
    while (shorter := _NOTE.sub("", gloss)) != gloss:  # nested notes, innermost first
        gloss = shorter
    return [part for piece in gloss.split(";") for part in _cleaned(" ".join(piece.split()))]


def _cleaned(gloss: str) -> Sequence[str]:
    if _REMARK.match(gloss) or HAN_CHARACTER.search(gloss):
        return []
    gloss = _OPENING.sub("", gloss)
    is_name = gloss[:1].isupper()
    if is_name:  # the rest describes the person or place
        gloss = gloss.partition(",")[0]
    parts = gloss.split(" or ") if is_name else [gloss]
    glosses_ = []
    for part in parts:
        words = [_SHORT.get(word, word) for word in part.strip(" .,…!?").split()]
        if words and any(map(str.isalnum, part)):
            glosses_.append(" ".join(words))
    return glosses_
