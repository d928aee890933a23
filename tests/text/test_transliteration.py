"""Names in letters: the sums over divisions and the spellings against enumeration, and what is learnt of real names."""

import itertools
import math
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widl.common.errors import InputError
from widl.text.transliteration import Transliterator, best_division, expected_units

PAIRS = [
    *[
        ("罗马", "Roma"),
        ("马里", "Mali"),
        ("马耳他", "Malta"),
        ("曼谷", "Bangkok"),
        ("巴马科", "Bamako"),
        ("达卡", "Dakar"),
    ],
    *[("利马", "Lima"), ("多哈", "Doha"), ("卡塔尔", "Qatar"), ("巴拿马", "Panama"), ("哈瓦那", "Havana")],
    *[("加纳", "Ghana"), ("突尼斯", "Tunis"), ("苏丹", "Sudan"), ("约旦", "Jordan"), ("尼泊尔", "Nepal")],
    *[
        ("马尼拉", "Manila"),
        ("卡拉卡斯", "Caracas"),
        ("达拉斯", "Dallas"),
        ("巴西利亚", "Brasilia"),
        ("安卡拉", "Ankara"),
    ],
    *[
        ("萨拉", "Sara"),
        ("玛利亚", "Maria"),
        ("安娜", "Anna"),
        ("丹尼斯", "Dennis"),
        ("卡罗", "Caro"),
        ("尼斯", "Nice"),
    ],
    *[("利比亚", "Libya"), ("尼日尔", "Niger"), ("萨尔瓦多", "Salvador"), ("索马里", "Somali"), ("内罗毕", "Nairobi")],
]
LETTERS = st.dictionaries(
    st.sampled_from("甲乙"),
    st.dictionaries(st.sampled_from(["", "a", "b", "ab", "aba"]), st.floats(0.05, 1), min_size=2),
)


def divisions(name, letters):
    """All ways to divide letters among characters, of which the first has some."""
    for cuts in itertools.combinations_with_replacement(range(len(letters) + 1), len(name) - 1):
        edges = [0, *cuts, len(letters)]
        units = tuple(letters[begin:end] for begin, end in itertools.pairwise(edges))
        if units[0]:
            yield units


@given(st.text("甲乙", min_size=1, max_size=3), st.text("ab", min_size=1, max_size=5), LETTERS)
def test_sums_over_divisions_are_those_of_all_of_them(name, letters, known) -> None:
    def probability(character, unit):
        return known.get(character, {}).get(unit, 0.0)

    counts, total, best = defaultdict(float), 0.0, 0.0
    for units in divisions(name, letters):
        p = math.prod(map(probability, name, units))
        total, best = total + p, max(best, p)
        for place in zip(name, units, strict=True):
            counts[place] += p
    assert expected_units(name, letters, probability) == pytest.approx(
        {place: n / total for place, n in counts.items() if n}
    )
    units = best_division(name, letters, probability)
    assert bool(units) == (best > 0)
    assert not best or math.prod(map(probability, name, units)) == pytest.approx(best)


@given(st.lists(st.tuples(st.sampled_from(["甲", "乙"]), st.sampled_from(["a", "b", "ba"])), min_size=1, max_size=6))
def test_spellings_are_those_of_all_choices_of_letters(units) -> None:
    """For two characters nothing is cut from the beam: each spelling's share is the sum over its divisions."""
    names = [(first[0] + second[0], (first[1], second[1])) for first, second in itertools.pairwise([*units, units[0]])]
    model = Transliterator(names)
    name = names[0][0]
    sums = Counter()
    choices = [dict(model._letters(*place)) for place in (("^", name[0], name[1]), (name[0], name[1], "$"))]
    assert [sum(one.values()) for one in choices] == pytest.approx([1, 1])
    for (first, p), (second, q) in itertools.product(*(one.items() for one in choices)):
        sums[first + second] += p * q * math.exp(0.3 * model._worth("^", f"{first}{second}$"))
    found = dict(model.spellings(name, 40))
    assert found == pytest.approx({word.capitalize(): p / sums.total() for word, p in sums.items()})


def test_names_that_were_not_seen_are_spelt_by_their_characters() -> None:
    model = Transliterator.learn(PAIRS)
    found = {name: [word for word, _ in model.spellings(name, 5)] for name in ("马拉", "卡马拉", "萨马里", "丹娜")}
    assert "Mara" in found["马拉"]
    assert "Camara" in found["卡马拉"]
    assert "Samali" in found["萨马里"]
    assert "Denna" in found["丹娜"]
    assert model.spellings("山", 5) == []


def test_the_same_pairs_in_any_order_make_the_same_model(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    Transliterator.learn(PAIRS).save(first)
    Transliterator.learn(PAIRS[::-1] + PAIRS).save(second)
    assert first.read_bytes() == second.read_bytes()
    assert Transliterator.load(first).spellings("马拉", 5) == Transliterator.learn(PAIRS).spellings("马拉", 5)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "names.tsv"
    path.write_text("罗马\tro|ma\n马里\tmali\n")
    with pytest.raises(InputError, match=r"names\.tsv:2: "):
        Transliterator.load(path)
