"""A page of plain HTML that shows translations of several systems side by side, sentence by sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

import sacrebleu

from widl.arguments import PathLike, path_of
from widl.decoder import Tiles
from widl.errors import InputError
from widl.experiments.phrase_drawing import draw_phrases
from widl.files import write_text
from widl.translation import Translation

PAGE = "index.html"
_SHOWN_ALTERNATIVES = 5


@dataclass(frozen=True)
class Row:
    """A line of the source with what each system made of it, its references and its tiles."""

    number: int
    translations: Mapping[str, Translation]
    references: tuple[str, ...]
    tiles: Sequence[Tiles]

    def bleu(self, system: str) -> float | None:
        """Sentence BLEU (sacrebleu's, smoothing exp), or None without references."""
        if not self.references:
            return None
        text = self.translations[system].text
        return sacrebleu.sentence_bleu(text, list(self.references)).score


def write_side_by_side(
    directory: PathLike,
    systems: Mapping[str, Sequence[Translation]],
    *,
    references: Sequence[Sequence[str]] = (),
    tiles: Sequence[Sequence[Tiles]] = (),
    title: str = "Translations side by side",
) -> Path:
    """Write the page ``index.html`` into `directory`, which is made when it isn't there; returns its path.

    systems: at least one, each with a translation for every line. references: any number of lists, a line each for
    every line. tiles: of every line's pieces, or none. The page needs no network; its rows can be sorted.
    """
    counts = {len(found) for found in systems.values()} | {len(lines) for lines in references}
    if len(counts) != 1:
        numbers = ", ".join(f"{name} {len(found)}" for name, found in systems.items())
        raise InputError(f"lines don't match: {numbers}, references {', '.join(str(len(r)) for r in references)}")
    rows = [
        Row(
            number,
            {name: found[number] for name, found in systems.items()},
            tuple(lines[number] for lines in references),
            tiles[number] if tiles else (),
        )
        for number in range(counts.pop())
    ]
    directory = path_of(directory, "directory")
    directory.mkdir(parents=True, exist_ok=True)
    page = directory / PAGE
    with write_text(page) as file:
        file.write(_head(title))
        file.write(_summary(systems, references))
        file.write(_SORT_BUTTONS)
        file.writelines(_row(row) for row in rows)
        file.write("</main></body></html>\n")
    return page


def _head(title: str) -> str:
    resources = files("widl.experiments")
    style = resources.joinpath("side_by_side.css").read_text(encoding="utf-8")
    script = resources.joinpath("side_by_side.js").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>\n{style}</style><script>\n{script}</script></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n"
    )


def _summary(systems: Mapping[str, Sequence[Translation]], references: Sequence[Sequence[str]]) -> str:
    """A table of all systems over all lines."""
    head = ["system", "lines", "model score", "proved optimal", "seconds a line"]
    bleu = sacrebleu.BLEU()
    if references:
        head.append("BLEU")
    body = []
    for name, found in systems.items():
        count = max(len(found), 1)
        cells = [
            name,
            f"{len(found):,}",
            f"{sum(t.score for t in found) / count:.3f}",
            f"{100 * sum(t.optimal for t in found) / count:.0f} %",
            f"{sum(t.seconds for t in found) / count:.4f}",
        ]
        if references:
            cells.append(f"{bleu.corpus_score([t.text for t in found], [list(r) for r in references]).score:.2f}")
        body.append("".join(f"<td>{escape(cell)}</td>" for cell in cells))
    table = "".join(f"<th>{cell}</th>" for cell in head)
    lines = "".join(f"<tr>{cells}</tr>" for cells in body)
    signature = f"<p class=small>BLEU {escape(str(bleu.get_signature()))}</p>" if references else ""
    return f"<table class=summary><tr>{table}</tr>{lines}</table>{signature}\n"


_SORT_BUTTONS = (
    '<p class=sort>Sort by <button data-key="number">place</button>'
    '<button data-key="score">difference of model scores</button>'
    '<button data-key="bleu">difference of BLEU</button>'
    '<button data-key="length">length</button>'
    "<label><input type=checkbox id=differing> only where outputs differ</label></p>\n"
)


def _row(row: Row) -> str:
    names = list(row.translations)
    first, last = row.translations[names[0]], row.translations[names[-1]]
    bleus = [row.bleu(names[0]), row.bleu(names[-1])]
    difference = bleus[0] - bleus[1] if bleus[0] is not None and bleus[1] is not None else 0.0
    source = first.source
    parts = [
        f'<article data-number="{row.number}" data-score="{first.score - last.score:.6f}" '
        f'data-bleu="{difference:.4f}" data-length="{len(source)}" data-same="{int(first.text == last.text)}">',
        f"<h2>{row.number + 1}</h2><p class=source>{escape(' '.join(source))}</p>",
        *(f"<p class=reference>{escape(reference)}</p>" for reference in row.references),
        '<div class="systems">',
        *(_system(row, name) for name in names),
        "</div>",
        _tiles(row, source),
        "</article>\n",
    ]
    return "".join(parts)


def _system(row: Row, name: str) -> str:
    found = row.translations[name]
    bleu = row.bleu(name)
    facts = [f"score {found.score:.3f}", f"bound {found.bound:.3f}" + (" (optimal)" if found.optimal else "")]
    if bleu is not None:
        facts.append(f"BLEU {bleu:.1f}")
    facts.append(f"{found.states:,} states, {1000 * found.seconds:.1f} ms")
    if found.failure:
        facts.append(f"failed: {found.failure}")
    features = ", ".join(f"{feature} {value:.2f}" for feature, value in found.features.items())
    return (
        f"<section><h3>{escape(name)}</h3><p class=output>{escape(found.text)}</p>"
        f"<p class=small>{escape(' · '.join(facts))}<br>{escape(features)}</p>"
        f"<div class=drawing>{draw_phrases(found.source, found.phrases)}</div></section>"
    )


def _tiles(row: Row, source: Sequence[str]) -> str:
    """Each span's first alternatives, folded away."""
    if not row.tiles:
        return ""
    spans: dict[tuple[int, int], list[str]] = {}
    start = 0
    for piece in row.tiles:
        for begin, end, words, _ in piece.alternatives:
            spans.setdefault((start + begin, start + end), []).append(" ".join(words))
        start += len(piece)
    lines = []
    for (begin, end), alternatives in sorted(spans.items()):
        shown = " | ".join(alternatives[:_SHOWN_ALTERNATIVES])
        more = len(alternatives) - _SHOWN_ALTERNATIVES
        rest = f" … {more} more" if more > 0 else ""
        lines.append(
            f"<tr><td>{begin}–{end - 1}</td><td lang=zh>{escape(' '.join(source[begin:end]))}</td>"
            f"<td>{escape(shown + rest)}</td></tr>"
        )
    count = sum(map(len, spans.values()))
    return (
        f"<details><summary>{len(spans)} tiles, {count:,} alternatives</summary>"
        f"<table>{''.join(lines)}</table></details>"
    )
