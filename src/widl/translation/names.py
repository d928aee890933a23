"""Names of people and places that the phrase table lacks, by rule: pinyin, and what comes after a place's name."""

from collections.abc import Callable, Collection, Iterator, Sequence

from widl.text.romanization import capitalized_pinyin, is_typical_name, person, surname_length
from widl.translation.parts import GivenTranslations

# Longer ones first.
_KINDS_OF_PLACES = {
    "经济技术开发区": "Economic and Technological Development Zone",
    "高新技术产业开发区": "High-tech Industrial Development Zone", "特别行政区": "Special Administrative Region",
    "自治区": "Autonomous Region", "自治州": "Autonomous Prefecture", "自治县": "Autonomous County",
    "开发区": "Development Zone", "火车站": "Railway Station", "国际机场": "International Airport",
    "高速公路": "Expressway", "街道": "Subdistrict", "机场": "Airport", "大道": "Avenue", "大街": "Street",
    "大桥": "Bridge", "水库": "Reservoir", "群岛": "Islands", "半岛": "Peninsula", "盆地": "Basin", "高原": "Plateau",
    "新区": "New Area", "地区": "Region", "海峡": "Strait", "市": "City", "县": "County", "省": "Province",
    "区": "District", "路": "Road", "镇": "Town", "乡": "Township", "村": "Village", "街": "Street",
    "州": "Prefecture", "盟": "League", "旗": "Banner", "港": "Port", "山": "Mountain", "江": "River", "河": "River",
    "湖": "Lake", "岛": "Island", "桥": "Bridge", "寺": "Temple", "站": "Station", "湾": "Bay", "巷": "Lane",
}  # fmt: skip
# What foreign names are written with, and few other words.
_OF_FOREIGN_NAMES = frozenset(
    "阿埃艾奥巴鲍贝彼勃博布达戴丹德迪蒂杜顿厄恩尔菲弗夫盖戈格哈赫亨基加贾杰卡凯坎柯科克肯库拉莱朗劳勒雷里利莉丽琳卢鲁"
    "伦罗洛吕玛迈曼梅蒙米莫姆穆纳娜内尼涅宁纽努诺欧帕佩珀普奇恰乔琼茹瑞萨塞桑森莎舍施史丝斯舒苏索塔泰坦汤陶特廷图托瓦"
    "威韦维温沃乌希西锡夏谢辛休逊雅亚耶伊尤约赞泽詹兹佐"
)
_BESIDE_NAMES = """
记者 主席 总统 总理 首相 部长 市长 省长 县长 州长 局长 处长 厅长 院长 校长 会长 行长 书记 主任 董事长 总经理
经理 总裁 教授 先生 女士 小姐 同志 老师 博士 医生 律师 法官 检察官 队长 教练 主教练 选手 球员 队员 队友 球手 名将
演员 导演 歌手 作家 画家 诗人 学者 专家 研究员 分析师 委员 代表 议员 发言人 司令 将军 上将 中将 少将 大使 秘书长
编辑 通讯员 村民 居民 市民 男子 女子 妻子 丈夫 儿子 女儿
"""
_AFTER_NAMES = """
说 表示 介绍 告诉 称 指出 认为 透露 强调 坦言 回忆 坦承 笑 解释 补充 呼吁 宣布 写道 建议 出生
"""
_TITLES, _VERBS = (frozenset(words.split()) for words in (_BESIDE_NAMES, _AFTER_NAMES))
_NOT_IN_NAMES = frozenset(
    "的了说称在是和与则将被等时也为于对从到就都而或把给让不没有这那其该各每我你他她它们后前中上下内外个及以"
)
_ENDS_OF_PLACES = frozenset("州镇山阳江川城溪津宁昌岭岛沟庄堡峡梁泉浦滩塘坪坝湾乡村县湖河海港峰屯寨埠")
_LONGEST_PLACE = 3  # characters of a place's name in pinyin, without its kind
_LONGEST_NAME = 4  # tokens
_LONGEST_WORD = 6  # characters of a word in pinyin

Translations = Callable[[str], Sequence[Sequence[str]]]
"""The best translations of a word in the phrase table, none if it lacks the word."""


def people_in(
    tokens: Sequence[str], unknown: Sequence[bool], cut: Collection[int] = ()
) -> Iterator[tuple[int, int, GivenTranslations]]:
    """Tokens [begin, end) that may be a person's name, and the name in English; whether they are one, search decides.

    cut: the tokens that are pieces of a longer word.

    A name is a surname and characters of `unknown` words; the surname may be a known word. No known piece of a word
    may hold the surname and more, as 黄金 in 黄金|周. A name of two characters must be a typical one, or stand
    beside a title or a verb of speech.

    >>> for begin, end, given in people_in(["张", "光军", "说"], [False, True, False]):
    ...     print(begin, end, given.alternatives)
    0 2 ((('Zhang', 'Guangjun'), 1.0),)
    """
    for begin, first in enumerate(tokens):
        if not surname_length(first):
            continue
        name = ""
        for end in range(begin + 1, min(begin + _LONGEST_NAME, len(tokens)) + 1):
            if not unknown[end - 1] and end > begin + 1:
                break
            name += tokens[end - 1]
            if surname_length(first) < len(first) and (end > begin + 1 or begin in cut):
                break
            if not unknown[end - 1] or _is_no_given_name(name[surname_length(name) :]) or not (words := person(name)):
                continue
            if len(name) > 2 or is_typical_name(name) or _are_of_people(tokens, begin, end):
                yield begin, end, _named([words])


def _is_no_given_name(name: str) -> bool:
    return name in _TITLES or not _NOT_IN_NAMES.isdisjoint(name)


def _are_of_people(tokens: Sequence[str], begin: int, end: int) -> bool:
    """Whether a title or a verb of speech stands beside the tokens."""
    return (begin > 0 and tokens[begin - 1] in _TITLES) or (end < len(tokens) and tokens[end] in _TITLES | _VERBS)


def place(token: str, translations: Translations) -> GivenTranslations | None:
    """A place's name with what kind of place it is, the name as the table has it or in pinyin; None if it is none.

    >>> place("沙雅县", lambda word: []).alternatives
    ((('Shaya', 'County'), 1.0),)
    """
    for size in range(min(len(token) - 2, 10), 0, -1):
        kind, name = _KINDS_OF_PLACES.get(token[-size:]), token[:-size]
        if kind is not None:
            proper = [list(words) for words in translations(name) if words[0][:1].isupper()]
            is_short = len(name) <= _LONGEST_PLACE or _OF_FOREIGN_NAMES.issuperset(name)
            pinyin = capitalized_pinyin(name) if is_short else ""
            found = [[*words, *kind.split()] for words in proper or ([[pinyin]] if pinyin else [])]
            return _named(found) if found else None
    return None


def word_in_pinyin(token: str) -> GivenTranslations | None:
    """A word in pinyin, None if it is long.

    It is a name if its characters are those that foreign names are written with, or if it ends as places' names do.

    >>> word_in_pinyin("阿尔诺").origin, word_in_pinyin("乌镇").origin, word_in_pinyin("纸浆").origin
    ('name', 'name', 'pinyin')
    """
    written = capitalized_pinyin(token) if len(token) <= _LONGEST_WORD else ""
    if not written:
        return None
    is_place = 2 <= len(token) <= 3 and token[-1] in _ENDS_OF_PLACES
    if is_place or (len(token) > 1 and _OF_FOREIGN_NAMES.issuperset(token)):
        return _named([[written]])
    return GivenTranslations((((written,), 1.0),), exclusive=False, origin="pinyin", count=len(token))


def _named(alternatives: Sequence[Sequence[str]]) -> GivenTranslations:
    return GivenTranslations.evenly(alternatives, exclusive=False, origin="name")
