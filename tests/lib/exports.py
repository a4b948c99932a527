#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""exports.py - a strict reader for each format of `ringside export`, and what each format says of a recording in numbers

    exports.py FORMAT PATH                     prints them as JSON, or ends with what is wrong
    exports.py --all FOLDER NAMES KEY=N...     reads each FOLDER/*/FORMAT: each format that has a number for KEY says N, and each that
                                               names tasks has the names of NAMES, a JSON list of latin-1 texts

Of what the consumers rely on is checked: fields and their types, ids, nesting, order, UTF-8. A format is a function and a row of FORMATS,
where it is also said how it shows bytes that are no UTF-8. What a format does not say it leaves out.
"""
import collections
import json
import os
import re
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree
import zlib

import ctf
import page
import perfetto
import tracedat

need, Wrong = perfetto.need, perfetto.Wrong
KEYS = ("events", "lost events", "gaps uncounted", "lost, or a gap", "slices", "slices ended", "calls", "calls ended", "requests", "requests ended", "locks", "locks ended",
        "samples", "switch events", "waking events", "call events", "request events", "unmatched", "discarded", "events drawn one by one")


def no_constant(name):
    raise Wrong(f"the number {name}")


def no_key_twice(pairs):
    need(len(pairs) == len(dict(pairs)), "a key is there twice:", [k for k, _ in pairs])
    return dict(pairs)


def strictly(text):
    """JSON; of large ones the keys are not looked at: that takes seconds."""
    return json.loads(text, parse_constant=no_constant, object_pairs_hook=no_key_twice if len(text) < 1 << 20 else None)


# ---- Chrome JSON ----

def chrome(path):
    with open(path, "rb") as file:
        trace = strictly(file.read().decode("utf-8"))
    need([key for key in trace if key != "stackFrames"] == ["traceEvents", "metadata"], "keys", list(trace))
    by_phase, names = collections.defaultdict(list), set()
    for e in trace["traceEvents"]:
        ph, track = e["ph"], (e["pid"], e["tid"])
        need(ph in tuple("XTiCstfbeMP") and isinstance(e["name"], str) and e["name"], "a phase, a name", e)
        need(all(isinstance(i, int) and 0 <= i < 1 << 32 for i in track), "a thread", e)
        need(e["ts"] >= 0 and e.get("dur", 0) >= 0 and ("dur" in e or ph not in "XT"), "a time", e)
        need(ph != "i" or e.get("s") in ("t", "p", "g"), "an instant of what?", e)
        if ph == "M":
            need({"name", "sort_index"} & set(e["args"]), "of no use", e)
            if e["name"] == "thread_name":
                names.add(e["args"]["name"])
        begin = round(e["ts"] * 1000)
        by_phase[ph].append((track, begin, begin + round(e.get("dur", 0) * 1000), e))
    chrome_nested(by_phase["X"])
    chrome_apart(by_phase["T"])
    chrome_pairs(trace["traceEvents"], "stf")
    chrome_pairs(trace["traceEvents"], "b e")
    meta = trace["metadata"]
    count = collections.Counter((e["ph"], e["name"] if e["ph"] == "T" else e.get("cat")) for e in trace["traceEvents"])
    return {"events": int(meta["ringside_events"]), "lost events": int(meta["ringside_lost"]),
            "gaps uncounted": int(meta["ringside_gaps_uncounted"]), "slices": count["T", "Running"],
            "calls": count["X", "syscall"], "requests": count["b", "request"], "locks": count["X", "lock"],
            "unmatched": int(meta["ringside_unmatched"]), "discarded": int(meta["ringside_discarded"]),
            "events drawn one by one": count["i", "event"] + count["i", "idle event"],
            "samples": len(by_phase["P"]), "names": names}


def chrome_nested(slices):
    """A slice of a thread lies within the one before it, or behind it."""
    stack, on = [], None
    for track, begin, end, e in sorted(slices, key=lambda s: (s[0], s[1], -s[2])):
        stack, on = stack if track == on else [], track
        while stack and stack[-1] <= begin:
            stack.pop()
        need(not stack or end <= stack[-1], "a slice overlaps another:", e)
        stack.append(end)


def chrome_apart(states):
    last, on = 0, None
    for track, begin, end, e in sorted(states, key=lambda s: s[:3]):
        need(track != on or begin >= last, "two states at once:", e)
        last, on = end, track


def chrome_pairs(events, phases):
    """Begin, steps and end stand one after the other, with an id of their own, in order of time."""
    opened, ids = None, set()
    for e in events:
        if e["ph"] not in phases:
            continue
        key = e["cat"], e["id2"]["local"] if "id2" in e else e["id"]
        if e["ph"] == phases[0]:
            need(not opened and key not in ids, "a begin in a pair, or of another's id:", e)
            ids.add(key)
        else:
            need(opened and opened[0] == key and opened[1] <= e["ts"], "the end of another:", e)
        opened = None if e["ph"] == phases[2] else (key, e["ts"])
    need(not opened, "a begin without an end:", opened)


# ---- Perfetto ----

def perfetto_trace(path):
    with open(path, "rb") as file:
        trace = perfetto.Trace(file.read())
    n, facts = trace.count, trace.facts
    names = {r[3] for r in trace.runs if r[2]} | {t["thread"]["name"] for t in trace.tracks.values() if "name" in t.get("thread", ())}
    return {"events": int(facts["ringside_events"]), "lost events": sum(trace.lost.values()),
            "gaps uncounted": int(facts["ringside_gaps_uncounted"]), "slices": n["switches to tasks"],
            "calls": n["syscall slices"], "requests": n["request slices"], "locks": n["lock slices"], "samples": len(trace.samples),
            "unmatched": int(facts["ringside_unmatched"]), "discarded": int(facts["ringside_discarded"]),
            # the end of a process is an event of the kernel there
            "events drawn one by one": n["event instants"] + n["idle event instants"] + n["sched_process_free"], "names": names}


# ---- the kernel's events ----

def trace_dat(path):
    recording = tracedat.load(path)
    return {"events": len(recording.events), "lost events": sum(nr for _, _, nr in recording.losses),
            "gaps uncounted": sum(not nr for _, _, nr in recording.losses)}


def ctf_folder(path):
    try:
        trace = ctf.check(path)
    except AssertionError as wrong:
        raise Wrong(wrong) from None
    events = {name: nr for name, nr in trace["events"].items() if not name.startswith("lttng_statedump")}
    n = lambda pattern: sum(nr for name, nr in events.items() if re.fullmatch(pattern, name))
    return {"events": sum(events.values()), "lost, or a gap": sum(trace["lost"].values()), "switch events": n("sched_switch"),
            "waking events": n("sched_waking"), "call events": n(r"(compat_)?syscall_entry_.*|raw_syscalls_sys_enter"),
            "request events": n("block_rq_issue"), "names": trace["comms"]}


# ---- SQLite ----

def sqlite(path):
    db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    one = lambda sql: db.execute(sql).fetchone()[0]
    need(one("PRAGMA integrity_check") == "ok" and not db.execute("PRAGMA foreign_key_check").fetchall(), "no whole database")
    need(one("PRAGMA application_id") == int.from_bytes(b"RSDB", "big") and one("PRAGMA user_version") >= 1, "whose database?")
    tables = [t for t, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        for row in db.execute(f'SELECT * FROM "{table}"'): # texts must be UTF-8 to come through
            need(not any(isinstance(cell, bytes) for cell in row), table, row)
        columns = [c[1] for c in db.execute(f'PRAGMA table_info("{table}")')]
        for column in {"thread", "waker"} & set(columns) if table == "state" else {"thread"} & set(columns):
            need(not one(f'SELECT count(*) FROM "{table}" WHERE {column} > 0 AND {column} NOT IN (SELECT id FROM thread)'),
                 f"{table}.{column} is no thread")
        if {"start_ns", "end_ns"} <= set(columns):
            need(not one(f'SELECT count(*) FROM "{table}" WHERE end_ns < start_ns'), f"{table}: an end before its begin")
    need(not one("SELECT count(*) FROM (SELECT start_ns < lag(end_ns) OVER (PARTITION BY thread ORDER BY start_ns, end_ns) AS both FROM state "
                 "WHERE thread > 0) WHERE both"), "two states of a thread at once")

    def counts(of, suffix):
        n = lambda table: one(f"SELECT count(*) FROM {table} WHERE {of}") if table in tables else 0
        return {"slices" + suffix: one(f"SELECT count(*) FROM state WHERE state = 'run' AND {of}"), "calls" + suffix: n("span_syscall"),
                "requests" + suffix: n("span_request"), "locks" + suffix: n("span_lock")}
    meta = dict(db.execute("SELECT key, value FROM meta"))
    rows = lambda table: one(f"SELECT count(*) FROM {table}") if table in tables else 0
    return {"events": meta["events"], "lost events": meta["lost"], "gaps uncounted": meta["gaps_uncounted"],
            "unmatched": meta["unmatched"], "discarded": meta["discarded"],
            "events drawn one by one": rows("span_event") + rows("span_idle_event"), "samples": one("SELECT count(*) FROM sample") if "sample" in tables else 0,
            **counts("in_flight IN (0, 1)", ""), **counts("NOT in_flight", " ended"),
            "names": {comm for comm, in db.execute("SELECT comm FROM thread WHERE id > 0")}}


# ---- HTML ----

def html_page(path):
    try:
        page.check(path)
    except AssertionError as wrong:
        raise Wrong(wrong) from None
    with open(path, "rb") as file:
        text = file.read().decode("utf-8")
    need(not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), "a control character")
    return {}


# ---- one wait in slow motion ----

CONTROL = "[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"


def replay_svg(path):
    with open(path, "rb") as file:
        data = file.read()
    need(len(data) <= 300000 and not re.search(CONTROL, data.decode("utf-8")), "too large, or a control character", len(data))
    try:
        elements = list(xml.etree.ElementTree.fromstring(data).iter())
    except xml.etree.ElementTree.ParseError as wrong:
        raise Wrong(wrong) from None
    names = {e.tag.replace("{http://www.w3.org/2000/svg}", "") for e in elements}
    need(names <= set("svg title style text rect g path clipPath animate animateTransform".split()), "elements", names)
    need(not any(key.startswith("on") or "href" in key for e in elements for key in e.attrib), "a script, or a link")
    return {}


def asciicast(path):
    with open(path, "rb") as file:
        data = file.read()
    lines = data.decode("utf-8").split("\n")
    need(len(data) <= 300000 and lines.pop() == "", "too large, or no end", len(data))
    header, *events = [strictly(line) for line in lines]
    need(header["version"] == 2 and header["width"] > 0 and header["height"] > 0 and events, "the header", header)
    need(all(len(e) == 3 and e[1] == "o" for e in events), "an event")
    times = [e[0] for e in events]
    need(times == sorted(times) and times[0] == 0 and (len(times) == 1 or 3 <= times[-1] <= 60), "the times", times)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", "".join(e[2] for e in events)).replace("\r\n", "")
    need(not re.search(CONTROL, text), "a control character", text)
    return {}


# ---- ClickHouse ----

def clickhouse_cell(kind, value):
    if kind.startswith("Nullable("):
        return value is None or clickhouse_cell(kind[9:-1], value)
    if kind.startswith("Array("):
        return isinstance(value, list) and all(clickhouse_cell(kind[6:-1], v) for v in value)
    if kind == "String":
        return isinstance(value, str)
    bits = 32 if kind == "DateTime" else int(re.fullmatch(r"U?Int(\d+)", kind)[1])
    least, most = (-1 << bits - 1, (1 << bits - 1) - 1) if kind.startswith("I") else (0, (1 << bits) - 1)
    return type(value) is int and least <= value <= most


def clickhouse(path):
    need(sorted(os.listdir(path)) == ["ringside_batch.json", "ringside_finding.json", "ringside_latency.json", "ringside_span.json", "schema.sql"],
         "the files", os.listdir(path))
    with open(os.path.join(path, "schema.sql"), encoding="utf-8") as file:
        schema = dict(re.findall(r"^CREATE TABLE IF NOT EXISTS (\w+) \((.*)\) ENGINE = \w+ PARTITION BY .*;$", file.read(), re.M))
    tables = {}
    for table, columns in schema.items():
        types = dict(c.split(" ") for c in columns.split(", "))
        with open(os.path.join(path, table + ".json"), "rb") as file:
            rows = [strictly(line) for line in file.read().decode("utf-8").splitlines()]
        tables[table.replace("ringside_", "")] = rows
        for row in rows:
            need(not set(types) - set(row) - {"disk", "cgroup", "pid", "tid", "cpu"} and not set(row) - set(types), f"{table}: the columns", row)
            need(all(clickhouse_cell(types[name], value) for name, value in row.items()), f"{table}: a cell", row)
        need([r["sequence"] for r in rows] == list(range(len(rows))), f"{table}: the order")
    spans, batch = tables["span"], tables["batch"]
    need(len(batch) == 1 and batch[0]["spans"] == len(spans), "the batch", batch)
    for s in spans:
        strictly(s["details"])
    ended = [s for s in spans if not s["in_flight"]]
    sums = tables["latency"]
    for kind in {s["kind"] for s in sums} - {"on-cpu", "run-queue", "wait"}: # what is summed has rows, too
        need(sum(s["count"] for s in sums if s["kind"] == kind) == sum(s["kind"] == kind for s in ended), f"{kind}: counts of sums and rows")
        need(sum(s["sum_ns"] for s in sums if s["kind"] == kind) == sum(s["duration_ns"] for s in ended if s["kind"] == kind), f"{kind}: sums")
    n = lambda of, kind: sum(s["kind"] == kind for s in of)
    return {"lost events": batch[0]["lost"], "gaps uncounted": batch[0]["gaps_uncounted"], "calls": n(spans, "syscall"), "requests": n(spans, "request"), "locks": n(spans, "lock"),
            "calls ended": n(ended, "syscall"), "requests ended": n(ended, "request"), "locks ended": n(ended, "lock"),
            "names": {s["command"] for s in spans + sums}}


def replaced(name):
    return name.decode("utf-8", "replace")


def one_mark_each(name):
    return "".join(c if c < "\x80" else "?" for c in name.decode("latin-1"))


# how a name is shown; None: names are not read
FORMATS = {
    "chrome": (chrome, replaced), "perfetto": (perfetto_trace, replaced), "trace.dat": (trace_dat, None), "ctf": (ctf_folder, one_mark_each),
    "sqlite": (sqlite, replaced), "html": (html_page, None), "clickhouse": (clickhouse, replaced),
    "replay": (replay_svg, None), "asciicast": (asciicast, None),
}
WRONG = (Wrong, tracedat.Wrong, KeyError, ValueError, IndexError, TypeError, sqlite3.Error, zlib.error)


def listed(ringside):
    """The formats of `ringside export`; the others are of views."""
    lines = subprocess.run([ringside, "list", "formats", "--json"], check=True, capture_output=True).stdout.splitlines()
    return [name for name in (json.loads(line)["format"] for line in lines) if name not in ("text", "json", "csv")]


def read(name, path):
    """What the format says of the recording; a SystemExit: what is wrong with it."""
    if name not in FORMATS:
        sys.exit(f"{name}: a format that has no strict reader: add it to tests/lib/exports.py")
    try:
        says = FORMATS[name][0](path)
    except WRONG as wrong:
        sys.exit(f"{path}: {type(wrong).__name__}: {wrong}"[:2000])
    if "lost events" in says: # a CTF has no more than this
        says["lost, or a gap"] = says["lost events"] + says["gaps uncounted"]
    return says


def read_all(folder, names, wanted):
    for case in sorted(os.listdir(folder)):
        for name in sorted(os.listdir(os.path.join(folder, case))):
            path = os.path.join(folder, case, name)
            says = read(name, path)
            for key, value in wanted.items():
                if says.get(key, value) != value:
                    sys.exit(f"{path}: {key}: {says[key]}, not {value}")
            for task in names if FORMATS[name][1] else ():
                if FORMATS[name][1](task) not in says["names"]:
                    sys.exit(f"{path}: no task {task!r}: {sorted(says['names'])}"[:2000])


if __name__ == "__main__":
    if sys.argv[1] == "--all":
        read_all(sys.argv[2], [n.encode("latin-1") for n in json.loads(sys.argv[3])],
                 {key: int(value) for key, value in (a.split("=") for a in sys.argv[4:])})
    else:
        print(json.dumps({key: value for key, value in read(*sys.argv[1:3]).items() if key != "names"}))
