"""Has a command line run by the server at a socket: `client.py SOCKET ARGUMENT...`, with this process's open files."""

import json
import os
import socket
import sys

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.argv[1])
    request = {"arguments": sys.argv[2:], "folder": os.getcwd(), "environment": dict(os.environ)}
    text = json.dumps(request).encode("ascii")
    socket.send_fds(connection, [len(text).to_bytes(8, "little")], [0, 1, 2])
    connection.sendall(text)
    status = int(connection.recv(100) or b"70")  # of one that died: what no command ends with by itself
os._exit(status)
