"""Make the pipeline that ships out of a trained one: ``python package.py MODEL SCORES.json OUTPUT``.

MODEL is the ``model-best`` of ``spacy train``, SCORES.json what ``spacy evaluate --output`` wrote about it on the
test part; the main ones become part of its ``meta.json``.
"""

import argparse
import json
from pathlib import Path

import spacy

_SCORES = ["token_f", "pos_acc", "lemma_acc", "sents_f", "dep_uas", "dep_las"]
_META = {
    "name": "ewt_pud",
    "version": "1.0.0",
    "description": "English tagger, lemmatizer and dependency parser (Universal Dependencies), trained with spaCy",
    "license": "CC BY-SA 4.0",
    "spacy_version": ">=3.8,<4.0",
    "sources": [
        {"name": "UD_English-EWT", "license": "CC BY-SA 4.0"},
        {"name": "UD_English-PUD", "license": "CC BY-SA 3.0"},
    ],
}


def main() -> None:
    """Write the pipeline the command line names, and its size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    pipeline = spacy.load(arguments.model)
    scores = json.loads(arguments.scores.read_text(encoding="utf-8"))
    pipeline.meta.update(_META)
    pipeline.meta["performance"] = {name: scores[name] for name in _SCORES}
    # Paths of the machine that trained it are nobody's business.
    for path in ("train", "dev", "vectors", "init_tok2vec"):
        pipeline.config["paths"][path] = None
    pipeline.to_disk(arguments.output)
    size = sum(path.stat().st_size for path in arguments.output.rglob("*") if path.is_file())
    print(f"{arguments.output}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
