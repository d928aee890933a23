"""The service on a socket, until it is told to stop."""

import contextlib
import socket
from collections.abc import Callable

from starlette.applications import Starlette

from widl.serving.http_server import Patience, listening_socket, run_application

_GRACE = 30  # seconds that requests under way have when the service is told to stop


def serve(
    app: Starlette, *, host: str, port: int, listening: Callable[[str], None], patience: Patience | None = None
) -> None:
    """Serve until SIGINT or SIGTERM; requests under way are answered first.

    Args:
        app: As made by `make_app`.
        host: Name or number of an address of this machine.
        port: 0 for any that is free.
        listening: Called with the address once it can be used.
        patience: With clients that send nothing.

    Raises:
        FileError: The address can't be used.
    """
    with contextlib.closing(listening_socket(host, port)) as listener:
        address = _url(listener)
        run_application(app, listener, lambda: listening(address), grace=_GRACE, lifespan=True, patience=patience)


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if listener.family == socket.AF_INET6 else f"http://{host}:{port}"
