"""Makes `src/widl/headline/ranking.json.gz`: the model that ranks headlines. README.md has the instructions."""

import argparse
import gzip
import itertools
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit

from widl.common.files import open_source
from widl.headline import HeadlineOptions, Headliner
from widl.headline.document_trees import DocumentTrees
from widl.headline.documents import Document
from widl.headline.parsing import ParsedDocument
from widl.headline.punctuation import SurfaceWord
from widl.headline.ranking import QUESTIONS, TagModel, tags_of
from widl.headline.ranking_features import headline_features, words_to_add
from widl.headline.shortened_texts import kept_words
from widl.headline.speakers import attributed_sentences
from widl.headline.words import keys_of

CANDIDATES = 30
"""Number of best headlines of a document that are compared."""
PAIRED = 800
"""Number of judged documents, the first ones, from whose candidates pairs are made."""
PAIRS = 10
"""Number of pairs per document, chosen at random."""
BETTER = 0.12
"""Minimum lead of the better candidate of a pair, as the mean of ROUGE-1 and 2 F with the published headline."""
PAIR_WEIGHT = 0.3
RIDGE = 100.0
PATTERN_SCALE = 0.5
"""Patterns are divided by this, numbers by their standard deviation."""
RARE = 6
"""Patterns of fewer judged headlines have no weight."""
SMALL = 0.003
"""Absolute weight below which a pattern is left out."""
FOUND = 0.75
"""Minimum share of a headline's words that its sentence must have."""
SEARCHED = 100
"""A judged headline is looked up among this number of best headlines of the search."""
USUAL_GAP = 2.5
"""Gap assumed between the best score and the score of a judged headline that the search did not find: the median."""

FloatArray = NDArray[np.float64]
Row = dict[str, float]
Found = dict[str, tuple[list[SurfaceWord], float]]
"""Candidates: their words, and how much worse than the best they are."""


@dataclass
class Examples:
    """Judged headlines, and pairs of a better and a worse one."""

    judged: list[tuple[Row, dict[str, bool]]]
    """Features, and the answers to the questions."""
    pairs: list[tuple[Row, Row]]


class Aligner:
    """Computes the features of headlines together with their texts."""

    def __init__(self, headliner: Headliner, tags: TagModel) -> None:
        self.headliner = headliner
        self.tags = tags
        self.options = HeadlineOptions(nbest=SEARCHED, ranked=0)
        self._last: tuple[ParsedDocument, DocumentTrees] | None = None

    def parse(self, texts: Iterable[tuple[str, str]]) -> Iterator[ParsedDocument]:
        """Parses texts with their identifiers."""
        return self.headliner.parse([Document(identifier, text) for identifier, text in texts], threads=2)

    def row(self, parsed: ParsedDocument, headline: str, found: Found) -> Row | None:
        """The features of a headline as printed; None if no sentence has most of its words."""
        if headline in found:
            return next(row for _, row in self.rows(parsed, found, only=headline))
        said = aligned(parsed, headline)
        if not said:
            return None
        several = [said, *(other for other, _ in itertools.islice(found.values(), CANDIDATES))]
        fuller = words_to_add(several)[0]
        return self._features(self._trees(parsed), said, USUAL_GAP, fuller)

    def found(self, parsed: ParsedDocument) -> Found:
        """The n best headlines of the search, with their words and how much worse than the best they are."""
        found = self.headliner.generate_one(parsed, self.options)
        sentences = attributed_sentences(parsed)
        at = {(s, word.place): i for s, words in enumerate(sentences) for i, word in enumerate(words)}
        result: Found = {}
        for candidate in found.nbest:
            written = zip(keys_of(candidate.text), candidate.places, strict=False)
            positions = ((key, s, at[s, place]) for key, (s, place) in written)
            said = [SurfaceWord(replace(sentences[s][i], key=key), s, i) for key, s, i in positions]
            result[candidate.text] = said, found.nbest[0].score - candidate.score
        return result

    def rows(self, parsed: ParsedDocument, found: Found, only: str | None = None) -> Iterator[tuple[str, Row]]:
        """The n best headlines with their features, or one of them; those that are printed are chosen among fewer."""
        trees = self._trees(parsed)
        few = [said for said, _ in itertools.islice(found.values(), CANDIDATES)]
        for text, (said, behind) in found.items():
            if only in {None, text}:
                yield text, self._features(trees, said, behind, words_to_add([said, *few])[0])

    def _trees(self, parsed: ParsedDocument) -> DocumentTrees:
        """The trees of a document, made once for all of its headlines."""
        if self._last is None or self._last[0] is not parsed:
            self._last = parsed, self.headliner.model.trees(parsed, self.options)
        return self._last[1]

    def _features(self, trees: DocumentTrees, said: Sequence[SurfaceWord], behind: float, fuller: int) -> Row:
        """The tree's features for the sentence in which the words are most connected."""
        rows = []
        for t, tree in enumerate(trees.trees):
            if tree.sentence == said[0].sentence:
                positions = tree.with_labels(word.position for word in said)
                kept = {n for n, unit in enumerate(tree.units) if unit.head in positions}
                parts = sum(tree.units[n].parent not in kept for n in kept)
                rows.append((parts, t, headline_features(trees, t, said, self.tags, behind, fuller)))
        return min(rows)[2]


def aligned(parsed: ParsedDocument, headline: str) -> list[SurfaceWord] | None:
    """Aligns the words of a headline, without articles, to the sentence with most of them, in any form."""
    keys = [key for key in keys_of(headline) if key not in {"a", "an", "the"}]
    stems = list(map(_stem, keys))
    best: list[SurfaceWord] = []
    for number, words in enumerate(attributed_sentences(parsed)):
        text = [_stem(word.key) for word in words]
        written = iter(key for key, kept in zip(keys, kept_words(stems, text), strict=True) if kept)
        forms = [
            (word, i, next(written))
            for i, (word, kept) in enumerate(zip(words, kept_words(text, stems), strict=True))
            if kept
        ]
        said = [SurfaceWord(replace(word, key=key), number, i) for word, i, key in forms if not word.is_article]
        if len(said) > len(best):
            best = said
    return best if best and len(best) >= FOUND * len(keys) else None


def _stem(key: str) -> str:
    """The stem shared by most forms of a verb."""
    return key if len(key) < 5 else key[: max(4, len(key) - 3)]


def feature_names(rows: Sequence[Row]) -> list[str]:
    """The names of numbers, then of the patterns that are not rare."""
    seen = Counter(name for row in rows for name in row)
    frequent = [name for name, n in seen.items() if ":" not in name or n >= RARE]
    return sorted(frequent, key=lambda name: (":" in name, name))


def matrix(rows: Sequence[Row], names: Sequence[str]) -> csr_array:
    """The features of rows, a row each."""
    columns = {name: column for column, name in enumerate(names)}
    cells = [(r, columns[name], value) for r, row in enumerate(rows) for name, value in row.items() if name in columns]
    at_row, at_column, values = zip(*cells, strict=True) if cells else ((), (), ())
    return csr_array((values, (at_row, at_column)), shape=(len(rows), len(names)))


def fit(examples: Examples, names: Sequence[str], question: str) -> tuple[float, FloatArray]:
    """The bias and the weights of a regularized logistic regression over scaled features.

    It learns from headlines for which the questions before are answered with yes; the last one from pairs, too.
    """
    before = QUESTIONS[: QUESTIONS.index(question)]
    asked = [(row, answers) for row, answers in examples.judged if all(answers[name] for name in before)]
    pairs = examples.pairs if question == QUESTIONS[-1] else []
    judged = matrix([row for row, _ in asked], names)
    good = np.array([answers[question] for _, answers in asked], dtype=float)
    better = matrix([a for a, _ in pairs], names) - matrix([b for _, b in pairs], names)
    mean, scale = centers_and_scales(judged, better, names)
    rows, differences = judged.multiply(1 / scale).tocsr(), better.multiply(1 / scale).tocsr()

    def loss(weights: FloatArray) -> tuple[float, FloatArray]:
        z = rows @ weights[1:] + (weights[0] - mean / scale @ weights[1:])
        d = differences @ weights[1:]
        value = np.logaddexp(0, z).sum() - (good * z).sum() + PAIR_WEIGHT * np.logaddexp(0, -d).sum()
        value += 0.5 * RIDGE * float(weights[1:] @ weights[1:])
        of_z, of_d = expit(z) - good, -PAIR_WEIGHT * expit(-d)
        slope = rows.T @ of_z - of_z.sum() * mean / scale + differences.T @ of_d + RIDGE * weights[1:]
        return float(value), np.concatenate([[of_z.sum()], slope])

    found = minimize(loss, np.zeros(1 + len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x
    weights = found[1:] / scale
    return float(found[0] - weights @ mean), weights


def centers_and_scales(judged: csr_array, better: csr_array, names: Sequence[str]) -> tuple[FloatArray, FloatArray]:
    """The mean of each number and its standard deviation (of headlines or pairs); 0 and `PATTERN_SCALE` of patterns."""
    numbers = sum(":" not in name for name in names)
    of_headlines, of_pairs = judged[:, :numbers].toarray(), better[:, :numbers].toarray()
    spread = of_pairs.std(axis=0) if len(of_pairs) else np.zeros(numbers)
    mean, scale = np.zeros(len(names)), np.full(len(names), PATTERN_SCALE)
    mean[:numbers], scale[:numbers] = of_headlines.mean(axis=0), np.maximum(of_headlines.std(axis=0), spread) + 1e-6
    return mean, scale


def read(path: Path) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with open_source(path) as file:
        return [json.loads(line) for line in file]


def judged_rows(aligner: Aligner, judged: Sequence[dict[str, Any]]) -> Iterator[tuple[Row, dict[str, bool]]]:
    """The features of judged headlines, and whether they are true, readable and report the news."""
    texts = {row["id"]: row["text"] for row in judged}
    headlines: dict[str, list[dict[str, Any]]] = {}
    for row in judged:
        headlines.setdefault(row["id"], []).append(row)
    for parsed in aligner.parse(texts.items()):
        found = aligner.found(parsed)
        for row in headlines[parsed.document.identifier]:
            features = aligner.row(parsed, row["headline"], found)
            if features is not None:
                yield features, {name: bool(row[name]) for name in QUESTIONS}


def published_pairs(aligner: Aligner, documents: Sequence[dict[str, Any]]) -> Iterator[tuple[Row, Row]]:
    """Pairs of candidates that share more and less with the published headline."""
    rng = random.Random(1)
    for row, parsed in zip(documents, aligner.parse((row["id"], row["text"]) for row in documents), strict=True):
        candidates = islice(aligner.rows(parsed, aligner.found(parsed)), CANDIDATES)
        rated = [(features, likeness(text, row["headline"])) for text, features in candidates]
        pairs = [(a, b) for a, better in rated for b, worse in rated if better > worse + BETTER]
        yield from rng.sample(pairs, min(PAIRS, len(pairs)))


def likeness(text: str, headline: str) -> float:
    """The mean of the F scores of words and of pairs of neighbors."""
    a, b = keys_of(text), keys_of(headline)
    scores = []
    for n in (1, 2):
        grams = [Counter(zip(*(keys[k:] for k in range(n)), strict=False)) for keys in (a, b)]
        scores.append(2 * (grams[0] & grams[1]).total() / max(1, grams[0].total() + grams[1].total()))
    return sum(scores) / len(scores)


def tag_model(aligner: Aligner, rows: Sequence[dict[str, Any]]) -> TagModel:
    """Trained on the words of headlines that stand in their order in the first sentence."""
    parses = aligner.parse((row["id"], row["sentence"]) for row in rows)
    said = (aligned(parsed, row["headline"]) for row, parsed in zip(rows, parses, strict=True))
    return TagModel.trained(tags_of(word.word for word in words) for words in said if words)


def main() -> None:
    """Reads the arguments, and writes the model."""
    arguments = argparse.ArgumentParser()
    for name in ("model", "compressed", "judged", "stories", "target"):
        arguments.add_argument(name, type=Path)
    given = arguments.parse_args()
    labels = read(given.judged)
    stories = {row["id"]: row for row in read(given.stories)}
    judged = [row | {"text": stories[row["id"]]["text"]} for row in labels]
    aligner = Aligner(Headliner(given.model), TagModel({}))
    aligner.tags = tag_model(aligner, read(given.compressed))
    published = [stories[identifier] for identifier in islice(dict.fromkeys(row["id"] for row in labels), PAIRED)]
    examples = Examples(list(judged_rows(aligner, judged)), list(published_pairs(aligner, published)))
    names = feature_names([row for row, _ in examples.judged])
    models = {}
    for question in QUESTIONS:
        bias, weights = fit(examples, names, question)
        rounded = ((name, round(float(w), 4)) for name, w in zip(names, weights, strict=True))
        named = {name: w for name, w in rounded if ":" not in name or abs(w) >= SMALL}
        models[question] = {"bias": round(bias, 4), "weights": named}
    fields = {"questions": models, "tags": aligner.tags.counts}
    written = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    given.target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))
    good = sum(all(answers.values()) for _, answers in examples.judged)
    counted = f"{len(examples.judged)} judged, {good} good, {len(examples.pairs)} pairs, {len(names)} features"
    print(f"{given.target}: {counted}")


if __name__ == "__main__":
    main()
