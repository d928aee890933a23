"""A model's knowledge of source words: its phrase table and its dictionary."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product

from widl._core import NumberWords
from widl.phrase_table.entries import PhraseOption
from widl.phrase_table.storage import PhraseTable
from widl.translation.english_numbers import BESIDE_DIGITS, NUMBER_WORDS
from widl.translation.results import Links, TranslatedPhrase


@dataclass(frozen=True)
class AdditionalTable:
    """A phrase table besides the first, open; `backs_off`: only for spans that those before it lack."""

    table: PhraseTable
    backs_off: bool = False


class TranslationTables:
    """Phrase tables and perhaps a table of dictionaries' entries; `origins` are the model's features of origin.

    If the source language is written without blanks, entries of the dictionary are found by their characters, however
    they are segmented: `between` joins their words. `has_reordering`: the first table has scores of a reordering
    model, and they count. `has_crossing`: clause marks count in movement, and phrases hardly span them.
    """

    def __init__(
        self,
        table: PhraseTable,
        dictionary: PhraseTable | None = None,
        *,
        further: Sequence[AdditionalTable] = (),
        origins: Sequence[str] = (),
        has_reordering: bool = False,
        has_crossing: bool = False,
        is_chinese: bool = False,
    ) -> None:
        self.table = table
        self.further = tuple(further)
        self.origins = tuple(origins)
        self.has_reordering = has_reordering
        self.has_crossing = has_crossing
        self.is_chinese = is_chinese
        self.dictionary = dictionary
        self.between = "" if is_chinese else " "

    @property
    def tables(self) -> list[PhraseTable]:
        """The phrase tables, the first one first."""
        return [self.table, *(addition.table for addition in self.further)]

    @cached_property
    def number_words(self) -> list[NumberWords]:
        """For each of `tables`, which of its target words say a number."""
        return [NumberWords(table.target_vocabulary, [*NUMBER_WORDS], [*BESIDE_DIGITS]) for table in self.tables]

    @property
    def longest(self) -> int:
        """Words of the longest source phrase, or more."""
        return max(table.info.max_length for table in self.tables)

    def occurrences(self, words: Sequence[str]) -> list[int | None]:
        """Training counts of some words as single-word phrases, 0 if unknown; None: never."""
        totals: list[int | None] = [None] * len(words)
        for table in self.tables:
            for i, count in enumerate(table.counts(words)):
                if count is not None:
                    totals[i] = (totals[i] or 0) + count
        return totals

    def options(self, words: Sequence[str], limit: int | None = None) -> list[PhraseOption]:
        """The translations of a phrase in the first phrase table that has any."""
        return next((options for table in self.tables if (options := table.options(words, limit=limit))), [])

    def has_words(self, words: Sequence[str]) -> list[bool]:
        """Whether a phrase table has each of some words by itself."""
        return [any(contained) for contained in zip(*(table.contains(words) for table in self.tables), strict=True)]

    def explains(self, words: Sequence[str]) -> list[bool]:
        """Whether a phrase table or the dictionary has each of some words by itself."""
        contained = self.has_words(words)
        if self.dictionary is not None:
            contained = [any(pair) for pair in zip(contained, self.dictionary.contains(words), strict=True)]
        return contained

    def links(self, source: Sequence[str], phrase: TranslatedPhrase) -> Links:
        """The word alignment inside a phrase of a translation of `source`, positions from its first words.

        A phrase pair that is not in the table, such as a word passed through, is linked along the diagonal.
        """
        return phrase_links(source[phrase.begin : phrase.end], phrase.words, self)


def phrase_links(source: Sequence[str], words: Sequence[str], tables: TranslationTables) -> list[tuple[int, int]]:
    """The word alignment of a phrase pair, under the first segmentation that a phrase table has it under.

    A word that is cut into several tokens has the links of all of them. A pair that the tables lack is linked
    along the diagonal.
    """
    for sizes in _groupings(len(source)) if tables.is_chinese else [[1] * len(source)]:
        starts = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
        key = ["".join(source[begin:end]) for begin, end in pairwise(starts)]
        for table in tables.tables:
            if (links := table.links(key, words)) is not None:
                return [(k, j) for i, j in links for k in range(starts[i], starts[i + 1])]
    if not words:
        return []
    return [(j * len(source) // len(words), j) for j in range(len(words))]


_LONGEST_GROUPED = 10  # tokens; a phrase has at most 2 ** 9 segmentations then


def _groupings(size: int) -> Iterator[list[int]]:
    """All ways to join neighbors, as sizes of groups, the finest first."""
    if size > _LONGEST_GROUPED:
        yield [1] * size
        return
    for joints in sorted(product((0, 1), repeat=size - 1), key=sum):
        sizes = [1]
        for joint in joints:
            if joint:
                sizes[-1] += 1
            else:
                sizes.append(1)
        yield sizes
