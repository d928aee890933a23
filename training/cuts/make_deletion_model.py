"""Makes `src/widl/headline/cuts.json.gz`: optional words, learned from sentences shortened by people.

    python make_deletion_model.py google.train.jsonl ../../src/widl/headline/cuts.json.gz

The input are JSON lines with `text` and `compressions` (a list), as `widl headline train` reads them.
"""

import gzip
import json
import sys
from pathlib import Path

from widl.headline.casing import Casing
from widl.headline.content_model import ContentModel
from widl.headline.deletion_training import train_deletion_model
from widl.headline.documents import Document, read_documents
from widl.headline.headline_forms import HeadlineForms
from widl.headline.keywords import KeywordModel
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents
from widl.headline.shortened_texts import of_compression

FORMS = {"article": [1, 20], "be": [1, 20], "given": [1, 4], "have": [1, 4], "will": [1, 10]}
"""Counts of headlines that keep and that drop such words, given names among them; shortened sentences keep them all."""
VERBS = {"one": [2, 30, 1], "several": [2, 1, 30], "none": [2, 30, 1]}
"""Forms of past verbs in headlines, by the number of the subject: the past, the third person, the base form."""


def main(source: Path, target: Path) -> None:
    """Trains on the documents of a file."""
    documents = [document for document in read_documents([source]) if isinstance(document, Document)]
    parses = [(sentences_of(parsed), parsed.document) for parsed in parse_documents(documents)]
    pairs = [(sentences, short) for sentences, document in parses for short in document.compressions]
    texts = [of_compression(sentences, short) for sentences, short in pairs]
    model = train_deletion_model(lambda: texts)
    casing = Casing.trained(words for sentences, _ in parses for words in sentences)
    content = ContentModel(KeywordModel(), model, None, HeadlineForms(FORMS, VERBS), casing)
    written = json.dumps(content.as_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))
    weights = len(model.edges) + len(model.tops)
    print(f"{target}: {len(pairs)} pairs, {weights} weights, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
