"""Headlines of tables of results, as companies publish them: *Net 74 cts a share against 79 cts*.

A table is lines of a label and two amounts with *vs* or *against* between them. What it says of a share and of the
whole become headlines, with the company's name if the text gives it, and with the period.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from widl.headline.clauses import Clause
from widl.headline.lexicon import word_set
from widl.headline.pieces import Leaf, Piece, Said, options, row
from widl.headline.words import Word, is_label

_SHARE = word_set("shr share shrs")
_WHOLE = word_set("net profit earnings income loss")
_LABELS = word_set("oper opr operating group final primary diluted consolidated parent pretax pre-tax attributable")
_VERSUS = word_set("vs versus against")
_SIGNED = word_set("loss profit nil deficit")
_PERIOD = re.compile(r"(?:\w+ )?(?:qtr|quarter|year|yr|months|mths|half|period)$")
_LONGEST_LINE = 14
_LINES = 12


@dataclass(frozen=True)
class _Line:
    """A line of a table: its label, and the amounts of this period and the one before."""

    number: int
    label: Sequence[Said]
    now: Sequence[Said]
    before: Sequence[Said]


def table_clauses(sentences: Sequence[Sequence[Word]]) -> list[Clause]:
    """The headlines of a table of results at the beginning of a document; none if it begins with something else."""
    lines = [line for number, words in enumerate(sentences[:_LINES]) if (line := _read(number, words)) is not None]
    period = _period(sentences[0]) if sentences else None
    if not lines or lines[0].number > (3 if period else 1):
        return []
    name = _name(sentences)
    found = []
    for line in lines:
        piece = _piece(line, named=bool(name))
        if piece is None:
            continue
        with_name = row([Leaf(name), piece]) if name else piece
        alternatives: list[tuple[Piece, float]] = [(with_name or piece, math.log(0.6))]
        if period is not None and (whole := row([with_name, Leaf(period)])) is not None:
            alternatives.append((whole, math.log(0.4)))
        chosen = options(alternatives)
        if chosen is not None:
            found.append(Clause(chosen, 0, -0.1 * line.number))
        if len(found) == 2:  # the share and the whole, of this period
            break
    return found


def _read(number: int, words: Sequence[Word]) -> _Line | None:
    """A line *Oper shr loss 13 cts vs profit 12 cts*; None for any other."""
    said = [Said(word, number, i) for i, word in enumerate(words)]
    middle = next((i for i, word in enumerate(words) if word.key in _VERSUS), None)
    if middle is None or len(words) > _LONGEST_LINE:
        return None
    at = 0
    while at < middle and words[at].key in _LABELS | _SHARE | _WHOLE - _SIGNED:
        at += 1
    if at == 0 and words[0].key not in _WHOLE:
        return None
    now, before = said[at:middle], [word for word in said[middle + 1 :] if word.word.key not in _SHARE | {"net"}]
    end = next((i for i, word in enumerate(before) if "," in word.word.closing), len(before) - 1)
    before = before[: end + 1]
    if not _amount(now) or not _amount(before):
        return None
    return _Line(number, said[:at], now, before)


def _amount(words: Sequence[Said]) -> bool:
    """Whether there is a number, in figures or letters."""
    return any(said.word.tag == "NUM" or said.word.key[:1].isdigit() or said.word.key == "nil" for said in words)


def _piece(line: _Line, *, named: bool) -> Piece | None:
    """*Net 74 cts a share against 79 cts*, *loss 3,672,000 against profit 12,000*; behind a name in small letters."""
    labels = {said.word.key for said in line.label}
    shared = bool(labels & _SHARE)
    if not shared and not labels & _WHOLE and line.now[0].word.key not in _SIGNED:
        return None
    first = line.now[0]
    kept = [said for said in line.label if said.word.key in _LABELS]
    kind = [] if first.word.key in _SIGNED - {"nil"} else [_made(first, "net")]
    link = [_made(first, word) for word in (("a", "share") if shared else ())]
    words = (*kept, *kind, *line.now, *link, _made(first, "against"), *line.before)
    printed = tuple(said.marked() for said in words)
    if named and printed[0].word.text.istitle():
        printed = (replace(printed[0], word=replace(printed[0].word, text=printed[0].word.text.lower())), *printed[1:])
    return Leaf(printed)


def _made(like: Said, text: str) -> Said:
    """A word that the line only implies."""
    word = replace(like.word, text=text, key=text, lemma=text, tag="NOUN", opening="", closing="")
    return Said(word, like.sentence, like.position, share=0.0)


def _period(words: Sequence[Word]) -> tuple[Said, ...] | None:
    """*Year to March 31*, *qtr ended May 31*."""
    keys = [word.key for word in words]
    for end in range(1, min(3, len(keys)) + 1):
        if _PERIOD.fullmatch(" ".join(keys[:end])) and len(keys) <= 7 and "ends" not in keys:
            said = [Said(word, 0, i) for i, word in enumerate(words)]
            return (_made(said[0], "in"), *(word.marked() for word in said))
    return None


def _name(sentences: Sequence[Sequence[Word]]) -> tuple[Said, ...]:
    """The company's name, where the table has a note *Full name is …*."""
    for number, words in enumerate(sentences):
        for i in range(len(words) - 3):
            if [word.key for word in words[i : i + 2]] == ["full", "name"]:
                begin = next((k for k in range(i + 2, len(words)) if words[k].key in {"is", "are"}), None)
                if begin is None:
                    return ()
                run = [Said(word, number, k) for k, word in enumerate(words) if k > begin and word.text[:1].isupper()]
                return tuple(said.marked() for said in run if not is_label(said.word))
    return ()
