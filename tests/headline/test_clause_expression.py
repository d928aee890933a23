"""The expression of sentences: its strings and probabilities against the definition, its maximum length, its guards."""

import itertools
import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.headline.parses import words as words_of
from tests.headline.trees import trees
from widl.decoder import CoreRealizer, LanguageModel, RealizationOptions, Vocabulary
from widl.expressions import count_derivations, enumerate_strings, parse_expression
from widl.headline.clause_expression import ClauseExpression, shortest_words
from widl.headline.deletion_features import unit_features
from widl.headline.deletion_model import DeletionModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.length_options import LengthLimit
from widl.headline.model import clause_layout
from widl.headline.speakers import with_speaker
from widl.headline.units import UnitTree
from widl.headline.unwanted_terms import Unwanted
from widl.headline.word_forms import Form, WordForms
from widl.headline.word_lists import ARTICLES
from widl.headline.words import NOUNS, Word


class PlainForms(WordForms):
    """Keeps verbs as in the text."""

    def of_unit(self, tree: UnitTree, number: int, *, shortened: bool = True) -> list[tuple[Form, float]]:
        return [(tuple((i, tree.words[i]) for i in tree.units[number].words), 1.0)]


FORMS = PlainForms({"article": [3.0, 1.0]}, {})
WIDE = LengthLimit(words=100)


@st.composite
def distinct_words(draw: st.DrawFn, most: int) -> list[Word]:
    """Words in a tree, all different except for articles."""
    words = draw(trees(most=most))
    return [w if w.key in ARTICLES else replace(w, text=f"w{i}", key=f"w{i}") for i, w in enumerate(words)]


def made(words: list[Word], seed: int) -> DocumentTrees:
    """A sentence with random feature weights."""
    tree = UnitTree(words)
    rng = np.random.default_rng(seed)
    names = sorted({name for u in range(len(tree)) for name in unit_features(tree, u)})
    edges, tops = (dict(zip(names, rng.normal(0, 0.1, len(names)).tolist(), strict=True)) for _ in range(2))
    return DocumentTrees([tree], DeletionModel(edges, tops), FORMS)


def strings(sentences: DocumentTrees, top: int) -> dict[tuple[str, ...], float]:
    """The strings of a clause that keep all guarded units, with P(deletions), from all sets of units."""
    tree, guards = sentences.trees[0], sentences.guards[0]
    held = {u for u, guard in guards.kept_by.items() if not guard.soft}
    # "The bank named a chairman", parsed as the bank that was named: "named" carries the verb.
    noun = tree.content(0).tag in NOUNS and not tree.subjects(0) and not tree.function_words(0, "cop")
    held |= set([k for k in tree.units[0].children if noun and tree.content(k).relation in {"acl", "xcomp"}][:1])
    result: dict[tuple[str, ...], float] = defaultdict(float)
    below = tree.below(top)[1:]
    links = {u for u in below if tree.content(u).tag in {"ADP", "SCONJ", "CCONJ"} and not tree.units[u].children}
    gone = {u for u in links if tree.content(u).relation != "compound:prt" and u not in guards.kept_by}
    gone |= {u for u in below if tree.content(u).relation == "punct" or u in guards.dropped}
    for size in range(len(below) + 1):
        for chosen in itertools.combinations(below, size):
            remaining = {top, *chosen}
            reached = [u for u in below if tree.units[u].parent in remaining and u not in gone]
            if not set(chosen) <= set(reached) or any(u in held and u not in remaining for u in reached):
                continue
            stays = {u: sentences.shortened.keep_probability(tree, u) for u in reached if u not in held}
            p = math.prod(stays[u] if u in remaining else 1 - stays[u] for u in stays)
            introduced = {i for i in tree.units[top].words if tree.words[i].relation in {"cc", "mark"}}
            positions = sorted({i for u in remaining for i in tree.units[u].words} - introduced)
            heads = {i: tree.units[tree.unit_of[i]].head for i in positions}
            joins = {i for i in positions if (tree.words[i].relation, tree.words[i].key) == ("cc", "and")}
            joining = {i for i in joins if i > heads[i]}
            result[tuple(tree.words[i].key for i in positions if i not in joining)] += p
    return dict(result)


@settings(deadline=None, max_examples=60)
@given(distinct_words(7), st.integers(0, 2**31))
def test_the_strings_are_the_connected_parts_that_guards_allow(words: list[Word], seed: int) -> None:
    sentences = made(words, seed)
    result = ClauseExpression.of(sentences, WIDE)
    assume(result is not None and count_derivations(result.expression) < 3000)
    assert result is not None
    expected: dict[str, float] = defaultdict(float)
    for clause in result.clauses:
        for string, p in strings(result.trees, clause.top).items():
            expected[" ".join(string)] += clause.probability * p
    assert {s.string: s.probability for s in enumerate_strings(result.expression)} == pytest.approx(dict(expected))


@settings(deadline=None, max_examples=40)
@given(distinct_words(9), st.integers(0, 2**31), st.integers(1, 6))
def test_what_is_returned_fits_the_budget_or_nothing_is(words: list[Word], seed: int, most: int) -> None:
    sentences = made(words, seed)
    limit = LengthLimit(words=most)
    actual = ClauseExpression.of(sentences, limit)
    if actual is None:
        for clause in sentences.clauses():
            shortest = min(map(len, strings(sentences, clause.top)))
            assert shortest > most
        return
    lines = [" ".join(word.key for word in words)]
    realizer = CoreRealizer(Vocabulary([]), [LanguageModel.estimate(lines)])
    layout = clause_layout(1)
    weights = layout.weight_vector(dict.fromkeys(layout.names, 0.0) | {"cuts": 1.0, "word_count": 0.5, "lm0": 0.1})
    options = RealizationOptions(search="astar", words=most).core_options()
    expressions = [actual.expression, parse_expression(str(actual.expression))]
    results = realizer.realize_expressions(expressions, weights, options)
    assert all(result.optimal for result in results)
    texts = [
        [actual.written[k].word.key for p in result.nbest[0].phrases for k in range(p.begin, p.begin + p.word_count)]
        for result in results
    ]
    assert texts[0] == texts[1]  # the printed expression has the same best string
    assert len(texts[0]) <= most


def test_unwanted_words_are_in_no_string() -> None:
    [words] = words_of("Sales rose sharply.")
    sentences = made(words, 1)
    unwanted = Unwanted(["sharply"])
    result = ClauseExpression.of(sentences, WIDE, unwanted)
    assert result is not None
    allowed = unwanted.constraint(said.word for said in result.written)
    strings = {s.string for s in enumerate_strings(result.expression)}
    assert {string for string in strings if allowed.accepts(string.split())} == {"sales rose"}
    assert ClauseExpression.of(sentences, WIDE, Unwanted(["rising"])) is None


@pytest.mark.parametrize(
    ("text", "stays"),
    [("The bank said on Monday that it will sell its unit.", False), ("The mayor met fears that it will rain.", True)],
)
def test_that_goes_behind_a_verb_of_saying(text: str, stays: bool) -> None:
    sentences = DocumentTrees([UnitTree(words_of(text)[0])], DeletionModel({}, {}), FORMS)
    found = ClauseExpression.of(sentences, WIDE)
    assert found is not None
    assert any(said.word.key == "that" for said in found.written) == stays


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One of the three mines has closed.", "one of the three mines closes"),
        ("Some of the richest mines of the valley have closed.", "some of the richest mines of valley close"),
        ("The railway has closed six of its stations.", "railway closes six of its stations"),
        ("The Bank of Norvik has cut its rates.", "bank of norvik cuts rates"),
        ("The floods cost farmers hundreds of millions of pesos.", "floods cost farmers hundreds of millions of pesos"),
        ("The firm will support the port, a deal.", "firm will support port"),
    ],
)
def test_parts_of_something_and_names_with_of_are_whole(text: str, kept: str) -> None:
    trees = DocumentTrees([UnitTree(words_of(text)[0])], DeletionModel({}, {}), WordForms({"article": [0, 9]}, {}))
    shortest = [said.word.key for said in shortest_words(trees, trees.clauses()[0])]
    assert " ".join(shortest) == kept


@pytest.mark.parametrize(
    ("text", "tops"),
    [
        ("On the court stood Maria Silva.", []),
        ("The board urged the founder to name a partner.", ["urged"]),
        ("The founder said Maria Silva had named a partner.", ["said", "named"]),
        ("The bank said it will close a branch.", ["close", "said"]),
    ],
)
def test_clauses_that_may_be_headlines(text: str, tops: list[str]) -> None:
    [sentence] = words_of(text)
    retold = [UnitTree(told, retold=True)] if (told := with_speaker(sentence)) else []
    prepared = DocumentTrees([UnitTree(sentence), *retold], DeletionModel({}, {}), WordForms({}, {}))
    found = {prepared.trees[clause.tree].content(clause.top).text for clause in prepared.clauses()}
    assert found == set(tops)
