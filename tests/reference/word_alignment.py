"""The word aligner of core/alignment by its definitions, in plain Python with doubles.

A text is a list of pairs of token lists. Directions: forward, target words come from source words; reverse, the
opposite. Probabilities of links are nested lists, [source position][target position].
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, product

import numpy as np

Pair = tuple[list[str], list[str]]
Matrix = list[list[float]]
Split = Callable[[str], list[str]]
Link = tuple[int, int]

JUMPS = range(-200, 201)
NULL_MODEL1, NULL_MARKOV = 0.2, 0.5
STRENGTH = 8


# Numbers of a model.


def encode(count: float) -> int:
    """Steps of a sixteenth of an octave from 2^-8."""
    return 0 if count < 2**-8 else math.floor((math.log2(count) + 8) * 16 + 0.5) + 1


def decode(code: int) -> float:
    return 0 if code == 0 else 2 ** ((code - 1) / 16 - 8)


@dataclass
class Model:
    """The content of a model's text; `links` is keyed by words. Words are in the order of the text."""

    source_jumps: list[int]
    target_jumps: list[int]
    sources: dict[str, tuple[int, int]]
    """For each word: its occurrences, and the code of its occurrences without a partner."""
    targets: dict[str, tuple[int, int]]
    links: dict[tuple[str, str], int]


def parse(text: str) -> Model:
    title, *rest = text.splitlines()
    assert title == "widl alignment model 1"
    jumps = []
    for side, line in zip(("source", "target"), rest, strict=False):
        start = f"jumps in the {side}, from -200 to 200:"
        assert line.startswith(start)
        jumps.append([int(code) for code in line.removeprefix(start).split()])
    target_count, source_count = map(int, rest[2].split())
    rows = [line.split(" ") for line in rest[3:]]
    assert len(rows) == target_count + source_count
    words = [{word: (int(frequency), int(code)) for word, frequency, code, *_ in part}
             for part in (rows[:target_count], rows[target_count:])]  # fmt: skip
    names = list(words[0])
    links = {}
    for word, _, _, *numbers in rows[target_count:]:
        steps = accumulate(map(int, numbers[::2]))
        for target, code in zip(steps, numbers[1::2], strict=True):
            links[word, names[target]] = int(code)
    return Model(jumps[0], jumps[1], words[1], words[0], links)


# The pairs of words that may be linked.


def candidates(text: Sequence[Pair], least_association: float = 12) -> dict[tuple[str, str], float]:
    """Pairs that co-occur more often than by chance, or in half of the sentences with either word; with expected
    links.
    """
    with_source, with_target = ({word: {n for n, pair in enumerate(text) if word in pair[side]}
                                 for pair in text for word in pair[side]} for side in (0, 1))  # fmt: skip
    result = {}
    for (e, has_e), (f, has_f) in product(with_source.items(), with_target.items()):
        both = has_e & has_f
        dice = 2 * len(both) / (len(has_e) + len(has_f))
        attracted = len(both) * len(text) > len(has_e) * len(has_f)
        if both and (dice >= 0.5 or (attracted and association(has_e, has_f, len(text)) > least_association)):
            result[e, f] = sum(text[n][0].count(e) * text[n][1].count(f) * 2 / (len(text[n][0]) + len(text[n][1]))
                              for n in both)  # fmt: skip
    return result


def association(has_e: set[int], has_f: set[int], size: int) -> float:
    """Dunning's log-likelihood ratio: 2 sum n log(n / expected)."""
    total = 0.0
    for e, f in product((True, False), repeat=2):
        seen = sum((n in has_e) == e and (n in has_f) == f for n in range(size))
        expected = sum((n in has_e) == e for n in range(size)) * sum((n in has_f) == f for n in range(size)) / size
        total += 2 * seen * math.log(seen / expected) if seen else 0
    return total


# Translation probabilities.


@dataclass
class Side:
    """Words of one language: occurrences, and each word's share of the unaligned words."""

    frequency: dict[str, float]
    unaligned: dict[str, float]
    split: Split

    def pieces(self, word: str) -> list[str]:
        """Pieces of an unknown word that occur in known words."""
        return [piece for piece in self.split(word) if word in self.frequency or self.piece_frequency(piece)]

    def piece_frequency(self, piece: str) -> float:
        return sum(
            count * self.split(word).count(piece) / len(self.split(word)) for word, count in self.frequency.items()
        )

    def unaligned_probability(self, word: str) -> float:
        return max(self.unaligned[word], 1e-7) if word in self.frequency else 1e-6


@dataclass
class Lexicon:
    """Counts of linked words, turned into probabilities with the help of the words' pieces."""

    source: Side
    target: Side
    counts: dict[tuple[str, str], float]
    _pieces: dict[tuple[str, str], float] = field(init=False)
    _frequencies: tuple[dict[str, float], dict[str, float]] = field(init=False)

    def __post_init__(self) -> None:
        self._pieces = defaultdict(float)
        for (e, f), count in self.counts.items():
            us, vs = self.source.split(e), self.target.split(f)
            for u, v in product(us, vs):
                self._pieces[u, v] += count / len(us) / len(vs)
        self._frequencies = ({}, {})
        for side, known in zip((self.source, self.target), self._frequencies, strict=True):
            for piece in {piece for word in side.frequency for piece in side.split(word)}:
                known[piece] = side.piece_frequency(piece)

    def background(self, e: str, f: str) -> tuple[float, float]:
        """b(f|e) and b(e|f), from the pieces alone."""
        us, vs = self.source.pieces(e), self.target.pieces(f)
        shared = 0.0
        for u, v in product(us, vs):
            count = self._pieces.get((u, v), 0)
            if count >= 1e-3:
                shared += count / (self._frequencies[0][u] + 1) / (self._frequencies[1][v] + 1)
        shared /= max(1, len(us) * len(vs))
        return (
            shared * max(1, self.target.frequency.get(f, 0)),
            shared * max(1, self.source.frequency.get(e, 0)),
        )

    def counted(self, e: str, f: str) -> tuple[float, float]:
        """t(f|e) and t(e|f) of a counted pair."""
        forward, reverse = self.background(e, f)
        count = self.counts[e, f]
        of_e = sum(c for (word, _), c in self.counts.items() if word == e)
        of_f = sum(c for (_, word), c in self.counts.items() if word == f)
        return (count + STRENGTH * forward) / (of_e + STRENGTH), (count + STRENGTH * reverse) / (of_f + STRENGTH)

    def emissions(self, e: str, f: str, *, smooth_absent: bool) -> tuple[float, float]:
        """Emission probabilities as the models use them: all are positive."""
        if (e, f) in self.counts:
            forward, reverse = self.counted(e, f)
            return forward + 1e-6, reverse + 1e-6
        count_e, count_f = self.source.frequency.get(e, 0), self.target.frequency.get(f, 0)
        if not smooth_absent or min(count_e, count_f) >= 1000:
            return 1e-6, 1e-6
        if count_e == count_f == 0:
            return (0.5, 0.5) if e == f else (1e-4, 1e-4)
        forward, reverse = self.background(e, f)
        return 1e-6 + STRENGTH * forward / (count_e + STRENGTH), 1e-6 + STRENGTH * reverse / (count_f + STRENGTH)


# Probabilities of links. `emissions` are [word][position], `unaligned` [word].


def model1(emissions: Matrix, unaligned: Sequence[float], null: float) -> Matrix:
    """P(word comes from position), [word][position]."""
    result = []
    for row, alone in zip(emissions, unaligned, strict=True):
        joint = [(1 - null) / len(row) * value for value in row]
        result.append([value / (sum(joint) + null * alone) for value in joint])
    return result


def first_jumps() -> dict[int, float]:
    return {jump: math.exp(-0.35 * abs(jump - 1)) + 0.002 for jump in JUMPS}


def jump_weights(counts: dict[int, float]) -> dict[int, float]:
    """Adds one to each; from eleven words on, uses means over 11..14, 15..20, 21..28, and so on."""
    smooth = dict(counts)
    for sign in (-1, 1):
        first = 11
        while first <= 200:
            group = [sign * jump for jump in range(first, min(200, first + first // 3) + 1)]
            for jump in group:
                smooth[jump] = sum(counts[jump] for jump in group) / len(group)
            first += len(group)
    return {jump: (smooth[jump] + 1) / (sum(counts.values()) + len(JUMPS)) for jump in JUMPS}


State = tuple[bool, int]
"""Whether the word has a partner, and the position of the last partner so far."""


def state_sequences(
    emissions: Matrix, unaligned: Sequence[float], weights: dict[int, float], null: float
) -> Iterator[tuple[list[State], float]]:
    """All sequences of hidden states, each with its joint probability with the words."""
    positions = range(len(emissions[0]))
    jump = {(last, i): weights[i - last] / sum(weights[k - last] for k in positions)
            for last in (-1, *positions) for i in positions}  # fmt: skip

    def follow(states: list[State], probability: float) -> Iterator[tuple[list[State], float]]:
        j = len(states)
        if j == len(emissions):
            yield states, probability
            return
        for i in positions:
            step = jump[states[-1][1] if states else -1, i]
            yield from follow([*states, (True, i)], probability * (1 - null) * step * emissions[j][i])
            if not states:  # the position where a first word without a partner stays is also drawn
                yield from follow([(False, i)], null * step * unaligned[j])
        if states:
            yield from follow([*states, (False, states[-1][1])], probability * null * unaligned[j])

    yield from follow([], 1)


def hidden_markov(
    emissions: Matrix, unaligned: Sequence[float], weights: dict[int, float], null: float
) -> tuple[Matrix, dict[int, float]]:
    """P(word comes from position), [word][position], and the expected numbers of jumps."""
    total = 0.0
    result = [[0.0] * len(row) for row in emissions]
    jumps = dict.fromkeys(JUMPS, 0.0)
    for states, probability in state_sequences(emissions, unaligned, weights, null):
        total += probability
        last = -1
        for j, (partner, position) in enumerate(states):
            if partner:
                result[j][position] += probability
                jumps[position - last] += probability
            last = position
    return [[value / total for value in row] for row in result], {jump: n / total for jump, n in jumps.items()}


@dataclass
class Posteriors:
    forward: Matrix
    reverse: Matrix
    source_jumps: dict[int, float]
    target_jumps: dict[int, float]

    def linked(self, i: int, j: int) -> float:
        return (self.forward[i][j] + self.reverse[i][j]) / 2


def posteriors(
    lexicon: Lexicon, pair: Pair, weights: tuple[dict[int, float], dict[int, float]] | None, *, smooth_absent: bool
) -> Posteriors:
    """Posteriors of the hidden Markov model with these source and target jump weights, or of Model 1 without
    weights.
    """
    source, target = pair
    table = [[lexicon.emissions(e, f, smooth_absent=smooth_absent) for f in target] for e in source]
    of_targets = [[table[i][j][0] for i in range(len(source))] for j in range(len(target))]
    of_sources = [[table[i][j][1] for j in range(len(target))] for i in range(len(source))]
    alone = ([lexicon.target.unaligned_probability(f) for f in target],
             [lexicon.source.unaligned_probability(e) for e in source])  # fmt: skip
    none = dict.fromkeys(JUMPS, 0.0)
    if weights is None:
        forward, reverse = model1(of_targets, alone[0], NULL_MODEL1), model1(of_sources, alone[1], NULL_MODEL1)
        return Posteriors(_transposed(forward), reverse, none, none)
    forward, source_jumps = hidden_markov(of_targets, alone[0], weights[0], NULL_MARKOV)
    reverse, target_jumps = hidden_markov(of_sources, alone[1], weights[1], NULL_MARKOV)
    return Posteriors(_transposed(forward), reverse, source_jumps, target_jumps)


def _transposed(matrix: Matrix) -> Matrix:
    return [list(row) for row in zip(*matrix, strict=True)]


# Learning.


@dataclass
class Counts:
    """Counts of one round; the model is made from the counts of the last round."""

    links: dict[tuple[str, str], float]
    unaligned_source: Counter[str] = field(default_factory=Counter)
    unaligned_target: Counter[str] = field(default_factory=Counter)
    source_jumps: dict[int, float] = field(default_factory=lambda: dict.fromkeys(JUMPS, 0.0))
    target_jumps: dict[int, float] = field(default_factory=lambda: dict.fromkeys(JUMPS, 0.0))


def expect(lexicon: Lexicon, text: Sequence[Pair], weights: tuple[dict[int, float], dict[int, float]] | None) -> Counts:
    counts = Counts(dict.fromkeys(lexicon.counts, 0.0))
    for pair in text:
        result = posteriors(lexicon, pair, weights, smooth_absent=False)
        free = [1.0] * len(pair[0]), [1.0] * len(pair[1])
        for (i, e), (j, f) in product(enumerate(pair[0]), enumerate(pair[1])):
            p = result.linked(i, j)
            if p >= 1e-4:
                free[0][i] -= p
                free[1][j] -= p
                if (e, f) in counts.links:
                    counts.links[e, f] += p
        for words, rests, tally in zip(pair, free, (counts.unaligned_source, counts.unaligned_target), strict=True):
            for word, rest in zip(words, rests, strict=True):
                tally[word] += max(0.0, rest)  # type: ignore[assignment]
        for jump in JUMPS:
            counts.source_jumps[jump] += result.source_jumps[jump]
            counts.target_jumps[jump] += result.target_jumps[jump]
    return counts


def learn(text: Sequence[Pair], split: Split, *, model1_rounds: int = 3, markov_rounds: int = 3) -> Counts:
    """Runs expectation maximization; returns the counts of the last round."""
    sides = []
    for side in (0, 1):
        frequency = Counter(word for pair in text for word in pair[side])
        total = frequency.total()
        sides.append(Side(dict(frequency), {word: n / total for word, n in frequency.items()}, split))
    lexicon = Lexicon(*sides, candidates(text))
    weights = first_jumps(), first_jumps()
    for number in range(model1_rounds + markov_rounds):
        counts = expect(lexicon, text, None if number < model1_rounds else weights)
        for side, tally in zip(sides, (counts.unaligned_source, counts.unaligned_target), strict=True):
            side.unaligned = _shares(tally, side.frequency)
        lexicon = Lexicon(*sides, counts.links)
        if number >= model1_rounds:
            weights = jump_weights(counts.source_jumps), jump_weights(counts.target_jumps)
    return counts


def _shares(unaligned: dict[str, float], frequency: dict[str, float]) -> dict[str, float]:
    """Smoothed by one more occurrence, spread like the words."""
    total = sum(frequency.values())
    return {word: (unaligned[word] + n / total) / (sum(unaligned.values()) + 1) for word, n in frequency.items()}


def model_posteriors(model: Model, pair: Pair, split: Split) -> Posteriors:
    """A model's posteriors for a sentence pair."""
    sides = []
    for words in (model.sources, model.targets):
        frequency = {word: float(n) for word, (n, _) in words.items()}
        unaligned = {word: decode(code) for word, (_, code) in words.items()}
        sides.append(Side(frequency, _shares(unaligned, frequency), split))
    lexicon = Lexicon(*sides, {pair: decode(code) for pair, code in model.links.items()})
    jumps = [{jump: decode(code) for jump, code in zip(JUMPS, codes, strict=True)}
             for codes in (model.source_jumps, model.target_jumps)]  # fmt: skip
    return posteriors(lexicon, pair, (jump_weights(jumps[0]), jump_weights(jumps[1])), smooth_absent=True)


# Links.


def choose(forward: Matrix, reverse: Matrix) -> tuple[list[Link], list[Link]]:
    """Competitive linking, then links with words that are still unlinked.

    Uses single precision: the core's rounding decides ties.
    """
    p = (np.array(forward, dtype=np.float32) + np.array(reverse, dtype=np.float32)) / np.float32(2)
    by_probability = sorted(((i, j) for i, j in np.ndindex(p.shape)), key=lambda link: (-p[link], link))
    shared: list[Link] = []
    for i, j in by_probability:
        if p[i, j] >= np.float32(0.02) and all(i != k and j != m for k, m in shared):
            shared.append((i, j))
    links = shared, list(shared)
    linked_sources, linked_targets = {i for i, _ in shared}, {j for _, j in shared}
    for i, j in by_probability:
        if p[i, j] >= np.float32(0.2) and not (i in linked_sources and j in linked_targets):
            linked_sources.add(i)
            linked_targets.add(j)
            for direction, matrix in zip(links, (forward, reverse), strict=True):
                if np.float32(matrix[i][j]) >= np.float32(0.02):
                    direction.append((i, j))
    return sorted(links[0]), sorted(links[1])


def count(text: Sequence[Pair], forward: Sequence[list[Link]], reverse: Sequence[list[Link]]) -> Counts:
    """Counts of given links; each direction counts half."""
    counts = Counts(defaultdict(float))
    for (source, target), direct, inverse in zip(text, forward, reverse, strict=True):
        for i, j in (*direct, *inverse):
            counts.links[source[i], target[j]] += 0.5
        _count_partners(target, [(j, i) for i, j in direct], counts.unaligned_target, counts.source_jumps)
        _count_partners(source, inverse, counts.unaligned_source, counts.target_jumps)
    return counts


def _count_partners(words: list[str], links: list[Link], unaligned: Counter[str], jumps: dict[int, float]) -> None:
    """A word with several partners counts with its first."""
    last = -1
    for position, word in enumerate(words):
        partners = [partner for at, partner in links if at == position]
        if not partners:
            unaligned[word] += 1
            continue
        jumps[min(partners) - last] += 1
        last = min(partners)
