"""Rules for names of people and places that the phrase table lacks: pinyin, and the kind of place at the end of a
name."""

from collections.abc import Callable, Collection, Iterator, Sequence

from widl.text.pinyin import (
    begins_with_surname,
    capitalized_pinyin,
    is_of_given_names,
    is_typical_name,
    person,
    surname_in_letters,
    surname_length,
)
from widl.text.segmentation import word_class
from widl.translation.chinese_numbers import NUMERALS
from widl.translation.line_parts import GivenTranslations

# Longer ones first.
_KINDS_OF_PLACES = {
    "经济技术开发区": "Economic and Technological Development Zone",
    "高新技术产业开发区": "High-tech Industrial Development Zone", "特别行政区": "Special Administrative Region",
    "自治区": "Autonomous Region", "自治州": "Autonomous Prefecture", "自治县": "Autonomous County",
    "开发区": "Development Zone", "火车站": "Railway Station", "国际机场": "International Airport",
    "高速公路": "Expressway", "街道": "Subdistrict", "机场": "Airport", "大道": "Avenue", "大街": "Street",
    "大桥": "Bridge", "水库": "Reservoir", "群岛": "Islands", "半岛": "Peninsula", "盆地": "Basin", "高原": "Plateau",
    "新区": "New Area", "地区": "Region", "海峡": "Strait", "市": "City", "县": "County", "省": "Province",
    "工业园": "Industrial Park", "产业园": "Industrial Park", "科技园": "Science Park", "植物园": "Botanical Garden",
    "动物园": "Zoo", "幼儿园": "Kindergarten", "公园": "Park", "花园": "Garden", "陵园": "Cemetery", "庄园": "Manor",
    "游乐园": "Amusement Park", "乐园": "Park",
    "广场": "Square", "社区": "Community", "园": "Garden", "区": "District",
    "路": "Road", "镇": "Town", "乡": "Township", "村": "Village", "街": "Street",
    "州": "Prefecture", "盟": "League", "旗": "Banner", "港": "Port", "山": "Mountain", "江": "River", "河": "River",
    "湖": "Lake", "岛": "Island", "桥": "Bridge", "寺": "Temple", "站": "Station", "湾": "Bay", "巷": "Lane",
}  # fmt: skip
# Characters that transcribe foreign names, and occur in few other words.
_OF_FOREIGN_NAMES = frozenset(
    "阿埃艾安奥巴鲍贝彼勃博布达戴丹德迪蒂杜顿厄恩尔菲弗夫盖戈格哈赫亨基加贾杰卡凯坎柯科克肯库拉莱朗劳勒雷里利莉丽琳卢鲁"
    "伦罗洛吕马玛迈曼梅蒙米莫姆穆纳娜内尼涅宁纽努诺欧帕佩珀普契奇恰乔琼茹瑞萨塞桑森莎舍施史丝斯舒苏索塔泰坦汤陶特廷图托瓦"
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
_OF_ONE_PERSON = """
总理 总统 主席 部长 教授 老师 医生 博士 经理 总经理 董事长 局长 市长 省长 县长 书记 法官 律师 警官 队长 校长 院长 主任
导演 教练
"""
_TITLES, _VERBS, _AFTER_SURNAMES = (frozenset(words.split()) for words in (_BESIDE_NAMES, _AFTER_NAMES, _OF_ONE_PERSON))
# Titles of address, which stand right behind a surname.
_FORMS_OF_ADDRESS = {"先生": "Mr.", "女士": "Ms.", "小姐": "Miss", "太太": "Mrs."}
_WITHHELD = "某"  # replaces a given name that a report withholds, once or twice
# Surnames that also are words before a title: 任总统 is one who serves as president.
_WORDS_BEFORE_TITLES = frozenset("任于成应连全班单解包车计明文经和由从与以向")
_NOT_IN_NAMES = frozenset(
    "的了说称在是和与则将被等时也为于对从到就都而或把给让不没有这那其该各每我你他她它们后前中上下内外个及以"
)
# Last characters of words that are not people, though they begin with a surname: 金管局, 曲源乡.
_ENDS_OF_OTHERS = frozenset("局乡市县省区院会部厅处所厂店站价急额率费税险股权法案组队团党系型款类")
_ENDS_OF_PLACES = frozenset("州镇山阳江川溪津宁昌岭岛沟庄堡峡梁泉浦滩塘坪坝湾乡村县湖河海港峰屯寨埠")
_LONGEST_PLACE = 3  # characters of a place's name in pinyin, without its kind
_LONGEST_NAME = 4  # tokens

Translations = Callable[[str], Sequence[Sequence[str]]]
"""The best translations of a word in the phrase table, none if it lacks the word."""


def people_in(
    tokens: Sequence[str], unknown: Sequence[bool], cut: Collection[int] = ()
) -> Iterator[tuple[int, int, GivenTranslations]]:
    """Tokens [begin, end) that may be a person's name, and the name in English; whether they are one, search decides.

    cut: the tokens that are pieces of a longer word.

    A name is a surname and characters of `unknown` words; the surname may be a known word. No known piece of a word
    may hold the surname and more, as 黄金 in 黄金|周. A name of two characters must be a typical one, and a longer one
    have a frequent surname, or else they stand beside a title or a verb of speech. What the segmenter knows as another
    word, such as 高血压 or 白皮书, is no name anywhere.

    >>> for begin, end, given in people_in(["张", "光军", "说"], [False, True, False]):
    ...     print(begin, end, given.alternatives)
    0 2 ((('Zhang', 'Guangjun'), 1.0),)
    """
    for begin, first in enumerate(tokens):
        if not surname_length(first) or (begin and tokens[begin - 1][-1:] in NUMERALS):  # 十|项|全能
            continue
        name = ""
        for end in range(begin + 1, min(begin + _LONGEST_NAME, len(tokens)) + 1):
            if not unknown[end - 1] and end > begin + 1:
                break
            name += tokens[end - 1]
            if surname_length(first) < len(first) and (end > begin + 1 or begin in cut):
                break
            if not unknown[end - 1] or not (words := person(name)) or _is_other_word(name):
                continue
            if _is_likely_name(name) or _are_of_people(tokens, begin, end):
                yield begin, end, named([words])


def with_surname(tokens: Sequence[str]) -> Iterator[tuple[int, int, GivenTranslations]]:
    """Spans [begin, end) of surnames before a title or a withheld given name, unless the surname is another word there.

    A span includes 先生 and similar forms of address, and 某, which replaces the given name.

    >>> [(*span, given.alternatives[0][0]) for *span, given in with_surname(["陆", "先生", "和", "温", "总理"])]
    [(0, 2, ('Mr.', 'Lu')), (3, 4, ('Wen',))]
    >>> [(*span, given.alternatives[0][0]) for *span, given in with_surname(["林某", "打", "黄", "某某"])]
    [(0, 1, ('Lin',)), (2, 4, ('Huang',))]
    """
    for i, token in enumerate(tokens):
        following = tokens[i + 1] if i + 1 < len(tokens) else ""
        name = token.rstrip(_WITHHELD)
        is_withheld = name != token or following in (_WITHHELD, 2 * _WITHHELD)
        if is_withheld and surname_length(name) == len(name) > 0 and name not in _WORDS_BEFORE_TITLES:
            yield i, i + 1 + (name == token), named([[surname_in_letters(name)]], exclusive=True)
            continue
        surname, address = (token[:-2], token[-2:]) if token[-2:] in _FORMS_OF_ADDRESS else (token, following)
        if not 0 < len(surname) <= 2 or surname_length(surname) != len(surname):
            continue
        if address in _FORMS_OF_ADDRESS:
            words = [_FORMS_OF_ADDRESS[address], surname_in_letters(surname)]
            yield i, i + 1 + (surname == token), named([words], exclusive=True)
        elif following in _AFTER_SURNAMES and surname not in _WORDS_BEFORE_TITLES:
            yield i, i + 1, named([[surname_in_letters(surname)]], exclusive=True)


def is_person(tokens: Sequence[str], at: int, *, has_words: bool) -> bool:
    """Whether an unknown word is a surname with a given name by its shape, so that it must not be cut.

    `has_words`: whether there are known words of several characters in it; it then must stand beside a title or a verb
    of speech, as 陈光明 in 陈光明说.
    """
    token = tokens[at]
    if not person(token) or _is_other_word(token):
        return False
    if _are_of_people(tokens, at, at + 1):
        return True
    return not has_words and _is_likely_name(token)


def _is_likely_name(token: str) -> bool:
    is_typical = begins_with_surname(token) if len(token) > 2 else is_typical_name(token)
    return is_typical and _may_be_person(word_class(token))


def foreign_name(token: str) -> int:
    """Number of characters at the beginning of an unknown word that transcribe foreign names, if there are at least two
    and not all: 3 of 梅丽安想.
    """
    size = next((i for i, sign in enumerate(token) if sign not in _OF_FOREIGN_NAMES), 0)
    return size if size > 1 else 0


def may_be_name(token: str) -> bool:
    """Whether two characters or more of an unknown word are of foreign names, or of given names or a frequent surname.

    >>> may_be_name("库契马"), may_be_name("蔡奇"), may_be_name("换代"), may_be_name("方队")
    (True, True, False, False)
    """
    of_names = (sign in _OF_FOREIGN_NAMES or is_of_given_names(sign) for sign in token[1:])
    first = token[0] in _OF_FOREIGN_NAMES or is_of_given_names(token[0]) or begins_with_surname(token)
    return first + sum(of_names) > 1


def is_name(token: str) -> bool:
    """Whether an unknown word is a name by its characters: characters of foreign names, or the end of a place name.

    >>> [is_name(word) for word in ("阿尔诺", "吉泽克", "乌镇", "早产儿")]
    [True, True, True, False]
    """
    is_place = 2 <= len(token) <= 3 and token[-1] in _ENDS_OF_PLACES
    return is_place or (len(token) > 1 and _OF_FOREIGN_NAMES.issuperset(token)) or _is_foreign_name(token)


def _is_foreign_name(word: str) -> bool:
    """Whether characters of foreign names follow what might be a surname: 吉泽克."""
    given = word[surname_length(word) :]
    return 1 < len(given) < len(word) and _OF_FOREIGN_NAMES.issuperset(given)


def _is_other_word(word: str) -> bool:
    """Whether a word with the shape of a name is none: its characters or the segmenter say something else.

    >>> [_is_other_word(word) for word in ("高血压", "白皮书", "陶菲克", "胡说了", "张光军", "赵紫阳")]
    [True, True, True, True, False, False]
    """
    length = surname_length(word)
    given = word[length:]
    if given in _TITLES or given[-1:] in _ENDS_OF_OTHERS or not _NOT_IN_NAMES.isdisjoint(given):
        return True
    if _OF_FOREIGN_NAMES.issuperset(word) or _is_foreign_name(word):
        return True
    # The dictionary takes many words that begin with a surname for persons: 白皮书, 许可证. Their beginnings are words.
    begins_with_word = len(given) > 1 and word_class(word[: length + 1], known=True)
    return bool(begins_with_word) or not _may_be_person(word_class(word, known=True))


def _may_be_person(class_of_word: str) -> bool:
    return class_of_word in ("", "nr", "nrfg")  # but not nrt, a name in characters of foreign names


def _are_of_people(tokens: Sequence[str], begin: int, end: int) -> bool:
    """Whether a title or a verb of speech is next to the tokens."""
    return (begin > 0 and tokens[begin - 1] in _TITLES) or (end < len(tokens) and tokens[end] in _TITLES | _VERBS)


def place(token: str, translations: Translations) -> GivenTranslations | None:
    """A place's name with what kind of place it is, the name as the table has it or in pinyin; None for other tokens.

    >>> place("沙雅县", lambda word: []).alternatives
    ((('Shaya', 'County'), 1.0),)
    """
    if token in _KINDS_OF_PLACES:
        return None
    for size in range(min(len(token) - 2, 10), 0, -1):
        kind, name = _KINDS_OF_PLACES.get(token[-size:]), token[:-size]
        if kind is not None:
            proper = [list(words) for words in translations(name) if words[0][:1].isupper()]
            is_short = len(name) <= _LONGEST_PLACE or _OF_FOREIGN_NAMES.issuperset(name)
            written = capitalized_pinyin(name) if is_short else ""
            wordings = [[*words, *kind.split()] for words in proper or ([[written]] if written else [])]
            return named(wordings) if wordings else None
    return None


def named(alternatives: Sequence[Sequence[str]], *, exclusive: bool = False) -> GivenTranslations:
    """The translations of a name by rule, all equally probable."""
    return GivenTranslations.evenly(alternatives, exclusive=exclusive, origin="name")
