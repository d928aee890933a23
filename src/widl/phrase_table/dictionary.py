"""Phrase tables from bilingual dictionaries."""

import io
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.phrase_table.entries import TableInfo
from widl.phrase_table.moses_text import import_moses
from widl.text.glosses import Entry, read_dictionary

LONGEST_GLOSS = 6
"""Maximum number of words of a gloss; longer glosses explain rather than translate."""


def build_dictionary(
    files: Sequence[PathLike],
    path: Path,
    *,
    source: Callable[[str], str],
    target: Callable[[str], Sequence[str]],
) -> TableInfo:
    """Write the entries of dictionaries as the table `path`; `source` gives the lookup spelling of a word, `target` the
    words of a gloss.

    A dictionary has no counts. For a word's glosses e_1, e_2, … in the order of the files, p(e_r|f) is proportional to
    1/r, because lexicographers list the most common gloss first; p(f|e) is 1 over the number of words with that gloss.
    Lexical weights equal these probabilities. Glosses of more than `LONGEST_GLOSS` words are skipped.

    Raises InputError for a line that is not an entry, and for files without a usable entry.
    """
    glosses: dict[str, dict[str, None]] = {}
    for file in files:
        for entry in read_dictionary(file):
            targets = [words for gloss in _short_glosses(entry) if (words := target(gloss)) and "|||" not in words]
            for word in entry.words:
                if (key := source(word)) and "|||" not in key:
                    glosses.setdefault(key, {}).update(dict.fromkeys(map(" ".join, targets)))
    lines = "".join(_moses_lines(glosses))
    if not lines:
        raise _no_entry(files)
    return import_moses(io.BytesIO(lines.encode()), path)


def check_dictionaries(files: Sequence[Path]) -> None:
    """Raise an error for a file that is missing or has a line that is not an entry, before the work is done."""
    has_glosses = [any(_short_glosses(entry)) for file in files for entry in read_dictionary(file)]
    if files and not any(has_glosses):
        raise _no_entry(files)


def _short_glosses(entry: Entry) -> list[str]:
    return [gloss for gloss in entry.glosses if len(gloss.split()) <= LONGEST_GLOSS]


def _no_entry(files: Sequence[PathLike]) -> InputError:
    return InputError(f"{', '.join(map(str, files))}: no entry with a gloss of at most {LONGEST_GLOSS} words")


def _moses_lines(glosses: dict[str, dict[str, None]]) -> Iterable[str]:
    words_with = Counter(gloss for of_word in glosses.values() for gloss in of_word)
    for word, of_word in glosses.items():
        whole = sum(1 / rank for rank in range(1, len(of_word) + 1))
        for rank, gloss in enumerate(of_word, 1):
            direct, inverse = 1 / rank / whole, 1 / words_with[gloss]
            yield f"{word} ||| {gloss} ||| {inverse:.6g} {inverse:.6g} {direct:.6g} {direct:.6g}\n"
