"""Keys and values of a phrase table: source phrases, their translations, and the facts about the whole table."""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from widl.decoder.features import TRANSLATION_FEATURES

FORMAT = "widl phrase table"
VERSION = 3
"""Version 1 had no checksum, and no options with extra text or with probabilities too small for a float; version 2 had
four scores, all at most 1, no phrases without words, no numbers that were written in another way than by the exporter,
and no scores of a reordering model."""
MAX_KEY = 511  # LMDB's limit, in bytes
METADATA = b"metadata"
VOCABULARY = b"vocabulary"
"""Keys of the database ``info``."""
REBUILD = "make it again with `widl train`"
"""What to do about a table that can't be used."""

Item = tuple[bytes, bytes]
"""A source phrase, or its key, and its encoded options."""


class PhraseOption(NamedTuple):
    """A translation of a source phrase."""

    words: tuple[str, ...]
    log_scores: tuple[float, ...]
    """ln of p(f|e), p(e|f), lex(f|e), lex(e|f), where f is the source phrase and e this one, or of the scores that the
    table has instead: see `TableInfo.scores`."""
    counts: tuple[int, int, int]
    """Of e, of f, and of the two together."""
    alignment: tuple[tuple[int, int], ...]
    """Links (source word, target word) of the pair."""
    reordering: tuple[float, ...] = ()
    """ln of the scores of the table's reordering model."""


@dataclass(frozen=True, kw_only=True)
class TableInfo:
    """Facts about a phrase table, which are stored in it."""

    sentences: int | None
    """Of the bitext; None for tables that were not made from one."""
    source_phrases: int
    phrase_pairs: int
    occurrences: int | None
    """Of phrase pairs in the bitext."""
    target_words: int
    max_length: int
    """Of phrases, in words; pruning does not change it."""
    symmetrization: str
    lexical: str = "most-frequent"
    smoothing: str = "none"
    """How the pairs were scored (see `extract_phrases`); empty if unknown."""
    significance: float | None = None
    """The smallest -ln p of the phrase pairs kept; None: all were kept."""
    reordering: str = ""
    """The model of lexicalised reordering that the options have scores of, or empty."""
    pruned_pairs: int = 0
    """The number of phrase pairs that were removed by significance."""
    moses_fields: int = 7
    """Of the table as Moses text: the number of fields, the fifth score, and what follows the counts in a line."""
    moses_penalty: str = ""
    moses_tail: str = " ||| |||"
    scores: tuple[str, ...] = TRANSLATION_FEATURES
    """The names of the features whose values the scores are, in the order of `PhraseOption.log_scores`."""
    history: tuple[str, ...] = ()
    """What was done to the table since it was built, such as importing and pruning."""

    @property
    def has_counts(self) -> bool:
        """Whether the counts of the options are known."""
        return self.moses_fields >= 5

    @property
    def has_direct(self) -> bool:
        """Whether p(e|f) is among the scores, where it is looked for."""
        return self.scores[1:2] == TRANSLATION_FEATURES[1:2]

    @property
    def score_columns(self) -> tuple[str, ...]:
        """The names of the scores in the order of their columns in Moses' text."""
        return in_columns(self.scores)


def in_columns(scores: Sequence[str]) -> tuple[str, ...]:
    """Names of scores from a table's order to that of Moses' columns, or back.

    Where there are four at least, the second and the third change places.

    >>> in_columns(["p_fe", "p_ef", "lex_fe", "lex_ef", "more"])
    ('p_fe', 'lex_fe', 'p_ef', 'lex_ef', 'more')
    """
    if len(scores) < len(TRANSLATION_FEATURES):
        return tuple(scores)
    first, second, third, *rest = scores
    return (first, third, second, *rest)


def source_key(words: Sequence[str]) -> bytes:
    """The key of a source phrase: its words joined by one space, or a digest if LMDB can't store that as a key.

    Keys that begin with a zero byte are digests, so a phrase that does is looked up by digest too.

    >>> source_key(["阶级", "忠诚"]).decode()
    '阶级 忠诚'
    """
    return stored_key(" ".join(words).encode())


def source_keys(phrases: Iterable[Sequence[str]]) -> list[bytes]:
    """The `source_key` of each phrase."""
    return [
        key if len(key) <= MAX_KEY and key[:1] != b"\0" else stored_key(key)
        for key in [" ".join(words).encode() for words in phrases]
    ]


def split_words(text: str) -> list[str]:
    r"""The words between ASCII white space, as everywhere in the core; str.split also splits at other spaces.

    >>> split_words(" a\tb\u3000c ")
    ['a', 'b\u3000c']
    """
    return re.findall("[^ \\t\\n\\v\\f\\r]+", text)


def is_regular(phrase: bytes) -> bool:
    """Whether the phrase is its own key."""
    return len(phrase) <= MAX_KEY and not phrase.startswith(b"\0")


def stored_key(phrase: bytes) -> bytes:
    """The key that a phrase is stored under: the phrase itself, or its digest."""
    if is_regular(phrase):
        return phrase
    return b"\0" + hashlib.blake2b(phrase, digest_size=32).digest()
