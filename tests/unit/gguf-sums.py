#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage: gguf-sums.py FILE   Reads a GGUF file independently of the suite, and
prints each tensor's name, its bytes, and the sum of its bytes taken as 64-bit
little-endian numbers, modulo 2^64. Knows the types of tensors it needs."""
import struct
import sys

BLOCKS = {0: (1, 4), 1: (1, 2), 2: (32, 18), 8: (32, 34), 12: (256, 144), 24: (1, 1)}
SCALARS = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}


class File:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def text(self):
        length = self.number("Q")
        self.at += length
        return self.data[self.at - length : self.at].decode()

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            kind = self.number("I")
            return [self.value(kind) for _ in range(self.number("Q"))]
        self.at += SCALARS[kind]
        return self.data[self.at - SCALARS[kind] : self.at]


def main():
    with open(sys.argv[1], "rb") as handle:
        file = File(handle.read())
    assert file.data[:4] == b"GGUF"
    file.at = 8
    tensors, pairs = file.number("Q"), file.number("Q")
    keys = {}
    for _ in range(pairs):
        key = file.text()
        keys[key] = file.value(file.number("I"))
    alignment = int.from_bytes(keys.get("general.alignment", b"\x20"), "little")
    table = []
    for _ in range(tensors):
        name = file.text()
        elements = 1
        for _ in range(file.number("I")):
            elements *= file.number("Q")
        per_block, block = BLOCKS[file.number("I")]
        table.append((name, elements // per_block * block, file.number("Q")))
    start = -(-file.at // alignment) * alignment
    for name, length, offset in table:
        part = file.data[start + offset : start + offset + length]
        assert len(part) == length
        part += bytes(-length % 8)
        print(name, length, sum(struct.unpack(f"<{len(part) // 8}Q", part)) % 2**64)


main()
