"""Names by rule: surnames with withheld given names, and kinds of places."""

import pytest

from widl.translation.names import place, with_surname


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("犯罪 嫌疑人 林某 被 抓", [(2, 3, "Lin")]),
        ("黄 某某 和 欧阳某某", [(0, 2, "Huang"), (3, 4, "Ouyang")]),
        ("白 某 因 王某 的 车", [(0, 2, "Bai"), (3, 4, "Wang")]),
        # no surnames: prepositions and other words before "a certain"
        ("决定 于 某 一 文化", []),
        ("应某 一 委员会", []),
        ("某 年 某月 某些 人", []),
        ("某某 大学", []),
    ],
)
def test_withheld_given_names(text: str, spans: list[tuple[int, int, str]]) -> None:
    assert [(begin, end, given.alternatives[0][0][0]) for begin, end, given in with_surname(text.split())] == spans


@pytest.mark.parametrize(
    ("word", "english"),
    [
        ("承泽园", "Chengze Garden"),
        ("中关村科技园", "Zhongguancun Science Park"),
        ("上海动物园", "Shanghai Zoo"),
        ("承泽村", "Chengze Village"),
        # a kind of place without a name
        ("幼儿园", ""),
        ("开发区", ""),
    ],
)
def test_kinds_of_places(word: str, english: str) -> None:
    given = place(word, lambda _: [])
    assert " ".join(given.alternatives[0][0] if given else ()) == english
