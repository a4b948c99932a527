#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-counts.sh - what one format says of a recording, all say: switches, calls, requests, samples, lost events
#
# Usage: tests/cli/export-counts.sh [BUILD]. A new format is a function below, and a name in the list of them.
. "$(dirname "$0")/../lib/offline.sh"
cat >counts.py <<'PY'
import json, sqlite3, subprocess, sys
ringside, recording = sys.argv[1:3]
COUNTS = "slices", "calls", "requests", "locks", "samples", "lost events"

def export(ending):
    subprocess.run([ringside, "export", recording, "-q", "-o", "out." + ending], check=True)
    return "out." + ending

def rows(view, of=recording):
    out = subprocess.run([ringside, view, "-i", of, "--json", "-q"], capture_output=True, text=True).stdout.splitlines()
    parsed = [json.loads(line) for line in out]
    return [r for r in parsed if "_meta" not in r], next((r["_meta"] for r in parsed if "_meta" in r), {})

# Each returns what has ended, and what has ended or is in flight; None: it does not tell them apart.
def views(of=recording):
    return (len(rows("timehist", of)[0]), len(rows("syscalls", of)[0]), len(rows("iosnoop", of)[0]), sum(r["contended"] for r in rows("locks", of)[0]),
            sum(r["self"] for r in rows("profile", of)[0]), rows("tasks", of)[1]["lost"]), None

def tracedat():
    return views(export("dat"))

def chrome():
    d = json.load(open(export("json")))
    n = lambda ph, key, value: sum(1 for e in d["traceEvents"] if e["ph"] == ph and (not key or e.get(key) == value))
    return None, (n("T", "name", "Running"), n("X", "cat", "syscall"), n("b", "cat", "request"), n("X", "cat", "lock"), n("P", None, None),
                  int(d["metadata"]["ringside_lost"]))

def perfetto():
    decoded = subprocess.run(["python3", sys.argv[3], export("pftrace")], check=True, capture_output=True, text=True).stdout
    d = json.loads(decoded)
    n = lambda what: d["count"].get(what, 0)
    return None, (n("switches to tasks"), n("syscall slices"), n("request slices"), n("lock slices"), d["samples"], sum(d["lost"].values()))

def sqlite():
    db = sqlite3.connect(export("db"))
    one = lambda sql: db.execute(sql).fetchone()[0]
    has = lambda table: one(f"SELECT count(*) FROM sqlite_master WHERE name = '{table}'")
    def counts(of):
        n = lambda table: one(f"SELECT count(*) FROM {table} WHERE {of}") if has(table) else 0
        return (one(f"SELECT count(*) FROM state WHERE state = 'run' AND {of}"), n("span_syscall"), n("span_request"), n("span_lock"),
                one("SELECT count(*) FROM sample"), one("SELECT value FROM meta WHERE key = 'lost'"))
    return counts("NOT in_flight"), counts("in_flight IN (0, 1)")

def clickhouse(): # sums of states, of which inferred ones are left out, and no samples
    subprocess.run([ringside, "export", recording, "-q", "-f", "clickhouse", "-o", "rows"], check=True)
    table = lambda name: [json.loads(line) for line in open(f"rows/ringside_{name}.json")]
    spans, sums = table("span"), table("latency")
    def counts(spans):
        n = lambda kind: sum(s["kind"] == kind for s in spans)
        return None, n("syscall"), n("request"), n("lock"), None, table("batch")[0]["lost"]
    ended = [s for s in spans if not s["in_flight"]]
    for kind in {s["kind"] for s in sums} - {"on-cpu", "run-queue", "wait"}: # what is summed has rows, too
        assert sum(s["count"] for s in sums if s["kind"] == kind) == sum(s["kind"] == kind for s in ended), kind
        assert sum(s["sum_ns"] for s in sums if s["kind"] == kind) == sum(s["duration_ns"] for s in ended if s["kind"] == kind), kind
    assert [s["sequence"] for s in spans] == list(range(len(spans)))
    return counts(ended), counts(spans)

found = {f.__name__: f() for f in (views, tracedat, sqlite, chrome, perfetto, clickhouse)}
for which in 0, 1:
    for i, what in enumerate(COUNTS):
        if len({counts[which][i] for counts in found.values() if counts[which] and counts[which][i] is not None}) != 1:
            sys.exit(f"{recording}: {what}: {found}")
PY
for recording in tests/traces/debian-6.1-amd64-{mixed,lost}.dat tests/perfdata/mixed.data.xz; do
	rm -rf rows
	python3 counts.py "$ringside" "$root/$recording" "$root/tests/lib/perfetto.py" || fail "formats differ"
done
finish "all formats say the same"
