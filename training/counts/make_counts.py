r"""Makes `src/widl/headline/counts.json.gz`: counts of words that belong together in news.

    python make_counts.py stories.train.jsonl.xz text.txt.xz ../../src/widl/headline/counts.json.gz

The stories are JSON lines with `text` and `source`; some of them are parsed. The running text has a paragraph per line.
"""

import gzip
import json
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path

from widl.common.workers import chunked
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import parse_documents
from widl.headline.phrase_counts import PAIRED, dependent_type, head_key
from widl.headline.units import UnitTree
from widl.headline.word_lists import DAYS, PEOPLES, word_set

ONE_IN = {"wikinews": 1, "us-doj": 10, "us-congress": 8}
"""One story in this number is parsed, by source: press releases repeat themselves."""
ONE_IN_OTHERS = 2
CHUNK = 100
"""Stories of a document for the parser."""

FEWEST = 14
"""Minimum number of occurrences of a word with separate entries."""
STRENGTH = 12
"""Number of occurrences of its kind credited to each word."""
LEAST, DIFFERENCE = 0.06, 0.04
"""Entries have at least this probability, and differ by at least this much from their kind's."""
MIN_PAIRS, MIN_LOG_RATIO = 5, 3.5

NAMED = re.compile(r"\b([A-Z][a-z]+(?:-[A-Z][a-z]+)?) (?:[A-Z]\. )?([A-Z][A-Za-z]*[a-z]+(?:-[A-Z][a-z]+)?)\b(?! [A-Z])")
INITIAL = re.compile(r"\b([A-Z][a-z]+) [A-Z]\. [A-Z][a-z]+")
REFERRED = re.compile(
    r"\b([A-Z]?[a-z]+) (?:(?:has|have|had|will|would|is|was|also|said|says) )?[a-z]+ (?:on [A-Z][a-z]+ )?(?:that )?"
    r"(its?|itself|he|his|himself|him|she|her|herself)\b"
)
ABBREVIATED = re.compile(r"\b(Rep|Reps|Sen|Sens|Gov|Dr|Mr|Ms|Mrs|Gen|Col|Lt|Sgt|Prof)\. ")
ROLES = word_set(
    "adviser analyst banker businessman captain chairman chief coach colonel commander commissioner consultant counsel "
    "developer director economist editor entrepreneur envoy executive financier founder general governor head investor "
    "judge lawyer leader magnate manager mayor member minister officer partner pioneer pope premier president prince "
    "professor prosecutor queen secretary senator sergeant singer son spokesman spokeswoman trader treasurer trustee "
    "tycoon undersecretary"
)
"""Titles and roles that need not be counted: press releases give many without a given name (*President Obama*)."""
ORGANIZATIONS = word_set(
    "agency airline automaker bank broker brokerage carmaker court exchange lender ministry regulator retailer union"
)
"""Speakers that *it* refers to, which press releases seldom quote."""
STORMS = word_set("basin cyclone cyclones hurricane hurricanes storm storms typhoon")
"""Words before names that are not persons'."""
NO_NAMES = word_set("acting america angeles asia assistant ayatollah africa") | STORMS
"""Words before capitals that are no given names."""
PARAGRAPHS = 8
"""Paragraphs of running text that count as a document."""


@dataclass
class Counts:
    """Counts over parsed sentences."""

    heads: Counter[str] = field(default_factory=Counter)
    dependents: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Heads with at least one dependent of a type."""
    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Modifiers with the nouns that follow them."""
    words: int = 0

    def add(self, tree: UnitTree) -> None:
        """Counts a sentence."""
        self.words += len(tree.words)
        for number, unit in enumerate(tree.units):
            key = head_key(tree.content(number))
            self.heads[key] += 1
            self.dependents.update((key, kind) for kind in {dependent_type(tree, k) for k in unit.children})
            for k in unit.children:
                if tree.content(k).relation in PAIRED:
                    self.pairs[tree.content(k).lemma, tree.content(number).lemma] += 1


def count_sentences(texts: Iterable[str]) -> Counts:
    """Parses texts, in two processes, and counts their sentences."""
    counts = Counts()
    documents = (Document(str(n), "\n".join(some)) for n, some in enumerate(chunked(texts, CHUNK), 1))
    for parsed in parse_documents(documents, words=10**9, threads=2):
        for words in sentences_of(parsed):
            counts.add(UnitTree(words))
    return counts


def table(counts: Counts) -> dict[str, object]:
    """The probabilities of dependents by head, and the frequent pairs of modifier and noun."""
    of_kind: Counter[str] = Counter()
    kinds: Counter[tuple[str, str]] = Counter()
    for key, n in counts.heads.items():
        of_kind[key[:1]] += n
    for (key, kind), n in counts.dependents.items():
        kinds[key[:1], kind] += n
    general = {at: n / of_kind[at[0]] for at, n in kinds.items() if n >= 5 * FEWEST}
    dependents: dict[str, dict[str, int]] = {}
    for kind_of_head in sorted(of_kind):
        found = {kind: round(100 * p) for (k, kind), p in sorted(general.items()) if k == kind_of_head and p >= 0.01}
        dependents[kind_of_head] = found
    for (key, kind), n in sorted(counts.dependents.items()):
        usual = general.get((key[:1], kind), 0.0)
        p = (n + STRENGTH * usual) / (counts.heads[key] + STRENGTH)
        if counts.heads[key] >= FEWEST and p >= LEAST and abs(p - usual) >= DIFFERENCE:
            dependents.setdefault(key, {})[kind] = round(100 * p)
    for key, n in counts.heads.items():  # entries that are rarer for a word than for its kind
        if n >= 4 * FEWEST:
            for (k, kind), usual in general.items():
                p = (counts.dependents[key, kind] + STRENGTH * usual) / (n + STRENGTH)
                if k == key[:1] and usual - p >= DIFFERENCE:
                    dependents.setdefault(key, {})[kind] = round(100 * p)
    before: Counter[str] = Counter()
    behind: Counter[str] = Counter()
    for (modifier, noun), n in counts.pairs.items():
        before[modifier] += n
        behind[noun] += n
    total = sum(before.values())
    pairs: dict[str, list[str]] = {}
    for (modifier, noun), n in sorted(counts.pairs.items()):
        if n >= MIN_PAIRS and n * total >= 2.718**MIN_LOG_RATIO * before[modifier] * behind[noun]:
            pairs.setdefault(noun, []).append(modifier)
    return {"dependents": dict(sorted(dependents.items())), "pairs": {noun: " ".join(m) for noun, m in pairs.items()}}


def names(texts: Iterable[str], heads: Counter[str]) -> dict[str, str]:
    """Given names: words before an initial, or before a last name that appears alone later. Titles: words that stand
    before given names.
    """
    full: Counter[str] = Counter()
    alone: Counter[str] = Counter()
    small: Counter[str] = Counter()
    capital: Counter[str] = Counter()
    before: Counter[tuple[str, str]] = Counter()
    for text in texts:
        words = ABBREVIATED.sub(r"\1 ", text).split()
        small.update(word for word in words if word.islower())
        capital.update(word for word in words if word.istitle())
        before.update(pairwise(words))
        later = {b.removesuffix("'s") for a, b, c in zip(words, words[1:], words[2:], strict=False) if _between(a, c)}
        for given, last in {found.group(1, 2) for found in NAMED.finditer(text)}:
            full[given] += 1
            alone[given] += last in later
        for given in set(INITIAL.findall(text)):
            alone[given] += 1
    given = {
        word
        for word, n in alone.items()
        if n >= 4
        and n > 0.02 * full[word]
        and small[word.lower()] < 0.2 * capital[word]
        and word.lower() not in PEOPLES
    }
    everywhere = small + Counter({word.lower(): n for word, n in capital.items()})
    titles = {title for title in _before(before, given, 0.08, everywhere) if _is_noun(title, heads)} | ROLES - STORMS
    called: Counter[str] = Counter()
    for (a, b), n in before.items():
        called[b] += n * (a.lower() in titles)
    given = {
        word
        for word in given
        if called[word] > 0.15 * capital[word]  # no Atlanta
        and word.lower() not in DAYS | NO_NAMES
        and (word.lower() not in titles or small[word.lower()] < 0.02 * capital[word])  # no Secretary
        and heads[f"P:{word.lower()}"] >= sum(heads[f"{kind}:{word.lower()}"] for kind in "NVA")  # no Acting
    }
    titles = _before(before, given, 0.1, everywhere) - {word.lower() for word in given} - STORMS
    titles = {title for title in titles if small[title] >= 0.02 * capital[title.title()]}  # no San
    titles = {title for title in titles if _is_noun(title, heads)} | ROLES
    return {"given": " ".join(sorted(word.lower() for word in given)), "titles": " ".join(sorted(titles))}


def _before(pairs: Counter[tuple[str, str]], names: set[str], share: float, everywhere: Counter[str]) -> set[str]:
    """Words that precede a name in more than a given share of their occurrences."""
    found: Counter[str] = Counter()
    for (a, b), n in pairs.items():
        if b in names and a.isalpha():
            found[a.lower()] += n
    return {word for word, n in found.items() if n >= 8 and n > share * everywhere[word]}


def _between(before: str, after: str) -> bool:
    """Whether the word between these is a complete name: it neither continues a name nor begins one."""
    return not before[:1].isupper() and after[:1].islower()


def things(lines: Iterable[str], heads: Counter[str]) -> str:
    """Nouns that *it* and *its* refer to: organizations, not persons."""
    it: Counter[str] = Counter()
    everyone: Counter[str] = Counter()
    for line in lines:
        for noun, pronoun in REFERRED.findall(line):
            everyone[noun.lower()] += 1
            it[noun.lower()] += pronoun.startswith("it")
    found = {noun for noun, n in everyone.items() if n >= 5 and it[noun] > 0.6 * n and _is_noun(noun, heads)}
    return " ".join(sorted(found | ORGANIZATIONS))


def _is_noun(word: str, heads: Counter[str]) -> bool:
    """Whether a word is parsed as a noun most of the time."""
    nouns = sum(heads[f"{kind}:{word}"] for kind in "NP")
    return nouns >= 3 and nouns > 5 * sum(heads[f"{kind}:{word}"] for kind in "VARX")


def _lines(path: Path) -> Iterator[str]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        yield from file


def sample(stories: Iterable[Mapping[str, str]]) -> Iterator[str]:
    """The texts of some stories, each source at its own rate."""
    seen: Counter[str] = Counter()
    for story in stories:
        source = story["source"]
        if not seen[source] % ONE_IN.get(source, ONE_IN_OTHERS):
            yield " ".join(story["text"].split())
        seen[source] += 1


def main(stories: Path, running: Path, target: Path) -> None:
    """Counts, and writes the table."""
    counts = count_sentences(sample(map(json.loads, _lines(stories))))
    texts = [json.loads(line)["text"] for line in _lines(stories)]
    documents = chain(texts, map(" ".join, chunked(map(str.strip, _lines(running)), PARAGRAPHS)))
    fields = table(counts) | names(documents, counts.heads)
    fields["things"] = things(chain(texts, _lines(running)), counts.heads)
    write(fields, target)
    print(f"{target}: {counts.words} words, {target.stat().st_size} bytes")


def write(fields: Mapping[str, object], target: Path) -> None:
    """The same fields give the same bytes."""
    written = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    target.write_bytes(gzip.compress(written.encode("utf-8"), 9, mtime=0))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
