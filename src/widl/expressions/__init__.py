"""WIDL-expressions: values, text and JSON forms, enumeration, acceptors, drawings."""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl._core import Expression
    from widl.expressions.acceptor import Acceptor, AcceptorArc, make_acceptor
    from widl.expressions.counting import count_derivations, written_size
    from widl.expressions.drawing import draw_acceptor, draw_expression, draw_graph, write_picture
    from widl.expressions.enumeration import WeightedString, enumerate_strings
    from widl.expressions.expressions import bag, choice, interleave, lock, seq, tiles, word
    from widl.expressions.json_form import from_json, to_json
    from widl.expressions.movement import movement_normalizer
    from widl.expressions.parsing import parse_expression, read_expressions

__all__ = [
    "Acceptor",
    "AcceptorArc",
    "Expression",
    "WeightedString",
    "bag",
    "choice",
    "count_derivations",
    "draw_acceptor",
    "draw_expression",
    "draw_graph",
    "enumerate_strings",
    "from_json",
    "interleave",
    "lock",
    "make_acceptor",
    "movement_normalizer",
    "parse_expression",
    "read_expressions",
    "seq",
    "tiles",
    "to_json",
    "word",
    "write_picture",
    "written_size",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
