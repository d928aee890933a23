"""The service on a socket, until it is told to stop."""

import contextlib
import socket
from collections.abc import Callable

import uvicorn
from starlette.applications import Starlette

from widl.errors import FileError, InputError

_GRACE = 30  # seconds that requests under way have when the service is told to stop


class _Server(uvicorn.Server):
    """Tells when it listens."""

    def __init__(self, config: uvicorn.Config, listening: Callable[[], None]) -> None:
        super().__init__(config)
        self._listening = listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started:
            self._listening()


def serve(app: Starlette, *, host: str, port: int, listening: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are answered first.

    Args:
        app: As made by `make_app`.
        host: Name or number of an address of this machine.
        port: 0 for any that is free.
        listening: Called with the address once it can be used.

    Raises:
        FileError: The address can't be used.
    """
    with contextlib.closing(_listening_socket(host, port)) as listener:
        address = _url(listener)
        config = uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_GRACE,
            server_header=False,
        )
        _Server(config, lambda: listening(address)).run(sockets=[listener])


def _listening_socket(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise InputError(f"--host {host}: no such address") from None
    except OSError as error:
        raise FileError(f"{host}:{port}: can't listen there ({error.strerror}); choose another --port") from None


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
