"""Serves an ASGI application on a local socket, until it is stopped."""

import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from pydantic_core import from_json
from starlette.requests import Request
from starlette.types import ASGIApp

from widl.common.errors import FileError, InputError

CLOSE = {"Connection": "close"}
"""Header for responses to requests whose bodies were not read to their ends."""

_READ_AND_DROPPED = 4  # times the largest body: the connection of a client that sends more is closed
_LONGEST_MESSAGE = 1000  # characters
_MOST_CONNECTIONS = 500


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._listening()


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket at an address of this machine; port 0 means any free port. FileError if the address can't be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise InputError(f"--host {host}: no such address") from None
    except OSError as error:
        raise FileError(f"{host}:{port}: can't listen there ({error.strerror}); choose another --port") from None


async def read_body(request: Request, most: int) -> bytes | None:
    """A request's body; None if it is longer than `most` bytes.

    The excess is read and dropped, up to a limit, so that the client finishes sending its body and reads the response.
    The response should then have the headers `CLOSE`.
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
    """A message that may quote untrusted input: one line of limited length, in valid Unicode.

    >>> message_line("a\\nb: \\ud800")
    'a\\\\nb: \\\\ud800'
    """
    if len(message) > _LONGEST_MESSAGE:
        message = f"{message[: _LONGEST_MESSAGE - 1]}…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)


def json_value(content: bytes) -> Any:
    """The value in a body; InputError says in one line why it is not JSON."""
    try:
        return from_json(content, allow_inf_nan=False)
    except ValueError as error:
        raise InputError(f"the body is not JSON: {error}") from None


def run_application(
    app: ASGIApp,
    listener: socket.socket,
    listening: Callable[[], None],
    *,
    grace: int,
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way have `grace` seconds then. `listening` is called at the start.

    If more than `_MOST_CONNECTIONS` are open, further requests get status 503.
    """
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=grace,
        server_header=False,
        ws="none",
        proxy_headers=False,
        limit_concurrency=_MOST_CONNECTIONS,
    )
    _Server(config, listening).run(sockets=[listener])
