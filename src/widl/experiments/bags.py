"""Bags of words and the ways to order them: the systems of the word-ordering experiment.

Each sentence's words are shuffled, and the language model alone scores the strings, boundaries included.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from widl.common.argument_types import checked
from widl.common.arguments import PathLike
from widl.common.errors import InputError
from widl.common.files import read_lines
from widl.common.options import fields_of, refuse_unread
from widl.common.workers import chunked
from widl.decoder import LanguageModel, RealizationOptions, Realizer, greedy_order, inverse_lexicographic_order
from widl.experiments.config import SystemConfig
from widl.expressions import bag
from widl.text.penn import without_final_punctuation

_BATCH = 8


class OrderSystem(SystemConfig):
    """A way to order bags: a search with any of its options, or a baseline of the paper.

    Bags have a budget of ten seconds. The bound is ``context``, a preset's is the paper's.
    """

    baseline: Literal["L", "G"] | None = Field(
        default=None, description="Instead of a search: inverse lexicographic or greedy order."
    )
    longest: int = Field(default=0, ge=0, description="Only for files whose bags have at most so many words; 0: all.")
    options: RealizationOptions = RealizationOptions()

    @classmethod
    def completed(cls, options: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
        """A bound that is given replaces the paper's, and with it the preset. A baseline has no search."""
        if own.get("baseline"):
            return {name: value for name, value in options.items() if name != "preset"}
        if "bound" in options or not options.get("preset"):
            options = {"bound": "context"} | {name: value for name, value in options.items() if name != "preset"}
        return {"max_seconds": 10.0} | options

    @classmethod
    def unread(cls, options: Mapping[str, Any], own: Mapping[str, Any]) -> set[str]:
        """A baseline reads no option of a search."""
        return set(fields_of(RealizationOptions)) if own.get("baseline") else super().unread(options, own)

    @model_validator(mode="after")
    def _read(self) -> Self:
        if self.baseline is not None:
            refuse_unread(self.options, f"baseline {self.baseline}", ())
        return self


_SYSTEMS: tuple[dict[str, Any], ...] = (
    {"name": "L", "baseline": "L"},
    {"name": "G", "baseline": "G"},
    {"name": "BFS", "search": "bfs", "longest": 9},  # longer bags need too much memory
    {"name": "A*", "search": "astar"},
    {"name": "A*_1", "search": "astar-k", "k": 1},
    {"name": "A*_2", "search": "astar-k", "k": 2},
    {"name": "B_0.2", "search": "beam", "beam": 0.2, "stack_size": 0},
    {"name": "B_0.1", "search": "beam", "beam": 0.1, "stack_size": 0},
)
_TIGHTER: tuple[dict[str, Any], ...] = tuple(
    system | {"name": f"{system['name']} lagrangian", "bound": "lagrangian"}
    for system in _SYSTEMS
    if system["name"] in ("A*", "A*_2", "B_0.1")
)
"""The same searches with a tighter bound, which the paper did not have."""
_LOG10: tuple[dict[str, Any], ...] = tuple(
    {"name": f"B_{beam}", "search": "beam", "beam": beam, "stack_size": 0} for beam in (0.0246, 0.005)
)
"""The paper's beams if ln 0.2 and ln 0.1 had been compared with log₁₀ scores: 0.2 and 0.1 to the power of ln 10."""


def default_systems(preset: str | None = None) -> list[dict[str, Any]]:
    """The paper's systems, and some with the tightest bound.

    A preset's are the paper's, its beams with ln b compared to log₁₀ scores, and exact search with a tighter bound to
    reveal search errors in long bags, for which the paper's takes too long.
    """
    if preset is None:
        return [*_SYSTEMS, *_TIGHTER]
    systems = [system | ({"longest": 9} if system["name"] == "A*" else {}) for system in _SYSTEMS]
    return [*systems, *_LOG10, _TIGHTER[0]]


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


@checked
def read_bags(file: PathLike, *, limit: int = 0, seed: int = 1) -> Bags:
    """Sentences, one a line, lower-cased and without final punctuation, and their shuffled words.

    Each bag is shuffled from the seed, its number and its words, independent of the limit; 0 is no limit.
    """
    file = Path(file)
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
    shuffled: Sequence[list[str]], model: LanguageModel, system: OrderSystem, *, threads: int = 1
) -> Iterator[dict[str, Any]]:
    """Order each bag with a system: records of its ``text`` and its log-probability ``log p``, in nats.

    Searches also report ``edges``, ``bytes``, and whether the order is ``proved`` to be the best or the search was
    ``stopped``.
    """
    if system.baseline is not None:
        for words in shuffled:
            start = perf_counter()
            ordered = greedy_order(words, model) if system.baseline == "G" else inverse_lexicographic_order(words)
            seconds = perf_counter() - start
            yield {"text": " ".join(ordered), "log p": log_prob(model, ordered), "seconds": seconds}
        return
    realizer = Realizer(model)  # all orders of a bag are equally probable but for the language model
    for batch in chunked(shuffled, _BATCH * threads):
        for result in realizer.realize(map(bag, batch), system.options, threads=threads):
            yield {
                "text": result.text,
                "log p": log_prob(model, result.text.split(" ")),
                "seconds": result.seconds,
                "edges": result.edges,
                "bytes": result.memory,
                "proved": float(result.optimal),
                "stopped": float(bool(result.stopped)),
            }
