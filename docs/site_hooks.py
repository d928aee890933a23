"""What the site has otherwise than the files: links that lead out of it are plain text."""

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The page with the links that stay in the site; those up from the reference's pages do."""
    return markdown if "/" in page.file.src_uri else _OUTSIDE.sub(r"\1", markdown)
