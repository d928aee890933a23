"""WIDL-expressions written in Python (Soricut & Marcu 2006, §2.1); `parse_expression` reads their text form.

A string is accepted wherever an argument is an expression; it means the sequence of its words.

>>> lock("turkish government")
<Expression ×(turkish · government)>
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import encodable, text_of, words_in
from widl.common.errors import InputError, WrongTypeError
from widl.expressions.movement import weighted_interleave, weighted_tiles
from widl.expressions.optional_arguments import lock_of

Argument: TypeAlias = Expression | str
Numbers: TypeAlias = float | Sequence[float]
"""A probability, or J probabilities."""


@checked
def word(text: str) -> Expression:
    """The expression of a single word: any text without white space, also signs of the text form.

    >>> print(seq(word("1,000"), word("or")))
    "1,000" · or
    """
    return Expression.word(encodable(text_of(text, "a word"), "a word"))


@checked
def seq(*parts: Argument) -> Expression:
    """Precedence, ·: the parts in their order. Without parts, it is the empty string, a valid argument of · and ∨.

    >>> seq("in", "iraq") == seq("in iraq")
    True
    >>> seq("rebels", choice({"in iraq": 0.4, seq(): 0.6}), "attack")
    <Expression rebels · ∨{0.4, 0.6}(in · iraq, ()) · attack>
    """
    expressions = [_expression(part) for part in parts]
    return Expression.precedence(expressions)


@checked
def choice(
    *options: Argument | tuple[Argument, Numbers] | Mapping[Argument, Numbers], scores: bool = False, **unknown: Any
) -> Expression:
    """Weighted disjunction, ∨: one of the options, with its probability (or its J probabilities).

    Options are a mapping, pairs, or bare arguments, which are equally probable. If `scores`, the numbers are
    unnormalized scores in (0, 1]; otherwise they must sum to 1 within 1e-6.

    >>> choice({"gunman": 0.35, lock("the gunmen"): 0.65})
    <Expression ∨{0.35, 0.65}(gunman, ×(the · gunmen))>
    >>> choice(("a", [0.3, 0.9]), ("b", [0.7, 0.1]))
    <Expression ∨{0.3 0.9, 0.7 0.1}(a, b)>
    >>> choice("prisoners", "captives")
    <Expression ∨(prisoners, captives)>
    """
    if unknown:
        name = next(iter(unknown))
        raise WrongTypeError(
            f"choice has no argument {name!r}; pair options with probabilities: choice(('a', 0.2), ('b', 0.8))"
        )
    pairs: list[tuple[Argument, Numbers]] = []
    bare: list[Argument] = []
    for option in options:
        if isinstance(option, Mapping):
            pairs += option.items()
        elif isinstance(option, tuple):
            if len(option) != 2:
                raise InputError(f"∨: expected a pair of an argument and its probability, found {option!r}")
            pairs.append(option)
        else:
            bare.append(option)
    if bare and (pairs or scores):
        raise InputError(f"∨: {bare[0]!r} has no probability; give one to every option, or to none")
    if bare:
        pairs = [(option, 1 / len(bare)) for option in bare]
    make = Expression.scored_disjunction if scores else Expression.disjunction
    return make([_expression(option) for option, _ in pairs], [_vector(p) for _, p in pairs])


@checked
def interleave(
    *arguments: Argument,
    order: Mapping[tuple[int, ...], Numbers] | None = None,
    perms: Numbers = 0.0,
    shuffles: Numbers = 0.0,
    expmove: float | None = None,
    normalized: bool = False,
) -> Expression:
    """Weighted interleave, ∥: all arguments, interleaved.

    `order` gives some argument permutations their probabilities (arguments are numbered from 1, as in the paper),
    `perms` is spread evenly over the other permutations, `shuffles` over the remaining interleavings. `expmove`
    alone scores permutations by a**d, d being the total movement from the order written; `normalized`, these scores sum
    to 1. With `perms`, it spreads their mass in proportion to a**d. If none is given, all interleavings are equally
    probable.

    >>> interleave(lock("a b"), "c", order={(1, 2): 0.8}, perms=0.2)
    <Expression ∥{1 2: 0.8, perms: 0.2}(×(a · b), c)>
    >>> interleave("one two", "three")
    <Expression ∥(one · two, three)>
    >>> interleave("a", "b c", perms=0.9, expmove=0.5, shuffles=0.1)  # 2 1 moves by 3
    <Expression ∥{1 2: 0.8, 2 1: 0.1, shuffles: 0.1}(a, b · c)>
    """
    expressions = [_expression(argument) for argument in arguments]
    listed = []
    for permutation, p in (order or {}).items():
        if not all(isinstance(k, int) and k >= 1 for k in permutation):
            raise InputError(f"∥: the order {permutation!r} must number the arguments from 1")
        listed.append(([k - 1 for k in permutation], _vector(p)))
    masses = [_vector(mass) if any(_vector(mass)) else None for mass in (perms, shuffles)]
    return weighted_interleave(
        expressions,
        listed=None if order is None else listed,
        other_permutations=masses[0],
        shuffles=masses[1],
        base=None if expmove is None else _number(expmove),
        normalized=normalized,
    )


@checked
def lock(*parts: Argument) -> Expression:
    """Lock, ×: the parts in their order, without interleaved words.

    >>> lock("rebels", choice("fighting", "attacked"))
    <Expression ×(rebels · ∨(fighting, attacked))>
    """
    return lock_of(seq(*parts))


@checked
def bag(words: str | Iterable[str]) -> Expression:
    """A bag of words: all their orders, equally probable.

    >>> bag("the cat sat")
    <Expression ∥(the, cat, sat)>
    """
    return Expression.uniform_interleave([word(text) for text in words_in(words, "words")])


@checked
def tiles(
    length: int, spans: Mapping[tuple[int, int], Argument], *, expmove: float, normalized: bool = False
) -> Expression:
    """Alternatives for spans [begin, end) of `length` source positions; a derivation covers each position once.

    Equals ∨, over all segmentations of 0..length into these spans, of ∥expmove(the segmentation's tiles), but is not
    expanded. Its numbers are scores, not probabilities; if `normalized`, the scores of a segmentation's orders sum to
    1, which is written out, for up to 10 positions.

    >>> tiles(2, {(0, 1): "a", (1, 2): "b", (0, 2): lock("c d")}, expmove=0.5)
    <Expression tiles{2, expmove: 0.5}(0-1: a, 1-2: b, 0-2: ×(c · d))>
    """
    triples = [(begin, end, _expression(argument)) for (begin, end), argument in spans.items()]
    positions = [length, *(position for begin, end, _ in triples for position in (begin, end))]
    if any(not isinstance(position, int) or not 0 <= position < 1 << 31 for position in positions):
        raise InputError("tiles: positions are whole numbers, from 0")
    return weighted_tiles(length, triples, _number(expmove), normalized)


def _expression(argument: Argument) -> Expression:
    if isinstance(argument, Expression):
        return argument
    if not isinstance(argument, str):
        several = "; pass the arguments one by one: f(first, second), or f(*arguments)"
        hint = several if isinstance(argument, (list, tuple, set)) else ""
        raise WrongTypeError(f"expected an expression or a string, found {argument!r}{hint}")
    words = argument.split()
    if not words:
        raise InputError("a word can't be empty")
    return Expression.precedence([word(text) for text in words])


def _vector(numbers: Numbers) -> list[float]:
    if isinstance(numbers, Iterable) and not isinstance(numbers, str):
        return [_number(number) for number in numbers]
    return [_number(numbers)]


def _number(value: float) -> float:
    expected = "where a number was expected: a probability, a score or a base"
    if isinstance(value, str):
        raise WrongTypeError(f"found {value!r}, {expected}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise WrongTypeError(f"found {value!r}, {expected}") from None
