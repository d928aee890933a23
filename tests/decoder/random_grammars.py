"""Small random context-free grammars: ambiguous, recursive on either side, with empty rules and cycles."""

from collections.abc import Sequence

from hypothesis import strategies as st

from tests.reference.cfg import Rule, Symbol

NAMES = ("S", "A", "B", "C")


def symbols(words: Sequence[str], names: Sequence[str] = NAMES) -> st.SearchStrategy[Symbol]:
    return st.one_of(
        st.sampled_from(names).map(lambda name: Symbol("nonterminal", name)),
        st.sampled_from(words).map(lambda word: Symbol("word", word)),
        st.sampled_from([Symbol("word", words[0]), Symbol("any")]),
    )


@st.composite
def random_rules(
    draw: st.DrawFn, words: Sequence[str], names: Sequence[str] = NAMES, max_size: int = 10
) -> list[Rule]:
    """Rules whose nonterminals all have one."""
    right = st.lists(symbols(words, names), max_size=3).map(tuple)
    rules = draw(st.lists(st.builds(Rule, st.sampled_from(names), right), min_size=1, max_size=max_size))
    defined = {rule.left for rule in rules}
    used = {symbol.text for rule in rules for symbol in rule.right if symbol.kind == "nonterminal"}
    return rules + [Rule(name, draw(right.filter(_no_names))) for name in sorted(used - defined)]


def _no_names(right: tuple[Symbol, ...]) -> bool:
    return all(symbol.kind != "nonterminal" for symbol in right)
