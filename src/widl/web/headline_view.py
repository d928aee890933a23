"""View of a document: its headline with confidence, deletions and guards, and the positions of the headline's words."""

from dataclasses import dataclass

from markupsafe import Markup

from widl.headline import Headline, HeadlineOptions, Headliner, LengthLimit
from widl.headline.clause_expression import ClauseExpression
from widl.headline.clause_search import ClauseSearch
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.headline.ranking import QUESTIONS
from widl.web.rendering import notebook, render

_QUESTIONS = {"true": "true", "readable": "readable, if true", "news": "reports the news, if both"}


@dataclass(frozen=True)
class DocumentWord:
    """A word of the document."""

    text: str
    in_clause: bool
    """Whether the headline may contain it."""
    in_headline: bool


@dataclass(frozen=True)
class HeadlineView:
    """A document and its headline, as in the workbench.

    HeadlineView(Headliner("headlines"), text)  # the last line of a notebook's cell
    """

    headliner: Headliner
    text: str
    words: int = LengthLimit.words
    """Maximum number of words of the headline; 0: no limit."""
    bytes: int = 0
    """Maximum number of bytes; 0: no limit."""

    def html(self) -> Markup:
        """The headline and the document."""
        if not self.text.strip():
            return render("no_document")
        [parsed] = self.headliner.parse([Document("document", self.text)])
        options = HeadlineOptions(words=self.words, bytes=self.bytes, nbest=3, explain=True)
        headline = self.headliner.generate_one(parsed, options)
        search = self.headliner.searchable(parsed, options) if headline.nbest else None
        clauses = search.clauses if isinstance(search, ClauseSearch) else None
        budget = [f"{limit} {unit}" for limit, unit in ((self.words, "words"), (self.bytes, "bytes")) if limit]
        return render(
            "headline",
            headline=headline,
            judged=[(_QUESTIONS[name], getattr(headline.judgment, name)) for name in QUESTIONS if headline.judgment],
            budget=" and ".join(budget),
            sentences=_sentences(parsed, headline, clauses),
        )

    def _repr_html_(self) -> str:
        return notebook(self.html())


def _sentences(
    parsed: ParsedDocument, headline: Headline, clauses: ClauseExpression | None
) -> list[list[DocumentWord]]:
    is_printed = bool(headline.nbest) and headline.nbest[0].text == headline.text
    used = set(headline.best.places) if is_printed else set()
    possible = {(said.sentence, said.word.place) for said in clauses.written} if clauses is not None else set()
    return [
        [
            DocumentWord(
                f"{word.opening}{word.text}{word.closing}",
                (number, position) in possible,
                (number, position) in used,
            )
            for position, word in enumerate(words)
        ]
        for number, words in enumerate(sentences_of(parsed))
    ]
