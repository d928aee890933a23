"""Pairs of names in Chinese characters and in letters, which teach how other names are spelt."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from widl.phrase_table.storage import PhraseTable
from widl.text.transliteration import Pair
from widl.translation.names import is_foreign

_IN_LETTERS = re.compile(r"[^\W\d_a-z][^\W\d_]{2,}")
_LEAST_SHARE = 0.3  # of the links of a name that are to the same word
_GLOSSES = 4  # of an entry


def name_pairs(source: Iterable[str], target: Iterable[str], links: Iterable[str]) -> Iterator[Pair]:
    """The words of aligned text that may be foreign names, with the words with a capital that they are linked to.

    A link counts if neither word has another one; a pair counts if it has three of ten links of its name.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for words, others, pairs in zip(source, target, links, strict=True):
        split, into = words.split(), others.split()
        names = {i for i, word in enumerate(split) if is_foreign(word)}
        if not names:
            continue
        points = [tuple(map(int, point.split("-"))) for point in pairs.split()]
        sources, targets = Counter(i for i, _ in points), Counter(j for _, j in points)
        for i, j in points:
            if i in names and sources[i] == 1 and targets[j] == 1:
                counts[split[i]][into[j]] += 1
    for name, letters in counts.items():
        for word, count in letters.items():
            if count >= _LEAST_SHARE * letters.total() and _IN_LETTERS.fullmatch(word):
                yield name, word


def dictionary_names(path: Path) -> Iterator[Pair]:
    """The entries of a table of dictionaries that may be foreign names, with glosses of a word with a capital."""
    with PhraseTable.open(path) as table:
        for name in filter(is_foreign, table.phrases()):
            for gloss in table.options_of(name, _GLOSSES):
                if len(gloss.words) == 1 and _IN_LETTERS.fullmatch(gloss.words[0]):
                    yield name, gloss.words[0]
