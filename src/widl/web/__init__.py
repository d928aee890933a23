"""The workbench and the HTTP service (docs/serving.md).

The workbench shows expressions, searches, translations and headlines in a browser and in notebooks.

Both offer the same views: the last line of a notebook cell may be

    ExpressionView(parse("∥(sat, ×(the cat))"))
    SearchView.of(ExpressionSpace(expression, [model]), SearchChoice(), SearchChoice(search="astar-k", k=1)).at(9)
    TranslationView(Translator("model"), "警方正在调查这起事故。")
    HeadlineView(Headliner("headlines"), text)
"""

from typing import TYPE_CHECKING

from widl.common.extras import optional_packages
from widl.common.lazy import lazy_names

with optional_packages():  # the modules of this folder need them
    import h11  # noqa: F401
    import jinja2  # noqa: F401
    import markupsafe  # noqa: F401
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401

if TYPE_CHECKING:
    from widl.web.expression_view import ExpressionView
    from widl.web.headline_view import HeadlineView
    from widl.web.recorded_searches import ExpressionSpace, LineSpace, SearchChoice
    from widl.web.search_replay import Replay
    from widl.web.search_view import SearchView
    from widl.web.service import make_app, serve
    from widl.web.translation_view import TranslationView
    from widl.web.workbench import ViewRequest, Workbench

__all__ = [
    "ExpressionSpace",
    "ExpressionView",
    "HeadlineView",
    "LineSpace",
    "Replay",
    "SearchChoice",
    "SearchView",
    "TranslationView",
    "ViewRequest",
    "Workbench",
    "make_app",
    "serve",
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
