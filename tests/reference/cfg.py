"""Slow and obvious: what a context-free grammar derives, as least fixed points straight from the definition."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True)
class Symbol:
    """A nonterminal, a word, or any word at all."""

    kind: str  # nonterminal, word, any
    text: str = ""

    def __str__(self) -> str:
        if self.kind == "nonterminal":
            return self.text
        escaped = self.text.replace("\\", "\\\\").replace('"', '\\"')
        return "*" if self.kind == "any" else f'"{escaped}"'


@dataclass(frozen=True)
class Rule:
    left: str
    right: tuple[Symbol, ...]

    def __str__(self) -> str:
        return f"{self.left} -> {' '.join(map(str, self.right)) or 'ε'}"


def text_of(rules: Sequence[Rule]) -> str:
    return "\n".join(map(str, rules))


class SlowGrammar:
    """The grammar of these rules; the first one's left side is the start symbol."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = list(rules)
        self.productive: set[str] = set()
        while True:
            more = {r.left for r in self.rules if all(map(self.is_productive, r.right))} - self.productive
            if not more:
                break
            self.productive |= more

    @property
    def start(self) -> str:
        return self.rules[0].left

    def is_productive(self, symbol: Symbol) -> bool:
        """Whether it derives any string."""
        return symbol.kind != "nonterminal" or symbol.text in self.productive

    def accepts(self, words: Sequence[str]) -> bool:
        return (self.start, 0, len(words)) in self._derived(words)

    def viable(self, words: Sequence[str]) -> bool:
        """Whether some string of the grammar begins with these words."""
        derived, n = self._derived(words), len(words)
        # (X, i): some string of X begins with words[i:].
        covering = {(name, n) for name in self.productive}
        while True:
            more = set()
            for rule in self.rules:
                for i in range(n):
                    splits = self._splits(rule, i, words, derived)
                    if any(self._covers(rule.right, ends, words, covering) for ends in splits):
                        more.add((rule.left, i))
            if more <= covering:
                return (self.start, 0) in covering
            covering |= more

    def _covers(
        self, right: Sequence[Symbol], ends: Sequence[int], words: Sequence[str], covering: set[tuple[str, int]]
    ) -> bool:
        """The first symbols derive words[ends[0]:ends[-1]]; the next one begins with all the rest; those after it
        derive anything."""
        done = len(ends) - 1
        if not all(map(self.is_productive, right[done:])):
            return False
        if ends[-1] == len(words):
            return True
        if done == len(right):
            return False
        following = right[done]
        if following.kind == "nonterminal":
            return (following.text, ends[-1]) in covering
        return ends[-1] == len(words) - 1 and following in (Symbol("any"), Symbol("word", words[-1]))

    def _derived(self, words: Sequence[str]) -> set[tuple[str, int, int]]:
        """All (X, i, j) such that X derives words[i:j]."""
        derived: set[tuple[str, int, int]] = set()
        while True:
            more = {
                (rule.left, i, ends[-1])
                for rule in self.rules
                for i in range(len(words) + 1)
                for ends in self._splits(rule, i, words, derived)
                if len(ends) == len(rule.right) + 1
            }
            if more <= derived:
                return derived
            derived |= more

    def _splits(
        self, rule: Rule, begin: int, words: Sequence[str], derived: set[tuple[str, int, int]]
    ) -> Iterator[tuple[int, ...]]:
        """Ends of the first 0, 1, 2 … symbols of a rule that begins at a position, in all ways."""
        found: list[tuple[int, ...]] = [(begin,)]
        while found:
            yield from found
            found = [
                (*ends, end)
                for ends in found
                if len(ends) <= len(rule.right)
                for end in range(ends[-1], len(words) + 1)
                if self._is(rule.right[len(ends) - 1], ends[-1], end, words, derived)
            ]

    def _is(
        self, symbol: Symbol, i: int, j: int, words: Sequence[str], derived: set[tuple[str, int, int]]
    ) -> bool:
        if symbol.kind == "nonterminal":
            return (symbol.text, i, j) in derived
        return j == i + 1 and (symbol.kind == "any" or symbol.text == words[i])


def bracketing(words: Sequence[str], cuts: Sequence[int], names: Sequence[str]) -> list[Rule]:
    """Rules that derive the words: the start symbol, names[0], as its segments between the cuts, named in turn."""
    ends = sorted({0, len(words), *(cut % (len(words) + 1) for cut in cuts)})
    segments = [words[i:j] for i, j in pairwise(ends)]
    used = [names[k % len(names)] for k in range(1, len(segments) + 1)]
    top = Rule(names[0], tuple(Symbol("nonterminal", name) for name in used))
    return [top] + [
        Rule(name, tuple(Symbol("word", word) for word in segment))
        for name, segment in zip(used, segments, strict=True)
    ]
