"""Token masks for neural language models: the tokens that continue a text toward a string of an expression.

A grammar engine needs n! rules for "all of these, in any order". The interleave of a WIDL-expression needs 2^n states.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from widl import _core
from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import kind_of, reject_text, text_of
from widl.common.errors import InputError, WrongTypeError
from widl.decoder.byte_automata import ByteAutomaton, byte_automaton
from widl.expressions.acceptor import make_acceptor
from widl.expressions.parsing import expression_of
from widl.expressions.unfolding import log_sum

_SLOT = re.compile(r"<\w+>")
LIMIT = 1_000_000
"""Arcs of the acceptor."""


@checked
class TokenConstraint:
    """The vocabulary's tokens that may follow a text, so that it can still become a string of an expression.

    Words are joined by one blank, except that words in `joined` follow the word before them directly. A word that is a
    key of `slots` represents any text that its regular expression matches completely. States are numbers: equal numbers
    mean equal futures, so that they can be stored, compared and shared by beams and batches.

    Args:
        expression: The strings, with their probabilities; an expression or its text form.
        vocabulary: The bytes of each token. Every byte that the expression needs must be a token, as in byte-level BPE
            and byte fallback; tokens need not be UTF-8.
        end: The token that ends the text, allowed after a complete string and after itself.
        slots: Regular expressions by word of the expression, read as by `re.fullmatch` with `re.ASCII`; no look-around,
            no back references.
        joined: Words without a space in front of them, if the expression has them.
        padding: A token that may follow `end`, besides `end`.
        limit: Largest number of arcs of the expression's acceptor.

    Raises:
        InputError: The set is empty, a slot is wrong or too large, or the vocabulary can't spell an atom.

    >>> from widl.expressions import parse_expression
    >>> vocabulary = [b"red", b" fox", b"fox", b" red", *(bytes([byte]) for byte in b"redfox ")]
    >>> constraint = TokenConstraint(parse_expression("∥(red, fox)"), vocabulary)
    >>> state = constraint.advance(constraint.start(), 2)
    >>> [vocabulary[token] for token in constraint.allowed(state)]
    [b' red', b' ']
    """

    def __init__(
        self,
        expression: Expression | str,
        vocabulary: Sequence[bytes],
        end: int | None = None,
        *,
        slots: Mapping[str, str] | None = None,
        joined: Collection[str] = (),
        padding: int | None = None,
        limit: int = LIMIT,
    ) -> None:
        expression = expression_of(expression)
        self.vocabulary = _checked_vocabulary(vocabulary, end=end, padding=padding)
        joined = frozenset(reject_text(joined, "joined", "a list of words: [',']"))
        slots = dict(slots or {})
        more = {"slots": slots, "joined": joined, "padding": padding, "limit": limit}
        self._arguments = (expression, self.vocabulary, end, more)
        specials = {end, padding}
        singles = {token[0] for n, token in enumerate(self.vocabulary) if len(token) == 1 and n not in specials}
        acceptor = make_acceptor(expression, limit=limit)
        if acceptor.components > 1:
            raise InputError(f"the expression has {acceptor.components} probabilities a choice; a constraint takes one")
        automata = {word: _slot(word, pattern, singles) for word, pattern in slots.items()}
        first = log_sum([arc.log_probabilities[0] for arc in acceptor.arcs if arc.source == 0] or [0.0])
        texts: dict[bytes, int] = {}
        arcs = []
        for arc in acceptor.arcs:
            blank = "" if arc.source == 0 or arc.word in joined or not arc.word else " "
            if automata and _SLOT.fullmatch(arc.word) and arc.word not in automata:
                raise InputError(f"slot {arc.word!r} has no pattern; there are {', '.join(automata)}")
            if arc.word in automata:
                key = f"{blank}\0{arc.word}".encode()
                _check_spelled(blank, singles, f"the blank before slot {arc.word!r}")
            else:
                key = f"{blank}{arc.word}".encode()
                _check_spelled(blank + arc.word, singles, f"the atom {arc.word!r}")
            log = arc.log_probabilities[0] - (first if arc.source == 0 else 0.0)  # scores need not sum to 1
            arcs.append((arc.source, arc.target, texts.setdefault(key, len(texts)), log))
        words = {node.text for node in expression.nodes()[0] if node.kind == Expression.Kind.word}
        if unused := [word for word in slots if word not in words]:
            raise InputError(f"slot {unused[0]!r}: the expression has no such word; write the slot's word into it")
        spelled = _numbered(arcs, texts, automata)
        self._core = _core.TokenConstraint(acceptor.states, acceptor.final, *spelled, self.vocabulary, end, padding)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickles the constructor's arguments, and how each state was reached: states keep their numbers."""
        return _restored, (*self._arguments, self._core.history())

    def __repr__(self) -> str:
        return f"<TokenConstraint of {len(self.vocabulary):,} tokens>"

    def start(self) -> int:
        """The state of the empty text."""
        return self._core.start()

    def mask(self, state: int) -> NDArray[np.uint32]:
        """The allowed tokens as packed bits: bit ``t % 32`` of word ``t // 32`` is token t."""
        return self._core.mask(_whole(state, "state"))

    def allowed(self, state: int) -> list[int]:
        """The allowed tokens."""
        bits = np.unpackbits(self.mask(state).view(np.uint8), bitorder="little")
        return [int(token) for token in np.flatnonzero(bits)]

    def bias(self, state: int, weight: float = 1.0) -> NDArray[np.float32]:
        """λ · ln of each token's probability under the expression, given the preceding text; -inf for forbidden tokens.

        Added to a neural model's logits, this is Equation 2 of Soricut & Marcu (2006) token by token. A word's tokens
        share its probability exactly: each has the sum over all strings that continue with it. The text inside a slot
        has no separate probability: if a token excludes no choice and no order of the expression, its probability is 1.
        """
        if isinstance(weight, bool | str) or not isinstance(weight, SupportsFloat):
            raise WrongTypeError(f"weight: found {kind_of(weight)}; pass a number")
        if not math.isfinite(weight):
            raise InputError(f"weight: found {float(weight):g}; pass a finite number")
        logs = self._core.log_probabilities(_whole(state, "state"))
        return np.multiply(logs, np.float32(weight), out=logs, where=np.isfinite(logs))  # 0 · -inf is NaN

    def advance(self, state: int, token: int) -> int:
        """The state after a token; InputError if the token is not allowed."""
        state, token = _whole(state, "state"), _whole(token, "token")
        if token >= len(self.vocabulary):
            raise InputError(f"token {token}: the vocabulary has {len(self.vocabulary)} tokens, numbered from 0")
        after = self._core.advance(state, token)
        if after is None:
            shown = repr(self.vocabulary[token])
            raise InputError(f"token {token} ({shown}) is not allowed in state {state}")
        return after

    def may_end(self, state: int) -> bool:
        """Whether the current text is a string of the expression."""
        return self._core.may_end(_whole(state, "state"))

    def has_ended(self, state: int) -> bool:
        """Whether the token `end` was read; then only `end` and `padding` are allowed, and lead to the same state."""
        return self._core.has_ended(_whole(state, "state"))


def _whole(number: SupportsIndex, name: str) -> int:
    """A state or token as an int, which those of numpy and torch are not."""
    if isinstance(number, bool) or not isinstance(number, SupportsIndex):
        raise WrongTypeError(f"{name}: found {kind_of(number)}; pass a number, as start, advance and allowed return it")
    if (whole := int(number.__index__())) < 0:
        raise InputError(f"{name}: found {whole}; numbers begin at 0")
    return whole


def _check_spelled(text: str, singles: Collection[int], what: str) -> None:
    if missing := set(text.encode()).difference(singles):
        raise InputError(
            f"no token is the byte 0x{min(missing):02x} of {what}; give a vocabulary with a token for each byte"
        )


def _restored(
    expression: Expression,
    vocabulary: Sequence[bytes],
    end: int | None,
    more: Mapping[str, Any],
    history: Sequence[tuple[int, int]],
) -> TokenConstraint:
    constraint = TokenConstraint(expression, vocabulary, end, **more)
    for state, token in history:
        constraint.advance(state, token)
    return constraint


def _checked_vocabulary(vocabulary: Sequence[bytes], **numbers: int | None) -> list[bytes]:
    tokens = list(reject_text(vocabulary, "vocabulary", "a list with the bytes of each token"))
    for number, token in enumerate(tokens):
        if not isinstance(token, bytes):
            found = f"token {number} is {kind_of(token)}, {token!r}"
            raise WrongTypeError(f"vocabulary: {found}; pass the bytes of each token")
    for name, special in numbers.items():
        if special is not None and not 0 <= special < len(tokens):
            raise InputError(f"{name}: no token {special}; the vocabulary has {len(tokens)}")
    return tokens


def _slot(word: str, pattern: str, singles: Collection[int]) -> ByteAutomaton:
    automaton = byte_automaton(text_of(pattern, f"slot {word!r}"), singles, f"slot {word!r}")
    if automaton.accepts[0]:
        raise InputError(f"slot {word!r}: {pattern!r} matches the empty string; write the slot as a choice with ()")
    return automaton


_Arcs = list[tuple[int, int, int, float]]


def _numbered(
    arcs: _Arcs, texts: Mapping[bytes, int], automata: Mapping[str, ByteAutomaton]
) -> tuple[_Arcs, list[bytes], list[tuple[NDArray[np.int32], list[bool]]]]:
    """The arcs in the core's form: plain texts are numbered first, then automata."""
    plain = [key for key in texts if b"\0" not in key]
    slots = [key for key in texts if b"\0" in key]
    numbers = {texts[key]: number for number, key in enumerate([*plain, *slots])}
    rows = []
    for key in slots:
        blank, _, word = key.decode().partition("\0")
        automaton = automata[word].after_blank() if blank else automata[word]
        rows.append((automaton.next, automaton.accepts))
    return [(source, target, numbers[text], log) for source, target, text, log in arcs], plain, rows
