"""The recipes of docs/constrain-neural.md, run: transformers with torch, llama-cpp-python if it is installed.

    python benchmarks/token_recipes.py [--objects 104] [--batch 8] [--seed 1]

A byte-level BPE is trained on a few lines, and a GPT-2 of two layers has random weights. Objects with four keys in any
order, one of them optional, are sampled in batches; each must be valid JSON of its schema. Prints the versions, how
many are valid, at how many different steps the rows of a batch ended, and the time of the constraint in a step. Needs
torch, transformers and tokenizers, which widl does not require.
"""

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import re
import time
from pathlib import Path
from typing import Any

from widl.decoder import JsonObjects, TokenConstraint, expression_of_json_schema

PAGE = Path(__file__).resolve().parents[1] / "docs" / "constrain-neural.md"
NEEDED = ("torch", "transformers", "tokenizers")
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "maxLength": 12},
        "age": {"enum": [7, 42, 101]},
        "is new": {"type": "boolean"},
        "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
    },
    "required": ["name", "age", "is new"],
}


def recipe(beginning: str) -> str:
    """The code block of the page that begins like this."""
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    [block] = [block for block in blocks if block.startswith(beginning)]
    return str(block)


def is_of_schema(text: str) -> bool:
    """Whether a text is an object of `SCHEMA`."""
    try:
        value = json.loads(text)
    except ValueError:
        return False
    if not isinstance(value, dict) or not set(SCHEMA["required"]) <= value.keys() <= SCHEMA["properties"].keys():
        return False
    tags = value.get("tags", [])
    return (
        isinstance(value["name"], str)
        and len(value["name"]) <= 12
        and value["age"] in (7, 42, 101)
        and isinstance(value["is new"], bool)
        and isinstance(tags, list)
        and len(tags) <= 2
        and all(tag in ("a", "b") for tag in tags)
    )


def trained_tokenizer() -> Any:
    """A byte-level BPE of a few lines, with tokens for the end and for padding."""
    tokenizers, transformers = map(importlib.import_module, ("tokenizers", "transformers"))
    bpe = tokenizers.Tokenizer(tokenizers.models.BPE())
    bpe.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        special_tokens=["<|end|>", "<|pad|>"],
        show_progress=False,
    )
    lines = ['{ "name": "Zoë", "age": 42, "is new": true, "tags": ["a", "b"] }', "an object with its keys in any order"]
    bpe.train_from_iterator(lines * 5, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=bpe, eos_token="<|end|>", pad_token="<|pad|>", padding_side="left"
    )


class Timed:
    """A processor that measures itself, and notes when rows end."""

    def __init__(self, processor: Any) -> None:
        self.processor, self.seconds, self.steps = processor, 0.0, 0

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """What the processor returns."""
        start = time.perf_counter()
        result = self.processor(input_ids, scores)
        self.seconds += time.perf_counter() - start
        self.steps += 1
        return result


def run_transformers(objects: JsonObjects, total: int, batch: int, seed: int) -> None:
    """Samples objects with the page's class and vocabulary."""
    torch, transformers = map(importlib.import_module, ("torch", "transformers"))
    names: dict[str, Any] = {"transformers": transformers, "torch": torch}
    exec(recipe("class Constrained"), names)
    exec(recipe("def vocabulary_of").split("\n\n\n")[0], names)
    torch.manual_seed(seed)
    tokenizer = trained_tokenizer()
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer) + 24, n_positions=512, n_embd=64, n_layer=2, n_head=2, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    end, padding = tokenizer.eos_token_id, tokenizer.pad_token_id
    vocabulary = names["vocabulary_of"](tokenizer, config.vocab_size)
    constraint = TokenConstraint(
        objects.expression, vocabulary, end, padding=padding, slots=objects.slots, joined=objects.joined
    )
    prompts = tokenizer(["an object", "with its keys in any order"] * (batch // 2), return_tensors="pt", padding=True)
    length = prompts["input_ids"].shape[1]
    valid, orders, ends, seconds, steps = 0, set(), [], 0.0, 0
    for _ in range(-(-total // batch)):
        processor = Timed(names["Constrained"](constraint, length))
        with torch.no_grad():
            rows = model.generate(
                input_ids=prompts["input_ids"],
                attention_mask=prompts["attention_mask"],
                do_sample=True,
                max_new_tokens=400,
                pad_token_id=padding,
                logits_processor=transformers.LogitsProcessorList([processor]),
            )
        made = rows[:, length:].tolist()
        texts = [b"".join(vocabulary[token] for token in row).decode() for row in made]
        valid += sum(map(is_of_schema, texts))
        orders |= {tuple(json.loads(text)) for text in texts if is_of_schema(text)}
        ends.append(len({row.index(end) for row in made if end in row}))
        seconds, steps = seconds + processor.seconds, steps + processor.steps
    count = batch * len(ends)
    print(f"transformers: {valid} of {count} objects valid, {len(orders)} orders of keys")
    print(f"rows of a batch of {batch} ended at {min(ends)} to {max(ends)} different steps")
    print(f"{1e3 * seconds / steps:.1f} ms a step of the batch in the constraint, {steps} steps")
    assert valid == count


def main() -> None:
    """Prints the versions and the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("objects", 104), ("batch", 8), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    if missing := [name for name in NEEDED if importlib.util.find_spec(name) is None]:
        print(f"not run: {', '.join(missing)} not installed")
        return
    print(", ".join(f"{name} {importlib.metadata.version(name)}" for name in NEEDED))
    objects = expression_of_json_schema(SCHEMA)
    run_transformers(objects, given.objects, given.batch, given.seed)
    if importlib.util.find_spec("llama_cpp") is None:
        print("llama-cpp-python: not installed, not run")


if __name__ == "__main__":
    main()
