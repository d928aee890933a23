"""Invented news for tests: documents with headlines."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

COMPANIES = ["Acme", "Fiat", "Sony", "Shell", "Nestle", "Volvo"]
VERBS = ["sell", "buy", "close", "open"]
GOODS = ["wells", "mines", "farms", "ships"]
PLACES = ["Peru", "Norway", "Chad", "Oman"]
DAYS = ["Monday", "Friday"]

_PLAN = "{company} said on {day} it will {verb} old {goods} in {place}."
_MONEY = "The {goods} lost money for the company."


def stories(count: int, seed: int = 1) -> Iterator[dict[str, str]]:
    """Distinct documents as JSON objects."""
    order = random.Random(seed)
    every = list(itertools.product(COMPANIES, VERBS, GOODS, PLACES, DAYS))
    for number, (company, verb, goods, place, day) in enumerate(order.sample(every, count), 1):
        words = {"company": company, "verb": verb, "goods": goods, "place": place, "day": day}
        text = "\n".join(template.format(**words) for template in (_PLAN, _MONEY))
        yield {"id": f"n{number}", "text": text, "headline": f"{company} {verb} {goods} IN {place}".upper()}


def write_stories(path: Path, count: int, seed: int = 1) -> Path:
    """A file of them."""
    path.write_text("".join(json.dumps(story) + "\n" for story in stories(count, seed)), encoding="utf-8")
    return path
