# SPDX-License-Identifier: GPL-2.0-or-later
"""staged_only.py IN OUT [FACTOR] - of a recording of "record -- COMMAND" what COMMAND and its children did: all others are idle

Writes a trace.dat of version 6 with the formats of all that was recorded, and a trailer of the tasks that are left. All takes
FACTOR times as long as it did: so a disk is slow.
"""
import json
import re
import struct
import sys

import tracedat


TRACECLOCK = 4  # of the options


class Format:
    """.fields: (offset, size) by name"""

    def __init__(self, text):
        self.text = text
        self.name = re.search(rb"name: (\S+)", text).group(1).decode()
        self.id = int(re.search(rb"ID: (\d+)", text).group(1))
        found = re.findall(rb"field:.*?(\w+)(?:\[\d*\])?;\toffset:(\d+);\tsize:(\d+);", text)
        self.fields = {name.decode(): (int(offset), int(size)) for name, offset, size in found}


def formats_of(r, section):
    """(system, Format) of section 18: a number of systems, each with its name and its events"""
    at, found = 4, []
    for _ in range(struct.unpack_from("<I", section)[0]):
        end = section.index(b"\0", at)
        system, (nr,), at = section[at:end].decode(), struct.unpack_from("<I", section, end + 1), end + 5
        for _ in range(nr):
            size = struct.unpack_from("<Q", section, at)[0]
            found.append((system, Format(section[at + 8:at + 8 + size])))
            at += 8 + size
    return found


def trailer_of(data):
    size = struct.unpack_from("<Q", data, len(data) - 16)[0]
    return json.loads(data[len(data) - 16 - size:len(data) - 16])


class Record:
    def __init__(self, r, formats, event):
        self.time, self.cpu, begin, end = event
        self.data = bytearray(r.data[begin:end])
        self.format = formats.get(struct.unpack_from("<H", self.data)[0])

    def __getitem__(self, name):
        offset, size = self.format.fields[name]
        return int.from_bytes(self.data[offset:offset + size], "little", signed=size < 8)

    def put(self, name, value):
        offset, size = self.format.fields[name]
        self.data[offset:offset + size] = value if isinstance(value, bytes) else value.to_bytes(size, "little", signed=True)


def staged_tids(records, first):
    tids = {first}
    for record in records:
        if record.format.name == "task_newtask" and record["common_pid"] in tids:
            tids.add(record["pid"])
    return tids


def make_idle(record, who):
    name = b"swapper/%d" % record.cpu
    record.put(who + "_pid", 0)
    record.put(who + "_comm", name.ljust(16, b"\0"))
    record.put(who + "_prio", 120)
    if who == "prev":
        record.put("prev_state", 0)


def keep(record, tids, requests):
    """False: the record is of others. What it says of others becomes idle. requests: (dev, sector) of theirs in flight,
    which end while anybody runs, or nobody."""
    name = record.format.name
    if name.startswith("block_rq_"):
        request = record["dev"], record["sector"]
        if record["common_pid"] in tids and name != "block_rq_complete":
            requests.add(request)
        elif request not in requests:
            return False
        else:
            record.put("common_pid", 0)
        if name == "block_rq_complete":
            requests.discard(request)
        return True
    if name == "sched_switch":
        others = [who for who in ("prev", "next") if record[who + "_pid"] not in tids]
        for who in others:
            make_idle(record, who)
        if record["common_pid"] not in tids:
            record.put("common_pid", 0)
        return len(others) < 2
    if name in ("sched_waking", "sched_migrate_task"):
        if record["pid"] not in tids:
            return False
        if record["common_pid"] not in tids:
            record.put("common_pid", 0)
        return True
    return record["common_pid"] in tids


def pages_of(records, page_bytes):
    """The records of one CPU, as the kernel packs them."""
    pages, body, begin, last = [], b"", 0, 0

    def close():
        if body:
            pages.append((struct.pack("<QQ", begin, len(body)) + body).ljust(page_bytes, b"\0"))

    for record in records:
        size = len(record.data) + -len(record.data) % 4
        head = 16
        if not body or len(body) + size + head > page_bytes - 16:
            close()
            body, begin, last = b"", record.time, record.time
        delta = record.time - last
        if delta >> 27:
            body += struct.pack("<II", 30 | (delta & 0x7ffffff) << 5, delta >> 27)
            delta = 0
        data = bytes(record.data).ljust(size, b"\0")
        body += struct.pack("<I", size // 4 | delta << 5) if size <= 112 else struct.pack("<II", delta << 5, size + 4)
        body += data
        last = record.time
    close()
    return b"".join(pages)


def systems_section(formats):
    systems = {}
    for system, f in formats:
        systems.setdefault(system, []).append(f.text)
    out = struct.pack("<I", len(systems))
    for system, texts in systems.items():
        out += system.encode() + b"\0" + struct.pack("<I", len(texts))
        for text in texts:
            out += struct.pack("<Q", len(text)) + text
    return out


def main(source, target, factor=1):
    with open(source, "rb") as file:
        r = tracedat.Recording(file.read()).read()
    parts, _ = tracedat.parts_of_version_6(r)
    trailer = trailer_of(r.data)
    formats = formats_of(r, parts[18])
    by_id = {f.id: f for _, f in formats}
    records = sorted((Record(r, by_id, e) for e in r.events), key=lambda record: record.time)
    tids = staged_tids(records, trailer["command"][0])
    requests = set()
    records = [record for record in records if keep(record, tids, requests)]
    for record in records:
        record.time = records[0].time + (record.time - records[0].time) * int(factor)
    head = r.data[:18] + parts[16] + struct.pack("<I", 0) + systems_section(formats)
    head += struct.pack("<II", 0, 0) + struct.pack("<Q", 0) + struct.pack("<I", len(r.cpus)) + b"options  \0"
    head += struct.pack("<HI", TRACECLOCK, 7) + b"[boot]\0" + struct.pack("<H", 0) + b"flyrecord\0"
    at = len(head) + 16 * len(r.cpus)
    at += -at % r.page_bytes
    table, pages = b"", b""
    for cpu in range(len(r.cpus)):
        of_cpu = pages_of([record for record in records if record.cpu == cpu], r.page_bytes)
        table += struct.pack("<QQ", at + len(pages), len(of_cpu))
        pages += of_cpu
    told = {"version": 1, "realtime_offset_ns": trailer["realtime_offset_ns"],
            "tasks": [t for t in trailer["tasks"] if t[1] in tids], "calls": []}
    text = json.dumps(told).encode()
    with open(target, "wb") as out:
        out.write((head + table).ljust(at, b"\0") + pages + text + struct.pack("<Q", len(text)) + b"RNGSIDE1")


main(*sys.argv[1:])
