"""Makes `src/widl/headline/shorter_forms.json.gz`: words that headlines pass over, and usual initials of names.

    python make_shorter_forms.py stories.jsonl ../../src/widl/headline/shorter_forms.json.gz

The input are JSON lines with `text` and `headline`, as `widl headline train` reads them.
"""

import gzip
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from widl.headline.documents import Document, read_documents
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents
from widl.headline.shorter_forms import (
    INITIAL_LINKS,
    apposed_names,
    infinitives,
    initials_of,
    of_phrases,
    plain_initials,
)
from widl.headline.units import UnitTree
from widl.headline.word_lists import ARTICLES
from widl.headline.words import Word, bare, keys_of

SENTENCES = 2
"""First sentences of a story that are compared with its headline."""
PARSED_WORDS = 80
FEWEST = 2
"""Words that headlines pass over less often are left out."""
LINKS = ARTICLES | {"of", "in", "on", "at", "to", "for", "from", "with", "by", "as", "over", "into", "against", "and"}

FEWEST_INITIALS, LEAST_INITIALS, MIN_RIVAL = 4, 0.6, 0.1
"""How often headlines have the initials of a phrase in their text: times, share of all headlines with either, and share
of the most frequent phrase with these initials."""
LONGEST_PHRASE = 6  # words
OPENING = 120  # words of a text that are searched for phrases

Counts = Counter[tuple[str, bool]]
"""How often words are kept (False) and passed over (True)."""


def stem(key: str) -> str:
    """The stem shared by most forms of a word."""
    return key if len(key) < 5 else key[: max(4, len(key) - 3)]


class HeadlineWords:
    """The words of a headline, by their stems."""

    def __init__(self, headline: str) -> None:
        self.keys = keys_of(headline)
        self.stems = list(map(stem, self.keys))

    def has(self, word: Word) -> bool:
        """Whether the headline has a form of a word."""
        return stem(word.key) in self.stems or stem(word.lemma) in self.stems

    def between(self, first: Word, second: Word) -> Sequence[str] | None:
        """The words between two words of the headline; None if it has not both in this order."""
        at = [[i for i, s in enumerate(self.stems) if s in {stem(w.key), stem(w.lemma)}] for w in (first, second)]
        pairs = [(i, j) for i in at[0] for j in at[1] if i < j]
        return self.keys[pairs[0][0] + 1 : pairs[0][1]] if pairs else None


def nouns_passed(tree: UnitTree, headline: HeadlineWords) -> Iterator[tuple[str, bool]]:
    """Nouns with *of* whose surroundings a headline has, and whether it passes over them."""
    own = {stem(word.key) for word in tree.words}
    for number, unit in enumerate(tree.units):
        if unit.parent is None:
            continue
        above, noun = tree.content(unit.parent), tree.content(number)
        for k in of_phrases(tree, number):
            first, second = (above, tree.content(k)) if not tree.is_left(number) else (tree.content(k), above)
            between = headline.between(first, second)
            if between is not None and all(stem(key) in own or key in LINKS for key in between):
                yield noun.lemma, not headline.has(noun)


def descriptions_passed(tree: UnitTree, headline: HeadlineWords) -> Iterator[bool]:
    """For each name of a headline that stands behind its description, whether the headline passes over that."""
    for number, unit in enumerate(tree.units):
        for k in apposed_names(tree, number):
            if unit.parent is not None and headline.has(tree.content(k)) and headline.has(tree.content(unit.parent)):
                yield not headline.has(tree.content(number))


def verbs_passed(tree: UnitTree, headline: HeadlineWords) -> Iterator[tuple[str, bool]]:
    """Verbs with an infinitive that a headline has as *to …*, and whether it passes over them."""
    for number in range(len(tree)):
        for k in infinitives(tree, number):
            verb, infinitive = tree.content(number), tree.content(k)
            marked = ("to", infinitive.key) in zip(headline.keys, headline.keys[1:], strict=False)
            if marked and any(headline.has(tree.content(s)) for s in tree.subjects(number)):
                yield verb.lemma, not headline.has(verb)


class InitialsCounts:
    """How often headlines write phrases of their texts as initials, or in full."""

    def __init__(self) -> None:
        self.written: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.in_full: Counter[str] = Counter()

    def add(self, headline: str, text: str) -> None:
        """Counts the phrases of a text."""
        said = [_without_owner(bare(word)) for word in headline.split()]
        initials = {plain_initials(word): word for word in said if len(plain_initials(word)) > 1 and word.isupper()}
        line = f" {' '.join(said).lower()} "
        for phrase in set(phrases(text)):
            written = initials.get(initials_of(phrase.split(" ")))
            if written is not None:
                self.written[phrase.lower()][written] += 1
            elif f" {phrase.lower()} " in line:
                self.in_full[phrase.lower()] += 1

    def table(self) -> dict[str, str]:
        """Phrases that headlines write as initials, and the most frequent initials."""
        largest: Counter[str] = Counter()
        for phrase, forms in self.written.items():
            key = initials_of(phrase.split(" "))
            largest[key] = max(largest[key], forms.total())
        return {
            phrase: forms.most_common(1)[0][0]
            for phrase, forms in sorted(self.written.items())
            if forms.total() >= FEWEST_INITIALS
            and forms.total() >= LEAST_INITIALS * (forms.total() + self.in_full[phrase])
            and forms.total() >= MIN_RIVAL * largest[initials_of(phrase.split(" "))]
        }


def phrases(text: str) -> Iterator[str]:
    """Phrases of a text that may have initials: names, and three words or more in small letters."""
    words = text.split()[:OPENING]
    plain = [_without_owner(bare(word)) for word in words]
    for begin in range(len(words)):
        for end in range(begin + 2, min(begin + LONGEST_PHRASE, len(words)) + 1):
            if end - begin > 1 and words[end - 2] != plain[end - 2]:
                break
            phrase = plain[begin:end]
            initials = initials_of(phrase)
            named = all(word[:1].isupper() or word in INITIAL_LINKS for word in phrase)
            long = len(initials) > 2 and all(word.islower() for word in phrase)
            ends = phrase[0].lower() in INITIAL_LINKS or phrase[-1].lower() in INITIAL_LINKS
            if (
                all(phrase)
                and (named or long)
                and not ends
                and not any(plain_initials(word) == initials for word in phrase)
            ):
                yield " ".join(phrase)


def counted(pairs: Iterable[tuple[str, Sequence[Sequence[Word]]]]) -> dict[str, Any]:
    """The counts over headlines and the sentences of their texts."""
    nouns: Counts = Counter()
    verbs: Counts = Counter()
    descriptions: Counter[bool] = Counter()
    for headline, sentences in pairs:
        words = HeadlineWords(headline)
        for sentence in sentences[:SENTENCES]:
            tree = UnitTree(sentence)
            nouns.update(nouns_passed(tree, words))
            verbs.update(verbs_passed(tree, words))
            descriptions.update(descriptions_passed(tree, words))
    passed = [descriptions[False], descriptions[True]]
    return {"nouns": _table(nouns), "verbs": _table(verbs), "descriptions": passed}


def _without_owner(text: str) -> str:
    return text.removesuffix("'s").removesuffix("’s")


def _table(counts: Counts) -> dict[str, list[int]]:
    lemmas = sorted({lemma for lemma, _ in counts})
    return {lemma: [counts[lemma, False], counts[lemma, True]] for lemma in lemmas if counts[lemma, True] >= FEWEST}


def _with_headlines(source: Path) -> Iterator[Document]:
    return (d for d in read_documents([source]) if isinstance(d, Document) and d.headlines)


def main(source: Path, target: Path) -> None:
    """Counts over the documents of a file."""
    parses = parse_documents(_with_headlines(source), words=PARSED_WORDS)
    table = counted((parsed.document.headlines[0], sentences_of(parsed)) for parsed in parses)
    initials = InitialsCounts()
    for document in _with_headlines(source):
        initials.add(document.headlines[0], document.text)
    table["initials"] = initials.table()
    written = json.dumps(table, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))
    print(f"{target}: " + ", ".join(f"{len(rows)} {name}" for name, rows in table.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
