"""Examples of docstrings as code: Markdown would take ``>>>`` for quotations."""

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"^(?P<indent> *)>>> .*(?:\n(?P=indent)\S.*|\n(?P=indent) +\S.*)*", re.MULTILINE)


def fenced(text: str) -> str:
    """The text with fences around each example, from its first ``>>>`` to the next empty line."""
    return _EXAMPLE.sub(lambda found: f"{found['indent']}```pycon\n{found[0]}\n{found['indent']}```", text)


class DoctestFences(Extension):
    """Puts fences around the examples of every docstring."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring before it is parsed."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)
