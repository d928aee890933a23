"""An ASGI application on a socket of this machine, until it is told to stop."""

import socket
from collections.abc import Callable

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp

from widl.errors import FileError, InputError


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
    """A socket at an address of this machine; port 0 is any that is free. FileError if it can't be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise InputError(f"--host {host}: no such address") from None
    except OSError as error:
        raise FileError(f"{host}:{port}: can't listen there ({error.strerror}); choose another --port") from None


async def read_body(request: Request, most: int) -> bytes | None:
    """A request's body; None as soon as it has more than `most` bytes."""
    content = bytearray()
    async for part in request.stream():
        content += part
        if len(content) > most:
            return None
    return bytes(content)


def run_application(
    app: ASGIApp, listener: socket.socket, listening: Callable[[], None], *, grace: int, lifespan: bool = False
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way have `grace` seconds then. `listening` is called at the start.

    lifespan: whether the application wants to know when it begins and ends.
    """
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="on" if lifespan else "off",
        timeout_graceful_shutdown=grace,
        server_header=False,
    )
    _Server(config, listening).run(sockets=[listener])
