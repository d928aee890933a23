"""Turn CoNLL-U treebanks into the DocBin files that ``spacy train`` and ``spacy evaluate`` read.

    python convert.py TREEBANK.conllu.gz [MORE.conllu.gz ...] OUTPUT.spacy

Ten sentences make a document, as in ``spacy convert``. Morphological features are left out: the
pipeline predicts universal part-of-speech tags, and a label per tag and feature set would only make it larger.
"""

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

from spacy.tokens import Doc, DocBin
from spacy.training.converters import conllu_to_docs

SENTENCES = 10  # in a document


def read_treebank(path: Path) -> Iterator[Doc]:
    """The treebank's sentences, ten to a document, without features."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    for doc in conllu_to_docs(text, n_sents=SENTENCES, no_print=True):
        for token in doc:
            token.set_morph("")
        yield doc


def main() -> None:
    """Convert what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, nargs="+", metavar="TREEBANK")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    docs = [doc for path in arguments.treebanks for doc in read_treebank(path)]
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    DocBin(docs=docs, attrs=["ORTH", "POS", "LEMMA", "HEAD", "DEP", "SPACY", "SENT_START"]).to_disk(arguments.output)
    print(f"{arguments.output}: {len(docs)} documents, {sum(map(len, docs))} tokens")


if __name__ == "__main__":
    main()
