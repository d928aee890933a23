"""Glossaries: terms with the user's translations, found in raw text so that segmentation can't split them."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.text.word_pieces import splits_word
from widl.translation.line_parts import GivenTranslations, Part


class Glossary:
    """Source terms and their translations; of overlapping terms that begin at the same place the longest is found.

    >>> glossary = Glossary({term: GivenTranslations.evenly([[term]], exclusive=True) for term in ("北京", "AI")})
    >>> [text[begin:end] for text in ["在北京的FAIR和AI"] for begin, end, _ in glossary.find(text)]
    ['北京', 'AI']
    """

    def __init__(self, terms: Mapping[str, GivenTranslations]) -> None:
        self.terms = terms
        lengths: dict[str, set[int]] = {}
        for term in terms:
            lengths.setdefault(term[0], set()).add(len(term))
        self._lengths = {first: sorted(of_first, reverse=True) for first, of_first in lengths.items()}

    def __len__(self) -> int:
        return len(self.terms)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        normalize: Callable[[str], str],
        split: Callable[[str], Sequence[str]],
    ) -> "Glossary":
        """Read lines ``source<TAB>translation[<TAB>translation…]``; `.gz` by name.

        normalize: applied to terms and to the text in which they are looked up. split: splits a translation into words.
        Empty lines are skipped; InputError names a line that is not an entry, or repeats a term.
        """
        terms: dict[str, GivenTranslations] = {}
        first_seen: dict[str, int] = {}
        for number, line in enumerate(read_lines(path), 1):
            if not line.strip():
                continue
            where = f"{os.fspath(path)}:{number}"
            source, *targets = line.split("\t")
            term = normalize(source)
            translations = [split(target) for target in targets]
            if not (term and translations and all(translations)):
                raise InputError(
                    f"{where}: expected 'source<TAB>translation[<TAB>translation…]', nothing of it empty, "
                    f"found {line.strip()[:60]!r}"
                )
            if term in terms:
                raise InputError(
                    f"{where}: {term!r} is in line {first_seen[term]} already; put all its translations in one line"
                )
            terms[term], first_seen[term] = GivenTranslations.evenly(translations, exclusive=True), number
        return cls(terms)

    def find(self, text: str) -> Iterator[tuple[int, int, Part]]:
        """Glossary terms found in the text, left to right; at each position the longest match wins."""
        start = 0
        while start < len(text):
            for length in self._lengths.get(text[start], ()):
                end = start + length
                translations = self.terms.get(text[start:end])
                if translations is not None and not (splits_word(text, start) or splits_word(text, end)):
                    yield start, end, Part(text[start:end], translations)
                    start = end
                    break
            else:
                start += 1
