"""Decoding of UTF-8, and advice on files in other encodings."""

import codecs
import re

from widl.common.errors import InputError

LONGEST_LINE = 1 << 26  # bytes; a small file can decompress to an endless file

_UTF16 = "it is UTF-16: convert it with iconv -f UTF-16 -t UTF-8"
_RENAME = "it is compressed by {}: give it a name that ends in {}, or decompress it ({} -dc)"
_UNPACK = "it is compressed by {}: decompress it ({})"
_OTHER_FORMATS = {
    b"\x1f\x8b": _RENAME.format("gzip", ".gz", "gzip"),
    b"\xfd7zXZ\x00": _RENAME.format("xz", ".xz", "xz"),
    b"BZh": _RENAME.format("bzip2", ".bz2", "bzip2"),
    b"\x28\xb5\x2f\xfd": _UNPACK.format("zstd", "zstd -dc"),
    b"\x04\x22\x4d\x18": _UNPACK.format("lz4", "lz4 -dc"),
    b"\x1f\x9d": _UNPACK.format("compress", "gzip -dc"),
    b"PK\x03\x04": _UNPACK.format("zip", "unzip -p"),
    b"7z\xbc\xaf\x27\x1c": _UNPACK.format("7z", "7z x"),
    codecs.BOM_UTF16_LE: _UTF16,
    codecs.BOM_UTF16_BE: _UTF16,
}
"""Advice on files that are not UTF-8 text, by their first bytes."""
FIRST_BYTES = 10
"""As many as tell the format."""
_BZIP2_BLOCK = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")  # text may begin with its first three bytes
UNWRITTEN = {
    ".zst": "zstd",
    ".zstd": "zstd",
    ".lz4": "lz4",
    ".lzma": "lzma",
    ".z": "compress",
    ".zip": "zip",
    ".7z": "7z",
}
"""Endings of names of compressed files that are not written, and what compresses these."""


def encoding_hint(begin: bytes) -> str:
    r"""Advice on a file with these first bytes; empty if unknown.

    >>> encoding_hint(b"\x28\xb5\x2f\xfd..."), encoding_hint(b"BZh is a text")
    ('it is compressed by zstd: decompress it (zstd -dc)', '')
    """
    first = next((first for first in _OTHER_FORMATS if begin.startswith(first)), None)
    if first is None or (first == b"BZh" and not _BZIP2_BLOCK.match(begin)):
        return ""
    return _OTHER_FORMATS[first]


def refuse_other_formats(begin: bytes, name: object) -> None:
    """Raises InputError for the first bytes of UTF-16 (a byte-order mark, or ASCII letters with zero bytes between), or
    of a compressed file.
    """
    hint = encoding_hint(begin)
    if not hint and re.match(rb"[\t\n\r -~]\0[\t\n\r -~]\0", begin):
        hint = _UTF16
    if hint:
        raise InputError(f"{name}: no UTF-8 text; {hint}")


def refuse_unwritten(name: object) -> None:
    """Raises InputError for the name of an output that would have to be compressed in a way that is not written."""
    suffix = next((suffix for suffix in UNWRITTEN if str(name).lower().endswith(suffix)), None)
    if suffix is not None:
        raise InputError(
            f"{name}: {UNWRITTEN[suffix]} is not written; name a .gz, .xz or .bz2 file, or compress it after"
        )


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
