"""Reordering models of Moses' configuration: read with their weights, left out, or an error."""

from math import log
from pathlib import Path

import pytest

from widl.errors import InputError
from widl.phrase_table import PhraseTable
from widl.pipeline.moses_model import MosesImport, import_moses_model
from widl.translation import TranslationOptions, Translator
from widl.translation.manifest import read_manifest

TABLE = """\
a ||| A ||| 1 1 1 1
b ||| B ||| 1 1 0.5 1
b c ||| X ||| 1 1 1 1
c ||| C ||| 1 1 0.5 1
c |||  ||| 1 1 0.25 1
"""
# Backward monotone, swap, discontinuous; then forward.
SCORES = """\
a ||| A ||| 0.60 0.10 0.30 0.55 0.15 0.30
b ||| B ||| 0.20 0.70 0.10 0.25 0.65 0.10
b c ||| X ||| 0.40 0.35 0.25 0.45 0.05 0.50
c |||  ||| 0.50 0.40 0.10 0.15 0.25 0.60
c ||| C ||| 0.12 0.28 0.60 0.22 0.38 0.40
"""
LM = """\\data\\
ngram 1=7

\\1-grams:
-1\t<unk>
-99\t<s>
-1\t</s>
-1\tA
-1\tB
-1\tC
-1\tX

\\end\\
"""
TYPE = "wbe-msd-bidirectional-fe-allff"
INI = f"""\
[feature]
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=table
LexicalReordering name=LexicalReordering0 num-features=6 type={TYPE} input-factor=0 output-factor=0 path=scores
Distortion
KENLM name=LM0 path=lm.arpa
[weight]
WordPenalty0= 0
PhrasePenalty0= 0
TranslationModel0= 0 0 0 0
LexicalReordering0= 0.3 0.4 0.5 0.6 0.7 0.8
Distortion0= 0
LM0= 0
"""
OLD_INI = f"""\
[ttable-file]
0 0 0 4 table
[lmodel-file]
0 0 2 lm.arpa
[weight-t]
0
0
0
0
[weight-l]
0
[weight-w]
0
[distortion-file]
0-0 {TYPE} 6 scores
[weight-d]
0
0.3
0.4
0.5
0.6
0.7
0.8
"""
# As Moses scores hypotheses: the first phrase is monotone if it begins the sentence, else discontinuous; each later one
# counts its own backward score and the forward score of the one before; nothing counts behind the last.
ORDERS = {
    "A B C": [0.60 * 0.20 * 0.12, 1, 1, 0.55 * 0.25, 1, 1],
    "B C A": [0.12, 1, 0.10 * 0.30, 0.25, 1, 0.40],
    "C B A": [1, 0.70 * 0.10, 0.60, 1, 0.38 * 0.65, 1],
    "X A": [1, 0.10, 0.25, 1, 0.05, 1],
    # The empty translation of c between B and A.
    "B A": [0.50, 1, 0.10 * 0.30, 0.25, 1, 0.60],
}
# Under a hierarchical model: backward, "B C" is one block, with which A is swapped; forward, what is behind (before) a
# free position beside the phrase counts as if it were there.
HIERARCHICAL_ORDERS = {
    "A B C": [0.60 * 0.20 * 0.12, 1, 1, 0.55 * 0.25, 1, 1],
    "A C B": [0.60, 0.70, 0.60, 0.55, 0.38, 1],
    "B C A": [0.12, 0.10, 0.10, 0.25, 1, 0.40],
    "C A B": [0.20, 1, 0.60 * 0.30, 0.55, 0.38, 1],
    "C B A": [1, 0.70 * 0.10, 0.60, 1, 0.38 * 0.65, 1],
    "X A": [1, 0.10, 0.25, 1, 0.05, 1],
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("table", TABLE), ("scores", SCORES), ("lm.arpa", LM.replace("1=7", "1=7\nngram 2=1")
                       .replace("\\end\\", "\\2-grams:\n-1\t<s> A\n\n\\end\\"))):
        Path(name).write_text(text, encoding="utf-8")


def imported(ini: str) -> MosesImport:
    Path("moses.ini").write_text(ini, encoding="utf-8")
    return import_moses_model("moses.ini", "model")


@pytest.mark.parametrize(
    ("ini", "orders"),
    [(INI, ORDERS), (OLD_INI, ORDERS), (INI.replace("wbe", "phrase"), ORDERS),
     (INI.replace("wbe", "hier"), HIERARCHICAL_ORDERS)],
)  # fmt: skip
@pytest.mark.parametrize("search", ["astar", "stack"])
def test_scores_are_those_of_moses_by_hand(ini: str, orders: dict[str, list[float]], search: str) -> None:
    assert imported(ini).left_out == []
    with Translator("model") as translator:
        options = TranslationOptions(
            tokenized=True, table_threshold=0, nbest=1000, distinct=False, search=search,
            decoder="stack" if search == "stack" else "widl",
        )
        found = [one for one in translator.translate_one("a b c", options).nbest if len(one.phrases) > 1]
    checked = set()
    for one in found:
        text = " ".join(one.words)
        # Of the two derivations of "B A", the one in which c comes second.
        if text in orders and (text != "B A" or [phrase.begin for phrase in one.phrases] == [1, 2, 0]):
            scores = [log(p) for p in orders[text]]
            assert list(one.features.values())[-6:] == pytest.approx(scores, abs=1e-6)
            weights = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
            assert one.score == pytest.approx(sum(w * h for w, h in zip(weights, scores, strict=True)), abs=1e-4)
            checked.add(text)
    assert checked == set(orders)


def test_one_weight_for_a_direction() -> None:
    ini = INI.replace("allff", "collapseff").replace("num-features=6", "num-features=2")
    ini = ini.replace("0.3 0.4 0.5 0.6 0.7 0.8", "0.3 0.6")
    assert imported(ini).left_out == []
    with Translator("model") as translator:
        weights = {name: value for name, value in translator.weights.items() if name.endswith(("ward",))}
    assert weights == {
        f"{name}_{direction}": value
        for direction, value in (("backward", 0.3), ("forward", 0.6))
        for name in ("monotone", "swap", "discontinuous")
    }


@pytest.mark.parametrize(
    ("kind", "model", "scores"),
    [
        ("msd-fe", "msd-backward-fe", "0.5 0.25 0.25"),
        ("phrase-mslr-unidirectional-fe-allff", "phrase-mslr-backward-fe", "0.4 0.2 0.2 0.2"),
        ("hier-mslr-backward-fe", "hier-mslr-backward-fe", "0.4 0.2 0.2 0.2"),
        ("monotonicity-forward", "monotonicity-forward-fe", "0.5 0.5"),
    ],
)
def test_other_models(kind: str, model: str, scores: str) -> None:
    lines = (line.rpartition("|||")[0] for line in SCORES.splitlines())
    Path("scores").write_text("".join(f"{line}||| {scores}\n" for line in lines), encoding="utf-8")
    count = len(scores.split())
    ini = INI.replace(TYPE, kind).replace("num-features=6", f"num-features={count}")
    ini = ini.replace("0.3 0.4 0.5 0.6 0.7 0.8", " ".join(["0.1"] * count))
    assert imported(ini).left_out == []
    assert read_manifest("model").reordering == model


def test_a_table_of_source_phrases() -> None:
    Path("scores").write_text("".join(f"{f} ||| 0.5 0.25 0.25\n" for f in ("a", "b", "b c", "c")), encoding="utf-8")
    ini = INI.replace(TYPE, "msd-backward-f").replace("num-features=6", "num-features=3")
    assert imported(ini.replace("0.3 0.4 0.5 0.6 0.7 0.8", "1 1 1")).left_out == []
    with PhraseTable.open(Path("model") / "phrase-table.binary") as table:
        assert {len(option.reordering) for _, options in table.iterate() for option in options} == {3}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (TYPE, "leftright-backward-f", "LexicalReordering0: a reordering model of the type leftright-backward-f"),
        (f"type={TYPE} ", "", "LexicalReordering0: a reordering model of the type that it does not name"),
        ("path=scores", "property-index=0", "LexicalReordering0: a reordering model in the phrase table's properties"),
        ("input-factor=0", "input-factor=1", "LexicalReordering0: a reordering model of factors"),
        ("path=scores", "path=scores default-scores=0.3,0.3,0.4,0.3,0.3,0.4",
         "the default scores of LexicalReordering0: the reordering table must have all phrases of the phrase table"),
    ],
)
def test_what_is_left_out(old: str, new: str, told: str) -> None:
    left_out = imported(INI.replace(old, new)).left_out
    assert left_out == [f"moses.ini:5: left out: {told}"]
    with Translator("model") as translator:
        assert any(name.endswith("ward") for name in translator.features) == ("default" in told)


def test_a_second_model_and_a_second_table() -> None:
    second = INI.replace(
        "Distortion\n",
        f"LexicalReordering name=Other num-features=6 type={TYPE} path=scores\nDistortion\n"
        "PhraseDictionaryMemory name=More num-features=4 path=table\n", 1,
    ).replace("Distortion0=", "Other= 1 1 1 1 1 1\nMore= 0 0 0 0\nDistortion0=")
    assert imported(second).left_out == [
        "moses.ini:6: left out: Other: widl has one reordering model",
        "moses.ini:8: left out: reordering scores of More: only the first table's phrases have them",
    ]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("moses.ini", "path=scores", "path=nowhere", "moses.ini:5: no such file: nowhere"),
        ("moses.ini", "path=scores", "", "moses.ini:5: LexicalReordering0 has no path="),
        ("moses.ini", " 0.8", "", f"moses.ini:5: LexicalReordering0 has 5 weights, but {TYPE} needs 6"),
        ("moses.ini", "LexicalReordering0= 0.3 0.4 0.5 0.6 0.7 0.8\n", "",
         f"moses.ini:5: LexicalReordering0 has no weights, but {TYPE} needs 6"),
        ("moses.ini", "num-features=6", "num-features=3",
         "moses.ini:5: LexicalReordering0: num-features=3, but its type has 6"),
        ("scores", "b ||| B ||| 0.20 0.70 0.10 0.25 0.65 0.10\n", "",
         "table:2: the phrase pair 'b ||| B' has no scores in the reordering table; filter both tables alike"),
        ("scores", " 0.10\n", "\n",
         "scores:2: expected 6 scores of the reordering model, found 5; name the model that the table is of"),
        ("scores", "0.70", "seven", "scores:2: a score must be a probability, found 'seven'"),
    ],
)
def test_what_makes_no_model(file: str, old: str, new: str, message: str) -> None:
    texts = {"moses.ini": INI, "scores": SCORES}
    texts[file] = texts[file].replace(old, new, 1)
    for name, text in texts.items():
        Path(name).write_text(text, encoding="utf-8")
    before = sorted(Path().iterdir())
    with pytest.raises(InputError) as caught:
        import_moses_model("moses.ini", "model")
    assert str(caught.value) == message
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (f"0-0 {TYPE} 6 scores", TYPE,
         f"moses.ini:15: expected factors, type, number of weights and path, found '{TYPE}'"),
        (f"{TYPE} 6", f"{TYPE} six", "moses.ini:15: expected the number of scores, found 'six'"),
        (f"{TYPE} 6", f"{TYPE} 7", "moses.ini:15: 7 weights are needed, but [weight-d] has 6 for it"),
        (f"{TYPE} 6", f"{TYPE} 5", "moses.ini:17: [weight-d] has 1 weights more than its files need"),
    ],
)
def test_an_old_configuration_that_makes_no_model(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        imported(OLD_INI.replace(old, new))
    assert str(caught.value) == message
    assert not Path("model").exists()
