"""Tokenization and detokenization of source and target text with a model's settings.

Translation must process its input as training did, so `TextSettings` is part of a model's manifest, and the
truecaser is one of its files.
"""

from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Annotated, Literal

from widl.common.argument_types import checked
from widl.common.errors import InputError, MissingFileError
from widl.common.option_values import NOT_ON_COMMAND_LINE, shown_in_help
from widl.common.options import adjust, option_set
from widl.text.detokenization import Detokenizer
from widl.text.normalization import HAN_CHARACTER
from widl.text.segmentation import ChineseSegmenter, check_language, make_tokenizer, read_words, segmenter_name
from widl.text.truecasing import Truecaser, capitalize_sentences

Casing = Literal["truecase", "lower"]


@option_set
class TextSettings:
    """Tokenization settings of raw text.

    A user dictionary has lines ``word``, ``word count`` or ``word count tag``. Truecasing removes the capitals of
    sentence starts only.
    """

    source_language: Annotated[str, shown_in_help(metavar="LANGUAGE")] = "zh"
    "zh, a European language such as de, or none for segmented text."
    target_language: Annotated[str, shown_in_help(metavar="LANGUAGE")] = "en"
    "A European language."
    casing: Casing = "truecase"
    "Casing of target words: truecase or lower."
    segmenter: Annotated[str | None, NOT_ON_COMMAND_LINE] = None
    "For Chinese, program and version that segmented the training text; none for the installed one."
    user_dictionary: Path | None = None
    "Words for the Chinese segmenter, one per line."
    moses_escapes: bool = False
    "Tokens have the escapes of Moses' tokenizer: &apos; for ', &#124; for |, and so on."

    def __post_init__(self) -> None:
        check_language(self.source_language)
        check_language(self.target_language)
        if self.target_language == "zh":
            raise InputError("target language 'zh' cannot be detokenized; known are European codes, and none")

    def of_tokens(self) -> "TextSettings":
        """The same settings for text with space-separated tokens on both sides."""
        return TextSettings(
            source_language="none",
            target_language="none",
            casing=self.casing,
            moses_escapes=self.moses_escapes,
        )

    def with_segmenter(self) -> "TextSettings":
        """The same settings, with the name of the installed segmenter."""
        return adjust(self, segmenter=segmenter_name(self.source_language))

    def user_words(self) -> frozenset[str]:
        """The words of the user dictionary."""
        words = () if self.user_dictionary is None else read_words(self.user_dictionary)
        return frozenset(word for word, _ in words)

    def check(self) -> None:
        """Raise FileNotFoundError for a missing user dictionary."""
        if self.user_dictionary is not None and not self.user_dictionary.exists():
            raise MissingFileError(f"{self.user_dictionary}: no such user dictionary")


_ESCAPES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_TABLE = str.maketrans(_ESCAPES)
_OLD = {"&bar;": "|", "&bra;": "[", "&ket;": "]"}


def escaped(text: str) -> str:
    """The text as Moses' tokenizer writes it.

    >>> escaped("it 's [sic] & |")
    'it &apos;s &#91;sic&#93; &amp; &#124;'
    """
    return text.translate(_TABLE)


def unescaped(text: str) -> str:
    """Replaces character escapes in the text, including those of older Moses versions.

    >>> unescaped("it &apos;s &bra;sic&ket; &amp; &#124;")
    "it 's [sic] & |"
    """
    if "&" not in text:
        return text
    for old, character in _OLD.items():
        text = text.replace(old, character)
    return unescape(text)


@checked
class SourceText:
    """Tokenizes source lines.

    >>> SourceText(TextSettings()).tokens("我是学生。")
    ['我', '是', '学生', '。']
    """

    def __init__(self, settings: TextSettings) -> None:
        self.settings = settings
        self._tokenizer = make_tokenizer(settings.source_language, user_dictionary=settings.user_dictionary)

    def __reduce__(self) -> tuple[type["SourceText"], tuple[TextSettings]]:
        return SourceText, (self.settings,)

    def tokens(self, line: str) -> list[str]:
        """The tokens of a raw line; any line is accepted."""
        return self.split(self.normalize(line)) if self.settings.moses_escapes else self._tokenizer.tokenize(line)

    def normalize(self, line: str) -> str:
        """A raw line in the normalized spelling of its tokens."""
        return self._tokenizer.normalize(unescaped(line) if self.settings.moses_escapes else line)

    @property
    def language(self) -> str:
        """The language that is translated from."""
        return self.settings.source_language

    def has_word(self, word: str) -> bool:
        """Whether the dictionary of a Chinese segmenter has a word; other tokenizers have none."""
        return isinstance(self._tokenizer, ChineseSegmenter) and self._tokenizer.has_word(word)

    def split(self, line: str) -> list[str]:
        """The tokens of a normalized line."""
        tokens = self._tokenizer.split(line)
        return [escaped(token) for token in tokens] if self.settings.moses_escapes else tokens

    @property
    def is_raw(self) -> bool:
        """Whether lines are text as people write it, and not tokens."""
        return self.settings.source_language != "none" and not self.settings.moses_escapes

    def dictionary_key(self, word: str) -> str:
        """The lookup key of a dictionary's word: its space-separated tokens; Chinese has no spaces.

        >>> SourceText(TextSettings()).dictionary_key("升旗 仪式")
        '升旗仪式'
        """
        if self.settings.source_language == "zh":
            return "".join(self.normalize(word).split())
        return " ".join(self.tokens(word))

    def is_translatable(self, word: str) -> bool:
        """Whether a word is written in the language's letters and is not a number, address or tag.

        >>> chinese = SourceText(TextSettings())
        >>> [chinese.is_translatable(word) for word in ("魑", "COVID-19", "。")]
        [True, False, False]
        """
        if self.settings.source_language == "zh":
            return HAN_CHARACTER.search(word) is not None
        return any(map(str.isalpha, word)) and not any(sign.isdigit() or sign in "@/<" for sign in word)


def sides_are_swapped(source: Sequence[str], target: Sequence[str], source_language: str) -> bool:
    """Whether a text in Chinese and its translation seem to be swapped: Chinese characters are in the target only.

    >>> sides_are_swapped(["The rain."], ["下雨。"], "zh"), sides_are_swapped(["下雨。"], ["The rain."], "zh")
    (True, False)
    """
    if source_language != "zh" or not source or not target:
        return False
    return chinese_share(source) < 0.1 and chinese_share(target) > 0.9


def chinese_share(lines: Sequence[str]) -> float:
    """Fraction of lines that contain Chinese characters. `lines` must not be empty."""
    return sum(HAN_CHARACTER.search(line) is not None for line in lines) / len(lines)


@checked
class TargetText:
    """Tokenizes and truecases target lines, and detokenizes tokens.

    >>> english = TargetText(TextSettings(), Truecaser.train([["See", "the", "cat"]]))
    >>> english.tokens("The cat’s here.")
    ['the', 'cat', "'s", 'here', '.']
    >>> english.text(['the', 'cat', "'s", 'here', '.'])
    "The cat's here."
    """

    def __init__(self, settings: TextSettings, truecaser: Truecaser) -> None:
        self.settings = settings
        self.truecaser = truecaser
        language = settings.target_language
        self._tokenizer = make_tokenizer(language)
        self._detokenizer = Detokenizer("en" if language == "none" else language)

    @property
    def language(self) -> str:
        """The language that is translated into."""
        return self.settings.target_language

    def __reduce__(self) -> tuple[type["TargetText"], tuple[TextSettings, Truecaser]]:
        return TargetText, (self.settings, self.truecaser)

    def tokens(self, line: str) -> list[str]:
        """The tokens of a raw line in the casing that the model is trained on."""
        return self.cased(self.split(line))

    def split(self, line: str) -> list[str]:
        """The tokens of a raw line, each as it is written."""
        if self.settings.moses_escapes:
            return [escaped(token) for token in self._tokenizer.tokenize(unescaped(line))]
        return self._tokenizer.tokenize(line)

    def term(self, text: str) -> list[str]:
        """The tokens of a term, not sentence-initial: in their original casing, unless the model is lowercase."""
        tokens = self.split(text)
        return self.cased(tokens) if self.settings.casing == "lower" else tokens

    def cased(self, tokens: Sequence[str]) -> list[str]:
        """Tokens in their original spelling, with the model's casing."""
        if self.settings.casing == "lower":
            return [token.lower() for token in tokens]
        return self.truecaser.apply(tokens)

    def text(self, tokens: Sequence[str]) -> str:
        """A line of natural text; lowercased tokens get their usual casing back."""
        if self.settings.moses_escapes:
            tokens = [unescaped(token) for token in tokens]
        if self.settings.casing == "lower":
            tokens = self.truecaser.restore(tokens)
        return self._detokenizer.detokenize(capitalize_sentences(tokens))
