"""A page that shows translations of several systems side by side, sentence by sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import sacrebleu
from markupsafe import Markup

from widl import pages
from widl.common.arguments import PathLike, path_of
from widl.common.errors import InputError
from widl.common.files import write_text
from widl.decoder import Tiles
from widl.pages import Section, page, render
from widl.text.normalization import HAN_CHARACTER
from widl.translation import Translation
from widl.translation.phrase_drawing import draw_phrases

PAGE = "index.html"
_SHOWN_ALTERNATIVES = 5
_CHUNK = 100  # lines that the page shows at first, and then adds at a time


@dataclass(frozen=True)
class TranslatedLine:
    """A source line with the systems' translations, its references and its tiles."""

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
    """Write the page ``index.html`` into `directory`, which is made if it does not exist; returns its path.

    `systems` has at least one, each with a translation of every line; `references` are lists with a line for every
    line; `tiles` has the tiles of every line's segments, or is empty. The page needs no network; rows can be sorted.
    """
    counts = {len(translations) for translations in systems.values()} | {len(lines) for lines in references}
    if len(counts) != 1:
        numbers = ", ".join(f"{name} {len(translations)}" for name, translations in systems.items())
        raise InputError(f"lines don't match: {numbers}, references {', '.join(str(len(r)) for r in references)}")
    rows = [
        TranslatedLine(
            number,
            {name: translations[number] for name, translations in systems.items()},
            tuple(lines[number] for lines in references),
            tiles[number] if tiles else (),
        )
        for number in range(counts.pop())
    ]
    directory = path_of(directory, "directory")
    directory.mkdir(parents=True, exist_ok=True)
    bleu = sacrebleu.BLEU()
    sections = [
        Section("summary", "All lines", [_summary(systems, references, bleu)]),
        Section("lines", "Line by line", [render("side_by_side", lines=list(map(_line, rows)), chunk=_CHUNK)]),
    ]
    signatures = {"BLEU": str(bleu.get_signature())} if references else {}
    path = directory / PAGE
    with write_text(path) as file:
        file.write(page(title, "", sections, signatures=signatures))
    return path


def _summary(
    systems: Mapping[str, Sequence[Translation]], references: Sequence[Sequence[str]], bleu: sacrebleu.BLEU
) -> Markup:
    """A table of all systems over all lines."""
    heads = ["system", "lines", "model score", "proved optimal", "seconds a line"]
    if references:
        heads.append("BLEU")
    rows: list[pages.PageRow] = []
    for name, translations in systems.items():
        count = max(len(translations), 1)
        cells = [
            f"{len(translations):,}",
            f"{sum(t.score for t in translations) / count:.3f}",
            f"{100 * sum(t.optimal for t in translations) / count:.0f} %",
            f"{sum(t.seconds for t in translations) / count:.4f}",
        ]
        if references:
            score = bleu.corpus_score([t.text for t in translations], [list(lines) for lines in references]).score
            cells.append(f"{score:.2f}")
        rows.append((name, cells))
    return pages.table(heads, rows, "all lines")


def _line(row: TranslatedLine) -> dict[str, object]:
    """The template's variables for a line. Lines are sorted by the difference of the first and the last system."""
    names = list(row.translations)
    first, last = row.translations[names[0]], row.translations[names[-1]]
    bleus = [row.bleu(names[0]), row.bleu(names[-1])]
    spans = _alternatives(row.tiles)
    return {
        "number": row.number,
        "score": first.score - last.score,
        "bleu": bleus[0] - bleus[1] if bleus[0] is not None and bleus[1] is not None else 0.0,
        "length": len(first.source),
        "same": first.text == last.text,
        "source": " ".join(first.source),
        "language": "zh" if any(map(HAN_CHARACTER.search, first.source)) else "",
        "references": row.references,
        "systems": [_system(row, alike) for alike in _alike(row.translations)],
        "tiles": len(spans),
        "alternatives": sum(map(len, spans.values())),
        "tile_table": _tile_table(spans, first.source),
    }


def _alike(translations: Mapping[str, Translation]) -> list[list[str]]:
    """The names of the systems, those with the same derivation together."""
    groups: dict[object, list[str]] = {}
    for name, translation in translations.items():
        groups.setdefault((translation.text, translation.phrases), []).append(name)
    return list(groups.values())


def _system(row: TranslatedLine, names: Sequence[str]) -> dict[str, object]:
    """The template's variables for systems with the same derivation."""
    translation = row.translations[names[0]]
    return {
        "name": " and ".join(names),
        "text": translation.text,
        "facts": [_facts(row, name, named=len(names) > 1) for name in names],
        "features": ", ".join(f"{feature} {value:.2f}" for feature, value in translation.features.items()),
        "drawing": Markup(draw_phrases(translation.source, translation.phrases)),
    }


def _facts(row: TranslatedLine, name: str, *, named: bool) -> list[str]:
    translation, bleu = row.translations[name], row.bleu(name)
    facts = [
        (f"{name}: " if named else "") + f"score {translation.score:.3f}",
        f"bound {translation.bound:.3f}" + (" (optimal)" if translation.optimal else ""),
    ]
    if bleu is not None:
        facts.append(f"BLEU {bleu:.1f}")
    facts.append(f"{translation.states:,} states, {1000 * translation.seconds:.1f} ms")
    if translation.failure:
        facts.append(f"failed: {translation.failure}")
    return facts


def _alternatives(tiles: Sequence[Tiles]) -> dict[tuple[int, int], list[str]]:
    """The translations of each span of a line, whose pieces have the tiles."""
    spans: dict[tuple[int, int], list[str]] = {}
    start = 0
    for piece in tiles:
        for begin, end, words, _ in piece.alternatives:
            spans.setdefault((start + begin, start + end), []).append(" ".join(words))
        start += len(piece)
    return spans


def _tile_table(spans: Mapping[tuple[int, int], Sequence[str]], source: Sequence[str]) -> Markup:
    """Each span's first alternatives."""
    rows = []
    for (begin, end), alternatives in sorted(spans.items()):
        more = len(alternatives) - _SHOWN_ALTERNATIVES
        shown = " | ".join(alternatives[:_SHOWN_ALTERNATIVES]) + (f" … {more} more" if more > 0 else "")
        rows.append([f"{begin}–{end - 1}", " ".join(source[begin:end]), shown])
    return pages.text_table(["span", "source", "alternatives"], rows, "tiles")
