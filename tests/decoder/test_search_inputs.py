"""Inputs of searches: invalid numbers, deleted or foreign objects, added words."""

import gc
import math
import struct
import threading
import weakref
from pathlib import Path

import pytest

from tests.core_options import Algorithm, search_options
from tests.proofs.models import opened
from tests.reference.arpa import ARPA
from tests.reference.widl_semantics import strings_of
from widl._core import Lattice, LatticeSet
from widl.common.errors import InputError
from widl.decoder import Bound, CoreRealizer, LanguageModel, Tiles, Vocabulary, WeightVector
from widl.expressions import bag, parse_expression


def weights(models: int = 1, components: int = 1, **others: float) -> WeightVector:
    values = {"word_count": 0.0, "phrase_count": 0.0, "distortion": 0.0, "unknown": 0.0} | others
    return WeightVector(widl=[1.0] * components, language_models=[1.0] * models, **values)


@pytest.mark.parametrize("bound", list(Bound))
@pytest.mark.parametrize(
    "text",
    [
        "∥{1 2: 0.0000001, shuffles: 1.0000005}(∨{0.5, 0.5}(a, b c), d)",
        "∥{perms: 0.0000002, shuffles: 1.0000005}(∨{0.5, 0.5}(a, b c), d)",
        "∥{1 2: 0.0000001, shuffles: 0.9999994}(∨{0.5, 0.5}(a, b c), d)",
        "∨{1.0000005, 0}(a, b) c",
        "∥{1 2: 1.0000005}(a, b)",
    ],
)
def test_masses_that_sum_to_one_within_the_tolerance(text: str, bound: Bound) -> None:
    expression, model = parse_expression(text), opened(ARPA)
    best = max(math.log(p) + sum(model.score_words(string.split())) for string, (p,) in strings_of(expression).items())
    for algorithm in (Algorithm.bfs, Algorithm.astar):
        options = search_options(algorithm=algorithm, bound=bound)
        [result] = CoreRealizer(Vocabulary([]), [model]).realize_expressions([expression], weights(), options)
        assert (result.score, result.bound) == pytest.approx((best, best), abs=1e-6)
        assert result.optimal


@pytest.mark.parametrize("name", ["word_count", "phrase_count", "distortion", "unknown"])
@pytest.mark.parametrize(
    ("value", "message"), [(math.nan, "is not a number"), (math.inf, "is not a number"), (-1e13, "at most 1e.12")]
)
def test_weights_that_would_overflow_are_refused(name: str, value: float, message: str) -> None:
    lambdas = weights(0, **{name: value})
    with pytest.raises(InputError, match=f"the weight of {name} {message}|the weight of {name} is .*{message}"):
        CoreRealizer(Vocabulary([]), []).realize_expressions([bag("a b")], lambdas, search_options())


@pytest.mark.parametrize("weight", [0.0, 1.0])
def test_a_model_that_gives_a_word_no_probability(weight: float) -> None:
    line = next(line for line in ARPA.split("\n") if line.split("\t")[1:2] == ["a"])
    never = opened(ARPA.replace(line, "-inf" + line[line.index("\t") :]))
    lambdas = WeightVector(
        widl=[1.0], language_models=[1.0, weight], word_count=0, phrase_count=0, distortion=0, unknown=0
    )
    realizer = CoreRealizer(Vocabulary([]), [opened(ARPA), never])
    with pytest.raises(InputError, match="language model lm1 gives a word the log-probability -inf"):
        realizer.realize_expressions([bag("a b")], lambdas, search_options())
    assert realizer.realize_expressions([bag("b b")], lambdas, search_options())[0].optimal


def test_a_damaged_binary_that_holds_no_number(tmp_path: Path) -> None:
    odd = -1.2345679
    line = next(line for line in ARPA.split("\n") if line.split("\t")[1:2] == ["a"])
    (tmp_path / "model.arpa").write_text(ARPA.replace(line, f"{odd}" + line[line.index("\t") :]))
    LanguageModel.convert(str(tmp_path / "model.arpa"), str(tmp_path / "model.binary"), kind="probing")
    stored = (tmp_path / "model.binary").read_bytes()
    number = struct.pack("<f", -odd)  # the sign is a flag
    assert stored.count(number) == 1
    (tmp_path / "model.binary").write_bytes(stored.replace(number, struct.pack("<f", math.nan)))
    realizer = CoreRealizer(Vocabulary([]), [LanguageModel.load(tmp_path / "model.binary")])
    for algorithm in (Algorithm.bfs, Algorithm.astar, Algorithm.beam):
        with pytest.raises(InputError, match=r"the log-probability -?nan"):
            realizer.realize_expressions([bag("a b")], weights(), search_options(algorithm=algorithm))


def test_a_realizer_keeps_its_models() -> None:
    models = [opened(ARPA), opened(ARPA)]
    alive = [weakref.ref(model) for model in models]
    realizer = CoreRealizer(Vocabulary([]), models)
    [before] = realizer.realize_expressions([bag("a b c")], weights(2), search_options())
    models.clear()
    gc.collect()
    [after] = realizer.realize_expressions([bag("a b c")], weights(2), search_options())
    assert after.score == before.score
    del realizer
    gc.collect()
    assert [item() for item in alive] == [None, None]


def test_items_of_another_type() -> None:
    realizer, options = CoreRealizer(Vocabulary([]), []), search_options()
    message = "expected a sequence of {}, found {} in it"
    with pytest.raises(TypeError, match=message.format("LanguageModel", "None")):
        CoreRealizer(Vocabulary([]), [opened(ARPA), None])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=message.format("Expression", "None")):
        realizer.realize_expressions([bag("a"), None], weights(0), options)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=message.format("Expression", "'a b'")):
        realizer.realize_expressions(["a b"], weights(0), options)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=message.format("Tiles", "None")):
        realizer.realize([None], weights(0), options)  # type: ignore[list-item]
    with pytest.raises(TypeError, match=message.format("Lattice", "None")):
        Lattice.joined([None], [0])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=message.format("Lattice", "None")):
        LatticeSet([None])  # type: ignore[list-item]


def test_what_belongs_to_another_vocabulary_is_refused() -> None:
    own, other = Vocabulary([]), Vocabulary(["a", "b"])
    tiles = Tiles.compile(parse_expression("tiles{1, expmove: 0.5}(0-1: ∨{1}(a))"), other)
    realizer, message = CoreRealizer(own, [opened(ARPA)]), "were made with a vocabulary other than"
    with pytest.raises(InputError, match=message):
        realizer.realize([tiles], weights(), search_options())


def test_words_may_be_interned_while_others_search() -> None:
    vocabulary = Vocabulary(["a"])
    realizer = CoreRealizer(vocabulary, [opened(ARPA)])
    batch = [bag("a b c w1 w19999"), bag("w5 b a")] * 20
    expected = [item.score for item in realizer.realize_expressions(batch, weights(), search_options())]
    result: list[list[float]] = []

    def search() -> None:
        for _ in range(20):
            results = realizer.realize_expressions(batch, weights(), search_options(), threads=2)
            result.append([item.score for item in results])

    threads = [threading.Thread(target=search) for _ in range(2)]
    for thread in threads:
        thread.start()
    for n in range(20_000):
        assert vocabulary.intern(f"w{n}") == n + 1
    for thread in threads:
        thread.join()
    assert result == [expected] * 40
    assert [vocabulary.word(n + 1) for n in range(20_000)] == [f"w{n}" for n in range(20_000)]
    assert vocabulary.find("w12345") == 12346
