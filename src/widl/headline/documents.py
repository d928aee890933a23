"""Readers of documents: text, JSON lines or SGML. Damaged documents are reported in their place."""

import codecs
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, kind_of, paths_of, reject_text, text_of
from widl.common.encodings import LONGEST_LINE, encoding_hint
from widl.common.errors import InputError
from widl.common.files import Source, bounded_lines, missing_file, open_source, source_name, standard_input
from widl.common.streams import arrives, byte_runs
from widl.headline.datelines import without_datelines
from widl.headline.markup import clean_paragraphs, paragraphs_of_html, paragraphs_of_text
from widl.headline.sgml import is_other_markup, is_sgml, read_sgml

DOCUMENT_KEYS = frozenset({"text", "id", "headline", "headlines", "summaries", "compressions"})
"""Keys that are read from a JSON object."""
_ARRAY = re.compile(rb"\[\s*[{\]]")  # "[1] A footnote" is text
_LOOKED_AT = 1000


@checked
@dataclass(frozen=True, slots=True)
class Document:
    r"""A text that needs a headline.

    `identifier` comes from the document; otherwise, it is the file's name, with the line number for files of several
    documents. `text` is plain: no markup, single spaces, a paragraph per line. `headlines` are the author's or
    annotators', if known; they are references, and no system reads them. `compressions` are shortened versions of the
    text with words deleted: headline models learn deletions from them. `keys` are the keys of the object that it was
    read from.
    """

    identifier: str
    text: str
    headlines: tuple[str, ...] = ()
    compressions: tuple[str, ...] = ()
    keys: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        text_of(self.identifier, "identifier")
        text_of(self.text, "text")


@dataclass(frozen=True, slots=True)
class UnreadableDocument:
    """A document that could not be read; `message` names the file, the line and the reason."""

    identifier: str
    message: str


def reference_streams(documents: Sequence[Document]) -> list[list[str | None]]:
    """The documents' headlines as streams, in sacrebleu's format for references; None if a document has fewer headlines
    than others.
    """
    most = max((len(document.headlines) for document in documents), default=0)
    padded = [[*document.headlines, *[None] * (most - len(document.headlines))] for document in documents]
    return [list(stream) for stream in zip(*padded, strict=True)]


@checked
def read_documents(files: Sequence[PathLike] | None = None) -> Iterator[Document | UnreadableDocument]:
    """The documents of files and directories in the order given, or of standard input.

    Each file may be JSON lines (its first character is ``{``: keys ``text``, and if known ``id``, ``headline`` or
    ``headlines``, ``summaries``, which are headlines, too, and ``compressions``), SGML (``<DOC>`` is first, or after
    declarations, comments and enclosing elements) or else plain text, which is one document; ``.gz`` is decompressed.
    Directories are read recursively, in order of name, except files whose name begins with a dot. A missing file is an
    error before anything is read; an unreadable document yields an `UnreadableDocument`, and the others follow.
    """
    if files is None:
        return _read_source(standard_input(), "stdin")
    expected = "a list of files and directories: [path]"
    paths = _all_files(paths_of(files, "files", expected))
    return itertools.chain.from_iterable(_read_source(path, path.name) for path in paths)


def document_runs(files: Sequence[PathLike] | None = None) -> Iterator[Iterator[Document | UnreadableDocument]]:
    """The same documents in runs (`widl.common.streams`): JSON lines from a pipe as they arrive, others in one run."""
    stdin = standard_input()
    if files is not None or not arrives(stdin):
        yield read_documents(files)
        return
    name, numbers = "stdin", itertools.count(1)
    head: list[bytes] = []  # while the format is undetermined
    start = b""
    for run in byte_runs(stdin, arriving=True):
        if not start:
            read, start = _head(run)
            head += read
        if start.startswith(b"{"):
            yield _read_json_lines(itertools.chain(head, run), source_name(stdin), name, numbers)
            head = []
        else:
            head += run
    if not start.startswith(b"{"):
        yield _read_stream(io.BytesIO(b"".join(head)), source_name(stdin), name)


def _all_files(files: Iterable[Path]) -> list[Path]:
    result: list[Path] = []
    for path in files:
        if path.is_dir():
            inside = sorted(entry for entry in path.rglob("*") if entry.is_file())
            inside = [entry for entry in inside if not _is_hidden(entry.relative_to(path))]
            if not inside:
                raise InputError(f"{path}: no files in this directory; give the directory that holds the documents")
            result += inside
        elif path.exists():
            result.append(path)
        else:
            raise missing_file(path)
    return result


def _is_hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _read_source(source: Source, name: str) -> Iterator[Document | UnreadableDocument]:
    """The documents of one file; a truncated file (damaged compression) ends with an `UnreadableDocument`."""
    try:
        with open_source(source) as stream:
            yield from _read_stream(stream, source_name(source), name)
    except (InputError, OSError) as error:
        yield UnreadableDocument(name, str(error))


def _read_stream(stream: BinaryIO, shown: str, name: str) -> Iterator[Document | UnreadableDocument]:
    lines = bounded_lines(stream)
    head, start = _head(lines)
    if start.startswith(b"{"):
        yield from _read_json_lines(itertools.chain(head, lines), shown, name, itertools.count(1))
        return
    following = stream.read()
    content = b"".join(head).removeprefix(codecs.BOM_UTF8) + following
    if _ARRAY.match(start + following[:_LOOKED_AT]):
        yield UnreadableDocument(name, f"{shown}: a JSON array; give an object a line, as 'jq -c .[]' writes them")
    elif Path(name.removesuffix(".gz")).suffix.lower() in {".csv", ".tsv"} or _is_header(start):
        yield UnreadableDocument(
            name, f"{shown}: a table; give an object a line, as 'mlr --icsv --ojsonl cat' writes them"
        )
    elif is_sgml(content):
        yield from _read_sgml_documents(content, shown, name)
    elif is_other_markup(content):
        yield UnreadableDocument(name, f"{shown}: XML or SGML without <DOC> elements; give JSON lines or plain text")
    else:
        yield _read_plain(content, shown, name)


def _head(lines: Iterable[bytes]) -> tuple[list[bytes], bytes]:
    """The lines up to the first nonblank line, and that line from its first character on; empty if all are blank."""
    head: list[bytes] = []
    for line in lines:
        head.append(line)
        if start := line.removeprefix(codecs.BOM_UTF8).lstrip():
            return head, start
    return head, b""


def _is_header(line: bytes) -> bool:
    """Whether a line is a table header with a ``text`` column."""
    columns = re.split(rb"[,;\t]", line.strip().lower())
    return len(columns) > 1 and b"text" in {column.strip().strip(b'"') for column in columns}


def _read_plain(content: bytes, shown: str, name: str) -> Document | UnreadableDocument:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return UnreadableDocument(name, f"{shown}:{line}: {_not_utf8(error)}")
    return Document(name, _finish(paragraphs_of_text(text)))


def document_of_text(identifier: str, text: str) -> Document:
    """A document of a string, cleaned as the text of a JSON line is: without tags, entities and datelines."""
    return Document(identifier, _finish(paragraphs_of_html(text).split("\n")))


def _not_utf8(error: UnicodeDecodeError) -> str:
    invalid = error.object[error.start : error.end].hex(" ")
    way = encoding_hint(error.object) or "convert the file to UTF-8, for instance with iconv"
    return f"invalid UTF-8 (bytes {invalid}); {way}"


def _finish(paragraphs: Iterable[str]) -> str:
    return without_datelines("\n".join(clean_paragraphs(paragraphs)))


def _read_json_lines(
    lines: Iterable[bytes], shown: str, name: str, numbers: Iterator[int]
) -> Iterator[Document | UnreadableDocument]:
    for line in lines:
        number = next(numbers)
        if len(line) > LONGEST_LINE:
            raise InputError(f"{shown}:{number}: longer than {LONGEST_LINE >> 20} MB, so hardly a document")
        line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if not line.strip():
            continue
        try:
            yield _document_of_json(line, f"{name}:{number}")
        except UnicodeDecodeError as error:
            yield UnreadableDocument(f"{name}:{number}", f"{shown}:{number}: {_not_utf8(error)}")
        except (ValueError, RecursionError) as error:
            yield UnreadableDocument(f"{name}:{number}", f"{shown}:{number}: {error}")


def _document_of_json(line: bytes, location: str) -> Document:
    try:
        fields = json.loads(line.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error}); expected one object a line") from None
    if not isinstance(fields, dict):
        raise ValueError("expected a JSON object with the key 'text'")
    text = fields.get("text")
    if not isinstance(text, str):
        names = ", ".join(map(repr, fields)) or "none"
        finding = f"found {kind_of(text)}" if "text" in fields else f"the keys found are {names}"
        raise ValueError(f"expected a string under the key 'text'; {finding}"[:300])
    identifier = fields.get("id", location)
    if not isinstance(identifier, (str, int)):
        raise ValueError("'id' must be a string or a number")
    paragraphs, keys = paragraphs_of_html(text).split("\n"), tuple(map(str, fields))
    compressions = _strings(fields, "compressions")
    return Document(str(identifier), _finish(paragraphs), _headlines(fields), compressions, keys)


def _headlines(fields: dict[str, object]) -> tuple[str, ...]:
    """The references of a JSON object: 'headline', then 'headlines' and 'summaries'."""
    first = fields.get("headline")
    if first is not None and not isinstance(first, str):
        raise ValueError("'headline' must be a string and 'headlines' a list of strings")
    return (*_cleaned([first] if first else []), *_strings(fields, "headlines"), *_strings(fields, "summaries"))


def _strings(fields: dict[str, object], key: str) -> tuple[str, ...]:
    """The strings of a list, cleaned; empty strings are dropped."""
    several = fields.get(key, [])
    if not isinstance(several, list) or not all(isinstance(text, str) for text in several):
        raise ValueError(f"'{key}' must be a list of strings")
    return _cleaned(several)


def _cleaned(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for paragraph in texts if (text := " ".join(clean_paragraphs([paragraph]))))


def _read_sgml_documents(content: bytes, shown: str, name: str) -> Iterator[Document | UnreadableDocument]:
    for number, document in enumerate(read_sgml(_decoded(content)), 1):
        if isinstance(document, tuple):
            line, message = document
            yield UnreadableDocument(f"{name}:{line}", f"{shown}:{line}: {message}")
            continue
        identifier = document.identifier or (name if number == 1 else f"{name}:{document.line}")
        headline = " ".join(clean_paragraphs(document.headline))
        yield Document(identifier, _finish(document.paragraphs), (headline,) if headline else ())


@checked
def read_duc(documents: Sequence[PathLike], models: Sequence[PathLike]) -> Iterator[Document | UnreadableDocument]:
    """The documents of DUC 2003 or 2004, task 1, with their references.

    Args:
        documents: Folders of document sets, ``<folder>/d30001t/APW19981016.0240``, or sets.
        models: Folders of references, ``<folder>/D30001.P.10.T.A.APW19981016.0240``; among references of different
            lengths, only very short references (``.10.``) count.

    Raises:
        InputError: `models` holds no reference for any document.
    """
    for name, folders in (("documents", documents), ("models", models)):
        if not reject_text(folders, name, "a list of paths: [path]"):
            raise InputError(f"{name}: no folder; name one at least")
    by_set: dict[str, list[Path]] = {}
    for path in _all_files(paths_of(models, "models")):
        by_set.setdefault(path.name.split(".")[0].upper(), []).append(path)
    any_reference = False
    for path in _all_files(paths_of(documents, "documents")):
        same_set = by_set.get(path.parent.name.upper()[:-1], [])  # the folder's name is the set's name plus a letter
        headlines = _references(same_set, path.name.removesuffix(".gz"))
        any_reference = any_reference or bool(headlines)
        for document in _read_source(path, path.name):
            yield replace(document, headlines=headlines) if isinstance(document, Document) else document
    if not any_reference:
        raise InputError(
            f"{models[0]}: no references for the documents in {documents[0]}; expected names like "
            "D30001.P.10.T.A.APW19981016.0240 for the document d30001t/APW19981016.0240"
        )


def _references(models: Sequence[Path], document: str) -> tuple[str, ...]:
    """The references of a document among the model summaries of its set, by the name of the file."""
    matching = [path for path in models if document.upper() in path.name.upper()]
    matching = [path for path in matching if ".10." in path.name] or matching
    return tuple(map(_read_reference, sorted(matching, key=lambda path: path.name)))


def _read_reference(path: Path) -> str:
    with open_source(path) as stream:
        return " ".join(clean_paragraphs([re.sub(r"<[^<>]*>", " ", _decoded(stream.read()))]))


def _decoded(content: bytes) -> str:
    """Text of newswire collections from the 1990s: UTF-8, or Latin-1."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")
