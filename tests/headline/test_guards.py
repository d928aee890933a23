"""Guards: each on its test sentences, as parsed by the shipped parser."""

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.headline.parses import words
from widl.expressions import Expression
from widl.headline.clause_expression import ClauseExpression
from widl.headline.deletion_model import DeletionModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.guards import Guard, Places, guarded, package_guards, parse_guards
from widl.headline.length_options import LengthLimit
from widl.headline.units import UnitTree
from widl.headline.word_forms import WordForms
from widl.headline.words import is_label, keys_of

EXAMPLES = [(guard, text, stays) for guard in package_guards() for text, stays in guard.examples]


def drawn(expression: Expression, rng: random.Random) -> list[str]:
    """The words of a derivation with random choices."""
    if expression.kind == Expression.Kind.word:
        return [expression.text]
    if expression.kind == Expression.Kind.disjunction:
        return drawn(rng.choice(expression.arguments), rng)
    return [word for argument in expression.arguments for word in drawn(argument, rng)]


def places(words: list[str], phrase: list[str]) -> Iterator[int]:
    return (i for i in range(len(words)) if words[i : i + len(phrase)] == phrase)


@pytest.mark.parametrize(("guard", "text", "stays"), EXAMPLES, ids=[f"{g.name}: {s}" for g, _, s in EXAMPLES])
def test_what_a_guard_protects_stays(guard: Guard, text: str, stays: str) -> None:
    tree = UnitTree(words(text)[0])
    keys = [word.key for word in tree.words]
    at = next(places(keys, keys_of(stays)))
    units = sorted({tree.unit_of[i] for i in range(at, at + len(keys_of(stays)))})
    assert any(guard.matches(Places(tree), unit) for unit in units)
    sentences = DocumentTrees([tree], DeletionModel({}, {}), WordForms({}, {}))
    strict = {u: replace(held, soft=False) for u, held in sentences.guards[0].kept_by.items()}
    sentences.guards[0] = replace(sentences.guards[0], kept_by=strict)
    result = ClauseExpression.of(sentences, LengthLimit(words=60))
    assert result is not None
    rng = random.Random(1)
    above = {parent for unit in units if (parent := tree.units[unit].parent) is not None} - set(units)
    above = {unit for unit in above if not is_label(tree.content(unit))}  # Inc never appears
    said = 0
    protected = [key for key in keys_of(stays) if key not in {"a", "an", "the"}]
    for _ in range(300):
        string = drawn(result.expression, rng)
        if all(tree.content(unit).key in string for unit in above):
            said += 1
            remaining = iter(string)
            assert all(key in remaining for key in protected), string
    assert said


def test_each_guard_has_a_reason_and_a_sentence_or_keeps_a_clause_from_standing_alone() -> None:
    for guard in package_guards():
        assert guard.reason.endswith(".")
        assert guard.examples or guard.effect in {"not_top", "drop"}, guard.name
    names = [guard.name for guard in package_guards()]
    assert len(set(names)) == len(names)


STANDING = [
    ("The minister denied that the bank was closed.", "closed"),
    ("The firm asked whether the mine would reopen.", "reopen"),
    ("Police did not say that the man was drunk.", "drunk"),
    ("The union fears that the plant will close.", "close"),
    ("The team will play if the rain stops.", "stops"),
    ("The boat sank after it hit a rock.", "hit"),
]


@pytest.mark.parametrize(("text", "verb"), STANDING)
def test_a_clause_that_is_denied_asked_or_feared_does_not_stand_alone(text: str, verb: str) -> None:
    tree = UnitTree(words(text)[0])
    number = next(u for u in range(len(tree)) if tree.content(u).key == verb)
    assert number in guarded(tree).no_top


def test_what_is_said_may_stand_alone() -> None:
    tree = UnitTree(words("The bank said that its profit fell in May.")[0])
    assert next(u for u in range(len(tree)) if tree.content(u).key == "fell") not in guarded(tree).no_top


@pytest.mark.parametrize(
    "rest",
    [
        'effect = "keep"\n',
        'effect = "keep"\npatterns = [{ not_unit = { lemma = ["a"] } }]\n',
        'effect = "hold"\npatterns = [{ unit = { lemma = ["a"] } }]\n',
        'effect = "keep"\npatterns = [{ unit = { lema = ["a"] } }]\n',
        'effect = "keep"\npatterns = [{ uncle = { lemma = ["a"] } }]\n',
    ],
)
def test_a_guard_that_says_nothing_is_refused(rest: str) -> None:
    with pytest.raises(ValueError, match="guard 'x'"):
        parse_guards(f'[guard.x]\nreason = "r"\n{rest}')
