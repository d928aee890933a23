"""The workbench's templates, combined with the pages' style sheet."""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment
from markupsafe import Markup

from widl.pages import environment
from widl.text.normalization import HAN_CHARACTER


@cache
def _environment() -> Environment:
    templates = environment("widl.web", "templates")
    templates.filters |= {"number": number, "words": words}
    return templates


@cache
def asset(name: str) -> str:
    """A file of the workbench as text."""
    return files("widl.web").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def style() -> str:
    """The style sheet: rules for all pages, then rules for the workbench."""
    return files("widl.pages").joinpath("page.css").read_text(encoding="utf-8") + asset("explore.css")


def number(value: float) -> str:
    """A score with two decimals and a typographic minus sign.

    >>> number(-12.345), number(float("-inf"))
    ('−12.35', '−∞')
    """
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    text = f"{value:.2f}"
    return "0.00" if text == "-0.00" else text.replace("-", "−")


def words(given: Sequence[str]) -> str:
    """Words in quotation marks; an empty string is the start."""
    return f"“{' '.join(given)}”" if given else "the start"


def render(name: str, **context: object) -> Markup:
    """A template with its variables filled in; plain text is escaped, Markup is not."""
    return Markup(_environment().get_template(f"{name}.html").render(context))


def notebook(content: Markup) -> str:
    """A view for a notebook, with its style."""
    return f'<div class="explore"><style>{asset("explore.css")}{asset("notebook.css")}</style>{content}</div>'


def static_page(
    title: str, about: str, views: Mapping[str, Markup], steps: Sequence[Mapping[str, str]], step: int
) -> str:
    """A self-contained page: the current views and the optional steps that lead to them."""
    return str(
        render(
            "static",
            title=title,
            about=about,
            foreign=not about.isascii() and bool(HAN_CHARACTER.search(about)),
            views=views,
            steps=list(steps),
            step=step,
            style=Markup(style()),
            script=Markup(asset("explore.js")),
        )
    )
