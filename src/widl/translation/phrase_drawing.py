"""A drawing of a derivation: source words above, target phrases below, bands between them."""

import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Protocol

_HUES = (210, 25, 140, 285, 50, 0, 175, 320, 90, 250)
_ROW, _GAP, _BAND = 24, 8, 46  # pixels: height of a row of text, space between boxes, height of the bands
_LATIN, _WIDE, _PADDING = 7.4, 14.5, 10


class Phrase(Protocol):
    """Source positions [begin, end) and their target words."""

    @property
    def begin(self) -> int: ...  # noqa: D102

    @property
    def end(self) -> int: ...  # noqa: D102

    @property
    def words(self) -> Sequence[str]: ...  # noqa: D102

    @property
    def unknown(self) -> bool:
        """Passed through untranslated."""


def draw_phrases(source: Sequence[str], phrases: Sequence[Phrase]) -> str:
    """An SVG of which source words each phrase translates, as wide as its words need."""
    if not phrases:
        return ""
    colour = {i: k for k, phrase in enumerate(phrases) for i in range(phrase.begin, phrase.end)}
    above = _boxes(source)
    below = _boxes([" ".join(phrase.words) for phrase in phrases])
    width = max(above[-1][1], below[-1][1])
    parts = [
        f'<svg width="{width:.0f}" height="{2 * _ROW + _BAND}" viewBox="0 0 {width:.0f} {2 * _ROW + _BAND}" '
        'role="img" aria-label="phrase alignment">'
    ]
    for k, phrase in enumerate(phrases):
        left, right = above[phrase.begin][0], above[phrase.end - 1][1]
        parts.append(_band(left, right, *below[k], _HUES[k % len(_HUES)]))
    for i, word in enumerate(source):
        parts.append(_box(word, *above[i], 0, _HUES[colour[i] % len(_HUES)] if i in colour else None))
    for k, phrase in enumerate(phrases):
        text = " ".join(phrase.words)
        parts.append(_box(text, *below[k], _ROW + _BAND, _HUES[k % len(_HUES)], dashed=phrase.unknown))
    return "".join([*parts, "</svg>"])


def _boxes(texts: Sequence[str]) -> list[tuple[float, float]]:
    """The left and right edge of each text's box in a row."""
    edges, at = [], 0.0
    for text in texts:
        width = _PADDING + sum(_WIDE if unicodedata.east_asian_width(c) in "WF" else _LATIN for c in text)
        edges.append((at, at + width))
        at += width + _GAP
    return edges


def _band(left: float, right: float, to_left: float, to_right: float, hue: int) -> str:
    top, bottom, middle = _ROW, _ROW + _BAND, _ROW + _BAND / 2
    path = (
        f"M{left:.1f} {top}C{left:.1f} {middle} {to_left:.1f} {middle} {to_left:.1f} {bottom}H{to_right:.1f}"
        f"C{to_right:.1f} {middle} {right:.1f} {middle} {right:.1f} {top}Z"
    )
    return f'<path d="{path}" fill="hsl({hue} 60% 75%)" fill-opacity=".45"/>'


def _box(text: str, left: float, right: float, top: float, hue: int | None, *, dashed: bool = False) -> str:
    fill = "#eee" if hue is None else f"hsl({hue} 70% 88%)"
    stroke = "#999" if hue is None else f"hsl({hue} 45% 50%)"
    dash = ' stroke-dasharray="3 2"' if dashed else ""
    width = right - left
    return (
        f'<rect x="{left + 0.5:.1f}" y="{top + 0.5:.1f}" width="{width - 1:.1f}" height="{_ROW - 1}" rx="4" '
        f'fill="{fill}" stroke="{stroke}"{dash}/><text x="{left + _PADDING / 2:.1f}" y="{top + 16.5:.1f}" '
        f'textLength="{width - _PADDING:.1f}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>'
    )
