"""The page that shows translations side by side."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.page import Page
from widl.common.errors import InputError
from widl.decoder import FeatureLayout, FeatureVector
from widl.experiments.side_by_side import write_side_by_side
from widl.translation import Candidate, TranslatedPhrase, Translation
from widl.translation.phrase_drawing import draw_phrases, pieces


def translation(text: str, score: float, source: tuple[str, ...] = ("源", "<b>", "词")) -> Translation:
    phrases = (TranslatedPhrase(2, 3, (text,)), TranslatedPhrase(0, 2, ("&", "co"), unknown=True))
    best = Candidate(text, score, FeatureVector(FeatureLayout(("lm0",)), (score,)), phrases)
    return Translation(
        text=text, source=source, nbest=(best,), bound=score + 1, optimal=False, states=3, edges=4, seconds=0.001,
    )


def test_drawing_is_well_formed_and_shows_every_word_in_its_place() -> None:
    found = translation("<i>", -1.0)
    [svg] = ElementTree.fromstring(draw_phrases(found.source, found.phrases))
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


def phrase(begin: int, end: int, words: str) -> TranslatedPhrase:
    return TranslatedPhrase(begin, end, tuple(words.split()))


def test_pieces_end_where_all_words_so_far_are_translated() -> None:
    source = list("abcdef")
    swapped = [phrase(0, 1, "A"), phrase(2, 3, "C"), phrase(1, 2, "B"), phrase(3, 5, "D E"), phrase(5, 6, "F")]
    assert pieces(source, swapped) == [range(1), range(1, 3), range(3, 4), range(4, 5)]
    backwards = [phrase(i, i + 1, "word") for i in range(5, -1, -1)]
    assert pieces(source, backwards) == [range(6)]
    assert pieces(source, [phrase(2, 3, "C"), phrase(0, 1, "A")]) == [range(2)]  # with words that nothing translates
    assert pieces(source, []) == []


@given(st.permutations(range(9)), st.lists(st.integers(1, 60), min_size=9, max_size=9))
def test_pieces_are_all_phrases_in_order_and_no_wider_than_a_phone(order: list[int], lengths: list[int]) -> None:
    source = ["源" * (1 + length // 12) for length in lengths]
    phrases = [phrase(i, i + 1, "x" * lengths[i]) for i in order]
    found = pieces(source, phrases)
    assert [k for piece in found for k in piece] == list(range(9))
    for piece, svg in zip(found, ElementTree.fromstring(draw_phrases(source, phrases)), strict=True):
        assert len(piece) == 1 or float(svg.get("width", "")) <= 360
        below = [node.text for node in svg.iter("text") if float(node.get("y", 0)) > 30]
        assert below == ["x" * lengths[order[k]] for k in piece]
        rights = [float(box.get("x", 0)) + float(box.get("width", 0)) for box in svg.iter("rect")]
        assert max(rights) <= float(svg.get("width", "")) + 1


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


def test_equal_derivations_are_drawn_once(tmp_path) -> None:
    systems = {"widl": [translation("a", -1.0)], "stack": [translation("a", -1.0)], "third": [translation("b", -1.0)]}
    text = write_side_by_side(tmp_path, systems).read_text(encoding="utf-8")
    assert re.findall(r"<section><h3>(.*?)</h3>", text) == ["widl and stack", "third"]
    assert "widl: score" in text
    assert "third: score" not in text
    assert 'lang="zh">源' in text


def test_a_long_page_has_its_later_lines_in_templates(tmp_path) -> None:
    for count, templates in ((100, 0), (101, 1), (250, 2), (300, 2)):
        lines = [translation(f"line {number}", -1.0) for number in range(count)]
        text = write_side_by_side(tmp_path, {"widl": lines}).read_text(encoding="utf-8")
        Page(text)
        assert text.count('<template class="later">') == text.count("</template>") == templates
        shown = text.partition("<template")[0]
        assert shown.count("<article") == min(count, 100)
        assert text.count("<article") == count
        assert ("Show more of the" in text) == (templates > 0)


def test_without_references_there_is_no_bleu(tmp_path) -> None:
    text = write_side_by_side(tmp_path, {"widl": [translation("a", -1.0)]}).read_text(encoding="utf-8")
    assert ">BLEU<" not in text
