"""Makes `src/widl/headline/cuts.json.gz`: what may be left out, learned from sentences that people shortened.

    python make.py google.train.jsonl ../../src/widl/headline/cuts.json.gz

The input are JSON lines with `text` and `compressions` (a list), as `widl headline train` reads them.
"""

import gzip
import json
import sys
from pathlib import Path

from widl.headline.cut_model import train_cut_model
from widl.headline.documents import Document, read_documents
from widl.headline.headline_forms import HeadlineForms
from widl.headline.parsing import Parser
from widl.headline.shipped_parser import SHIPPED
from widl.headline.shortening import of_compression
from widl.headline.units import UnitTree
from widl.headline.verbs import VerbForms
from widl.headline.words import keys_of, sentences_of


def main(source: Path, target: Path) -> None:
    """Train on the documents of a file."""
    documents = [document for document in read_documents([source]) if isinstance(document, Document)]
    parses = [(sentences_of(parsed), parsed.document) for parsed in Parser("english", SHIPPED).parse(documents)]
    pairs = [(sentences, short) for sentences, document in parses for short in document.compressions]
    model = train_cut_model([of_compression(sentences, short) for sentences, short in pairs])
    seen = ((set(keys_of(short)), map(UnitTree, sentences)) for sentences, short in pairs)
    forms = HeadlineForms.trained(VerbForms({}), seen)
    fields = {"edges": dict(model.edges), "tops": dict(model.tops), "forms": dict(forms.kept), "verbs": {}}
    content = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(content.encode("utf-8"), 9, mtime=0))
    weights = len(model.edges) + len(model.tops)
    print(f"{target}: {len(pairs)} pairs, {weights} weights, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
