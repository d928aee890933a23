"""The service on a socket, until it is told to stop."""

import contextlib
import socket
from collections.abc import Callable

from starlette.applications import Starlette

from widl.http_server import listening_socket, run_application

_GRACE = 30  # seconds that requests under way have when the service is told to stop


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
    with contextlib.closing(listening_socket(host, port)) as listener:
        address = _url(listener)
        run_application(app, listener, lambda: listening(address), grace=_GRACE, lifespan=True)


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
