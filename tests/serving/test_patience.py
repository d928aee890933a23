"""Connections whose clients keep silent, and too many of them; a request's body and messages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request
from uvicorn.server import ServerState

from widl.serving.http_server import Patience, impatient, message_line, read_body


async def answer(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body; an application that never ends for /hang."""
    while (await receive()).get("more_body"):
        pass
    if scope["path"] == "/hang":
        await asyncio.get_running_loop().create_future()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"done"})


class Wire(asyncio.Transport):
    """What a connection was sent, and whether it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.sent, self.aborted, self.closed = b"", False, False

    def write(self, data: Any) -> None:
        self.sent += bytes(data)

    def abort(self) -> None:
        self.aborted = True

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed or self.aborted

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass


@dataclass
class Connections:
    """Connections of one server, whose clock stands still."""

    patience: Patience = field(default_factory=lambda: Patience(connections=2, seconds=3600))
    state: ServerState = field(default_factory=ServerState)

    async def connect(self) -> tuple[Any, Wire]:
        config = uvicorn.Config(answer, log_config=None, lifespan="off", ws="none")
        protocol, wire = impatient(self.patience)(config, self.state, {}), Wire()
        protocol.connection_made(wire)
        return protocol, wire


async def turns() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


HEAD = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"POST / HT", HEAD, HEAD + b"abc", HEAD + b"abcdPOST"])
def test_a_silent_client_is_left(sent: bytes) -> None:
    async def run() -> list[bool]:
        protocol, wire = await Connections().connect()
        if sent:
            protocol.data_received(sent)
        await turns()
        found = []
        for _ in range(2):
            protocol.look()
            found.append(wire.aborted)
        protocol.connection_lost(OSError())
        return found

    # An answer since the last look is a reason to wait for one look more.
    assert asyncio.run(run()) == ([False, True] if sent.endswith(b"POST") else [True, True])


def test_who_waits_for_an_answer_is_kept_and_who_does_not_read_it_is_left() -> None:
    async def run() -> list[bool]:
        protocol, wire = await Connections().connect()
        protocol.data_received(HEAD.replace(b"/", b"/hang", 1) + b"abcd")
        await turns()
        protocol.look()
        found = [wire.aborted]
        protocol.pause_writing()
        protocol.look()
        found.append(wire.aborted)
        protocol.connection_lost(OSError())
        for task in protocol.tasks:
            task.cancel()
        return found

    assert asyncio.run(run()) == [False, True]


def test_too_many_connections() -> None:
    async def run() -> list[Wire]:
        server = Connections()
        opened = [await server.connect() for _ in range(3)]
        for protocol, _ in opened:
            protocol.connection_lost(OSError())
        return [wire for _, wire in opened]

    first, second, third = asyncio.run(run())
    assert (first.sent, second.sent) == (b"", b"")
    assert third.closed
    assert third.sent.startswith(b"HTTP/1.1 503 ")
    assert third.sent.endswith(b'\r\n\r\n{"error":"too many connections; come again later"}')


@pytest.mark.parametrize(
    ("parts", "expected", "left"),
    [
        ([b"ab", b"c"], b"abc", 0),
        ([b"abcd", b"e"], None, 0),  # read to its end, so that the client reads the answer
        ([b"a"] * 100, None, 100 - 17),  # but not for ever
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
