"""A line passes through each stage only once, and threads may share a translator."""

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from widl.common.workers import LocalEngine
from widl.decoder import CoreRealizer
from widl.pipeline.demo import sample_corpus
from widl.text.detokenization import Detokenizer
from widl.text.segmentation import ChineseSegmenter
from widl.translation import TranslationOptions, Translator, tiling

LINES = (sample_corpus() / "test.zh").read_text(encoding="utf-8").splitlines()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Number of calls with a line, or its tiles, in each stage."""
    counted: Counter[str] = Counter()

    def count(name: str, owner: object, attribute: str, size: object = None) -> None:
        original = getattr(owner, attribute)

        def counting(*arguments: object, **options: object) -> object:
            counted[name] += len(arguments[1]) if size is len else 1  # type: ignore[arg-type]
            return original(*arguments, **options)

        monkeypatch.setattr(owner, attribute, counting)

    count("normalize", ChineseSegmenter, "normalize")
    count("segment", ChineseSegmenter, "split")
    count("tile", tiling.Tiler, "tile", len)
    count("search", CoreRealizer, "realize", len)
    count("detokenize", Detokenizer, "detokenize")
    return counted


ROOMS = ("normalize", "tile", "search", "detokenize")


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("engine", [None, LocalEngine(2)])
def test_the_api(calls: Counter[str], trained: Path, threads: int, engine: LocalEngine | None, tmp_path: Path) -> None:
    (tmp_path / "terms").write_text("总统\tboss\n", encoding="utf-8")
    model = Translator(trained)
    options = TranslationOptions(glossary=tmp_path / "terms")
    next(model.translate(["总统"], options))  # reads the glossary
    calls.clear()
    result = list(model.translate(LINES[:70], options, threads=threads, engine=engine))
    segmented = calls.pop("segment")
    assert calls == dict.fromkeys(ROOMS, len(result))
    assert len(result) < segmented < 2 * len(result)  # lines with numbers once more: words are no numbers


def test_what_is_normalized_once_is_read_as_without_a_glossary(trained: Path) -> None:
    """If no terms or entities are found, the lookup doesn't change tokens."""
    model = Translator(trained)
    texts = [*LINES, "AI,FAIR", '他说:"好".', "１２３,４５６元", "a--b…", "Mr. Smith's e-mail: a.b@c.de", "3.5万,AI"]
    for text in texts:
        plain = model.reader(TranslationOptions(entities="none")).read(text).tokens
        looked = model.reader(TranslationOptions(entities="constraint")).read(text)
        if not looked.given:
            assert looked.tokens == plain
        assert "".join(looked.tokens) == "".join(plain)


def test_threads_share_a_translator(trained: Path) -> None:
    """Threads sharing a translator get the same results as a single thread, with all options."""
    model = Translator(trained)
    kinds = [TranslationOptions(nbest=3), TranslationOptions(decoder="stack"), TranslationOptions(distortion_limit=0)]

    def run(number: int) -> list[str]:
        options = kinds[number % len(kinds)]
        weights = model.weights | {"word_count": float(number % 2)}
        shared = model.reweighted(weights) if number % 2 else model
        return [json.dumps({**t.as_dict(), "seconds": 0}) for t in shared.translate(LINES[:25], options)]

    alone = [run(number) for number in range(6)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(run, [number % 6 for number in range(24)]))
    assert together == alone * 4
