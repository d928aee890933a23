"""Possible readings of the paper's estimate, beam, A*_k and baseline G, on short bags (Soricut & Marcu 2005, Table 2).

    python -m tests.reference.search_readings --lm MODEL BAGS.txt [--limit 500]

Searches in plain Python, with each reading of the paper's sentences. Prints for each reading: search errors, and the
edges followed as a share of breadth-first search's, next to the paper's figures. States are split by the last two
words; the program splits by the contexts its language model distinguishes, which are fewer. Bags are shuffled as by
`widl experiment word-order`. Exact searches must find strings as probable as the program's; otherwise it fails. For G
the program prints how many sentences are restored, with <s> and </s> among the sequences and without.
"""

import argparse
import heapq
import math
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from itertools import chain, permutations
from pathlib import Path

from widl.decoder import LanguageModel
from widl.experiments.bags import OrderSystem, order, read_bags

TOLERANCE = 1e-4
PAPER = {
    "A*": (0.0, 12.0),
    "A*_1": (21.1, 3.2),
    "A*_2": (8.5, 5.3),
    "B_0.2": (9.2, 7.2),
    "B_0.1": (3.2, 13.2),
}
"""Search errors and unfolded edges, in %."""

Context = tuple[int, ...]
"""Two words by number; fewer at the sentence's beginning, after <s>."""
State = tuple[int, Context]
"""The set of words realized, as bits, and the last two of them."""
Found = tuple[float, int]
"""A search's best ln p, and the edges that it followed."""


class Bag:
    """A bag of words under a trigram model: ln p of steps, and estimates of the remaining cost."""

    def __init__(self, words: list[str], model: LanguageModel, estimate: str = "none", *, apart: bool = False) -> None:
        """`apart`: equal words are separate items, as in the paper's footnote 1."""
        self.apart = apart
        self.words, self.model, self.full = words, model, (1 << len(words)) - 1
        self.log_p = cache(self._log_p)
        self.estimate = cache({"tight": self._tight, "pairs": self._pairs, "none": lambda _: 0.0}[estimate])

    def _log_p(self, word: int, context: tuple[int, ...], begins: bool) -> float:
        """ln p of a word, or of the sentence's end (-1), after up to two words; `begins`: after <s> and these words."""
        history = [self.words[k] for k in context]
        after = [] if word < 0 else [self.words[word]]
        return self.model.score_words(history + after, begin=begins, end=word < 0)[-1]

    def steps(self, state: State) -> Iterator[tuple[State, float]]:
        """Successor states, with ln p of the step; the last step includes the sentence's end."""
        done, last = state
        tried = set()
        for k, word in enumerate(self.words):
            if done >> k & 1 or (word in tried and not self.apart):
                continue
            tried.add(word)
            to = done | 1 << k
            score = self.log_p(k, last, len(last) < 2)
            behind = (*last, self.words.index(word))[-2:]  # labels, which are equal for equal words
            if to == self.full:
                yield (to, ()), score + self.log_p(-1, behind, len(behind) < 2)
            else:
                yield (to, behind), score

    def _tight(self, state: State) -> float:
        """Scores each word in its best possible context: the last two, the last and one, or two future words."""

        def contexts(last: Context, word: int, rest: list[int]) -> Iterator[Context]:
            others = [k for k in rest if k != word]
            if word >= 0:
                yield last
            if word >= 0 or len(others) == 1:
                yield from ((*last[-1:], k) for k in others)
            yield from permutations(others, 2)

        return self._best(state, contexts)

    def _pairs(self, state: State) -> float:
        """Scores each word after any two of the last two labels, <s> among them, and of the unused words, including
        itself, in any order (Equation 2).
        """

        def contexts(last: Context, _: int, rest: list[int]) -> Iterator[Context]:
            after_one = [] if len(last) == 2 else [(k,) for k in rest]
            return chain([last], after_one, permutations((*last, *rest), 2))

        return self._best(state, contexts)

    def _best(self, state: State, contexts: Callable[[Context, int, list[int]], Iterable[Context]]) -> float:
        done, last = state
        rest = [k for k in range(len(self.words)) if not done >> k & 1]
        if not rest:
            return 0.0
        return sum(
            max(self.log_p(word, context, len(context) < 2) for context in contexts(last, word, rest))
            for word in [*rest, -1]
        )


def layered(bag: Bag, beam: float, *, running: bool = False) -> Found:
    """Searches layer by layer; keeps the states within a factor `beam` of the layer's best, estimates included.

    `running` compares with the best state of the layer so far, instead of the best of the whole layer.
    """
    layer: dict[State, float] = {(0, ()): 0.0}
    edges = 0
    while (bag.full, ()) not in layer:
        made: dict[State, float] = {}
        best = -math.inf
        for state, score in layer.items():
            for to, step in bag.steps(state):
                edges += 1
                value = score + step + bag.estimate(to)
                best = max(best, value)
                if (not running or value >= best + _log(beam)) and score + step > made.get(to, -math.inf):
                    made[to] = score + step
        best = max(score + bag.estimate(state) for state, score in made.items())
        least = -math.inf if running else best + _log(beam)
        layer = {state: score for state, score in made.items() if score + bag.estimate(state) >= least}
    return layer[bag.full, ()], edges


def best_first(bag: Bag, k: float, *, created: bool = False) -> Found:
    """A*_k: pops only states at most k words shorter than the longest unfolded one.

    `created`: compares with the longest one made, which is a word longer.
    """
    scores: dict[State, float] = {(0, ()): 0.0}
    queue: list[tuple[float, int, State, float]] = [(-bag.estimate((0, ())), 0, (0, ()), 0.0)]
    longest = edges = 0
    while queue:
        _, shortness, state, score = heapq.heappop(queue)
        if score < scores[state]:
            continue
        if state == (bag.full, ()):
            return score, edges
        if -shortness + k < longest:
            continue
        longest = max(longest, -shortness + created)
        for to, step in bag.steps(state):
            edges += 1
            if score + step > scores.get(to, -math.inf):
                scores[to] = score + step
                heapq.heappush(queue, (-score - step - bag.estimate(to), shortness - 1, to, score + step))
    raise AssertionError("no string")


def joined(words: list[str], model: LanguageModel, *, boundaries: bool) -> list[str]:
    """Baseline G: joins the two sequences whose junction is most probable, the first of equals.

    `boundaries`: <s> and </s> are sequences, too, and all words must be joined between them.
    """
    sequences = [["<s>"]] * boundaries + [[word] for word in words] + [["</s>"]] * boundaries

    def ln_p(left: list[str], right: list[str]) -> float:
        begins, ends = left[0] == "<s>", right[0] == "</s>"
        known = left[-2:]
        text = [word for word in [*known, right[0]] if word not in ("<s>", "</s>")]
        return model.score_words(text, begin=begins and known[0] == "<s>", end=ends)[-1]

    while len(sequences) > 1:
        pairs = [
            (left, right)
            for left, right in permutations(range(len(sequences)), 2)
            if sequences[left][-1] != "</s>" and sequences[right][0] != "<s>"
            if len(sequences) == 2 or (sequences[left][0], sequences[right][-1]) != ("<s>", "</s>")
        ]
        left, right = max(pairs, key=lambda pair: ln_p(sequences[pair[0]], sequences[pair[1]]))
        sequences[left] = sequences[left] + sequences[right]
        del sequences[right]
    return sequences[0][1:-1] if boundaries else sequences[0]


def _log(beam: float) -> float:
    return math.log(beam) if beam else -math.inf


Search = Callable[[Bag], Found]
READINGS: dict[str, list[tuple[str, str, Search]]] = {
    "A*": [(estimate, "", partial(best_first, k=math.inf)) for estimate in ("tight", "pairs")],
    **{
        f"A*_{k}": [
            (estimate, "created" if created else "popped", partial(best_first, k=k, created=created))
            for estimate in ("tight", "pairs")
            for created in (False, True)
        ]
        for k in (1, 2)
    },
    **{
        f"B_{b}": [
            (estimate, "so far" if running else "layer", partial(layered, beam=b, running=running))
            for estimate in ("tight", "pairs", "none")
            for running in (False, True)
        ]
        for b in (0.2, 0.1)
    },
}
"""The readings of each row: estimate, reference point of k or the beam, and search. The program has the first ones."""
PROGRAM: dict[str, Search] = {
    "BFS": partial(layered, beam=0.0),
    **{row: readings[0][2] for row, readings in READINGS.items()},
}
"""The program's search of each row, and breadth-first search."""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lm", type=Path, required=True, help="trigram model")
    parser.add_argument("--limit", type=int, default=0, help="number of bags; 0: all")
    parser.add_argument("bags", type=Path, help="sentences of at most 7 words, one a line")
    arguments = parser.parse_args()
    model = LanguageModel.load(arguments.lm)
    bags = read_bags(arguments.bags, limit=arguments.limit)
    shuffled = bags.shuffled
    program = [one["log p"] for one in order(shuffled, model, OrderSystem(name="A*"))]
    full = [layered(Bag(words, model), 0.0) for words in shuffled]
    check([log_prob for log_prob, _ in full], program)
    total = sum(edges for _, edges in full)
    print(f"{'row':10}{'estimate':10}{'from':8}{'errors %':>10}{'unfolded %':>12}")
    for row, readings in READINGS.items():
        print(f"{row:10}{'the paper':18}{PAPER[row][0]:10.1f}{PAPER[row][1]:12.1f}")
        for estimate, measured_from, search in readings:
            found = [search(Bag(words, model, estimate)) for words in shuffled]
            if row == "A*":
                check([log_prob for log_prob, _ in found], program)
            pairs = zip(found, program, strict=True)
            errors = sum(log_prob < best - TOLERANCE for (log_prob, _), best in pairs) / len(shuffled)
            unfolded = sum(edges for _, edges in found) / total
            print(f"{row:10}{estimate:10}{measured_from:8}{100 * errors:10.1f}{100 * unfolded:12.1f}", flush=True)
    for boundaries in (True, False):
        strings = [joined(words, model, boundaries=boundaries) for words in shuffled]
        restored = sum(one == other for one, other in zip(strings, bags.sentences, strict=True)) / len(shuffled)
        print(f"G, {'with' if boundaries else 'without'} <s> and </s>: {100 * restored:.1f} % restored")


def check(found: list[float], program: list[float]) -> None:
    """Raises SystemExit if a string is less probable than the program's."""
    for number, (one, other) in enumerate(zip(found, program, strict=True), 1):
        if abs(one - other) > TOLERANCE:
            raise SystemExit(f"bag {number}: ln p {one}, the program's {other}")


if __name__ == "__main__":
    main()
