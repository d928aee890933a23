"""Checksums of what must be the same on every machine: trained files, and what searches print.

    python benchmarks/same_bytes.py FOLDER > checksums.txt
    diff checksums.txt checksums-of-another-machine.txt

A small translation model and a headline model of the sample corpus are trained in FOLDER, which is new. Then test
sentences are translated by each search, bags of words are ordered, both with their scores, and headlines are made. Each
line is a checksum and a name.
"""

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from widl.common.files import read_lines
from widl.decoder import LanguageModel, RealizationOptions, Realizer
from widl.headline import Headliner
from widl.headline.documents import read_documents
from widl.pipeline.demo import sample_corpus
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.training import train
from widl.pipeline.training_files import TrainingFiles
from widl.translation import TranslationOptions, Translator

SEARCHES = {
    "cube": TranslationOptions(),
    "astar": TranslationOptions(search="astar", max_memory=200_000_000),
    "stack": TranslationOptions(decoder="stack", search="stack"),
    "paper-2006": TranslationOptions(distributions=True),
}


def checksum(data: bytes) -> str:
    """The first 64 bits of SHA-256."""
    return hashlib.sha256(data).hexdigest()[:16]


def of_files(folder: Path) -> Iterator[tuple[str, str]]:
    """The trained files; but those that name versions of libraries, and paths."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in ("manifest.json", ".made-from"):
            data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            yield checksum(data), f"{folder.name}/{path.relative_to(folder)}"


def of_lines(lines: Iterable[str]) -> str:
    """The checksum of lines of text."""
    return checksum("".join(f"{line}\n" for line in lines).encode())


def translations(model: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    """Translations and scores of the test sentences, by each search."""
    translator, lines = Translator(model), list(read_lines(corpus / "test.zh"))[:40]
    for name, options in SEARCHES.items():
        found = translator.translate(lines, options)
        yield of_lines(json.dumps([one.text, repr(one.score)]) for one in found), f"translations by {name}"


def orders(model: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    """Orders and scores of the words of lines."""
    lm = next(path for path in sorted(model.iterdir()) if path.name.startswith("lm"))
    realizer = Realizer([LanguageModel.load(lm)])
    bags = [f"∥({','.join(sorted(set(line.split()))[:8])})" for line in list(read_lines(corpus / "mono.en"))[:20]]
    bags = [bag for bag in bags if not any(sign in bag for sign in "'\"{}<>:∨")]
    for name in ("astar", "beam"):
        found = realizer.realize(bags, RealizationOptions(search=name))
        yield of_lines(json.dumps([one.text, repr(one.score)]) for one in found), f"orders by {name}"


def headlines(model: Path, corpus: Path) -> Iterator[tuple[str, str]]:
    """Headlines of the sample documents. Their scores depend on the parser's matrix products in single precision."""
    documents = list(read_documents([corpus / "documents.jsonl"]))
    found = Headliner(model).generate(documents)
    yield of_lines(json.dumps([one.text, one.kind]) for one in found), "headlines"


def main() -> None:
    """Train, search and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    folder, corpus = parser.parse_args().folder, sample_corpus()
    folder.mkdir()
    text = (corpus / "mono.en",)
    train(TrainingFiles(bitext=(corpus / "train",), lm_text=text), folder / "model")
    training = HeadlineTraining(pairs=[corpus / "documents.jsonl"], lm_text=text)
    train_headlines(training, folder / "headlines")
    models = folder / "model", folder / "headlines"
    for rows in (
        *map(of_files, models),
        translations(models[0], corpus), orders(models[0], corpus), headlines(models[1], corpus),
    ):  # fmt: skip
        for row in rows:
            print(*row, flush=True)


if __name__ == "__main__":
    main()
