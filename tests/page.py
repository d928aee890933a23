"""The reader that checks pages."""

from html.parser import HTMLParser

_VOID = {"meta", "link", "br", "hr", "img", "input"}


class Page(HTMLParser):
    """Parses a page: tags must be balanced, ids unique, references resolved, and no external resources loaded."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.wanted: set[str] = set()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.raw: list[str] = []
        assert text.startswith("<!DOCTYPE html>\n")
        self.feed(text)
        self.close()
        assert self.open == []
        assert self.wanted <= self.ids

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        result = dict(attrs)
        assert len(result) == len(attrs), f"an attribute twice in <{tag}>"
        self.tags.append((tag, result))
        if tag not in _VOID:
            self.open.append(tag)
        for name, value in attrs:
            assert name not in ("src", "srcset", "data", "action", "xlink:href"), (tag, name)
            assert "//" not in (value or "") or name in ("content", "title"), (tag, name, value)
            if name == "id":
                assert value not in self.ids, f"id {value} twice"
                self.ids.add(value or "")
            if name == "href":
                assert (value or "").startswith("#"), value
                self.wanted.add((value or "")[1:])
            if name == "aria-labelledby":
                self.wanted |= set((value or "").split())
            if value and "url(" in value:
                assert "url(#" in value
                self.wanted.add(value.partition("url(#")[2].partition(")")[0])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self.open[-1] if self.open else ""
        if inside in ("style", "script"):
            self.raw.append(data)
            assert "http" not in data
            assert "@import" not in data
        elif data.strip():
            self.texts.append(data.strip())

    def count(self, tag: str, **attributes: str) -> int:
        """Number of elements with these attributes."""
        return sum(
            name == tag and all(result.get(key.rstrip("_")) == value for key, value in attributes.items())
            for name, result in self.tags
        )
