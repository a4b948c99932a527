# SPDX-License-Identifier: GPL-2.0-or-later
"""tracedat.py - reads a trace.dat of version 6, as the kernel and trace-cmd write it: each record of each CPU, and the losses

    tracedat.py --longer IN OUT TIMES    the same recording so many times, one after the other
"""
import re
import struct
import sys
import zlib

PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31


class Wrong(Exception):
    pass


def need(holds, *why):
    if not holds:
        raise Wrong(" ".join(str(w) for w in why))


class Recording:
    """.cpus: (offset, size) of each CPU's pages; after read(), .events: (time, CPU, begin, end), in bytes of .data, and .losses: (CPU,
    time of the event behind them, how many; 0: not counted)"""

    def __init__(self, data):
        need(data[:12] == b"\x17\x08\x44tracing" b"6\0", "no trace.dat of version 6")
        self.data, self.order = data, ">" if data[12] else "<"
        self.long, self.page_bytes = data[13], self.number(4, 14)
        self.table = data.index(b"flyrecord\0") + 10
        options = data.rindex(b"options  \0", 0, self.table)
        self.cpus = [(self.number(8, at), self.number(8, at + 8)) for at in range(self.table, self.table + 16 * self.number(4, options - 4), 16)]
        self.events, self.losses = [], []

    def number(self, size, at):
        need(at + size <= len(self.data), "a number ends behind the end of the file")
        return struct.unpack_from(self.order + {2: "H", 4: "I", 8: "Q"}[size], self.data, at)[0]

    def read(self):
        behind = self.table + 16 * len(self.cpus)
        for cpu, (offset, size) in enumerate(self.cpus):
            need(size % self.page_bytes == 0 and offset % self.page_bytes == 0, f"CPU {cpu}: {size} bytes at {offset}")
            need(not size or behind <= offset and offset + size <= len(self.data), f"CPU {cpu} lies outside of the file, or in another")
            behind = max(behind, offset + size)
            for page in range(offset, offset + size, self.page_bytes):
                self.read_page(cpu, page)
        return self

    def read_page(self, cpu, page):
        big = self.order == ">"
        time, commit, pos = self.number(8, page), self.number(self.long, page + 8) & 0xffffffff, page + 8 + self.long
        end = pos + (commit & 0xfffff)
        need(end <= page + self.page_bytes, f"CPU {cpu}: a page of {commit & 0xfffff} bytes")
        lost = None if not commit >> 31 else self.number(self.long, end) if commit >> 30 & 1 else 0
        while pos < end:
            word = self.number(4, pos)
            kind, delta = (word >> 27, word & 0x7ffffff) if big else (word & 31, word >> 5)
            more = self.number(4, pos + 4) if pos + 8 <= end else 0
            if kind == PADDING:
                if not delta:
                    break
                time, pos = time + delta, pos + 4 + more
            elif kind == TIME_EXTEND:
                time, pos = time + delta + (more << 27), pos + 8
            elif kind == TIME_STAMP:
                time, pos = delta + (more << 27), pos + 8
            else:
                begin, size = (pos + 8, more - 4) if kind == 0 else (pos + 4, kind * 4)
                time, pos = time + delta, begin + size
                need(pos <= end, f"CPU {cpu}: a record ends behind its page")
                self.events.append((time, cpu, begin, pos))
                if lost is not None:
                    self.losses.append((cpu, time, lost))
                    lost = None


def load(path):
    with open(path, "rb") as file:
        return Recording(file.read()).read()


def parts_of_version_6(r):
    """Where the parts begin and end that version 7 has as sections, by their ids there."""
    at, parts = 18, {}

    def text64():
        nonlocal at
        at += 8 + r.number(8, at)

    def name():
        nonlocal at
        at = r.data.index(b"\0", at) + 1

    def events():
        nonlocal at
        nr, at = r.number(4, at), at + 4
        for _ in range(nr):
            text64()

    def systems():
        nonlocal at
        nr, at = r.number(4, at), at + 4
        for _ in range(nr):
            name()
            events()

    def text32():
        nonlocal at
        at += 4 + r.number(4, at)

    def headers():
        for _ in range(2):
            name()
            text64()

    for number, skip in ((16, headers), (17, events), (18, systems), (19, text32), (20, text32), (21, text64)):
        begin = at
        skip()
        parts[number] = r.data[begin:at]
    return parts, at


def as_version_7(data, packed=False):
    """The same recording as trace-cmd 3 writes it; packed: each page of its CPUs a chunk of zlib. What is behind the pages (ringside's
    trailer) follows."""
    r = Recording(data)
    parts, at = parts_of_version_6(r)
    out = bytearray(data[:10] + b"7\0" + data[12:18] + (b"zlib\0" if packed else b"none\0") + b"1\0")
    first = len(out)
    out += bytes(8)

    def section(number, body, flags=0):
        begin = len(out)
        out.extend(struct.pack(r.order + "HHIQ", number, flags, 0, len(body)) + body)
        return begin

    offsets = {number: section(number, body) for number, body in parts.items()}
    rows, pages, last = b"", b"", 0
    begin = len(out) + 16
    for cpu, (offset, size) in enumerate(r.cpus):
        body, last = data[offset:offset + size], max(last, offset + size)
        if packed and size:
            chunks = [(zlib.compress(body[i:i + r.page_bytes], 1), len(body[i:i + r.page_bytes])) for i in range(0, size, r.page_bytes)]
            body = struct.pack(r.order + "I", len(chunks)) + b"".join(struct.pack(r.order + "II", len(c), n) + c for c, n in chunks)
        rows += struct.pack(r.order + "IQQ", cpu, begin + len(pages), len(body))
        pages += body
    offsets[3] = section(3, pages, packed)
    body, at = b"", data.rindex(b"options  \0", 0, r.table) + 10
    while r.number(2, at):
        number, size = r.number(2, at), r.number(4, at + 2)
        body += data[at:at + 6 + size] if number != 3 else b""
        at += 6 + size
    for number, offset in offsets.items():
        if number != 3:
            body += struct.pack(r.order + "HIQ", number, 8, offset)
    top = struct.pack(r.order + "Q", offsets[3]) + b"\0boot\0" + struct.pack(r.order + "II", r.page_bytes, len(r.cpus)) + rows
    body += struct.pack(r.order + "HI", 3, len(top)) + top + struct.pack(r.order + "HIQ", 0, 8, 0)
    struct.pack_into(r.order + "Q", out, first, section(0, body))
    return bytes(out) + data[last:] if last else bytes(out)


def without_ends(r):
    """The bytes of a recording, but no task begins or ends: it has the same tasks, however often it is repeated."""
    data = r.data
    for name in b"sched_process_exit", b"sched_process_fork", b"sched_process_free", b"sched_process_exec", b"task_newtask", b"task_rename":
        data = data.replace(b"name: " + name + b"\n", b"name: " + name[:-1] + b"_\n")
    out = bytearray(data)
    event, offset, size = map(int, re.search(rb"name: sched_switch\nID: (\d+)\n.*?prev_state;\toffset:(\d+);\tsize:(\d+);", data, re.S).groups())
    for _, _, begin, _ in r.events:
        if r.number(2, begin) == event and r.number(size, begin + offset) & 0xf0: # dead
            struct.pack_into(r.order + {4: "I", 8: "Q"}[size], out, begin + offset, 1)
    return bytes(out)


def repeated(r, data, times):
    first, last = min(e[0] for e in r.events), max(e[0] for e in r.events)
    out = bytearray(data[:min(offset for offset, size in r.cpus if size)])
    for cpu, (offset, size) in enumerate(r.cpus):
        struct.pack_into(r.order + "QQ", out, r.table + 16 * cpu, len(out), size * times)
        for n in range(times):
            begin = len(out)
            out += data[offset:offset + size]
            for page in range(begin, len(out), r.page_bytes):
                struct.pack_into(r.order + "Q", out, page, struct.unpack_from(r.order + "Q", out, page)[0] + n * (last - first + 1000))
    return bytes(out)


if __name__ == "__main__":
    recording = load(sys.argv[2])
    with open(sys.argv[3], "wb") as out:
        out.write(repeated(recording, without_ends(recording), int(sys.argv[4])))
