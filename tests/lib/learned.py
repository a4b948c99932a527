# SPDX-License-Identifier: GPL-2.0-or-later
"""learned.py FILE - a file as a daemon keeps it, that has learned for 14 blocks what the call flock of programs flock takes: 1 us

The layout is that of src/usual/usual-state.h.
"""
import struct
import sys
import time

BLOCKS, MEASURES = 14, 5


def step(value, bits=6):
    if value < 1 << bits:
        return 1 + value
    octave = value.bit_length() - 1
    return 1 + (octave - bits + 1 << bits) + (value >> octave - bits & (1 << bits) - 1)


def checksum(data):
    total = 14695981039346656037
    for byte in data:
        total = (total ^ byte) * 1099511628211 & (1 << 64) - 1
    return total


block = int(time.time()) // 600
body = struct.pack("<II", BLOCKS, BLOCKS)
body += b"".join(struct.pack("<I", block - 1 - i) for i in range(BLOCKS))
key = b"flock\0flock\0"
body += struct.pack("<I", 1) + b"syscall-latency".ljust(16, b"\0") + struct.pack("<I", len(key)) + key.ljust(96, b"\0")
body += struct.pack("<Q", 10**12)
body += struct.pack(f"<{MEASURES}H", step(1000), step(1000), step(100000), step(0), step(1000)) * BLOCKS
with open(sys.argv[1], "wb") as f:
    f.write(b"rsusual\0" + struct.pack("<IIQQ", 1, 32 + len(body), 7, checksum(body)) + body)
