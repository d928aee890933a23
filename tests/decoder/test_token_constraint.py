"""Token masks against enumeration: a token is allowed if and only if some string of the set continues that way."""

import json
import math
import random
import re
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.expressions.expression_strategies import random_expressions
from tests.expressions.random_expressions import Random
from tests.reference.widl_semantics import strings
from widl.common.errors import InputError
from widl.decoder import TokenConstraint
from widl.decoder.byte_automata import byte_automaton, utf8_ranges
from widl.expressions import Expression, bag, choice, enumerate_strings, interleave, lock, parse_expression, seq, word

BYTES = [bytes([byte]) for byte in range(256)]


def masses_of(case: Random) -> dict[bytes, float]:
    """The probability of each string, as bytes."""
    result = strings(case.node, case.components)
    return {string.encode(): float(p) for string, (p,) in result.items() if p > 0}


def check_all_prefixes(constraint: TokenConstraint, masses: dict[bytes, float]) -> None:
    """Masks, probabilities and ends at every state that tokens reach, against the list of strings."""
    total = math.fsum(masses.values())
    waiting = {(b"", constraint.start())}
    seen = set(waiting)
    by_prefix: dict[bytes, int] = {}
    while waiting:
        prefix, state = waiting.pop()
        assert by_prefix.setdefault(prefix, state) == state  # for every tokenization
        mass = math.fsum(p for string, p in masses.items() if string.startswith(prefix))
        assert constraint.may_end(state) == (prefix in masses)
        allowed, bias = constraint.allowed(state), constraint.bias(state)
        expected = {}
        for token, text in enumerate(constraint.vocabulary):
            behind = math.fsum(p for string, p in masses.items() if string.startswith(prefix + text))
            if text and behind > 0:
                expected[token] = math.log(behind / (mass if prefix else total))
        assert set(allowed) == set(expected)
        assert set(np.flatnonzero(np.isfinite(bias))) == set(expected)
        assert bias[allowed] == pytest.approx([expected[token] for token in allowed], abs=1e-5)
        for token in allowed:
            reached = (prefix + constraint.vocabulary[token], constraint.advance(state, token))
            if reached not in seen:
                seen.add(reached)
                waiting.add(reached)
    assert {prefix for prefix in by_prefix if prefix in masses} == masses.keys()  # every string is reached


@pytest.mark.slow
@settings(max_examples=150)
@given(random_expressions(), st.randoms(use_true_random=False))
def test_masks_of_random_expressions_and_vocabularies(case: Random, rng: random.Random) -> None:
    if case.components > 1:
        return
    masses = masses_of(case)
    if not masses or len(masses) > 40 or max(map(len, masses)) > 40:
        return
    pieces = set()
    for string in masses:
        for _ in range(3):
            begin = rng.randrange(len(string) + 1)
            pieces.add(string[begin : begin + rng.randint(1, 6)])
    singles = {bytes([byte]) for string in masses for byte in string}
    constraint = TokenConstraint(case.expression, [b"", *sorted(pieces | singles)])
    check_all_prefixes(constraint, masses)


def test_the_end_token_and_equal_states() -> None:
    constraint = TokenConstraint(parse_expression("∨{0.75, 0.25}(a, a b)"), [b"<end>", *BYTES], end=0)
    a, space, b = (1 + ord(character) for character in "a b")
    state = constraint.advance(constraint.start(), a)
    assert constraint.allowed(constraint.start()) == [a]
    assert constraint.allowed(state) == [0, 1 + ord(" ")]
    assert np.exp(constraint.bias(state))[[0, space]] == pytest.approx([0.75, 0.25])
    assert np.exp(constraint.bias(state, 0.5))[0] == pytest.approx(0.75**0.5)
    last = constraint.advance(constraint.advance(state, space), b)
    assert constraint.allowed(last) == [0]
    bits = constraint.mask(state)
    assert (bits.dtype, len(bits)) == (np.uint32, math.ceil(257 / 32))
    abc = TokenConstraint(bag("a b c"), BYTES)
    orders = []
    for order in permutations("ab"):
        state = abc.start()
        for byte in " ".join(order).encode():
            state = abc.advance(state, byte)
        orders.append(state)
    assert orders[0] == orders[1]  # a set of bits, not an order


def objects(properties: list[Expression], optional: list[Expression]) -> Expression:
    """A JSON schema's flat properties in any order, with a comma before all but the first."""
    chosen = [some for size in range(len(optional) + 1) for some in combinations(optional, size)]
    orders = []
    for all_of_them in ([*properties, *some] for some in chosen):
        for first in all_of_them:
            behind = [lock(seq(word(","), item)) for item in all_of_them if item is not first]
            orders.append(seq(first, interleave(*behind)) if len(behind) > 1 else seq(first, *behind))
    return seq(word("{"), choice(*orders), word("}"))


def property_of(name: str, slot: str) -> Expression:
    return lock(seq(word(f'"{name}":'), word(slot)))


SLOTS = {"<text>": r'"[^"\\\x00-\x1f]*"', "<number>": r"-?(0|[1-9][0-9]*)"}


def test_an_object_with_its_keys_in_any_order_each_once() -> None:
    keys = [property_of(f"key{number}", "<number>" if number % 2 else "<text>") for number in range(4)]
    constraint = TokenConstraint(
        objects(keys, [property_of("more", "<text>")]), [b"<end>", *BYTES], end=0, slots=SLOTS, joined={","}
    )
    rng = random.Random(3)
    result = set()
    for _ in range(60):
        state, text = constraint.start(), b""
        while True:
            allowed = constraint.allowed(state)
            assert allowed
            closing = [token for token in allowed if token and constraint.vocabulary[token] in (b'"', b",", b"}", b" ")]
            token = rng.choice(closing or allowed)
            if token == 0 or (constraint.may_end(state) and 0 in allowed):
                break
            text += constraint.vocabulary[token]
            state = constraint.advance(state, token)
        try:
            decoded = text.decode()
        except UnicodeDecodeError:
            pytest.fail(f"{text!r} is no UTF-8")
        names = list(json.loads(decoded))
        assert {"key0", "key1", "key2", "key3"} <= set(names) <= {"key0", "key1", "key2", "key3", "more"}
        result.add(tuple(names))
    assert len(result) > 20


@pytest.mark.parametrize(
    "pattern", [r'"[^"\\]*"', r"-?(0|[1-9]\d*)(\.\d+)?", r"[а-я]+", r"(日|本)x?", r"[^a]", r"[a-€]{1,2}"]
)
def test_slots_against_pythons_regular_expressions(pattern: str) -> None:
    automaton = byte_automaton(pattern, range(256), "slot")
    rng = random.Random(5)
    characters = ['"', "\\", "a", "b", "x", "-", ".", "0", "7", "я", "日", "本", "é", "€", "\U0001f600", "\x7f", "\x80"]
    for _ in range(1000):
        text = "".join(rng.choices(characters, k=rng.randint(1, 4)))
        state = 0
        for byte in text.encode():
            state = int(automaton.next[state, byte]) if state >= 0 else -1
        matched = re.fullmatch(pattern, text, re.ASCII | re.DOTALL) is not None
        assert (state >= 0 and automaton.accepts[state]) == matched, text


@given(st.tuples(st.integers(0, 0x10FFFF), st.integers(0, 0x10FFFF)).map(sorted))
def test_ranges_of_utf8_spell_exactly_their_characters(ends: list[int]) -> None:
    first, last = ends
    if any(0xD800 <= end <= 0xDFFF for end in ends) or first < 0xD800 < last:
        return
    paths = list(utf8_ranges(first, last))
    size = sum(math.prod(high - low + 1 for low, high in path) for path in paths)
    assert size == last - first + 1
    for character in {first, last, (first + last) // 2}:
        encoded = chr(character).encode()
        fitting = (zip(encoded, path, strict=True) for path in paths if len(path) == len(encoded))
        assert any(all(low <= byte <= high for byte, (low, high) in pairs) for pairs in fitting)


def test_byte_level_bpe_and_masked_sampling() -> None:
    """A tokenizer trained here, an n-gram model in numpy, and the mask between them."""
    tokenizer, vocabulary = trained_tokenizer(
        ["finally the prisoners were released", "the café was closed by the captives"]
    )
    expression = parse_expression("∥(finally, ∨(×(the prisoners), ×(the café)), were, released)")
    expected = {item.string for item in enumerate_strings(expression)}
    constraint = TokenConstraint(expression, vocabulary, end=0)
    rng = np.random.default_rng(7)
    logits = rng.normal(size=(len(vocabulary) + 1, len(vocabulary)))  # of a token given the previous one
    seen = set()
    for _ in range(50):
        state, tokens = constraint.start(), []
        while not (constraint.may_end(state) and len(constraint.allowed(state)) == 1):
            scores = logits[tokens[-1] if tokens else -1] + constraint.bias(state)
            p = np.exp(scores - scores.max())
            token = int(rng.choice(len(p), p=p / p.sum()))
            tokens.append(token)
            state = constraint.advance(state, token)
        text = b"".join(vocabulary[token] for token in tokens).decode()
        assert text in expected
        seen.add(text)
    assert len(seen) > 10
    for text in sorted(expected):  # the tokenizer's standard segmentation is one of several
        state = constraint.start()
        for token in tokenizer.encode(text).ids:
            state = constraint.advance(state, token)
        assert constraint.may_end(state)


def trained_tokenizer(lines: list[str]) -> tuple[Any, list[bytes]]:
    """Byte-level BPE of these lines and the bytes of its tokens; token 0 ends a text."""
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=330,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|endoftext|>"],
    )
    tokenizer.train_from_iterator(lines * 3, trainer)
    # GPT-2's encoding of bytes as characters: printable bytes are unchanged, others start at U+0100.
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in printable]
    decode = {chr(byte): byte for byte in printable} | {chr(256 + n): byte for n, byte in enumerate(others)}
    vocabulary = [b""] * tokenizer.get_vocab_size()
    for token, number in tokenizer.get_vocab().items():
        if number:
            vocabulary[number] = bytes(decode[character] for character in token)
    return tokenizer, vocabulary


def test_masks_equal_those_of_a_grammar_with_all_permutations() -> None:
    llguidance = pytest.importorskip("llguidance")
    keys = ["alpha", "beta", "alps", "gamma", "bet"]
    tokenizer, vocabulary = trained_tokenizer([" ".join(keys)])
    try:
        theirs = llguidance.LLTokenizer(tokenizer.to_str(), eos_token=0)
    except Exception as error:  # interface of another version
        pytest.skip(str(error))
    constraint = TokenConstraint(bag(" ".join(keys)), vocabulary, end=0)
    grammar = "start: " + " | ".join(json.dumps(" ".join(order)) for order in permutations(keys))
    matcher = llguidance.LLMatcher(theirs, llguidance.LLMatcher.grammar_from_lark(grammar))
    assert not matcher.is_error(), matcher.get_error()
    rng = random.Random(2)
    for _ in range(12):
        state = constraint.start()
        matcher.reset()
        while True:
            bits = np.unpackbits(np.frombuffer(matcher.compute_bitmask(), dtype=np.uint8), bitorder="little")
            theirs_allow = np.flatnonzero(bits).tolist()
            # If the next bytes are certain, llguidance allows only its standard tokenization of them.
            if len(theirs_allow) == 1:
                assert set(theirs_allow) <= set(constraint.allowed(state))
            else:
                assert theirs_allow == constraint.allowed(state)
            allowed = [token for token in theirs_allow if token]
            if not allowed:
                break
            token = rng.choice(allowed)
            state = constraint.advance(state, token)
            assert matcher.consume_token(token)


@pytest.mark.parametrize(
    ("expression", "vocabulary", "slots", "message"),
    [
        ("a b", [b"a", b" "], {}, "no token is the byte 0x62 of the atom 'b'"),
        ("a", BYTES, {"a": "("}, "slot 'a': '\\(' is not a regular expression"),
        ("a", BYTES, {"a": "x*"}, "slot 'a': 'x\\*' matches the empty string"),
        ("<n> <m>", BYTES, {"<n>": "x"}, "slot '<m>' has no pattern; there are <n>"),
        ("a", [b"a", b"b"], {"a": "xy"}, "slot 'a': no text that the vocabulary can spell matches 'xy'"),
        ("∥(a, b, c)", BYTES, {}, "more arcs than the limit of 5"),
        ("∨{0.5 0.5, 0.5 0.5}(a, b)", BYTES, {}, "2 probabilities a choice"),
    ],
)
def test_what_makes_no_constraint(
    expression: str, vocabulary: list[bytes], slots: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        TokenConstraint(parse_expression(expression), vocabulary, slots=slots, limit=5)


def test_wrong_tokens_and_states() -> None:
    constraint = TokenConstraint(parse_expression("a"), BYTES)
    with pytest.raises(InputError, match=r"token 98 \(b'b'\) is not allowed in state 0"):
        constraint.advance(0, 98)
    with pytest.raises(InputError, match="no state 99"):
        constraint.mask(99)
    with pytest.raises(InputError, match="end: no token 300"):
        TokenConstraint(parse_expression("a"), BYTES, end=300)
