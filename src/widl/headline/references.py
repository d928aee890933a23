"""Documents with reference headlines, for evaluating systems."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, counted, paths_of
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.headline.documents import Document, UnreadableDocument, read_documents, read_duc


@checked
def read_with_references(
    documents: Sequence[PathLike], references: Sequence[PathLike] = (), *, most: int = 0
) -> list[Document]:
    """The documents of files and directories, each with at least one headline.

    Args:
        documents: Documents in any format of `read_documents`.
        references: Instead of the documents' own headlines: DUC's folders of model summaries (see `read_duc`), or files
            with a line for each document.
        most: Maximum number of references kept per document, the first ones; 0: all.

    Raises:
        InputError: A document can't be read or has no reference, or a file has another number of lines.
    """
    paths = paths_of(references, "references")
    folders = [path for path in paths if path.is_dir()]
    if folders and len(folders) < len(paths):
        file = next(path for path in paths if not path.is_dir())
        raise InputError(f"{file}: a file among folders of references; give DUC's folders, or files of lines")
    documents_ = _readable(read_duc(documents, folders) if folders else read_documents(documents))
    if paths and not folders:
        documents_ = _with_lines(documents_, paths)
    missing = next((document.identifier for document in documents_ if not document.headlines), None)
    if missing is not None:
        mend = f"no model summary in {folders[0]} has its name" if folders else "give it one, or name references"
        raise InputError(f"{documents[0]}: document {missing} has no headline to compare with; {mend}")
    return [replace(document, headlines=document.headlines[: most or None]) for document in documents_]


def _readable(documents: Iterable[Document | UnreadableDocument]) -> list[Document]:
    found = []
    for document in documents:
        if isinstance(document, UnreadableDocument):
            raise InputError(document.message)
        found.append(document)
    return found


def _with_lines(documents: Sequence[Document], files: Sequence[Path]) -> list[Document]:
    """The documents with one line from each file; an empty line is not a reference."""
    streams = [[line.strip() for line in read_lines(path)] for path in files]
    for path, lines in zip(files, streams, strict=True):
        if len(lines) != len(documents):
            counts = f"{counted(len(lines), 'line')} for {counted(len(documents), 'document')}"
            raise InputError(f"{path}: {counts}; expected a line for each")
    by_document = zip(*streams, strict=True)
    return [
        replace(document, headlines=tuple(filter(None, lines)))
        for document, lines in zip(documents, by_document, strict=True)
    ]
