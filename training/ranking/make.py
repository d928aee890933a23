"""Makes `src/widl/headline/ranking.json.gz`: the model that ranks headlines.

    python make.py MODEL google.train.jsonl judged.jsonl ../../src/widl/headline/ranking.json.gz \\
        --own own.jsonl ag.train.jsonl newswire.train.jsonl.gz

MODEL was trained without the last 800 pairs of google.train.jsonl: of these, what people left of a sentence should rank
above what the model leaves. Judged headlines have a text, a headline, and the verdicts `true`, `readable` and `news`;
own ones the id of their text in the files behind them instead.
"""

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from widl.common.files import open_source
from widl.headline import HeadlineOptions, Headliner
from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument
from widl.headline.ranking import TagModel, headline_features, tags_of
from widl.headline.sentence_expression import SentenceTrees
from widl.headline.shortening import kept_words
from widl.headline.words import keys_of, sentences_of
from widl.headline.written_headline import Said

HELD_OUT = 800
"""Pairs for ranking, at the end of the file."""
CANDIDATES = 8
MOST_ALIKE = 0.75
"""Candidates that share more of their words with what people left are no worse."""
PAIR_WEIGHT = 0.02
RIDGE = 6.0
BUDGET = 11

FloatArray = NDArray[np.float64]
Row = dict[str, float]


@dataclass
class Examples:
    """Judged headlines, and pairs of a better and a worse one."""

    judged: list[tuple[Row, bool]]
    pairs: list[tuple[Row, Row]]


class Aligner:
    """Finds the words of headlines in their texts, and the features of these."""

    def __init__(self, headliner: Headliner, tags: TagModel) -> None:
        self.headliner = headliner
        self.tags = tags
        self.options = HeadlineOptions(nbest=CANDIDATES)

    def parse(self, texts: Iterable[tuple[str, str]]) -> Iterator[ParsedDocument]:
        """The parses of texts with their identifiers."""
        return self.headliner.parse([Document(identifier, text) for identifier, text in texts], threads=2)

    def row(self, parsed: ParsedDocument, headline: str) -> Row | None:
        """The features of a headline that somebody else made of a text; None where most of it is not in the text."""
        trees = self.headliner.model.trees(parsed, self.options)
        said = aligned(parsed, headline)
        if said is None:
            return None
        return self._features(trees, said)

    def _features(self, trees: SentenceTrees, said: Sequence[Said]) -> Row:
        sentence = [t for t, tree in enumerate(trees.trees) if tree.sentence == said[0].sentence]
        rows = [headline_features(trees, t, said, self.tags) for t in sentence]
        return min(rows, key=lambda row: row["parts"])

    def candidates(self, parsed: ParsedDocument) -> Iterator[tuple[str, Row]]:
        """The n best headlines of the search."""
        headline = self.headliner.of_parsed(parsed, self.options)
        trees, sentences = self.headliner.model.trees(parsed, self.options), sentences_of(parsed)
        for candidate in headline.nbest:
            said = [Said(sentences[s][i], s, i) for s, i in candidate.places]
            yield candidate.text, self._features(trees, said)


def aligned(parsed: ParsedDocument, headline: str) -> list[Said] | None:
    """The words of a headline in the sentence that has most of them, in any form, articles left out."""
    keys = [key for key in keys_of(headline) if key not in {"a", "an", "the"}]
    best: list[Said] = []
    for number, words in enumerate(sentences_of(parsed)):
        stems = [_stem(word.key) for word in words]
        kept = kept_words(stems, [_stem(key) for key in keys])
        said = [Said(word, number, i) for i, word in enumerate(words) if kept[i] and not word.is_article]
        if len(said) > len(best):
            best = said
    return best if len(best) >= 0.75 * len(keys) and best else None


def _stem(key: str) -> str:
    """What forms of a verb share: *is* and *was* are left out of headlines, *announces* stands for *announced*."""
    return key if len(key) < 5 else key[: max(4, len(key) - 3)]


def fit(examples: Examples, names: Sequence[str]) -> tuple[float, FloatArray]:
    """The weights of a regularised logistic regression, and its bias; features are scaled to their deviation."""
    judged = np.array([[row[name] for name in names] for row, _ in examples.judged])
    good = np.array([verdict for _, verdict in examples.judged], dtype=float)
    better = np.array([[a[name] - b[name] for name in names] for a, b in examples.pairs]).reshape(-1, len(names))
    spread = better.std(axis=0) if len(better) else 0.0
    mean, scale = judged.mean(axis=0), np.maximum(judged.std(axis=0), spread) + 1e-6
    rows, differences = (judged - mean) / scale, better / scale

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        z, d = rows @ weights[1:] + weights[0], differences @ weights[1:]
        value = np.logaddexp(0, z).sum() - (good * z).sum() + PAIR_WEIGHT * np.logaddexp(0, -d).sum()
        value += 0.5 * RIDGE * float(weights[1:] @ weights[1:])
        of_z, of_d = expit(z) - good, -PAIR_WEIGHT * expit(-d)
        slope = rows.T @ of_z + differences.T @ of_d + RIDGE * weights[1:]
        return float(value), np.concatenate([[of_z.sum()], slope])

    found = minimize(loss, np.zeros(1 + len(names)), jac=True, method="L-BFGS-B").x
    weights = found[1:] / scale
    return float(found[0] - weights @ mean), weights


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with open_source(path) as file:
        return [json.loads(line) for line in file]


def examples_of(aligner: Aligner, pairs: Sequence[dict[str, Any]], judged: Sequence[dict[str, Any]]) -> Examples:
    """The features of judged headlines, and of what people left of sentences beside what the model leaves."""
    found = Examples([], [])
    texts = {row["id"]: row["text"] for row in judged}
    parses = {parsed.document.identifier: parsed for parsed in aligner.parse(texts.items())}
    for row in judged:
        features = aligner.row(parses[row["id"]], row["headline"])
        if features is not None:
            found.judged.append((features, all(row[name] for name in ("true", "readable", "news"))))
    for row, parsed in zip(pairs, aligner.parse((row["id"], row["text"]) for row in pairs), strict=True):
        people = aligner.row(parsed, row["compressions"][0])
        if people is None or people["words"] > BUDGET:
            continue
        kept = set(keys_of(row["compressions"][0]))
        for text, candidate in aligner.candidates(parsed):
            keys = set(keys_of(text))
            if 2 * len(kept & keys) < MOST_ALIKE * (len(kept) + len(keys)):
                found.pairs.append((people, candidate))
    return found


def tag_model(aligner: Aligner, rows: Sequence[dict[str, Any]]) -> TagModel:
    """Trained on what people left of sentences."""
    parses = aligner.parse((row["id"], row["text"]) for row in rows)
    said = (aligned(parsed, row["compressions"][0]) for row, parsed in zip(rows, parses, strict=True))
    return TagModel.trained(tags_of(word.word for word in words) for words in said if words)


def main() -> None:
    """Read the arguments, and write the model."""
    arguments = argparse.ArgumentParser()
    for name in ("model", "pairs", "judged", "target"):
        arguments.add_argument(name, type=Path)
    arguments.add_argument("--own", type=Path, nargs="+", default=[])
    given = arguments.parse_args()
    pairs = read(given.pairs)
    judged = [row for row in read(given.judged) if row["system"] == "widl"]
    if given.own:
        texts = {row["id"]: row["text"] for path in given.own[1:] for row in read(path)}
        judged += [row | {"text": texts[row["id"]]} for row in read(given.own[0])]
    aligner = Aligner(Headliner(given.model), TagModel({}))
    aligner.tags = tag_model(aligner, pairs[:-HELD_OUT])
    examples = examples_of(aligner, pairs[-HELD_OUT:], judged)
    names = sorted(examples.judged[0][0])
    bias, weights = fit(examples, names)
    named = {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)}
    fields = {"bias": round(bias, 4), "weights": named, "tags": aligner.tags.counts}
    written = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    given.target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))
    good = sum(verdict for _, verdict in examples.judged)
    print(f"{given.target}: {len(examples.judged)} judged, {good} good, {len(examples.pairs)} pairs")


if __name__ == "__main__":
    main()
