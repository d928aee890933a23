"""View of a document: its keywords, its clauses, and the positions of the headline's words."""

from dataclasses import dataclass

from markupsafe import Markup

from widl.headline import Headline, HeadlineOptions, Headliner
from widl.headline.clause_expression import ClauseExpression
from widl.headline.clause_search import ClauseSearch
from widl.headline.documents import Document
from widl.headline.parsed_words import sentences_of
from widl.headline.parsing import ParsedDocument
from widl.web.rendering import notebook, render

_KEYWORDS = 10


@dataclass(frozen=True)
class DocumentWord:
    """A word of the document."""

    text: str
    weight: float
    """Weight as a keyword, relative to the heaviest; 0: not a keyword."""
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
    words: int = 10
    """Maximum number of words of the headline."""

    def html(self) -> Markup:
        """The headline and the document."""
        if not self.text.strip():
            return render("no_document")
        [parsed] = self.headliner.parse([Document("document", self.text)])
        options = HeadlineOptions(words=self.words, nbest=3)
        headline = self.headliner.generate_one(parsed, options)
        keywords = self.headliner.keywords(parsed, _KEYWORDS)
        search = self.headliner.searchable(parsed, options) if headline.nbest else None
        clauses = search.clauses if isinstance(search, ClauseSearch) else None
        weights = {lemma: keyword.weight / keywords[0].weight for keyword in keywords for lemma in keyword.lemmas}
        return render(
            "headline",
            headline=headline,
            keywords=keywords,
            most=max((keyword.weight for keyword in keywords), default=1.0),
            sentences=_sentences(parsed, headline, clauses, weights),
        )

    def _repr_html_(self) -> str:
        return notebook(self.html())


def _sentences(
    parsed: ParsedDocument, headline: Headline, clauses: ClauseExpression | None, weights: dict[str, float]
) -> list[list[DocumentWord]]:
    used = set(headline.best.places) if headline.nbest else set()
    possible = {(said.sentence, said.word.place) for said in clauses.written} if clauses is not None else set()
    return [
        [
            DocumentWord(
                f"{word.opening}{word.text}{word.closing}",
                weights.get(word.lemma, 0.0),
                (number, position) in possible,
                (number, position) in used,
            )
            for position, word in enumerate(words)
        ]
        for number, words in enumerate(sentences_of(parsed))
    ]
