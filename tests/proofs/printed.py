"""Printed headlines against their texts: quotations, signs of numbers, datelines, credits, unwanted terms.

A writer makes a news story from parts, so what its headlines may print is known without reading it: a quotation whole
or nothing of it, each number with its sign, nothing of what stands around the story, no form of an unwanted word. All
candidates of a search are checked, not the best headline alone.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tests.headline.parses import parsed
from tests.headline.searches import searched
from tests.proofs.headlines import LETTERS, DrawnModel
from widl.headline.datelines import without_datelines
from widl.headline.document_trees import DocumentTrees
from widl.headline.markup import clean_paragraphs
from widl.headline.model import CLAUSE_WEIGHTS, HeadlineModel, package_content
from widl.headline.options import HeadlineOptions
from widl.headline.parsing import ParsedDocument
from widl.headline.word_forms import WordForms

MARKS = (('"', '"'), ("“", "”"), ("‘", "’"), ("'", "'"), ("``", "''"), ("«", "»"), ("“", '"'))
SAID = (
    "He was innocent",
    "We will win the final",
    "I was a spy",
    "We lost the war",
    "They were heroes",
    "I knew about the plan",
    "It will rain until a bridge falls",
    "The mine had closed and nobody told the miners",
    "We have sold the old yard; they wanted a new one",
    "A group of pilots has told us that the engine failed",
    "Prices rose by 5 percent -- a shame -- in the north",
    "We will sell the yard on Monday, if (and only if) they pay",
)
CALLED = (
    "a very good deal for all of us",
    "the worst mistake of the decade",
    "small but mighty",
    "unacceptable",
    "an attack on the press",
    "dead in the water",
)
NAMED = ("fiscal cliff", "smart", "The Long Way Home", "dirty", "people's", "safe and sound")
SPEAKERS = ("his lawyer", "the mayor of Essen", "Ada Holm, an engineer,", "a coach", "A. C. Green", "It", "the general")
SIGNS = ("<", ">", "±", "~", "≤", "≥", "≈", "-", "−", "+", "#", "< ", "> ", "± ", "≤ ", "≈ ")
PLACES = (
    "LONDON",
    "NEW YORK",
    "KABUL, Afghanistan",
    "SAN JOSE, Calif.",
    "Washington",
    "RIO DE JANEIRO",
    "Oslo, Norway",
)
AGENCIES = (
    "AP",
    "CNN",
    "Reuters",
    "Dow Jones",
    "AFP",
    "Money Magazine",
    "Xinhua",
    "Agence France-Presse",
    "UPI",
    "dpa",
)
DASHES = (" -- ", " - ", "--", " — ", "—", " _ ", " – ", "- ")
CREDITS = (
    "By Jane Doe",
    "BY JANE DOE\nSTAFF WRITER",
    "by jane doe",
    "By JANE DOE and John Smith, Associated Press",
    "Published 5 March 2019, 10:30 GMT",
    "Updated: 10:30 a.m. EST",
    "UPDATED 1145 GMT (1945 HKT) March 5, 2019",
    "Reporting by Jane Doe; editing by John Smith",
    "Additional reporting by Jane Doe in Paris",
    "Last updated on Tuesday, March 5, 2019 at 10:30 pm",
)
AROUND = re.compile(
    r"\b(jane|doe|afghanistan|calif|norway|gmt|est|hkt|updated|published|editing|cnn|afp|upi|dpa|xinhua|agence"
    r"|dow jones|magazine|reuters|ap|london|kabul|washington|rio|oslo|new york|san jose)\b",
    re.IGNORECASE,
)
"""What stands around stories, and nowhere in them."""
UNWANTED: Mapping[str, str] = {
    "will": "will won't",
    "has": "has have had having",
    "have": "has have had having",
    "to": "to",
    "fell": "fall falls fell fallen falling",
    "sells": "sell sells sold selling",
    "say": "say says said saying",
    "Was": "be is was are were been being am",
    "mine": "mine mines",
    "percent": "percent % pct",
    "not": "not n't won't",
    "Chile": "chile chile's",
}
"""Words that headlines shall do without, and their forms in the stories."""
PLAIN = (
    "The bank said it would sell its unit in Chile and that prices had not fallen.",
    "Acme has sold two mines in Chile, and shares fell by 5 percent.",
    "The government will not raise fees, but it will close a mine.",
    "Workers have said they won't leave the old mine in Chile.",
    "Chile's prices were falling as banks sold bonds to buyers abroad.",
    "A union said on Monday that it will strike if pay falls by 3 pct.",
)


@dataclass(frozen=True)
class Story:
    """A text, and what the writer knows of it."""

    text: str
    quotation: str = ""
    """Its words between quotation marks."""
    numbers: tuple[str, ...] = ()
    """Its numbers with their signs."""


def story(rng: random.Random) -> Story:
    """A random story with a quotation or a number, and with marks and credits around it."""
    made = rng.choice([_statement, _named, _called, _measured, _plain])(rng)
    return replace(made, text=_around(rng, made.text))


def _statement(rng: random.Random) -> Story:
    opening, closing = rng.choice(MARKS)
    said, speaker = rng.choice(SAID), rng.choice(SPEAKERS)
    told = rng.choice(["said", "told the court", "said after the funeral", "told reporters"])
    text = rng.choice(
        [
            f"{opening}{said},{closing} {speaker} {told} on Monday.",
            f"{_capital(speaker)} said on Monday: {opening}{said}.{closing}",
            f"{opening}{said}. Keep calm,{closing} {speaker} {told}.",
            f"{_capital(speaker)} said that {opening}{said[0].lower()}{said[1:]}{closing} on Monday.",
        ]
    )
    return Story(text, said if said in text else said[0].lower() + said[1:])


def _called(rng: random.Random) -> Story:
    opening, closing = rng.choice(MARKS)
    said = rng.choice(CALLED)
    thing = rng.choice(["the offer", "his arrest", "the strike at the port"])
    return Story(f"{_capital(rng.choice(SPEAKERS))} called {thing} {opening}{said}{closing} and left the town.", said)


def _named(rng: random.Random) -> Story:
    opening, closing = rng.choice(MARKS)
    said = rng.choice(NAMED)
    yard = f"{opening}{said}{closing} yard"
    return Story(f"The council of Essen has bought the {yard}, which closed in May, an engineer said.", said)


def _measured(rng: random.Random) -> Story:
    first, second = (f"{rng.choice(SIGNS)}{rng.choice(['3', '4.5', '$12'])}" for _ in range(2))
    text = rng.choice(
        [
            f"Inflation was {first} percent in May, the bank said on Monday, and growth was {second} percent.",
            f"Prices at the port rose {first} percent to {second} million on Monday, a report showed.",
            f"The yard in Essen sold {first} million tons and lost {second} million on bad loans.",
        ]
    )
    return Story(text, numbers=(first, second))


def _plain(rng: random.Random) -> Story:
    return Story(" ".join(rng.sample(PLAIN, k=rng.choice([1, 2]))))


def _around(rng: random.Random, text: str) -> str:
    """The text behind a dateline or a credit, or before one."""
    place, agency, dash = rng.choice(PLACES), rng.choice(AGENCIES), rng.choice(DASHES)
    date = rng.choice(["", "", ", March 3", ", Oct. 19, 2006"])
    mark = rng.choice(
        ["", "", f"{place}{date} ({agency}){dash}", f"({agency}){dash}", f"({agency})", f"{place} ({agency}){dash}"]
    )
    if text[0] == "`":
        mark = mark.rstrip("—-") + " " * bool(mark)  # ``psycho'' is a sentence's begin only behind a blank
    before, behind = rng.choice(["", f"{rng.choice(CREDITS)}\n"]), rng.choice(["", f"\n{rng.choice(CREDITS)}"])
    return before + mark + text + behind


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


class TellingModel(DrawnModel):
    """A model without guards drawn at random, whose headlines use every form of verbs and articles."""

    def trees(self, parsed: ParsedDocument, options: HeadlineOptions) -> DocumentTrees:
        """The package's trees; forms are as probable as in news."""
        found = HeadlineModel.trees(self, parsed, options)
        found.forms = package_content().forms or WordForms({}, {})
        return found


def check_printed(seed: int, group: int) -> Iterator[list[str]]:
    """Errors in the candidates of one story; correct headlines have none."""
    rng = random.Random(f"printed {seed} {group}")
    made = story(rng)
    without = rng.choice(list(UNWANTED)) if rng.random() < 0.4 else ""
    options = HeadlineOptions(
        words=rng.choice([10, 10, 14, 25]),
        bytes=0,
        letters=rng.choice(LETTERS),
        nbest=60,
        ranked=0,
        max_seconds=0,
        without=(without,) * bool(without),
    )
    weights = {name: rng.choice([weight, 0.0, -weight / 2]) for name, weight in CLAUSE_WEIGHTS.items()}
    weights |= {name: max(0.0, weight) for name, weight in weights.items() if name.startswith("lm")}
    yield [f"{line}\n  {options}\n  {made}" for line in complaints_of_story(made, options, weights, f"{seed} {group}")]


def complaints_of_story(
    made: Story, options: HeadlineOptions, weights: Mapping[str, float], seed: str = ""
) -> Iterator[str]:
    """Errors in the candidates of a story."""
    document = parsed(without_datelines("\n".join(clean_paragraphs(made.text.split("\n")))))
    headline = searched(TellingModel(seed), document, options, weights)
    for text in dict.fromkeys((headline.text, *(item.text for item in headline.nbest))):
        if headline.kind != "beginning":
            yield from complaints_of_text(text, made.text)
            yield from _complaints_of_quotation(text, made.quotation)
        yield from _complaints_of_numbers(text, made.numbers)
        if AROUND.search(text) and not AROUND.search(made.quotation):
            yield f"{text!r} has something of what stands around the story"
        if re.search(r"(?<!a\. )C\. Green", text, re.IGNORECASE):
            yield f"{text!r} has half of the initials"
        for form in (form for term in options.without for form in UNWANTED[term].split()):
            if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE):
                yield f"{text!r} has {form!r}"


def _complaints_of_quotation(headline: str, quotation: str) -> Iterator[str]:
    """The words of a quotation are there all or not at all, in its order."""
    words = re.findall(r"[\w']+", quotation.lower())
    printed = re.findall(r"[\w']+", headline.lower().replace("'", "’" if "'" not in quotation else "'"))
    own = [word for word in words if len(word) > 4]
    if any(word in printed for word in own) and not _contains(printed, words):
        yield f"{headline!r} has a part of the quotation {quotation!r}"


def _complaints_of_numbers(headline: str, numbers: Sequence[str]) -> Iterator[str]:
    """A number is there with its sign."""
    rest = headline
    for number in sorted(numbers, key=len, reverse=True):
        rest = rest.replace(number, "")
    for number in numbers:
        figure = number.lstrip("<>±~≤≥≈-−+# ")
        if re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d.]*\d)", rest):
            yield f"{headline!r} lacks the sign of {number!r}"


def complaints_of_text(headline: str, text: str) -> Iterator[str]:
    """Errors in the quotations and numbers of any headline, given the text alone."""
    source = _plain_marks(text)
    for quotation in re.findall(r'(?<!\w)"([^"]+)"', _plain_marks(headline)):
        if quotation.lower() not in source.lower():
            yield f"{headline!r} has the quotation {quotation!r}, which the text does not have"
    signed = set(re.findall(_SIGNED, source))
    for sign, figure in re.findall(_SIGNED, _plain_marks(headline)):
        if (sign, figure) not in signed and (sign, figure.rstrip("%")) not in signed:
            yield f"{headline!r} has {sign}{figure}, which the text does not have"


_SIGNED = re.compile(r"([<>±~≤≥≈≠−+#]?) ?(?<![\w.,$])([$€£]?\d[\d.,]*\d|[$€£]?\d)(?![\w])")


def _plain_marks(text: str) -> str:
    for mark in ("“", "”", "„", "«", "»", "``", "''"):
        text = text.replace(mark, '"')
    return " ".join(text.replace("‘", "'").replace("’", "'").split())


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[i : i + len(part)]) == list(part) for i in range(len(words)))
