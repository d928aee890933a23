"""The JSON schema of the output of ``--json``: docs/result.schema.json, generated from the results' types.

``python -m widl.cli.result_schema > docs/result.schema.json`` updates the file.
"""

import json
import sys
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from widl.decoder import ResultRecord
from widl.headline import HeadlineRecord
from widl.translation import TranslationRecord

RESULT: TypeAdapter[Any] = TypeAdapter(
    TranslationRecord | HeadlineRecord | ResultRecord,
    config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True),
)
"""Checks a result, as `json.loads` gives it: of a translation, a headline, or an expression."""


def result_schema() -> dict[str, Any]:
    """The schema of one line of `widl realize`, `order`, `translate` and `headline generate` with ``--json``."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A result of widl",
        "description": "One line of what widl realize, order, translate and headline generate print with --json.",
    }
    schema = RESULT.json_schema()
    described: dict[str, str] = {}
    # A field is described where it is declared; records that inherit it get the same description.
    for name in ("PhraseRecord", "CandidateRecord", "ResultRecord", "HeadlineRecord", "TranslationRecord"):
        for key, entry in schema["$defs"][name]["properties"].items():
            del entry["title"]
            entry["description"] = entry.get("description") or described[key]
            described[key] = entry["description"]
    return head | schema


def schema_text() -> str:
    """The schema as the file has it."""
    return json.dumps(result_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema_text())
