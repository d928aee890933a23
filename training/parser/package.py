"""Makes the shipped pipeline out of spaCy's: ``python package.py en_core_web_sm OUTPUT``.

The first argument is the name or the path of an installed pipeline. Components that headlines do not need are removed:
named entity recognition, and the component for sentence ends alone. A pipeline with files that differ from the release
(``release.sha256``) is refused.
"""

import argparse
import hashlib
from pathlib import Path

import spacy

SUMS = "SHA256SUMS"
_RELEASE = Path(__file__).with_name("release.sha256")
_UNUSED = ["ner", "senter"]
_SCORES = ["token_f", "tag_acc", "lemma_acc", "sents_f", "dep_uas", "dep_las"]
_META = {
    "name": "core_web_sm",
    "description": "spaCy's English pipeline for CPUs without the recognition of named entities",
    "license": "MIT",
    "sources": [
        {"name": "OntoNotes 5", "license": "licensed by Explosion for its pipelines"},
        {"name": "ClearNLP Constituent-to-Dependency Conversion", "license": "citation only"},
        {"name": "WordNet 3.0", "license": "WordNet 3.0 License"},
    ],
}


def main() -> None:
    """Writes the pipeline named on the command line, and its size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    pipeline = spacy.load(arguments.model, exclude=_UNUSED)
    pipeline.meta.update(_META)
    scores = pipeline.meta["performance"]
    pipeline.meta["performance"] = {name: scores[name] for name in _SCORES if name in scores}
    pipeline.to_disk(arguments.output)
    write_sums(arguments.output)
    size = sum(path.stat().st_size for path in arguments.output.rglob("*") if path.is_file())
    print(f"{arguments.output}: {size / 1e6:.1f} MB")


def write_sums(folder: Path) -> None:
    """Writes the checksums of a pipeline's files next to them, if the statistical ones match the release."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in {SUMS, "LICENSE.md"})
    sums = {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    release = sums_of(_RELEASE)
    # spaCy rewrites the configuration and copies all other files byte for byte.
    foreign = [name for name in sums if name not in {"config.cfg", "meta.json"} and release.get(name) != sums[name]]
    if foreign:
        raise SystemExit(f"{folder}: {', '.join(foreign)}: not as in the release; delete the folder")
    (folder / SUMS).write_text("".join(f"{sums[name]}  {name}\n" for name in sorted(sums)))


def sums_of(path: Path) -> dict[str, str]:
    """SHA-256 by file name, from a file in the format of ``sha256sum``."""
    pairs = [line.split("  ", 1) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {name: expected for expected, name in pairs}


if __name__ == "__main__":
    main()
