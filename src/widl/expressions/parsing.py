"""Parser for the text form of WIDL-expressions. Its grammar is in docs/expressions.md; `str(expression)` writes it."""

import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NoReturn

from widl._core import Expression
from widl.common.argument_types import checked
from widl.common.arguments import kind_of, text_of, texts_in
from widl.common.errors import InputError, WrongTypeError
from widl.expressions.distributions import (
    ChoiceForm,
    FormError,
    InterleaveForm,
    TilesForm,
    parse_choice_form,
    parse_interleave_form,
    parse_tiles_form,
)
from widl.expressions.json_form import from_json
from widl.expressions.movement import weighted_interleave, weighted_tiles
from widl.expressions.optional_arguments import lock_of

logger = logging.getLogger(__name__)

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<operator> [∥∨×] | (?:interleave|or|lock|tiles)(?=[({]) )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<comma> , )
    | (?P<dot> · )
    | (?P<braces> \{ [^{}]* \} )
    | (?P<word> [^\s(){},"∥∨×·]+ )
    | (?P<quoted> "(?:[^"\\]|\\.)*" )
    | (?P<bad> . )
    | (?P<end> \Z )
    )""",
    re.VERBOSE | re.DOTALL,
)
_LABEL = re.compile(r"\s*([0-9]{1,9})\s*-\s*([0-9]{1,9})\s*:")
_ASCII_NAMES = {"interleave": "∥", "or": "∨", "lock": "×"}
_EXCERPT = 120  # columns of a long line that an error message shows


@checked
def parse_expression(text: str, *, where: str = "expression") -> Expression:
    """The WIDL-expression that a text denotes; InputError starts with `where` and shows the fault with a caret.

    >>> parse_expression("∥{2 1: 0.8, perms: 0.2}(×(the · captives), finally)")
    <Expression ∥{2 1: 0.8, perms: 0.2}(×(the · captives), finally)>
    >>> parse_expression("or{0.9, 0.2}(a, b)")
    Traceback (most recent call last):
    widl._core.InputError: expression: ∨: the probabilities sum to 1.1, not to 1
    or{0.9, 0.2}(a, b)
    ^
    """
    return _Parser(text_of(text, "text"), where).parse()


@checked
def read_expressions(lines: Iterable[str], *, name: str) -> Iterator[tuple[int, Expression]]:
    """Line numbers and expressions of a text with one expression per line; errors refer to the text as `name`.

    Empty lines and lines that begin with ``#`` are skipped; a line that begins with ``{`` is in JSON form.
    """
    numbered = enumerate(texts_in(lines, "lines", "a list of lines: text.splitlines()"), 1)
    return read_numbered_expressions(numbered, name=name)


def read_numbered_expressions(lines: Iterable[tuple[int, str]], *, name: str) -> Iterator[tuple[int, Expression]]:
    """Like `read_expressions`, for lines with their numbers."""
    for number, line in lines:
        start = line.lstrip()[:1]
        if start in ("", "#"):
            continue
        where = f"{name}:{number}"
        yield number, from_json(line, where=where) if start == "{" else parse_expression(line, where=where)


@dataclass(slots=True)
class _Frame:
    """An operator, or a group in parentheses, whose ')' is still to come."""

    operator: str  # ∥ ∨ × tiles, "(" for a group, "" for the whole text
    start: int
    form: ChoiceForm | InterleaveForm | TilesForm | None = None
    arguments: list[Expression] = field(default_factory=list)
    labels: list[tuple[int, int]] = field(default_factory=list)
    parts: list[Expression] = field(default_factory=list)  # parts of the argument being read
    after_dot: bool = False


def expression_of(value: Expression | str, name: str = "expression") -> Expression:
    """An expression, or the expression of its text form."""
    if isinstance(value, str):
        return parse_expression(value, where=name)
    if not isinstance(value, Expression):
        raise WrongTypeError(f"{name}: found {kind_of(value)}; pass an expression, or its text")
    return value


class _Parser:
    """One pass over the tokens with an explicit stack: expressions may be nested deeper than Python's stack allows."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.frames = [_Frame("", 0)]
        self.has_operators = False
        self.words: dict[str, Expression] = {}
        self.quoted_words: dict[str, Expression] = {}

    def parse(self) -> Expression:
        text, frames, words = self.text, self.frames, self.words
        position, match_token = 0, _TOKEN.match
        while True:
            token = match_token(text, position)
            assert token is not None  # the pattern's last alternatives match anything
            kind, position = token.lastgroup, token.end()
            if kind == "word":
                word = token[kind]
                expression = words.get(word)
                if expression is None:
                    expression = self.word(word, token.start(kind), words)
                if text.startswith("(", position):
                    self.fail(
                        position,
                        f"found '(' directly after the word {_short(word)}, expected white space, "
                        "or one of the operators interleave, or, lock, tiles",
                    )
                frames[-1].parts.append(expression)
                frames[-1].after_dot = False
            elif kind == "comma":
                self.comma(token.start(kind))
                position = self.label(position)
            elif kind == "close":
                self.close(token.start(kind))
            elif kind == "dot":
                if not frames[-1].parts or frames[-1].after_dot:
                    self.expected_operand(token.start(kind), "'·'")
                frames[-1].after_dot = True
            elif kind == "operator":
                position = self.operator(token[kind], token.start(kind), position)
            elif kind == "open":
                frames.append(_Frame("(", token.start(kind)))
            elif kind == "quoted":
                frames[-1].parts.append(self.quoted(token[kind], token.start(kind)))
                frames[-1].after_dot = False
            elif kind == "end":
                expression = self.end(token.start(kind))
                self.hint()
                return expression
            else:
                self.unexpected(token.start(kind or 0))

    def hint(self) -> None:
        """Warn of words that other notations take for operators: ``|``, and ``or`` in a text without operators."""
        meant = [word for word in ("|", "or") if word in self.words and (word == "|" or not self.has_operators)]
        for word in meant:
            logger.warning(
                '%s: %s is a word here; a choice is ∨(a, b) or or(a, b); as "%s" it is a word without this hint',
                self.where,
                word,
                word,
            )

    def word(self, text: str, start: int, words: dict[str, Expression]) -> Expression:
        try:
            expression = Expression.word(text)
        except InputError as error:
            self.fail(start, str(error))
        except TypeError:  # a lone surrogate, which no UTF-8 file can hold
            self.fail(start, "found a character that UTF-8 cannot encode")
        words[text] = expression
        return expression

    def quoted(self, token: str, start: int) -> Expression:
        def unescape(match: re.Match[str]) -> str:
            if match[1] not in '"\\':
                self.fail(start + 1 + match.start(), rf"""found '\{match[1]}', expected \" or \\""")
            return match[1]

        text = re.sub(r"\\(.)", unescape, token[1:-1], flags=re.DOTALL)
        return self.quoted_words.get(text) or self.word(text, start, self.quoted_words)

    def operator(self, name: str, start: int, position: int) -> int:
        """Open a frame: the operator's braces, if any, and its '('."""
        operator = _ASCII_NAMES.get(name, name)
        self.has_operators = True
        frame = _Frame(operator, start)
        token = _TOKEN.match(self.text, position)
        assert token is not None
        if token.lastgroup == "braces":
            frame.form = self.braces(operator, token["braces"], token.start("braces"))
            position = token.end()
            token = _TOKEN.match(self.text, position)
            assert token is not None
        if token.lastgroup != "open":
            opener = "'('" if frame.form is not None or operator == "×" else "'{' or '('"
            if self.text.startswith("{", token.start(token.lastgroup or 0)):
                self.unexpected(token.start(token.lastgroup or 0))
            self.fail(token.start(token.lastgroup or 0), f"found {_token(token)}, expected {opener} after {name}")
        if operator == "tiles" and frame.form is None:
            self.fail(token.start("open"), "found '(', expected '{LENGTH, expmove: A}' after tiles")
        self.frames.append(frame)
        return self.label(token.end())

    def braces(self, operator: str, text: str, start: int) -> ChoiceForm | InterleaveForm | TilesForm:
        if operator == "×":
            self.fail(start, "found '{', expected '(': × has no distribution")
        try:
            if operator == "∨":
                return parse_choice_form(text)
            return parse_interleave_form(text) if operator == "∥" else parse_tiles_form(text)
        except FormError as fault:
            self.fail(start + fault.offset, f"{operator}: {fault}")

    def label(self, position: int) -> int:
        """Read the span that begins each argument of tiles."""
        frame = self.frames[-1]
        if frame.operator != "tiles":
            return position
        match = _LABEL.match(self.text, position)
        if match is None:
            token = _TOKEN.match(self.text, position)
            assert token is not None
            self.fail(token.start(token.lastgroup or 0), f"found {_token(token)}, expected a span like '0-2:'")
        frame.labels.append((int(match[1]), int(match[2])))
        return match.end()

    def comma(self, position: int) -> None:
        frame = self.frames[-1]
        if frame.operator == "":
            self.fail(position, "found ',' outside of an operator's parentheses; as a word it is written \",\"")
        if frame.operator in "(×":
            reason = "× has one argument" if frame.operator == "×" else "parentheses alone hold one sequence"
            before = self.text[: frame.start].rstrip().rpartition(" ")[2]
            if frame.operator == "(" and before in (*_ASCII_NAMES, "tiles"):
                reason += f", and {before} is an operator only directly before its '('"
            self.fail(position, f"found ',', expected ')': {reason}; as a word it is written \",\"")
        self.end_argument(position, "','")

    def close(self, position: int) -> None:
        if len(self.frames) == 1:
            self.fail(position, "found ')' without its '('")
        frame = self.frames[-1]
        if frame.operator == "(" and not frame.parts:
            frame.arguments.append(Expression.precedence([]))  # () is the empty string
        else:
            self.end_argument(position, "')'")
        self.frames.pop()
        try:
            expression = _build(frame)
        except InputError as error:
            self.fail(frame.start, str(error))
        self.frames[-1].parts.append(expression)
        self.frames[-1].after_dot = False

    def end(self, position: int) -> Expression:
        frame = self.frames[-1]
        if len(self.frames) > 1:
            opener = "'('" if frame.operator == "(" else frame.operator
            column = frame.start - self.text.rfind("\n", 0, frame.start)
            self.fail(position, f"found the end, expected ')' to close the {opener} of column {column}")
        self.end_argument(position, "the end")
        return frame.arguments[0]

    def end_argument(self, position: int, token: str) -> None:
        frame = self.frames[-1]
        if not frame.parts or frame.after_dot:
            self.expected_operand(position, token)
        try:
            frame.arguments.append(Expression.precedence(frame.parts))
        except InputError as error:
            self.fail(frame.start, str(error))
        frame.parts = []

    def expected_operand(self, position: int, token: str) -> NoReturn:
        self.fail(position, f"found {token}, expected a word, an operator or '('")

    def unexpected(self, position: int) -> NoReturn:
        character = self.text[position]
        if character == '"':
            self.fail(position, 'found a double quote that nothing closes; as a word it is written "\\""')
        if character == "{" and "}" not in self.text[position:]:
            self.fail(position, "found '{' that nothing closes")
        self.fail(
            position,
            f"found '{character}', expected a word or an operator before it; as a word it is written \"{character}\"",
        )

    def fail(self, position: int, message: str) -> NoReturn:
        raise InputError(f"{self.where}: {message}\n{show_fault(self.text, position)}") from None


def _build(frame: _Frame) -> Expression:
    form, arguments = frame.form, frame.arguments
    if frame.operator == "(":
        return arguments[0]
    if frame.operator == "×":
        return lock_of(arguments[0])
    if isinstance(form, TilesForm):
        spans = [(begin, end, argument) for (begin, end), argument in zip(frame.labels, arguments, strict=True)]
        return weighted_tiles(form.length, spans, form.movement_base, form.normalized)
    if frame.operator == "∨":
        if form is None:
            return Expression.disjunction(arguments, _uniform(len(arguments)))
        assert isinstance(form, ChoiceForm)
        make = Expression.scored_disjunction if form.scored else Expression.disjunction
        return make(arguments, form.rows)
    if form is None:
        return weighted_interleave(arguments)
    assert isinstance(form, InterleaveForm)
    return weighted_interleave(arguments, *form)


@lru_cache
def _uniform(count: int) -> Sequence[Sequence[float]]:
    return [[1 / count]] * count


def _token(match: re.Match[str]) -> str:
    return "the end" if match.lastgroup == "end" else _short(match[match.lastgroup or 0])


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else text[:29] + "…")


def show_fault(text: str, position: int) -> str:
    """The line of `position` in `text`, or the part of it around `position`, and below it a caret at `position`."""
    begin = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    line, column = text[begin : len(text) if end < 0 else end], position - begin
    first = max(0, column - _EXCERPT // 2) if len(line) > _EXCERPT else 0
    excerpt = line[first : first + _EXCERPT].rstrip()
    before = line[first:column]
    if first > 0:
        excerpt, before = "…" + excerpt, "…" + before
    if first + _EXCERPT < len(line):
        excerpt += "…"
    visible = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in excerpt)
    return f"{visible}\n{' ' * sum(map(_width, before))}^"


def _width(character: str) -> int:
    """Number of terminal columns that a character takes."""
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
