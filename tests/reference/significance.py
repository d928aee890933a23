"""Fisher's exact test of phrase pairs (Johnson et al. 2007), with exact fractions."""

from fractions import Fraction
from math import comb, log


def p_value(joint: int, source: int, target: int, sentences: int) -> Fraction:
    """The probability of `joint` or more common sentence pairs, if the phrases had nothing to do with each other."""
    ways = sum(comb(source, k) * comb(sentences - source, target - k) for k in range(joint, min(source, target) + 1))
    return Fraction(ways, comb(sentences, target))


def negative_log_p(joint: int, source: int, target: int, sentences: int) -> float:
    """-ln of that; logarithms of the integers, since the fraction may be too small for a float."""
    p = p_value(joint, source, target, sentences)
    if p == 1:
        return 0.0
    if p > Fraction(1, 2):  # the difference of two logarithms would lose the digits
        return float(1 - p) if 1 - p < Fraction(1, 10**9) else -log(p)
    return log(p.denominator) - log(p.numerator)
