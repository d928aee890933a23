"""Headlines without a search's result: the text's first clause, its beginning, or a message."""

from collections.abc import Sequence

from widl.headline.options import HeadlineOptions, SystemName
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.punctuation import in_letters, lead, without_last_comma, written_words
from widl.headline.results import Headline
from widl.headline.units import UnitTree
from widl.headline.whole_phrases import is_whole_clause, whole_beginnings
from widl.headline.words import Word

_NOTHING: dict[SystemName, str] = {"widl": "no clause that fits", "widl-paper": "no phrases"}


def fallback(parsed: ParsedDocument, options: HeadlineOptions) -> Headline:
    """The headline of a document without an expression, or whose expression has no string that fits.

    Demanded or unwanted terms make it empty. Otherwise ``widl`` prints the first clause, or the beginning up to the end
    of a phrase, or nothing; ``widl-paper`` prints the beginning.
    """
    identifier = parsed.document.identifier
    if options.has_terms:
        return Headline(identifier=identifier, text="", kind="none", message=_without_terms(options))
    nothing = _NOTHING[options.system]
    if options.system == "widl":
        if (clause := first_clause(parsed, options)) is not None:
            message = f"{nothing}; this is its first clause"
            return Headline(identifier=identifier, text=clause, kind="clause", message=message)
        text = _first_words(parsed, options)
    else:
        text = lead(parsed, options, options.letters)
    if not text:
        return Headline(identifier=identifier, text="", kind="none", message=f"{nothing}, nor a whole phrase")
    return Headline(identifier=identifier, text=text, kind="beginning", message=f"{nothing}; this is its beginning")


def first_clause(parsed: ParsedDocument, options: HeadlineOptions) -> str | None:
    """The text's first sentence if it is a complete clause and fits, else None."""
    words = _first_sentence(parsed)
    tree = UnitTree(words)
    tops = [n for n, unit in enumerate(tree.units) if unit.parent is None]
    if len(tops) != 1 or not is_whole_clause(tree, tops[0]):
        return None
    written = in_letters(written_words(words), options.letters)
    if "?" in words[-1].closing:
        written[-1] += "?"
    return " ".join(written) if options.fits(written) else None


def _first_words(parsed: ParsedDocument, options: HeadlineOptions) -> str:
    """The longest beginning of the first sentence that fits and is whole; empty without one."""
    words = _first_sentence(parsed)
    if not words:
        return ""
    ends = whole_beginnings(UnitTree(words))
    written = (in_letters(written_words(words, range(end)), options.letters) for end in reversed(ends))
    return next((" ".join(texts) for texts in map(without_last_comma, written) if options.fits(texts)), "")


def _first_sentence(parsed: ParsedDocument) -> Sequence[Word]:
    return next(iter(sentences_of(parsed)), [])


def _without_terms(options: HeadlineOptions) -> str:
    """The message for a document that has no headline with the demanded terms and without the unwanted ones."""
    limits = [f"{options.words} words"] * bool(options.words) + [f"{options.bytes} bytes"] * bool(options.bytes)
    conditions = [f"contains {' and '.join(map(repr, options.must))}"] * bool(options.must)
    conditions += [f"does without {', '.join(map(repr, options.without))}"] * bool(options.without)
    return f"no headline of {' and '.join(limits)} {' and '.join(conditions)}"
