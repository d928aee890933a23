"""Names by rule: surnames with withheld given names, and kinds of places."""

import pytest

from widl.translation.names import is_person, people_in, place, with_surname


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


@pytest.mark.parametrize(
    "word",
    # by the dictionary no persons
    "高血压 白血病 马铃薯 路透社 卫生纸 万亿元 纪念币 高速路 安全线 文汇报 成长性 "
    # by the dictionary persons, but words begin them
    "白皮书 许可证 沙尘暴 金字塔 石家庄 张家界 黄金周 田径赛 白骨精 马拉松 毛毛虫 "
    # in characters of foreign names
    "陶菲克 罗梅罗 吉泽克 戴克辛 麦当劳".split(),
)
def test_words_that_are_no_persons(word: str) -> None:
    for tokens in ([word], ["总统", word], [word, "说"]):
        at = tokens.index(word)
        assert not is_person(tokens, at, has_words=False)
        assert list(people_in(tokens, [token == word for token in tokens])) == []


@pytest.mark.parametrize(
    ("word", "english"),
    [("赵紫阳", "Zhao Ziyang"), ("袁隆平", "Yuan Longping"), ("聂晓阳", "Nie Xiaoyang"), ("刘烨", "Liu Ye")],
)
def test_persons(word: str, english: str) -> None:
    assert is_person([word], 0, has_words=False)
    ((_, _, given),) = people_in([word], [True])
    assert " ".join(given.alternatives[0][0]) == english


def test_a_title_makes_a_person_of_what_the_segmenter_guesses() -> None:
    """rjieba guesses that 杜识途, which no dictionary has, is a noun."""
    assert not is_person(["杜识途"], 0, has_words=False)
    assert is_person(["记者", "杜识途"], 1, has_words=False)
