"""Words that neither a phrase table nor a dictionary has: they are written in pinyin."""

from widl.text.pinyin import capitalized_pinyin, pinyin
from widl.translation.line_parts import GivenTranslations
from widl.translation.names import is_name, named

_LONGEST_WORD = 6
"""Characters of a word in pinyin."""


def in_pinyin(token: str) -> GivenTranslations | None:
    """A word in pinyin; None for long words.

    Names are capitalized: their characters transcribe foreign names, or they end as place names do. Other words are in
    lower case, so that a reader sees that they are not translated.

    >>> [in_pinyin(word).alternatives[0][0] for word in ("阿尔诺", "乌镇", "纸浆")]
    [("A'ernuo",), ('Wuzhen',), ('zhijiang',)]
    """
    written = pinyin(token) if len(token) <= _LONGEST_WORD else ""
    if not written:
        return None
    if is_name(token):
        return named([[capitalized_pinyin(token)]])
    return GivenTranslations((((written,), 1.0),), exclusive=False, origin="pinyin", count=len(token))
