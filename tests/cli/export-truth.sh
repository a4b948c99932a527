#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# export-truth.sh - what Perfetto makes of the exports for it is true: names, processes, states, interrupts, the direction of flows
#
# Usage: tests/cli/export-truth.sh [BUILD]. tests/lib/importer.py models how it reads them.
. "$(dirname "$0")/../lib/offline.sh"
mkdir out
for recording in debian-{5.10-amd64,6.1-amd64,6.1-i386,6.1-s390x}-v6 debian-6.1-amd64-{mixed,lost} host-6.18-amd64-v6; do
	python3 "$root/tests/lib/export_truth.py" "$ringside" "$traces/$recording.dat" out >said 2>&1 || fail "$recording: $(cat said)"
done

# what many readers would drown in: stacks are on the waits that they are of, no instants of addresses; page faults are counted
for recording in debian-6.1-amd64-{stacks,mixed}; do
	"$ringside" export "$traces/$recording.dat" -q -f chrome -o out/t.json && "$ringside" export "$traces/$recording.dat" -q -f perfetto -o out/t.pf ||
		fail "$recording: no export"
	python3 "$root/tests/lib/perfetto.py" out/t.pf >out/decoded && "$ringside" faults -i "$traces/$recording.dat" --self --json -q >out/faults 2>/dev/null
	python3 - "$recording" >said 2>&1 <<'PY' || fail "$recording: $(cat said)"
import json, re, sys
pf, chrome = json.load(open("out/decoded")), json.load(open("out/t.json"))["traceEvents"]
instants = {i["name"] for i in pf["instants"]} | {e["name"] for e in chrome if e["ph"] == "i"}
assert not instants & {"kernel_stack", "user_stack", "fault", "kernel-fault"}, instants
stacks = sum("sf" in e for e in chrome if e["ph"] == "T")
assert stacks == pf["count"].get("slices with a stack", 0) == pf["count"].get("wait slices", 0), (stacks, pf["count"])
assert (stacks > 50) == ("stacks" in sys.argv[1]), stacks
last = {(e["pid"], e["name"]): e["args"]["count"] for e in chrome if e["ph"] == "C" and re.match("(kernel-)?fault of ", e["name"])}
faults = [r for r in map(json.loads, open("out/faults")) if "_meta" not in r]
assert sum(last.values()) == sum(r["user"] + r["kernel"] for r in faults), (last, faults)
assert sum(last.values()) == pf["fault counts"], pf["fault counts"]
PY
done

# samples that one reader does not show: said once, and only where there are some
xz -dc "$traces/../perfdata/stacks.data.xz" >perf.data
"$ringside" export perf.data -f chrome -o out/t.json 2>said
[ "$(grep -c 'f perfetto has them' said)" = 1 ] || fail "samples: $(cat said)"
"$ringside" export "$traces/debian-6.1-amd64-v6.dat" -f chrome -o out/t.json 2>said
! grep -q 'f perfetto has them' said || fail "no samples: $(cat said)"
finish "all that Perfetto shows is true"
