"""Token masks against enumeration: a token is allowed if and only if some string of the set continues that way."""

import copy
import importlib
import itertools
import json
import math
import pickle
import random
import re
import sys
from itertools import combinations, permutations
from types import SimpleNamespace
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
from widl.decoder.byte_automata import ByteAutomaton, byte_automaton
from widl.decoder.slot_patterns import utf8_ranges
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


SETS = {"<x>": ["a", "aa", "ab"], "<y>": ["a", "aab", "b", "b a"], "<z>": ["b", "ba"]}


def random_slots(rng: random.Random, depth: int = 2) -> Expression:
    """A small expression of words and slots, in which a text often has several readings."""
    kind = rng.choice(["word", "seq", "seq", "choice", "interleave"]) if depth else "word"
    if kind == "word":
        return word(rng.choice(["a", "b", *SETS]))
    parts = [random_slots(rng, depth - 1) for _ in range(rng.randint(2, 3))]
    if kind == "choice":
        return choice(
            *((part, p) for part, p in zip(parts, (0.5, 0.3, 0.2), strict=False)) if len(parts) == 3 else parts
        )
    return seq(*parts) if kind == "seq" else interleave(*map(lock, parts[:2]))


def texts_of(words: list[str], joined: set[str]) -> set[bytes]:
    """All texts of a string of words and slots."""
    texts = {""}
    for number, word_or_slot in enumerate(words):
        blank = " " if number and word_or_slot not in joined else ""
        texts = {text + blank + more for text in texts for more in SETS.get(word_or_slot, [word_or_slot])}
    return {text.encode() for text in texts}


@pytest.mark.parametrize("seed", range(150))
def test_probabilities_with_slots_are_those_of_the_paths_that_remain(seed: int) -> None:
    """By enumeration: a path counts once, in however many ways the text is read along it."""
    rng = random.Random(seed)
    expression, joined = random_slots(rng), set(rng.sample(["a", "b", *SETS], 3))
    slots = {slot: "|".join(texts) for slot, texts in SETS.items() if slot in str(expression)}
    constraint = TokenConstraint(expression, [b"", b"a", b"b", b" ", b"ab", b" a"], 0, slots=slots, joined=joined)
    paths = [(item.probability, texts_of(item.string.split(), joined)) for item in enumerate_strings(expression)]

    def mass(prefix: bytes) -> float:
        return math.fsum(p for p, texts in paths if any(text.startswith(prefix) for text in texts))

    waiting, states = [(b"", constraint.start())], dict[bytes, int]()
    while waiting:
        prefix, state = waiting.pop()
        if prefix in states:
            assert states[prefix] == state
            continue
        states[prefix] = state
        expected = {0: math.fsum(p for p, texts in paths if prefix in texts)}
        expected |= {n: mass(prefix + token) for n, token in enumerate(constraint.vocabulary) if token}
        expected = {token: math.log(p / mass(prefix)) for token, p in expected.items() if p}
        assert constraint.allowed(state) == sorted(expected)
        assert constraint.may_end(state) == (0 in expected)
        bias = constraint.bias(state)
        assert bias.max() <= 1e-6
        assert bias[sorted(expected)] == pytest.approx([expected[token] for token in sorted(expected)], abs=1e-5)
        waiting += [(prefix + constraint.vocabulary[n], constraint.advance(state, n)) for n in expected if n]


def test_a_text_inside_a_slot_and_behind_it_counts_once() -> None:
    """However long the text, its states stay the same."""
    for slots in ({"<x>": "a+", "<y>": "a+b"}, {"<x>": "[ab]+", "<y>": "[ab]*b"}, {"<x>": "a*a", "<y>": "(a|aa)*b"}):
        constraint = TokenConstraint(parse_expression("<x> <y>"), [b"a", b"b"], slots=slots, joined={"<y>"})
        state, states = constraint.start(), []
        for _ in range(20):
            assert constraint.bias(state).max() == 0.0
            state = constraint.advance(state, 0)
            states.append(state)
        assert len(set(states)) <= 3
        assert constraint.may_end(constraint.advance(state, 1))


def test_after_the_end_only_the_end_and_padding_are_allowed() -> None:
    """A batch's rows that have ended are read on while others continue."""
    for expression in ("∨{0.75, 0.25}(a, a b)", "a", "∨(a, ())"):
        constraint = TokenConstraint(parse_expression(expression), [b"a", b" ", b"b", b"<end>", b"pad"], 3, padding=4)
        state = constraint.advance(constraint.start(), 0)
        assert 3 in constraint.allowed(state)
        assert 4 not in constraint.allowed(state)
        with pytest.raises(InputError, match=r"token 4 \(b'pad'\) is not allowed in state"):
            constraint.advance(state, 4)
        ended = constraint.advance(state, 3)
        assert (constraint.may_end(state), constraint.has_ended(state)) == (True, False)
        for _ in range(3):
            assert (constraint.may_end(ended), constraint.has_ended(ended)) == (True, True)
            assert constraint.allowed(ended) == [3, 4]
            assert constraint.bias(ended, 0.5).tolist() == [-math.inf] * 3 + [0.0, 0.0]
            assert constraint.advance(ended, 3) == constraint.advance(ended, 4) == ended
            with pytest.raises(InputError, match="token 0"):
                constraint.advance(ended, 0)
    for state, token in itertools.product(range(9), range(5)):  # whatever is allowed advances, and nothing else does
        try:
            allowed = constraint.allowed(state)
        except InputError:
            break
        if token in allowed:
            constraint.advance(state, token)
        else:
            with pytest.raises(InputError, match="is not allowed"):
                constraint.advance(state, token)
    plain = TokenConstraint(parse_expression("a"), [b"a", b"<end>"], 1)
    assert plain.allowed(plain.advance(plain.advance(plain.start(), 0), 1)) == [1]


def test_copies_keep_the_numbers_of_states() -> None:
    constraint = TokenConstraint(
        parse_expression("∥(<x>, b, c)"), [*BYTES, b"<end>"], 256, slots={"<x>": "[ab]{2,3}"}, joined={"c"}
    )
    rng = random.Random(4)
    states = [constraint.start()]
    for _ in range(60):
        state = rng.choice(states)
        states.append(constraint.advance(state, rng.choice(constraint.allowed(state))))
    for made in (pickle.loads(pickle.dumps(constraint)), copy.deepcopy(constraint)):
        assert repr(made) == "<TokenConstraint of 257 tokens>"
        for state in states:
            assert made.allowed(state) == constraint.allowed(state)
            assert made.has_ended(state) == constraint.has_ended(state)
            assert np.array_equal(made.bias(state), constraint.bias(state))
            for token in made.allowed(state):
                assert made.advance(state, token) == constraint.advance(state, token)


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


def matches(automaton: ByteAutomaton, text: str) -> bool:
    state = 0
    for byte in text.encode():
        state = int(automaton.next[state, byte]) if state >= 0 else -1
    return state >= 0 and automaton.accepts[state]


PATTERNS = [
    *(r'"[^"\\]*"', r"-?(0|[1-9]\d*)(\.\d+)?", r"[а-я]+", r"(日|本)x?", r"[^a]", r"[a-€]{1,2}", r"\u65e5\x41?"),
    *(r"^[0-7]{1,2}$", r"^a|b$", r"(?:^a|x)b|^(-+)$", r"\A.\Z", r".+", r"(?s:.)a", r"\w+", r"\d+", r"\s+"),
    *(r"[\w-]{2}", r"(a*)*b", r"\-|\.|\"", "é?x"),
    *(
        r"[^\W\d]+",
        r"\S\D",
        r"[]a]+",
        r"a{,2}",
        r"a{2}b{1,}",
        r"(a|b)*?ab",
        r"(a?|b){0,3}",
        r"(a*)*b",
        r"\-|\.|\"",
        "é?x",
    ),
    *(r"[\u0080-\U0001f600]", r"(ab|a)(b|bb)?", "", r"(?:)|aa", r"()a", r"(?x: a  b )", "[\ud7ff-\ue000]"),
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_slots_against_pythons_regular_expressions(pattern: str) -> None:
    automaton = byte_automaton(pattern, range(256), "slot")
    rng = random.Random(5)
    characters = ['"', "\\", *"abx-.07яé€", "日", "本", "\U0001f600", "\x7f", "\x80", "\n", " ", "٣", "\ud7ff"]
    texts = ["", *characters, *("".join(rng.choices(characters, k=rng.randint(1, 4))) for _ in range(1000))]
    texts += ["".join(rng.choices("ab", k=rng.randint(1, 6))) for _ in range(200)]
    for text in texts:
        assert matches(automaton, text) == (re.fullmatch(pattern, text, re.ASCII) is not None), text


pieces = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", r"\w", "é", "[é-日]"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,2}", "{1,3}", "*?"])).map(
            "(?:{0[0]}){0[1]}".format
        ),
    ),
    max_leaves=6,
)


@given(pieces, st.lists(st.text(alphabet="abé日\n", max_size=5), min_size=20, max_size=20))
def test_random_patterns_against_pythons(pattern: str, texts: list[str]) -> None:
    automaton = byte_automaton(pattern, range(256), "slot")
    for text in texts:
        assert matches(automaton, text) == (re.fullmatch(pattern, text, re.ASCII) is not None)


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a(^b)", "has an anchor inside; a slot is matched whole, so remove it"),
        ("(a$)b", "has an anchor inside"),
        ("(^a)*", "has an anchor inside"),
        (r"a\b", "has .b or .B"),
        ("a(?=b)b", "has look-around, which no automaton matches"),
        ("(?<!a)b", "has look-around"),
        (r"(a)\1", "has a back reference"),
        ("(?i)a", "has the flag IGNORECASE"),
        ("(?i:a)", "has flags of a group"),
        ("a*+", "has a possessive repetition"),
        ("(?>a)b", "has an atomic group"),
        (".*a.{20}", "needs an automaton of more than 50,000 states or 3,000,000 moves; allow fewer repetitions"),
        ("(a?){0,2000}", "needs an automaton of more than"),
        ("(a{1,999}){1,999}", "needs more than 100,000 states; allow fewer repetitions"),
        ("[", "is not a regular expression .unterminated character set"),
        ("a{99999999999}", "is not a regular expression .the repetition number is too large"),
        (r"[^\s\S]", "no text that the vocabulary can spell matches"),
    ],
)
def test_slots_that_no_automaton_matches_are_refused_by_name(pattern: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        TokenConstraint(parse_expression("<s>"), BYTES, slots={"<s>": pattern})
    assert str(caught.value).startswith("slot '<s>': ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("most", [25, 200, 2000])
def test_a_slot_of_bounded_length_has_as_many_states_as_bytes(most: int) -> None:
    """Eight for each character, for the bytes inside of one, and those of the quotation marks."""
    automaton = byte_automaton(rf'"[^"\\]{{0,{most}}}"', range(256), "slot")
    assert len(automaton.accepts) == 8 * most + 3
    assert [matches(automaton, f'"{"é" * size}"') for size in (0, most, most + 1)] == [True, True, False]


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
        ("a <x>", [b"a", b"b"], {"<x>": "b"}, "no token is the byte 0x20 of the blank before slot '<x>'"),
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


@pytest.mark.parametrize(
    ("vocabulary", "message"),
    [
        ("ab", "vocabulary: found the string 'ab'; pass a list with the bytes of each token"),
        (b"ab", "vocabulary: found bytes; pass a list with the bytes of each token"),
        ([b"a", "b"], "vocabulary: token 1 is a str, 'b'; pass the bytes of each token"),
        ([97], "vocabulary: token 0 is an int, 97; pass the bytes of each token"),
    ],
)
def test_vocabularies_of_another_type(vocabulary: Any, message: str) -> None:
    with pytest.raises(TypeError) as caught:
        TokenConstraint(parse_expression("a"), vocabulary)
    assert str(caught.value) == message
    with pytest.raises(TypeError, match="joined: found the string ','; pass a list of words"):
        TokenConstraint(parse_expression("a"), BYTES, joined=",")


def test_wrong_tokens_and_states() -> None:
    constraint = TokenConstraint(parse_expression("a"), BYTES)
    with pytest.raises(InputError, match=r"token 98 \(b'b'\) is not allowed in state 0"):
        constraint.advance(0, 98)
    with pytest.raises(InputError, match="no state 99"):
        constraint.mask(99)
    with pytest.raises(InputError, match="padding: no token -1"):
        TokenConstraint(parse_expression("a"), BYTES, padding=-1)
    with pytest.raises(InputError, match="end: no token 300"):
        TokenConstraint(parse_expression("a"), BYTES, end=300)


def test_another_python_costs_slots_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the parser, or with parts that are new in it, slots are refused in one line; all else works."""
    assert TokenConstraint("<x>", [b"a"], slots={"<x>": "a+"}).allowed(0) == [0]
    parsed = importlib.import_module("re._parser").parse

    def newer(pattern: str, flags: int) -> object:
        made = parsed(pattern, flags)
        made.data[0] = ("NEW_PART", made.data[0][1])
        return made

    strange = SimpleNamespace(parse=newer, MAXREPEAT=1 << 32)
    for module, message in (
        (None, r"slot '<x>': slots need a part of Python's re that Python 3.* has no more"),
        (SimpleNamespace(), r"slot '<x>': slots need a part of Python's re"),
        (strange, r"slot '<x>': 'a\+' has a part that slots do not know \(NEW_PART\)"),
    ):
        monkeypatch.setitem(sys.modules, "re._parser", module)
        with pytest.raises(InputError, match=message):
            TokenConstraint("<x>", [b"a"], slots={"<x>": "a+"})
        assert TokenConstraint("a", [b"a"]).allowed(0) == [0]
