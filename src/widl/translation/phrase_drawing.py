"""A drawing of a derivation: source words above, target phrases below, ribbons between them.

It is split into pieces, set side by side up to the width of the page, which wrap like words. A piece ends where all
source words up to that point are translated, and between target phrases if it would be too wide for a phone. Boxes are
tinted, not filled, and text has the page's color, so that a drawing fits light and dark pages.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import Protocol

_HUES = (210, 25, 140, 285, 50, 0, 175, 320, 90, 250)
_ROW, _GAP, _BAND = 24, 6, 34  # pixels: height of a row of text, space between boxes, height of the ribbons
_NARROW, _LATIN, _BROAD, _WIDE = 4.4, 7.6, 11.0, 13.6  # width of a character of 13 pixels
_PADDING = 12  # of a box, both ends together
_WIDEST = 320.0
"""Maximum width of a piece with several phrases, in pixels."""


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
    """HTML that shows the source words each phrase translates."""
    if not phrases:
        return ""
    drawn = "".join(_draw_piece(source, phrases, piece) for piece in pieces(source, phrases))
    style = f"display:flex;flex-wrap:wrap;gap:{_GAP + 2}px {_GAP}px"
    return f'<div class="ribbons" role="group" aria-label="phrases" style="{style}">{drawn}</div>'


def pieces(source: Sequence[str], phrases: Sequence[Phrase]) -> list[range]:
    """The phrases of each piece, by number: all phrases in order, each piece as short as it can be or wide enough."""
    runs: list[range] = []
    for segment in _closed_segments(phrases):
        first = segment.start
        for k in segment:
            if k > first and _width(source, phrases[first : k + 1]) > _WIDEST:
                runs.append(range(first, k))
                first = k
        runs.append(range(first, segment.stop))
    return runs


def _closed_segments(phrases: Sequence[Phrase]) -> Iterator[range]:
    """The shortest runs of phrases behind which all source words up to some position are translated."""
    first = covered = reached = 0
    for k, phrase in enumerate(phrases):
        covered += phrase.end - phrase.begin
        reached = max(reached, phrase.end)
        if covered == reached or k == len(phrases) - 1:
            yield range(first, k + 1)
            first = k + 1


def _width(source: Sequence[str], phrases: Sequence[Phrase]) -> float:
    above = [source[i] for phrase in phrases for i in range(phrase.begin, phrase.end)]
    below = [" ".join(phrase.words) for phrase in phrases]
    return max(sum(_box_width(text) + _GAP for text in texts) for texts in (above, below))


def _draw_piece(source: Sequence[str], phrases: Sequence[Phrase], piece: range) -> str:
    hue = {i: _HUES[k % len(_HUES)] for k in piece for i in range(phrases[k].begin, phrases[k].end)}
    positions = sorted(hue)
    # Words inside the piece's range that other pieces translate.
    gaps = {i for i, after in pairwise(positions) if after > i + 1}
    above, at = {}, 0.0
    for i in positions:
        above[i] = (at, at + _box_width(source[i]))
        at = above[i][1] + _GAP * (3 if i in gaps else 1)
    below, at = {}, 0.0
    for k in piece:
        below[k] = (at, at + _box_width(" ".join(phrases[k].words)))
        at = below[k][1] + _GAP
    width = max(*(right for _, right in (*above.values(), *below.values())), 1.0)
    height = 2 * _ROW + _BAND
    drawn = phrases[piece.start : piece.stop]
    label = " ".join(f"{' '.join(source[phrase.begin : phrase.end])}: {' '.join(phrase.words)}." for phrase in drawn)
    parts = [
        f'<svg width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}" role="img" '
        f'aria-label="{escape(label)}" style="max-width:100%;font:13px sans-serif">'
    ]
    for k in piece:
        left, right = above[phrases[k].begin][0], above[phrases[k].end - 1][1]
        parts.append(_band(left, right, *below[k], _HUES[k % len(_HUES)]))
    parts += [_box(source[i], *above[i], 0, hue[i]) for i in positions]
    parts += [
        f'<text x="{above[i][1] + 1.5 * _GAP:.1f}" y="16.5" text-anchor="middle" fill="currentColor">…</text>'
        for i in sorted(gaps)
    ]
    for k in piece:
        text, color = " ".join(phrases[k].words), _HUES[k % len(_HUES)]
        parts.append(_box(text, *below[k], _ROW + _BAND, color, dashed=phrases[k].unknown))
    return "".join([*parts, "</svg>"])


def _box_width(text: str) -> float:
    return _PADDING + sum(map(_character_width, text))


def _character_width(character: str) -> float:
    if unicodedata.east_asian_width(character) in "WF":
        return _WIDE
    if character in "iljtfrI.,:;!|'’ ()[]-":
        return _NARROW
    return _BROAD if character in "mwMWQOGD%@—" else _LATIN


def _band(left: float, right: float, to_left: float, to_right: float, hue: int) -> str:
    top, bottom, middle = _ROW, _ROW + _BAND, _ROW + _BAND / 2
    path = (
        f"M{left:.1f} {top}C{left:.1f} {middle} {to_left:.1f} {middle} {to_left:.1f} {bottom}H{to_right:.1f}"
        f"C{to_right:.1f} {middle} {right:.1f} {middle} {right:.1f} {top}Z"
    )
    return f'<path d="{path}" fill="hsl({hue} 60% 55%)" fill-opacity=".22"/>'


def _box(text: str, left: float, right: float, top: float, hue: int, *, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="3 2"' if dashed else ""
    return (
        f'<rect x="{left + 0.5:.1f}" y="{top + 0.5:.1f}" width="{right - left - 1:.1f}" height="{_ROW - 1}" rx="4" '
        f'fill="hsl({hue} 60% 55%)" fill-opacity=".2" stroke="hsl({hue} 45% 50%)"{dash}/>'
        f'<text x="{(left + right) / 2:.1f}" y="{top + 16.5:.1f}" text-anchor="middle" fill="currentColor">'
        f"{escape(text)}</text>"
    )
