"""Bags of words and the ways to order them: the rows of the word-ordering experiment.

Each sentence's words are shuffled, and the language model alone scores the strings, boundaries included.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from pydantic import Field

from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.presets import PresetOf2005
from widl.common.workers import chunked
from widl.decoder import (
    Bound,
    LanguageModel,
    RealizationOptions,
    Realizer,
    greedy_order,
    inverse_lexicographic_order,
)
from widl.expressions import bag
from widl.pages.tables import Record
from widl.text.penn import without_final_punctuation

_BATCH = 8
_ROW = re.compile(
    r"L|G|(?:bfs|astar|astar-(?P<k>[0-9]{1,4})|beam-(?P<beam>[0-9]*\.?[0-9]+(?:e-?[0-9]+)?))(?::(?P<bound>.*))?"
)


class BagLimits(Record):
    """The search's budget for a bag; 0 is no limit. The paper's machine had 2 GiB."""

    seconds: float = Field(default=10.0, ge=0, description="Seconds.")
    states: int = Field(default=0, ge=0, description="States.")
    memory: int = Field(default=RealizationOptions.max_memory, ge=0, description="Bytes.")


@dataclass(frozen=True)
class BagSearch:
    """A way to order a bag, by name; `settings` are search options, empty for a baseline.

    ``L`` and ``G`` are the baselines; ``bfs``; ``astar``; ``astar-K`` unfolds only states at most K words
    shorter than the longest; ``beam-B`` drops states less probable than B times their length's best. A bound after a
    colon, as in ``astar:static``, replaces the paper's.
    """

    name: str
    settings: dict[str, Any]

    @classmethod
    def parse(cls, name: str) -> "BagSearch":
        """The row that a name means; InputError for no such row."""
        match = _ROW.fullmatch(name)
        if match is None or (match["beam"] and not 0 < float(match["beam"]) <= 1):
            raise InputError(f"unknown row {name!r}; rows are L, G, bfs, astar, astar-K and beam-B with 0 < B <= 1")
        if name in ("L", "G"):
            return cls(name, {})
        if match["bound"] is not None and match["bound"] not in Bound.__members__:
            names = ", ".join(Bound.__members__)
            raise InputError(f"row {name!r}: unknown bound {match['bound']!r}; known are {names}")
        settings: dict[str, Any] = {"search": re.split("[-:]", name)[0]}
        if match["bound"] is not None:
            settings["bound"] = match["bound"]
        if match["k"]:
            settings |= {"search": "astar-k", "k": int(match["k"])}
        elif match["beam"]:
            settings |= {"beam": float(match["beam"]), "stack_size": 0}
        return cls(name, settings)

    def options(self, budget: BagLimits, preset: PresetOf2005 | None) -> RealizationOptions:
        """The options of the row's search: of the preset unless the name has a bound; without, ``context``."""
        named = preset is None or "bound" in self.settings
        settings = {"bound": "context"} | self.settings if named else {"preset": preset} | self.settings
        limits: dict[str, Any] = {"max_seconds": budget.seconds, "max_states": budget.states}
        return RealizationOptions(**settings, **limits, max_memory=budget.memory)

    @property
    def label(self) -> str:
        """The paper's name of the row: A*_2 for ``astar-2``.

        >>> [BagSearch.parse(name).label for name in ("astar-2", "beam-0.2", "astar:static")]
        ['A*_2', 'B_0.2', 'A* static']
        """
        search, _, bound = self.name.partition(":")
        kind, dash, value = search.partition("-")
        names = {"bfs": "BFS", "astar": "A*", "beam": "B"}
        return names.get(kind, kind) + (f"_{value}" if dash else "") + (f" {bound}" if bound else "")


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


def read_bags(file: PathLike, *, limit: int = 0, seed: int = 1) -> Bags:
    """Sentences, one a line, lower-cased and without final punctuation, and their shuffled words.

    Each bag is shuffled from the seed, its number and its words, independent of the limit; 0 is no limit.
    """
    file = path_of(file, "file")
    sentences = []
    for line in read_lines(file):
        words = without_final_punctuation(line.lower().split())
        if words:
            sentences.append(words)
        if limit and len(sentences) == limit:
            break
    if not sentences:
        raise InputError(f"{file}: no words; expected a sentence a line")
    shuffled = []
    for number, sentence in enumerate(sentences):
        words = sorted(sentence)
        random.Random(f"{seed} {number} {' '.join(words)}").shuffle(words)
        shuffled.append(words)
    return Bags(name_of(file), sentences, shuffled)


def name_of(file: Path) -> str:
    """The name of a file's bags."""
    return file.name.removesuffix(".gz").removesuffix(".txt")


def log_prob(model: LanguageModel, words: Sequence[str]) -> float:
    """Log-probability of the words between ``<s>`` and ``</s>``, in nats."""
    return sum(model.score_words(words))


def order(
    shuffled: Sequence[list[str]],
    model: LanguageModel,
    row: BagSearch,
    budget: BagLimits,
    *,
    preset: PresetOf2005 | None = None,
    threads: int = 1,
) -> Iterator[dict[str, Any]]:
    """Order each bag as the row says: records of its ``text`` and its log-probability ``log p``, in nats.

    Searches also report ``edges``, ``bytes``, and whether the order is ``proved`` to be the best or the search was
    ``stopped``.
    """
    if not row.settings:
        for words in shuffled:
            start = perf_counter()
            ordered = greedy_order(words, model) if row.name == "G" else inverse_lexicographic_order(words)
            seconds = perf_counter() - start
            yield {"text": " ".join(ordered), "log p": log_prob(model, ordered), "seconds": seconds}
        return
    realizer = Realizer(model)  # all orders of a bag are equally probable but for the language model
    for batch in chunked(shuffled, _BATCH * threads):
        for result in realizer.realize(map(bag, batch), row.options(budget, preset), threads=threads):
            yield {
                "text": result.text,
                "log p": log_prob(model, result.text.split(" ")),
                "seconds": result.seconds,
                "edges": result.edges,
                "bytes": result.memory,
                "proved": float(result.optimal),
                "stopped": float(bool(result.stopped)),
            }
