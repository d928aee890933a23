"""What `widl headline generate` does, as a function."""

from collections.abc import Iterable, Iterator
from typing import Any

from widl.arguments import PathLike
from widl.headline.documents import Document, Unreadable
from widl.headline.headliner import Headliner
from widl.headline.options import HeadlineOptions
from widl.headline.results import Headline


def generate_headlines(
    model: Headliner | PathLike,
    documents: Iterable[Document | Unreadable],
    options: HeadlineOptions | None = None,
    *,
    threads: int = 1,
    **more: Any,
) -> Iterator[Headline]:
    """Make the headlines of documents with a model, or with the model of a directory, in the documents' order.

        for headline in generate_headlines("headlines", read_documents(["news.jsonl"])):
            print(headline.text)

    Raises:
        TypeError: `documents` is a string.
        InputError: The model or an option can't be used.
    """
    headliner = model if isinstance(model, Headliner) else Headliner(model)
    return headliner.generate(documents, options, threads=threads, **more)
