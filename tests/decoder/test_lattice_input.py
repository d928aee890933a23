"""Lattices as input: read from other programs' formats, searched like expressions."""

import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.expressions.random_expressions import Generator
from tests.reference.widl_semantics import strings_of as strings_of_expression
from widl import InputError
from widl.decoder import LanguageModel, Lattice, Realizer, audit_lattice, lattice_of_fst, read_lattices
from widl.decoder.features import FeatureLayout
from widl.decoder.lattice_json import lattice_json
from widl.expressions import Expression, bag, make_acceptor, parse_expression
from widl.expressions.unfolding import log_sum

LINES = ["the old mill by the river turns", "the mill turns by the old river", "an old river turns the mill"]
WORDS = LINES[0].split()


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.estimate(LINES, order=3)


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Lattice]:
    """Reads the only lattice in a text."""

    def lattice_of(text: str, **more: str) -> Lattice:
        (tmp_path / "lattice").write_text(text, encoding="utf-8")
        for name, content in more.items():
            (tmp_path / name).write_text(content, encoding="utf-8")
        [lattice] = read_lattices(tmp_path / "lattice", **{name: tmp_path / name for name in more})
        return lattice

    return lattice_of


def strings_of(lattice: Lattice) -> dict[str, float]:
    """ln of the sum over all paths of each string."""
    result = Realizer([]).realize_one(lattice, nbest=100_000)
    sums: dict[str, float] = {}
    for item in result.nbest:
        sums[item.text] = log_sum([sums[item.text], item.score]) if item.text in sums else item.score
    return sums


@pytest.mark.parametrize("seed", range(8))
def test_what_an_acceptor_writes_is_read_again(seed: int, read: Callable[..., Lattice]) -> None:
    rng = random.Random(seed)
    generator = Generator(rng, with_tiles=False, words=WORDS)
    generator.components = 1
    expression: Expression = generator.expression(rng.randint(2, 4)).expression
    acceptor = make_acceptor(expression)
    probabilities = {string: float(p) for string, (p,) in strings_of_expression(expression).items()}
    arcs = [[arc.source, arc.target, arc.word, arc.probabilities[0]] for arc in acceptor.arcs]
    as_json = json.dumps({"states": acceptor.states, "final": acceptor.final, "arcs": arcs})
    for text in (acceptor.to_text(), as_json):
        result = strings_of(read(text))
        assert result.keys() == {string for string, p in probabilities.items() if p > 0}
        for string, score in result.items():
            assert math.exp(score) == pytest.approx(probabilities[string], rel=1e-6)


@pytest.mark.parametrize("search", ["stack", "astar", "beam"])
def test_the_lattice_of_a_search_is_read_again(search: str, model: LanguageModel, read: Callable[..., Lattice]) -> None:
    weights = {"widl": 1.0, "lm0": 0.7, "word_count": -0.3, "phrase_count": 0.0, "distortion": 0.0, "unknown": 0.0}
    layout = FeatureLayout.of(["widl"], 1)
    realizer = Realizer(model, weights)
    for line in LINES:
        result = realizer.realize_one(bag(line), search=search, lattice=True, lattice_arcs=0)
        assert result.lattice is not None
        again = Realizer([]).realize_one(read(lattice_json(0, result.lattice, [], layout, weights)))
        assert (again.text, again.optimal) == (result.text, True)
        assert again.score == pytest.approx(result.score, abs=1e-6)


MOSES = """UTTERANCE=Sentence_0
VERSION=1.1
base=2.71828182845905
NODES=4
LINKS=4
# LM0 LM0 1 of 1
x0scale=0.5
# PhrasePenalty0 PhrasePenalty0 1 of 1
x1scale=0.25
J=0 S=0 E=1 W=old , x0=-2 , x1=1
J=1 S=1 E=2 W=mill , x0=0 , x1=0
J=2 S=0 E=2 W=mill , x0=-1 , x1=1
J=3 S=2 E=3
"""


def test_moses_search_graphs_are_read(read: Callable[..., Lattice]) -> None:
    lattice = read(MOSES)
    assert lattice.width == 2
    result = Realizer([]).realize_one(lattice, nbest=5)
    assert {item.text: item.score for item in result.nbest} == pytest.approx({"mill": -0.25, "old mill": -0.75})


def test_words_of_nodes_bases_and_penalties_of_slf(read: Callable[..., Lattice]) -> None:
    text = """VERSION=1.0
base=10 lmscale=2 wdpenalty=-1 start=0 end=3
N=4 L=4
I=0 W=<s>
I=1 W="a \\"b\\""
I=2 W=c
I=3 W=!NULL
J=0 S=0 E=1 a=-1 l=-2
J=1 S=0 E=2 a=-1 l=-3
J=2 S=1 E=3 a=0 l=0
J=3 S=2 E=3 a=0 l=0
"""
    result = Realizer([]).realize_one(read(text), nbest=2)
    assert [item.text for item in result.nbest] == ['a "b"', "c"]
    assert [item.score for item in result.nbest] == pytest.approx([-6 * math.log(10), -8 * math.log(10)])


@pytest.mark.parametrize(
    ("nodes", "links", "expected"),
    [
        ("I=0 W=the\nI=1 W=cat\nI=2 W=sat\n", "J=0 S=0 E=1 a=-1\nJ=1 S=1 E=2 a=-1\n", {"the cat sat": -5.0}),
        ("I=0 W=!NULL\nI=1 W=cat\nI=2 W=sat\n", "J=0 S=0 E=1 a=-1\nJ=1 S=1 E=2 a=-1\n", {"cat sat": -4.0}),
        ("I=0 W=the\nI=1\nI=2 W=sat\n", "J=0 S=0 E=1 W=cat a=-1\nJ=1 S=1 E=2 a=-1\n", {"the cat sat": -5.0}),
        # The words are those of the links.
        ("I=0 W=x\nI=1 W=y\nI=2 W=z\n", "J=0 S=0 E=1 W=cat a=-1\nJ=1 S=1 E=2 W=sat a=-1\n", {"cat sat": -4.0}),
        ("I=0 W=the\nI=1 W=a\nI=2 W=b\n", "J=0 S=0 E=1 a=-1\nJ=1 S=0 E=2 a=-2\n", {"the a": -3.0, "the b": -4.0}),
        # The last node is the first one, too.
        ("I=0 W=the\n", "", {"the": -1.0}),
    ],
)
def test_the_word_of_the_start_node_of_slf(
    nodes: str, links: str, expected: dict[str, float], read: Callable[..., Lattice]
) -> None:
    """Each word costs 1 besides."""
    counts = f"N={nodes.count('I=')} L={links.count('J=')}"
    lattice = read(f"VERSION=1.0\nwdpenalty=-1\n{counts}\n{nodes}{links}")
    result = Realizer([]).realize_one(lattice, nbest=5)
    assert {item.text: item.score for item in result.nbest} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1 a a\n1 2 b b\n2\n", 0.0),  # two labels, no cost
        ("0 1 a a\n1 2 b b 2.5\n2\n", -2.5),
        ("0 1 5 5\n1 2 6 2.5\n2\n", -7.5),  # one label, and a cost that looks like it
        ("0 1 5 5\n1 2 6 6\n2\n", 0.0),
        ("0 1 5 5 5\n1 2 6 6\n2\n", -5.0),
    ],
)
def test_costs_and_second_labels_of_openfst(text: str, expected: float, read: Callable[..., Lattice]) -> None:
    result = Realizer([]).realize_one(read(text))
    assert result.text in ("a b", "5 6")
    assert result.score == pytest.approx(expected)


def test_long_names_further_scores_and_octal_escapes_of_slf(read: Callable[..., Lattice]) -> None:
    text = """# made by hand
VERSION=1.0
NODES=3 LINKS=3 prscale=2
I=0 TIME=0
I=1 time=0.1
I=2
J=0 START=0 END=1 WORD="M\\303\\274hle" acoustic=-1 language=-2 n=-0.5 r=-0.25
J=1 START=1 END=2 WORD=b ACOUSTIC=-2
J=2 START=0 END=2 WORD=b a=-9
"""
    result = Realizer([]).realize_one(read(text), nbest=3)
    assert {item.text: item.score for item in result.nbest} == pytest.approx({"Mühle b": -6.0, "b": -9.0})


def test_slf_of_probabilities(read: Callable[..., Lattice]) -> None:
    text = "VERSION=1.0 base=0\nJ=0 S=0 E=1 W=a a=0.25\nJ=1 S=0 E=1 W=b a=0\nJ=2 S=0 E=1 W=c\n"
    result = Realizer([]).realize_one(read(text), nbest=3)
    assert {item.text: item.score for item in result.nbest} == pytest.approx({"c": 0.0, "a": math.log(0.25)})


def test_kaldis_lattices_have_a_name_and_two_costs(read: Callable[..., Lattice]) -> None:
    lattice = read("utt-1 \n0 1 old 4.25,7.5,1_2_3\n0 1 mill 1,2,\n1 0.5,0,\n")
    assert lattice.width == 2
    result = Realizer([]).realize_one(lattice, nbest=3)
    assert {item.text: item.score for item in result.nbest} == pytest.approx({"mill": -3.5, "old": -12.25})


def test_the_first_line_begins_with_the_start_even_if_its_arc_is_impossible(read: Callable[..., Lattice]) -> None:
    result = Realizer([]).realize_one(read("3 1 old Infinity\n2 3 far\n3 1 mill\n1\n"), nbest=3)
    assert [item.text for item in result.nbest] == ["mill"]


def test_symbol_tables_and_transducers_that_write_what_they_read(read: Callable[..., Lattice]) -> None:
    lattice = read("0 1 1 1 0.5\n1 2 0 0\n2 3 2\n3 0.25\n", symbols="<eps> 0\nold 1\nmill 2\n")
    result = Realizer([]).realize_one(lattice)
    assert (result.text, result.score) == ("old mill", -0.75)


def test_paths_that_cost_infinitely_much_are_none(read: Callable[..., Lattice]) -> None:
    result = Realizer([]).realize_one(read("0 1 old Infinity\n0 1 mill 3\n1\n"), nbest=3)
    assert [item.text for item in result.nbest] == ["mill"]


def test_a_lattice_may_have_the_empty_string(model: LanguageModel) -> None:
    lattice = Lattice.from_arcs([(4, 7, "old mill", -1.0)], {4: -2.0, 7: 0.0}, start=4)
    result = Realizer(model).realize_one(lattice, nbest=5)
    empty = -2.0 + sum(model.score_words([]))
    scores = {item.text: item.score for item in result.nbest}
    assert scores.keys() == {"", "old mill"}
    assert scores[""] == pytest.approx(empty)


WRONG = {
    "cycle": ("0 1 a\n1 0 b\n1\n", "state 1 is on a cycle"),
    "two tables": ("0 1 a b 0.5\n1\n", "lattice:1: an arc reads 'a' and writes 'b'"),
    "cycle apart": ("VERSION=1.0\nJ=0 S=0 E=1 W=a\nJ=1 S=2 E=3 W=a\nJ=2 S=3 E=2 W=a\n", "is on a cycle"),
    "links": ("VERSION=1.0\nN=2 L=2\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n", "lattice: L=2, but it has 1 links"),
    "nodes": ("VERSION=1.0\nN=3 L=1\nI=0\nI=1\nJ=0 S=0 E=1 W=a\n", "lattice: N=3, but it has 2 nodes"),
    "no such node": ("VERSION=1.0\nI=0\nI=1\nJ=0 S=0 E=9 W=a\n", "lattice:4: node 9 is not among the 2 nodes"),
    "sub-lattice": ("VERSION=1.0\nI=0\nI=1 L=digits\nJ=0 S=0 E=1\n", "lattice:3: a sub-lattice"),
    "score without meaning": ("VERSION=1.0\nJ=0 S=0 E=1 W=a a=inf\n", "lattice:2: a score of infinity has no meaning"),
    "cost without meaning": ("0 1 a -Infinity\n1\n", "lattice:1: cost '-Infinity' has no meaning"),
    "empty": ("\n\n", "lattice: empty; a lattice was expected"),
    "string for a list": (
        '{"nodes": 2, "arcs": [{"from": 0, "to": 1, "words": "red fox", "score": 0}]}\n',
        "'words' must be a list of strings",
    ),
    "two labels without a cost": (
        "0 1 a b\n1\n",
        "lattice:1: an arc reads 'a' and writes 'b'; a lattice has one label",
    ),
    "cost with a slip": ("0 1 a 1.x\n1\n", "lattice:1: label 'a' is followed by '1.x' is not a number"),
    "SLF score": ("VERSION=1.0\nJ=0 S=0 E=1 W=a a=b\n", "lattice:2: a 'b' is not a number"),
    "JSON": ('{"nodes": 2}\n', "lattice:1: not a lattice in JSON"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=list(WRONG))
def test_what_is_wrong_is_said(text: str, message: str, read: Callable[..., Lattice]) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert message in str(caught.value)
    assert "lattice" in str(caught.value)


def test_a_label_that_the_table_lacks(read: Callable[..., Lattice]) -> None:
    with pytest.raises(InputError, match="label '3' is not a number of the symbol table"):
        read("0 1 3\n1\n", symbols="<eps> 0\nold 1\n")


@dataclass
class Arc:
    ilabel: int
    olabel: int
    weight: float
    nextstate: int


@dataclass
class Fst:
    """An acceptor with pynini's methods."""

    arcs_of: dict[int, list[Arc]]
    ends: dict[int, float]
    words: dict[int, str] = field(default_factory=dict)
    semiring: str = "tropical"
    first: int = 0

    def weight_type(self) -> str:
        return self.semiring

    def start(self) -> int:
        return self.first

    def states(self) -> list[int]:
        return sorted(self.arcs_of)

    def arcs(self, state: int) -> list[Arc]:
        return self.arcs_of[state]

    def final(self, state: int) -> float:
        return self.ends.get(state, math.inf)

    def input_symbols(self) -> "Fst | None":
        return self if self.words else None

    output_symbols = input_symbols

    def find(self, label: int) -> str:
        return self.words[label]


def test_acceptors_of_pynini_are_lattices() -> None:
    arcs = {0: [Arc(1, 1, 0.5, 1), Arc(0, 0, 0.0, 1), Arc(2, 2, math.inf, 1)], 1: [Arc(2, 2, 1.0, 2)], 2: []}
    lattice = lattice_of_fst(Fst(arcs, {2: 0.25}, {1: "old", 2: "mill"}))
    result = Realizer([]).realize_one(lattice, nbest=4)
    assert [(item.text, item.score) for item in result.nbest] == [("mill", -1.25), ("old mill", -1.75)]


def test_transducers_other_semirings_and_empty_acceptors_are_refused() -> None:
    with pytest.raises(InputError, match="reads 'old' and writes 'mill'"):
        lattice_of_fst(Fst({0: [Arc(1, 2, 0.0, 1)], 1: []}, {1: 0.0}, {1: "old", 2: "mill"}))
    with pytest.raises(InputError, match="semiring 'signed_log'"):
        lattice_of_fst(Fst({0: []}, {0: 0.0}, semiring="signed_log"))
    with pytest.raises(InputError, match="no state is final"):
        lattice_of_fst(Fst({}, {}, first=-1))


@pytest.mark.parametrize("seed", range(8))
def test_an_audit_tells_what_listing_all_paths_tells(seed: int, model: LanguageModel) -> None:
    rng = random.Random(seed)
    arcs = [(n, n + 1, rng.choice(WORDS), rng.uniform(-3, 0)) for n in range(4) for _ in range(2)]
    realizer = Realizer(model, {"widl": 0.5, "lm0": 0.8, "word_count": 0.1})
    lattice = Lattice.from_arcs(arcs, {4: 0.0})
    audit = audit_lattice(lattice, realizer, realizer.realize_one(lattice))
    paths = [(0.0, "")]
    for n in range(4):
        steps = [(word, score) for at, _, word, score in arcs if at == n]
        paths = [(own + score, f"{text} {word}") for own, text in paths for word, score in steps]
    scored = [(own, 0.5 * own + 0.8 * sum(model.score_words(text.split())) + 0.4, text) for own, text in paths]
    _, own_score, text = max(scored)
    assert audit.own == text.strip()
    assert audit.own_score == pytest.approx(own_score)
    assert audit.loss == pytest.approx(max(score for _, score, _ in scored) - own_score, abs=1e-9)
    assert audit.max_loss == pytest.approx(audit.loss, abs=1e-5)


def test_a_batch_may_have_expressions_and_lattices(model: LanguageModel) -> None:
    lattice = Lattice.from_arcs([(0, 1, "old mill", (-1.0, -2.0))], {1: (0.0, 0.0)})
    results = list(Realizer(model).realize([lattice, parse_expression("mill"), "∥(mill, old)", lattice]))
    assert [result.text for result in results] == ["old mill", "mill", "old mill", "old mill"]
    assert {"widl1", "widl2"} <= results[0].features.keys()
