#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-counts.sh - what one format says of a recording, all say: switches, calls, requests, samples, events, lost events
#
# Usage: tests/cli/export-counts.sh [BUILD]. Each format of `ringside list formats` is read strictly, by tests/lib/exports.py.
. "$(dirname "$0")/../lib/offline.sh"
cat >counts.py <<'PY'
import json, subprocess, sys
ringside, recording, lib = sys.argv[1:]
sys.path.insert(0, lib)
import exports

def rows(view, of): # none where it was not recorded
    out = subprocess.run([ringside, view, "-i", of, "--self", "--json", "-q"], capture_output=True, text=True).stdout.splitlines()
    parsed = [json.loads(line) for line in out]
    return [r for r in parsed if "_meta" not in r], next((r["_meta"] for r in parsed if "_meta" in r), {})

def views(of):
    events, meta = rows("events", of)
    n = lambda event: sum(r["count"] for r in events if r["event"] == event)
    return {"events": meta["events"], "lost events": meta["lost"], "gaps uncounted": meta["gaps_uncounted"], "slices ended": len(rows("timehist", of)[0]),
            "calls ended": len(rows("syscalls", of)[0]), "requests ended": len(rows("iosnoop", of)[0]),
            "locks ended": sum(r["contended"] for r in rows("locks", of)[0]), "samples": sum(r["self"] for r in rows("profile", of)[0]),
            "switch events": n("sched:sched_switch"), "waking events": n("sched:sched_waking"), "call events": n("raw_syscalls:sys_enter"),
            "request events": n("block:block_rq_issue")}

says = {"views": views(recording)}
for name in exports.listed(ringside):
    subprocess.run([ringside, "export", recording, "-q", "-f", name, "-o", "out/" + name], check=True)
    says[name] = exports.read(name, "out/" + name)
    if name == "trace.dat":
        says["views of trace.dat"] = views("out/" + name)
for key in exports.KEYS:
    found = {name: counts[key] for name, counts in says.items() if key in counts}
    if key == "events drawn one by one" and found["chrome"] and recording.endswith(".data.xz"):
        del found["sqlite"] # there a stack that was recorded with an event is a row of `stack`
    if len(found) < 2 or len(set(found.values())) != 1:
        sys.exit(f"{recording}: {key}: {found}")
PY
for recording in tests/traces/debian-6.1-amd64-{mixed,lost}.dat tests/perfdata/mixed.data.xz; do
	rm -rf out && mkdir out
	python3 counts.py "$ringside" "$root/$recording" "$root/tests/lib" || fail "formats differ"
done
finish "all formats say the same"
