"""
The native core of widl; use the Python packages, which export its names.
"""

from collections.abc import Callable, Mapping, Sequence
import enum
import os
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray


class InputError(ValueError):
    """
    What a user gave can't be used; one line says where, what is wrong, and how to mend it.
    """

class InternalError(AssertionError):
    """A fault of this package."""

class LanguageModel:
    """An n-gram language model (KenLM inside). Scores are natural logs."""

    def __init__(self, path: str | os.PathLike) -> None:
        """As `load`."""

    @staticmethod
    def load(path: str | os.PathLike) -> LanguageModel:
        """Open an ARPA file or a KenLM binary; InputError names file and line."""

    @staticmethod
    def convert(arpa: str | os.PathLike, output: str | os.PathLike, *, kind: str, quantized_bits: int = 0, pointer_bits: int = 0) -> None:
        """Write an ARPA file as KenLM binary of kind rest, probing or trie."""

    @property
    def order(self) -> int: ...

    @property
    def has_rest_costs(self) -> bool:
        """Whether the model knows bounds over unknown left contexts."""

    def __contains__(self, word: str) -> bool: ...

    def score_words(self, words: Sequence[str], *, begin: bool = True, end: bool = True) -> list[float]:
        """ln p of each word in its context and, last, of </s> when `end` is set."""

    def full_score_words(self, words: Sequence[str], *, begin: bool = True, end: bool = True) -> list[tuple[float, int, bool]]:
        """
        As `score_words`, with the length of the n-gram that was found for each word, and whether the word is known.
        """

    def bound_words(self, words: Sequence[str]) -> list[float]:
        """
        The largest that ln p of each word can be, given the words before it in the list and whatever stands before those.
        """

class EstimationOptions:
    """
    What a language model is to be like; InputError when that is impossible.
    """

    def __init__(self, *, order: int = 3, prune: Sequence[int] = []) -> None: ...

    @property
    def order(self) -> int: ...

    @property
    def prune(self) -> list[int]:
        """Pruning threshold of each order, from order 1."""

class TrainingText:
    """
    Text to estimate a language model from, one sentence a line, given in pieces; its n-grams are counted in a bounded number of bytes, and what does not fit goes to temporary files.
    """

    def __init__(self, *, order: int, memory: int, directory: str | os.PathLike) -> None:
        """
        `memory` is for all that the core holds, the vocabulary included; `directory` is for temporary files, which are gone with the object.
        """

    def begin_source(self, name: str | os.PathLike) -> None:
        """Name the source of the text that follows, for messages."""

    def add(self, piece: bytes) -> None:
        """
        The next bytes, which may end anywhere; InputError names source and line.
        """

    @property
    def words(self) -> int: ...

    @property
    def sentences(self) -> int: ...

class NGramModel:
    """An estimated n-gram model, whose ARPA text can be written once."""

    @staticmethod
    def estimate(text: TrainingText, options: EstimationOptions) -> NGramModel:
        """
        Interpolated modified Kneser-Ney as lmplz computes it. Uses the text up.
        """

    @property
    def words(self) -> int: ...

    @property
    def sentences(self) -> int: ...

    @property
    def ngram_counts(self) -> list[int]:
        """Number of n-grams of each order, from order 1."""

    @property
    def discounts(self) -> list[tuple[float, float, float]]:
        """D1, D2, D3+ of each order, from order 1."""

    @property
    def fallback_orders(self) -> list[int]:
        """Orders whose discounts could not be estimated."""

    def write_arpa(self, sink: Callable[[bytes], object]) -> None:
        """Call `sink` with the model's ARPA text, piece by piece."""

def symmetrize(forward: str, reverse: str, method: str) -> str:
    """One alignment, `0-0 1-2 …`, of the two directions."""

def reordering_features() -> list[str]:
    """Names of the features of a reordering model, in their order."""

class Bitext:
    """Word-aligned sentence pairs, a part of a text."""

    def __init__(self, lines: bytes, *, first: int = 0, in_domain: int = 0) -> None:
        """
        lines: for each pair the source's tokens, the target's tokens, and links as `0-0 1-2 …`. first: pairs of the text
        before these. in_domain: how many pairs at the beginning of the text are in-domain.
        """

    def __len__(self) -> int: ...

class TextCounts:
    """Words and links, counted in all parts of a text."""

    def __init__(self) -> None: ...

    @staticmethod
    def parse(numbered: bytes) -> TextCounts:
        """The result of `numbered`."""

    @staticmethod
    def of(part: Bitext) -> bytes:
        """The counts of a part, for `add`."""

    def add(self, part: bytes) -> None: ...

    def numbered(self) -> bytes:
        """
        Number the words, after all parts are added. Returns the counts for other machines.
        """

    @property
    def has_in_domain(self) -> bool: ...

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""

def extract_part(part: Bitext, counts: TextCounts, shards: int, *, max_length: int, reordering: bool) -> tuple[list[bytes], int, list[bytes]]:
    """
    The phrase pairs of a part: for each shard of target phrases, how many occur, and a sample of source phrases.
    """

def count_targets(files: Sequence[bytes], bounds: Sequence[bytes]) -> tuple[list[bytes], list[int]]:
    """
    Merges the files of a shard of target phrases. Returns their pairs for each shard of source phrases, which begin
    before the first bound and at each bound, and the number of distinct pairs: all, and those that occur once, twice,
    three and four times.
    """

def score_sources(files: Sequence[bytes], counts: TextCounts, pairs: Sequence[int], *, reordering: bool, smoothed: bool) -> PhraseBatch:
    """
    The scored options of a shard of source phrases. `pairs`: sums of the counts of all shards of target phrases.
    """

class ParallelText:
    """Sentence pairs of tokens between blanks, without links."""

    def __init__(self) -> None: ...

    def append(self, source: str, target: str) -> None: ...

    def lines(self, begin: int, end: int) -> bytes:
        """The pairs [begin, end) as lines `source<TAB>target`."""

    @staticmethod
    def parse(lines: bytes) -> ParallelText:
        """What `lines` gave, or several of them one after the other."""

    def __len__(self) -> int: ...

class AlignmentModel:
    """What was learnt of a text's word alignment, to align others with."""

    @staticmethod
    def parse(text: str, split_source: Callable[[str], Sequence[str]], split_target: Callable[[str], Sequence[str]], *, threads: int = 1) -> AlignmentModel:
        """
        Of the text that `text` gives. InputError begins with the number of a bad line.
        """

    @staticmethod
    def count(text: ParallelText, forward: Sequence[str], reverse: Sequence[str], split_source: Callable[[str], Sequence[str]], split_target: Callable[[str], Sequence[str]]) -> AlignmentModel:
        """
        Of given links, a line `0-0 1-2 …` of source-target points a sentence pair in each direction.
        """

    def text(self) -> str:
        """The model as lines; see docs/formats.md."""

class AlignmentTrainer:
    """
    Expectation maximization: rounds of `expect` for all sentence pairs, then `maximize`.
    """

    def __init__(self, text: ParallelText, split_source: Callable[[str], Sequence[str]], split_target: Callable[[str], Sequence[str]], *, model1_rounds: int = 3, markov_rounds: int = 3, most_pairs: int = 24000000, threads: int = 1, shared: bool = False) -> None: ...

    @property
    def rounds(self) -> int: ...

    def expect(self, begin: int, end: int, threads: int = 1) -> None: ...

    def maximize(self, threads: int = 1) -> None: ...

    def counts(self) -> str:
        """The text of the model, after the last round."""

    def take_start(self) -> bytes:
        """What an AlignmentShare begins with; once, and only with `shared`."""

    def counted(self) -> bytes:
        """What this round has counted so far."""

    def add(self, counts: bytes) -> None:
        """Adds what an AlignmentShare counted to this round."""

class AlignmentShare:
    """Counts parts of a trainer's text elsewhere, for the trainer to add."""

    def __init__(self, start: bytes, split_source: Callable[[str], Sequence[str]], split_target: Callable[[str], Sequence[str]]) -> None: ...

    def expect(self, round: int, counted_before: bytes, text: ParallelText) -> bytes:
        """
        What the round counts of a part of the text. `counted_before` is what the trainer `counted` in the round before.
        """

class TextAligner:
    """Aligns the sentence pairs of one text with a model."""

    def __init__(self, model: AlignmentModel, text: ParallelText) -> None: ...

    def align(self, begin: int, end: int, threads: int = 1) -> list[tuple[str, str]]:
        """Links of the pairs [begin, end), forward and reverse."""

    def probabilities(self, pair: int) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
        """
        Link probabilities of a pair, of shape (source words, target words): that target word j comes from source word i,
        and that source word i comes from target word j.
        """

class Vocabulary:
    """
    Words and their numbers, from 0, both ways. Words may be interned while others search.
    """

    def __init__(self, words: Sequence[str] = []) -> None: ...

    def intern(self, word: str) -> int:
        """The word's number, given to it now if it has none."""

    def find(self, word: str) -> int | None:
        """The word's number, or None."""

    def word(self, id: int) -> str: ...

    def __len__(self) -> int: ...

def write_options(options: Sequence[tuple[Sequence[int], Sequence[float], Sequence[int], Sequence[tuple[int, int]], Sequence[float]]]) -> bytes:
    """
    A table's value of options: word ids, four or more scores, counts, links, the probabilities of a reordering model.
    """

class PhraseBatch:
    """Source phrases and their encoded options."""

    def __init__(self, items: Sequence[tuple[bytes, bytes]]) -> None:
        """
        items: phrases, their words joined by one space, with their encoded options.
        """

    @staticmethod
    def parse(written: bytes) -> PhraseBatch:
        """The result of `written`."""

    def written(self) -> bytes:
        """All of the batch, for a file."""

    def __len__(self) -> int: ...

    @property
    def items(self) -> list[tuple[bytes, bytes]]:
        """
        (phrase, options), word by word in the order of the words' bytes, from batch to batch.
        """

    @property
    def phrases(self) -> list[str]: ...

    @property
    def pairs(self) -> int:
        """Distinct phrase pairs in the batch."""

    @property
    def occurrences(self) -> int:
        """Occurrences that they were counted from."""

class TableOption:
    """An option of a source phrase."""

    @property
    def words(self) -> list[str]: ...

    @property
    def scores(self) -> list[float]:
        """ln of the scores."""

    @property
    def counts(self) -> list[int]:
        """Of e, of f and of both."""

    @property
    def links(self) -> list[tuple[int, int]]:
        """(position in f, position in e)"""

    @property
    def orientation(self) -> list[float]:
        """ln of the scores of a reordering model."""

class PhraseTable:
    """A phrase table in a mapped file, which any number of threads may read."""

    def __init__(self, path: str | os.PathLike) -> None: ...

    @property
    def metadata(self) -> bytes: ...

    @property
    def target_vocabulary(self) -> Vocabulary: ...

    def __len__(self) -> int: ...

    def options(self, phrase: str, limit: int | None = None) -> list[TableOption]:
        """
        The options of a source phrase, its words joined by one space, or the first `limit`. An empty list if the
        table lacks the phrase.
        """

    def values(self, phrases: Sequence[str]) -> PhraseBatch:
        """The phrases that the table has, with their options."""

    def contains(self, phrases: Sequence[str]) -> list[bool]:
        """Whether the table has each of the source phrases."""

    def counts(self, phrases: Sequence[str]) -> list[int | None]:
        """
        How often each source phrase was seen, 0 if that is not known; None for those that the table lacks.
        """

class TableCursor:
    """All source phrases of a table, in the order of the file."""

    def __init__(self, table: PhraseTable) -> None: ...

    def next_batch(self, size: int, with_options: bool = True) -> PhraseBatch | None:
        """
        The next phrases, `size` at most, with or without their options; None after the last.
        """

class TableWriter:
    """Writes the file of a phrase table."""

    def __init__(self, path: str | os.PathLike, directory: str | os.PathLike) -> None:
        """
        path: a file that exists. directory: of a temporary file, about twice as large as the table.
        """

    def add(self, batch: PhraseBatch) -> None:
        """Add source phrases, each once; their order is that of the file."""

    def finish(self, metadata: str, target_words: Sequence[str]) -> None: ...

    @property
    def source_phrases(self) -> int:
        """That were added."""

class MosesLayout:
    """What all lines of a Moses text table have in common."""

    def __init__(self, *, fields: int, scores: int = 4) -> None: ...

    @property
    def fields(self) -> int:
        """
        Between `|||`, 3 to 5: without links and counts, without counts, with both.
        """

    @property
    def scores(self) -> int: ...

class MosesImporter:
    """Takes lines of a Moses text table, in any order, and sorts them."""

    def __init__(self, directory: str | os.PathLike, memory: int, scores: int = 0) -> None:
        """
        directory: of a temporary file. memory: bytes sorted at once. scores: their number in each line; 0: as on line 1.
        """

    def parse(self, lines: bytes) -> None:
        """Take whole lines; InputError, `LINE: …`, for a line that can't be one."""

    def parse_reordering(self, lines: bytes) -> None:
        """
        Take whole lines of a reordering table, after all those of the phrase table.
        """

    @property
    def lines(self) -> int: ...

    @property
    def max_length(self) -> int:
        """Words of the longest phrase on either side."""

    @property
    def layout(self) -> MosesLayout: ...

class RunMerger:
    """Merges what an importer has sorted into the values of a table."""

    def __init__(self, importer: MosesImporter) -> None: ...

    def next_batch(self) -> PhraseBatch | None:
        """
        The next batch, or None after the last; InputError, `LINE: …`, for a phrase pair that comes twice.
        """

    def target_words(self) -> list[str]:
        """The target words in the order of their numbers."""

class MosesExporter:
    """Writes a table as Moses text."""

    def __init__(self, target_vocabulary: Vocabulary, layout: MosesLayout) -> None: ...

    @staticmethod
    def of_reordering(target_vocabulary: Vocabulary) -> MosesExporter:
        """One that writes the scores of the reordering model."""

    def text(self, batch: PhraseBatch) -> bytes:
        """The lines of the phrases."""

    @property
    def pairs(self) -> int:
        """Lines written."""

    @property
    def left_out(self) -> int:
        """Phrase pairs that contain `|||`, which no line can hold."""

class SelectionTally:
    """Phrase pairs seen, and gone by each criterion."""

    @property
    def pairs(self) -> int: ...

    @property
    def min_probability(self) -> int: ...

    @property
    def min_count(self) -> int: ...

    @property
    def limit(self) -> int: ...

class TableFilter:
    """
    Selects options of a table in two passes: `count` all, then `select` all.
    """

    def __init__(self, target_vocabulary: Vocabulary, *, min_probability: float = 0.0, min_count: int = 0, limit: int = 0, weights: Sequence[float] | None = None) -> None:
        """
        weights: of ln p(f|e), ln p(e|f), ln lex(f|e), ln lex(e|f) and further scores, for the limit; without, p(e|f)
        ranks.
        """

    def count(self, batch: PhraseBatch) -> None:
        """First pass."""

    def words(self) -> list[str]:
        """The words that remain by their new numbers; ends the first pass."""

    def select(self, batch: PhraseBatch) -> PhraseBatch:
        """Second pass: what remains."""

    @property
    def tally(self) -> SelectionTally: ...

class TableStatistics:
    """Counts over the values of a table."""

    def __init__(self) -> None: ...

    def add(self, batch: PhraseBatch) -> None: ...

    @property
    def source_phrases(self) -> int: ...

    @property
    def pairs(self) -> int: ...

    @property
    def links(self) -> int: ...

    @property
    def source_lengths(self) -> dict[int, int]:
        """Of source phrases, in words."""

    @property
    def target_lengths(self) -> dict[int, int]:
        """Of the pairs' target phrases, in words."""

    @property
    def options(self) -> dict[int, int]:
        """Number of options of source phrases."""

    @property
    def counts(self) -> dict[int, int]:
        """Of pairs."""

    @property
    def probabilities(self) -> list[list[int]]:
        """
        Of each score: how many are 1, from 0.1 to below 1, from 0.01 to below 0.1, …, less than 1e-10.
        """

    @property
    def entropy(self) -> float:
        """Sum over source phrases, in bits."""

    @property
    def weighted_entropy(self) -> float:
        """The same weighted by their counts."""

    @property
    def weight(self) -> float:
        """The sum of these weights."""

class Expression:
    """
    A WIDL-expression: an immutable tree that may share parts (Soricut & Marcu 2006, §2.1).
    """

    class Kind(enum.Enum):
        """The operators, and words."""

        word = 0

        precedence = 1

        disjunction = 2

        interleave = 3

        lock = 4

        tiles = 5

    class Form(enum.Enum):
        """How an interleave spreads its mass."""

        listed = 0

        uniform = 1

        movement = 2

    @staticmethod
    def word(text: str) -> Expression: ...

    @staticmethod
    def precedence(parts: Sequence[Expression]) -> Expression:
        """The parts in their order; a single part is returned as it is."""

    @staticmethod
    def lock(content: Expression) -> Expression: ...

    @staticmethod
    def disjunction(arguments: Sequence[Expression], probabilities: Sequence[Sequence[float]]) -> Expression:
        """
        `probabilities[k]` holds the J components of argument k; each component sums to 1 within 1e-6.
        """

    @staticmethod
    def scored_disjunction(arguments: Sequence[Expression], scores: Sequence[Sequence[float]]) -> Expression:
        """As `disjunction`, with unnormalized scores in (0, 1]."""

    @staticmethod
    def interleave(arguments: Sequence[Expression], *, listed: Sequence[tuple[Sequence[int], Sequence[float]]] = [], other_permutations: Sequence[float] = [], shuffles: Sequence[float] = []) -> Expression:
        """
        δ from listed permutations (of argument numbers from 0) and two masses, J components each.
        """

    @staticmethod
    def uniform_interleave(arguments: Sequence[Expression]) -> Expression:
        """All interleavings equally likely."""

    @staticmethod
    def movement_interleave(arguments: Sequence[Expression], base: float) -> Expression:
        """Permutations scored base^d, d the total movement."""

    @staticmethod
    def tiles(length: int, spans: Sequence[tuple[int, int, Expression]], *, movement_base: float) -> Expression: ...

    @property
    def kind(self) -> Expression.Kind: ...

    @property
    def text(self) -> str:
        """The word."""

    @property
    def arguments(self) -> list[Expression]: ...

    @property
    def probabilities(self) -> list[list[float]]:
        """Of a disjunction: J per argument."""

    @property
    def scored(self) -> bool:
        """Whether a disjunction's numbers are unnormalized scores."""

    @property
    def form(self) -> Expression.Form:
        """Of an interleave."""

    @property
    def listed(self) -> list[tuple[list[int], list[float]]]:
        """Permutations, argument numbers from 0, with J probabilities each."""

    @property
    def other_permutations(self) -> list[float]: ...

    @property
    def shuffles(self) -> list[float]: ...

    @property
    def length(self) -> int:
        """Source positions of tiles."""

    @property
    def spans(self) -> list[tuple[int, int]]:
        """(begin, end) of every argument of tiles."""

    @property
    def movement_base(self) -> float:
        """The a of a^d, of tiles or of a movement interleave."""

    @property
    def components(self) -> int:
        """J, the number of probabilities per choice; 0 where nothing is chosen."""

    @property
    def min_units(self) -> int:
        """Fewest unlocked words and locked blocks of a derivation."""

    @property
    def max_units(self) -> int:
        """Most unlocked words and locked blocks of a derivation."""

    @property
    def size(self) -> int:
        """Nodes, shared ones counted once."""

    def nodes(self) -> tuple[list[Expression], list[list[int]]]:
        """
        The distinct nodes, arguments before their users and the root last, and every node's argument numbers.
        """

    def acceptor(self, limit: int, shuffle_counts: Mapping[int, float] = {}) -> tuple[list[tuple[int, int, str, list[float]]], int, int, bool]:
        """
        The unfolding without language models, of the first `limit` arcs: arcs (from, to, word, ln of J factors), the number
        of states, the final state or -1, and whether these are all arcs. States are numbered from 0 as they are first
        reached; some may lead nowhere. `shuffle_counts`: by number of an interleave in `nodes()`, ln of how many its
        shuffles count as, instead of as many as the derivation has.
        """

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __str__(self) -> str:
        """The text form, which parses back to an equal expression."""

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[object, tuple[str]]: ...

class Tiles:
    """
    The tiles of one sentence with their alternatives written out, ready for search.
    """

    @staticmethod
    def compile(expression: Expression, vocabulary: Vocabulary, *, zones: Sequence[tuple[int, int]] = [], walls: Sequence[int] = [], orientations: Sequence[Sequence[float]] = [], clause_marks: Sequence[int] = []) -> Tiles:
        """
        Of an expression of kind tiles. Once begun, a zone (begin, end) is finished before anything outside of it is
        realized; nothing from a wall's position on comes before everything in front of it, in the innermost zone
        around the wall. Tiles that cross a wall or a zone's edge take no part. `orientations`: ln of the scores of a
        reordering model, of each alternative, or nothing where it has none. `clause_marks`: positions that the feature
        `crossing` counts.
        """

    def __len__(self) -> int: ...

    def is_unknown(self, alternative: int) -> bool:
        """Whether this alternative passes a source word through."""

    @property
    def alternatives(self) -> list[tuple[int, int, list[str], list[float]]]:
        """(begin, end, words, natural-log scores) of every alternative."""

class Lattice:
    """
    Derivations as paths of an acyclic graph, from node 0 to the last one. A derivation's features are
    the sums of those of its arcs.
    """

    @overload
    def __init__(self, arcs: Sequence[tuple[int, int, int, int, int, Sequence[str]]], features: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Of arcs (from, to, begin, end, alternative, words), in the order of `to`, then `from`, and a row of features
        for each. InputError for arcs that are not on a path from the first to the last node.
        """

    @overload
    def __init__(self, arcs: bytes, phrases: Sequence[Sequence[str]], features: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """As pickled."""

    def __reduce__(self) -> tuple[object, ...]: ...

    @property
    def nodes(self) -> int: ...

    @property
    def width(self) -> int:
        """Features of an arc."""

    @property
    def arcs(self) -> list[tuple[int, int, int, int, int, list[str]]]:
        """
        (from, to, begin, end, alternative, words): source positions [begin, end) of the phrase, and its
        number among the tiles' alternatives. Arcs lead to larger numbers and are in the order of `to`.
        """

    @property
    def features(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """h of each arc, shape (arcs, features)."""

    def selected(self, columns: Sequence[int]) -> Lattice:
        """The same derivations with some of the features."""

    @staticmethod
    def from_arcs(arcs: Sequence[tuple[int, int, str, float | Sequence[float]]], finals: Mapping[int, float | Sequence[float]], *, start: int = 0) -> Lattice:
        """
        The lattice of an acyclic acceptor: arcs (from, to, words, score) between states of any numbers, with
        words as text, '' for none, and ln p, or a list of several; finals: the final states and the scores of
        ending there. States on no path are left out. InputError for a cycle, or where there is no path.
        """

    @staticmethod
    def joined(lattices: Sequence[Lattice], starts: Sequence[int]) -> Lattice:
        """
        Derivations of each of the lattices one after the other; their source positions count from `starts`.
        """

    def words_of(self, path: Sequence[int]) -> list[str]:
        """Of a path, given as numbers of arcs."""

    def features_of(self, path: Sequence[int]) -> list[float]:
        """Of a path, given as numbers of arcs."""

    def envelope(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lowest: float = float('-inf'), highest: float = float('inf')) -> list[tuple[float, float, float, list[int]]]:
        """
        The paths that are best somewhere on the line weights + γ · direction, from left to right: (from where on, slope,
        intercept, arcs) (Macherey et al. 2008).
        """

class LatticeSet:
    """Lattices of all sentences, for tuning."""

    def __init__(self, lattices: Sequence[Lattice]) -> None: ...

    def __len__(self) -> int: ...

    def take(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], directions: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], *, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], reach: float = float('inf'), threads: int = 1) -> list[list[tuple[list[str], list[float]]]]:
        """
        Of each sentence (words, features) of the paths that are best somewhere on one of the lines from the weights,
        between the bounds and within reach, and that no earlier call has given.
        """

    def best(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, threads: int = 1) -> list[tuple[list[str], list[float]]]:
        """Of each sentence (words, features) of the best path."""

def count_features() -> list[str]:
    """
    Names of the features that every model has, as they follow those of WIDL components and language models.
    """

class WeightVector:
    """
    λ of the log-linear model; widl.decoder.FeatureLayout makes one of named weights.
    """

    def __init__(self, *, widl: Sequence[float], language_models: Sequence[float], word_count: float, phrase_count: float, distortion: float, unknown: float, reordering: Sequence[float] = [], crossing: float | None = None) -> None: ...

class WrittenLength:
    """
    How many bytes the strings of an expression have as they are written: a deterministic automaton over
    words, each known by its place in the expression as written; state 0 is the start. A step adds bytes, the
    separator in front of its word included, also of the first word.
    """

    def __init__(self, usual: Sequence[tuple[int, int]], rows: Sequence[tuple[int, Sequence[tuple[int, int, int]]]]) -> None:
        """
        `usual`: of each place, the bytes of its word and the state after it. `rows`: of each state, how many bytes any
        word adds there beside its usual ones, and (place, bytes, state) of the words that have other steps there.
        """

class Bound(enum.Enum):
    """What A* knows of an expression's words to come."""

    static = 0
    """each word in its best context of all"""

    context = 1
    """each word in its best context among those still available"""

    eq2 = 2
    """
    Equation 2 of the 2005 paper as written: word by word, and contexts that can't be count too
    """

    lagrangian = 3
    """bags: all orders of as many words, a multiplier for each word"""

class LengthUnit(enum.Enum):
    """What A*_k counts the length of a path in."""

    words = 0
    """target words"""

    positions = 1
    """source positions of tiles; arguments of a bag"""

class Order(enum.Enum):
    """What orders states beside the score of their path."""

    bound = 0
    """the bound of the completion"""

    estimate = 1
    """its estimate"""

class AStar:
    """Search that takes the state with the best bound first: exact."""

    def __init__(self) -> None: ...

class AStarK:
    """
    A* of states at most `lookback` shorter than the longest one unfolded, in `unit`.
    """

    def __init__(self, *, lookback: int = 2, unit: LengthUnit = LengthUnit.words, order: Order = Order.bound) -> None: ...

    @property
    def lookback(self) -> int: ...

    @property
    def unit(self) -> LengthUnit: ...

    @property
    def order(self) -> Order: ...

class Layers:
    """
    Search by layers of equally many words, or of equal progress: source positions, or arguments. States need
    the share `beam` of their layer's best probability (0: none), and `size` of a layer are kept (0: all).
    """

    def __init__(self, *, unit: LengthUnit = LengthUnit.words, beam: float = 0.0, size: int = 0) -> None: ...

class CubeStacks:
    """
    Cube pruning: stacks of which only the `pops` most promising states are made (0: all).
    """

    def __init__(self, *, pops: int = 1500, beam: float = 0.0, size: int = 0) -> None: ...

    @property
    def pops(self) -> int: ...

class ModelOptions:
    """
    What derivations there are, and what is known of them beforehand. Tiles: `distortion_limit`;
    `alternatives_per_span` (0: all); `estimate_movement`: whether estimates count the movement that is left at
    least, which Pharaoh's future cost does not. Expressions: `bound`; those that are not tiles: `written`, what
    counts as bytes; `whole_contexts`: whether the last n - 1 words split states, or what language models can
    tell apart of them. All: `max_words` and `max_bytes` of UTF-8, hard limits on the output (0: none).
    """

    def __init__(self, *, distortion_limit: int | None = None, alternatives_per_span: int = 0, estimate_movement: bool = True, whole_contexts: bool = False, bound: Bound = Bound.lagrangian, max_words: int = 0, max_bytes: int = 0, written: WrittenLength | None = None) -> None: ...

    @property
    def bound(self) -> Bound: ...

    @property
    def whole_contexts(self) -> bool: ...

class Limits:
    """
    Budgets of a search: states, seconds, and bytes of states and tables; 0: none. `work`: for tests,
    the time is up after so many units, whatever the clock says.
    """

    def __init__(self, *, seconds: float = 0.0, memory: int = 0, states: int = 0, work: int = 0) -> None: ...

class OutputOptions:
    """
    What the result tells: `nbest` derivations, of equal strings only the best if they are to be `distinct`;
    `record` events of the search; a `lattice` of the explored derivations: arcs whose best
    path is at most `lattice_beam` worse than the best of all, and of these the `lattice_arcs` best (0: all).
    """

    def __init__(self, *, nbest: int = 1, distinct: bool = False, record: int = 0, lattice: bool = False, lattice_beam: float = float('inf'), lattice_arcs: int = 0) -> None: ...

    @property
    def nbest(self) -> int: ...

    @property
    def lattice_beam(self) -> float: ...

class SearchOptions:
    """
    A search, the space that it searches, when it ends, and what its result tells. `gap`, of tiles: after the
    search, the bound is lowered until it is at most so many nats above the score (infinity: it stays).
    """

    def __init__(self, search: AStar | AStarK | Layers | CubeStacks, *, space: ModelOptions = ..., limits: Limits = ..., output: OutputOptions = ..., gap: float = float('inf')) -> None: ...

class Constraint:
    """
    A regular set of strings, as an intersection of deterministic automata over words.
    """

    def __init__(self, automata: Sequence[Sequence[tuple[bool, Sequence[tuple[str, int | None]], int | None]]]) -> None:
        """
        Of each automaton, of each state: whether it accepts, the states after some words, and that after any other word;
        None: it may not follow. State 0 is the start.
        """

class SearchStatistics:
    @property
    def states(self) -> int:
        """states made"""

    @property
    def unfolded(self) -> int:
        """states whose successors were made"""

    @property
    def edges(self) -> int:
        """edges followed"""

    @property
    def memory(self) -> int:
        """bytes of states and tables"""

    @property
    def seconds(self) -> float:
        """since the sentence began"""

    @property
    def peak_memory(self) -> int:
        """the most bytes of states and tables at once"""

    @property
    def work(self) -> int:
        """all work, in units of some 10 ns"""

class RealizedPhrase:
    """
    A phrase of a derivation. In tiles, [begin, end) are source positions and `number` is the
    alternative. In other expressions, they are positions of words in the expression as written,
    and `number` is the edge of the WIDL-graph.
    """

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def word_count(self) -> int: ...

    @property
    def number(self) -> int: ...

    def __getstate__(self) -> tuple[int, int, int, int]: ...

    def __setstate__(self, arg: tuple[int, int, int, int], /) -> None: ...

class Derivation:
    """One way to realize."""

    @property
    def words(self) -> list[str]: ...

    @property
    def phrases(self) -> list[RealizedPhrase]:
        """In the order realized."""

    @property
    def phrase_numbers(self) -> list[int]:
        """
        Of each of these: the number of the expression's phrase that it belongs to, in the order in which they begin.
        """

    @property
    def score(self) -> float:
        """Σ λ h, natural logs."""

    @property
    def features(self) -> list[float]:
        """h, in the order of the weights."""

class SearchEventKind(enum.Enum):
    """Kinds of events in a SearchRecord."""

    began = 0

    made = 1

    improved = 2

    recombined = 3

    unfolded = 4

    paired = 5

    pruned = 6

    skipped = 7

    layer = 8

    ended = 9

class SearchPruneReason(enum.Enum):
    """Reasons why a state was pruned."""

    none = 0

    shorter = 1

    threshold = 2

    full = 3

class SearchRecord:
    """What a search did, event by event."""

    def __len__(self) -> int: ...

    @property
    def left_out(self) -> int:
        """How many further events there were."""

    @property
    def words(self) -> list[list[str]]:
        """By label: of the phrase."""

    @property
    def phrases(self) -> list[RealizedPhrase]:
        """By label."""

    @property
    def kinds(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Numbers of names of kinds."""

    @property
    def reasons(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """Of what was pruned: numbers of names of reasons."""

    @property
    def goals(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """1 where a path reaches the goal."""

    @property
    def nodes(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Which state; 2^32 - 1: none."""

    @property
    def sources(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        The state before; of one pruned as too short: the longest one's length.
        """

    @property
    def labels(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """
        Of the step; of a layer and of a state pruned as too short: its length.
        """

    @property
    def scores(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of the path."""

    @property
    def bounds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of the completion."""

    @property
    def estimates(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of the completion."""

class Outcome(enum.Enum):
    """How a search ended."""

    found = 0
    """with at least one derivation"""

    proved_empty = 1
    """
    it proved that no derivation fits the constraint and the limits of length
    """

    out_of_budget = 2
    """a budget ran out before a derivation was found; one may exist"""

    undecided = 3
    """an inexact search pruned before it found a derivation; one may exist"""

class Certificate:
    """
    The score of the best derivation found, and an upper bound on those of all.
    """

    def __init__(self, score: float, bound: float) -> None: ...

    @property
    def score(self) -> float:
        """-inf where no derivation was found."""

    @property
    def bound(self) -> float: ...

    @property
    def optimal(self) -> bool:
        """
        Whether the score reaches the bound, up to 1e-6 of it; infinities and NaN prove nothing.
        """

class Realization:
    """
    The best derivations found, and what is known of the others. Where none was found, words, phrases,
    score and features raise IndexError.
    """

    @property
    def outcome(self) -> Outcome: ...

    @property
    def failure(self) -> str:
        """One line on why nothing was found; empty where something was."""

    @property
    def nbest(self) -> list[Derivation]:
        """Best first; empty where nothing was found."""

    @property
    def words(self) -> list[str]: ...

    @property
    def phrases(self) -> list[RealizedPhrase]:
        """In the order realized."""

    @property
    def score(self) -> float:
        """Σ λ h, natural logs."""

    @property
    def features(self) -> list[float]:
        """h, in the order of the weights."""

    @property
    def bound(self) -> float:
        """No derivation scores more than this; -inf where there is none."""

    @property
    def optimal(self) -> bool:
        """Whether score reaches bound."""

    @property
    def stopped(self) -> str:
        """
        The budget that ran out, in the search or while lists were made, or ''.
        """

    @property
    def nbest_complete(self) -> bool:
        """
        Whether nbest is complete: no budget cut it, and tiles move past at most 64 positions.
        """

    @property
    def lattice_complete(self) -> bool:
        """The same of the lattice."""

    @property
    def statistics(self) -> SearchStatistics: ...

    @property
    def record(self) -> SearchRecord | None:
        """What search did; None unless the options ask for it."""

    @property
    def lattice(self) -> Lattice | None:
        """
        The derivations that search explored; None unless the options ask for them.
        """

class Realizer:
    """
    Language models over one vocabulary, ready to realize tiles and expressions.
    """

    def __init__(self, vocabulary: Vocabulary, language_models: Sequence[LanguageModel]) -> None: ...

    def realize(self, tiles: Sequence[Tiles], weights: WeightVector, options: SearchOptions, *, threads: int = 1, constraint: Constraint | None = None) -> list[Realization]:
        """
        The best derivations of each of the tiles, on threads, in order; of those that the constraint accepts.
        """

    def realize_expressions(self, expressions: Sequence[Expression], weights: WeightVector, options: SearchOptions, *, threads: int = 1, constraint: Constraint | None = None) -> list[Realization]:
        """
        The best derivations of each of the expressions, on threads, in order; of those that the
        constraint accepts.
        """

    def realize_lattices(self, lattices: Sequence[Lattice], weights: WeightVector, options: SearchOptions, *, threads: int = 1, constraint: Constraint | None = None) -> list[Realization]:
        """
        The best paths of each of the lattices, on threads, in order; of those that the constraint accepts.
        """

    def kept_alternatives(self, tiles: Tiles, weights: WeightVector, options: ModelOptions) -> list[int]:
        """
        The numbers of the alternatives that a search under these options chooses from, by span, the most
        promising first.
        """

class GivenUse(enum.Enum):
    """How the given translations of a span count."""

    alternative = 0
    """they compete with the tables' translations"""

    exclusive = 1
    """no other phrase translates the span or crosses its edges"""

    required = 2
    """
    phrases that touch the span cover it and contain one of them; if no phrase does, as exclusive
    """

class GivenTranslations:
    """Translations of a span by a user or a rule."""

    def __init__(self, alternatives: Sequence[tuple[Sequence[str], float]], use: GivenUse, copied: bool = False, origin: int | None = None, count: float = 1.0) -> None:
        """
        alternatives: words with their probabilities. copied: the words are the source's, passed through.
        origin: the feature of origin that has the value `count`.
        """

class GivenSpan:
    """A span of a line with given translations."""

    def __init__(self, begin: int, end: int, given: GivenTranslations) -> None: ...

class NumberUse(enum.Enum):
    """What a number asks of phrases that touch its span."""

    required = 0
    """they cover the span and say the number"""

    optional = 1
    """they may say the number, but no other"""

    open = 2
    """
    they cover the span, and may say any number: it was not read with certainty
    """

class NumberSpan:
    """A number of a line, and the word sequences that say it."""

    def __init__(self, begin: int, end: int, wordings: Sequence[Sequence[str]], use: NumberUse) -> None: ...

    @property
    def begin(self) -> int: ...

    @property
    def end(self) -> int: ...

    @property
    def use(self) -> NumberUse: ...

class SourceLine:
    """A line to tile: its words, and what users and rules know of it."""

    def __init__(self, tokens: Sequence[str], given: Sequence[GivenSpan] = (), *, longer: Sequence[tuple[int, int]] = [], split: Sequence[int] = [], joinable: Sequence[bool] = [], numbers: Sequence[NumberSpan] | None = None, zones: Sequence[tuple[int, int]] = [], walls: Sequence[int] = [], clause_marks: Sequence[int] = [], marks: Sequence[int] = [], ends: Sequence[int] = []) -> None:
        """
        tokens: of the finest segmentation. longer: spans of several tokens that are a word too. split: tokens
        that are single characters of such a word. joinable: by token; joinable neighbors form a word where a
        table has it. numbers: those that phrases say, and no others; None: phrases may say any. zones, walls:
        limits of reordering. clause_marks: tokens that part clauses, in any order. marks: dashes, brackets and quotation
        marks, which no phrase translates as words. ends: marks at the ends of sentences.
        """

class NumberWords:
    """The words of a vocabulary that say a number."""

    def __init__(self, vocabulary: Vocabulary, words: Sequence[str]) -> None:
        """words: those without digits, in lower case."""

    def __contains__(self, word: int) -> bool: ...

class TableInUse:
    """A phrase table of a model, and how its options become tiles."""

    def __init__(self, table: PhraseTable, components: int, beam: float = 0.0, backs_off: bool = False, number_words: NumberWords | None = None) -> None:
        """
        components: the number of scores of its options. beam: options need this fraction of their phrase's best
        p(e|f). backs_off: it is asked only for spans that earlier tables lack. number_words: needed for lines with
        numbers.
        """

class DictionaryInUse:
    """A table that translates what phrase tables lack or have rarely seen."""

    def __init__(self, table: PhraseTable, between: str, rare: int, origin: int | None = None) -> None:
        """
        between: joins the tokens of an entry. rare: a word seen at most this often is rare. origin: the feature
        of origin of its translations.
        """

class Tiler:
    """
    Makes the tiles of lines from phrase tables, a dictionary and given translations.
    """

    def __init__(self, tables: Sequence[TableInUse], longest: int, *, dictionary: DictionaryInUse | None = None, origins: int = 0, split_origin: int | None = None, reordering: bool = False, distribution_size: int | None = None) -> None:
        """
        longest: words of a phrase. origins: the number of features of origin, which follow the scores of the
        tables. split_origin: the one that counts split characters. reordering: whether the scores of the first
        table's reordering model count. distribution_size: the most probable translations of a phrase that are kept
        (0: all), with scores that sum to 1 over each span; None: the tables' own scores.
        """

    def tile(self, lines: Sequence[SourceLine], fallback: Callable[[str], GivenTranslations | None] | None = None) -> list[Tiles]:
        """
        The tiles of each line. Components are the scores of each table, then the features of origin. fallback:
        translates single words outside of numbers that nothing else translates.
        """

class Metric:
    """
    A linear combination of corpus metrics of summed statistics, in points (0 to 100).
    """

    def __init__(self) -> None: ...

    def add_bleu(self, coefficient: float, *, max_order: int = 4, smoothing: str = 'exp', smooth_value: float = 0.0) -> None:
        """
        BLEU of (matches of order 1..N, n-grams of order 1..N, length, reference length).
        """

    def add_chrf(self, coefficient: float, *, orders: int = 6, beta: float = 2.0) -> None:
        """
        chrF of (n-grams of the candidate, of the reference, matches) for each order.
        """

    def add_ratio(self, coefficient: float) -> None:
        """100 times the first statistic by the second: TER, or a mean."""

    @property
    def statistics(self) -> int:
        """How many statistics a candidate has."""

    def score(self, totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """Of statistics summed over a corpus."""

    def term_values(self, totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[float]:
        """Each metric's own value, without its coefficient."""

    def row_scores(self, rows: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], background: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Of each row of statistics, with `background` added."""

class CandidateLists:
    """Features and statistics of the candidates of all sentences."""

    def __init__(self, features: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], statistics: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], begins: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        A row a candidate; sentence s has the rows from begins[s] to begins[s + 1].
        """

    @property
    def sentences(self) -> int: ...

    @property
    def candidates(self) -> int: ...

    @property
    def features(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """A row a candidate; those that differed by rounding alone are equal."""

    def best(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]:
        """Row of each sentence's best candidate, the first among equals."""

    def totals(self, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Summed statistics of the candidates that the weights choose."""

    def line_search(self, metric: Metric, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lowest: float = float('-inf'), highest: float = float('inf'), min_width: float = 0.0001, outer_step: float = 0.1, reach: float = float('inf')) -> tuple[float, float]:
        """
        The best step along a direction, and the metric there (Och 2003). Nothing farther than `reach` is looked at.
        """

    def error_surface(self, metric: Metric, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], direction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], *, lowest: float, highest: float) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
        """
        Where the metric changes along a direction, and its value from there on.
        """

    def optimize(self, metric: Metric, starts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], directions: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order='C', device='cpu', writable=False)], *, lower: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], upper: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], min_gain: float, min_width: float, outer_step: float, reach: float = float('inf'), max_rounds: int, threads: int) -> list[tuple[list[float], float, float, int]]:
        """
        For each starting point: weights at the end of its ascent, metric at start and end, steps taken.
        """

class ReferenceMatcher:
    """
    Counts what tokenized candidates share with their sentence's references.
    """

    def __init__(self, references: Sequence[Sequence[str]], *, max_order: int) -> None: ...

    def bleu(self, sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], texts: Sequence[str], *, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """Rows of BLEU's statistics, see `Metric.add_bleu`."""

    def ter(self, sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], texts: Sequence[str], *, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Rows of TER's edits, the fewest to any reference, and the references' mean length.
        """

    def rouge(self, sentences: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], texts: Sequence[str], *, order: int, reference: int, threads: int = 1) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Rows of n-grams shared with one reference, of the candidate, of the reference; order 0: of words of the longest common subsequence. Zeros where a sentence has no such reference.
        """

def upper_envelope(slopes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], intercepts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[tuple[float, int]]:
    """
    Lines that are highest somewhere, from left to right, with where they begin to be.
    """

def align_outputs(outputs: Sequence[Sequence[str]], skeleton: int) -> list[list[tuple[str, list[int]]]]:
    """
    Outputs, each a list of words, aligned in the order of one of them, by its number: slots, each a list of words ("" for
    nothing) with the numbers of the outputs that have them there. The words of each output, slot by slot, are the output.
    """

class TokenConstraint:
    """The tokens that continue a text towards a string of an acceptor."""

    def __init__(self, nodes: int, final_node: int, arcs: Sequence[tuple[int, int, int, float]], texts: Sequence[bytes], automata: Sequence[tuple[Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], Sequence[bool]]], vocabulary: Sequence[bytes], end: int | None) -> None: ...

    def start(self) -> int: ...

    def mask(self, state: int) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]:
        """Packed bits: bit t % 32 of word t // 32 is token t."""

    def log_probabilities(self, state: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,))]:
        """ln of the probability of each token given the text so far."""

    def advance(self, state: int, token: int) -> int | None:
        """The state after a token, or None if it is not allowed."""

    def may_end(self, state: int) -> bool: ...
