"""An ASGI application on a socket of this machine, until it is told to stop."""

import asyncio
import json
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from widl.common.errors import FileError, InputError

CLOSE = {"Connection": "close"}
"""Of answers to requests whose bodies were not read to their ends."""

_READ_AND_DROPPED = 4  # times the largest body: who sends more gets no answer, as the connection is closed
_LONGEST_MESSAGE = 1000  # characters
_LONGEST_KEY = 100  # characters of it in a message


@dataclass(frozen=True)
class Patience:
    """What clients may cost that send nothing: connections that are open at a time, and how long they may be silent."""

    connections: int = 500
    seconds: float = 75.0
    """After so many, or at most twice as many, a connection is closed that has got no answer and has no request that
    is being worked on: because its head or body does not come, or because the answer is not read."""


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._listening()


def impatient(patience: Patience) -> type[H11Protocol]:
    """The protocol of connections that are closed when their clients keep silent, or when there are too many."""

    class Impatient(H11Protocol):
        _answers = _answers_seen = 0
        _next_look: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > patience.connections:
                transport.write(
                    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
                    b"Content-Type: application/json\r\n\r\n"
                    b'{"error":"too many connections; come again later"}'
                )
                transport.close()
            else:
                self._next_look = self.loop.call_later(patience.seconds, self.look)

        def connection_lost(self, exc: Exception | None) -> None:
            if self._next_look is not None:
                self._next_look.cancel()
            super().connection_lost(exc)

        def on_response_complete(self) -> None:
            self._answers += 1
            super().on_response_complete()

        def look(self) -> None:
            """Close the connection if it has had no answer since the last look, and waits for its client."""
            if self._answers == self._answers_seen and self._waits_for_client():
                self.transport.abort()
                return
            self._answers_seen = self._answers
            self._next_look = self.loop.call_later(patience.seconds, self.look)

        def _waits_for_client(self) -> bool:
            cycle = self.cycle
            return cycle is None or cycle.response_complete or cycle.more_body or self.flow.write_paused

    return Impatient


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket at an address of this machine; port 0 is any that is free. FileError if it can't be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise InputError(f"--host {host}: no such address") from None
    except OSError as error:
        raise FileError(f"{host}:{port}: can't listen there ({error.strerror}); choose another --port") from None


async def read_body(request: Request, most: int) -> bytes | None:
    """A request's body; None if it has more than `most` bytes.

    What is more is read and dropped, so that the client has sent its body and reads the answer, but not without end.
    The answer should have the headers `CLOSE`.
    """
    content, size = bytearray(), 0
    async for part in request.stream():
        size += len(part)
        if size <= most:
            content += part
        else:
            content.clear()
            if size > _READ_AND_DROPPED * most:
                break
    return bytes(content) if size <= most else None


def message_line(message: str) -> str:
    """A message that may repeat what a stranger sent: in one line of some length, and all of it Unicode.

    >>> message_line("a\\nb: \\ud800")
    'a\\\\nb: \\\\ud800'
    """
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE - 1]}…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)


def json_object(content: bytes) -> dict[str, Any]:
    """The JSON object that a body is; InputError says in one line why it is none."""
    try:
        body = json.loads(content, object_pairs_hook=_without_repetition, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise InputError("the body is not UTF-8; expected a JSON object") from None
    except InputError:
        raise
    except RecursionError:
        raise InputError("the body is not JSON: nested too deeply") from None
    except json.JSONDecodeError as error:
        raise InputError(f"the body is not JSON: {error}") from None
    except ValueError:  # of int()
        raise InputError("the body has a number of thousands of digits; expected a JSON object") from None
    if not isinstance(body, dict):
        raise InputError(f"the body is {kind_of(body)}, expected a JSON object")
    return body


def _without_repetition(entries: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(entries)
    if len(found) < len(entries):
        seen: set[str] = set()
        twice = next(key for key, _ in entries if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise InputError(f"'{shown_key(twice)}': given twice; which of them?")
    return found


def _no_number(text: str) -> Any:
    raise InputError(f"the body is not JSON: {text} is no number there")


def shown_key(key: str) -> str:
    """A key that a stranger gave, for a message."""
    return message_line(key if len(key) <= _LONGEST_KEY else f"{key[:_LONGEST_KEY]}…")


def kind_of(value: Any) -> str:
    """What a value of JSON is, for a message."""
    kinds = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def run_application(
    app: ASGIApp,
    listener: socket.socket,
    listening: Callable[[], None],
    *,
    grace: int,
    lifespan: bool = False,
    patience: Patience | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way have `grace` seconds then. `listening` is called at the start.

    lifespan: whether the application wants to know when it begins and ends.
    """
    options: dict[str, Any] = {"http": impatient(patience or Patience()), "ws": "none", "proxy_headers": False}
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on" if lifespan else "off",
        timeout_graceful_shutdown=grace,
        server_header=False,
        **options,
    )
    _Server(config, listening).run(sockets=[listener])
