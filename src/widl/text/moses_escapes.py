"""The escapes of Moses' tokenizer: characters that stand for something in its files are written as entities."""

from html import unescape

_ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_TABLE = str.maketrans(_ESCAPES)
_OLD = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}


def escaped(text: str) -> str:
    """The text as Moses' tokenizer writes it.

    >>> escaped("it 's [sic] & |")
    'it &apos;s &#91;sic&#93; &amp; &#124;'
    """
    return text.translate(_TABLE)


def unescaped(text: str) -> str:
    """The text with its characters as they are, those of older versions of Moses too.

    >>> unescaped("it &apos;s &bra;sic&ket; &amp; &#124;")
    "it 's [sic] & |"
    """
    if "&" not in text:
        return text
    for old, character in _OLD.items():
        text = text.replace(old, character)
    return unescape(text)
