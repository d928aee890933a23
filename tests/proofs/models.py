"""Random language models of orders 2 to 6, and what they give to whole strings."""

import random
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.reference.cfg import Rule, SlowGrammar, Symbol, bracketing, text_of
from widl.decoder import LanguageModel, parse_grammar

WORDS = ("a", "b", "c", "d", "e", "é")
MODELS_PER_ORDER = 6
ORDERS = range(2, 7)
GRAMMARS = 12

Gram = tuple[str, ...]


def random_arpa(rng: random.Random, order: int) -> str:
    """Any probabilities and back-offs; not normalised, which no search needs, but no probability is above 1.

    Some lack shorter n-grams inside of longer ones, as pruned models do; some have back-off weights above 1, for which
    no bounds over unknown left contexts are known.
    """
    words = ["a", *rng.sample(WORDS[1:], k=rng.randint(2, 4))]
    raised = rng.random() < 0.2  # the largest sum of back-offs is then as much above 0 as probabilities stay below it
    pruned = rng.random() < 0.3
    least_below = 0.3 * (order - 1) if raised else 0.0

    def line(gram: Gram) -> str:
        prob = -99.0 if gram == ("<s>",) else -rng.choice([0.0, rng.uniform(0, 2), rng.uniform(0, 2)]) - least_below
        high = 0.3 if raised else 0.0
        backoff = rng.choice([0.0, rng.uniform(-1, high), rng.uniform(-1, high)])
        tail = "" if len(gram) == order or gram[-1] == "</s>" else f"\t{backoff:.4f}"
        return f"{prob:.4f}\t{' '.join(gram)}{tail}"

    sections: list[list[Gram]] = [[("<unk>",), ("<s>",), ("</s>",), *((word,) for word in words)]]
    for n in range(2, order + 1):
        shorter = set(sections[-1])
        possible = [
            (*context, word)
            for context in sections[-1] if context[-1] not in ("</s>", "<unk>")
            for word in [*words, "</s>"]
        ]  # fmt: skip
        complete = [gram for gram in possible if gram[1:] in shorter]
        chosen = {("a",) * n, *rng.sample(complete, k=min(len(complete), rng.randint(1, 14)))}
        if pruned and n == order:
            chosen |= set(rng.sample(possible, k=1))
        sections.append(sorted(chosen))
    lines = ["\\data\\", *(f"ngram {n}={len(grams)}" for n, grams in enumerate(sections, start=1))]
    for n, grams in enumerate(sections, start=1):
        lines += ["", f"\\{n}-grams:", *map(line, grams)]
    return "\n".join([*lines, "", "\\end\\", ""])


class Model:
    """A language model that remembers what it gave to strings."""

    def __init__(self, core: LanguageModel) -> None:
        self.core = core
        self.score = cache(self._score)

    def _score(self, words: tuple[str, ...]) -> float:
        return sum(self.core.score_words(words))


def random_model(rng: random.Random, order: int) -> Model:
    """Estimated of a few sentences, or with any numbers; in a form that knows bounds over left contexts or not."""
    if rng.random() < 0.25:
        lines = [" ".join(rng.choices(WORDS[:5], k=rng.randint(1, 8))) for _ in range(6)]
        return Model(LanguageModel.estimate(lines, order=order))
    return Model(opened(random_arpa(rng, order), rng.choice(["arpa", "arpa", "arpa", "probing", "trie"])))


def opened(arpa: str, kind: str) -> LanguageModel:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.arpa"
        path.write_text(arpa, encoding="utf-8")
        if kind == "arpa":
            return LanguageModel.load(path)
        LanguageModel.convert(str(path), f"{path}.{kind}", kind=kind)
        return LanguageModel.load(f"{path}.{kind}")


class Filter:
    """A grammar, fast and slow."""

    def __init__(self, rules: list[Rule]) -> None:
        slow = SlowGrammar(rules)
        self.text = text_of(rules)
        self.core = parse_grammar(self.text)
        self.accepts = cache(slow.accepts)


def random_filter(rng: random.Random) -> Filter:
    """Clauses in a row; most accept few strings."""

    def side(most: int, names: Sequence[str]) -> tuple[Symbol, ...]:
        kinds = ["word", "word", "any", *["nonterminal"] * bool(names)]
        made = []
        for _ in range(rng.randint(1, most)):
            kind = rng.choice(kinds)
            text = {"word": rng.choice(WORDS), "any": "", "nonterminal": rng.choice(names or [""])}[kind]
            made.append(Symbol(kind, text))
        return tuple(made)

    clause, rest = Symbol("nonterminal", "A"), Symbol("nonterminal", "S")
    rules = [Rule("S", (clause,)), Rule("S", (clause, rest) if rng.random() < 0.5 else (rest, clause))]
    rules += [Rule("A", side(3, ["B"])) for _ in range(rng.randint(1, 4))]
    rules += [Rule("B", side(2, [])) for _ in range(rng.randint(1, 3))]
    return Filter(rules)


def bracketing_filter(rng: random.Random, words: Sequence[str]) -> Filter:
    """One that accepts these words, and some others: segments of them, named in turn, with further rules."""
    names = ["S", "A", "B", "C"]
    rules = bracketing(words, [rng.randrange(7) for _ in range(rng.randint(0, 2))], rng.sample(names, k=4))
    start = rules[0].left
    for _ in range(rng.randint(0, 4)):
        right = [rng.choice([Symbol("nonterminal", start), Symbol("word", rng.choice(WORDS)), Symbol("any")])
                 for _ in range(rng.randint(0, 3))]  # fmt: skip
        rules.append(Rule(rng.choice(rules).left, tuple(right)))
    return Filter(rules)


class Pool:
    """Models and grammars that the cases of one seed share."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(f"models {seed}")
        self.models = [random_model(rng, order) for order in ORDERS for _ in range(MODELS_PER_ORDER)]
        self.filters = [random_filter(rng) for _ in range(GRAMMARS)]
