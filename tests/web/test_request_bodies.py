"""Request bodies, and messages about them."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import Request

from widl.web.http_server import message_line, read_body


@pytest.mark.parametrize(
    ("parts", "expected", "left"),
    [
        ([b"ab", b"c"], b"abc", 0),
        ([b"abcd", b"e"], None, 0),  # read completely, so that the client reads the answer
        ([b"a"] * 100, None, 100 - 17),  # but not without limit
    ],
)
def test_bodies(parts: Sequence[bytes], expected: bytes | None, left: int) -> None:
    waiting = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    waiting[-1]["more_body"] = False

    async def receive() -> Any:
        return waiting.pop(0)

    scope = {"type": "http", "headers": []}
    assert asyncio.run(read_body(Request(scope, receive), 4)) == expected
    assert len(waiting) == left


def test_messages() -> None:
    assert message_line("中 \ud800\n\u202e") == "中 \\ud800\\n\\u202e"
    assert len(message_line("x" * 5000)) == 1000
