"""Addresses of Dask schedulers, and whether one answers there."""

import json
import re
import socket
from pathlib import Path

from widl.errors import InputError

_ADDRESS = re.compile(r"((tcp|tls)://)?([\w.-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}")


def scheduler_address(cluster: str) -> str:
    """The scheduler's address, from an address or a scheduler file."""
    address = cluster
    if "://" not in cluster and Path(cluster).is_file():
        try:
            address = str(json.loads(Path(cluster).read_text(encoding="utf-8-sig"))["address"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{cluster}: not a file as 'dask scheduler --scheduler-file' writes it") from None
    if not _ADDRESS.fullmatch(address):
        raise InputError(
            f"--cluster {cluster!r}: neither a number of processes, nor an address like tcp://host:8786, nor a "
            "scheduler file that exists"
        )
    return address if "://" in address else f"tcp://{address}"


def check_answer(address: str, seconds: float) -> None:
    """InputError if no scheduler listens at an address; a client would wait, also for the answer of another program."""
    scheme, _, rest = address.partition("://")
    host, _, port = rest.rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=seconds) as connection:
            # A scheduler speaks first: the length of its greeting, a number of 8 bytes.
            if scheme == "tcp" and b"\0" not in connection.recv(8):
                raise no_scheduler(address, "what listens there is something else")
    except TimeoutError:
        raise no_scheduler(address, f"nothing came in {seconds:g} seconds") from None
    except (OSError, OverflowError) as error:
        raise no_scheduler(address, getattr(error, "strerror", None) or str(error)) from None


def no_scheduler(address: str, why: str) -> InputError:
    """The error of an address where none answers."""
    reason = " ".join(why.split())
    return InputError(f"--cluster: no Dask scheduler answers at {address} ({reason}); 'dask scheduler' starts one")
