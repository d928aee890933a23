"""Ranking: hand-computed features, the tag model compared with its definition, warnings about doubtful headlines."""

import math
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import widl.headline
from tests.headline.parses import parsed, words
from tests.headline.searches import searched
from widl.headline.deletion_model import DeletionModel
from widl.headline.document_trees import DocumentTrees
from widl.headline.doubt import MIN_CONFIDENCE, likely_error, unjudged
from widl.headline.headliner import Headliner
from widl.headline.options import HeadlineOptions
from widl.headline.phrase_counts import phrase_counts
from widl.headline.punctuation import SurfaceWord
from widl.headline.ranking import QUESTIONS, TagModel, ranking_model
from widl.headline.ranking_features import headline_features, words_to_add
from widl.headline.results import Headline
from widl.headline.units import UnitTree
from widl.headline.whole_phrases import is_whole_clause
from widl.headline.word_forms import WordForms

TEXT = "The club was accused of fraud by a court in Essen."


def made(text: str, *kept: str) -> tuple[DocumentTrees, list[SurfaceWord]]:
    [sentence] = words(text)
    trees = DocumentTrees([UnitTree(sentence)], DeletionModel({}, {}), WordForms({}, {}))
    return trees, [SurfaceWord(word, 0, i) for i, word in enumerate(sentence) if word.key in kept]


def test_features_by_hand() -> None:
    trees, said = made(TEXT, "club", "accused", "by", "court")
    features = headline_features(trees, 0, said, TagModel({}), behind=3.0)
    assert features["short"] == 1
    assert features["behind"] == math.log1p(3)
    # The club and the court stay; of fraud and in Essen go.
    assert features["guards broken"] >= 1  # of fraud
    assert features["deleted beside"] == 2
    assert features["right kept"] == features["left kept"] == 1
    assert features["noun share"] == pytest.approx(2 / 4)
    assert features["depth"] == 1
    # No phrase on the right of the club is cut, and the court keeps none: in Essen is cut.
    assert features["last need"] == phrase_counts().need(said[-1].word) > 0
    expected = [trees.shortened.word(0, i) for i in range(len(trees.trees[0].words))]
    kept = sum(expected[word.position] for word in said)
    assert features["share of kept"] == pytest.approx(kept / sum(expected))


def test_needs_and_pairs_are_counted() -> None:
    [sentence] = words("Natural gas funds met a man with allegations.")
    needs = {word.key: phrase_counts().need(word) for word in sentence}
    assert needs["gas"] < needs["man"] < needs["allegations"]
    tree = UnitTree(sentence)
    assert [tree.content(k).key for k in range(len(tree)) if phrase_counts().is_pair(tree, k)] == ["natural"]


def test_the_model_of_the_package_knows_all_features() -> None:
    trees, said = made(TEXT, "club", "accused", "fraud")
    features = headline_features(trees, 0, said, ranking_model().tags)
    judgment = ranking_model().judgment(features)
    for model in ranking_model().models.values():
        assert {name for name in model.weights if ":" not in name} == {name for name in features if ":" not in name}
        assert any(":" in name for name in model.weights.keys() & features.keys())
    assert all(0 < getattr(judgment, question) < 1 for question in QUESTIONS)
    assert judgment.confidence == pytest.approx(judgment.true * judgment.readable * judgment.news)
    assert getattr(judgment, judgment.weakest) == min(judgment.true, judgment.readable, judgment.news)


def test_patterns_by_hand() -> None:
    trees, said = made(TEXT, "club", "accused", "by", "court")
    patterns = {name for name in headline_features(trees, 0, said, TagModel({})) if ":" in name}
    assert {"word:club", "first:club", "first:NN nsubj:pass", "last:NN obl:agent"} <= patterns
    assert {"forms:< NN", "forms:NN VBN", "forms:NN >"} <= patterns
    assert {"unit:nsubj:pass NOUN", "cut:VERB phrase of>", "cut:accuse phrase"} <= patterns
    assert {"gap:VBN IN", "gap:VBN (of)", "gap:VBN (of) IN", "gap:accused (of)", "gap:VBN IN case"} <= patterns
    assert {"end: (in)", "end:NN (in)", "end:court (in)"} <= patterns
    at_noun = {name for name in patterns if name.startswith("gap:NN")}
    assert at_noun == {"gap:NN VBN", "gap:NN (was)", "gap:NN (was) VBN", "gap:NN VBN root"}
    whole, every = made(TEXT, *TEXT.lower().rstrip(".").split())
    assert not [name for name in headline_features(whole, 0, every, TagModel({})) if name.startswith(("gap:", "cut:"))]
    assert "end:. (>)" in headline_features(whole, 0, every, TagModel({}))


def test_no_name_is_a_pattern() -> None:
    patterns = [
        name.replace("NNP", "").replace("PROPN", "")
        for kept in ("miners met israeli smith", "smith of essen met miners", "smith of acme")
        for trees, said in [made("Smith of Acme in Essen met miners and Israeli Jo Smith.", *kept.split())]
        for name in headline_features(trees, 0, said, TagModel({}))
        if ":" in name
    ]
    assert not [name for name in patterns if any(key in name for key in ("smith", "israeli", "essen", "acme", "jo"))]


def test_words_to_add_by_hand() -> None:
    [sentence] = words(TEXT)
    places = [(1, 3), (1, 3, 5), (1, 3, 5, 8), (1, 8), (3, 5)]
    candidates = [[SurfaceWord(sentence[i], 0, i) for i in chosen] for chosen in places]
    assert words_to_add(candidates) == [2, 1, 0, 2, 2]


def test_a_unit_that_is_passed_over_is_not_deleted() -> None:
    trees, said = made("The club met a group of miners.", "club", "met", "miners")
    whole, _ = made("The club met a group of miners.")
    features = headline_features(trees, 0, said, TagModel({}))
    assert features["deleted right"] == 0
    assert features["fuller"] == features["much fuller"] == 0
    assert headline_features(whole, 0, said, TagModel({}), fuller=7)["much fuller"] == 4


ROWS = st.lists(st.lists(st.sampled_from("ABC"), max_size=4), max_size=6)


@given(ROWS, st.lists(st.sampled_from("ABCD"), max_size=4))
def test_tags_have_the_probabilities_of_their_counts(sentences: list[list[str]], tags: list[str]) -> None:
    model = TagModel.trained(sentences, fewest=1)
    rows = [["<", "<", *sentence, ">"] for sentence in sentences]

    def share(history: list[str], tag: str) -> float:
        n = len(history)
        seen = Counter(tuple(row[i - n : i + 1]) for row in rows for i in range(2, len(row)))
        total = sum(count for grams, count in seen.items() if list(grams[:-1]) == history)
        return seen[(*history, tag)] / total if total else 0.0

    row = ["<", "<", *tags, ">"]
    for i, result in enumerate(model.log_probabilities(tags), 2):
        mixed = sum(w * share(row[i - n : i], row[i]) for n, w in ((2, 0.7), (1, 0.25), (0, 0.05)))
        assert result == pytest.approx(math.log(mixed + 1e-3))


ERRORS = [
    (TEXT, {"club", "was", "accused"}, "the restriction 'of fraud' is lost"),
    ("Mine owners met miners at the port.", {"owners", "met", "miners"}, "'owners' is torn from 'mine'"),
    ("Rain in the north.", {"rain"}, "the sentence may be misread"),
]


@pytest.mark.parametrize(("text", "kept", "reason"), ERRORS)
def test_the_likely_error(text: str, kept: set[str], reason: str) -> None:
    trees, said = made(text, *kept)
    assert likely_error(trees, 0, {word.position for word in said}) == reason


def test_whole_clauses_have_a_verb_and_a_subject() -> None:
    whole = {text: is_whole_clause(UnitTree(words(text)[0]), 0) for text in (TEXT, "Rain in the north.")}
    assert whole == {TEXT: True, "Rain in the north.": False}


@pytest.mark.slow
def test_an_improbable_headline_gives_way_to_the_first_clause_or_is_marked(
    headlines: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    headliner = Headliner(headlines)  # type: ignore[arg-type]
    assert MIN_CONFIDENCE < 0.5
    monkeypatch.setattr("widl.headline.doubt.MIN_CONFIDENCE", 1.0)
    made = {most: headliner.generate_one(TEXT, words=most) for most in (10, 11)}
    assert (made[11].kind, made[11].text) == ("clause", "The club was accused of fraud by a court in Essen")
    assert made[10].kind == "doubtful"
    assert made[10].message.startswith("doubtful: ")
    assert not made[10].failed
    best = searched(headliner.model, parsed(TEXT), HeadlineOptions(words=10, ranked=0), headliner.weights)
    assert best.kind == "headline"


def test_a_headline_of_an_unknown_text_is_doubtful_without_a_confidence() -> None:
    headline = Headliner().generate_one(TEXT)
    assert (headline.kind, headline.confidence is None) == ("headline", False)
    foreign = unjudged(headline)
    assert (foreign.kind, foreign.confidence, foreign.best.confidence) == ("doubtful", None, None)
    assert foreign.text == headline.text
    beginning = Headline(identifier="1", text="The club", kind="beginning")
    assert unjudged(beginning) == beginning


def test_one_module_marks_headlines_as_doubtful() -> None:
    """What makes a headline doubtful is told in one place."""
    marking = re.compile(r"kind\b.*\"doubtful\"")
    folder = Path(widl.headline.__file__).parent
    found = {path.stem for path in folder.glob("*.py") if marking.search(path.read_text(encoding="utf-8"))}
    assert found == {"doubt"}
