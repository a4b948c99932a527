#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# perfetto.sh - export -f perfetto of every recording: read back strictly, by protoc too, and its counts against Chrome's and the views
#
# Usage: tests/cli/perfetto.sh [BUILD]
. "$(dirname "$0")/../lib/offline.sh"
decode=$root/tests/lib/perfetto.py

holds() { # holds WHAT EXPRESSION...: of the trace in t.pftrace (s), of Chrome's in t.json (c: events by phase and category)
	local what=$1
	shift
	python3 - "$@" 2>&1 <<'PY' || fail "$what"
import collections, json, os, sys
s, c = json.load(open("decoded")), collections.Counter()
if os.path.exists("t.json"):
    for e in json.load(open("t.json"))["traceEvents"]:
        c[e["ph"], e["name"] if e["ph"] == "T" else e.get("cat", "")] += 1
n = collections.Counter(s["count"])
for expression in sys.argv[1:]:
    if not eval(expression):
        sys.exit(f"does not hold: {expression}")
PY
}
whole() { # whole WHAT: t.pftrace is valid
	python3 "$decode" t.pftrace --raw raw >decoded 2>err || { fail "$1: $(cat err)"; return 1; }
	! command -v protoc >/dev/null || protoc --decode_raw <raw >/dev/null 2>err || fail "$1: protoc: $(head -1 err)"
}

bytes=0 chrome_bytes=0
for trace in "$traces"/{debian-6.1-amd64-lost,debian-6.1-amd64-mixed,debian-6.1-s390x-v6,host-6.18-amd64-v6}.dat; do
	name=$(basename "$trace" .dat)
	"$ringside" export "$trace" -q -o t.pftrace 2>err && "$ringside" export "$trace" -q -o t.json 2>>err || fail "$name: $(cat err)"
	whole "$name" || continue
	# system calls in flight have a slice in both; one flow is two instants; critical paths come on top of those of wake-ups
	holds "$name: other counts than Chrome's" \
		's["flows"] == c["s", "wake"] + c["s", "critical-path"] and n["wake instants"] == 2 * c["s", "wake"]' \
		'n["switches to tasks"] == c["T", "Running"] > 10' \
		'all(n[k + " slices"] == c["X", k] + c["b", k] for k in ("syscall", "lock", "futex wait", "stall", "request", "critical-path"))' \
		'all(n[k + " instants"] == c["i", k] for k in ("fault", "kernel-fault", "exec", "marker"))' \
		'n["event instants"] + n["idle event instants"] + n["sched_process_free"] == c["i", "event"] + c["i", "idle event"]' \
		'n["irq_handler_exit"] >= c["X", "irq"] and n["softirq_exit"] >= c["X", "softirq"]' \
		'len(s["systems"]) == 1 and s["systems"][0]["machine"]'
	bytes=$((bytes + $(stat -c %s t.pftrace))) chrome_bytes=$((chrome_bytes + $(stat -c %s t.json)))
	calls=$("$ringside" report "$trace" --view syscall-latency --json -q 2>/dev/null |
		python3 -c 'import json, sys; print(sum(r["calls"] + (r.get("open") or 0) for r in map(json.loads, sys.stdin) if r.get("syscall")))')
	"$ringside" findings -i "$trace" --json 2>/dev/null >findings
	holds "$name: other findings" '[f["text"] for f in map(json.loads, open("findings")) if "text" in f] == [x["name"] for x in s["slices"] if x["track"] == "finding"]'
	holds "$name: $calls calls in a view" "n['syscall slices'] - n['open'] <= $calls <= n['syscall slices']"
done
[ $bytes -gt 0 ] && [ $((4 * bytes)) -lt $chrome_bytes ] || fail "$bytes bytes: more than a quarter of Chrome's $chrome_bytes"
rm -f t.json

# samples with their call stacks: all that the view has; its functions have names where the program that was recorded is still there
xz -dc "$traces/../perfdata/stacks.data.xz" >perf.data
"$ringside" export perf.data -q -o t.pftrace || fail "samples: not exported"
whole samples && holds samples 's["samples"] == 494 and any(len(stack) > 3 and stack[1] in ("main", "[unknown] shares+0x12bc") for stack in s["stacks"])'

# lost events: in the statistics, as marks, as instants
"$ringside" export "$traces/debian-6.1-amd64-lost.dat" -q -o t.pftrace
whole lost && holds lost 'sum(s["lost"].values()) == int(s["facts"]["ringside_lost"]) > 0' 'n["lossy bundles"] == n["loss instants"] > 0'

# narrowed
t=$traces/debian-6.1-amd64-v6.dat
"$ringside" export "$t" -p 415 -q -o t.pftrace
whole -p && holds -p 's["facts"]["ringside_filters"] == "-p 415" and 0 < n["switches to tasks"] < 869'
"$ringside" export "$t" --from 0.05 --to 0.1 -q -o t.pftrace
whole --from && holds --from '0 < n["switches to tasks"] < 869 and 0 < n["syscall slices"] < 1368'
"$ringside" export "$t" -a syscalls -q -o t.pftrace
whole -a && holds -a 'n["syscall slices"] == 1368 and n["request slices"] == n["irq_handler_entry"] == 0'

# several machines, a host and its guest: a sequence and a number for each, and what each has alone
put=$traces/../lib/put_options.py
python3 "$put" "$t" host.dat trace_id=5 guest="web <1>,77,2,413/415" tsc2nsec=3,1,0
python3 "$put" "$traces/debian-5.10-amd64-v6.dat" guest.dat trace_id=77 host_id=5 tsc2nsec=3,1,0 time_shift=1:0,-25000000000,1,0/0,-24999999000,1,0
"$ringside" export host.dat guest.dat -q -o t.pftrace 2>err || fail "machines: $(cat err)"
whole machines && holds machines 'len(s["systems"]) == len(s["clocks"]) == 2 and n["switches to tasks"] == 869 + 752' 'n["syscall slices"] == 1368 + 1293'

# cut off it is whole all the same; on a full disk it says so
head -c $(($(stat -c %s "$t") * 3 / 4)) "$t" >cut.dat
"$ringside" export cut.dat -o t.pftrace 2>err
[ $? -le 1 ] && whole "cut off"
"$ringside" export "$t" -f perfetto >/dev/full 2>err
[ $? = 1 ] && [ "$(cat err)" = "ringside: cannot write the output: No space left on device" ] || fail "full: $(cat err)"

command -v protoc >/dev/null || echo "skipped: protoc is not installed (apt-get install protobuf-compiler)"
finish "all passed, $bytes bytes against Chrome's $chrome_bytes"
