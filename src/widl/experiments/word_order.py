"""Word ordering (Soricut & Marcu 2005, §4, Tables 2 and 3): sentences from bags of their words.

Each sentence's words are shuffled, each row of the table orders all bags, and the language model alone scores the
strings, boundaries included.
"""

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import Field

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.workers import Engine, chunked, opened_once
from widl.decoder import (
    Bound,
    LanguageModel,
    RealizationOptions,
    Realizer,
    bag,
    default_realization_weights,
    greedy_order,
    inverse_lexicographic_order,
    load_language_model,
)
from widl.experiments.config import ConfigPart

SHORT_ROWS = ("L", "G", "bfs", "astar", "astar-1", "astar-2", "beam-0.2", "beam-0.1")
LONG_ROWS = ("L", "G", "astar", "astar-1", "astar-2", "beam-0.2", "beam-0.1")
"""Without `bfs`, which needs too much memory."""
TIGHTER_ROWS = ("astar:lagrangian", "astar-2:lagrangian", "beam-0.1:lagrangian")
"""The same searches with a tighter bound, which the paper did not have."""
LONGEST_FOR_BFS = 9

# Tokens removed at the ends of sentences; quotes are among them, as they may close after a full stop.
_FINAL = frozenset([".", "!", "?", "…", "...", ";", ":", ",", "--", "-", "''", "``", '"', "'", "`"])
_BATCH = 8
_SIZE = re.compile(r"[1-9][0-9]{0,6}")
_STACK_THRESHOLD = 1e-5  # as of translation's stacks
# Scores are sums of single-precision logs: strings that differ by less are equally probable.
_TOLERANCE = 1e-4


@dataclass(frozen=True)
class BagSearch:
    """A way to order a bag, by name.

    ``L`` and ``G`` are the baselines; ``bfs``; ``astar``; ``astar-K`` unfolds only states at most K words
    shorter than the longest; ``beam-B`` drops states less probable than B times their length's best;
    ``stack-N`` keeps N states of each length, with translation's threshold, and ``cube-N`` makes only N. A bound after
    a colon, as in ``astar:static``, replaces the paper's.
    """

    name: str
    search: str | None = None
    k: int = 0
    beam: float = 1.0
    size: int = 0
    bound: str = "context"

    @classmethod
    def parse(cls, name: str) -> "BagSearch":
        """The row that a name means; InputError for no such row."""
        search, colon, bound = name.partition(":")
        bound = bound if colon else "context"
        if colon and bound not in Bound.__members__:
            raise InputError(f"row {name!r}: unknown bound {bound!r}; known are {', '.join(Bound.__members__)}")
        kind, dash, value = search.partition("-")
        if name in ("L", "G"):
            return cls(name)
        if search in ("bfs", "astar"):
            return cls(name, search, bound=bound)
        if kind == "astar" and dash and re.fullmatch(r"[0-9]{1,4}", value):
            return cls(name, "astar-k", k=int(value), bound=bound)
        if kind == "beam" and re.fullmatch(r"[0-9]*\.?[0-9]+(e-?[0-9]+)?", value) and 0 < float(value) <= 1:
            return cls(name, "beam", beam=float(value), bound=bound)
        if kind == "stack" and _SIZE.fullmatch(value):
            return cls(name, "stack", beam=_STACK_THRESHOLD, size=int(value), bound=bound)
        if kind == "cube" and _SIZE.fullmatch(value):
            return cls(name, "cube", size=int(value), bound=bound)
        raise InputError(
            f"unknown row {name!r}; rows are L, G, bfs, astar, astar-K, stack-N, cube-N and beam-B with 0 < B <= 1"
        )

    def options(self, budget: "BagLimits", *, nbest: int = 1) -> RealizationOptions:
        """The options of the row's search."""
        names: dict[str, Any] = {"search": self.search or "astar", "bound": self.bound}  # that `parse` knows
        own: dict[str, dict[str, Any]] = {
            "astar-k": {"k": self.k},
            "beam": {"beam": self.beam, "stack_size": 0},
            "stack": {"beam": self.beam, "stack_size": self.size},
            "cube": {"pop_limit": self.size},
        }
        return RealizationOptions(
            **names,
            **own.get(self.search or "", {}),
            nbest=nbest,
            max_seconds=budget.seconds,
            max_states=budget.states,
            max_memory=budget.memory,
        )

    @property
    def label(self) -> str:
        """The paper's name of the row: A*_2 for ``astar-2``.

        >>> BagSearch.parse("astar-2").label, BagSearch.parse("beam-0.2").label, BagSearch.parse("astar:static").label
        ('A*_2', 'B_0.2', 'A* static')
        >>> BagSearch.parse("stack-100").label, BagSearch.parse("cube-50:lagrangian").label
        ('stack_100', 'cube_50 lagrangian')
        """
        search, _, bound = self.name.partition(":")
        kind, dash, value = search.partition("-")
        names = {"bfs": "BFS", "astar": "A*", "beam": "B"}
        return names.get(kind, kind) + (f"_{value}" if dash else "") + (f" {bound}" if bound else "")


class BagLimits(ConfigPart):
    """The search's budget for a bag; 0 is no limit. The paper's machine had 2 GiB."""

    seconds: float = Field(default=10.0, ge=0, description="Seconds.")
    states: int = Field(default=0, ge=0, description="States.")
    memory: int = Field(default=RealizationOptions.max_memory, ge=0, description="Bytes.")


@dataclass(frozen=True)
class Bags:
    """Test sentences, and their words in random order."""

    name: str
    sentences: list[list[str]]
    shuffled: list[list[str]]

    @property
    def sizes(self) -> tuple[int, int]:
        """The fewest and the most words of a bag."""
        lengths = [len(words) for words in self.sentences]
        return min(lengths), max(lengths)


@dataclass(frozen=True)
class Ordered:
    """A bag ordered by a row; `log_prob` is the language model's, of the string with its boundaries.

    memory is in bytes.
    """

    words: list[str]
    log_prob: float
    seconds: float
    states: int = 0
    edges: int = 0
    memory: int = 0
    proved: bool = False
    stopped: str = ""


@dataclass
class Orderings:
    """What all searches found on one set of bags, in the order of the bags."""

    bags: Bags
    sentence_log_probs: list[float]
    rows: dict[str, list[Ordered]] = field(default_factory=dict)


def read_bags(file: PathLike, *, limit: int = 0, longest: int = 0, seed: int = 1) -> Bags:
    """Sentences, one a line, lower-cased and without final punctuation, and their shuffled words.

    Each bag is shuffled from the seed, its number and its words, whatever the limit. 0 is no limit of their number, nor
    of the `longest` one's words.
    """
    file = path_of(file, "file")
    sentences = []
    for line in read_lines(file):
        words = without_final_punctuation(line.lower().split())
        if words and not 0 < longest < len(words):
            sentences.append(words)
        if limit and len(sentences) == limit:
            break
    if not sentences:
        most = f" of up to {longest} words" if longest else ""
        raise InputError(f"{file}: no words; expected a sentence{most} a line")
    shuffled = []
    for number, sentence in enumerate(sentences):
        words = sorted(sentence)
        random.Random(f"{seed} {number} {' '.join(words)}").shuffle(words)
        shuffled.append(words)
    return Bags(name_of(file), sentences, shuffled)


def name_of(file: Path) -> str:
    """The name of a file's bags."""
    return file.name.removesuffix(".gz").removesuffix(".txt")


def without_final_punctuation(tokens: Sequence[str]) -> list[str]:
    """The tokens up to the last that is no sentence or clause punctuation.

    >>> without_final_punctuation(["``", "no", ".", "''"])
    ['``', 'no']
    """
    end = len(tokens)
    while end and tokens[end - 1] in _FINAL:
        end -= 1
    return list(tokens[:end])


def default_rows(bags: Bags, preset: str | None = None) -> tuple[str, ...]:
    """The paper's rows that are feasible for bags of these sizes, and some with the tightest bound.

    With a preset the paper's alone, under its Equation 2.
    """
    rows = SHORT_ROWS if bags.sizes[1] <= LONGEST_FOR_BFS else LONG_ROWS
    if preset is None:
        return (*rows, *TIGHTER_ROWS)
    return tuple(name if BagSearch.parse(name).search in (None, "bfs") else f"{name}:eq2" for name in rows)


def check_row(name: str, preset: str) -> None:
    """InputError for a row that a preset does not have."""
    row = BagSearch.parse(name)
    if row.search is not None:
        own = row.options(BagLimits())
        bound = "eq2" if row.search == "bfs" else row.bound
        values: dict[str, Any] = {"search": row.search, "bound": bound, "preset": preset}
        values |= {"k": own.k} if row.search == "astar-k" else {}
        values |= {"beam": own.beam} if row.search == "beam" else {}
        try:
            RealizationOptions(**values)
        except InputError as error:
            raise InputError(f"row {name!r}: {error}") from None


def log_prob(model: LanguageModel, words: Sequence[str]) -> float:
    """Of the words between ``<s>`` and ``</s>``, in nats."""
    return sum(model.score_words(words))


def order(
    shuffled: Sequence[list[str]], model: LanguageModel, row: BagSearch, budget: BagLimits, *, threads: int = 1
) -> Iterator[Ordered]:
    """Order each bag as the row says."""
    if row.search is not None:
        yield from _search(shuffled, model, row, budget, threads)
        return
    for words in shuffled:
        start = perf_counter()
        ordered = greedy_order(words, model) if row.name == "G" else inverse_lexicographic_order(words)
        seconds = perf_counter() - start
        yield Ordered(ordered, log_prob(model, ordered), seconds)


def order_on(
    engine: Engine,
    shuffled: Sequence[list[str]],
    lm: Path,
    row: BagSearch,
    budget: BagLimits,
) -> Iterator[Ordered]:
    """The same as `order`, in the processes of `engine`, which open the language model from its file."""
    return engine.map(partial(_order_with_file, lm.absolute(), row, budget), shuffled)


def _order_with_file(
    lm: Path, row: BagSearch, budget: BagLimits, shuffled: Iterable[list[str]], threads: int
) -> Iterator[Ordered]:
    model = opened_once(load_language_model, lambda: load_language_model(lm), [lm])
    return order(list(shuffled), model, row, budget, threads=threads)


def _search(
    shuffled: Sequence[list[str]], model: LanguageModel, row: BagSearch, budget: BagLimits, threads: int
) -> Iterator[Ordered]:
    # All orders of a bag are equally probable but for the language model.
    realizer = Realizer([model], dict.fromkeys(default_realization_weights(1, 1), 0.0) | {"lm0": 1.0})
    for batch in chunked(shuffled, _BATCH * threads):
        for realization in realizer.realize(map(bag, batch), row.options(budget), threads=threads):
            words = realization.text.split(" ")
            yield Ordered(
                words=words,
                log_prob=log_prob(model, words),
                seconds=realization.seconds,
                states=realization.states,
                edges=realization.edges,
                memory=realization.memory,
                proved=realization.optimal,
                stopped=realization.stopped,
            )


def best_known(results: Orderings) -> list[float | None]:
    """For each bag the log-probability of its best string, where some row proved it.

    A certificate covers scores that agree up to 1e-6 of themselves. A string better than a proved
    optimum would be a bug of the search.
    """
    best: list[float | None] = []
    for of_bag in zip(*results.rows.values(), strict=True):
        proved = [ordered.log_prob for ordered in of_bag if ordered.proved]
        optimum = max(proved, default=None)
        if optimum is not None:
            best_score = max(ordered.log_prob for ordered in of_bag)
            assert best_score <= optimum + _TOLERANCE, f"{best_score} is better than the proved optimum {optimum}"
        best.append(optimum)
    return best


def is_worse(log_probability: float, other: float) -> bool:
    """Whether a string is less probable than another by more than rounding."""
    return log_probability < other - _TOLERANCE


def write_all(results: Orderings) -> Iterator[list[str]]:
    """Every bag's sentence, words and, by row, string and log-probability; the header first."""
    yield ["sentence", "log_prob", "bag", *chain(*([name, f"{name} log_prob"] for name in results.rows))]
    columns = zip(*results.rows.values(), strict=True)
    sentences = zip(results.bags.sentences, results.sentence_log_probs, results.bags.shuffled, strict=True)
    for (sentence, score, words), of_bag in zip(sentences, columns, strict=True):
        outputs = chain(*([" ".join(ordered.words), f"{ordered.log_prob:.4f}"] for ordered in of_bag))
        yield [" ".join(sentence), f"{score:.4f}", " ".join(words), *outputs]
