"""What the site has otherwise than the files: no links that lead out, no empty heads of tables, a wide first page."""

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]*\)")
_THEIR_WORKER = re.compile(r'<script src="?https://unpkg.com/iframe-worker[^>]*>')
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>\s*")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """The page with the links that stay in the site; those up from the reference's pages do."""
    if page.file.src_uri == "README.md":
        page.meta["hide"] = ["navigation", "toc"]
    return markdown if "/" in page.file.src_uri else _OUTSIDE.sub(r"\1", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """The page without the heads of tables that have no text: Markdown has no tables without a head."""
    return _EMPTY_HEAD.sub("", html)


def on_post_page(output: str, *, page: Any, **_: Any) -> str:
    """The page with our own script for workers of files: the one of the theme is fetched from the network."""
    return _THEIR_WORKER.sub(f'<script src="{"../" * page.url.count("/")}file_worker.js">', output)


def on_post_template(output_content: str, **_: Any) -> str:
    """The same for pages that have no source, such as 404.html."""
    return _THEIR_WORKER.sub('<script src="file_worker.js">', output_content)
