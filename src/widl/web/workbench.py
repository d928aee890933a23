"""The workbench: models, and the views that a page or `--save` asks for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Annotated, Literal

from markupsafe import Markup
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from widl.common.errors import InputError
from widl.common.option_values import LARGEST
from widl.common.validation_messages import first_problem
from widl.decoder import LanguageModel
from widl.expressions import parse_expression
from widl.headline import Headliner
from widl.translation import Translator
from widl.web.examples import EXAMPLES, SENTENCES, example_model
from widl.web.expression_view import ExpressionView
from widl.web.headline_view import HeadlineView
from widl.web.recorded_searches import ExpressionSpace, LineSpace, RecordedSearch, SearchChoice, SearchSpace
from widl.web.rendering import render, static_page
from widl.web.search_view import SearchView
from widl.web.translation_view import ForcedTranslation, TranslationView

Room = Literal["expression", "search", "translation", "headline"]
_LONGEST = 20_000  # characters of a text
_REMEMBERED = 8  # spaces of strings
_REMEMBERED_SEARCHES = 4  # each may take a hundred megabytes
_SAVED_STEPS = 150  # maximum steps in a saved page; longer searches save only the current step

_Text = Annotated[str, Field(max_length=_LONGEST)]
_BESIDE = (SearchChoice(), SearchChoice(search="astar-k", k=1))


class ViewRequest(BaseModel):
    """A page's request for a view."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    room: Room = "search"
    expression: _Text = EXAMPLES[0].expression
    line: _Text = ""
    space: Literal["expression", "line"] = "expression"
    """The search space of all searches."""
    searches: Annotated[tuple[SearchChoice, ...], Field(min_length=1, max_length=2)] = _BESIDE
    step: Annotated[int, Field(ge=0, le=LARGEST)] = 0
    string: _Text = ""
    weights: Annotated[dict[str, Annotated[float, Field(ge=-1e6, le=1e6)]], Field(max_length=100)] = {}
    forced: Annotated[tuple[ForcedTranslation, ...], Field(max_length=100)] = ()
    document: Annotated[str, Field(max_length=10 * _LONGEST)] = ""
    budget: Annotated[int, Field(ge=1, le=100)] = 10
    bytes: Annotated[int, Field(ge=0, le=1000)] = 0

    @classmethod
    def read(cls, given: object) -> "ViewRequest":
        """From JSON; InputError describes the error in one line."""
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            raise InputError(first_problem(error, cls, whole="the request")) from None


@dataclass(frozen=True)
class Views:
    """The parts of a room, by their positions in the page."""

    title: str
    parts: Mapping[str, Markup]
    steps: int = 0
    """Number of steps of the searches."""


class Workbench:
    """The models that the workbench shows. Without a translation model or a headline model, its room says how to get
    one. Any number of threads may request views.
    """

    def __init__(
        self,
        *,
        translator: Translator | None = None,
        headliner: Headliner | None = None,
        language_models: Sequence[LanguageModel] = (),
        weights: Mapping[str, float] | None = None,
    ) -> None:
        """`language_models` and `weights` are for expressions; the default is a model of a few sentences."""
        self.translator = translator
        self.headliner = headliner
        self.language_models = list(language_models)
        self._weights = weights
        self._one_headline = Lock()  # the parser is not thread-safe
        self._space = lru_cache(_REMEMBERED)(self._space_of)
        self._watched = lru_cache(_REMEMBERED_SEARCHES)(self._watched_in)

    def view(self, request: ViewRequest) -> Views:
        """The view of a room; raises InputError for a request that is inconsistent."""
        rooms: dict[str, Callable[[ViewRequest], Views]] = {
            "expression": self._expression,
            "search": self._search,
            "translation": self._translation,
            "headline": self._headline,
        }
        return rooms[request.room](request)

    def save(self, request: ViewRequest) -> str:
        """The view as a self-contained page; searches keep their steps if there are few."""
        views = self.view(request)
        steps: list[dict[str, str]] = []
        if 0 < views.steps <= _SAVED_STEPS:
            view = self._search_view(request)
            steps = [{"search-view": str(view.at(step).html())} for step in range(views.steps)]
        step = min(request.step, max(views.steps - 1, 0))
        return static_page(views.title, self._about(request), views.parts, steps, step)

    @staticmethod
    def _about(request: ViewRequest) -> str:
        """Subject of the view."""
        if request.room == "translation" or (request.room == "search" and request.space == "line"):
            return request.line
        return request.document[:300] if request.room == "headline" else request.expression

    # --- rooms ---

    def _expression(self, request: ViewRequest) -> Views:
        view = ExpressionView(parse_expression(request.expression))
        return Views("Expression", {"expression-view": view.html()})

    def _search(self, request: ViewRequest) -> Views:
        view = self._search_view(request)
        titles = " and ".join(search.choice.title for search in view.searches)
        about = render("choices", choices=[search.choice for search in view.searches])
        parts = {"search-about": about, "search-verdict": view.verdict(), "search-view": view.html()}
        return Views(f"Search: {titles}", parts, view.steps)

    def _search_view(self, request: ViewRequest) -> SearchView:
        of_line = request.space == "line"
        text = request.line if of_line else request.expression
        space = self._space(text, of_line=of_line)
        searches = [self._watched(text, choice, of_line=of_line) for choice in request.searches]
        return SearchView(space, searches, request.step, request.string.strip())

    def _space_of(self, text: str, *, of_line: bool) -> SearchSpace:
        if of_line:
            if self.translator is None:
                raise InputError("no translation model is open; start with its directory: widl explore MODEL")
            return LineSpace(self.translator, text)
        models = self.language_models or [example_model()]
        return ExpressionSpace(parse_expression(text), models, self._weights)

    def _watched_in(self, text: str, choice: SearchChoice, *, of_line: bool) -> RecordedSearch:
        return RecordedSearch.run(self._space(text, of_line=of_line), choice)

    def _translation(self, request: ViewRequest) -> Views:
        if self.translator is None:
            return Views("Translation", {"translation-view": render("no_model", kind="translation")})
        view = TranslationView(self.translator, request.line, weights=request.weights, forced=request.forced)
        return Views("Translation", {"translation-view": view.html()})

    def _headline(self, request: ViewRequest) -> Views:
        if self.headliner is None:
            return Views("Headline", {"headline-view": render("no_model", kind="headline")})
        view = HeadlineView(self.headliner, request.document, words=request.budget, bytes=request.bytes)
        with self._one_headline:
            return Views("Headline", {"headline-view": view.html()})


def page_of(workbench: Workbench, request: ViewRequest) -> str:
    """The workbench's page, its forms filled in."""
    translator = workbench.translator
    page = render(
        "index",
        wanted=request,
        examples=EXAMPLES,
        sentences=SENTENCES,
        own_models=bool(workbench.language_models),
        has_translator=translator is not None,
        has_headliner=workbench.headliner is not None,
        weights=translator.weights if translator else {},
    )
    return str(page)
