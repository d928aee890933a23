"""Makes `src/widl/headline/ready`, the package's ready model of headlines, from stories and running text.

    python make_ready_model.py stories.train.jsonl.xz text.txt.xz ../../src/widl/headline/ready

With `../ranking/judged.jsonl` as a fourth argument the stories that it judges are left out: the ranking learns from
headlines of stories that its model has not seen.
The package's counts and content model are made first, since the model's features read them.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from widl.common.files import open_source, read_lines
from widl.common.manifests import MANIFEST, file_facts
from widl.decoder import convert_language_model, estimate_language_model
from widl.headline.manifest import HeadlineManifest
from widl.headline.words import keys_of
from widl.pipeline.headline_training import HeadlineTraining, train_headlines
from widl.pipeline.model_directory import write_manifest

SOURCE = "wikinews"
"""Source of the stories: press releases have long headlines of their own kind. The running text is of all sources."""
PRUNE = {"general.binary": (0, 1, 2), "headlines.binary": (0, 0, 1)}
"""Largest counts of the n-grams that are dropped, by order."""
BITS = 8
"""Bits of a probability, and of a back-off weight."""


def estimate(lines: Iterable[str], name: str, target: Path) -> None:
    """A pruned trie with quantized probabilities, of lines normalized as headlines are scored."""
    with TemporaryDirectory() as folder:
        text, arpa = Path(folder) / "text", Path(folder) / "model.arpa"
        with text.open("w", encoding="utf-8") as out:
            out.writelines(f"{' '.join(keys)}\n" for keys in map(keys_of, lines) if keys)
        estimate_language_model([text], arpa, order=3, prune=PRUNE[name])
        convert_language_model(arpa, target / name, kind="trie", quantize=BITS)


def main(stories: Path, running: Path, target: Path, judged: Path | None = None) -> None:
    """Trains a model, and makes its language models small; `judged`: stories that are left out."""
    omitted = {json.loads(line)["id"] for line in read_lines(judged)} if judged else set[str]()
    with open_source(stories) as file:
        rows = [row for row in map(json.loads, file) if row["source"] == SOURCE and row["id"] not in omitted]
    with TemporaryDirectory() as folder:
        pairs, model = Path(folder) / "stories.jsonl", Path(folder) / "model"
        pairs.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        train_headlines(HeadlineTraining(pairs=[pairs], threads=2), model)
        texts: Iterator[str] = (line for row in rows for line in row["text"].split("\n"))
        estimate(chain(texts, read_lines(running)), "general.binary", model)
        estimate((row["headline"] for row in rows), "headlines.binary", model)
        shutil.copytree(model, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
    manifest = json.loads((target / MANIFEST).read_text(encoding="utf-8"))
    write_manifest(target, HeadlineManifest(**(manifest | file_facts(target))))
    print(f"{target}: {len(rows)} stories, {sum(path.stat().st_size for path in target.iterdir())} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
