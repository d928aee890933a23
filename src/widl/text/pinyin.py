"""Chinese names in Hanyu Pinyin without tones, as in English text."""

from collections.abc import Sequence
from functools import lru_cache

from widl.common.extras import optional_packages

# Surnames of nearly all people in China, by frequency, without rare surnames that are everyday words.
_BY_FREQUENCY = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔傅钟谭"
    "陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严赖覃洪武戴莫孔汤温康施文牛樊葛邢安齐易乔伍"
    "庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍"
    "华喻祁蒲房滕屈饶解牟艾尤阳穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景宫费卜冷晏席卫米柏宗瞿桂佟应臧闵苟邬边卞姬仇栾隋"
    "刁沙荣巫寇桑郎甄丛仲虞敖巩明佘查麻苑迟邝谈匡鞠惠荆乐冀郁胥班储栗燕楚鄢劳谌奚粟冼蔺楼盘闻厉伊仝区郜海阚花帅屠豆朴"
    "习练廉禹井祖漆巴丰卿狄索宣晋容敬扈晁芮普阙浦戈伏鹿邸雍辜羊阿乌裘亓修邰赫杭况宿逯隆茹慕危玉亢嵇湛宾戎勾茅於揭干尉阴"
    "昝智衡"
)
_SURNAMES, _COMMON_SURNAMES = frozenset(_BY_FREQUENCY), frozenset(_BY_FREQUENCY[:115])
_FREQUENT_SURNAMES = frozenset(_BY_FREQUENCY[:253]) | {"欧阳", "司马", "诸葛", "上官", "皇甫", "慕容"}
_COMMON_GIVEN_NAMES = frozenset(
    "伟芳娜敏静丽强磊军洋勇艳杰娟涛超秀霞刚桂英玉萍红娥玲芬燕彬鹏浩凯俊宇欣怡琳雪婷慧莹博斌波辉健峰鑫宁梅倩莉兰凤洁琴莲珍贞瑞"
    "佳嘉琼锦婉娴瑾颖露瑶妍茜珊雁薇毅蕾炜炯曦冰爽岚琪晨辰旭昊轩涵楠睿琦坤震晓晖晗晟卓翔驰骏骁威武亮政翰宏维栋梁"
    "烨煜焕熠彤彦韬铭钰钧骞骥麟鸿霖霆雯霏霁钊铮锴铠桐楷桦榕沛泓洵浚淼淇渊滢漪澜灿烁焱煊璇璐璟珂珏珑琛琨瑛瑜璋筠绮翊翎芷苓茗荃菁菡萱蓉"
    "蔚蘅虹颢颐骅赟钦誉谦贤逸"
)
_OF_TWO_CHARACTERS = (
    "欧阳 上官 司马 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 端木 南宫 长孙 宇文 轩辕 独孤 申屠 钟离 公羊 澹台 "
    "闻人 赫连 东郭 西门 呼延 万俟 拓跋 百里 单于 淳于 太史 司空"
)
_COMPOUND_SURNAMES = frozenset(_OF_TWO_CHARACTERS.split())
# Surnames whose reading differs from the character's usual reading.
_READ_AS_SURNAME = {
    "曾": "zeng", "单": "shan", "仇": "qiu", "解": "xie", "翟": "zhai", "区": "ou", "查": "zha", "朴": "piao",
    "盖": "ge", "任": "ren", "华": "hua", "尉迟": "yuchi", "万俟": "moqi", "单于": "chanyu", "燕": "yan", "纪": "ji",
    "宁": "ning", "晁": "chao", "乐": "yue", "缪": "miao", "佘": "she", "覃": "qin", "召": "shao", "秘": "bi",
    "郗": "xi", "逯": "lu", "长孙": "zhangsun", "澹台": "tantai", "尹": "yin", "那": "na", "车": "che", "隗": "wei",
    "宓": "mi", "谌": "chen", "卜": "bu", "应": "ying", "薄": "bo", "员": "yun", "黑": "he", "种": "chong",
    "曲": "qu", "都": "du", "干": "gan",
}  # fmt: skip


def pinyin(word: str) -> str:
    """A word of Chinese characters in lowercase letters, its syllables joined; '' if a character has no reading.

    >>> pinyin("厦门"), pinyin("西安"), pinyin("吕梁")
    ('xiamen', "xi'an", 'lüliang')
    """
    return _joined(_syllables(word))


def capitalized_pinyin(word: str) -> str:
    """Like `pinyin`, capitalized.

    >>> capitalized_pinyin("重庆")
    'Chongqing'
    """
    return _capitalized(pinyin(word))


def surname_length(word: str) -> int:
    """Length of the surname at the beginning of a word: 0, 1 or 2 characters.

    >>> surname_length("张光军"), surname_length("欧阳明"), surname_length("的")
    (1, 2, 0)
    """
    if word[:2] in _COMPOUND_SURNAMES:
        return 2
    return int(word[:1] in _SURNAMES)


def surname_in_letters(surname: str) -> str:
    """A romanized surname, with its reading as a surname.

    >>> surname_in_letters("曾"), surname_in_letters("陆")
    ('Zeng', 'Lu')
    """
    return _capitalized(_READ_AS_SURNAME.get(surname) or pinyin(surname))


def begins_with_surname(word: str) -> bool:
    """Whether a word begins with a surname so frequent that a name is more likely than another word.

    >>> begins_with_surname("张光军"), begins_with_surname("傅园慧"), begins_with_surname("楼价急")
    (True, True, False)
    """
    return word[: surname_length(word)] in _FREQUENT_SURNAMES


def is_typical_name(word: str) -> bool:
    """Whether a word consists of a very common surname and a character that is common in given names.

    >>> is_typical_name("郭梅"), is_typical_name("刘烨"), is_typical_name("高架")
    (True, True, False)
    """
    return len(word) == 2 and word[0] in _COMMON_SURNAMES and word[1] in _COMMON_GIVEN_NAMES


def is_of_given_names(sign: str) -> bool:
    """Whether a character is common in given names."""
    return sign in _COMMON_GIVEN_NAMES


def person(word: str) -> list[str]:
    """Splits a surname from a given name of one or two characters; an empty list for other words.

    >>> person("张光军"), person("欧阳明"), person("曾庆红"), person("银行卡号")
    (['Zhang', 'Guangjun'], ['Ouyang', 'Ming'], ['Zeng', 'Qinghong'], [])
    """
    length = surname_length(word)
    if not length or not 1 <= len(word) - length <= 2:
        return []
    surname, given = word[:length], word[length:]
    words = [surname_in_letters(surname), capitalized_pinyin(given)]
    return words if all(words) else []


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _joined(syllables: Sequence[str]) -> str:
    """Syllables as one word, with an apostrophe before each that begins with a vowel."""
    return "".join(
        f"'{syllable}" if number and syllable[0] in "aeo" else syllable for number, syllable in enumerate(syllables)
    )


@lru_cache(maxsize=1 << 16)  # a line looks names up several times, and characters recur
def _syllables(word: str) -> tuple[str, ...]:
    """The readings of a word's characters; empty if a character has no reading."""
    with optional_packages():
        from pypinyin import lazy_pinyin

    syllables = lazy_pinyin(word, errors="ignore", v_to_u=True)
    return tuple(syllables) if len(syllables) == len(word) else ()
