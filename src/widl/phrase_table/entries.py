"""Contents of a phrase table: source phrases, their translations, and the table's metadata."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from widl.decoder.features import TRANSLATION_FEATURES
from widl.phrase_table.reordering import StoredReordering

MAGIC = b"widl phrases "
"""First bytes of the files of all versions."""
REBUILD = "make it again with `widl train`"
"""Advice for an unusable table."""

IN_DOMAIN_SCORES = ("domain_fe", "domain_ef")
"""Lexical weights of in-domain text, lex(f|e) and lex(e|f)."""


class PhraseOption(NamedTuple):
    """A translation of a source phrase."""

    words: tuple[str, ...]
    log_scores: tuple[float, ...]
    """ln of p(f|e), p(e|f), lex(f|e), lex(e|f), where f is the source phrase and e this one, or of the scores that the
    table has instead: see `TableInfo.scores`."""
    counts: tuple[int, int, int]
    """Counts of e, of f, and of the pair."""
    alignment: tuple[tuple[int, int], ...]
    """Links (source word, target word) of the pair."""
    reordering: tuple[float, ...] = ()
    """ln of the scores of the table's reordering model."""


@dataclass(frozen=True, kw_only=True)
class TableInfo:
    """A phrase table's metadata, stored in the table."""

    sentences: int | None
    """Number of sentences of the bitext; None for tables that were not made from one."""
    source_phrases: int
    phrase_pairs: int
    occurrences: int | None
    """Number of occurrences of phrase pairs in the bitext."""
    target_words: int
    max_length: int
    """Maximum length of phrases, in words; pruning does not change it."""
    symmetrization: str
    reordering: StoredReordering = ""
    """The lexicalized reordering model whose scores the options have, or empty."""
    moses_fields: int = 5
    """Number of fields of the table as Moses text: 3 without links and counts, 4 without counts, 5 with both."""
    scores: tuple[str, ...] = TRANSLATION_FEATURES
    """The features' names for the scores, in the order of `PhraseOption.log_scores`."""
    history: tuple[str, ...] = ()
    """The operations on the table since it was built, such as importing and pruning."""

    @property
    def has_counts(self) -> bool:
        """Whether the counts of the options are known."""
        return self.moses_fields >= 5

    @property
    def has_direct(self) -> bool:
        """Whether p(e|f) is among the scores, in its usual position."""
        return self.scores[1:2] == TRANSLATION_FEATURES[1:2]


def in_columns(scores: Sequence[str]) -> tuple[str, ...]:
    """Reorders names of scores from the table's order to Moses' columns, or back.

    If there are at least four, the second and the third are swapped.

    >>> in_columns(["p_fe", "p_ef", "lex_fe", "lex_ef", "more"])
    ('p_fe', 'lex_fe', 'p_ef', 'lex_ef', 'more')
    """
    if len(scores) < len(TRANSLATION_FEATURES):
        return tuple(scores)
    first, second, third, *rest = scores
    return (first, third, second, *rest)


def split_words(text: str) -> list[str]:
    r"""The words between ASCII white space, as everywhere in the core; str.split also splits at other spaces.

    >>> split_words(" a\tb\u3000c ")
    ['a', 'b\u3000c']
    """
    return re.findall("[^ \\t\\n\\v\\f\\r]+", text)
