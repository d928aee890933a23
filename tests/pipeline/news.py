"""News made up for tests: documents with headlines, and a small spaCy pipeline that parses their language."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

from tests.headline.parses import sentence

COMPANIES = ["Acme", "Fiat", "Sony", "Shell", "Nestle", "Volvo"]
VERBS = ["sell", "buy", "close", "open"]
GOODS = ["wells", "mines", "farms", "ships"]
PLACES = ["Peru", "Norway", "Chad", "Oman"]
DAYS = ["Monday", "Friday"]

_PLAN = (
    "{company}/PROPN/nsubj>1 said/VERB/root>1 on/ADP/case>3 {day}/PROPN/obl>1 it/PRON/nsubj>6 will/AUX/aux>6 "
    "{verb}/VERB/ccomp>1 old/ADJ/amod>8 {goods}/NOUN/obj>6 in/ADP/case>10 {place}/PROPN/nmod>8+ "
    "./PUNCT/punct>1"
)
_MONEY = (
    "The/DET/det>1 {goods}/NOUN/nsubj>2 lost/VERB/root>2 money/NOUN/obj>2 for/ADP/case>6 the/DET/det>6 "
    "company/NOUN/obl>2+ ./PUNCT/punct>2"
)


def stories(count: int, seed: int = 1) -> Iterator[dict[str, str]]:
    """Documents as JSON objects, no two alike."""
    order = random.Random(seed)
    every = list(itertools.product(COMPANIES, VERBS, GOODS, PLACES, DAYS))
    for number, (company, verb, goods, place, day) in enumerate(order.sample(every, count), 1):
        words = {"company": company, "verb": verb, "goods": goods, "place": place, "day": day}
        text = "\n".join(_text(template.format(**words)) for template in (_PLAN, _MONEY))
        yield {"id": f"n{number}", "text": text, "headline": f"{company} {verb} {goods} IN {place}".upper()}


def write_stories(path: Path, count: int, seed: int = 1) -> Path:
    """A file of them."""
    path.write_text("".join(json.dumps(story) + "\n" for story in stories(count, seed)), encoding="utf-8")
    return path


def _text(template: str) -> str:
    return "".join(token.text + " " * token.space for token in sentence(template)).strip()


def make_parser(path: Path) -> Path:
    """A pipeline that parses these sentences, trained here in some seconds; saved at `path`."""
    import spacy
    from spacy.tokens import Doc
    from spacy.training import Example

    pipeline = spacy.blank("en")
    model = {"@architectures": "spacy.HashEmbedCNN.v2", "pretrained_vectors": None, "width": 32, "depth": 2}
    model |= {"embed_size": 500, "window_size": 1, "maxout_pieces": 2, "subword_features": True}
    pipeline.add_pipe("tok2vec", config={"model": model})
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 32}
    pipeline.add_pipe("morphologizer", config={"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": listener}})
    transitions = {"@architectures": "spacy.TransitionBasedParser.v2", "state_type": "parser", "hidden_width": 32}
    transitions |= {"extra_state_tokens": False, "maxout_pieces": 2, "use_upper": True, "tok2vec": listener}
    pipeline.add_pipe("parser", config={"model": transitions, "min_action_freq": 1})
    order = random.Random(1)
    examples = []
    for template in (_PLAN, _MONEY) * 24:
        words = {"company": order.choice(COMPANIES), "verb": order.choice(VERBS), "goods": order.choice(GOODS)}
        tokens = sentence(template.format(**words, place=order.choice(PLACES), day=order.choice(DAYS)))
        columns = {
            "words": [token.text for token in tokens],
            "spaces": [token.space for token in tokens],
            "pos": [token.tag for token in tokens],
            "heads": [token.head for token in tokens],
            "deps": ["ROOT" if token.relation == "root" else token.relation for token in tokens],
        }
        given = Doc(pipeline.vocab, columns["words"], columns["spaces"])
        examples.append(Example(given, Doc(pipeline.vocab, **columns)))
    spacy.util.fix_random_seed(1)
    optimizer = pipeline.initialize(lambda: examples)
    for _ in range(12):
        order.shuffle(examples)
        for begin in range(0, len(examples), 8):
            pipeline.update(examples[begin : begin + 8], sgd=optimizer)
    pipeline.to_disk(path)
    return path
