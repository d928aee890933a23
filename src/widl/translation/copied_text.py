"""Text that is only copied: tags, addresses, references of HTML, and foreign words."""

import re
from collections.abc import Iterator
from html import unescape

from widl.text.normalization import HAN
from widl.text.segmentation import ADDRESS
from widl.translation.html_tags import TAG
from widl.translation.line_parts import GivenTranslations, Part

# <, > and & of HTML; an & may be inside of a word: AT&amp;T.
_WRITTEN = r"&(?:amp|lt|gt|#0*(?:38|60|62)|#[xX]0*(?:26|3[cCeE]));"
_PATH = r"(?<![A-Za-z])[A-Za-z]:\\[!-~]+"  # of Windows
_TAGS = re.compile(TAG)
_COPIED = re.compile(
    rf"{TAG}|{ADDRESS}|{_PATH}|(?<![!-~])[#@＃＠](?=[{HAN}])|(?<=[{HAN}])[#＃](?![A-Za-z0-9])|(?<![A-Za-z0-9])[A-Za-z0-9]+&amp;[A-Za-z0-9]+|&lt;/?[A-Za-z][A-Za-z0-9:-]*/?&gt;|{_WRITTEN}"
)
_OTHER = r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);"
_COPIED_OR_CHARACTER = re.compile(rf"{_COPIED.pattern}|(?P<character>{_OTHER})")
_WORD = r"(?:[@#]|\.(?=[A-Z]{2}))?[A-Za-z][A-Za-z0-9_.'’&/+#-]*"
_COUNTED = "〇零一二两三四五六七八九十百千万亿兆多余几来年月日号时点分秒岁元美欧英港日"
_NUMBER = r"[0-9][A-Za-z0-9_.-]*"
# A number at the end may be of what follows: it belongs to the name only if no Chinese word does.
_NAME = (
    rf"(?<![!-~])(?<![!-~] ){_WORD}(?:，? (?:{_WORD}|{_NUMBER}))*(?:，? {_WORD}|(?: {_NUMBER})+(?! ?[{HAN}]|[%:,]))"
    r"(?<![.'’/-])(?![!-~])"
)
_WORD_WITH_DIGITS = rf"(?<![!-~])(?=[!-~]*?[0-9]){_WORD}(?<![.'’/-])(?![!-~])(?!(?<=[0-9])[{_COUNTED}])"
_NAME_OR_WORD = re.compile(f"{_NAME}|{_WORD_WITH_DIGITS}")


def with_characters(line: str) -> str:
    """A line of HTML with characters for references, such as &nbsp;, except for those of <, > and &.

    >>> with_characters('<a title="&quot;">中&#22269;</a>&hellip; &lt; 5')
    '<a title="&quot;">中国</a>… &lt; 5'
    """
    return _COPIED_OR_CHARACTER.sub(lambda match: unescape(match[0]) if match["character"] else match[0], line)


def find_copied(line: str) -> Iterator[tuple[int, int, Part]]:
    r"""Tags, addresses, and &amp;, &lt; and &gt; of a raw line, which no rule and no glossary looks into.

    So are the signs of a Chinese tag or user, and paths of Windows.

    >>> [part.tokens for _, _, part in find_copied(r'#世界杯#，@李雷 C:\a b')]
    [('#',), ('#',), ('@',), ('C:\\a',)]
    >>> [part.tokens for _, _, part in find_copied('1 < 2, <a href="x y">见</a>x.cn/a--b，AT&amp;T')]
    [('<a', 'href="x', 'y">'), ('</a>',), ('x.cn/a--b',), ('AT&amp;T',)]
    """
    return _copied(_COPIED, line)


def find_tags(line: str) -> Iterator[tuple[int, int, Part]]:
    """Tags alone, of a line of tokens."""
    return _copied(_TAGS, line)


def _copied(pattern: re.Pattern[str], line: str) -> Iterator[tuple[int, int, Part]]:
    for match in pattern.finditer(line):
        words = tuple(match[0].split())
        yield match.start(), match.end(), Part(given=GivenTranslations(((words, 1.0),), copied=True), tokens=words)


def find_foreign_words(text: str) -> Iterator[tuple[int, int, Part]]:
    """Words in letters of a normalized Chinese text, no parts of which are numbers: several in a row, or with digits.

    Several in a row may stay together.

    >>> [part.text for _, _, part in find_foreign_words("iPhone 15 Pro、Windows 10，G20和Galaxy S 20部、AI、RMB20亿")]
    ['iPhone 15 Pro', 'Windows 10', 'G20', 'Galaxy S']
    """
    for match in _NAME_OR_WORD.finditer(text):
        words = tuple(match[0].replace("，", " ，").split())  # a blank behind a comma: English text
        given = GivenTranslations.evenly([words], exclusive=False) if len(words) > 1 else None
        yield match.start(), match.end(), Part(match[0], given, tokens=words)
