"""Serves an ASGI application on a local socket, until it is stopped."""

import asyncio
import ipaddress
import socket
from collections.abc import Callable, Collection
from typing import Any

import h11
import uvicorn
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from widl.common.errors import FileError, InputError

CLOSE = {"Connection": "close"}
"""Header for responses to requests whose bodies were not read to their ends."""

_READ_AND_DROPPED = 4  # times the largest body: the connection of a client that sends more is closed
_LONGEST_MESSAGE = 1000  # characters
_MAX_CONNECTIONS = 500
SECONDS_OF_A_HEAD = 60.0
"""Time in which the line and the headers of a request must have arrived."""


class HostCheck:
    """An application that rejects requests for other hosts, and requests from pages of other sites.

    A page of another site can reach a local address under its own host name (DNS rebinding). The browser then sends
    that name as Host. With other requests it sends the page's site as Origin. So the host must be an IP address,
    ``localhost`` or one of `names`, and an origin must have the same host and port.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on a request."""
        if scope["type"] == "http" and (problem := self._problem(Headers(scope=scope))):
            status, message = problem
            await JSONResponse({"error": message}, status, CLOSE)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _problem(self, headers: Headers) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if host_name(host) not in self._names and not _is_address(host_name(host)):
            return 421, message_line(f"{host}: not a name of this service; start it with --name {host_name(host)}")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return 403, message_line(f"requests from pages of {origin} are not answered")
        return None


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets.

    >>> host_name("Example.org:80"), host_name("[::1]:8000"), host_name("::1")
    ('example.org', '::1', '::1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return (host if host.count(":") > 1 else host.partition(":")[0]).lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class TimedProtocol(H11Protocol):
    """Closes connections whose next request has not begun, or not sent its headers, `SECONDS_OF_A_HEAD` after the
    connection or its last response; uvicorn itself limits only the wait between two requests.
    """

    _head_timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_head()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    @override
    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._await_head()

    def _await_head(self) -> None:
        self._stop_timer()
        self._head_timer = self.loop.call_later(SECONDS_OF_A_HEAD, self._close_without_head)

    def _close_without_head(self) -> None:
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if not is_answering and self.conn.their_state in (h11.IDLE, h11.DONE):
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._head_timer is not None:
            self._head_timer.cancel()


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

    If more than `_MAX_CONNECTIONS` are open, further requests get status 503.
    """
    config = uvicorn.Config(
        app,
        http=TimedProtocol,
        log_level="warning",
        access_log=False,
        lifespan="off",
        timeout_graceful_shutdown=grace,
        server_header=False,
        ws="none",
        proxy_headers=False,
        limit_concurrency=_MAX_CONNECTIONS,
    )
    _Server(config, listening).run(sockets=[listener])
