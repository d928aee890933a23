"""Negations of Chinese lines that return in their English translations."""

import re
from collections.abc import Iterable

from widl.text.segmentation import ChineseSegmenter
from widl.translation.number_support import line_pairs

# Words that negate wherever they stand; 不 within 不断 or 不仅, 非 within 非常 do not.
_CHINESE = frozenset(
    (
        *("不", "没", "没有", "未", "未能", "无", "非", "别", "勿", "不是", "不会", "不能", "不要", "不可", "不再"),
        *("不得", "不应", "不想", "不愿", "不必", "不用", "不敢", "不许", "不准", "不可能", "不需要", "不存在", "不到"),
        *("并非", "并不", "并未", "并没有", "毫无", "毫不", "从未", "从不", "决不", "绝不", "尚未", "无法", "无人"),
    )
)
_ENGLISH = re.compile(
    r"n['’]t\b|\b(?:not|no|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|unable|impossible|unlikely"
    r"|hardly|fail(?:s|ed|ing|ure)?|lacks?|lacked|lacking|refus(?:e|es|ed|al)|absence|free of|den(?:y|ies|ied)"
    r"|illegal|unnecessary|unknown|unclear|ban(?:s|ned)?|prohibit(?:s|ed)?|forbid(?:s|den)?|non)\b",
    re.IGNORECASE,
)


def negations_returned(sources: Iterable[str], translations: Iterable[str]) -> tuple[int, int]:
    """Of raw lines: how many sources have a negation, and how many of their translations have one, too.

    A share below 1 is no error by itself: people say 没有停 as *went on*.

    >>> negations_returned(["他没有来。", "他来了。", "不断增长。"], ["He did not come.", "He came.", "It grows."])
    (1, 1)
    """
    segmenter = ChineseSegmenter()
    negated = returned = 0
    for source, translation in line_pairs(sources, translations):
        if not _CHINESE.isdisjoint(segmenter.tokenize(source)):
            negated += 1
            returned += _ENGLISH.search(translation) is not None
    return negated, returned
