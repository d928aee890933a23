"""Headlines of documents: documents a second with and without the parser, document language models, proofs.

    python benchmarks/headlines.py MODEL_DIR DOCUMENTS [--limit N]
"""

import argparse
import statistics
import time
from pathlib import Path

from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--limit", type=int, default=300)
    arguments = parser.parse_args()
    documents = [one for one in read_documents([arguments.documents]) if isinstance(one, Document)][: arguments.limit]
    headliner = Headliner(arguments.model)
    options = HeadlineOptions()
    headliner.headline(documents[0].text, options)  # loads the parser

    start = time.perf_counter()
    parsed = list(headliner.parse(documents))
    parsing = time.perf_counter() - start

    start = time.perf_counter()
    found = [headliner.of_parsed(one, options) for one in parsed]
    generating = time.perf_counter() - start

    estimating = []
    for document in documents:
        start = time.perf_counter()
        headliner.realizer(document.text)
        estimating.append(time.perf_counter() - start)

    count = len(documents)
    rows = [
        ("documents", f"{count}"),
        ("documents/s, parser included", f"{count / (parsing + generating):.1f}"),
        ("documents/s, parsed before", f"{count / generating:.1f}"),
        ("document model, median ms", f"{1000 * statistics.median(estimating):.2f}"),
        ("document model, largest ms", f"{1000 * max(estimating):.2f}"),
        ("search, median ms", f"{1000 * statistics.median(one.seconds for one in found):.2f}"),
        ("search, largest ms", f"{1000 * max(one.seconds for one in found):.2f}"),
        ("proved optimal, %", f"{100 * statistics.fmean(bool(one.optimal) for one in found):.1f}"),
        ("proved within 1 s, %", f"{100 * sum(bool(one.optimal) and one.seconds <= 1 for one in found) / count:.1f}"),
    ]
    for name, value in rows:
        print(f"{name:<32} {value:>8}")


if __name__ == "__main__":
    main()
