"""Documents and words a second that the parser gives, on one core.

python benchmarks/parsing.py documents.jsonl
"""

import argparse
import itertools
import time
from pathlib import Path

from widl.headline.documents import Document, read_documents
from widl.headline.parsing import SHIPPED, load_pipeline, parse_documents, parser_version
from widl.pages.tables import aligned


def main() -> None:
    """Parse the documents."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("documents", type=Path)
    arguments.add_argument("--limit", type=int, default=300, help="how many documents to use")
    options = arguments.parse_args()
    found = itertools.islice(read_documents([options.documents]), options.limit)
    documents = [document for document in found if isinstance(document, Document)]
    start = time.process_time()
    assert load_pipeline(SHIPPED)
    loading = time.process_time() - start
    start = time.process_time()  # other programs on the machine don't count
    parsed = list(parse_documents(documents))
    seconds = time.process_time() - start
    words = sum(len(sentence) for document in parsed for sentence in document.sentences)
    print(f"{parser_version()}; loaded in {loading:.1f} s")
    rates = [f"{len(documents) / seconds:,.0f}", f"{words / seconds:,.0f}"]
    print("\n".join(aligned([["documents/s", "words/s"], rates])))


if __name__ == "__main__":
    main()
