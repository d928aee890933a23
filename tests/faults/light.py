"""What keeps a try short: pictures are not drawn, the parser is read once, the demonstration has a small sample.

None of it changes which files a command writes. `--whole` of the matrix does without.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from spacy.language import Language

_PICTURE = '<svg xmlns="http://www.w3.org/2000/svg"></svg>\n'
SAMPLE = "sample"
"""The demonstration's sample, a folder in the one where it runs."""


def lighten() -> None:
    """Make this process and its forks do less."""
    import spacy
    from matplotlib.figure import Figure

    from widl.headline.parsing import load_parser
    from widl.pipeline import demo

    load, loaded = spacy.load, dict[str, "Language"]()

    def load_once(path: Path, **options: Any) -> "Language":
        if str(path) not in loaded:
            loaded[str(path)] = load(path, **options)
        return loaded[str(path)]

    def write_picture(_: Figure, out: TextIO, **__: Any) -> None:
        out.write(_PICTURE)

    spacy.load = load_once
    _ = load_parser().pipeline  # forks have it
    Figure.savefig = write_picture  # type: ignore[method-assign, assignment]
    Figure.draw_without_rendering = lambda _: None  # type: ignore[method-assign]
    demo.sample_corpus = lambda: Path(SAMPLE).absolute()
