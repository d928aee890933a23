"""Decoding of UTF-8, and advice on files in other encodings."""

import codecs
import re

from widl.common.errors import InputError

LONGEST_LINE = 1 << 26  # bytes; a small file can decompress to an endless file

_UTF16 = "it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8"
_OTHER_FORMATS = {
    b"\x1f\x8b": "it is compressed by gzip: give it a name that ends in .gz, or decompress it (gzip -dc)",
    codecs.BOM_UTF16_LE: _UTF16,
    codecs.BOM_UTF16_BE: _UTF16,
}
"""Advice on files that are not UTF-8 text, by their first bytes."""


def encoding_hint(begin: bytes) -> str:
    """Advice on a file with these first bytes; empty if unknown."""
    return next((way for first, way in _OTHER_FORMATS.items() if begin.startswith(first)), "")


def refuse_utf16(begin: bytes, name: object) -> None:
    """Raises InputError if the first bytes are UTF-16: a byte-order mark, or ASCII letters with zero bytes between."""
    if encoding_hint(begin) == _UTF16 or re.match(rb"[\t\n\r -~]\0[\t\n\r -~]\0", begin):
        raise InputError(f"{name}: no UTF-8 text; {_UTF16}")


def decoded_line(line: bytes, name: str, number: int) -> str:
    """The text of a line of UTF-8, as `read_lines` yields it; errors call the file by `name`."""
    if len(line) > LONGEST_LINE:
        raise InputError(
            f"{name}:{number}: longer than {LONGEST_LINE >> 20} MB, probably not text; break it into lines"
        )
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        invalid = line[error.start : error.end].hex(" ")
        way = encoding_hint(line) if number == 1 else ""
        raise InputError(
            f"{name}:{number}: invalid UTF-8 (bytes {invalid} at byte {error.start + 1} of the line); "
            + (way or "convert the file to UTF-8, for instance with iconv")
        ) from None
    text = text.removesuffix("\n").removesuffix("\r")
    return text.removeprefix("\ufeff") if number == 1 else text
