"""Documents and words a second that the parser and the cache of parses give, on one core.

python benchmarks/parsing.py documents.jsonl
"""

import argparse
import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from widl.headline.documents import Document, read_documents
from widl.headline.parse_cache import ParseCache
from widl.headline.parsing import ParsedDocument, load_parser
from widl.pages.tables import aligned


def timed(work: Callable[[], Iterator[ParsedDocument]]) -> tuple[list[ParsedDocument], float]:
    """The results, and the CPU seconds they took; other programs on the machine don't count."""
    start = time.process_time()
    return list(work()), time.process_time() - start


def main() -> None:
    """Parse the documents; then store and read them."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("documents", type=Path)
    arguments.add_argument("--parser", help="a spaCy pipeline, by name or path")
    arguments.add_argument("--limit", type=int, default=300, help="how many documents to use")
    options = arguments.parse_args()
    found = itertools.islice(read_documents([options.documents]), options.limit)
    documents = [document for document in found if isinstance(document, Document)]
    parser = load_parser(options.parser)
    start = time.process_time()
    assert parser.pipeline
    loading = time.process_time() - start
    with tempfile.TemporaryDirectory() as folder, ParseCache(Path(folder) / "cache") as cache:
        parsed, parsing = timed(lambda: parser.parse(documents))
        stored, storing = timed(lambda: cache.parse(parser, documents))
        read, reading = timed(lambda: cache.parse(parser, documents))
    assert read == stored == parsed
    words = sum(len(sentence) for document in parsed for sentence in document.sentences)
    print(f"{parser.version}; loaded in {loading:.1f} s")
    table = [["", "documents/s", "words/s"]]
    for name, seconds in [("parse", parsing), ("parse and store", storing), ("read from the cache", reading)]:
        table.append([name, f"{len(documents) / seconds:,.0f}", f"{words / seconds:,.0f}"])
    print("\n".join(aligned(table)))


if __name__ == "__main__":
    main()
