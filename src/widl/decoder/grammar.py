"""Context-free grammars over words, read from text. The form is described in docs/grammars.md."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import NoReturn

from widl import _core
from widl.common.arguments import text_of
from widl.common.errors import InputError
from widl.common.files import Source, read_lines, source_name
from widl.decoder.parsing import show_fault

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<comment> \#.* )
    | (?P<arrow> -> | → )
    | (?P<bar> \| )
    | (?P<any_word> \*(?=[\s|\#"]|\Z) )
    | (?P<word> "(?:[^"\\]|\\.)*" )
    | (?P<epsilon> ε(?=[\s|\#"]|\Z) )
    | (?P<name> (?: (?!->)[^\s"|\#→*] )+ )
    | (?P<bad> . )
    | (?P<end> \Z )
    )""",
    re.VERBOSE | re.DOTALL,
)
_WHITE_SPACE = re.compile(r"[ \t\n\v\f\r]")

_Symbol = tuple[_core.Grammar.Kind, str]


class Grammar(_core.Grammar):
    """A context-free grammar over words, from rules: left side and [(kind, text)]; the first left side is the start.

    `parse_grammar` and `read_grammar` read a grammar from text.
    """

    def __init__(self, rules: Sequence[tuple[str, Sequence[_Symbol]]]) -> None:
        """InputError for rules that are no grammar."""
        super().__init__(rules)
        self._rules = tuple(rules)

    def __reduce__(self) -> tuple[type["Grammar"], tuple[tuple[tuple[str, Sequence[_Symbol]], ...]]]:
        return Grammar, (self._rules,)

    def __repr__(self) -> str:
        return f"<Grammar from {self._rules[0][0]}: {len(self._rules):,} rules>"


MOST_TERMS = 5
"""Terms of `containing`, at most: its grammar has a rule for each of their orders."""

_ANY = "any"


def containing(terms: Sequence[Sequence[str]]) -> Grammar:
    """A grammar of the strings that have all terms, each its words in a row, in any order and apart from each other.

    >>> grammar = containing([["lisbon"], ["daniel", "kiplagat"]])
    >>> grammar.accepts("daniel kiplagat wins lisbon marathon".split())
    True
    >>> grammar.accepts("kiplagat wins lisbon marathon".split())
    False
    """
    nonterminal, word, any_word = Grammar.Kind.nonterminal, Grammar.Kind.word, Grammar.Kind.any_word
    rules: list[tuple[str, Sequence[_Symbol]]] = []
    for order in permutations(terms):
        right: list[_Symbol] = [(nonterminal, _ANY)]
        for words in order:
            right += [*((word, one) for one in words), (nonterminal, _ANY)]
        rules.append(("string", right))
    rules += [(_ANY, []), (_ANY, [(any_word, ""), (nonterminal, _ANY)])]
    return Grammar(rules)


@dataclass(slots=True)
class _Rule:
    """An alternative of a rule, and where its nonterminals stand: line number and column."""

    left: str
    right: list[_Symbol] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)


def parse_grammar(text: str, *, where: str = "grammar") -> Grammar:
    r"""The grammar that a text denotes; InputError names the line, as in ``where:2``, and points at the fault.

    >>> grammar = parse_grammar('S -> NP "left"\nNP -> "the" "captives" | "she"')
    >>> grammar.accepts(["the", "captives", "left"]), grammar.accepts(["captives", "left"])
    (True, False)
    >>> parse_grammar('S -> NP VP\nNP -> "she"')
    Traceback (most recent call last):
    widl._core.InputError: grammar:1: the nonterminal 'VP' has no rule; a word stands in double quotes: "VP"
    S -> NP VP
            ^
    """
    return _Reader(where).read(text_of(text, "text").split("\n"))


def read_grammar(source: Source) -> Grammar:
    """The grammar in a file (``.gz`` too); messages name it and the line."""
    return _Reader(source_name(source)).read(read_lines(source))


class _Reader:
    def __init__(self, where: str) -> None:
        self.where = where
        self.rules: list[_Rule] = []
        self.lines: list[str] = []

    def read(self, lines: Iterable[str]) -> Grammar:
        for line in lines:
            self.lines.append(line)
            self.line(line)
        if not self.rules:
            self.fail_without_place("no rules; expected lines like  S -> NP \"left\" | NP")
        defined = {rule.left for rule in self.rules}
        for rule in self.rules:
            names = [text for kind, text in rule.right if kind is Grammar.Kind.nonterminal]
            for name, (number, column) in zip(names, rule.places, strict=True):
                if name not in defined:
                    self.fail(
                        number, column,
                        f"the nonterminal {_short(name)} has no rule; a word stands in double quotes: \"{_cut(name)}\"",
                    )
        try:
            return Grammar([(rule.left, rule.right) for rule in self.rules])
        except InputError as error:
            self.fail_without_place(str(error))

    def line(self, line: str) -> None:
        """Add the content of a line: a rule, further alternatives of the previous rule, or nothing."""
        number = len(self.lines)
        kind, text, start, position = self.token(line, 0)
        if kind == "end":
            return
        if kind == "bar":
            if not self.rules:
                self.fail(number, start, "found '|', expected a rule before it")
            self.alternatives(line, self.rules[-1].left, position)
            return
        if kind != "name":
            self.fail(number, start, f"found {_shown(kind, text)}, expected a nonterminal, the left side of a rule")
        arrow, text_after, start, position = self.token(line, position)
        if arrow != "arrow":
            self.fail(number, start, f"found {_shown(arrow, text_after)}, expected '->' after {_short(text)}")
        self.alternatives(line, self.encodable(text, number, line.index(text)), position)

    def alternatives(self, line: str, left: str, position: int) -> None:
        number = len(self.lines)
        rule, epsilon = _Rule(left), False
        while True:
            kind, text, start, position = self.token(line, position)
            if kind in ("bar", "end"):
                self.rules.append(rule)
                if kind == "end":
                    return
                rule, epsilon = _Rule(left), False
                continue
            if kind == "arrow":
                self.fail(number, start, "found a second '->', expected one rule a line")
            if epsilon or (kind == "epsilon" and rule.right):
                self.fail(number, start, f"found {_shown(kind, text)}, but ε stands alone in its alternative")
            if kind == "epsilon":
                epsilon = True
            elif kind == "any_word":
                rule.right.append((Grammar.Kind.any_word, ""))
            elif kind == "word":
                rule.right.append((Grammar.Kind.word, self.word(text, number, start)))
            else:
                rule.right.append((Grammar.Kind.nonterminal, self.encodable(text, number, start)))
                rule.places.append((number, start))

    def token(self, line: str, position: int) -> tuple[str, str, int, int]:
        """Kind, text, start and end of the next token; a comment is the end."""
        match = _TOKEN.match(line, position)
        assert match is not None  # the pattern's last alternatives match anything
        kind = match.lastgroup or "end"
        start = match.start(kind)
        if kind == "bad" and match[kind] == '"':
            self.fail(len(self.lines), start, 'found a double quote that nothing closes; as a word it is "\\""')
        if kind == "bad" or (kind == "name" and line.startswith("*", match.end())):
            self.fail(len(self.lines), line.index("*", start), "found '*' beside other characters; alone it stands for "
                      'any word, and as a word it is written "*"')
        return "end" if kind == "comment" else kind, match[kind], start, match.end()

    def word(self, token: str, number: int, start: int) -> str:
        def unescape(match: re.Match[str]) -> str:
            if match[1] not in '"\\':
                self.fail(number, start + 1 + match.start(), rf'''found '\{match[1]}', expected \" or \\''')
            return match[1]

        text = re.sub(r"\\(.)", unescape, token[1:-1], flags=re.DOTALL)
        if not text:
            self.fail(number, start, "an empty word; the empty string is written ε, or as nothing")
        if _WHITE_SPACE.search(text):
            self.fail(number, start, "a word with white space in it; several words are quoted one by one")
        return self.encodable(text, number, start)

    def encodable(self, text: str, number: int, start: int) -> str:
        try:
            text.encode()
        except UnicodeEncodeError:
            self.fail(number, start, "found a character that UTF-8 cannot encode")
        return text

    def fail(self, number: int, column: int, message: str) -> NoReturn:
        excerpt = show_fault(self.lines[number - 1], column)
        raise InputError(f"{self.where}:{number}: {message}\n{excerpt}") from None

    def fail_without_place(self, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}") from None


def _shown(kind: str, text: str) -> str:
    return "the end of the line" if kind == "end" else _short(text)


def _short(text: str) -> str:
    return repr(_cut(text))


def _cut(text: str) -> str:
    return text if len(text) <= 30 else text[:29] + "…"
