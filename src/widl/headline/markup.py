"""Extracts plain paragraphs from text with markup, entities, unusual white space and wrapped lines."""

import html
import re
from collections.abc import Iterable, Iterator

from widl.headline.datelines import is_heading
from widl.headline.quotations import outside
from widl.headline.word_lists import word_list, word_set

_BLOCKS = word_set(
    "address article aside blockquote body br caption center dd div dl dt fieldset figcaption figure footer form frame "
    "frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main meta nav noscript ol option p pre "
    "script section select style table tbody td tfoot th thead title tr ul"
)
_INLINE = word_set(
    "a abbr acronym audio b base bdi bdo big button canvas cite code col data del dfn em embed font i img input ins "
    "kbd label map mark meter object param picture q rp rt ruby s samp small source span strike strong sub sup svg "
    "time track tt u var video wbr"
)
HTML_ELEMENTS = _BLOCKS | _INLINE
_HIDDEN = frozenset({"script", "style", "title"})  # their content is not part of the text

# A tag has only attributes after its name: <Dairy Farm Holdings Ltd> and <KWIK.L> of a news wire are text.
_TAG = re.compile(
    r"<!--|<!doctype[^<>]*>|<\?xml[^<>]*>|<(/?)([A-Za-z][A-Za-z0-9]*)(?:\s*/?|\s[^<>=]*=[^<>]*)>", re.IGNORECASE
)
_CERTAIN = re.compile(r"</([A-Za-z][A-Za-z0-9]*)\s*>|<([a-z][a-z0-9]*)(?:\s*/?|\s[^<>=]*=[^<>]*)>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INVISIBLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\ud800-\udfff]"
)
_ENDING = re.compile(r"[.!?:;][\"')\]”’]*$")
_WRAPPED = 100  # no line of wrapped text is longer


def decode_entities(text: str) -> str:
    """``&amp;`` and the like as characters; a lone ``&`` (AT&T) and unknown entities stay."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), text)


def paragraphs_of_html(text: str) -> str:
    """Text without HTML tags, comments and entities; block tags become line ends.

    Text counts as HTML when it has a closing tag or a lowercase opening tag: ``<S>`` and ``<P>`` are companies on a
    news wire. The time is linear in the length for any text.
    """
    if any((tag[1] or tag[2]).lower() in HTML_ELEMENTS for tag in _CERTAIN.finditer(text)):
        text = "".join(_without_tags(text))
    return decode_entities(text)


def _without_tags(text: str) -> Iterator[str]:
    position = 0
    for tag in _TAG.finditer(text):
        if tag.start() < position:  # inside a comment or script
            continue
        name = (tag[2] or "").lower()
        if name and name not in _BLOCKS and name not in _INLINE:
            continue
        yield text[position : tag.start()]
        position = tag.end()
        if name in _BLOCKS:
            yield "\n"
        end = "-->" if tag[0] == "<!--" else f"</{name}" if name in _HIDDEN and not tag[1] else None
        if end is not None:
            closing = re.compile(end, re.IGNORECASE).search(text, position)
            if closing is None:  # the rest is not text
                return
            position = closing.end() if end == "-->" else closing.start()
    yield text[position:]


def paragraphs_of_text(text: str) -> list[str]:
    """The paragraphs of a plain file: separated by blank lines, or one per line if there are none.

    Without blank lines, lines that were plainly broken at some width (none is long, and most do not end in a period)
    are one paragraph.
    """
    lines = [line.strip() for line in paragraphs_of_html(text).splitlines()]
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line:
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    filled = [paragraph for paragraph in paragraphs if paragraph]
    if len(filled) == 1 and not _is_wrapped(filled[0]):
        return filled[0]
    return [" ".join(paragraph) for paragraph in filled]


def _is_wrapped(lines: list[str]) -> bool:
    if sum(" vs " in line for line in lines) * 2 > len(lines) or is_heading(lines[0]):  # rows of a table, a list
        return False
    unfinished = sum(1 for line in lines[:-1] if not _ENDING.search(line))
    return max(map(len, lines)) <= _WRAPPED and unfinished > len(lines) // 2


def clean_paragraphs(paragraphs: Iterable[str]) -> Iterator[str]:
    """The paragraphs with single spaces and without invisible characters; empty paragraphs are dropped."""
    for paragraph in paragraphs:
        if text := " ".join(_INVISIBLE.sub("", paragraph).split()):
            yield text


# "Ohio Edison Co <OEC>", "<Wallco Inc>": parsers stumble over these.
_SYMBOL = re.compile(r"(?<=[\w.'’&]) ?<(?!UNK>)[A-Z0-9][A-Za-z0-9.&/-]{0,6}(?: [A-Z]{2})?>")
_BRACKETED_NAME = re.compile(r"<(?!UNK>)([A-Z][^<>=]{2,80}|[A-Z0-9.]{1,12})>")
# "gross national product (GNP)", "IBM (NYSE: IBM)", "A$3 billion ( $2.5 billion)": parentheticals that headlines never
# have.
_ASIDE = re.compile(r"(?: \([^()]{1,60}\)|(?<=\w)\([A-Z]{2,6}\))(?=[\s,.;:'’\"”]|$)")
# "outbreaks of measles -- once almost forgotten -- are": a short aside between two dashes of a sentence.
_DASHED = re.compile(r"(?<=[\w,%]) (?:--|–|—) [^.!?;:()–—]{1,90}? (?:--|–|—)(?= [a-z])")
_CODE = re.compile(
    r" (?:[A-Z]{2,6}[a-z]?|[0-9]{4})\.[A-Z]{1,2}\b(?=[ ,;:]|'s|$)"
)  # "Albertsons ABS.N, No 2 U.S. grocer"
_LETTER_CODE = re.compile(r"(\b(?:Corp|Inc|Co)\.?) [A-Z]\.[NLO](?=[ ,;:]|'s|$)")  # "Ford Motor Co. F.N on Wednesday"
# The end of a word behind a link of a wiki: "the Zimbabwe an government", "Islam ic militants", "Shi'ite s"
_TORN_END = re.compile(r"\b([A-Z][a-z]{3,}) (an(?= [b-dfgj-np-tv-z])|(?:ic|ans|ians|ese)\b)")
_TORN_PLURAL = re.compile(r"(?<='ite) (?=s\b)")
# Entities that lost their "&" on the way: "AT amp;T", "#39;s"
_LOST_ENTITY = re.compile(r" ?(?<![&\w])(amp|quot|#39);")
_OPENING_QUOTE = re.compile(r"(?<![&\w])quot;(?=\w)")
_ENTITIES = {"amp": " &", "quot": '"', "#39": "'"}
_GLUED_DASH = re.compile(r"(?<=\w)--(?=\w)")  # "a standard--received"
# News wires capitalize the word after an abbreviation's period: "the U.S. Dollar". These words do not begin a sentence.
_AFTER_STOP = re.compile(r"(?<=\b[A-Z]\.[A-Z]\. )(And|Dlrs?|Dollars?|Cents?|Has|Is|Was|Will|Would|Said|Based)\b")


def without_symbols(text: str) -> str:
    """A paragraph for a parser: without stock symbols, brackets around names, and parentheticals outside of quotations.

    >>> without_symbols("Ohio Edison Co <OEC> and <Wallco Inc> owe three mln U.S. Dlrs to a bank (EEB).")
    'Ohio Edison Co and Wallco Inc owe three mln U.S. dlrs to a bank.'
    >>> without_symbols("It paid A$3 billion ( $2.5 billion) for quot;Norvik quot; in May.")
    'It paid A$3 billion for "Norvik" in May.'
    """
    text = _OPENING_QUOTE.sub('"', text)
    text = _LOST_ENTITY.sub(lambda entity: _ENTITIES[entity[1]], text)
    return "".join(_simplified(piece) if free else piece for piece, free in outside(text))


def _simplified(text: str) -> str:
    text = _DASHED.sub(_without_plain_aside, _GLUED_DASH.sub(" -- ", text))
    text = _ASIDE.sub("", _BRACKETED_NAME.sub(r"\1", _SYMBOL.sub("", text)))
    text = _LETTER_CODE.sub(r"\1", _CODE.sub("", text))
    text = _TORN_PLURAL.sub("", _TORN_END.sub(r"\1\2", text))
    return _AFTER_STOP.sub(lambda word: word[0].lower(), text)


def _without_plain_aside(aside: re.Match[str]) -> str:
    """Nothing in place of an aside, unless it denies, doubts or limits: *said -- falsely -- that*."""
    words = {word.strip(",'\"") for word in aside[0].lower().split()}
    weighty = any(not words.isdisjoint(word_list(name)) for name in ("negations", "doubts", "conditions", "exceptions"))
    return aside[0] if weighty else ""


_DIGIT_SIGN = re.compile(r"#(?=[#.,:/-]*(?:%|-[a-z]|(?:th|st|nd|rd|s|m|bn)?(?![\w#])))")


def with_digits(text: str) -> str:
    """The text with a digit for each ``#`` that stands for one, which a parser does not know.

    >>> with_digits("rates at # percent, ##.#%, the ##th, #MeToo, #1")
    'rates at 1 percent, 11.1%, the 11th, #MeToo, #1'
    """
    return _DIGIT_SIGN.sub("1", text)
