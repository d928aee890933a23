"""The page that shows translations side by side."""

import re
from xml.etree import ElementTree

import pytest

from tests.page import Page
from widl.decoder import FeatureLayout, FeatureVector
from widl.errors import InputError
from widl.experiments.side_by_side import write_side_by_side
from widl.translation import Candidate, TranslatedPhrase, Translation
from widl.translation.phrase_drawing import draw_phrases


def translation(text: str, score: float, source: tuple[str, ...] = ("源", "<b>", "词")) -> Translation:
    phrases = (TranslatedPhrase(2, 3, (text,)), TranslatedPhrase(0, 2, ("&", "co"), unknown=True))
    best = Candidate(text, score, FeatureVector(FeatureLayout(("lm0",)), (score,)), phrases)
    return Translation(
        text=text, source=source, nbest=(best,), bound=score + 1, optimal=False, states=3, edges=4, seconds=0.001,
    )


def test_drawing_is_well_formed_and_shows_every_word_in_its_place() -> None:
    found = translation("<i>", -1.0)
    svg = ElementTree.fromstring(draw_phrases(found.source, found.phrases))
    texts = [(node.text, float(node.get("x", 0)), float(node.get("y", 0))) for node in svg.iter("text")]
    above = sorted((x, text) for text, x, y in texts if y < 30)
    below = sorted((x, text) for text, x, y in texts if y > 30)
    assert [text for _, text in above] == ["源", "<b>", "词"]
    assert [text for _, text in below] == ["<i>", "& co"]
    bands = list(svg.iter("path"))
    assert len(bands) == 2
    boxes = [(float(r.get("x", 0)), float(r.get("width", 0)), float(r.get("y", 0))) for r in svg.iter("rect")]
    # The first phrase's band hangs from the third source word.
    third = sorted(x for x, _, y in boxes if y < 10)[2]
    start = float(re.match(r"M([\d.]+) ", bands[0].get("d", ""))[1])
    assert start == pytest.approx(third - 0.5, abs=0.11)
    assert draw_phrases((), ()) == ""


def test_page(tmp_path) -> None:
    systems = {
        "widl": [translation("the house", -1.0), translation("a <cat>", -2.0)],
        "stack": [translation("the house", -1.5), translation("dogs", -4.0)],
    }
    page = write_side_by_side(tmp_path / "new", systems, references=[["the house", "a cat"]])
    text = page.read_text(encoding="utf-8")
    assert "http" not in text  # self-contained
    Page(text)
    articles = re.findall(r"<article (.*?)>", text)
    facts = [dict(re.findall(r'data-(\w+)="(.*?)"', article)) for article in articles]
    assert [f["same"] for f in facts] == ["1", "0"]
    assert [float(f["score"]) for f in facts] == pytest.approx([0.5, 2.0])
    assert float(facts[1]["bleu"]) > 0
    assert "a &lt;cat&gt;" in text
    assert "<cat>" not in text
    assert "-1.500" in text  # mean score of widl
    with pytest.raises(InputError, match="lines don't match: widl 2, stack 2, references 1"):
        write_side_by_side(tmp_path / "other", systems, references=[["the house"]])
    assert not (tmp_path / "other").exists()


def test_without_references_there_is_no_bleu(tmp_path) -> None:
    text = write_side_by_side(tmp_path, {"widl": [translation("a", -1.0)]}).read_text(encoding="utf-8")
    assert ">BLEU<" not in text
