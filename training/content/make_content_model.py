"""Makes `src/widl/headline/content.json.gz`: optional words, learned from sentences that headlines shorten.

    python make_content_model.py stories.train.jsonl.xz ../../src/widl/headline/content.json.gz

The input are JSON lines with `text` and `headline`. As Filippova and Altun (2013) made theirs, a pair is the first
sentence of a story and the smallest part of its tree that has the headline's words, if these stand there in order.
"""

import gzip
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from nltk.stem.porter import PorterStemmer

from widl.common.files import open_source
from widl.headline.agreement import third_person
from widl.headline.casing import Casing
from widl.headline.content_model import ContentModel
from widl.headline.datelines import without_datelines
from widl.headline.deletion_training import ShortenedText, train_deletion_model
from widl.headline.documents import Document
from widl.headline.keywords import KeywordModel
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents
from widl.headline.shortened_texts import kept_words, of_compression
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms
from widl.headline.word_lists import word_set
from widl.headline.words import Word, keys_of

FORMS = {"article": [1, 20], "be": [1, 20], "given": [1, 4], "have": [1, 4], "will": [1, 10]}
"""Counts of headlines that keep and that drop such words, given names among them; shortened sentences keep them all."""
VERBS = {"one": [2, 30, 1], "several": [2, 1, 30], "none": [2, 30, 1]}
"""Forms of past verbs in headlines, by the number of the subject: the past, the third person, the base form."""

STEMMER = PorterStemmer()
WORDS = 60
"""Words of a story that are read."""
SHARE = 0.8
"""Minimum share of a headline's words that its sentence has, in any form and in order."""
LONGEST = 1.6
"""Maximum length of the part of the tree, in headlines."""
FEWEST = 3
"""Minimum number of a headline's words that count."""
NEEDED = word_set("nsubj nsubj:pass obj xcomp expl")
"""Dependents of verbs that are kept with them."""
FUNCTION = word_set(
    "a an the of in on at to for from by with as and or but is are was were be been has have had will would it its his "
    "her their 's that this after over"
)
"""Words of headlines that need not be in the sentence; those that its words need are kept with them."""


@cache
def stem(key: str) -> str:
    """The stem shared by the forms of a word."""
    return str(STEMMER.stem(key))


def content_keys(headline: str) -> list[str]:
    """The words of a headline that its sentence should have."""
    return [key for key in keys_of(headline) if key not in FUNCTION]


def may_shorten(story: Document) -> bool:
    """Whether the beginning of a story has enough of its headline's words, before it is parsed."""
    text = list(map(stem, keys_of(story.text)))
    said = list(map(stem, content_keys(story.headlines[0])))
    return len(said) >= FEWEST and sum(kept_words(text, said)) >= SHARE * len(said)


def stories(path: Path) -> Iterator[Document]:
    """The beginnings of stories whose headlines may shorten them."""
    with open_source(path) as file:
        for row in map(json.loads, file):
            text = " ".join(without_datelines(row["text"]).split()[:WORDS])
            story = Document(str(row["id"]), text, (row["headline"],))
            if may_shorten(story):
                yield story


def compression(words: Sequence[Word], headline: str) -> str | None:
    """The smallest part of a sentence's tree with a headline's words; None if the headline does not shorten it."""
    said = content_keys(headline)
    by_stem = {stem(key): key for key in said}
    mask = kept_words([_form(word, said, by_stem) for word in words], said)
    if len(said) < FEWEST or sum(mask) < SHARE * len(said):
        return None
    tree = UnitTree(words)
    of_word = {i: number for number, unit in enumerate(tree.units) for i in unit.words}
    paths = [list(_path(tree, of_word[i])) for i, kept in enumerate(mask) if kept and i in of_word]
    if not paths:
        return None
    top = next((number for number in paths[0] if all(number in path for path in paths)), None)
    if top is None or tree.content(top).tag != "VERB":
        return None
    part = {number for path in paths for number in path[: path.index(top) + 1]}
    for number in sorted(part):
        part.update(_needed(tree, number))
    positions = sorted(i for number in part for i in tree.units[number].words)
    if len(positions) > LONGEST * len(keys_of(headline)):
        return None
    return " ".join(words[i].text for i in positions)


def _needed(tree: UnitTree, number: int) -> Iterator[int]:
    """What a verb can't be without, and what that needs in turn."""
    if tree.content(number).tag == "VERB":
        for child in tree.units[number].children:
            if tree.content(child).relation in NEEDED:
                yield child
                yield from _needed(tree, child)


def _form(word: Word, said: Sequence[str], by_stem: dict[str, str]) -> str:
    """The headline's form of a word, or the word."""
    forms = (word.key, word.lemma, third_person(word.lemma) if word.tag == "VERB" else word.lemma)
    return next((form for form in forms if form in said), by_stem.get(stem(word.key), word.key))


def _path(tree: UnitTree, number: int) -> Iterator[int]:
    """A unit and all that it hangs from."""
    at: int | None = number
    while at is not None:
        yield at
        at = tree.units[at].parent


def main(source: Path, target: Path) -> None:
    """Trains on the stories of a file."""
    parses = [(sentences_of(parsed), parsed.document) for parsed in parse_documents(stories(source), threads=2)]
    shorter = ((sentences[:1], compression(sentences[0], of.headlines[0])) for sentences, of in parses if sentences)
    texts = [of_compression(first, short) for first, short in shorter if short]
    write([sentences for sentences, _ in parses], texts, target)


def write(parses: Iterable[Sequence[Sequence[Word]]], texts: Sequence[ShortenedText], target: Path) -> None:
    """Trains, and writes the model."""
    model = train_deletion_model(texts)
    casing = Casing.trained(words for sentences in parses for words in sentences)
    content = ContentModel(KeywordModel(), model, None, WordForms(FORMS, VERBS), casing)
    written = json.dumps(content.as_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))
    weights = len(model.edges) + len(model.tops)
    print(f"{target}: {len(texts)} pairs, {weights} weights, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
