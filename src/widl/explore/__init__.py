"""The workbench: expressions, searches, translations and headlines to look at, in a browser and in notebooks.

The views are the same in both: the last line of a notebook's cell may be

    ExpressionView(parse("∥(sat, ×(the cat))"))
    SearchView.of(ExpressionSpace(expression, [model]), SearchChoice(), SearchChoice(search="astar-k", k=1)).at(9)
    TranslationView(Translator("model"), "警方正在调查这起事故。")
    HeadlineView(Headliner("headlines"), text)
"""

from typing import TYPE_CHECKING

from widl.common.lazy import lazy_names

if TYPE_CHECKING:
    from widl.explore.expression_view import ExpressionView
    from widl.explore.headline_view import HeadlineView
    from widl.explore.replay import Replay
    from widl.explore.search_view import SearchView
    from widl.explore.searches import ExpressionSpace, LineSpace, SearchChoice
    from widl.explore.translation_view import TranslationView
    from widl.explore.workbench import ViewRequest, Workbench

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
]

__getattr__, __dir__ = lazy_names(__name__, __file__)
