"""Headlines of documents: documents a second with and without the parser, document language models, proofs.

The last rows are of ``widl-paper``: its keywords, their phrases, and the realizations of its expression.

    python benchmarks/headlines.py MODEL_DIR DOCUMENTS [--limit N]
"""

import argparse
import itertools
import statistics
import time
from pathlib import Path

from widl.decoder import count_derivations
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document, read_documents
from widl.headline.paper_system import document_phrases, paper_expression


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path)
    parser.add_argument("documents", type=Path)
    parser.add_argument("--limit", type=int, default=300)
    arguments = parser.parse_args()
    readable = (found for found in read_documents([arguments.documents]) if isinstance(found, Document))
    documents = list(itertools.islice(readable, arguments.limit))
    headliner = Headliner(arguments.model)
    options = HeadlineOptions()
    headliner.headline(documents[0].text, options)  # loads the parser

    start = time.perf_counter()
    parsed = list(headliner.parse(documents))
    parsing = time.perf_counter() - start

    start = time.perf_counter()
    headlines = [headliner.of_parsed(document, options) for document in parsed]
    generating = time.perf_counter() - start

    estimating = []
    for document in documents:
        start = time.perf_counter()
        headliner.model.realizer(document.text)
        estimating.append(time.perf_counter() - start)

    paper_options = HeadlineOptions(system="widl-paper")
    paper = [found for one in parsed if (found := document_phrases(headliner.model, one, paper_options))]
    phrases = [len(known) for found in paper for known in found.values()]
    sizes = [count_derivations(paper_expression(found)) for found in paper]

    count = len(documents)
    proved = [headline for headline in headlines if headline.optimal]
    rows = [
        ("documents", f"{count}"),
        ("documents/s, parser included", f"{count / (parsing + generating):.1f}"),
        ("documents/s, parsed before", f"{count / generating:.1f}"),
        ("document model, median ms", f"{1000 * statistics.median(estimating):.2f}"),
        ("document model, largest ms", f"{1000 * max(estimating):.2f}"),
        ("search, median ms", f"{1000 * statistics.median(headline.seconds for headline in headlines):.2f}"),
        ("search, largest ms", f"{1000 * max(headline.seconds for headline in headlines):.2f}"),
        ("proved optimal, %", f"{100 * len(proved) / count:.1f}"),
        ("proved within 1 s, %", f"{100 * sum(headline.seconds <= 1 for headline in proved) / count:.1f}"),
        ("widl-paper: keywords, mean", f"{statistics.mean(map(len, paper)):.1f}"),
        ("widl-paper: phrases of one, mean", f"{statistics.mean(phrases):.1f}"),
        ("widl-paper: realizations, mean", f"{statistics.mean(sizes):,.0f}"),
        ("widl-paper: realizations, median", f"{statistics.median(sizes):,.0f}"),
    ]
    for name, value in rows:
        print(f"{name:<32} {value:>9}")


if __name__ == "__main__":
    main()
