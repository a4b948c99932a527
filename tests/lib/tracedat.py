# SPDX-License-Identifier: GPL-2.0-or-later
"""tracedat.py - reads a trace.dat of version 6, as the kernel and trace-cmd write it: each record of each CPU, and the losses

    tracedat.py --longer IN OUT TIMES    the same recording so many times, one after the other
"""
import re
import struct
import sys

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
