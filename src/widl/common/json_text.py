"""Values as one line of JSON, for other programs."""

import json
import math
from collections.abc import Mapping
from typing import Any


def json_text(value: object) -> str:
    """A value as a line of JSON. A number that is not finite becomes null, because JSON lacks such numbers.

    >>> json_text({"text": "é", "score": float("-inf")})
    '{"text": "é", "score": null}'
    """
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)


def _finite(value: Any) -> Any:
    """The same value, with None for non-finite numbers."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {name: _finite(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return value
