"""LMDB files taken apart, as bytes, to be changed where it hurts."""

import os
import struct
from dataclasses import dataclass

from widl.phrase_table import checksums

PAGE, HEADER = 4096, 16


@dataclass
class Image:
    """An LMDB file in memory."""

    content: bytearray

    def number(self, at, form):
        return struct.unpack_from(f"<{form}", self.content, at)[0]

    def put(self, at, form, value):
        struct.pack_into(f"<{form}", self.content, at, value)

    @property
    def meta(self):
        """Where the meta page that counts begins, behind its header."""
        first, second = HEADER, PAGE + HEADER
        return second if self.number(first + 128, "Q") < self.number(second + 128, "Q") else first

    def kind(self, page):
        return self.number(page * PAGE + 10, "H")

    def nodes(self, page):
        """Where the nodes of a page are, in the file."""
        count = (self.number(page * PAGE + 12, "H") - HEADER) // 2
        return [page * PAGE + self.number(page * PAGE + HEADER + 2 * i, "H") for i in range(count)]

    def value(self, node):
        return node + 8 + self.number(node + 6, "H")

    @property
    def names(self):
        """Database name -> where its record is."""
        (root,) = [self.number(self.meta + 72 + 40, "Q")]
        return {self.content[node + 8 : self.value(node)].decode(): self.value(node) for node in self.nodes(root)}

    def root(self, name):
        return self.number(self.names[name] + 40, "Q")


def hurt_table(path, change):
    """Change the pages of a phrase table; its checksum is right afterwards."""
    os.truncate(path, path.stat().st_size - checksums.SEAL.size)
    image = Image(bytearray(path.read_bytes()))
    change(image)
    path.write_bytes(image.content)
    checksums.append_checksum(path)
