# SPDX-License-Identifier: GPL-2.0-or-later
"""mutants.py - recordings with times of all sizes: each command must end on each of them, in time and without a report

    mutants.py RINGSIDE ROOT FOLDER FIRST COUNT    runs the commands on these mutants, in as many processes as there are CPUs
    mutants.py RINGSIDE ROOT FOLDER FIRST          writes this one as FOLDER/FIRST.dat, and says what was changed

A mutant follows from its number: what is read (a trace.dat of either byte order and word size, as version 6, or 7 with its pages packed
or not; ringside's own with its trailer; one whose options change the times; a perf.data) and from one to four changes. A change is of a
page's time, its commit word, a time extend, a time stamp, a record's delta, a word of a record, an option's or the trailer's numbers.
Values are near every power of two, up to 2^64.
"""
import glob
import json
import multiprocessing
import os
import random
import re
import struct
import subprocess
import sys
import time

import tracedat

LIMIT_S = 30 # a command takes some 50 ms; machines may be busy
PAGES = 3    # of each CPU
COMMANDS = [["report"], ["findings"], ["why"], ["report", "--view", "all", "--json"], ["sched", "--from", "0.001", "--to", "0.01", "--time", "wall"],
            ["tui", "--batch"], ["tui", "--batch", "--screen", "timeline"], ["tui", "--batch", "--screen", "histogram"],
            *(["export", "-f", f, "-o", "@"] for f in ("chrome", "perfetto", "trace.dat", "ctf", "sqlite", "html", "clickhouse",
                                                          "replay", "asciicast"))]


def any_size(rng, bits=64):
    """A number near a power of two, of each exponent as often; now and then any number."""
    value = 2 ** rng.randint(0, bits) + rng.choice((-2, -1, 0, 1, 2, rng.randint(-10**9, 10**9)))
    if rng.random() < 0.1:
        value = rng.getrandbits(bits)
    return value & (2 ** bits - 1)


def near(rng, was, bits=64):
    """Likewise, or such a step away from what was there."""
    step = any_size(rng, bits) if rng.random() < 0.4 else rng.choice((-1, 1)) * (2 ** rng.randint(0, bits))
    return (step if rng.random() < 0.5 else was + step) & (2 ** bits - 1)


# ---- a trace.dat of version 6 ----

def few_pages(data):
    """The first pages of each CPU only: a command then takes no longer than its start."""
    r = tracedat.Recording(data)
    out = bytearray(data[:min(offset for offset, size in r.cpus if size)])
    for cpu, (offset, size) in enumerate(r.cpus):
        size = min(size, PAGES * r.page_bytes)
        struct.pack_into(r.order + "QQ", out, r.table + 16 * cpu, len(out) if size else 0, size)
        out += data[offset:offset + size]
    return bytes(out)


def entries(r, page):
    """Where a page has time extends, time stamps, and records: (byte, its kind, where its payload ends)."""
    big, pos = r.order == ">", page + 8 + r.long
    end = min(pos + (r.number(r.long, page + 8) & 0xfffff), page + r.page_bytes)
    while pos + 8 <= end:
        word, more = r.number(4, pos), r.number(4, pos + 4)
        kind, delta = (word >> 27, word & 0x7ffffff) if big else (word & 31, word >> 5)
        size = 8 if kind in (tracedat.TIME_EXTEND, tracedat.TIME_STAMP) else 4 + more if kind in (0, tracedat.PADDING) else 4 + kind * 4
        if kind == tracedat.PADDING and not delta or size < 8:
            return
        yield pos, kind, min(pos + size, end)
        pos += size


def pages(r):
    return [page for offset, size in r.cpus for page in range(offset, offset + size, r.page_bytes)]


def put_entry(r, data, at, kind, rng):
    """Makes an entry a time extend, a time stamp, or one of another delta."""
    bits = rng.choice((27, 59))
    value = any_size(rng, bits)
    low, high = value & 0x7ffffff, value >> 27
    struct.pack_into(r.order + "I", data, at, kind << 27 | low if r.order == ">" else low << 5 | kind)
    if kind in (tracedat.TIME_EXTEND, tracedat.TIME_STAMP):
        struct.pack_into(r.order + "I", data, at + 4, high)


def options(r):
    """(id, byte, length) of each option"""
    at, found = r.data.rindex(b"options  \0", 0, r.table) + 10, []
    while r.number(2, at):
        found.append((r.number(2, at), at + 6, r.number(4, at + 2)))
        at += 6 + found[-1][2]
    return found


def change_option(r, data, rng):
    found = [o for o in options(r) if o[0] in (1, 7, 12, 14) and o[2] >= 8]
    if not found:
        return change_page_time(r, data, rng)
    number, at, length = rng.choice(found)
    if number in (1, 7): # text
        text = b"%d" % (rng.choice((-1, 1)) * any_size(rng))
        data[at:at + length] = text[:length - 1].ljust(length, b"\0")
    else:
        at += rng.randrange(length // 4 - 1) * 4
        struct.pack_into(r.order + "Q", data, at, any_size(rng))
    return f"option {number} at {at}"


def change_page_time(r, data, rng):
    page = rng.choice(pages(r))
    struct.pack_into(r.order + "Q", data, page, near(rng, r.number(8, page)))
    return f"time of the page at {page}"


def change_commit(r, data, rng):
    page = rng.choice(pages(r))
    struct.pack_into(r.order + {4: "I", 8: "Q"}[r.long], data, page + 8, near(rng, r.number(r.long, page + 8), 8 * r.long))
    return f"commit of the page at {page}"


def change_entry(r, data, rng):
    found = list(entries(r, rng.choice(pages(r))))
    if not found:
        return change_page_time(r, data, rng)
    at, kind, end = rng.choice(found)
    if rng.random() < 0.2 and end - at >= 16: # a number that the event has
        at = rng.randrange(at + 4, end - 7, 4)
        struct.pack_into(r.order + "Q", data, at, any_size(rng))
        return f"payload at {at}"
    put_entry(r, data, at, rng.choice((kind, tracedat.TIME_EXTEND, tracedat.TIME_STAMP)), rng)
    return f"entry at {at}"


def numbers(value, path=()):
    """The places of all numbers in a JSON value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if isinstance(item, (dict, list)):
            yield from numbers(item, path + (key,))
        elif isinstance(item, int) or isinstance(item, str) and re.fullmatch(r"-?\d+", item):
            yield path + (key,)


def change_trailer(r, data, rng):
    if data[-8:] != b"RNGSIDE1":
        return change_page_time(r, data, rng)
    size, = struct.unpack_from("<Q", data, len(data) - 16)
    begin = len(data) - 16 - size
    trailer = json.loads(bytes(data[begin:begin + size]))
    key = rng.choice(sorted(trailer)) # not the most frequent numbers: those that are there once, too
    places = list(numbers({key: trailer[key]}))
    if not places:
        trailer["pauses"] = [[str(any_size(rng)), str(any_size(rng))] for _ in range(rng.randint(1, 3))]
        path = ("pauses",)
    else:
        path = rng.choice(places)
        inner = trailer
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = str(rng.choice((1, 1, 1, -1)) * any_size(rng))
    text = json.dumps(trailer, separators=(",", ":")).encode()
    data[begin:] = text + struct.pack("<Q", len(text)) + b"RNGSIDE1"
    return "trailer: " + ".".join(map(str, path))


CHANGES = [change_page_time] * 3 + [change_entry] * 5 + [change_commit, change_option, change_option, change_trailer, change_trailer]


def mutate_tracedat(data, rng):
    out, told = bytearray(data), []
    r = tracedat.Recording(data)
    for _ in range(rng.randint(1, 4)):
        told.append(rng.choice(CHANGES)(r, out, rng))
    form = rng.choice(("6", "6", "7", "7 zlib"))
    return (bytes(out) if form == "6" else tracedat.as_version_7(bytes(out), packed=form == "7 zlib")), [f"version {form}"] + told


# ---- a perf.data ----

def mutate_perf_data(data, rng):
    out, told = bytearray(data), []
    order = "<" if data[:8] == b"PERFILE2" else ">"
    begin = 16 if len(data) < 104 or struct.unpack_from(order + "Q", data, 8)[0] == 16 else min(struct.unpack_from(order + "Q", data, 40)[0], len(data) - 16)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(begin, len(data) - 7, 4 if rng.random() < 0.2 else 8)
        struct.pack_into(order + "Q", out, at, near(rng, struct.unpack_from(order + "Q", out, at)[0]))
        told.append(f"word at {at}")
    return bytes(out), told


# ---- all of them ----

def seeds(ringside, root, folder):
    """What mutants are made of, as (bytes, the function that changes them). Made once."""
    made, options_of = [], os.path.join(root, "tests/lib/put_options.py")
    for path in sorted(glob.glob(root + "/tests/traces/*.dat")):
        data = open(path, "rb").read()
        if data[10:12] != b"6\0":
            continue
        small = os.path.join(folder, os.path.basename(path))
        with open(small, "wb") as file:
            file.write(few_pages(data))
        made.append(small)
        subprocess.run([ringside, "export", small, "-f", "trace.dat", "-o", small + ".own"], check=True, capture_output=True)
        made.append(small + ".own") # with a trailer
        for number, more in enumerate((["offset=-1000000", "tsc2nsec=1000,10,0"], ["time_shift=1:0,100,1,0/5000000000,-100,3,1", "time_shift_cpus=2"])):
            if subprocess.run([sys.executable, options_of, small, f"{small}.{number}", *more], capture_output=True).returncode == 0:
                made.append(f"{small}.{number}")
    perf = sorted(glob.glob(root + "/tests/fuzz/corpus-perfdata/*"))
    return [(open(p, "rb").read(), mutate_tracedat) for p in made] + [(open(p, "rb").read(), mutate_perf_data) for p in perf if os.path.getsize(p) > 200]


def make(number, all_seeds):
    rng = random.Random(number)
    perf = [s for s in all_seeds if s[1] is mutate_perf_data]
    data, change = rng.choice(perf if rng.random() < 0.15 else [s for s in all_seeds if s not in perf])
    return change(data, rng)


def wrong(done, took):
    """What is wrong with how a command ended, or None."""
    err = done.stderr.decode("utf-8", "replace")
    if "Sanitizer" in err or "runtime error" in err:
        return "a report: " + " ".join(line.strip() for line in err.splitlines() if "ERROR:" in line or "SUMMARY" in line or "runtime error" in line)[:400]
    if done.returncode not in (0, 1):
        return f"status {done.returncode}: {err[:200]}"
    return f"status 1 without a reason" if done.returncode and "ringside: " not in err else None


def check(number):
    data, told = make(number, SEEDS)
    path, out, bad = os.path.join(FOLDER, f"{number}.dat"), os.path.join(FOLDER, f"{number}.out"), []
    slowest = 0
    with open(path, "wb") as file:
        file.write(data)
    for command in COMMANDS:
        name, *rest = [out if word == "@" else word for word in command]
        begin = time.monotonic()
        try:
            done = subprocess.run([RINGSIDE, name, "-i", path, *rest], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  timeout=LIMIT_S, env=ENVIRONMENT)
            why = wrong(done, time.monotonic() - begin)
        except subprocess.TimeoutExpired:
            why = f"still running after {LIMIT_S} s"
        slowest = max(slowest, time.monotonic() - begin)
        if why:
            bad.append(f"mutant {number} ({'; '.join(told)}): {' '.join(command)}: {why}")
        subprocess.run(["rm", "-rf", out]) # ctf makes a folder
    if not bad:
        os.unlink(path)
    return bad, slowest


def main():
    global RINGSIDE, FOLDER, SEEDS, ENVIRONMENT
    RINGSIDE, root, FOLDER, first = sys.argv[1:4] + [int(sys.argv[4])]
    sanitizers = os.environ.get("ASAN_OPTIONS", "")
    ENVIRONMENT = dict(os.environ, TERM="dumb", LINES="40", COLUMNS="120",
                       ASAN_OPTIONS="detect_leaks=0:hard_rss_limit_mb=3000:abort_on_error=0" + (":" + sanitizers if sanitizers else ""))
    SEEDS = seeds(RINGSIDE, root, FOLDER)
    if len(sys.argv) < 6:
        data, told = make(first, SEEDS)
        with open(os.path.join(FOLDER, f"{first}.dat"), "wb") as file:
            file.write(data)
        print(*told, sep="\n")
        return
    nr_bad = nr = 0
    slowest = 0
    with multiprocessing.Pool(int(os.environ.get("MUTANTS_AT_ONCE", os.cpu_count()))) as pool:
        for bad, took in pool.imap_unordered(check, range(first, first + int(sys.argv[5]))):
            nr, nr_bad, slowest = nr + 1, nr_bad + bool(bad), max(slowest, took)
            print(*bad, sep="\n", end="\n" if bad else "", flush=True)
    print(f"{nr} mutants of {len(SEEDS)} recordings, {nr * len(COMMANDS)} commands, {nr_bad} mutants with a fault, the slowest command {slowest:.1f} s")
    sys.exit(nr_bad > 0)


if __name__ == "__main__":
    main()
