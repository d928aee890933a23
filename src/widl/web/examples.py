"""The workbench's initial content: expressions of every operator, and sentences for a language model."""

from dataclasses import dataclass
from functools import lru_cache

from widl.decoder import LanguageModel

SENTENCES = """the old man lost the key
the old woman found the key
the man found the old dog
the dog found the man
the woman lost the dog in the park
the man in the park found the key
the old dog lost the man
a man in the old park
the old key
the dog in the park
the woman in the park saw the dog
the man saw the old woman
the woman saw the man""".splitlines()
"""The language model of the examples is estimated from these."""


@dataclass(frozen=True)
class Example:
    """An expression and its purpose."""

    name: str
    about: str
    expression: str


EXAMPLES = (
    Example(
        "A bag of words",
        "Four words in any order, 24 strings. A*₁ rushes on with “the woman found” and is left with “key”; "
        "A* goes back to “woman found the key”.",
        "∥(woman, found, the, key)",
    ),
    Example(
        "Choices and locks",
        "A locked subject that nothing may come into, a choice of verbs with probabilities, and a free adverbial.",
        "∥(×(the old woman), ∨{0.7, 0.3}(found, lost), ×(the key), ×(in the park))",
    ),
    Example(
        "Orders with probabilities",
        "An interleave that knows its orders: the verb comes first with probability 0.2, and “the man” is mixed with "
        "others with 0.1.",
        "∥{2 1 3: 0.2, perms: 0.7, shuffles: 0.1}(×(the dog), ∨{0.65, 0.35}(found, saw), the man)",
    ),
    Example("One string", "A precedence of words, which has only one string.", "the man saw the dog"),
)


@lru_cache(maxsize=1)
def example_model() -> LanguageModel:
    """A language model of `SENTENCES`."""
    return LanguageModel.estimate(SENTENCES)
