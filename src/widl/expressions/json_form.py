"""The JSON form of WIDL-expressions: a flat list of nodes that keeps subexpressions shared."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, cast

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import kind_of, text_of
from widl.common.errors import InputError, WrongTypeError
from widl.expressions.movement import weighted_interleave, weighted_tiles
from widl.expressions.optional_arguments import lock_of

_KEYS = {
    "word": (),
    "seq": (),
    "or": ("probabilities", "scores"),
    "interleave": ("order", "perms", "shuffles", "expmove", "normalized"),
    "lock": (),
    "tiles": ("length", "spans", "expmove", "normalized"),
}


@checked
def to_json(expression: Expression) -> str:
    """One line of JSON; arguments are numbers of earlier nodes, the last node is the expression.

    >>> from widl.expressions import choice, seq
    >>> print(to_json(seq(choice({"a": 0.8, "b": 0.2}), "c")))
    {"nodes": [{"word": "a"}, {"word": "b"}, {"or": [0, 1], "probabilities": [[0.8], [0.2]]}, \
{"word": "c"}, {"seq": [2, 3]}]}
    """
    if not isinstance(expression, Expression):
        raise WrongTypeError(f"expression: found {kind_of(expression)}; pass an expression, such as parse(text)")
    nodes, arguments = expression.nodes()
    return json.dumps({"nodes": list(map(_to_entry, nodes, arguments))}, ensure_ascii=False)


def _to_entry(node: Expression, arguments: Sequence[int]) -> dict[str, Any]:
    kinds, forms = Expression.Kind, Expression.Form
    match node.kind:
        case kinds.word:
            return {"word": node.text}
        case kinds.precedence:
            return {"seq": arguments}
        case kinds.lock:
            return {"lock": arguments[0]}
        case kinds.disjunction:
            return {"or": arguments, "scores" if node.scored else "probabilities": node.probabilities}
        case kinds.tiles:
            spans = [list(span) for span in node.spans]
            return {"tiles": arguments, "length": node.length, "spans": spans, "expmove": node.movement_base}
    entry: dict[str, Any] = {"interleave": arguments}
    if node.form == forms.movement:
        entry["expmove"] = node.movement_base
    if node.listed:
        entry["order"] = [[[k + 1 for k in order], p] for order, p in node.listed]
    if any(node.other_permutations):
        entry["perms"] = node.other_permutations
    if any(node.shuffles):
        entry["shuffles"] = node.shuffles
    return entry


@checked
def from_json(text: str, *, where: str = "JSON expression") -> Expression:
    """Parses the output of `to_json`; an InputError starts with `where` and names the node.

    >>> from_json('{"nodes": [{"word": "a"}, {"lock": 0}]}')
    <Expression ×(a)>
    """
    text_of(text, "text")
    try:
        data = json.loads(text)
    except RecursionError:
        raise InputError(f"{where}: JSON nested too deeply; expected a flat list of nodes") from None
    except ValueError as error:
        raise InputError(f"{where}: not JSON: {error}") from None
    if not isinstance(data, dict) or set(data) != {"nodes"} or not isinstance(data["nodes"], list):
        raise InputError(f"{where}: expected an object with one key, 'nodes', and a list")
    nodes: list[Expression] = []
    for number, entry in enumerate(data["nodes"]):
        nodes.append(_Reader(nodes, f"{where}: nodes[{number}]").node(entry))
    if not nodes:
        raise InputError(f"{where}: no nodes; the last one is the expression")
    return nodes[-1]


class _Reader:
    """Reads a node's entry; every number and list is checked before it is passed to the core."""

    def __init__(self, nodes: Sequence[Expression], where: str) -> None:
        self.nodes = nodes
        self.where = where

    def node(self, entry: object) -> Expression:
        kinds = [kind for kind in _KEYS if isinstance(entry, dict) and kind in entry]
        if len(kinds) != 1:
            self.fail(f"expected an object with one of the keys {', '.join(_KEYS)}")
        entry = cast("dict[str, object]", entry)
        unknown = set(entry) - {kinds[0], *_KEYS[kinds[0]]}
        if unknown:
            self.fail(f"unknown key {min(unknown)!r} beside {kinds[0]!r}")
        try:
            return self.build(kinds[0], entry)
        except InputError as error:
            if str(error).startswith(self.where):
                raise
            self.fail(str(error))

    def build(self, kind: str, entry: Mapping[str, object]) -> Expression:
        if kind == "word":
            return self.word(entry["word"])
        if kind == "lock":
            return lock_of(self.argument(entry["lock"]))
        arguments = [self.argument(number) for number in self.items(entry[kind], kind)]
        if kind == "seq":
            return Expression.precedence(arguments)
        if kind == "tiles":
            spans = [self.integers(span, "spans") for span in self.items(entry.get("spans"), "spans")]
            if len(spans) != len(arguments) or any(len(span) != 2 for span in spans):
                self.fail("'spans' must hold a pair of positions for every argument")
            triples = [(span[0], span[1], argument) for span, argument in zip(spans, arguments, strict=True)]
            base = self.number(entry.get("expmove"), "expmove")
            return weighted_tiles(self.integer(entry.get("length"), "length"), triples, base, self.normalized(entry))
        if kind == "or":
            if "scores" in entry and "probabilities" in entry:
                self.fail("expected either 'probabilities' or 'scores', or none: all arguments are then as probable")
            if len(entry) == 1 and arguments:
                return Expression.disjunction(arguments, [[1 / len(arguments)]] * len(arguments))
            key = "scores" if "scores" in entry else "probabilities"
            rows = [self.numbers(row, key) for row in self.items(entry[key], key)]
            return (Expression.scored_disjunction if key == "scores" else Expression.disjunction)(arguments, rows)
        return self.interleave(arguments, entry)

    def interleave(self, arguments: Sequence[Expression], entry: Mapping[str, object]) -> Expression:
        normalized = self.normalized(entry)
        base = self.number(entry["expmove"], "expmove") if "expmove" in entry else None
        listed: list[tuple[Sequence[int], Sequence[float]]] = []
        for pair in self.items(entry.get("order", []), "order"):
            if not isinstance(pair, list) or len(pair) != 2:
                self.fail("'order' must hold pairs of an order and its probabilities")
            order = [k - 1 for k in self.integers(pair[0], "order")]
            if any(k < 0 for k in order):
                self.fail("an order numbers the arguments from 1")
            listed.append((order, self.numbers(pair[1], "order")))
        others, shuffles = (self.numbers(entry[key], key) if key in entry else None for key in ("perms", "shuffles"))
        return weighted_interleave(
            arguments,
            listed=listed if "order" in entry else None,
            other_permutations=others,
            shuffles=shuffles,
            base=base,
            normalized=normalized,
        )

    def normalized(self, entry: Mapping[str, object]) -> bool:
        flag = entry.get("normalized", False)
        if not isinstance(flag, bool):
            self.fail("'normalized' is true or false")
        return flag

    def word(self, text: object) -> Expression:
        if not isinstance(text, str):
            self.fail("'word' must be a string")
        try:
            return Expression.word(text)
        except TypeError:  # a lone surrogate
            self.fail("'word' holds a character that UTF-8 cannot encode")

    def argument(self, number: object) -> Expression:
        index = self.integer(number, "an argument")
        if index >= len(self.nodes):
            self.fail(f"argument {index} is not the number of an earlier node")
        return self.nodes[index]

    def items(self, value: object, key: str) -> list[object]:
        if not isinstance(value, list):
            self.fail(f"'{key}' must be a list")
        return value

    def integers(self, value: object, key: str) -> list[int]:
        return [self.integer(number, key) for number in self.items(value, key)]

    def numbers(self, value: object, key: str) -> list[float]:
        """A vector of J numbers; a single one needs no list."""
        return [self.number(number, key) for number in (value if isinstance(value, list) else [value])]

    def integer(self, value: object, key: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
            self.fail(f"{key} must be a whole number, from 0")
        return value

    def number(self, value: object, key: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > 1e300:
            self.fail(f"'{key}' must hold numbers")
        return float(value)

    def fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}") from None
