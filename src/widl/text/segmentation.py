"""Tokenizers: rjieba for Chinese, Moses' rules for European languages, and white space for segmented text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Any, Protocol

from widl.common.argument_types import checked
from widl.common.arguments import PathLike, text_of, texts_in
from widl.common.errors import InputError
from widl.common.extras import optional_packages
from widl.common.files import read_lines
from widl.text.normalization import EMOJI, HAN, normalize_chinese, normalize_european, visible

# The alphabetic languages that sacremoses has rules for.
# fmt: off
EUROPEAN = frozenset({
    "ca", "cs", "de", "el", "en", "es", "et", "fi", "fr", "ga", "hu", "is", "it", "lt", "lv", "nl", "pl",
    "pt", "ro", "ru", "sk", "sl", "sv",
})
# fmt: on


class Tokenizer(Protocol):
    """Splits a line into tokens; no token contains white space."""

    def normalize(self, line: str) -> str:
        """The normalized line; the tokens, concatenated, are this line without its spaces."""

    def split(self, line: str) -> list[str]:
        """The tokens of a normalized line."""

    def tokenize(self, line: str) -> list[str]:
        """The tokens of a raw line."""


@checked
def make_tokenizer(language: str, *, user_dictionary: PathLike | None = None) -> Tokenizer:
    """The tokenizer of a language: ``zh``, a European code such as ``en``, or ``none`` (split on blanks)."""
    if language == "zh":
        return ChineseSegmenter(user_dictionary)
    if user_dictionary is not None:
        raise InputError(f"{user_dictionary}: a user dictionary is for source language zh, not {language}")
    if language == "none":
        return BlankTokenizer()
    check_language(language)
    return MosesWordTokenizer(language)


@checked
def tokenize(
    lines: Iterable[str], language: str = "zh", *, user_dictionary: PathLike | None = None
) -> Iterator[list[str]]:
    """The tokens of raw lines, as `widl train` and `widl translate` make them; the case of words is preserved.

    See `make_tokenizer` for the languages.

    >>> list(tokenize(["我是学生。"]))
    [['我', '是', '学生', '。']]
    """
    raw = texts_in(lines, "lines", "a list of lines: [line]")
    tokenizer = make_tokenizer(language, user_dictionary=user_dictionary)
    return map(tokenizer.tokenize, raw)


def check_language(language: str) -> None:
    """Raise InputError unless `make_tokenizer` knows the language."""
    text_of(language, "language")
    if language not in EUROPEAN | {"zh", "none"}:
        codes = " ".join(sorted(EUROPEAN))
        raise InputError(
            f"unknown language {language!r}; known are zh, {codes}, and none for text that is already "
            "segmented (tokens between blanks)"
        )


@checked
class BlankTokenizer:
    """Splits segmented text at spaces."""

    def normalize(self, line: str) -> str:
        """The line without invisible characters."""
        return visible(line)

    def split(self, line: str) -> list[str]:
        """The space-separated tokens."""
        return line.split()

    def tokenize(self, line: str) -> list[str]:
        """The space-separated tokens."""
        return visible(line).split()


# Alternatives that could begin inside a run of letters use look-behind; a long run would otherwise take quadratic time.
_PATH = r"(?:(?!&(?!amp;)[a-z]+;)[!#-;=?-~])*[\w/]"
_DOMAINS = "com|cn|net|org|gov|edu|info|io|ai|hk|tw|jp|uk|de|fr|ru|eu"
ADDRESS = (
    rf"(?ai:(?:https?://|ftp://|www\.){_PATH}|(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    rf"|(?<![\w.@-])(?:[a-z0-9-]+\.)+(?:{_DOMAINS})(?![\w-]|\.\w)(?:/{_PATH}|/)?)"
)
"""A pattern for addresses of the web and of mail."""

# Words with signs that are written without blanks: @user, #tag, .NET, a->b, C++, and in Chinese text O'Brien, AT&T.
_LETTER = rf"(?:[^\W_{HAN}]|[\u0300-\u036f])"  # or a digit
_NO_DIGIT = rf"[^\W\d_{HAN}]"
_PREFIXED = (
    rf"[@#](?=[0-9]*{_NO_DIGIT}){_LETTER}+(?:[._-]+{_LETTER}+)*#?"
    rf"|\.(?:[A-Z]{{2,}}|{_DOMAINS}|exe|txt|pdf|doc)(?!{_LETTER})"
)
_SUFFIX = rf"(?:\+{{1,2}}|#)(?!{_LETTER}|[\ufe0f\u20e3])"
_OPERATOR = r"(?:->|=>|==|::|\+\+|[=+])"
_SIGN = rf"(?:{_OPERATOR}|[._-]+|['’&/<>])"
_WHOLE = re.compile(
    rf"{ADDRESS}|{EMOJI}"
    rf"|(?<![\w.@#])(?:{_PREFIXED}|{_LETTER}+(?:{_OPERATOR}{_LETTER}+)+|[A-Za-z][A-Za-z0-9]*{_SUFFIX})"
)
_MAY_BE_WHOLE = re.compile(rf"[@#+=]|->|::|//|www\.|\.(?:[A-Z]|{_DOMAINS}|exe|txt|pdf|doc)|{EMOJI}", re.IGNORECASE)
_WHOLE_IN_CHINESE = re.compile(
    rf"{ADDRESS}|{EMOJI}|(?<!{_LETTER})(?:"
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"
    rf"|{_PREFIXED}"
    rf"|(?=(?:[0-9]|{_SIGN}){{0,30}}{_NO_DIGIT}){_LETTER}+"
    rf"(?:(?:{_SIGN}{_LETTER}+)+(?:(?<=\.[A-Za-z])\.|{_SUFFIX})?|{_SUFFIX})"
    r"|[0-9]+(?:[._-]+[0-9]+)+"
    rf"|[A-Za-z0-9]*(?![!-~]){_LETTER}+)"
)
_NOT_CHINESE = re.compile(f"{_LETTER}|{EMOJI}")
_CHINESE = re.compile(f"[{HAN}]*")


_HAS_NUMERAL = re.compile("[〇零一二两三四五六七八九十百千万亿]")


class ChineseSegmenter:
    """rjieba with its hidden Markov model for unknown words.

    These are single tokens, although rjieba would split them, so that a translation can copy them whole: addresses,
    flags and emoji sequences, numbers (1,234.5), words of letters with signs (COVID-19, U.S., file_name, O'Brien, C++,
    .NET, #tag, a->b), words of other alphabets, which rjieba splits into letters, and words of the user dictionary. A
    percent sign is a separate token, as in English.
    """

    def __init__(self, user_dictionary: PathLike | None = None) -> None:
        words = {} if user_dictionary is None else dict(read_words(user_dictionary))
        self._jieba = _segmenter(words)
        self._segment_words = self._jieba.cut
        self._whole, self._not_chinese = _WHOLE_IN_CHINESE, _NOT_CHINESE
        # rjieba looks no word up across signs; a word of Chinese characters alone is up to its count.
        cut = [word for word in words if not _CHINESE.fullmatch(word) and self.split(word) != [word]]
        cut.sort(key=len, reverse=True)
        if cut:
            self._whole = re.compile("|".join([*map(_as_a_word, cut), _WHOLE_IN_CHINESE.pattern]))
            self._not_chinese = re.compile("|".join([*map(re.escape, cut), _NOT_CHINESE.pattern]))

    def normalize(self, line: str) -> str:
        """Half-width letters and digits, Chinese punctuation, years in digits; see `normalize_chinese`."""
        return normalize_chinese(line)

    def tokenize(self, line: str) -> list[str]:
        """The words of a line.

        >>> ChineseSegmenter().tokenize("COVID-19疫苗,1,234.5元(约50%)。")
        ['COVID-19', '疫苗', '，', '1,234.5', '元', '（', '约', '50', '%', '）', '。']
        """
        return self.split(self.normalize(line))

    def split(self, line: str) -> list[str]:
        """The words of a line that is normalized."""
        tokens: list[str] = []
        for part in line.split():
            if not self._not_chinese.search(part):
                tokens += self._segment_words(part)
                continue
            start = 0
            for match in self._whole.finditer(part):
                tokens += self._segment(part[start : match.start()])
                tokens.append(match[0])
                start = match.end()
            tokens += self._segment(part[start:])
        return tokens

    def has_word(self, word: str) -> bool:
        """Whether jieba's or the user's dictionary has a word; not jieba's accidental parts of amounts: 分起, 有十."""
        if not self._jieba.has_word(word):
            return False
        tags = self._jieba.tag(word)
        return len(tags) == 1 and (tags[0][1] not in _MEASURES or _HAS_NUMERAL.match(word) is not None)

    def _segment(self, text: str) -> list[str]:
        words: list[str] = []
        for word in self._segment_words(text):
            if len(word) > 1 and word[-1] == "%":
                words += (word[:-1], "%")
            else:
                words.append(word)
        return words


def word_class(word: str, *, known: bool = False) -> str:
    """The class of a word by rjieba: n, ns, nr (person), v, …; '' if it has none, or is not in the dictionary.

    Without `known`, the classes of words that the dictionary lacks are guessed from their characters.

    >>> [word_class(word) for word in ("高血压", "华盛顿", "张光军")], word_class("张光军", known=True)
    (['n', 'ns', 'nr'], '')
    """
    with optional_packages():
        import rjieba

    if known and not rjieba.has_word(word):
        return ""
    classes = [name for _, name in rjieba.tag(word)]
    return classes[0] if len(classes) == 1 and classes[0] != "x" else ""


def segmenter_name(language: str) -> str | None:
    """The segmenter of a language with its version; None if no other program segments the language."""
    if language != "zh":
        return None
    with optional_packages():
        return f"rjieba {version('rjieba')}"


def check_segmenter(name: str, model: PathLike) -> None:
    """Raise InputError if the installed segmenter may differ from the segmenter that a model was trained with."""
    installed = segmenter_name("zh") or ""
    if name.split(".")[:2] != installed.split(".")[:2]:
        raise InputError(
            f"{model}: trained on words of {name}, but {installed} is installed, whose words may be others; "
            f"install {name} or train the model again"
        )


_MEASURES = frozenset({"m", "q", "mq"})


class _Jieba(Protocol):
    """The interface of the module and its instances."""

    def cut(self, text: str) -> list[str]:
        """The words of a text without spaces."""

    def has_word(self, word: str) -> bool:
        """Whether the dictionary has a word."""

    def tag(self, text: str) -> list[tuple[str, str]]:
        """The words of a text, each with its part of speech."""


def _segmenter(words: Mapping[str, int | None]) -> _Jieba:
    """rjieba, with a user's words and their counts.

    Importing rjieba builds one dictionary for the whole process. A user's words get a separate instance, so that other
    segmenters do not change.
    """
    with optional_packages():
        import rjieba

    if not words:
        whole_process: Any = rjieba
        return whole_process  # type: ignore[no-any-return]
    jieba = rjieba.Jieba()
    for word, count in words.items():
        jieba.add_word(word, count, None)  # without a count, use the smallest count that keeps this word whole
    return jieba


def _as_a_word(word: str) -> str:
    """A pattern for a user's word that no letter or digit continues."""
    before, after = (
        f"{look}{_LETTER})" if re.match(_LETTER, sign) else "" for look, sign in (("(?<!", word[0]), ("(?!", word[-1]))
    )
    return before + re.escape(word) + after


_ENTRY = re.compile(r"(\S+)(?: (?:0*([1-9][0-9]*)|[a-z]+)(?: \S+)?)?")
_LARGEST_COUNT = 10**12  # the sum of all counts must fit into 64 bits


def read_words(path: PathLike) -> Iterator[tuple[str, int | None]]:
    """Lines ``word``, ``word count`` or ``word count tag``, as in jieba; words are normalized like text."""
    for number, line in enumerate(read_lines(path), 1):
        entry = " ".join(line.split())
        if not entry:
            continue
        match = _ENTRY.fullmatch(entry)
        if match is None:
            raise InputError(
                f"{path}:{number}: expected 'word', 'word count' or 'word count tag' with a count above 0, "
                f"found {line.strip()!r}"
            )
        word, digits = match.groups()
        count = None
        if digits is not None:
            count = int(digits) if len(digits) <= 12 else _LARGEST_COUNT
        yield normalize_chinese(word), count


_STOP_POSSESSIVE = re.compile(r"(?<=\.) ' s(?= |$)")


@checked
class MosesWordTokenizer:
    """Moses' tokenizer (sacremoses, no escapes, hyphens kept), several times as fast, with the same result.

    Moses applies its rules to whole lines. The result for a *stretch*, a run of characters between two spaces, depends
    only on the stretch, on whether it begins or ends the line, and, for a period, on the next token. So each stretch is
    tokenized once and cached; nearly all stretches of real text are repeated. Unlike in Moses, addresses, flags and
    emoji sequences, words with signs (C++, .NET, #tag, a->b) and the 's of "Ltd.'s" are single tokens.
    """

    _CACHE_SIZE = 300_000  # stretches; a full cache is emptied

    def __init__(self, language: str = "en") -> None:
        with optional_packages():
            from sacremoses import MosesTokenizer

        self._moses = moses = MosesTokenizer(language)
        if language == "en":
            apostrophes = moses.ENGLISH_SPECIFIC_APOSTROPHE
        elif language in ("fr", "it"):
            apostrophes = moses.FR_IT_SPECIFIC_APOSTROPHE
        else:
            apostrophes = [moses.NON_SPECIFIC_APOSTROPHE]
        self._rules = [moses.COMMA_SEPARATE_1, moses.COMMA_SEPARATE_2, moses.COMMA_SEPARATE_3, *apostrophes]
        self._prefixes = frozenset(moses.NONBREAKING_PREFIXES)
        self._number_prefixes = frozenset(moses.NUMERIC_ONLY_PREFIXES)
        self._lower = frozenset(moses.IsLower)
        self._alpha = frozenset(moses.IsAlpha)
        self._first = _Cache(lambda stretch: self._split(f"{stretch} "), self._CACHE_SIZE)
        self._inner = _Cache(lambda stretch: self._split(f" {stretch} "), self._CACHE_SIZE)
        self._last = _Cache(lambda stretch: self._split(f" {stretch}"), self._CACHE_SIZE)

    def __reduce__(self) -> tuple[type["MosesWordTokenizer"], tuple[str]]:
        return MosesWordTokenizer, (self._moses.lang,)

    def normalize(self, line: str) -> str:
        """Keyboard punctuation; see `normalize_european`."""
        return normalize_european(line)

    def tokenize(self, line: str) -> list[str]:
        """The tokens of a line.

        >>> MosesWordTokenizer("en").tokenize("“It’s 1,234.5 kg,” Mr. Smith said.")
        ['"', 'It', "'s", '1,234.5', 'kg', ',', '"', 'Mr.', 'Smith', 'said', '.']
        """
        return self.split(self.normalize(line))

    def split(self, line: str) -> list[str]:
        """The tokens of a normalized line."""
        if not _MAY_BE_WHOLE.search(line):
            return self.tokenize_normalized(line)
        tokens: list[str] = []
        start = 0
        for match in _WHOLE.finditer(line):
            tokens += self.tokenize_normalized(line[start : match.start()].strip())
            tokens.append(match[0])
            start = match.end()
        return tokens + self.tokenize_normalized(line[start:].strip())

    def tokenize_normalized(self, line: str) -> list[str]:
        """The tokens of a normalized line without addresses."""
        if "' '" in line:  # Moses' rules overlap across this blank
            plain: list[str] = self._moses.tokenize(line, escape=False)
            return plain
        stretches = line.split(" ") if line else []
        if len(stretches) < 2:
            pieces = [self._split(stretch) for stretch in stretches]
        else:
            pieces = [self._first[stretches[0]]]
            pieces += map(self._inner.__getitem__, stretches[1:-1])
            pieces.append(self._last[stretches[-1]])
        tokens: list[str] = []
        stops: list[int] = []
        for words, stop in pieces:
            for index in stop:
                stops.append(len(tokens) + index)
            tokens += words
        for index in reversed(stops):
            if not self._keeps_stop(tokens[index][:-1], tokens[index + 1 : index + 2]):
                tokens[index : index + 1] = tokens[index][:-1], "."
        if tokens and tokens[-1].endswith(".'"):
            tokens[-1:] = [*filter(None, [tokens[-1][:-2]]), ".", "'"]
        return tokens

    def _split(self, stretch: str) -> "_Pieces":
        """The tokens of a stretch, given with its spaces, and the indices of tokens that end in a period."""
        if "DOTMULTI" in stretch:  # Moses' own placeholder for several dots
            return (stretch.strip(),), ()
        word = stretch.strip()
        plain = word[:-1] if word[-1] in ".," else word
        if plain.isascii() and plain.isalnum():  # most words, which none of the rules below changes
            if word[-1] == ",":
                return (plain, ","), ()
            return (word,), (0,) if word[-1] == "." else ()
        moses = self._moses
        pad, replacement = moses.PAD_NOT_ISALNUM
        text = moses.replace_multidots(pad.sub(replacement, stretch))
        for rule, replacement in self._rules:
            text = rule.sub(replacement, text)
        if moses.lang == "en":
            text = _STOP_POSSESSIVE.sub(" 's", text)
        words = tuple(moses.restore_multidots(text).split())
        return words, tuple(i for i, word in enumerate(words) if word[-1] == "." and word.strip("."))

    def _keeps_stop(self, prefix: str, following: list[str]) -> bool:
        """Whether a period belongs to the preceding word: after an abbreviation, or in mid-sentence."""
        if "." in prefix and not self._alpha.isdisjoint(prefix):
            return True
        if prefix in self._prefixes and prefix not in self._number_prefixes:
            return True
        if not following:
            return False
        return following[0][0] in self._lower or (prefix in self._number_prefixes and "0" <= following[0][0] <= "9")


# The tokens of a stretch, and the indices of tokens that end in a period.
_Pieces = tuple[tuple[str, ...], tuple[int, ...]]


class _Cache(dict[str, _Pieces]):
    """Tokens by stretch, computed on first use."""

    def __init__(self, split: Callable[[str], _Pieces], limit: int) -> None:
        self._split_stretch = split
        self._limit = limit

    def __missing__(self, stretch: str) -> _Pieces:
        if len(self) >= self._limit:
            self.clear()
        self[stretch] = pieces = self._split_stretch(stretch)
        return pieces
