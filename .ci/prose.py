"""Lists sentences of docstrings, comments, messages and pages that are hard to read, and prints their share.

    python .ci/prose.py [PATH …]        # files or folders; default: src core tests benchmarks docs README.md

A listed sentence is a place to look, not an error: the exit code is always 0.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

DEFAULT = ("src", "core", "tests", "benchmarks", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md")
PATTERNS = {
    "begins with a preposition or question word": r"^(?:Of|By|With|Where|What|Who|How) ",
    "that of, those of: name the noun": r"\b(?:that|those) (?:of|with|from)\b",
    "of which, with which: split the sentence": r"\b(?:of|with|by|in|from) which\b",
    "what is … as a noun": r"\bwhat (?:is|are|was|were|it|they|the|a)\b",
    "nothing, nobody, whatever": r"\b(?:nothing|nobody|whatever)\b",
    "so many, so much: this many, at most n": r"\bso (?:many|much)\b",
    "of its own: separate": r"\bof (?:its|their) own\b",
    "left out: omitted": r"\bleft (?:out|aside)\b",
    "if there is one: if any": r"\bif (?:there (?:is|are)|it has) (?:one|some|any)\b",
    "stands, goes on, is told": r"\b(?:stands?|goes on|(?:is|are) told|(?:is|are) had)\b",
    "the same of: repeat the noun": r"\bthe same (?:of|with)\b",
}
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+")
_CODE = re.compile(r"``.+?``|`.+?`")
HELP = {"description", "help"}  # keyword arguments that users read
_CPP_TOKEN = re.compile(r"""//[^\n]*|'(?:\\[^']+|[^'\\\n])'|"(?P<text>(?:\\.|[^"\\\n])*)\"""")
_CPP_ESCAPE = re.compile(r"\\(.)")


def python_texts(source: str) -> Iterator[str]:
    """The docstrings, raised messages, help texts and comments of a module, with adjacent comment lines joined."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from map(literal, node.exc.args)
        elif isinstance(node, ast.keyword) and node.arg in HELP:
            yield literal(node.value)
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from joined([(one.start[0], one.string.lstrip("#! ")) for one in tokens if one.type == tokenize.COMMENT])


def literal(node: ast.expr) -> str:
    """The text of a string expression, each value that is formatted into it replaced by one word."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(literal, parts))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return literal(left) + literal(right)
    return "code"


def cpp_texts(source: str) -> Iterator[str]:
    """The string literals and line comments of C++, with adjacent ones joined."""
    yield from cpp_literals(source)
    matches = [(number, re.search(r"//[/!<]*\s?(.*)", line)) for number, line in enumerate(source.split("\n"))]
    yield from joined([(number, match[1]) for number, match in matches if match])


def cpp_literals(source: str) -> Iterator[str]:
    """Docstrings of bindings and messages. Values between literals are replaced by one word."""
    text, last = "", 0
    for token in _CPP_TOKEN.finditer(source):
        if token["text"] is None:
            continue
        between = source[last : token.start()].strip()
        if between and between[0] == between[-1] == "+" and ";" not in between:
            text += "code"
        elif between:
            yield text
            text = ""
        text += _CPP_ESCAPE.sub(lambda escape: " " if escape[1] in "nt" else escape[1], token["text"])
        last = token.end()
    yield text


def page_texts(source: str) -> Iterator[str]:
    """Paragraphs, items and table cells of a Markdown page, without code and HTML comments."""
    source = re.sub(r"^```.*?^```|<!--.*?-->", "", source, flags=re.DOTALL | re.MULTILINE)
    for part in re.split(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) |\|", source):
        yield part.lstrip("#*- ")


def joined(lines: list[tuple[int, str]]) -> Iterator[str]:
    """The texts of adjacent lines as one."""
    text, last = "", -1
    for number, line in lines:
        if number != last + 1:
            yield text
            text = ""
        text, last = f"{text} {line}", number
    yield text


READERS = {".py": python_texts, ".hpp": cpp_texts, ".cpp": cpp_texts, ".md": page_texts}


def sentences_of(path: Path) -> Iterator[str]:
    """The sentences of a file, with code replaced by one word."""
    for text in READERS[path.suffix](path.read_text(encoding="utf-8")):
        for paragraph in re.split(r"\n\s*\n", text):
            words = _CODE.sub("code", " ".join(paragraph.split()))
            yield from (sentence for sentence in _SENTENCE.split(words) if sentence.count(" ") > 1)


def main() -> None:
    """Print the findings of the paths, then their share."""
    patterns = {name: re.compile(pattern) for name, pattern in PATTERNS.items()}
    total = found = 0
    for root in map(Path, sys.argv[1:] or DEFAULT):
        files = sorted(root.rglob("*")) if root.is_dir() else [root]
        for path in files:
            if path.suffix not in READERS:
                continue
            for sentence in sentences_of(path):
                total += 1
                names = [name for name, pattern in patterns.items() if pattern.search(sentence)]
                found += bool(names)
                if names:
                    print(f"{path}: {sentence} [{names[0]}]")
    print(f"{found} of {total} sentences ({100 * found / max(total, 1):.1f} %)")


if __name__ == "__main__":
    main()
