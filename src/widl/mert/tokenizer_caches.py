"""Caches of tokens, sacrebleu's and one beside it."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sacrebleu.metrics.bleu import BLEU


def forget_lines(tokenizer: object) -> None:
    """Empty the caches of a tokenizer and of those it works with.

    Each of sacrebleu's tokenizers keeps 65,536 lines for as long as the process lives: many tunings would grow by that.
    """
    for one in (tokenizer, *vars(tokenizer).values()):
        for method in vars(type(one)).values():
            if hasattr(method, "cache_clear"):
                method.cache_clear()


class TokenCache(dict[str, str]):
    """Words and their tokens: n-best lists repeat the same words, and the regular expressions are slow."""

    def __init__(self, bleu: "BLEU") -> None:
        self._bleu = bleu

    def __missing__(self, word: str) -> str:
        tokens = self[word] = self._bleu._preprocess_segment(word)
        return tokens
